//! One conversation, as drawn.

use super::data::Message;
use super::{CONVERSATION, PACKAGE, look};
use crate::android::Intent;
use crate::apps::parts::{avatar, icon_button, menu};
use crate::system::{Activity, Call, Popup, World};
use crate::toolkit::color::Color;
use crate::toolkit::look::Look;
use crate::toolkit::text::{Align, TextStyle};
use crate::toolkit::view::{
    Act, Cross, ImeAction, Main, View, class, column, field, gap, icon, row, scroll, stack, text,
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

    fn head(&self, look: &Look, wide: bool) -> View {
        row([
            icon_button(Icon::ArrowLeft, "Navigate up", look.text, Msg::Back),
            avatar(&self.name, 46.0),
            text(self.name.as_str(), 21.6, look.text)
                .lines(1)
                .grow()
                .pad_each(10.0, 0.0, 0.0, 0.0)
                .id("conversation_title"),
            icon_button(Icon::Phone, "Call", look.text, Msg::Call).id("action_call"),
            icon_button(Icon::EllipsisVertical, "More options", look.text, Msg::Menu).id("action_menu"),
        ])
        .class(class::GROUP)
        .id("toolbar")
        .cross(Cross::Center)
        .gap(3.0)
        .height(head_height(wide))
        .pad_each(9.0, 0.0, 8.0, 0.0)
        .wide()
    }

    fn bubble(&self, index: usize, message: &Message, look: &Look) -> View {
        let (fill, ink) = if message.mine {
            (look.soft, look.on_soft)
        } else {
            (look.fill, look.text)
        };
        let picked = self.picked == Some(index);
        let fill = if picked { fill.mix(look.accent, 0.25) } else { fill };
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
            .main(if message.mine { Main::End } else { Main::Start })
            .wide()
    }

    fn messages(&self, messages: &[Message], look: &Look) -> Vec<View> {
        let mut views = Vec::new();
        let mut before: Option<&Message> = None;
        for (index, message) in messages.iter().enumerate() {
            if let Some(heading) = message.heading {
                let above = if before.is_some() { 18.0 } else { 8.0 };
                let heading = text(heading, 14.3, look.text_2)
                    .medium()
                    .align(Align::Center)
                    .id("message_timestamp");
                views.push(
                    row([heading])
                        .main(Main::Center)
                        .wide()
                        .pad_each(0.0, above, 0.0, 15.0),
                );
            } else if let Some(before) = before {
                views.push(gap(if before.mine == message.mine { 6.0 } else { 16.4 }));
            }
            views.push(self.bubble(index, message, look));
            before = Some(message);
        }
        if before.is_some_and(|message| message.mine) {
            let status = text("Sent", 13.0, look.text_3).id("message_status");
            views.push(row([status]).main(Main::End).wide().pad_each(0.0, 5.0, 6.0, 0.0));
        }
        views
    }

    fn composer(draft: &str, look: &Look, wide: bool) -> View {
        let empty = draft.trim().is_empty();
        let style = TextStyle {
            line: 25.4,
            ..TextStyle::new(18.2, look.text)
        };
        let field = field(draft, "Text message", style, Msg::Write)
            .multiline()
            .action(ImeAction::Send, Msg::Send)
            .caret(look.accent)
            .hint_color(look.text_2)
            .id("compose_message_text")
            .key("compose")
            .pad_xy(20.7, 14.0)
            .min_height(53.0)
            .max_height(if wide { 60.0 } else { 190.0 })
            .fill(look.fill)
            .radius(26.5)
            .grow();
        let send = stack([icon(
            Icon::ArrowUp,
            23.0,
            if empty { look.text_3 } else { look.on_accent },
        )])
        .class(class::IMAGE_BUTTON)
        .centered()
        .size(53.0, 53.0)
        .fill(if empty { look.fill } else { look.accent })
        .radius(26.5)
        .press(Color::BLACK.alpha(0.15))
        .id("send_message_button")
        .desc("Send SMS")
        .enabled(!empty)
        .click(Msg::Send)
        .flat();
        row([
            icon_button(Icon::Plus, "Attach", look.text_2, Msg::Attach).id("attach_media_button"),
            field,
            send,
        ])
        .cross(Cross::End)
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

    fn picked_head(look: &Look, wide: bool) -> View {
        row([
            icon_button(Icon::X, "Cancel", look.text, Msg::Drop),
            text("1 selected", 20.8, look.text).grow(),
            icon_button(Icon::Copy, "Copy", look.text, Msg::Copy),
            icon_button(Icon::Trash2, "Delete", look.text, Msg::Remove),
        ])
        .cross(Cross::Center)
        .gap(3.0)
        .height(head_height(wide))
        .pad_each(9.0, 0.0, 8.0, 0.0)
        .fill(look.soft)
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

    fn look(&self, world: &World) -> Look {
        look(world)
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
        let (look, wide) = (look(world), world.is_wide());
        let data = &world.apps.messages;
        let conversation = data
            .find(&self.name)
            .and_then(|index| data.conversations.get(index));
        let (messages, draft) =
            conversation.map_or((&[][..], ""), |c| (c.messages.as_slice(), c.draft.as_str()));
        let list = scroll(self.messages(messages, &look))
            .id("list")
            .key("messages")
            .opens_at_end()
            .pad_xy(18.6, if wide { 4.0 } else { 10.0 });
        let head = if self.picked.is_some() {
            Self::picked_head(&look, wide)
        } else {
            self.head(&look, wide)
        };
        column([head, list, Self::composer(draft, &look, wide)])
    }

    fn popup(&self, world: &World) -> Option<Popup> {
        self.menu.then(|| {
            let items = vec![
                ("Call".to_owned(), Act::new(Msg::Call)),
                ("Delete conversation".to_owned(), Act::new(Msg::Delete)),
            ];
            menu(
                &look(world),
                "more",
                "action_menu",
                items,
                Act::new(Msg::CloseMenu),
            )
        })
    }

    fn back(&mut self, _: &mut World) -> bool {
        self.picked.take().is_some()
    }

    fn act(&mut self, act: &Act, world: &mut World) {
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
                world.call(Call::Launch(Intent {
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
            world.call(Call::ScrollToStart("messages"));
        }
    }
}
