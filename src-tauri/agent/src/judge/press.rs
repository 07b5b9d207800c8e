//! What a button does by its words, its id and its place.

use super::lexicon::{LEXICON, Lexicon};
use super::page::{Page, has, is_row, is_row_of_texts, subject};
use super::refusal::refuses;
use super::stake::{self, is_choice};
use super::vocabulary as v;
use super::words::{self, Label, Strength};
use super::{harmless, phrase};
use protocol::{AskKind, Element, State};

impl<'a> Page<'a> {
    /// The button of a kind on this page.
    #[must_use]
    pub fn element_for(self, kind: AskKind) -> Option<&'a Element> {
        let entry = LEXICON.iter().find(|entry| entry.kind == kind)?;
        self.screen
            .elements
            .iter()
            .find(|element| self.presses(element, entry))
    }

    /// Whether pressing `element` does what `entry` is about.
    pub(super) fn presses(self, element: &Element, entry: &Lexicon) -> bool {
        // A field is written into, not pressed: "Send a message" on it is its hint.
        if has(element, State::Editable) || has(element, State::Disabled) {
            return false;
        }
        if !has(element, State::Clickable) && !looks_pressable(element) {
            return false;
        }
        // What is ticked on a form is done by the form's own button; a view is only shown.
        let ticked = matches!(
            element.role.as_str(),
            "checkbox" | "radio" | "tab" | "keyboard_key"
        );
        let switched = element.role == "switch" && !matches!(entry.kind, AskKind::Payment | AskKind::Send);
        if ticked || switched {
            return false;
        }
        if harmless::excuses(&self, element, entry.kind) {
            return false;
        }
        let label = Label::new(subject(element));
        // "Change password" under "Update your login" installs nothing.
        if phrase::is_harmless(&self, &label)
            || (entry.kind == AskKind::Install && v::LOOK.begins(&label) && !words::begins(entry, &label))
        {
            return false;
        }
        if entry.kind == AskKind::Send && harmless::passes_on(&self, element, &label) {
            return false;
        }
        if has(element, State::Clickable) && is_small(element) && self.deed(&label) == Some(entry.kind) {
            return true;
        }
        if refuses(element) {
            return false;
        }
        // A row that speaks of such a thing opens a page about it: "Bid history, 7 bids".
        if is_row(element) && v::ABOUT_THING.mentioned(&label) {
            return false;
        }
        // "How to delete …" tells, "Clear search" only looks elsewhere.
        if tells_how(&label)
            || (entry.kind == AskKind::Delete && v::UNSET.names(&label))
            || (entry.kind == AskKind::Delete
                && (only_narrows(&label) || harmless::toggles(&label) || harmless::clears(&self, element)))
        {
            return false;
        }
        if words::id_says(&element.resource_id, entry.ids)
            && has(element, State::Clickable)
            && is_small(element)
            && element.role != "item"
        {
            return words::read(entry, &label) == Some(Strength::Strong) || label.words.is_empty() || {
                // An icon's description may say the same in a language the table lacks; a label that names a place does not.
                element.label.split_whitespace().count() <= 3 && !is_excepted(entry, &element.label)
            };
        }
        // An entry of a list opens what it names; only where it says little else does it do it.
        if element.role == "item"
            && !words::mostly(entry, &label)
            && !self.is_menu_entry(element, entry, &label)
        {
            return false;
        }
        if entry.kind == AskKind::Payment && self.is_form_row(element) {
            return false;
        }
        // "Add a note to the transfer" adds, "Send: pick files and share them" is a card that tells what it opens.
        let adds = || {
            entry.kind == AskKind::Payment
                && v::PUT.begins(&label)
                && !words::begins(entry, &label)
                && !super::price::has_price(&element.label)
        };
        let tells = || {
            entry.kind == AskKind::Send
                && is_row_of_texts(element)
                && label.words.len() <= 2
                && Label::new(&element.label).words.len() > 7
        };
        if adds() || tells() {
            return false;
        }
        // Making an account is handed in by a form; without one the word opens it.
        if entry.kind == AskKind::Oauth && v::JOIN.is(&label) {
            return false;
        }
        match words::read(entry, &label) {
            Some(Strength::Strong) => true,
            Some(Strength::Weak) if entry.kind == AskKind::Send => self.composes(),
            Some(Strength::Weak) if self.money_at_stake() => true,
            _ => match entry.kind {
                AskKind::Payment => {
                    v::PAY_YES.names(&label) && self.shows_price() && !self.is_over() && !is_row(element)
                }
                AskKind::Send => v::COMPOSE.names(&label) && self.composes() && !is_row(element),
                AskKind::Delete => v::BIN.is(&label) && self.is_icon(element),
                _ => false,
            },
        }
    }

    /// One short text that begins with the verb: "Delete this chat".
    fn is_menu_entry(self, element: &Element, entry: &Lexicon, label: &Label) -> bool {
        let short = if label.is_dense() {
            label.text.trim().chars().count() <= 8
        } else {
            label.words.len() <= 3
        };
        short
            && matches!(entry.kind, AskKind::Delete | AskKind::Send | AskKind::Oauth)
            && !element.label.contains([',', ':'])
            && words::begins(entry, label)
    }

    /// "Payment, cash" above the button that orders: a row of the form.
    fn is_form_row(self, element: &Element) -> bool {
        let orders = |other: &Element| {
            let label = Label::new(&other.label);
            is_choice(other)
                && !is_row(other)
                && other.bounds.top >= element.bounds.bottom
                && (stake::deed(&label).is_some() || words::strong(AskKind::Payment, &label))
        };
        is_row_of_texts(element) && self.screen.elements.iter().any(orders)
    }

    /// What a button does that says a verb and what it is done to: "submit transfer", "Afspraak afzeggen".
    fn deed(self, label: &Label) -> Option<AskKind> {
        let deed = stake::deed(label)?;
        let needs_price = deed == stake::Deed::Use;
        (!needs_price || self.shows_price()).then(|| deed.kind())
    }
}

/// It says how something is done, and does not do it.
fn tells_how(label: &Label) -> bool {
    v::HOW_TO.any(label, |place| !place.whole && (place.at == 0 || label.is_dense()))
}

/// It takes a filter or a search away, and no history.
fn only_narrows(label: &Label) -> bool {
    v::FILTER.mentioned(label) && !v::HISTORY.mentioned(label)
}

fn is_excepted(entry: &Lexicon, label: &str) -> bool {
    words::mentions(label, entry.except)
}

/// Custom buttons are often neither clickable nor of a button's class; what is drawn as one has a short label.
fn looks_pressable(element: &Element) -> bool {
    matches!(
        element.role.as_str(),
        "button" | "link" | "image" | "menu_item" | "tab" | "slider" | "switch"
    )
}

/// A button's size, not a row's or a page's: at most a fifth of the height a person would call a button.
fn is_small(element: &Element) -> bool {
    element.label.chars().count() <= 40
}
