//! Pieces of screens that many apps have: bars, rows, dialogs, menus.

use crate::system::{Popup, PopupKind};
use crate::toolkit::color::Color;
use crate::toolkit::text::{Align, TextStyle, Weight};
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    Content, CrossAxisAlignment, ImeAction, Inset, MainAxisAlignment, ScreenMessage, View, button, class,
    column, field, gap, icon, painting, row, spring, stack, switch, text,
};
use lucide_icons::Icon;
use std::any::Any;
use std::fmt::Debug;

/// Anything a screen can send itself.
pub(crate) trait MessagePayload: Any + Debug + Send + Sync {}
impl<T: Any + Debug + Send + Sync> MessagePayload for T {}

/// An icon that is pressed.
pub(crate) fn icon_button(sign: Icon, desc: &str, ink: Color, message: impl MessagePayload) -> View {
    stack([icon(sign, 24.0, ink)])
        .centered()
        .size(48.0, 48.0)
        .radius(24.0)
        .class(class::IMAGE_BUTTON)
        .desc(desc)
        .click(message)
        .flat()
}

/// The bar on top of an inner page: back arrow, title, what else there is to press.
pub(crate) fn title_bar(title: &str, theme: &Theme, back: impl MessagePayload, actions: Vec<View>) -> View {
    let mut views = vec![
        icon_button(Icon::ArrowLeft, "Navigate up", theme.text, back),
        text(title, 22.0, theme.text).lines(1).grow(),
    ];
    views.extend(actions);
    row(views)
        .class(class::GROUP)
        .id("toolbar")
        .cross(CrossAxisAlignment::Center)
        .gap(8.0)
        .height(68.0)
        .wide()
        .pad_xy(9.0, 0.0)
}

/// A line of a list as Settings draws it: title, summary, something at the end.
pub(crate) fn preference(theme: &Theme, title: &str, summary: &str, end: Option<View>) -> View {
    let mut words = vec![text(title, 19.0, theme.text).lines(2).id("android:id/title")];
    if !summary.is_empty() {
        words.push(
            text(summary, 14.5, theme.text_2)
                .lines(3)
                .line(20.0)
                .id("android:id/summary"),
        );
    }
    let mut views = vec![column(words).class(class::RELATIVE).gap(1.0).grow()];
    views.extend(end.map(|end| stack([end]).class(class::LINEAR).id("android:id/widget_frame")));
    row(views)
        .cross(CrossAxisAlignment::Center)
        .gap(16.0)
        .wide()
        .min_height(74.0)
        .pad_xy(28.0, 12.0)
}

/// A preference with a switch; the row takes the click.
pub(crate) fn switch_row(
    theme: &Theme,
    title: &str,
    summary: &str,
    on: bool,
    message: impl MessagePayload,
) -> View {
    preference(
        theme,
        title,
        summary,
        Some(switch(on).id("android:id/switch_widget")),
    )
    .click(message)
}

/// The large switch on top of a page.
pub(crate) fn main_switch(theme: &Theme, title: &str, on: bool, message: impl MessagePayload) -> View {
    let ink = if on { theme.on_soft } else { theme.text };
    let bar = row([
        text(title, 18.5, ink)
            .grow()
            .id("com.android.settings:id/switch_text"),
        switch(on).size(56.0, 35.0).id("android:id/switch_widget"),
    ])
    .cross(CrossAxisAlignment::Center)
    .height(84.0)
    .pad_xy(24.0, 0.0)
    .fill(if on { theme.soft } else { theme.fill })
    .radius(28.0)
    .id("main_switch_bar")
    .click(message);
    column([bar]).wide().pad_each(18.0, 8.0, 18.0, 14.0)
}

/// A small heading over a group of rows.
pub(crate) fn heading(theme: &Theme, words: &str) -> View {
    text(words, 14.5, theme.accent)
        .medium()
        .pad_each(28.0, 16.0, 28.0, 6.0)
        .id("android:id/title")
}

/// A thin line.
pub(crate) fn divider(color: Color) -> View {
    View::new(class::VIEW, Content::Empty).height(1.0).fill(color)
}

