//! One finger: presses, long presses, double taps, scrolling and its fling, sliders, things pulled about, and the
//! gestures of the display's edges.

use super::System;
use super::window_stack::{LayerKind, STATUS, WindowStack};
use crate::android::FingerAction;
use crate::toolkit::memory::NodeKey;
use crate::toolkit::scene::Scrolling;
use crate::toolkit::view::{Axis, DragPhase};
use std::time::Duration;

/// `ViewConfiguration`: a touch wanders 8 dp before it moves things.
const SLOP: f32 = 8.0;
/// How wide the edges are that take gestures, in dp.
const EDGE: f32 = 24.0;
/// A swipe up from the bottom that rests this long shows recent apps instead of home.
const REST: Duration = Duration::from_millis(250);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    Left,
    Right,
    Top,
    Bottom,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TouchMode {
    /// Nothing moved yet.
    Press,
    Scroll(NodeKey, Scrolling, bool),
    Slide(NodeKey),
    Pull(NodeKey),
    Gesture(Edge),
    /// Outside a dialog.
    Outside,
    /// Whatever it was is over.
    Over,
}

/// A finger on the glass.
#[derive(Clone, Debug)]
pub(super) struct Touch {
    pub(super) kind: LayerKind,
    pub(super) start: (f32, f32),
    pub(super) last: (f32, f32),
    pub(super) since: Duration,
    /// When the finger last went somewhere.
    pub(super) moved: Duration,
    /// The last places and their times, for the speed at the end.
    pub(super) trail: Vec<(Duration, f32, f32)>,
    pub(super) node: Option<NodeKey>,
    pub(super) mode: TouchMode,
}

impl System {
    pub(super) fn move_finger(&mut self, action: FingerAction, x: f32, y: f32) {
        if !self.awake {
            return;
        }
        match action {
            FingerAction::Down => self.touch_down(x, y),
            FingerAction::Move => self.touch_move(x, y),
            FingerAction::Up => self.touch_up(x, y),
            FingerAction::Cancel => self.touch_end(),
        }
        self.settle();
    }

    fn touch_down(&mut self, x: f32, y: f32) {
        self.fling = None;
        let now = self.world.now;
        if find_layer(self.window_stack(), x, y).0.is_beside() {
            self.focus_beside();
        }
        self.window_stack();
        let Some(stack) = &self.window_stack else {
            return;
        };
        let (kind, outside) = find_layer(stack, x, y);
        let layer = stack.layers.iter().find(|layer| layer.kind == kind);
        let node = layer.filter(|_| !outside).and_then(|layer| {
            let index = layer.scene.hit(x, y, |node| {
                node.is_focusable() || node.view.long.is_some() || node.view.pull.is_some()
            })?;
            Some((&layer.scene.nodes[index], layer.kind))
        });
        let key = node.map(|(node, _)| node.key);
        let pressed = node
            .filter(|(node, _)| node.is_clickable() && node.view.enabled)
            .map(|(node, _)| node.key);
        let slides = node.is_some_and(|(node, _)| node.is_slider() && node.view.enabled);
        let mode = if outside {
            TouchMode::Outside
        } else {
            TouchMode::Press
        };
        if let Some(memory) = self.memory_mut(kind) {
            memory.by_keys = false;
            memory.pressed = pressed;
        }
        self.touch = Some(Touch {
            kind,
            start: (x, y),
            last: (x, y),
            since: now,
            moved: now,
            trail: vec![(now, x, y)],
            node: key,
            mode,
        });
        if pressed.is_some() {
            self.change();
        }
        if slides {
            self.slide(x);
        }
    }

