//! System, and the way to erase everything.

use super::network::with_sign;
use super::page::{Msg, Page, Question};
use crate::apps::parts::{dialog, preference, switch_row};
use crate::system::{Popup, World};
use crate::toolkit::color::Color;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{ScreenMessage, View, button, column, text};
use lucide_icons::Icon;

pub(super) fn system(world: &World) -> Vec<View> {
    let theme = &world.theme;
    vec![
        with_sign(
            theme,
            Icon::Globe,
            preference(theme, "Languages", "English (United States)", None),
        ),
        with_sign(
            theme,
            Icon::Keyboard,
            preference(theme, "Keyboard", "Android Keyboard (AOSP)", None),
        ),
        with_sign(
            theme,
            Icon::Clock,
            switch_row(
                theme,
                "Set time automatically",
                "Tue, May 14, 9:41 AM",
                world.settings.is_on("global", "auto_time"),
                Msg::Flip("global", "auto_time"),
            ),
        ),
        with_sign(
            theme,
            Icon::History,
            preference(
                theme,
                "Reset options",
                "Network, apps, or device can be reset",
                None,
            )
            .click(Msg::Open(Page::Reset)),
        ),
    ]
}

pub(super) fn options(world: &World) -> Vec<View> {
    let theme = &world.theme;
    vec![preference(theme, "Erase all data (factory reset)", "", None).click(Msg::Open(Page::Erase))]
}

pub(super) fn erase(world: &World) -> Vec<View> {
    let theme = &world.theme;
    let words = "This will erase all data from your phone’s internal storage, including:\n\n\
                 • Your messages and notes\n• System and app data and settings\n• Downloaded apps\n• Music and photos\n\
                 • Other user data";
    vec![
        text(words, 16.5, theme.text_2).line(25.0).pad_xy(28.0, 6.0),
        column([button("Erase all data", 17.0, Color::WHITE)
            .height(54.0)
            .fill(Color::rgb(0xB3261E))
            .radius(27.0)
            .id("initiate_main_clear")
            .click(Msg::Ask(Question::Erase))])
        .pad_xy(28.0, 24.0),
    ]
}

pub(super) fn really(theme: &Theme) -> Popup {
    dialog(
        theme,
        "erase",
        "Erase all data?",
        "All of your personal information and downloaded apps will be deleted. You can’t undo this action.",
        ("Cancel", ScreenMessage::new(Msg::No)),
        ("Erase all data", ScreenMessage::new(Msg::Yes)),
    )
}
