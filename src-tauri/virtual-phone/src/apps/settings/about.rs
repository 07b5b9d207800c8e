//! About phone.

use crate::apps::parts::{heading, preference};
use crate::system::World;
use crate::toolkit::view::View;

/// The build number of a model, as AOSP 14 releases are numbered.
pub(super) fn build() -> &'static str {
    "UQ1A.240205.002"
}

pub(super) fn view(world: &World) -> Vec<View> {
    let theme = &world.theme;
    let phone = &world.options.profile.phone;
    let line = |title: &str, summary: &str| preference(theme, title, summary, None);
    vec![
        line("Device name", &phone.name),
        heading(theme, "Basic info"),
        line("Phone number", "(555) 010-0144"),
        heading(theme, "Device details"),
        line("Manufacturer", &phone.manufacturer),
        line("Model", &phone.model),
        line("Serial number", &phone.serial),
        line("Android version", &phone.release),
        line("Android security update", "February 5, 2024"),
        line("Build number", build()),
        heading(theme, "Network"),
        line("IP address", "192.168.1.44"),
        line("Wi‑Fi MAC address", "02:15:b2:4d:09:41"),
    ]
}