    fn touch_move(&mut self, x: f32, y: f32) {
        let now = self.world.now;
        self.hold_long();
        let Some(touch) = &mut self.touch else { return };
        let moved = (x - touch.last.0, y - touch.last.1);
        if moved.0.abs() + moved.1.abs() > 1.0 {
            touch.moved = now;
        }
        touch.last = (x, y);
        touch.trail.push((now, x, y));
        if touch.trail.len() > 24 {
            touch.trail.remove(0);
        }
        let way = (x - touch.start.0, y - touch.start.1);
        match touch.mode {
            TouchMode::Press if way.0.hypot(way.1) > SLOP * self.world.metrics.density => {
                self.take_direction(way);
                if self
                    .touch
                    .as_ref()
                    .is_some_and(|touch| touch.mode != TouchMode::Press)
                {
                    self.unpress();
                    let start = self.touch.as_ref().map_or((x, y), |touch| touch.start);
                    self.follow((x - start.0, y - start.1));
                } else if self.has_left(x, y) {
                    self.let_go();
                }
            }
            TouchMode::Press | TouchMode::Outside | TouchMode::Over | TouchMode::Gesture(_) => {}
            _ => self.follow(moved),
        }
    }

    // `View.pointInView`: what was pressed is held until the finger is further from it than a touch wanders.
    fn has_left(&mut self, x: f32, y: f32) -> bool {
        let slop = -self.world.metrics.px(SLOP);
        self.window_stack();
        let (Some(stack), Some(touch)) = (&self.window_stack, &self.touch) else {
            return false;
        };
        let scene = stack.layer(touch.kind).map(|layer| &layer.scene);
        let node = scene.and_then(|scene| Some(&scene.nodes[scene.find(touch.node?)?]));
        node.is_some_and(|node| !node.rect.inset(slop, slop, slop, slop).contains(x, y))
    }

    // Neither clicked nor held any more, though it comes back. What lies around it may still be scrolled.
    fn let_go(&mut self) {
        self.unpress();
        if let Some(touch) = &mut self.touch {
            touch.node = None;
        }
    }

    // What a finger that has begun to move means.
    fn take_direction(&mut self, way: (f32, f32)) {
        let density = self.world.metrics.density;
        let (width, height) = (self.world.display.width as f32, self.world.display.height as f32);
        let across = way.0.abs() > way.1.abs();
        self.window_stack();
        let Some(touch) = &self.touch else { return };
        let (x, y) = touch.start;
        let (kind, node) = (touch.kind, touch.node);
        let edge = if y > height - EDGE * density && !across && way.1 < 0.0 {
            Some(Edge::Bottom)
        } else if y < STATUS * density && !across && way.1 > 0.0 {
            Some(Edge::Top)
        } else if x < EDGE * density && across && way.0 > 0.0 {
            Some(Edge::Left)
        } else if x > width - EDGE * density && across && way.0 < 0.0 {
            Some(Edge::Right)
        } else {
            None
        };
        let mode = match edge {
            Some(edge) => Some(TouchMode::Gesture(edge)),
            None => self
                .window_stack
                .as_ref()
                .and_then(|stack| moving(stack, kind, (x, y), across, node)),
        };
        if let (Some(mode), Some(touch)) = (mode, &mut self.touch) {
            touch.mode = mode;
        }
    }

    fn follow(&mut self, moved: (f32, f32)) {
        let Some(touch) = self.touch.clone() else { return };
        match touch.mode {
            TouchMode::Scroll(list, scrolling, from_end) => {
                let by = if scrolling.axis == Axis::Across {
                    moved.0
                } else {
                    moved.1
                };
                self.scroll_by(touch.kind, list, scrolling.most, if from_end { by } else { -by });
            }
            TouchMode::Slide(_) => self.slide(touch.last.0),
            TouchMode::Pull(node) => self.pull(&touch, node, DragPhase::Move),
            _ => {}
        }
    }

