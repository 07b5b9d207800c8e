//! The list of all apps, and the search in it.

use super::home::{Msg, launcher_icon};
use super::listed;
use crate::apps::parts::{nothing, search_field};
use crate::system::{Manifest, World};
use crate::toolkit::view::{CrossAxisAlignment, View, class, column, gap, row, scroll, stack};
use lucide_icons::Icon;

/// The apps whose name has the words in it.
pub(super) fn found(words: &str, world: &World) -> Vec<&'static Manifest> {
    let words = words.trim().to_lowercase();
    listed(world)
        .into_iter()
        .filter(|manifest| manifest.label.to_lowercase().contains(&words))
        .collect()
}

pub(super) fn view(words: &str, world: &World) -> View {
    let theme = &world.theme;
    let columns = if world.is_wide() { 8 } else { 4 };
    let apps = found(words, world);
    let rows = apps.chunks(columns).map(|apps| {
        let mut cells: Vec<View> = apps
            .iter()
            .map(|app| {
                let mut cell = stack([launcher_icon(app.package, 60.0, Some(theme.text), 0.0)]).grow();
                cell.shape.cross = CrossAxisAlignment::Center;
                cell.class(class::GROUP)
            })
            .collect();
        cells.resize_with(columns, || gap(0.0).grow());
        row(cells).class(class::GROUP).pad_xy(0.0, 12.0).wide()
    });
    let mut list: Vec<View> = rows.collect();
    if list.is_empty() {
        list.push(nothing(theme, Icon::SearchX, "No apps found"));
    }
    column([
        column([search_field(
            theme,
            words,
            "Search apps",
            Msg::Write,
            Msg::Close,
            Msg::FirstFound,
        )
        .id("search_container")])
        .pad_each(16.0, 10.0, 16.0, 8.0),
        scroll(list).id("apps_list_view").key("apps").pad_xy(14.0, 4.0),
    ])
    .id("apps_view")
    .fill(theme.background)
}
