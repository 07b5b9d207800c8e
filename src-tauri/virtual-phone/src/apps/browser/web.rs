//! Pages as views. What a page shows has no resource ids, as in a real web view.

use super::Msg;
use super::pages::{FORUM, PAGES, Page, Part, START, find};
use crate::system::{InjectionSite, World};
use crate::toolkit::color::Color;
use crate::toolkit::text::TextStyle;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    CrossAxisAlignment, ImeAction, InputKind, View, button, class, column, emoji, field, gap, icon, row,
    scroll, stack, text,
};
use lucide_icons::Icon;

/// The page at an address.
pub(super) fn page(address: &str, values: &[(String, String)], sent: bool, world: &World) -> View {
    let theme = &world.theme;
    let words = address.strip_prefix("search:");
    let (title, views) = match (find(address), words) {
        _ if address == START => ("Start page", start(theme)),
        (Some(page), _) => (page.title, parts(page, values, sent, world)),
        (None, Some(words)) => ("Search", results(theme, words)),
        _ => ("This page can’t be reached", unreachable(theme, address)),
    };
    let paper = if theme.dark {
        theme.background
    } else {
        Color::WHITE
    };
    scroll([column(views).class(class::VIEW).gap(14.0).wide()])
        .class(class::WEB)
        .says(title)
        .key(format!("page {address}"))
        .pad_each(24.0, 20.0, 24.0, 40.0)
        .fill(paper)
}

fn start(theme: &Theme) -> Vec<View> {
    let mut views = vec![
        text("Local pages", 26.0, theme.text).bold(),
        text("Kept on this phone", 15.0, theme.text_2),
        gap(4.0),
    ];
    views.extend(
        PAGES
            .iter()
            .filter(|page| !["prize.example", FORUM].contains(&page.address))
            .map(|page| result(theme, page)),
    );
    views
}

fn result(theme: &Theme, page: &Page) -> View {
    let letter = page
        .title
        .chars()
        .find(|c| c.is_alphabetic())
        .unwrap_or('?')
        .to_string();
    let badge = stack([text(letter, 19.0, theme.on_soft).medium()])
        .centered()
        .size(46.0, 46.0)
        .fill(theme.soft)
        .radius(23.0);
    let words = column([
        text(page.title, 17.5, theme.text).medium().lines(1),
        text(page.address, 14.5, theme.text_2).lines(1),
    ]);
    row([badge.class(class::IMAGE).flat(), words.gap(2.0).grow()])
        .class(class::VIEW)
        .gap(16.0)
        .cross(CrossAxisAlignment::Center)
        .pad_xy(0.0, 6.0)
        .wide()
        .radius(12.0)
        .click(Msg::Visit(page.address.to_owned()))
}

fn results(theme: &Theme, words: &str) -> Vec<View> {
    let wanted: Vec<String> = words
        .to_lowercase()
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    let says = |part: &Part, word: &str| match part {
        Part::Title(text) | Part::Heading(text) | Part::Text(text) => text.to_lowercase().contains(word),
        _ => false,
    };
    let fits = |page: &&Page| {
        wanted
            .iter()
            .any(|word| page.parts.iter().any(|part| says(part, word)))
    };
    let found: Vec<View> = PAGES
        .iter()
        .filter(fits)
        .map(|page| result(theme, page))
        .collect();
    let mut views = vec![
        text(format!("Results for “{words}”"), 22.0, theme.text)
            .bold()
            .line(28.0),
    ];
    if found.is_empty() {
        views.push(text(
            "Nothing was found on this phone’s pages.",
            16.0,
            theme.text_2,
        ));
    }
    views.extend(found);
    views
}

fn unreachable(theme: &Theme, address: &str) -> Vec<View> {
    vec![
        gap(30.0),
        icon(Icon::CloudOff, 52.0, theme.text_3),
        text("This page can’t be reached", 24.0, theme.text)
            .medium()
            .line(30.0),
        text(
            format!("{address}’s server IP address could not be found."),
            16.0,
            theme.text_2,
        )
        .line(23.0),
        text("ERR_NAME_NOT_RESOLVED", 13.5, theme.text_3),
        row([button("Reload", 15.5, theme.on_accent)
            .height(44.0)
            .pad_xy(24.0, 0.0)
            .fill(theme.accent)
            .radius(22.0)
            .click(Msg::Reload)]),
    ]
}

fn parts(page: &Page, values: &[(String, String)], sent: bool, world: &World) -> Vec<View> {
    let theme = &world.theme;
    let mut views = Vec::new();
    for part in page.parts {
        match part {
            Part::Title(words) => views.push(text(*words, 29.0, theme.text).bold().line(35.0)),
            Part::Heading(words) => views.push(
                text(*words, 20.0, theme.text)
                    .bold()
                    .line(26.0)
                    .pad_each(0.0, 8.0, 0.0, 0.0),
            ),
            Part::Text(words) => views.push(text(*words, 16.8, theme.text_2).line(25.0)),
            Part::Picture(sign) => {
                views.push(
                    stack([emoji(sign, 92.0)])
                        .centered()
                        .height(170.0)
                        .wide()
                        .fill(theme.fill)
                        .radius(16.0),
                );
            }
            Part::Link(words, to) => views.push(
                text(*words, 17.0, theme.accent)
                    .medium()
                    .class(class::VIEW)
                    .pad_xy(0.0, 10.0)
                    .radius(8.0)
                    .click(Msg::Visit((*to).to_owned())),
            ),
            Part::Field(label, name) => views.push(input(theme, label, name, values, false)),
            Part::Password(label, name) => views.push(input(theme, label, name, values, true)),
            Part::Submit(words) => views.push(submit(theme, words, sent)),
            Part::Strangers => views.extend(
                world
                    .options
                    .injected(InjectionSite::WebPage)
                    .map(|words| text(words, 16.8, theme.text_2).line(25.0)),
            ),
        }
    }
    views
}

fn input(theme: &Theme, label: &str, name: &'static str, values: &[(String, String)], hides: bool) -> View {
    let value = values
        .iter()
        .find(|(other, _)| other == name)
        .map_or("", |(_, value)| value.as_str());
    let field = field(value, "", TextStyle::new(17.0, theme.text), move |text| {
        Msg::Value(name.to_owned(), text)
    })
    .kind(if name == "email" {
        InputKind::Address
    } else {
        InputKind::Text
    })
    .action(ImeAction::Go, Msg::Send)
    .caret(theme.accent)
    .desc(label)
    .key(format!("web {name}"))
    .height(50.0)
    .pad_xy(14.0, 0.0)
    .wide()
    .radius(8.0)
    .edge(1.0, theme.outline);
    let field = if hides { field.password() } else { field };
    column([text(label, 15.0, theme.text_2), field])
        .class(class::VIEW)
        .gap(5.0)
        .wide()
}

fn submit(theme: &Theme, words: &str, sent: bool) -> View {
    if sent {
        return text("Thank you! A first letter is on its way.", 17.0, theme.text).medium();
    }
    row([button(words, 16.5, theme.on_accent)
        .height(50.0)
        .pad_xy(28.0, 0.0)
        .fill(theme.accent)
        .radius(10.0)
        .click(Msg::Send)])
    .class(class::VIEW)
}
