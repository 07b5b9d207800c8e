//! Sending money.

use super::data::{Transfer as Sent, dollars};
use super::parts::{bars, big_button, inner_head, theme};
use super::{PACKAGE, TRANSFER};
use crate::apps::parts::{boxed_field, dialog};
use crate::system::{Activity, Bars, Popup, World};
use crate::toolkit::text::TextStyle;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{ImeAction, InputKind, ScreenMessage, View, column, field, gap, scroll, text};

/// The page where money is sent.
#[derive(Debug, Default)]
pub(super) struct Transfer {
    to: String,
    amount: String,
    note: String,
    asks: bool,
}

#[derive(Clone, Debug)]
enum Msg {
    Back,
    To(String),
    Amount(String),
    Note(String),
    Review,
    Cancel,
    Send,
}

impl Transfer {
    /// The amount in cents, if it is one.
    fn cents(&self) -> Option<u64> {
        let amount = self.amount.trim().trim_start_matches('$');
        let (whole, part) = amount.split_once('.').unwrap_or((amount, ""));
        let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
        if whole.len() > 7 || part.len() > 2 || whole.is_empty() || !digits(whole) || !digits(part) {
            return None;
        }
        let part = format!("{part:0<2}");
        let cents = whole.parse::<u64>().ok()? * 100 + part.parse::<u64>().ok()?;
        (cents > 0).then_some(cents)
    }
}

impl Activity for Transfer {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        TRANSFER
    }

    fn theme(&self, world: &World) -> Theme {
        theme(world)
    }

    fn bars(&self, world: &World) -> Bars {
        bars(world)
    }

    fn view(&self, world: &World) -> View {
        let theme = theme(world);
        let style = || TextStyle::new(17.5, theme.text);
        let to = field(&self.to, "Name", style(), Msg::To)
            .next()
            .id("recipient")
            .key("to");
        let amount = field(&self.amount, "$0.00", style(), Msg::Amount)
            .kind(InputKind::Number)
            .limit(11);
        let amount = amount.next().id("amount").key("amount");
        let note = field(&self.note, "Optional", style(), Msg::Note)
            .limit(80)
            .id("note")
            .key("note");
        let note = note.action(ImeAction::Done, Msg::Review);
        let white = |label, view| {
            boxed_field(&theme, label, view)
                .fill(theme.surface)
                .edge(1.0, theme.line)
        };
        let balance = world.apps.northbank.balance();
        let cents = self.cents();
        let enough = cents.is_none_or(|cents| cents <= balance);
        let mut views = vec![
            text(
                format!("From Everyday account · {}", dollars(balance)),
                15.0,
                theme.text_2,
            )
            .id("from_account"),
            white("To", to),
            white("Amount", amount),
            white("Note", note),
        ];
        if !enough {
            views.push(text("That is more than is in this account.", 15.0, theme.danger).id("error"));
        }
        let ready = !self.to.trim().is_empty() && cents.is_some() && enough;
        let words = cents.map_or("Send".to_owned(), |cents| format!("Send {}", dollars(cents)));
        views.extend([gap(6.0), big_button(&theme, &words, ready, "send", Msg::Review)]);
        let page = scroll(views)
            .class("android.widget.ScrollView")
            .key("transfer")
            .gap(14.0);
        column([
            inner_head("Transfer", Msg::Back),
            page.pad_each(24.0, 22.0, 24.0, 24.0),
        ])
    }

    fn popup(&self, world: &World) -> Option<Popup> {
        let amount = dollars(self.cents()?);
        self.asks.then(|| {
            let message = format!("{amount} will leave Everyday account now. This can’t be undone.");
            let title = format!("Send {amount} to {}?", self.to.trim());
            let (cancel, send) = (ScreenMessage::new(Msg::Cancel), ScreenMessage::new(Msg::Send));
            dialog(
                &theme(world),
                "really",
                &title,
                &message,
                ("Cancel", cancel),
                ("Send", send),
            )
        })
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>().cloned() {
            Some(Msg::Back) => world.finish(),
            Some(Msg::To(text)) => self.to = text,
            Some(Msg::Amount(text)) => self.amount = text,
            Some(Msg::Note(text)) => self.note = text,
            Some(Msg::Review) => {
                let balance = world.apps.northbank.balance();
                self.asks = !self.to.trim().is_empty() && self.cents().is_some_and(|cents| cents <= balance);
            }
            Some(Msg::Cancel) => self.asks = false,
            Some(Msg::Send) => {
                if let Some(amount) = self.cents() {
                    let sent = Sent {
                        to: self.to.trim().to_owned(),
                        amount,
                        note: self.note.trim().to_owned(),
                    };
                    world.show_toast(format!("Sent {} to {}", dollars(amount), sent.to));
                    world.apps.northbank.transfers.push(sent);
                    world.finish();
                }
            }
            None => {}
        }
    }
}