    fn touch_up(&mut self, x: f32, y: f32) {
        self.hold_long();
        let Some(mut touch) = self.touch.take() else {
            return;
        };
        touch.last = (x, y);
        self.unpress_layer(touch.kind);
        match touch.mode {
            TouchMode::Press => self.finish_press(&touch),
            TouchMode::Scroll(list, scrolling, from_end) => {
                self.start_fling(&touch, list, scrolling, from_end)
            }
            TouchMode::Pull(node) => self.pull(&touch, node, DragPhase::Drop),
            TouchMode::Gesture(edge) => self.finish_gesture(&touch, edge),
            TouchMode::Outside => {
                self.cancel_popup();
            }
            TouchMode::Slide(_) | TouchMode::Over => {}
        }
    }

    fn touch_end(&mut self) {
        if let Some(touch) = self.touch.take() {
            self.unpress_layer(touch.kind);
        }
    }

    /// Takes the press off whatever is under the finger: nothing comes of it any more.
    pub(super) fn drop_touch(&mut self) {
        self.unpress();
        if let Some(touch) = &mut self.touch {
            touch.mode = TouchMode::Over;
        }
    }

    fn unpress(&mut self) {
        if let Some(kind) = self.touch.as_ref().map(|touch| touch.kind) {
            self.unpress_layer(kind);
        }
    }

    fn unpress_layer(&mut self, kind: LayerKind) {
        if self
            .memory_mut(kind)
            .and_then(|memory| memory.pressed.take())
            .is_some()
        {
            self.change();
        }
    }

    fn finish_gesture(&mut self, touch: &Touch, edge: Edge) {
        let density = self.world.metrics.density;
        let (dx, dy) = (touch.last.0 - touch.start.0, touch.last.1 - touch.start.1);
        let rested = self.world.now - touch.moved >= REST;
        match edge {
            Edge::Left if dx > 32.0 * density => self.go_back(),
            Edge::Right if dx < -32.0 * density => self.go_back(),
            Edge::Top if dy > 48.0 * density && !self.locked => self.open_shade(true),
            Edge::Bottom if dy < -48.0 * density => match (self.locked, self.shade.open, rested) {
                (true, ..) => self.unlock(),
                (_, true, _) => self.open_shade(false),
                (_, _, true) => self.show_recents(),
                _ => self.go_home(),
            },
            _ => {}
        }
    }
}

// The window a touch goes to, and whether it is outside it (of a window that lets nothing through).
fn find_layer(stack: &WindowStack, x: f32, y: f32) -> (LayerKind, bool) {
    for layer in stack.layers.iter().rev() {
        let inside = layer.scene.area.contains(x, y);
        match layer.kind {
            LayerKind::Toast => {}
            // Only the card takes touches, not the air round it.
            LayerKind::HeadsUp if inside && layer.scene.top(x, y).is_none_or(|index| index == 0) => {}
            _ if inside => return (layer.kind, false),
            LayerKind::Floating | LayerKind::Popup | LayerKind::BesideFloating | LayerKind::BesidePopup
                if layer.room.contains(x, y) =>
            {
                return (layer.kind, true);
            }
            _ => {}
        }
    }
    (LayerKind::Base, false)
}

// What a finger moves: the innermost thing that can be pulled, slid or scrolled that way.
fn moving(
    stack: &WindowStack,
    kind: LayerKind,
    (x, y): (f32, f32),
    across: bool,
    node: Option<NodeKey>,
) -> Option<TouchMode> {
    let scene = &stack.layer(kind)?.scene;
    if let Some(index) = node.and_then(|key| scene.find(key))
        && scene.nodes[index].is_slider()
    {
        return Some(TouchMode::Slide(scene.nodes[index].key));
    }
    let top = scene.top(x, y)?;
    scene.ancestors(top).find_map(|index| {
        let node = &scene.nodes[index];
        if node.view.pull.is_some() {
            return Some(TouchMode::Pull(node.key));
        }
        let scrolling = node
            .scrolling
            .filter(|s| s.most > 0.0 && (s.axis == Axis::Across) == across)?;
        Some(TouchMode::Scroll(node.key, scrolling, node.view.from_end))
    })
}
