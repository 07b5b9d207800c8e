//! The windows as they stand over one another, laid out.

use super::System;
use super::activity::{Activity, Bars, Popup, PopupKind, is_light};
use super::split::Halves;
use super::tasks::{OpenActivity, Task};
use super::{keyboard, lock, shade};
use crate::android::SplitSide;
use crate::toolkit::color::Color;
use crate::toolkit::geometry::{Metrics, Rect};
use crate::toolkit::layout;
use crate::toolkit::memory::{Memory, name};
use crate::toolkit::scene::Scene;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{Content, Inset, View, class, column, spinner, stack};

/// Height of the status bar in dp, as the pictures have it.
pub(super) const STATUS: f32 = 48.0;
/// Height of the gesture bar in dp.
pub(super) const NAVIGATION: f32 = 24.0;

/// What kind of window a layer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LayerKind {
    /// The screen that covers everything.
    Base,
    /// A screen that lies over part of it.
    Floating,
    /// A dialog or menu of the screen in front.
    Popup,
    /// The same three of the half without the focus, in split screen.
    Beside,
    BesideFloating,
    BesidePopup,
    Keyboard,
    HeadsUp,
    Volume,
    Toast,
    Shade,
    Lock,
}

impl LayerKind {
    /// The same window's, in the half without the focus.
    fn beside(self) -> Self {
        match self {
            Self::Base => Self::Beside,
            Self::Floating => Self::BesideFloating,
            Self::Popup => Self::BesidePopup,
            other => other,
        }
    }

    pub(super) fn is_beside(self) -> bool {
        matches!(self, Self::Beside | Self::BesideFloating | Self::BesidePopup)
    }

    /// An app's, with the focus or without.
    pub(super) fn is_app(self) -> bool {
        self.is_beside() || matches!(self, Self::Base | Self::Floating | Self::Popup)
    }
}

/// One window, laid out.
#[derive(Debug)]
pub(super) struct Layer {
    pub(super) kind: LayerKind,
    pub(super) title: String,
    pub(super) package: &'static str,
    pub(super) scene: Scene,
    pub(super) theme: Theme,
    pub(super) secure: bool,
    /// How much it darkens what lies below.
    pub(super) dim: f32,
    /// What its task has of the display.
    pub(super) room: Rect,
}

/// All windows, lowest first.
#[derive(Debug)]
pub(super) struct WindowStack {
    pub(super) layers: Vec<Layer>,
    pub(super) bars: Bars,
    /// Which one has the input focus.
    pub(super) focus: Option<usize>,
    /// The halves, in split screen.
    pub(super) halves: Option<Halves>,
}

impl WindowStack {
    pub(super) fn focused(&self) -> Option<&Layer> {
        self.layers.get(self.focus?)
    }

    pub(super) fn layer(&self, kind: LayerKind) -> Option<&Layer> {
        self.layers.iter().find(|layer| layer.kind == kind)
    }
}

pub(super) const SYSTEM_UI: &str = "com.android.systemui";

impl System {
    /// Lays every window out, if anything changed since the last time.
    pub(super) fn window_stack(&mut self) -> &WindowStack {
        if self.window_stack.is_none() {
            self.forget_old_popup();
            let mut stack = match self.keyboard_needed() {
                Some(stack) => stack,
                None => self.lay_out(),
            };
            if self.reveal_focus(&stack) {
                stack = self.lay_out();
            }
            self.window_stack = Some(stack);
        }
        self.window_stack.get_or_insert_with(|| WindowStack {
            layers: Vec::new(),
            bars: Bars::on(Color::BLACK),
            focus: None,
            halves: None,
        })
    }

    /// The display, from corner to corner.
    pub(super) fn area(&self) -> Rect {
        let display = &self.world.display;
        Rect::sized(0, 0, display.width as i32, display.height as i32)
    }

    // The keyboard stands only while a field of the window in front has the focus. Gives the windows laid out, where that
    // was needed to know it and they stand as they did.
    fn keyboard_needed(&mut self) -> Option<WindowStack> {
        if !self.keyboard.up {
            return None;
        }
        let stack = self.lay_out();
        let takes_keys = |kind| matches!(kind, LayerKind::Base | LayerKind::Floating | LayerKind::Popup);
        let field = stack.focused().filter(|layer| takes_keys(layer.kind));
        let field = field.and_then(|layer| {
            let focus = layer.scene.focused(self.memory(layer.kind)?)?;
            keyboard::purpose(&layer.scene.nodes[focus].view.content)
        });
        let stands = match field {
            Some(purpose) => !self.keyboard.serve(purpose),
            None => {
                self.keyboard.up = false;
                false
            }
        };
        stands.then_some(stack)
    }

