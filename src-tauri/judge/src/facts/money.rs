//! Money on a page: amounts, accounts, what pays.

use super::app::App;
use super::page::{Facts, Page};
use super::price::has_price;
use super::ui_element::UiElement;
use crate::words as w;
use protocol::{Amount, AskKind};

impl Page<'_> {
    /// Every amount on the screen, each once.
    #[must_use]
    pub fn amounts(&self) -> Vec<Amount> {
        let mut seen: Vec<Amount> = Vec::new();
        for (_, amount) in screen::amounts_on(&self.screen.elements) {
            if !seen.contains(&amount) {
                seen.push(amount);
            }
        }
        seen
    }

    /// Every card or account on the screen, each once.
    #[must_use]
    pub fn accounts(&self) -> Vec<String> {
        let mut seen: Vec<String> = Vec::new();
        for account in self
            .screen
            .elements
            .iter()
            .flat_map(|element| screen::accounts(&element.label))
        {
            if !seen.contains(&account.text) {
                seen.push(account.text);
            }
        }
        seen
    }

    /// A page from which money can be sent with one press.
    #[must_use]
    pub fn is_payment(&self) -> bool {
        let facts = self.facts();
        facts.pays() || facts.priced && self.element_for(AskKind::Payment).is_some()
    }
}

impl Facts<'_> {
    /// The page is about paying: an amount under a title that says so, in a bank's app beside an account, or over a button that
    /// pays; or fields for a card.
    pub(crate) fn pays(&self) -> bool {
        let by_button = || self.buttons().any(|thing| !thing.is_row() && thing.says(w::PAY));
        let accounts = || {
            self.things
                .iter()
                .any(|thing| !screen::accounts(&thing.element.label).is_empty())
        };
        let by_app = || self.app == App::Bank && (accounts() || self.fields().next().is_some());
        let about = || self.priced && (self.titled(w::PAY_TOPIC) || by_button() || by_app());
        *self
            .pays
            .get_or_init(|| !self.over && (self.wants_card() || about()))
    }

    /// It has a field for the number or the secret of a card.
    fn wants_card(&self) -> bool {
        self.fields().any(|field| w::CARD.mentioned(&field.label))
    }
}

impl UiElement<'_> {
    /// An amount of money stands on it.
    pub(crate) fn has_amount(&self) -> bool {
        has_price(&self.element.label)
    }

    /// An amount and nothing else.
    pub(crate) fn is_amount(&self) -> bool {
        let label = self.element.label.trim();
        let letters = label.chars().filter(|c| c.is_alphabetic()).count();
        label.chars().count() <= 14 && letters <= 3 && screen::amounts(label).len() == 1
    }
}
