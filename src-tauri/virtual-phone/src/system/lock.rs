//! The lock screen: no secret, a swipe up opens it.

use super::System;
use super::panels::{Panel, notice_rows};
use crate::apps;
use crate::toolkit::color::Color;
use crate::toolkit::text::Align;
use crate::toolkit::view::{Cross, Main, View, class, column, gap, row, spring, stack, text};

pub(super) fn view(system: &System) -> View {
    let world = &system.world;
    let profile = &world.options.profile;
    let ink = Color::WHITE;
    let size = if world.is_wide() { 64.0 } else { 92.0 };
    let mut views = vec![
        gap(if world.is_wide() { 30.0 } else { 120.0 }),
        text("9:41", size, ink)
            .halo(0.6)
            .align(Align::Center)
            .id("com.android.systemui:id/lockscreen_clock_view"),
        text(format!("Tue, May 14 · {}", profile.weather), 16.0, ink)
            .medium()
            .halo(0.6)
            .align(Align::Center)
            .id("com.android.systemui:id/keyguard_slice_view"),
        gap(24.0),
    ];
    for (index, notice) in world.notices.all.iter().take(3).enumerate() {
        views.push(
            notice_rows(notice, &world.look)
                .class(class::FRAME)
                .id("com.android.systemui:id/expandableNotificationRow")
                .pad(16.0)
                .fill(world.look.surface)
                .radius(22.0)
                .margin(16.0, 0.0, 16.0, 8.0)
                .click(Panel::Notice(index)),
        );
    }
    views.push(spring());
    let hint = text("Swipe up to open", 14.0, ink)
        .halo(0.5)
        .id("com.android.systemui:id/keyguard_indication_text");
    views.push(row([hint]).main(Main::Center).pad_each(0.0, 0.0, 0.0, 44.0));
    let content = column(views).cross(Cross::Stretch).wide().tall().cover();
    stack([apps::wallpaper(profile.wallpaper).cover(), content])
}