    // A field that is written in must be seen: moves the list it stands in.
    fn reveal_focus(&mut self, stack: &WindowStack) -> bool {
        let Some(layer) = stack.focused().filter(|_| self.reveal) else {
            return false;
        };
        self.reveal = false;
        let kind = layer.kind;
        let margin = self.world.metrics.px(12.0);
        let found = self.memory(kind).and_then(|memory| {
            let focus = layer.scene.focused(memory)?;
            layer.scene.reveal(focus, margin)
        });
        let Some((list, offset)) = found else { return false };
        if let Some(memory) = self.memory_mut(kind) {
            memory.scrolled.insert(list, offset);
        }
        true
    }

    pub(super) fn memory(&self, kind: LayerKind) -> Option<&Memory> {
        match kind {
            LayerKind::Base => self.tasks.base().map(|running| &running.memory),
            LayerKind::Floating => self.tasks.top().map(|running| &running.memory),
            LayerKind::Popup => self.tasks.top().map(|running| &running.popup_memory),
            LayerKind::Beside => self.beside()?.base().map(|running| &running.memory),
            LayerKind::BesideFloating => self.beside()?.top().map(|running| &running.memory),
            LayerKind::BesidePopup => self.beside()?.top().map(|running| &running.popup_memory),
            LayerKind::Keyboard => Some(&self.keyboard.memory),
            LayerKind::Shade => Some(&self.shade.memory),
            _ => Some(&self.overlay),
        }
    }

    pub(super) fn memory_mut(&mut self, kind: LayerKind) -> Option<&mut Memory> {
        match kind {
            LayerKind::Base => {
                let base = self.tasks.all.last_mut()?.base_mut();
                base.map(|running| &mut running.memory)
            }
            LayerKind::Floating => self.tasks.top_mut().map(|running| &mut running.memory),
            LayerKind::Popup => self.tasks.top_mut().map(|running| &mut running.popup_memory),
            LayerKind::Beside => self.beside_mut()?.base_mut().map(|running| &mut running.memory),
            LayerKind::BesideFloating => self
                .beside_mut()?
                .stack
                .last_mut()
                .map(|running| &mut running.memory),
            LayerKind::BesidePopup => self
                .beside_mut()?
                .stack
                .last_mut()
                .map(|running| &mut running.popup_memory),
            LayerKind::Keyboard => Some(&mut self.keyboard.memory),
            LayerKind::Shade => Some(&mut self.shade.memory),
            _ => Some(&mut self.overlay),
        }
    }

    pub(super) fn lay_out(&self) -> WindowStack {
        let area = self.area();
        let keyboard = self.keyboard.up.then(|| self.keyboard_layer(area));
        let bottom = keyboard
            .as_ref()
            .map_or(area.bottom, |layer| layer.scene.area.top);
        let halves = self.halves();
        let mut layers = self.app_layers(area, bottom, halves.as_ref());
        let bars = self.app_bars(halves.as_ref());
        let mut focus = layers.len().checked_sub(1);
        layers.extend(keyboard);
        let overlays = [
            self.heads_up_layer(area),
            self.volume_layer(area),
            self.toast_layer(area),
        ];
        layers.extend(overlays.into_iter().flatten());
        if self.locked {
            focus = Some(layers.len());
            layers.push(self.overlay_layer(LayerKind::Lock, lock::view(self), area));
        }
        if self.shade.open {
            focus = Some(layers.len());
            layers.push(self.overlay_layer(LayerKind::Shade, shade::view(&self.world), area));
        }
        let bars = if self.locked { Bars::on(Color::BLACK) } else { bars };
        let bars = if self.shade.open {
            Bars::on(shade::background(&self.world.theme))
        } else {
            bars
        };
        WindowStack {
            layers,
            bars,
            focus,
            halves,
        }
    }

    // In split screen the upper app is below the status bar, the lower one below the gesture bar.
    fn app_bars(&self, halves: Option<&Halves>) -> Bars {
        let bars = |task: Option<&Task>| {
            let base = task.and_then(Task::base);
            base.map_or(Bars::on(Color::BLACK), |base| base.activity.bars(&self.world))
        };
        let front = bars(self.tasks.front());
        let Some(halves) = halves else { return front };
        let beside = bars(self.tasks.task(halves.beside));
        let (first, second) = match halves.side {
            SplitSide::First => (front, beside),
            SplitSide::Second => (beside, front),
        };
        Bars::on(first.status).navigation(second.navigation)
    }

