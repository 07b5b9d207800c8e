//! Storage.

use super::network::with_sign;
use crate::apps::parts::preference;
use crate::system::World;
use crate::toolkit::view::{CrossAxisAlignment, View, column, progress, row, spring, text};
use lucide_icons::Icon;

pub(super) fn view(world: &World) -> Vec<View> {
    let theme = &world.theme;
    let gauge = column([
        row([
            text("53 GB", 38.0, theme.text).id("usage_summary"),
            text("used", 16.0, theme.text_2).pad_each(8.0, 0.0, 0.0, 6.0),
            spring(),
            text("128 GB total", 15.0, theme.text_2).pad_each(0.0, 0.0, 0.0, 6.0),
        ])
        .cross(CrossAxisAlignment::End),
        progress(0.41).height(12.0),
    ])
    .gap(10.0)
    .pad_each(28.0, 4.0, 28.0, 18.0);
    let mut rows = vec![gauge];
    let kinds = [
        (Icon::Image, "Images", "14 GB"),
        (Icon::LayoutGrid, "Apps", "11 GB"),
        (Icon::Film, "Videos", "9.2 GB"),
        (Icon::Music, "Audio", "2.1 GB"),
        (Icon::FileText, "Documents & other", "1.4 GB"),
        (Icon::Settings, "System", "15 GB"),
    ];
    rows.extend(kinds.map(|(sign, title, size)| {
        let size = text(size, 15.0, theme.text_2);
        with_sign(theme, sign, preference(theme, title, "", Some(size)))
    }));
    rows
}
