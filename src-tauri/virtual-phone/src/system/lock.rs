//! The lock screen: a swipe up opens it, or asks for the PIN where there is one (ids of AOSP 14's `KeyguardPINView`).

use super::System;
use super::panels::{Panel, notice_rows};
use crate::apps;
use crate::toolkit::color::Color;
use crate::toolkit::text::Align;
use crate::toolkit::view::{
    CrossAxisAlignment, MainAxisAlignment, View, class, column, gap, row, spring, stack, text,
};

/// A key of the PIN pad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PinKey {
    Digit(u8),
    Delete,
    Enter,
}

/// The PIN, what is typed of it, and whether it is being asked for.
#[derive(Debug, Default)]
pub(super) struct Pin {
    wanted: Option<String>,
    typed: String,
    asked: bool,
    wrong: bool,
}

impl Pin {
    pub(super) fn new(pin: Option<&str>) -> Self {
        Self {
            wanted: pin.map(str::to_owned),
            ..Self::default()
        }
    }

    pub(super) fn is_wanted(&self) -> bool {
        self.wanted.is_some()
    }

    /// Shows the pad.
    pub(super) fn ask(&mut self) {
        self.asked = true;
    }

    pub(super) fn put_away(&mut self) {
        self.asked = false;
        self.wrong = false;
        self.typed.clear();
    }

    /// True: that was the PIN.
    pub(super) fn press(&mut self, key: PinKey) -> bool {
        if !self.asked {
            return false;
        }
        match key {
            PinKey::Digit(digit) => {
                self.wrong = false;
                self.typed.push(char::from(b'0' + digit % 10));
            }
            PinKey::Delete => {
                self.typed.pop();
            }
            PinKey::Enter if self.wanted.as_ref() == Some(&self.typed) => {
                self.put_away();
                return true;
            }
            PinKey::Enter => {
                self.wrong = true;
                self.typed.clear();
            }
        }
        false
    }
}

fn pad(pin: &Pin, wide: bool) -> View {
    let ink = Color::WHITE;
    let side = if wide { 44.0 } else { 76.0 };
    let key = |label: &str, id: &'static str, key: PinKey| {
        stack([text(label, side * 0.36, ink)])
            .class(class::BUTTON)
            .says(label)
            .id(id)
            .size(side, side)
            .centered()
            .radius(side / 2.0)
            .fill(Color::rgb(0x3A4250))
            .click(Panel::Pin(key))
    };
    const IDS: [&str; 10] = [
        "com.android.systemui:id/key0",
        "com.android.systemui:id/key1",
        "com.android.systemui:id/key2",
        "com.android.systemui:id/key3",
        "com.android.systemui:id/key4",
        "com.android.systemui:id/key5",
        "com.android.systemui:id/key6",
        "com.android.systemui:id/key7",
        "com.android.systemui:id/key8",
        "com.android.systemui:id/key9",
    ];
    let digit = |digit: u8| {
        let id = IDS.get(usize::from(digit)).copied().unwrap_or_default();
        key(&digit.to_string(), id, PinKey::Digit(digit))
    };
    let line = |views: [View; 3]| row(views).gap(14.0).main(MainAxisAlignment::Center);
    let words = if pin.wrong { "Wrong PIN" } else { "Enter PIN" };
    column([
        text(words, 18.0, ink)
            .align(Align::Center)
            .id("com.android.systemui:id/bouncer_message_area"),
        text("•".repeat(pin.typed.len()), 28.0, ink)
            .align(Align::Center)
            .line(34.0)
            .id("com.android.systemui:id/pinEntry"),
        line([digit(1), digit(2), digit(3)]),
        line([digit(4), digit(5), digit(6)]),
        line([digit(7), digit(8), digit(9)]),
        line([
            key("⌫", "com.android.systemui:id/delete_button", PinKey::Delete).desc("Delete"),
            digit(0),
            key("↵", "com.android.systemui:id/key_enter", PinKey::Enter).desc("Enter"),
        ]),
    ])
    .gap(if wide { 4.0 } else { 14.0 })
    .cross(CrossAxisAlignment::Stretch)
}

pub(super) fn view(system: &System) -> View {
    let world = &system.world;
    if system.pin.asked {
        let pad = column([spring(), pad(&system.pin, world.is_wide()), spring()])
            .cross(CrossAxisAlignment::Stretch)
            .wide()
            .tall()
            .cover();
        let behind = apps::wallpaper(world.options.profile.wallpaper).cover();
        return stack([behind, pad]);
    }
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
            notice_rows(notice, &world.theme)
                .class(class::FRAME)
                .id("com.android.systemui:id/expandableNotificationRow")
                .pad(16.0)
                .fill(world.theme.surface)
                .radius(22.0)
                .margin(16.0, 0.0, 16.0, 8.0)
                .click(Panel::Notice(index)),
        );
    }
    views.push(spring());
    let hint = text("Swipe up to open", 14.0, ink)
        .halo(0.5)
        .id("com.android.systemui:id/keyguard_indication_text");
    views.push(
        row([hint])
            .main(MainAxisAlignment::Center)
            .pad_each(0.0, 0.0, 0.0, 44.0),
    );
    let content = column(views)
        .cross(CrossAxisAlignment::Stretch)
        .wide()
        .tall()
        .cover();
    stack([apps::wallpaper(profile.wallpaper).cover(), content])
}
