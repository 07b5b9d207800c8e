//! Signed in: the balance and what happened.

use super::account::Account;
use super::data::dollars;
use super::parts::{NAVY, bars, card, theme};
use super::signin::SignIn;
use super::transfer::Transfer;
use super::{HOME, PACKAGE};
use crate::apps::parts::{dialog, divider};
use crate::system::{Activity, Bars, Popup, World};
use crate::toolkit::color::Color;
use crate::toolkit::paint::Fill;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    CrossAxisAlignment, ScreenMessage, View, class, column, icon, row, scroll, spring, stack, text,
};
use lucide_icons::Icon;

/// The page after signing in.
#[derive(Debug, Default)]
pub(super) struct Home {
    leaving: bool,
}

#[derive(Clone, Copy, Debug)]
enum Msg {
    Transfer,
    Account,
    Leave,
    Stay,
    SignOut,
}

fn movement(theme: &Theme, sign: Icon, title: &str, when: &str, amount: String) -> View {
    let badge = stack([icon(sign, 20.0, theme.on_soft)])
        .centered()
        .size(44.0, 44.0)
        .fill(theme.soft)
        .radius(22.0);
    let words = column([
        text(title, 16.5, theme.text)
            .medium()
            .lines(1)
            .id("transaction_title"),
        text(when, 14.0, theme.text_2).lines(1).id("transaction_date"),
    ])
    .gap(2.0)
    .grow();
    row([
        badge.class(class::IMAGE).flat(),
        words,
        text(amount, 16.5, theme.text)
            .lines(1)
            .rigid()
            .id("transaction_amount"),
    ])
    .gap(15.0)
    .cross(CrossAxisAlignment::Center)
    .pad_xy(17.0, 13.0)
}

/// The bank's name, what is on the account, and what can be done with it.
fn header(balance: u64) -> View {
    let pale = Color::rgb(0xC9D6EA);
    let name = row([
        icon(Icon::CreditCard, 21.0, pale),
        text("Northbank", 22.5, Color::WHITE).medium().id("logo"),
        spring(),
        crate::apps::parts::icon_button(Icon::LogOut, "Sign out", Color::WHITE, Msg::Leave).id("sign_out"),
    ])
    .gap(11.0)
    .cross(CrossAxisAlignment::Center);
    let action = |sign, words: &str, id, message: Msg| {
        row([
            icon(sign, 19.0, Color::WHITE),
            text(words, 15.5, Color::WHITE).medium().id("label"),
        ])
        .class(class::BUTTON)
        .says(words)
        .centered()
        .gap(9.0)
        .height(50.0)
        .grow()
        .fill(Color::WHITE.alpha(0.14))
        .radius(14.0)
        .id(id)
        .click(message)
        .flat()
    };
    column([
        name,
        text("Everyday account •• 3307", 15.0, pale)
            .margin(0.0, 20.0, 0.0, 0.0)
            .id("account_name"),
        text(dollars(balance), 40.0, Color::WHITE).medium().id("balance"),
        row([
            action(Icon::ArrowUpRight, "Transfer", "transfer", Msg::Transfer),
            action(Icon::FileText, "Account details", "account_details", Msg::Account),
        ])
        .gap(12.0)
        .wide()
        .margin(0.0, 18.0, 0.0, 0.0),
    ])
    .pad_each(28.0, 10.0, 22.0, 26.0)
    .fill(Fill::vertical(NAVY, Color::rgb(0x1B4680)))
    .wide()
    .id("header")
}

/// What came and went, newest first, with a rule between two.
fn activity(world: &World, theme: &Theme) -> Vec<View> {
    let data = &world.apps.northbank;
    let mut lines: Vec<View> = data
        .transfers
        .iter()
        .rev()
        .map(|transfer| {
            movement(
                theme,
                Icon::ArrowUpRight,
                &transfer.to,
                "Today",
                format!("−{}", dollars(transfer.amount)),
            )
        })
        .collect();
    lines.extend(world.apps.greenleaf.paid().map(|cents| {
        let amount = format!("−{}", dollars(cents.into()));
        movement(theme, Icon::ShoppingCart, "Greenleaf Groceries", "Today", amount)
    }));
    lines.extend([
        movement(
            theme,
            Icon::ShoppingCart,
            "Greenleaf Groceries",
            "May 7",
            "−$21.85".to_owned(),
        ),
        movement(
            theme,
            Icon::Croissant,
            "Dana’s Bakery",
            "May 6",
            "−$8.40".to_owned(),
        ),
        movement(theme, Icon::Zap, "City Power", "May 3", "−$54.10".to_owned()),
        movement(theme, Icon::Briefcase, "Salary", "May 1", "+$2,640.00".to_owned()),
    ]);
    let count = lines.len();
    let ruled = lines.into_iter().enumerate().flat_map(|(index, line)| {
        let rule = (index + 1 < count).then(|| divider(theme.line).margin(76.0, 0.0, 0.0, 0.0));
        std::iter::once(line).chain(rule)
    });
    ruled.collect()
}

impl Activity for Home {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        HOME
    }

    fn theme(&self, world: &World) -> Theme {
        theme(world)
    }

    fn bars(&self, world: &World) -> Bars {
        bars(world)
    }

    fn view(&self, world: &World) -> View {
        let theme = theme(world);
        let activity = card(&theme, activity(world, &theme));
        let list = scroll([
            text("Recent activity", 18.0, theme.text)
                .medium()
                .pad_each(4.0, 4.0, 0.0, 10.0),
            activity,
        ]);
        column([
            header(world.apps.northbank.balance()),
            list.id("activity")
                .key("activity")
                .pad_each(19.0, 16.0, 19.0, 24.0),
        ])
    }

    fn popup(&self, world: &World) -> Option<Popup> {
        self.leaving.then(|| {
            let (stay, leave) = (ScreenMessage::new(Msg::Stay), ScreenMessage::new(Msg::SignOut));
            dialog(
                &theme(world),
                "sign_out",
                "Sign out?",
                "",
                ("Stay", stay),
                ("Sign out", leave),
            )
        })
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>() {
            Some(Msg::Transfer) => world.open(Transfer::default()),
            Some(Msg::Account) => world.open(Account),
            Some(Msg::Leave) => self.leaving = true,
            Some(Msg::Stay) => self.leaving = false,
            Some(Msg::SignOut) => {
                world.apps.northbank.signed_in = false;
                world.finish();
                world.open(SignIn::of(world));
            }
            None => {}
        }
    }
}
