//! Mail: an inbox, letters, deleting.

use crate::apps::parts::{avatar, dialog, nothing, title_bar};
use crate::system::{Activity, ActivityDeclaration, Icon, Manifest, Popup, Sign, World};
use crate::toolkit::color::Color;
use crate::toolkit::view::{CrossAxisAlignment, ScreenMessage, View, class, column, row, scroll, text};
use serde_json::{Value, json};

const PACKAGE: &str = "com.android.email";
const INBOX: &str = "com.android.email.activity.Welcome";
const LETTER: &str = "com.android.email.activity.MessageView";

pub(crate) static MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Mail",
    version: "14",
    system: true,
    icon: Some(Icon {
        sign: Sign::Outline(lucide_icons::Icon::Mail),
        disc: Color::WHITE,
        ink: Color::rgb(0xD93F38),
    }),
    activities: &[
        ActivityDeclaration::main(INBOX),
        ActivityDeclaration::inner(LETTER),
    ],
    open: |class, _, world| match class {
        INBOX => Some(Box::new(Inbox)),
        LETTER => Some(Box::new(Open {
            letter: world.apps.mail.letters.first()?.subject,
            asks: false,
        })),
        _ => None,
    },
};

#[derive(Clone, Copy, Debug)]
struct Letter {
    from: &'static str,
    subject: &'static str,
    text: &'static str,
    when: &'static str,
    read: bool,
}

/// What Mail keeps.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    letters: Vec<Letter>,
    deleted: Vec<&'static str>,
}

impl Data {
    pub(crate) fn new() -> Self {
        let letter = |from, subject, text, when, read| Letter {
            from,
            subject,
            text,
            when,
            read,
        };
        Self {
            letters: vec![
                letter(
                    "Dana Whitlock",
                    "Fern cuttings",
                    "Hello!\n\nI kept three cuttings for you. They root best in water, on a bright sill without sun. \
                     Bring a jar on Tuesday?\n\nDana",
                    "8:47 AM",
                    false,
                ),
                letter(
                    "Greenleaf",
                    "Your receipt for May 7",
                    "Thank you for your order GL-118204.\n\n8 items · $18.90\nDelivery · $2.95\nTotal · $21.85\n\n\
                     Paid with Visa •••• 4821.",
                    "May 7",
                    true,
                ),
                letter(
                    "Northbank",
                    "Your April statement is ready",
                    "Sign in to the Northbank app to read it. We never ask for your password or a code by mail.",
                    "May 2",
                    false,
                ),
                letter(
                    "Dana’s Bakery",
                    "New: walnut loaf",
                    "From Thursday, while it lasts. Say so if we should keep one for you.",
                    "Apr 30",
                    true,
                ),
                letter(
                    "Anna",
                    "Café on Saturday?",
                    "The one with the crêpes – half past ten?",
                    "Apr 27",
                    true,
                ),
            ],
            deleted: Vec::new(),
        }
    }

    pub(crate) fn tell_state(&self) -> Value {
        let unread: Vec<&str> = self
            .letters
            .iter()
            .filter(|letter| !letter.read)
            .map(|letter| letter.subject)
            .collect();
        json!({"unread": unread, "deleted": self.deleted})
    }
}

#[derive(Debug)]
struct Inbox;

#[derive(Clone, Copy, Debug)]
enum Msg {
    Open(&'static str),
    Back,
    Ask,
    Keep,
    Delete,
}

impl Activity for Inbox {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        INBOX
    }

    fn view(&self, world: &World) -> View {
        let theme = &world.theme;
        let mut views: Vec<View> = world
            .apps
            .mail
            .letters
            .iter()
            .map(|letter| {
                let weigh = |view: View| if letter.read { view } else { view.medium() };
                let ink = if letter.read { theme.text_2 } else { theme.text };
                let first = letter.text.replace('\n', " ");
                let head = row([
                    weigh(text(letter.from, 17.0, theme.text).lines(1).grow().id("senders")),
                    text(letter.when, 13.0, ink).lines(1).rigid().id("date"),
                ]);
                let words = column([
                    head.gap(8.0).cross(CrossAxisAlignment::Center),
                    weigh(text(letter.subject, 15.5, ink).lines(1).id("subject")),
                    text(first, 14.5, theme.text_2).lines(1).id("snippet"),
                ]);
                row([avatar(letter.from, 46.0), words.gap(2.0).grow()])
                    .class(class::FRAME)
                    .id("conversation_item")
                    .gap(16.0)
                    .cross(CrossAxisAlignment::Center)
                    .height(94.0)
                    .pad_xy(20.0, 0.0)
                    .wide()
                    .click(Msg::Open(letter.subject))
            })
            .collect();
        if views.is_empty() {
            views.push(nothing(theme, lucide_icons::Icon::Mail, "Nothing in your inbox"));
        }
        column([
            text("Inbox", 32.0, theme.text)
                .id("toolbar_title")
                .pad_each(24.0, 34.0, 0.0, 16.0),
            scroll(views).id("conversation_list_view").key("inbox"),
        ])
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        if let Some(Msg::Open(subject)) = act.get::<Msg>() {
            for letter in world
                .apps
                .mail
                .letters
                .iter_mut()
                .filter(|letter| letter.subject == *subject)
            {
                letter.read = true;
            }
            world.open(Open {
                letter: subject,
                asks: false,
            });
        }
    }
}

#[derive(Debug)]
struct Open {
    letter: &'static str,
    asks: bool,
}

impl Activity for Open {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        LETTER
    }

    fn view(&self, world: &World) -> View {
        let theme = &world.theme;
        let delete =
            crate::apps::parts::icon_button(lucide_icons::Icon::Trash2, "Delete", theme.text, Msg::Ask);
        let bar = title_bar("", theme, Msg::Back, vec![delete.id("delete")]);
        let Some(letter) = world
            .apps
            .mail
            .letters
            .iter()
            .find(|letter| letter.subject == self.letter)
        else {
            return column([bar]);
        };
        let from = row([
            avatar(letter.from, 44.0),
            column([
                text(letter.from, 17.0, theme.text).medium().id("sender_name"),
                text("to me", 14.5, theme.text_2).id("recipient_summary"),
            ])
            .grow(),
            text(letter.when, 13.5, theme.text_2)
                .lines(1)
                .rigid()
                .id("upper_date"),
        ]);
        column([
            bar,
            scroll([
                text(letter.subject, 25.0, theme.text)
                    .line(31.0)
                    .id("subject_text"),
                from.gap(14.0).cross(CrossAxisAlignment::Center).pad_xy(0.0, 10.0),
                text(letter.text, 17.0, theme.text).line(26.0).id("body"),
            ])
            .class(class::SCROLL)
            .key("letter")
            .gap(10.0)
            .pad_each(24.0, 4.0, 24.0, 24.0),
        ])
    }

    fn popup(&self, world: &World) -> Option<Popup> {
        self.asks.then(|| {
            let (keep, delete) = (ScreenMessage::new(Msg::Keep), ScreenMessage::new(Msg::Delete));
            dialog(
                &world.theme,
                "delete",
                "Delete this message?",
                "",
                ("Cancel", keep),
                ("Delete", delete),
            )
        })
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>() {
            Some(Msg::Back) => world.finish(),
            Some(Msg::Ask) => self.asks = true,
            Some(Msg::Keep) => self.asks = false,
            Some(Msg::Delete) => {
                let mail = &mut world.apps.mail;
                mail.letters.retain(|letter| letter.subject != self.letter);
                mail.deleted.push(self.letter);
                world.finish();
            }
            Some(Msg::Open(_)) | None => {}
        }
    }
}
