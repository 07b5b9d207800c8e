//! Writing a note. What is written is kept at once; a note left empty goes again.

use super::{EDITOR, PACKAGE, theme};
use crate::apps::parts::{dialog, icon_button};
use crate::system::{Activity, Bars, Popup, SystemRequest, World};
use crate::toolkit::text::{TextStyle, Weight};
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{CrossAxisAlignment, ScreenMessage, View, column, field, row, scroll, spring};
use lucide_icons::Icon;

/// The editor of one note.
#[derive(Debug)]
pub(super) struct Editor {
    number: u32,
    fresh: bool,
    asks: bool,
}

#[derive(Clone, Debug)]
enum Msg {
    Back,
    Title(String),
    Text(String),
    Ask,
    Keep,
    Delete,
}

impl Editor {
    pub(super) fn of(number: u32) -> Self {
        Self {
            number,
            fresh: false,
            asks: false,
        }
    }

    /// A new note.
    pub(super) fn new(world: &mut World) -> Self {
        let number = world.apps.notes.add(String::new(), String::new());
        Self {
            number,
            fresh: true,
            asks: false,
        }
    }

    fn leave(&self, world: &mut World) {
        let empty = |note: &super::data::Note| note.title.trim().is_empty() && note.text.trim().is_empty();
        if world.apps.notes.get(self.number).is_some_and(empty) {
            world.apps.notes.remove(self.number);
        }
        world.finish();
    }
}

impl Activity for Editor {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        EDITOR
    }

    fn theme(&self, world: &World) -> Theme {
        theme(world)
    }

    fn bars(&self, world: &World) -> Bars {
        Bars::on(theme(world).background)
    }

    fn resume(&mut self, world: &mut World) {
        if std::mem::take(&mut self.fresh) {
            world.call(SystemRequest::Focus("title"));
        }
    }

    fn view(&self, world: &World) -> View {
        let theme = theme(world);
        let (title, words) = world
            .apps
            .notes
            .get(self.number)
            .map_or(("", ""), |note| (note.title.as_str(), note.text.as_str()));
        let style = TextStyle {
            weight: Weight::Medium,
            ..TextStyle::new(26.0, theme.text)
        };
        let title = field(title, "Title", style, Msg::Title)
            .next()
            .caret(theme.accent)
            .id("title")
            .key("title");
        let body = field(
            words,
            "Note",
            TextStyle {
                line: 26.0,
                ..TextStyle::new(17.5, theme.text)
            },
            Msg::Text,
        )
        .paragraphs()
        .caret(theme.accent)
        .id("body")
        .key("body");
        let bar = row([
            icon_button(Icon::ArrowLeft, "Navigate up", theme.text, Msg::Back),
            spring(),
            icon_button(Icon::Trash2, "Delete", theme.text, Msg::Ask).id("delete"),
        ]);
        column([
            bar.cross(CrossAxisAlignment::Center)
                .height(64.0)
                .pad_xy(9.0, 0.0),
            scroll([title.min_height(48.0), body.min_height(360.0)])
                .class("android.widget.ScrollView")
                .key("editor")
                .gap(10.0)
                .pad_each(24.0, 4.0, 24.0, 24.0),
        ])
    }

    fn popup(&self, world: &World) -> Option<Popup> {
        self.asks.then(|| {
            let (keep, delete) = (ScreenMessage::new(Msg::Keep), ScreenMessage::new(Msg::Delete));
            let theme = theme(world);
            dialog(
                &theme,
                "delete",
                "Delete note?",
                "This can’t be undone.",
                ("Cancel", keep),
                ("Delete", delete),
            )
        })
    }

    fn back(&mut self, world: &mut World) -> bool {
        self.leave(world);
        true
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        let number = self.number;
        match act.get::<Msg>().cloned() {
            Some(Msg::Back) => self.leave(world),
            Some(Msg::Title(text)) => {
                if let Some(note) = world.apps.notes.get_mut(number) {
                    note.title = text;
                }
            }
            Some(Msg::Text(text)) => {
                if let Some(note) = world.apps.notes.get_mut(number) {
                    note.text = text;
                }
            }
            Some(Msg::Ask) => self.asks = true,
            Some(Msg::Keep) => self.asks = false,
            Some(Msg::Delete) => {
                world.apps.notes.remove(number);
                world.finish();
            }
            None => {}
        }
    }
}
