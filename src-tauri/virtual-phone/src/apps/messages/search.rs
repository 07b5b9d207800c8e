//! Searching people and messages.

use super::conversation::Conversation;
use super::{PACKAGE, SEARCH, theme};
use crate::apps::parts::{avatar, nothing, search_field};
use crate::system::{Activity, SystemRequest, World};
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{CrossAxisAlignment, ScreenMessage, View, class, column, row, scroll, text};
use lucide_icons::Icon;

#[derive(Debug, Default)]
pub(super) struct Search {
    words: String,
}

#[derive(Clone, Debug)]
enum Msg {
    Back,
    Write(String),
    Submit,
    Open(String),
}

fn heading(theme: &Theme, words: &str) -> View {
    text(words, 14.5, theme.text_2)
        .medium()
        .pad_each(24.0, 14.0, 24.0, 8.0)
}

fn line(theme: &Theme, name: &str, summary: &str) -> View {
    let words = column([
        text(name, 17.5, theme.text).lines(1).id("contact_name"),
        text(summary, 14.5, theme.text_2).lines(1).id("contact_details"),
    ])
    .gap(2.0)
    .grow();
    row([avatar(name, 44.0), words])
        .class(class::FRAME)
        .gap(17.0)
        .cross(CrossAxisAlignment::Center)
        .height(76.0)
        .pad_xy(22.0, 0.0)
        .wide()
        .click(Msg::Open(name.to_owned()))
}

impl Activity for Search {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        SEARCH
    }

    fn theme(&self, world: &World) -> Theme {
        theme(world)
    }

    fn resume(&mut self, world: &mut World) {
        if self.words.is_empty() {
            world.call(SystemRequest::Focus("search"));
        }
    }

    fn view(&self, world: &World) -> View {
        let theme = theme(world);
        let wanted = self.words.trim().to_lowercase();
        let conversations = &world.apps.messages.conversations;
        let mut rows = Vec::new();
        let people: Vec<View> = conversations
            .iter()
            .filter(|conversation| conversation.name.to_lowercase().contains(&wanted))
            .map(|c| line(&theme, &c.name, &format!("{} · {}", c.kind, c.number)))
            .collect();
        if !people.is_empty() {
            rows.push(heading(&theme, "People"));
            rows.extend(people);
        }
        let said: Vec<View> = conversations
            .iter()
            .filter(|_| !wanted.is_empty())
            .filter_map(|c| {
                let message = c
                    .messages
                    .iter()
                    .rfind(|message| message.text.to_lowercase().contains(&wanted))?;
                Some(line(&theme, &c.name, &message.text))
            })
            .collect();
        if !said.is_empty() {
            rows.push(heading(&theme, "Messages"));
            rows.extend(said);
        }
        if rows.is_empty() {
            rows.push(nothing(&theme, Icon::Search, "No results"));
        }
        let field = search_field(
            &theme,
            &self.words,
            "Search messages",
            Msg::Write,
            Msg::Back,
            Msg::Submit,
        );
        column([
            column([field]).pad_each(17.0, 10.0, 17.0, 6.0),
            scroll(rows).id("search_list").key("results"),
        ])
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>().cloned() {
            Some(Msg::Back) => world.finish(),
            Some(Msg::Write(words)) => self.words = words,
            Some(Msg::Open(name)) => world.open(Conversation::with(&name)),
            Some(Msg::Submit) | None => {}
        }
    }
}
