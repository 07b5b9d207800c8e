//! The windows over the apps: keyboard, shade and lock screen, a new notification, volume, toast.

use super::System;
use super::window_stack::{Layer, LayerKind, NAVIGATION, STATUS, SYSTEM_UI, natural};
use super::{keyboard, panels};
use crate::android::CompositionMode;
use crate::toolkit::geometry::Rect;
use crate::toolkit::layout;
use crate::toolkit::view::View;

impl System {
    pub(super) fn keyboard_layer(&self, area: Rect) -> Layer {
        let metrics = &self.world.metrics;
        let height = metrics.px(keyboard::height(&self.world));
        let frame = Rect::new(0, area.bottom - height, area.right, area.bottom);
        let spelt = match self.world.composes() {
            Some(CompositionMode::Spells) => self.held.letters.as_str(),
            _ => "",
        };
        let view = keyboard::view(&self.keyboard, &self.world, spelt);
        Layer {
            kind: LayerKind::Keyboard,
            title: "InputMethod".to_owned(),
            package: self
                .world
                .composes()
                .map_or("com.android.inputmethod.latin", CompositionMode::package),
            scene: layout::lay_out(view.wide().tall(), frame, metrics, &self.keyboard.memory),
            theme: self.world.theme,
            secure: false,
            dim: 0.0,
            room: area,
        }
    }

    pub(super) fn overlay_layer(&self, kind: LayerKind, view: View, frame: Rect) -> Layer {
        let memory = self.memory(kind).unwrap_or(&self.overlay);
        Layer {
            kind,
            title: match kind {
                LayerKind::Volume => "VolumeDialogImpl",
                LayerKind::Toast => "Toast",
                _ => "NotificationShade",
            }
            .to_owned(),
            package: SYSTEM_UI,
            scene: layout::lay_out(view.wide().tall(), frame, &self.world.metrics, memory),
            theme: self.world.theme,
            secure: false,
            dim: 0.0,
            room: self.area(),
        }
    }

    pub(super) fn heads_up_layer(&self, area: Rect) -> Option<Layer> {
        let hidden = self.shade.open || self.locked;
        let notice = self.world.notices.heads_up(self.world.now).filter(|_| !hidden)?;
        let metrics = &self.world.metrics;
        let view = panels::heads_up(notice, &self.world.theme);
        let width = area.width().min(metrics.px(480.0));
        let left = (area.width() - width) / 2;
        let size = natural(
            &view,
            Rect::sized(0, 0, width, area.height()),
            metrics,
            &self.overlay,
        );
        let top = metrics.px(STATUS - 10.0);
        Some(self.overlay_layer(
            LayerKind::HeadsUp,
            view,
            Rect::sized(left, top, width, size.height()),
        ))
    }

    pub(super) fn volume_layer(&self, area: Rect) -> Option<Layer> {
        self.volume_until.filter(|until| *until > self.world.now)?;
        let metrics = &self.world.metrics;
        let (width, height) = (metrics.px(64.0), metrics.px(270.0).min(area.height()));
        let top = (area.height() - height) / 2;
        let frame = Rect::sized(area.right - width - metrics.px(8.0), top, width, height);
        Some(self.overlay_layer(LayerKind::Volume, panels::volume(&self.world), frame))
    }

    pub(super) fn toast_layer(&self, area: Rect) -> Option<Layer> {
        let (words, _) = self
            .world
            .toast
            .as_ref()
            .filter(|(_, until)| *until > self.world.now)?;
        let metrics = &self.world.metrics;
        let view = panels::toast(words, &self.world.theme);
        let room = Rect::sized(0, 0, area.width() - metrics.px(48.0), area.height());
        let size = natural(&view, room, metrics, &self.overlay);
        let bottom = if self.keyboard.up {
            keyboard::height(&self.world)
        } else {
            NAVIGATION
        };
        let top = area.bottom - metrics.px(bottom + 40.0) - size.height();
        let left = (area.width() - size.width()) / 2;
        Some(self.overlay_layer(
            LayerKind::Toast,
            view,
            Rect::sized(left, top, size.width(), size.height()),
        ))
    }
}
