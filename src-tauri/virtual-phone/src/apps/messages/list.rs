//! All conversations.

use super::conversation::Conversation;
use super::{LIST, PACKAGE, compose::Compose, search::Search, theme};
use crate::apps::parts::{avatar, dialog, floating_button, icon_button, nothing, search_pill};
use crate::system::{Activity, Popup, World};
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    CrossAxisAlignment, ScreenMessage, View, class, column, row, scroll, stack, text,
};
use lucide_icons::Icon;

#[derive(Debug, Default)]
pub(super) struct List {
    /// Names of the conversations that are picked.
    picked: Vec<String>,
    asks: bool,
}

#[derive(Clone, Debug)]
enum Msg {
    Open(String),
    Pick(String),
    Drop,
    Ask,
    Delete,
    Keep,
    Search,
    New,
}

impl List {
    fn line(&self, conversation: &super::data::Conversation, theme: &Theme) -> View {
        let name = conversation.name.clone();
        let picked = self.picked.contains(&name);
        let last = conversation
            .messages
            .last()
            .map_or("", |message| message.text.as_str());
        let mine = conversation.messages.last().is_some_and(|message| message.mine);
        let snippet = match (conversation.draft.is_empty(), mine) {
            (false, _) => format!("Draft: {}", conversation.draft.replace('\n', " ")),
            (true, true) => format!("You: {last}"),
            _ => last.to_owned(),
        };
        let ink = if conversation.unread {
            theme.text
        } else {
            theme.text_2
        };
        let mut title = text(name.as_str(), 18.0, theme.text)
            .lines(1)
            .grow()
            .id("conversation_name");
        let mut snippet = text(snippet, 15.0, ink).lines(1).id("conversation_snippet");
        if conversation.unread {
            title = title.medium();
            snippet = snippet.medium();
        }
        let time = text(conversation.when, 13.0, ink)
            .lines(1)
            .rigid()
            .id("conversation_timestamp");
        let words = column([
            row([title, time]).gap(8.0).cross(CrossAxisAlignment::Center),
            snippet,
        ])
        .gap(3.0)
        .grow();
        let message = if self.picked.is_empty() {
            Msg::Open(name.clone())
        } else {
            Msg::Pick(name.clone())
        };
        let mut line = row([avatar(&name, 48.0).id("conversation_icon"), words])
            .class(class::FRAME)
            .id("swipeableContainer")
            .gap(17.0)
            .cross(CrossAxisAlignment::Center)
            .height(80.0)
            .pad_xy(20.0, 0.0)
            .wide()
            .selected(picked)
            .click(message)
            .long(Msg::Pick(name));
        if picked {
            line = line.fill(theme.soft);
        }
        line
    }

    fn head(&self, theme: &Theme) -> View {
        if self.picked.is_empty() {
            return column([
                text("Messages", 30.0, theme.text)
                    .id("toolbar_title")
                    .pad_each(24.0, 22.0, 0.0, 16.0),
                column([search_pill(theme, "Search messages", Msg::Search)]).pad_each(17.0, 0.0, 17.0, 10.0),
            ]);
        }
        let count = format!("{} selected", self.picked.len());
        row([
            icon_button(Icon::X, "Cancel", theme.text, Msg::Drop),
            text(count, 21.0, theme.text).grow().id("action_bar_title"),
            icon_button(Icon::Trash2, "Delete", theme.text, Msg::Ask).id("action_delete"),
        ])
        .cross(CrossAxisAlignment::Center)
        .gap(10.0)
        .height(68.0)
        .pad_xy(9.0, 0.0)
        .fill(theme.soft)
    }
}

impl Activity for List {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        LIST
    }

    fn theme(&self, world: &World) -> Theme {
        theme(world)
    }

    fn view(&self, world: &World) -> View {
        let theme = theme(world);
        let conversations = &world.apps.messages.conversations;
        let mut lines: Vec<View> = conversations
            .iter()
            .map(|conversation| self.line(conversation, &theme))
            .collect();
        if lines.is_empty() {
            lines.push(nothing(
                &theme,
                Icon::MessageCircle,
                "Once you start a new conversation, you’ll see it here",
            ));
        }
        let list = scroll(lines)
            .id("list")
            .key("conversations")
            .pad_each(0.0, 0.0, 0.0, 96.0);
        let page = column([self.head(&theme), list]).grow().wide();
        let new = floating_button(
            &theme,
            Icon::MessageSquarePlus,
            "Start new conversation",
            Msg::New,
        )
        .id("start_new_conversation_button");
        stack([page, new])
    }

    fn popup(&self, world: &World) -> Option<Popup> {
        let title = if self.picked.len() == 1 {
            "Delete this conversation?"
        } else {
            "Delete these conversations?"
        };
        self.asks.then(|| {
            dialog(
                &theme(world),
                "delete",
                title,
                "This can’t be undone.",
                ("Cancel", ScreenMessage::new(Msg::Keep)),
                ("Delete", ScreenMessage::new(Msg::Delete)),
            )
        })
    }

    fn back(&mut self, _: &mut World) -> bool {
        let picked = !self.picked.is_empty();
        self.picked.clear();
        picked
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>().cloned() {
            Some(Msg::Open(name)) => world.open(Conversation::with(&name)),
            Some(Msg::Pick(name)) => match self.picked.iter().position(|picked| *picked == name) {
                Some(at) => drop(self.picked.remove(at)),
                None => self.picked.push(name),
            },
            Some(Msg::Drop) => self.picked.clear(),
            Some(Msg::Ask) => self.asks = true,
            Some(Msg::Keep) => self.asks = false,
            Some(Msg::Delete) => {
                self.asks = false;
                let picked = std::mem::take(&mut self.picked);
                world
                    .apps
                    .messages
                    .conversations
                    .retain(|conversation| !picked.contains(&conversation.name));
            }
            Some(Msg::Search) => world.open(Search::default()),
            Some(Msg::New) => world.open(Compose::default()),
            None => {}
        }
    }
}
