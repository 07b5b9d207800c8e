//! The list of windows, as the window manager tells it.

use super::System;
use super::window_stack::{LayerKind, NAVIGATION, STATUS, SYSTEM_UI, WindowStack};
use crate::android::{Half, Window};
use crate::toolkit::geometry::Rect;

impl System {
    /// Every window, topmost first, as the window manager lists them.
    fn list_windows(&self, stack: &WindowStack) -> Vec<Window> {
        let area = self.area();
        let rect = |rect: Rect| (rect.left, rect.top, rect.right, rect.bottom);
        let metrics = &self.world.metrics;
        let bar = |title: &str, frame: Rect| Window {
            title: title.to_owned(),
            package: SYSTEM_UI.to_owned(),
            focused: false,
            secure: false,
            frame: rect(frame),
            half: None,
        };
        let status = Rect {
            bottom: metrics.px(STATUS),
            ..area
        };
        let navigation = Rect {
            top: area.bottom - metrics.px(NAVIGATION),
            ..area
        };
        let mut windows = vec![bar("NavigationBar0", navigation)];
        let (mut shade_listed, mut divider_listed) = (false, false);
        for (index, layer) in stack.layers.iter().enumerate().rev() {
            let under_bars = layer.kind.is_app() || layer.kind == LayerKind::Keyboard;
            if under_bars && !windows.iter().any(|window| window.title == "StatusBar") {
                windows.push(bar("StatusBar", status));
            }
            // The lock screen and the shade are one window; so is a notification that just arrived.
            if layer.title == "NotificationShade" && std::mem::replace(&mut shade_listed, true) {
                continue;
            }
            if let Some(halves) = stack.halves.filter(|_| layer.kind.is_app())
                && !std::mem::replace(&mut divider_listed, true)
            {
                windows.push(bar(self.divider_title(), halves.divider()));
            }
            windows.push(Window {
                title: layer.title.clone(),
                package: layer.package.to_owned(),
                focused: stack.focus == Some(index) && self.awake,
                secure: layer.secure,
                frame: rect(layer.scene.area),
                half: stack.halves.filter(|_| layer.kind.is_app()).map(|halves| Half {
                    side: if layer.kind.is_beside() {
                        halves.side.other()
                    } else {
                        halves.side
                    },
                    bounds: rect(layer.room),
                }),
            });
        }
        windows.push(bar("com.android.systemui.wallpapers.ImageWallpaper", area));
        windows
    }

    /// What lies between two halves: the shell's since Android 12.
    fn divider_title(&self) -> &'static str {
        match self.world.options.profile.phone.sdk {
            ..=30 => "DockedStackDivider",
            _ => "StageCoordinatorSplitDivider",
        }
    }

    pub(super) fn windows_now(&self) -> Vec<Window> {
        let list = |stack: &WindowStack| self.list_windows(stack);
        self.window_stack
            .as_ref()
            .map_or_else(|| list(&self.lay_out()), list)
    }
}