/// A search pill that is only pressed (it opens a page to search on).
pub(crate) fn search_pill(theme: &Theme, hint: &str, message: impl MessagePayload) -> View {
    let label = text(hint, 15.5, theme.text_2)
        .lines(1)
        .grow()
        .id("search_action_bar_title");
    row([icon(Icon::Search, 20.0, theme.text_2), label])
        .class(class::GROUP)
        .id("search_bar")
        .gap(17.0)
        .cross(CrossAxisAlignment::Center)
        .height(62.0)
        .pad_xy(22.0, 0.0)
        .fill(theme.fill)
        .radius(31.0)
        .click(message)
}

/// A search pill that is written in.
pub(crate) fn search_field<M: MessagePayload, B: MessagePayload>(
    theme: &Theme,
    words: &str,
    hint: &str,
    edit: impl Fn(String) -> M + Send + Sync + 'static,
    back: B,
    submit: impl MessagePayload,
) -> View {
    let style = TextStyle::new(17.0, theme.text);
    let written = field(words, hint, style, edit)
        .hint_color(theme.text_2)
        .caret(theme.accent)
        .action(ImeAction::Search, submit)
        .id("search_src_text")
        .key("search")
        .grow()
        .height(56.0);
    row([icon_button(Icon::ArrowLeft, "Back", theme.text, back), written])
        .cross(CrossAxisAlignment::Center)
        .height(58.0)
        .gap(4.0)
        .pad_each(6.0, 0.0, 16.0, 0.0)
        .fill(theme.fill)
        .radius(29.0)
}

/// A field in a box, with a label in it over the text.
pub(crate) fn boxed_field(theme: &Theme, label: &str, field: View) -> View {
    let field = field
        .caret(theme.accent)
        .wide()
        .min_height(62.0)
        .pad_each(16.0, 26.0, 16.0, 9.0)
        .radius(12.0);
    let label = text(label, 13.0, theme.text_2).lines(1).at(Inset {
        left: Some(16.0),
        top: Some(9.0),
        ..Inset::default()
    });
    stack([field, label]).wide().fill(theme.fill).radius(12.0)
}

/// A round button that floats over a list.
pub(crate) fn floating_button(theme: &Theme, sign: Icon, desc: &str, message: impl MessagePayload) -> View {
    stack([icon(sign, 26.0, theme.on_soft)])
        .class(class::IMAGE_BUTTON)
        .centered()
        .size(60.0, 60.0)
        .fill(theme.soft)
        .radius(18.0)
        .lift(3.0)
        .desc(desc)
        .id("fab")
        .click(message)
        .at(Inset {
            right: Some(20.0),
            bottom: Some(20.0),
            ..Inset::default()
        })
        .flat()
}

/// A filled button.
pub(crate) fn solid_button(theme: &Theme, words: &str, message: impl MessagePayload) -> View {
    button(words, 17.0, theme.on_accent)
        .height(54.0)
        .pad_xy(24.0, 0.0)
        .fill(theme.accent)
        .radius(27.0)
        .press(Color::BLACK.alpha(0.14))
        .click(message)
}

/// A button in the accent's quiet colour.
pub(crate) fn soft_button(theme: &Theme, words: &str, message: impl MessagePayload) -> View {
    button(words, 15.5, theme.on_soft)
        .height(44.0)
        .pad_xy(20.0, 0.0)
        .fill(theme.soft)
        .radius(22.0)
        .click(message)
}

/// A dialog: title, words, up to two buttons (the one that does something last).
pub(crate) fn dialog(
    theme: &Theme,
    name: &'static str,
    title: &str,
    message: &str,
    refuse: (&str, ScreenMessage),
    agree: (&str, ScreenMessage),
) -> Popup {
    let mut views = vec![
        text(title, 24.0, theme.text)
            .line(30.0)
            .id("android:id/alertTitle"),
    ];
    if !message.is_empty() {
        views.push(
            text(message, 16.0, theme.text_2)
                .line(23.0)
                .id("android:id/message"),
        );
    }
    views.push(dialog_buttons(theme, refuse.clone(), agree));
    Popup {
        name,
        kind: PopupKind::Dialog,
        view: dialog_box(theme, views),
        cancel: Some(refuse.1),
    }
}