    fn forget_old_popup(&mut self) {
        let Some(top) = self.tasks.top_mut() else { return };
        let name = top.activity.popup(&self.world).map(|popup| popup.name);
        if top.popup_name != name {
            top.popup_name = name;
            top.popup_memory = Memory::default();
        }
    }

    fn app_layers(&self, area: Rect, bottom: i32, halves: Option<&Halves>) -> Vec<Layer> {
        let Some(front) = self.tasks.front() else {
            return Vec::new();
        };
        let (Some(halves), Some(beside)) = (halves, self.beside()) else {
            return self.task_layers(front, area, bottom);
        };
        // The keyboard makes room for itself in the half it serves, and covers the other.
        let room = halves.beside_room();
        let mut layers = self.task_layers(beside, room, room.bottom);
        for layer in &mut layers {
            layer.kind = layer.kind.beside();
        }
        let room = halves.front_room();
        layers.extend(self.task_layers(front, room, bottom.min(room.bottom)));
        layers
    }

    // The windows of one task, in what it has of the display.
    fn task_layers(&self, task: &Task, area: Rect, bottom: i32) -> Vec<Layer> {
        let mut layers = Vec::new();
        let Some(base) = task.base() else {
            return layers;
        };
        self.world.window.set(Some((area.width(), area.height())));
        layers.push(self.screen(base, area, bottom));
        if let Some(top) = task.top().filter(|top| top.activity.is_floating()) {
            let scene = self.floating(top.activity.view(&self.world), area, bottom, &top.memory);
            layers.push(self.layer(LayerKind::Floating, top.activity.as_ref(), scene, 0.45));
        }
        if let Some(top) = task.top()
            && let Some(popup) = top.activity.popup(&self.world)
        {
            layers.push(self.popup(top, popup, layers.last().map(|layer| &layer.scene), area, bottom));
        }
        self.world.window.set(None);
        for layer in &mut layers {
            layer.room = area;
        }
        layers
    }

    fn layer(&self, kind: LayerKind, activity: &dyn Activity, scene: Scene, dim: f32) -> Layer {
        Layer {
            kind,
            title: activity
                .title()
                .unwrap_or_else(|| format!("{}/{}", activity.package(), activity.class())),
            package: activity.package(),
            scene,
            theme: activity.theme(&self.world),
            secure: activity.is_secure(),
            dim,
            room: self.area(),
        }
    }

    // A screen within Android's decor: content between the bars, and the bars' own views.
    pub(super) fn screen(&self, base: &OpenActivity, area: Rect, bottom: i32) -> Layer {
        let world = &self.world;
        let bars = base.activity.bars(world);
        // A half of the display keeps away from the bars it has, and draws no other.
        let whole = self.area();
        let (has_status, has_navigation) = (area.top == whole.top, area.bottom == whole.bottom);
        let covered = (area.bottom - bottom) as f32 / world.metrics.density;
        let below = if covered > 0.0 || bars.full || !has_navigation {
            covered
        } else {
            NAVIGATION
        };
        let above = if bars.full || !has_status { 0.0 } else { STATUS };
        // In landscape the camera hole is at a side: screens that do not lie under the bars keep away from it.
        let (left, right) = match (bars.full, world.display.rotation) {
            (false, 1) if area.left == whole.left => (STATUS, 0.0),
            (false, 3) if area.right == whole.right => (0.0, STATUS),
            _ => (0.0, 0.0),
        };
        let content = stack([base.activity.view(world).grow()])
            .id("android:id/content")
            .wide()
            .grow();
        let frame = stack([content]).wide().grow();
        let inside = column([frame]).wide().grow().pad_each(left, above, right, below);
        let bar = |id, height: f32, place: Inset, color: Color| {
            let place = Inset {
                left: Some(0.0),
                right: Some(0.0),
                ..place
            };
            let view = View::new(class::VIEW, Content::Empty)
                .id(id)
                .height(height)
                .at(place);
            if bars.full { view } else { view.fill(color) }
        };
        let top = Inset {
            top: Some(0.0),
            ..Inset::default()
        };
        let end = Inset {
            bottom: Some(covered),
            ..Inset::default()
        };
        let mut views = vec![inside];
        if world.options.endless_animation {
            let turn = world.now.as_secs_f32().fract();
            let place = Inset {
                right: Some(16.0),
                top: Some(above + 14.0),
                ..Inset::default()
            };
            views.push(spinner(turn).size(24.0, 24.0).id("android:id/progress").at(place));
        }
        if covered == 0.0 && has_navigation {
            views.push(bar(
                "android:id/navigationBarBackground",
                NAVIGATION,
                end,
                bars.navigation,
            ));
        }
        if has_status {
            views.push(bar("android:id/statusBarBackground", STATUS, top, bars.status));
        }
        let theme = base.activity.theme(world);
        let decor = stack(views).wide().tall();
        let decor = if bars.full {
            decor
        } else {
            decor.fill(theme.background)
        };
        let scene = layout::lay_out(decor, area, &world.metrics, &base.memory);
        self.layer(LayerKind::Base, base.activity.as_ref(), scene, 0.0)
    }

