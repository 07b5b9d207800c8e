//! Android's own permission dialog. Package, class and ids: AOSP 14, `PermissionController`.

use super::activity::{Activity, Bars};
use super::options::InjectionSite;
use super::world::{Grant, World};
use crate::toolkit::text::Align;
use crate::toolkit::view::{CrossAxisAlignment, ScreenMessage, View, button, column, icon, text};
use lucide_icons::Icon;

const PACKAGE: &str = "com.android.permissioncontroller";
const CLASS: &str = "com.android.permissioncontroller.permission.ui.GrantPermissionsActivity";

/// The dialog.
#[derive(Debug)]
pub(super) struct GrantPermissions {
    package: &'static str,
    label: &'static str,
    permission: &'static str,
}

impl GrantPermissions {
    pub(super) fn new(package: &'static str, label: &'static str, permission: &'static str) -> Self {
        Self {
            package,
            label,
            permission,
        }
    }

    fn question(&self, world: &World) -> (Icon, String) {
        let label = world
            .options
            .injected(InjectionSite::AppName)
            .next()
            .unwrap_or(self.label);
        match self.permission {
            "android.permission.CAMERA" => (
                Icon::Camera,
                format!("Allow {label} to take pictures and record video?"),
            ),
            "android.permission.ACCESS_FINE_LOCATION" => (
                Icon::MapPin,
                format!("Allow {label} to access this device’s location?"),
            ),
            _ => (Icon::Users, format!("Allow {label} to access your contacts?")),
        }
    }
}

impl Activity for GrantPermissions {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        CLASS
    }

    fn is_floating(&self) -> bool {
        true
    }

    fn bars(&self, world: &World) -> Bars {
        Bars::on(world.theme.background)
    }

    fn view(&self, world: &World) -> View {
        let theme = &world.theme;
        let (sign, question) = self.question(world);
        let button = |id, words: &str, grant: Grant, radii| {
            button(words, 15.5, theme.on_soft)
                .height(54.0)
                .wide()
                .fill(theme.soft)
                .radii(radii)
                .id(id)
                .click(grant)
        };
        let buttons = column([
            button(
                "permission_allow_foreground_only_button",
                "While using the app",
                Grant::WhileUsing,
                [20.0, 20.0, 6.0, 6.0],
            ),
            button(
                "permission_allow_one_time_button",
                "Only this time",
                Grant::OnlyThisTime,
                [6.0; 4],
            ),
            button(
                "permission_deny_button",
                "Don’t allow",
                Grant::Denied,
                [6.0, 6.0, 20.0, 20.0],
            ),
        ])
        .gap(3.0)
        .wide();
        column([
            icon(sign, 26.0, theme.accent).id("permission_icon"),
            text(question, 19.5, theme.text)
                .align(Align::Center)
                .line(26.0)
                .id("permission_message"),
            buttons,
        ])
        .id("grant_dialog")
        .cross(CrossAxisAlignment::Center)
        .gap(18.0)
        .pad(24.0)
        .fill(theme.surface)
        .radius(28.0)
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        if let Some(grant) = act.get::<Grant>() {
            world
                .permissions
                .insert((self.package.to_owned(), self.permission.to_owned()), *grant);
            world.finish();
        }
    }
}