/// The box a dialog's views stand in.
pub(crate) fn dialog_box(theme: &Theme, views: Vec<View>) -> View {
    column(views)
        .id("android:id/parentPanel")
        .wide()
        .gap(14.0)
        .pad_each(26.0, 26.0, 22.0, 14.0)
        .fill(theme.surface)
        .radius(28.0)
}

/// A dialog's buttons, at its end.
pub(crate) fn dialog_buttons(
    theme: &Theme,
    refuse: (&str, ScreenMessage),
    agree: (&str, ScreenMessage),
) -> View {
    let word = |words: &str, id, act: ScreenMessage| {
        let mut view = button(words, 15.5, theme.accent)
            .height(48.0)
            .pad_xy(14.0, 0.0)
            .radius(24.0)
            .id(id);
        view.click = Some(act);
        view
    };
    row([
        spring(),
        word(refuse.0, "android:id/button2", refuse.1),
        word(agree.0, "android:id/button1", agree.1),
    ])
    .class(class::SCROLL)
    .id("android:id/buttonPanel")
    .gap(4.0)
    .main(MainAxisAlignment::End)
}

/// A menu under something.
pub(crate) fn menu(
    theme: &Theme,
    name: &'static str,
    anchor: &'static str,
    items: Vec<(String, ScreenMessage)>,
    cancel: ScreenMessage,
) -> Popup {
    let rows = items.into_iter().map(|(words, act)| {
        let title = text(words, 16.5, theme.text).id("android:id/title");
        let mut row = row([title])
            .cross(CrossAxisAlignment::Center)
            .height(52.0)
            .pad_xy(20.0, 0.0);
        row.click = Some(act);
        row
    });
    Popup {
        name,
        kind: PopupKind::Menu(anchor),
        view: column(rows)
            .class(class::LIST)
            .min_width(200.0)
            .pad_xy(0.0, 8.0)
            .fill(theme.surface)
            .radius(14.0)
            .edge(1.0, theme.line),
        cancel: Some(cancel),
    }
}

/// A round picture with a letter, for a person.
pub(crate) fn avatar(name: &str, size: f32) -> View {
    const HUES: [(u32, u32); 5] = [
        (0xE3D5FA, 0x4A2A8C),
        (0xCFEBDA, 0x14603A),
        (0xFCDDC4, 0x8A4A12),
        (0xD5E1FF, 0x1D3B93),
        (0xF8D3DF, 0x8F2350),
    ];
    // The bakery is green beside Dana's violet, as drawn; other names fall where their letters put them.
    let sum: usize = name.bytes().map(usize::from).sum();
    let hue = match name {
        "Dana Whitlock" => 0,
        "Dana’s Bakery" => 1,
        "Northbank" => 3,
        _ => sum % HUES.len(),
    };
    let (fill, ink) = HUES.get(hue).copied().unwrap_or((0xE3D5FA, 0x4A2A8C));
    let letter = name.chars().next().unwrap_or('?').to_uppercase().to_string();
    let words = letter;
    painting(move |canvas, area, metrics| {
        let mut style = TextStyle::new(size * 0.42, Color::rgb(ink));
        style.weight = Weight::Medium;
        style.align = Align::Center;
        canvas.text(&words, &style, metrics, area);
    })
    .size(size, size)
    .fill(Color::rgb(fill))
    .radius(size / 2.0)
}

/// A picture and words where a list has nothing.
pub(crate) fn nothing(theme: &Theme, sign: Icon, words: &str) -> View {
    column([
        icon(sign, 44.0, theme.text_3),
        gap(12.0),
        text(words, 16.0, theme.text_2).align(Align::Center).line(23.0),
    ])
    .centered()
    .pad_xy(40.0, 60.0)
    .wide()
}
