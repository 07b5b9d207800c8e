//! A new conversation: whom to write to.

use super::conversation::Conversation;
use super::{COMPOSE, PACKAGE, theme};
use crate::apps::parts::{avatar, title_bar};
use crate::system::{Activity, SystemRequest, World};
use crate::toolkit::text::TextStyle;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    CrossAxisAlignment, ImeAction, ScreenMessage, View, class, column, field, row, scroll, text,
};

#[derive(Debug, Default)]
pub(super) struct Compose {
    words: String,
}

#[derive(Clone, Debug)]
enum Msg {
    Back,
    Write(String),
    Submit,
    Open { name: String, number: String },
}

impl Compose {
    // A number that was written in full is somebody too.
    fn number(&self) -> Option<&str> {
        let number = self.words.trim();
        let digits = number.chars().filter(char::is_ascii_digit).count();
        let only = number.chars().all(|c| c.is_ascii_digit() || "+-() ".contains(c));
        (digits >= 5 && only).then_some(number)
    }

    fn found(&self, world: &World) -> Vec<(String, String)> {
        let wanted = self.words.trim().to_lowercase();
        let all = world.apps.contacts.all().iter();
        all.filter(|contact| {
            contact.name.to_lowercase().contains(&wanted) || contact.number.contains(&wanted)
        })
        .map(|contact| (contact.name.clone(), contact.number.clone()))
        .collect()
    }

    fn line(theme: &Theme, name: &str, number: &str) -> View {
        let words = column([
            text(name, 17.5, theme.text).lines(1).id("contact_name"),
            text(number, 14.5, theme.text_2).lines(1).id("contact_details"),
        ]);
        row([avatar(name, 44.0), words.gap(2.0).grow()])
            .class(class::FRAME)
            .gap(17.0)
            .cross(CrossAxisAlignment::Center)
            .height(74.0)
            .pad_xy(22.0, 0.0)
            .wide()
            .click(Msg::Open {
                name: name.to_owned(),
                number: number.to_owned(),
            })
    }
}

impl Activity for Compose {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        COMPOSE
    }

    fn theme(&self, world: &World) -> Theme {
        theme(world)
    }

    fn resume(&mut self, world: &mut World) {
        if self.words.is_empty() {
            world.call(SystemRequest::Focus("recipient"));
        }
    }

    fn view(&self, world: &World) -> View {
        let theme = theme(world);
        let to = field(
            &self.words,
            "Type a name or phone number",
            TextStyle::new(17.0, theme.text),
            Msg::Write,
        )
        .action(ImeAction::Next, Msg::Submit)
        .caret(theme.accent)
        .hint_color(theme.text_2)
        .id("recipient_text_view")
        .key("recipient")
        .height(56.0)
        .grow();
        let bar = row([text("To", 16.0, theme.text_2), to])
            .gap(14.0)
            .cross(CrossAxisAlignment::Center)
            .pad_xy(20.0, 0.0)
            .margin(17.0, 0.0, 17.0, 8.0)
            .fill(theme.fill)
            .radius(28.0);
        let mut rows: Vec<View> = self
            .number()
            .map(|number| Self::line(&theme, number, "Send to this number"))
            .into_iter()
            .collect();
        rows.extend(
            self.found(world)
                .iter()
                .map(|(name, number)| Self::line(&theme, name, number)),
        );
        column([
            title_bar("New conversation", &theme, Msg::Back, Vec::new()),
            bar,
            scroll(rows).id("contact_list").key("people"),
        ])
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        let chosen = match act.get::<Msg>().cloned() {
            Some(Msg::Back) => return world.finish(),
            Some(Msg::Write(words)) => {
                self.words = words;
                None
            }
            Some(Msg::Open { name, number }) => {
                let number = if number == "Send to this number" {
                    name.clone()
                } else {
                    number
                };
                Some((name, number))
            }
            Some(Msg::Submit) => match self.number() {
                Some(number) => Some((number.to_owned(), number.to_owned())),
                None => self.found(world).first().cloned(),
            },
            None => None,
        };
        if let Some((name, number)) = chosen {
            world.apps.messages.with(&name, &number);
            world.finish();
            world.open(Conversation::with(&name));
        }
    }
}
