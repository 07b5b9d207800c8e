//! The account's numbers: a protected screen.

use super::data::dollars;
use super::parts::{bars, card, inner_head, theme};
use super::{ACCOUNT, PACKAGE};
use crate::apps::parts::divider;
use crate::system::{Activity, Bars, World};
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{ScreenMessage, View, column, scroll, text};

/// The page nobody may record.
#[derive(Debug)]
pub(super) struct Account;

#[derive(Clone, Copy, Debug)]
struct Back;

impl Activity for Account {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        ACCOUNT
    }

    fn is_secure(&self) -> bool {
        true
    }

    fn theme(&self, world: &World) -> Theme {
        theme(world)
    }

    fn bars(&self, world: &World) -> Bars {
        bars(world)
    }

    fn view(&self, world: &World) -> View {
        let theme = theme(world);
        let balance = dollars(world.apps.northbank.balance());
        let entries = [
            ("Account", "Everyday account", "account_type"),
            ("Account number", "0041 8820 3307", "account_number"),
            ("Routing number", "011 000 394", "routing_number"),
            ("Balance", balance.as_str(), "balance"),
            ("Overdraft", "None", "overdraft"),
        ];
        let lines = entries
            .into_iter()
            .enumerate()
            .flat_map(|(index, (label, value, id))| {
                let line = column([
                    text(label, 14.0, theme.text_2).id("label"),
                    text(value, 18.0, theme.text).medium().id(id),
                ])
                .gap(3.0)
                .pad_xy(18.0, 14.0);
                (index > 0)
                    .then(|| divider(theme.line))
                    .into_iter()
                    .chain(std::iter::once(line))
            });
        let card = card(&theme, lines.collect());
        column([
            inner_head("Account details", Back),
            scroll([card]).key("account").pad_each(19.0, 20.0, 19.0, 24.0),
        ])
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        if act.get::<Back>().is_some() {
            world.finish();
        }
    }
}
