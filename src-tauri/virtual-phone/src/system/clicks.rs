//! What a finger that stays where it is does: clicks, long presses, double taps; and the sliders and the things it takes
//! with it. Where messages go.

use super::System;
use super::fingers::{Touch, TouchMode};
use super::keyboard::Key;
use super::window_stack::LayerKind;
use crate::toolkit::memory::{Caret, NodeKey};
use crate::toolkit::scene::Node;
use crate::toolkit::view::{Content, DragEvent, DragPhase, ScreenMessage};
use std::time::Duration;

/// `ViewConfiguration`: long press after 400 ms, double tap within 300 ms.
const LONG_PRESS: Duration = Duration::from_millis(400);
const DOUBLE_TAP: Duration = Duration::from_millis(300);

/// A click, to tell whether the next one makes it double.
#[derive(Clone, Copy, Debug)]
pub(super) struct Click {
    node: NodeKey,
    at: Duration,
}

impl System {
    pub(super) fn finish_press(&mut self, touch: &Touch) {
        let Some(key) = touch.node else { return };
        self.window_stack();
        let Some(layer) = self
            .window_stack
            .as_ref()
            .and_then(|stack| stack.layer(touch.kind))
        else {
            return;
        };
        let Some(index) = layer.scene.find(key) else {
            return;
        };
        let node = &layer.scene.nodes[index];
        // A finger that slid off the view lets go of it.
        if !node.visible.contains(touch.last.0, touch.last.1) {
            return;
        }
        let node = node.clone();
        self.click(touch.kind, &node, Some(touch.last));
    }

    /// What touching a node does. `at`: where, for a caret.
    pub(super) fn click(&mut self, kind: LayerKind, node: &Node, at: Option<(f32, f32)>) {
        if !node.view.enabled {
            return;
        }
        if let Content::Field(field) = &node.view.content {
            let caret = at.map_or(Caret::END, |at| self.caret_at(field, node, at));
            if let Some(memory) = self.memory_mut(kind) {
                memory.focus = Some(node.key);
                memory.caret = caret;
            }
            self.keyboard.up = true;
            self.reveal = true;
            self.change();
        }
        let now = self.world.now;
        let before = self.last_click.replace(Click {
            node: node.key,
            at: now,
        });
        let twice = before.is_some_and(|click| click.node == node.key && now - click.at <= DOUBLE_TAP);
        let act = match &node.view.double {
            Some(double) if twice => {
                self.last_click = None;
                Some(double)
            }
            _ => node.view.click.as_ref(),
        };
        if let Some(act) = act {
            self.dispatch(kind, act);
        }
    }

    /// Fires a long press that is due. True when it did.
    pub(super) fn hold_long(&mut self) -> bool {
        let now = self.world.now;
        let Some(touch) = self.touch.as_ref().filter(|touch| touch.mode == TouchMode::Press) else {
            return false;
        };
        if now - touch.since < LONG_PRESS {
            return false;
        }
        let (kind, key) = (touch.kind, touch.node);
        self.window_stack();
        let layer = self.window_stack.as_ref().and_then(|stack| stack.layer(kind));
        let node = layer.and_then(|layer| Some(&layer.scene.nodes[layer.scene.find(key?)?]));
        let Some(act) = node
            .filter(|node| node.view.enabled)
            .and_then(|node| node.view.long.clone())
        else {
            return false;
        };
        self.drop_touch();
        self.dispatch(kind, &act);
        true
    }

    pub(super) fn slide(&mut self, x: f32) {
        let Some((kind, key)) = self
            .touch
            .as_ref()
            .and_then(|touch| Some((touch.kind, touch.node?)))
        else {
            return;
        };
        self.window_stack();
        let Some(layer) = self.window_stack.as_ref().and_then(|stack| stack.layer(kind)) else {
            return;
        };
        let Some(index) = layer.scene.find(key) else {
            return;
        };
        let rect = layer.scene.nodes[index].rect;
        let thumb = self.world.metrics.px(10.0) as f32;
        let value = (x - rect.left as f32 - thumb) / (rect.width() as f32 - 2.0 * thumb).max(1.0);
        if let Content::Slider { set, .. } = &layer.scene.nodes[index].view.content {
            let act = set.to(value.clamp(0.0, 1.0));
            self.dispatch(kind, &act);
        }
    }

    pub(super) fn pull(&mut self, touch: &Touch, key: NodeKey, phase: DragPhase) {
        self.window_stack();
        let layer = self
            .window_stack
            .as_ref()
            .and_then(|stack| stack.layer(touch.kind));
        let node = layer.and_then(|layer| Some(&layer.scene.nodes[layer.scene.find(key)?]));
        let Some(reply) = node.and_then(|node| node.view.pull.clone()) else {
            return;
        };
        let density = self.world.metrics.density;
        let act = reply.to(DragEvent {
            phase,
            x: (touch.last.0 - touch.start.0) / density,
            y: (touch.last.1 - touch.start.1) / density,
        });
        self.dispatch(touch.kind, &act);
    }

    /// Sends a message to whoever owns a window.
    pub(super) fn dispatch(&mut self, kind: LayerKind, act: &ScreenMessage) {
        match kind {
            LayerKind::Keyboard => {
                if let Some(key) = act.get::<Key>() {
                    self.tap_key(*key);
                }
            }
            LayerKind::Base | LayerKind::Floating | LayerKind::Popup => {
                if let Some(top) = self.tasks.top_mut() {
                    top.activity.act(act, &mut self.world);
                }
                self.settle_front();
            }
            _ => self.touch_panel(act),
        }
    }
}
