//! Everybody, by name.

use super::add::Add;
use super::card::Card;
use super::{LIST, PACKAGE};
use crate::apps::parts::{avatar, floating_button, nothing};
use crate::system::{Activity, World};
use crate::toolkit::view::{
    CrossAxisAlignment, ScreenMessage, View, class, column, row, scroll, stack, text,
};
use lucide_icons::Icon;

#[derive(Debug)]
pub(super) struct List;

#[derive(Clone, Debug)]
enum Msg {
    Open(String),
    Add,
}

impl Activity for List {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        LIST
    }

    fn view(&self, world: &World) -> View {
        let theme = &world.theme;
        let mut lines = Vec::new();
        let mut letter = None;
        for contact in world.apps.contacts.all() {
            let first = contact.name.chars().next().map(|c| c.to_uppercase().to_string());
            if first != letter {
                let words = first.clone().unwrap_or_default();
                lines.push(
                    text(words, 15.0, theme.accent)
                        .medium()
                        .pad_each(26.0, 12.0, 0.0, 4.0),
                );
                letter = first;
            }
            lines.push(
                row([
                    avatar(&contact.name, 44.0),
                    text(contact.name.as_str(), 18.0, theme.text)
                        .lines(1)
                        .grow()
                        .id("cliv_name_textview"),
                ])
                .class(class::GROUP)
                .id("cliv")
                .gap(18.0)
                .cross(CrossAxisAlignment::Center)
                .height(68.0)
                .pad_xy(22.0, 0.0)
                .wide()
                .click(Msg::Open(contact.name.clone())),
            );
        }
        if lines.is_empty() {
            lines.push(nothing(theme, Icon::User, "Your contacts will appear here"));
        }
        let title = text("Contacts", 32.0, theme.text)
            .id("toolbar_title")
            .pad_each(24.0, 34.0, 0.0, 18.0);
        let list = scroll(lines)
            .id("list")
            .key("contacts")
            .pad_each(0.0, 0.0, 0.0, 96.0);
        let page = column([title, list]).grow().wide();
        stack([
            page,
            floating_button(theme, Icon::Plus, "Create contact", Msg::Add),
        ])
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>() {
            Some(Msg::Open(name)) => world.open(Card::of(name)),
            Some(Msg::Add) => world.open(Add::default()),
            None => {}
        }
    }
}
