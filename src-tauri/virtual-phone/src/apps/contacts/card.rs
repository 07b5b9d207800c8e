//! One contact.

use super::{CARD, PACKAGE};
use crate::android::Intent;
use crate::apps::parts::{avatar, dialog, preference, title_bar};
use crate::system::{Activity, Popup, SystemRequest, World};
use crate::toolkit::text::Align;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    CrossAxisAlignment, MainAxisAlignment, ScreenMessage, View, class, column, icon, row, scroll, stack, text,
};
use lucide_icons::Icon;

#[derive(Debug)]
pub(super) struct Card {
    name: String,
    asks: bool,
}

#[derive(Clone, Copy, Debug)]
enum Msg {
    Back,
    Call,
    Text,
    Ask,
    Keep,
    Delete,
}

impl Card {
    pub(super) fn of(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            asks: false,
        }
    }
}

fn action(theme: &Theme, sign: Icon, words: &str, message: Msg) -> View {
    let disc = stack([icon(sign, 24.0, theme.on_soft)])
        .centered()
        .size(60.0, 60.0)
        .fill(theme.soft)
        .radius(30.0);
    column([
        disc.class(class::IMAGE).flat(),
        text(words, 14.0, theme.text).align(Align::Center).id("label"),
    ])
    .cross(CrossAxisAlignment::Center)
    .gap(8.0)
    .width(96.0)
    .click(message)
}

impl Activity for Card {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        CARD
    }

    fn view(&self, world: &World) -> View {
        let theme = &world.theme;
        let number = world
            .apps
            .contacts
            .find(&self.name)
            .map_or("", |contact| contact.number.as_str());
        let delete =
            crate::apps::parts::icon_button(Icon::Trash2, "Delete", theme.text, Msg::Ask).id("menu_delete");
        let head = column([
            avatar(&self.name, 120.0),
            text(self.name.as_str(), 28.0, theme.text)
                .align(Align::Center)
                .id("large_title"),
            row([
                action(theme, Icon::Phone, "Call", Msg::Call),
                action(theme, Icon::MessageCircle, "Text", Msg::Text),
            ])
            .main(MainAxisAlignment::Center)
            .margin(0.0, 14.0, 0.0, 10.0),
        ])
        .cross(CrossAxisAlignment::Center)
        .gap(14.0)
        .pad_xy(24.0, 16.0)
        .wide();
        column([
            title_bar("", theme, Msg::Back, vec![delete]),
            scroll([head, preference(theme, number, "Mobile", None).click(Msg::Call)]).key("card"),
        ])
    }

    fn popup(&self, world: &World) -> Option<Popup> {
        self.asks.then(|| {
            let message = format!("{} will be permanently deleted from your phone.", self.name);
            let (keep, delete) = (ScreenMessage::new(Msg::Keep), ScreenMessage::new(Msg::Delete));
            dialog(
                &world.theme,
                "delete",
                "Delete contact?",
                &message,
                ("Cancel", keep),
                ("Delete", delete),
            )
        })
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        let to = |action: &str, scheme: &str, number: &str| Intent {
            action: Some(action.to_owned()),
            data: Some(format!("{scheme}:{number}")),
            ..Intent::default()
        };
        let number = world
            .apps
            .contacts
            .find(&self.name)
            .map(|contact| contact.number.clone())
            .unwrap_or_default();
        match act.get::<Msg>() {
            Some(Msg::Back) => world.finish(),
            Some(Msg::Call) => world.call(SystemRequest::Launch(to(
                "android.intent.action.DIAL",
                "tel",
                &number,
            ))),
            Some(Msg::Text) => world.call(SystemRequest::Launch(to(
                "android.intent.action.SENDTO",
                "smsto",
                &number,
            ))),
            Some(Msg::Ask) => self.asks = true,
            Some(Msg::Keep) => self.asks = false,
            Some(Msg::Delete) => {
                world
                    .apps
                    .contacts
                    .all
                    .retain(|contact| contact.name != self.name);
                world.finish();
            }
            None => {}
        }
    }
}
