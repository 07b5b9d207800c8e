//! One conversation, as drawn.

use super::data::Message;
use super::{CONVERSATION, PACKAGE, theme};
use crate::android::Intent;
use crate::apps::parts::{avatar, icon_button, menu};
use crate::system::{Activity, Popup, SystemRequest, World};
use crate::toolkit::color::Color;
use crate::toolkit::text::{Align, TextStyle};
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    CrossAxisAlignment, ImeAction, MainAxisAlignment, ScreenMessage, View, class, column, field, gap, icon,
    row, scroll, stack, text,
};
use lucide_icons::Icon;

/// A conversation, by the name of who it is with.
#[derive(Debug)]
pub(super) struct Conversation {
    name: String,
    menu: bool,
    picked: Option<usize>,
}

#[derive(Clone, Debug)]
enum Msg {
    Back,
    Call,
    Menu,
    CloseMenu,
    Delete,
    Write(String),
    Send,
    Attach,
    Pick(usize),
    Copy,
    Remove,
    Drop,
}

impl Conversation {
    pub(super) fn with(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            menu: false,
            picked: None,
        }
    }

    /// What a notification or a link means.
    pub(super) fn of(intent: &Intent, world: &mut World) -> Self {
        let extra = |wanted: &str| {
            intent
                .extras
                .iter()
                .find(|(name, _)| name == wanted)
                .map(|(_, value)| value.as_str())
        };
        let data = &mut world.apps.messages;
        let number = intent
            .data
            .as_deref()
            .and_then(|data| data.split_once(':'))
            .map(|(_, to)| to);
        let index = match number.map(|to| to.split('?').next().unwrap_or(to).replace("%20", " ")) {
            Some(to) if !to.is_empty() => {
                let name = world.apps.contacts.name_of(&to).unwrap_or_else(|| to.clone());
                data.with(&name, &to)
            }
            _ => extra("conversation")
                .and_then(|index| index.parse().ok())
                .unwrap_or(0),
        };
        if let (Some(body), Some(conversation)) = (extra("sms_body"), data.conversations.get_mut(index)) {
            conversation.draft = body.to_owned();
        }
        Self::with(
            data.conversations
                .get(index)
                .map_or("", |conversation| conversation.name.as_str()),
        )
    }

    fn head(&self, theme: &Theme, wide: bool) -> View {
        row([
            icon_button(Icon::ArrowLeft, "Navigate up", theme.text, Msg::Back),
            avatar(&self.name, 46.0),
            text(self.name.as_str(), 21.6, theme.text)
                .lines(1)
                .grow()
                .pad_each(10.0, 0.0, 0.0, 0.0)
                .id("conversation_title"),
            icon_button(Icon::Phone, "Call", theme.text, Msg::Call).id("action_call"),
            icon_button(Icon::EllipsisVertical, "More options", theme.text, Msg::Menu).id("action_menu"),
        ])
        .class(class::GROUP)
        .id("toolbar")
        .cross(CrossAxisAlignment::Center)
        .gap(3.0)
        .height(head_height(wide))
        .pad_each(9.0, 0.0, 8.0, 0.0)
        .wide()
    }

    fn bubble(&self, index: usize, message: &Message, theme: &Theme) -> View {
        let (fill, ink) = if message.mine {
            (theme.soft, theme.on_soft)
        } else {
            (theme.fill, theme.text)
        };
        let picked = self.picked == Some(index);
        let fill = if picked {
            fill.mix(theme.accent, 0.25)
        } else {
            fill
        };
        let corner = 21.0;
        let radii = if message.mine {
            [corner, corner, 4.0, corner]
        } else {
            [corner, corner, corner, 4.0]
        };
        let bubble = text(message.text.as_str(), 18.2, ink)
            .line(25.6)
            .pad_xy(18.0, 12.0)
            .max_width(294.0)
            .fill(fill)
            .radii(radii)
            .id("message_text")
            .selected(picked)
            .long(Msg::Pick(index));
        row([bubble])
            .id("message_content")
            .main(if message.mine {
                MainAxisAlignment::End
            } else {
                MainAxisAlignment::Start
            })
            .wide()
    }

    fn messages(&self, messages: &[Message], theme: &Theme) -> Vec<View> {
        let mut views = Vec::new();
        let mut before: Option<&Message> = None;
        for (index, message) in messages.iter().enumerate() {
            if let Some(heading) = message.heading {
                let above = if before.is_some() { 18.0 } else { 8.0 };
                let heading = text(heading, 14.3, theme.text_2)
                    .medium()
                    .align(Align::Center)
                    .id("message_timestamp");
                views.push(
                    row([heading])
                        .main(MainAxisAlignment::Center)
                        .wide()
                        .pad_each(0.0, above, 0.0, 15.0),
                );
            } else if let Some(before) = before {
                views.push(gap(if before.mine == message.mine { 6.0 } else { 16.4 }));
            }
            views.push(self.bubble(index, message, theme));
            before = Some(message);
        }
        if before.is_some_and(|message| message.mine) {
            let status = text("Sent", 13.0, theme.text_3).id("message_status");
            views.push(
                row([status])
                    .main(MainAxisAlignment::End)
                    .wide()
                    .pad_each(0.0, 5.0, 6.0, 0.0),
            );
        }
        views
    }

    fn composer(draft: &str, theme: &Theme, wide: bool) -> View {
        let empty = draft.trim().is_empty();
        let style = TextStyle {
            line: 25.4,
            ..TextStyle::new(18.2, theme.text)
        };
        let field = field(draft, "Text message", style, Msg::Write)
            .multiline()
            .action(ImeAction::Send, Msg::Send)
            .caret(theme.accent)
            .hint_color(theme.text_2)
            .id("compose_message_text")
            .key("compose")
            .pad_xy(20.7, 14.0)
            .min_height(53.0)
            .max_height(if wide { 60.0 } else { 190.0 })
            .fill(theme.fill)
            .radius(26.5)
            .grow();
        let send = stack([icon(
            Icon::ArrowUp,
            23.0,
            if empty { theme.text_3 } else { theme.on_accent },
        )])
        .class(class::IMAGE_BUTTON)
        .centered()
        .size(53.0, 53.0)
        .fill(if empty { theme.fill } else { theme.accent })
        .radius(26.5)
        .press(Color::BLACK.alpha(0.15))
        .id("send_message_button")
        .desc("Send SMS")
        .enabled(!empty)
        .click(Msg::Send)
        .flat();
        row([
            icon_button(Icon::Plus, "Attach", theme.text_2, Msg::Attach).id("attach_media_button"),
            field,
            send,
        ])
        .cross(CrossAxisAlignment::End)
        .gap(10.0)
        .pad_each(
            11.0,
            if wide { 4.0 } else { 10.0 },
            16.0,
            if wide { 6.0 } else { 14.0 },
        )
        .wide()
        .id("compose_message_row")
    }

    fn picked_head(theme: &Theme, wide: bool) -> View {
        row([
            icon_button(Icon::X, "Cancel", theme.text, Msg::Drop),
            text("1 selected", 20.8, theme.text).grow(),
            icon_button(Icon::Copy, "Copy", theme.text, Msg::Copy),
            icon_button(Icon::Trash2, "Delete", theme.text, Msg::Remove),
        ])
        .cross(CrossAxisAlignment::Center)
        .gap(3.0)
        .height(head_height(wide))
        .pad_each(9.0, 0.0, 8.0, 0.0)
        .fill(theme.soft)
        .wide()
    }
}