    // A window as large as its view, in the middle of what the keyboard leaves.
    fn floating(&self, view: View, area: Rect, bottom: i32, memory: &Memory) -> Scene {
        let metrics = &self.world.metrics;
        let width = (area.width() - metrics.px(52.0)).min(metrics.px(400.0));
        let room = Rect::new(
            area.left,
            area.top + metrics.px(STATUS),
            area.left + width,
            bottom - metrics.px(NAVIGATION),
        );
        let size = natural(&view, room, metrics, memory);
        let left = area.left + (area.width() - size.width()) / 2;
        let top = (room.top + room.bottom - size.height()) / 2;
        windowed(
            view,
            Rect::sized(left, top, size.width(), size.height()),
            metrics,
            memory,
        )
    }

    fn popup(
        &self,
        top: &OpenActivity,
        popup: Popup,
        below: Option<&Scene>,
        area: Rect,
        bottom: i32,
    ) -> Layer {
        let metrics = &self.world.metrics;
        let memory = &top.popup_memory;
        let (scene, dim) = match popup.kind {
            PopupKind::Dialog => (self.floating(popup.view, area, bottom, memory), 0.45),
            PopupKind::Menu(anchor) => {
                let room = Rect::new(
                    area.left,
                    area.top,
                    area.left + area.width().min(metrics.px(280.0)),
                    bottom - metrics.px(64.0),
                );
                let size = natural(&popup.view, room, metrics, memory);
                let under = below.and_then(|scene| {
                    Some(scene.nodes[scene.find_id(anchor).or(scene.find(name(anchor)))?].visible)
                });
                let under = under.unwrap_or(Rect::sized(area.right, area.top + metrics.px(STATUS), 0, 0));
                let margin = metrics.px(8.0);
                let (least, most) = (area.left + margin, area.right - size.width() - margin);
                let left = (under.right - size.width()).clamp(least, most.max(least));
                let top = under
                    .bottom
                    .min(bottom - size.height() - margin)
                    .max(area.top + margin);
                let frame = Rect::sized(left, top, size.width(), size.height());
                (windowed(popup.view, frame, metrics, memory), 0.0)
            }
            PopupKind::Sheet => {
                let room = Rect::new(area.left, area.top + metrics.px(STATUS * 2.0), area.right, bottom);
                let size = natural(&popup.view, room, metrics, memory);
                let frame = Rect::new(area.left, bottom - size.height(), area.right, bottom);
                (windowed(popup.view, frame, metrics, memory), 0.4)
            }
        };
        let mut layer = self.layer(LayerKind::Popup, top.activity.as_ref(), scene, dim);
        if let PopupKind::Menu(_) = popup.kind {
            layer.title = format!("PopupWindow:{:x}", 0x00c0_ffee + top.number);
        }
        layer
    }

    /// Dark signs in the bars: the colour behind them is light.
    pub(super) fn dark_signs(color: Color) -> bool {
        is_light(color)
    }
}

// How large a view becomes in a room when nothing stretches it.
pub(super) fn natural(view: &View, room: Rect, metrics: &Metrics, memory: &Memory) -> Rect {
    let scene = layout::lay_out(view.clone(), room, metrics, memory);
    scene.nodes.first().map_or(Rect::default(), |node| {
        let height = node.rect.height().min(room.height());
        Rect::sized(0, 0, node.rect.width().min(room.width()), height)
    })
}

// A window's view within the frames a dialog's has.
fn windowed(view: View, frame: Rect, metrics: &Metrics, memory: &Memory) -> Scene {
    let content = stack([view.wide().tall()]).id("android:id/content").wide().tall();
    layout::lay_out(stack([content]).wide().tall(), frame, metrics, memory)
}