/// In dp; on its side a phone has less to give away.
fn head_height(wide: bool) -> f32 {
    if wide { 56.0 } else { 76.0 }
}

impl Activity for Conversation {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        CONVERSATION
    }

    fn theme(&self, world: &World) -> Theme {
        theme(world)
    }

    fn resume(&mut self, world: &mut World) {
        if let Some(index) = world.apps.messages.find(&self.name) {
            world.apps.messages.conversations[index].unread = false;
            world.notices.forget(PACKAGE, &self.name);
        }
    }

    fn arrive(&mut self, intent: &Intent, world: &mut World) {
        *self = Self::of(intent, world);
        self.resume(world);
    }

    fn view(&self, world: &World) -> View {
        let (theme, wide) = (theme(world), world.is_wide());
        let data = &world.apps.messages;
        let conversation = data
            .find(&self.name)
            .and_then(|index| data.conversations.get(index));
        let (messages, draft) =
            conversation.map_or((&[][..], ""), |c| (c.messages.as_slice(), c.draft.as_str()));
        let list = scroll(self.messages(messages, &theme))
            .id("list")
            .key("messages")
            .opens_at_end()
            .pad_xy(18.6, if wide { 4.0 } else { 10.0 });
        let head = if self.picked.is_some() {
            Self::picked_head(&theme, wide)
        } else {
            self.head(&theme, wide)
        };
        column([head, list, Self::composer(draft, &theme, wide)])
    }

    fn popup(&self, world: &World) -> Option<Popup> {
        self.menu.then(|| {
            let items = vec![
                ("Call".to_owned(), ScreenMessage::new(Msg::Call)),
                ("Delete conversation".to_owned(), ScreenMessage::new(Msg::Delete)),
            ];
            menu(
                &theme(world),
                "more",
                "action_menu",
                items,
                ScreenMessage::new(Msg::CloseMenu),
            )
        })
    }

    fn back(&mut self, _: &mut World) -> bool {
        self.picked.take().is_some()
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        let Some(msg) = act.get::<Msg>().cloned() else {
            return;
        };
        let index = world.apps.messages.find(&self.name);
        match msg {
            Msg::Back => world.finish(),
            Msg::Call => {
                self.menu = false;
                let number = index
                    .and_then(|i| world.apps.messages.conversations.get(i))
                    .map(|c| c.number.clone());
                world.call(SystemRequest::Launch(Intent {
                    action: Some("android.intent.action.DIAL".to_owned()),
                    data: number.map(|number| format!("tel:{number}")),
                    ..Intent::default()
                }));
            }
            Msg::Menu => self.menu = true,
            Msg::CloseMenu => self.menu = false,
            Msg::Delete => {
                world
                    .apps
                    .messages
                    .conversations
                    .retain(|conversation| conversation.name != self.name);
                world.finish();
            }
            Msg::Write(text) => {
                if let Some(conversation) = index.and_then(|i| world.apps.messages.conversations.get_mut(i)) {
                    conversation.draft = text;
                }
            }
            Msg::Send => self.send(index, world),
            Msg::Attach => world.show_toast("This phone has nothing to attach"),
            Msg::Pick(at) => self.picked = Some(at),
            Msg::Drop => self.picked = None,
            Msg::Copy => {
                let message = self.message(index, world).map(|message| message.text.clone());
                world.clipboard = message.unwrap_or_default();
                self.picked = None;
                world.show_toast("Message text copied");
            }
            Msg::Remove => {
                let at = self.picked.take();
                let conversation = index.and_then(|i| world.apps.messages.conversations.get_mut(i));
                if let (Some(at), Some(conversation)) = (at, conversation)
                    && at < conversation.messages.len()
                {
                    conversation.messages.remove(at);
                }
            }
        }
    }
}

impl Conversation {
    fn message<'a>(&self, index: Option<usize>, world: &'a World) -> Option<&'a Message> {
        world
            .apps
            .messages
            .conversations
            .get(index?)?
            .messages
            .get(self.picked?)
    }

    fn send(&self, index: Option<usize>, world: &mut World) {
        let Some(index) = index else { return };
        let draft = world
            .apps
            .messages
            .conversations
            .get(index)
            .map(|c| c.draft.trim().to_owned());
        if let Some(draft) = draft.filter(|draft| !draft.is_empty()) {
            world.apps.messages.send(index, draft);
            world.call(SystemRequest::ScrollToStart("messages"));
        }
    }
}
