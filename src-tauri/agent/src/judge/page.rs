//! What kind of page stands around a touch.

use super::lexicon::{ALLOW_WORDS, MONEY_NAMES, MONEY_PACKAGES, PERMISSION_PACKAGES};
use super::refusal::refuses;
use super::stake::{is_choice, says_yes};
use super::vocabulary as v;
use super::words::{self, Label};
use protocol::{Amount, AskKind, Bounds, CaptureResult, Element, Screen, State};

/// A screen, read for what is at stake on it.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The screen.
    pub screen: &'a Screen,
}

impl<'a> Page<'a> {
    /// Reads a screen.
    #[must_use]
    pub fn new(screen: &'a Screen) -> Self {
        Self { screen }
    }

    /// The elements under a pixel that could take a touch: everything but large shapes that are not clickable.
    pub(super) fn under(self, x: i32, y: i32) -> impl Iterator<Item = &'a Element> {
        let whole = i64::from(self.screen.width) * i64::from(self.screen.height);
        let takes = move |element: &Element| {
            contains(element.bounds, x, y)
                && (has(element, State::Clickable) || area(element.bounds) * 2 < whole)
        };
        let elements = &self.screen.elements;
        elements.iter().filter(move |element| {
            // What lies inside takes the touch, not the sheet around it.
            let inner = |other: &Element| {
                takes(other) && has(other, State::Clickable) && encloses(element.bounds, other.bounds)
            };
            takes(element) && !(area(element.bounds) * 8 > whole && elements.iter().any(inner))
        })
    }

    /// The field that has the keyboard.
    #[must_use]
    pub fn focused_field(self) -> Option<&'a Element> {
        self.focused().filter(|element| has(element, State::Editable))
    }

    /// A touch on this screen that nobody can read could cost money.
    #[must_use]
    pub fn is_risky(self) -> bool {
        self.risky_unread()
    }

    /// The element that has the keyboard.
    #[must_use]
    pub fn focused(self) -> Option<&'a Element> {
        self.screen
            .elements
            .iter()
            .find(|element| has(element, State::Focused))
    }

    /// It has a field for a password or a code.
    #[must_use]
    pub fn wants_secret(self) -> bool {
        self.screen
            .elements
            .iter()
            .any(|element| has(element, State::Password))
            || self.code_field().is_some()
    }

    /// An app in which money moves.
    pub(super) fn money_app(self) -> bool {
        let package = self.screen.current_app.to_ascii_lowercase();
        let named = |part: &str| {
            MONEY_NAMES
                .iter()
                .any(|name| part == *name || (name.len() >= 5 && part.starts_with(name)))
        };
        let dotted = |name: &&&str| name.contains('.') && package.contains(**name);
        MONEY_PACKAGES.iter().any(|part| package.contains(part))
            || MONEY_NAMES.iter().any(|name| dotted(&name))
            || package.split('.').any(named)
    }

    /// A page from which money can be sent with one press.
    #[must_use]
    pub fn is_payment(self) -> bool {
        self.element_for(AskKind::Payment).is_some()
    }

    /// What this page is for, where it pays, sends or deletes.
    #[must_use]
    pub fn matters(self) -> Option<AskKind> {
        let kinds = [AskKind::Payment, AskKind::Send, AskKind::Delete];
        let stake = self.stake();
        kinds
            .into_iter()
            .find(|kind| stake.kinds.iter().any(|(at, _)| at == kind) || self.element_for(*kind).is_some())
    }

    /// Small enough to be a picture, not a row.
    pub(super) fn is_icon(self, element: &Element) -> bool {
        let width = i64::from(element.bounds.right) - i64::from(element.bounds.left);
        has(element, State::Clickable) && width * 4 <= i64::from(self.screen.width)
    }

    /// A button of four fifths of the width, and no row.
    pub(super) fn is_wide_button(self, element: &Element) -> bool {
        let wide = i64::from(element.bounds.right) - i64::from(element.bounds.left);
        is_choice(element) && !is_row(element) && wide * 10 >= i64::from(self.screen.width) * 8
    }

    /// One of several that carry a price is chosen.
    pub(super) fn has_priced_choice(self) -> bool {
        let chosen = |one: &Element| {
            has(one, State::Checked) && one.role == "radio" && super::price::has_price(&one.label)
        };
        self.screen.elements.iter().any(chosen)
    }

    /// Its title says that it gives something, a place above all, to somebody.
    pub(super) fn gives(self) -> bool {
        self.titles()
            .take(2)
            .any(|title| v::SHARE_TOPIC.mentioned(&title))
    }

    /// The lowest wide button of a page, in its lower third.
    pub(super) fn is_foot_button(self, element: &Element) -> bool {
        let height = i64::from(self.screen.height);
        let foot = |one: &Element| self.is_wide_button(one) && i64::from(one.bounds.top) * 3 >= height * 2;
        let lower = |other: &Element| foot(other) && other.bounds.top > element.bounds.top;
        foot(element) && !self.screen.elements.iter().any(lower)
    }

    /// In the bar at the top.
    pub(super) fn in_bar(self, element: &Element) -> bool {
        i64::from(element.bounds.bottom) * 100 < i64::from(self.screen.height) * 12
    }

    /// The yes of Android's own dialogs, by its id, beside a no.
    pub(super) fn is_androids_yes(self, element: &Element) -> bool {
        let no = |other: &Element| {
            other.resource_id.ends_with(":id/button2") && is_choice(other) && refuses(other)
        };
        element.resource_id.ends_with(":id/button1") && self.screen.elements.iter().any(no)
    }

    /// One of its buttons says no.
    pub(super) fn refusable(self) -> bool {
        let mut elements = self.screen.elements.iter();
        elements.any(|other| is_choice(other) && refuses(other))
    }

    /// Something is written on this page, or about to be: a field that is no search and no password.
    pub(super) fn composes(self) -> bool {
        self.drafts().next().is_some()
    }

    /// A message is being written.
    pub(super) fn composes_message(self) -> bool {
        self.drafts()
            .any(|field| v::MESSAGE.is(&Label::new(&field.label)))
    }

    /// The fields with something in them, or with the keyboard.
    pub(super) fn drafts(self) -> impl Iterator<Item = &'a Element> {
        self.screen.elements.iter().filter(move |element| {
            has(element, State::Editable)
                && !has(element, State::Password)
                && !is_search(element)
                && !self.looks_for(element)
                && (has(element, State::Focused)
                    || element
                        .value
                        .as_deref()
                        .is_some_and(|value| !value.trim().is_empty())
                    || !element.label.is_empty())
        })
    }

    /// A field without a name at the top that nobody writes into: it holds what was looked for.
    fn looks_for(self, field: &Element) -> bool {
        let height = i32::try_from(self.screen.height).unwrap_or(i32::MAX);
        let beside_sender = self.screen.elements.iter().any(|other| {
            has(other, State::Clickable)
                && !has(other, State::Editable)
                && side_by_side(other.bounds, field.bounds)
        });
        field.label.is_empty()
            && !has(field, State::Focused)
            && field.bounds.bottom < height / 100 * 15
            && !beside_sender
    }

    /// At the end of the line one writes on stands the button that sends it.
    pub(super) fn sends_beside(self, element: &Element) -> bool {
        let height = i32::try_from(self.screen.height).unwrap_or(i32::MAX);
        let width = i64::from(element.bounds.right) - i64::from(element.bounds.left);
        width * 2 <= i64::from(self.screen.width)
            && self.drafts().any(|field| {
                let (a, b) = (element.bounds, field.bounds);
                let beside = element.index != field.index && side_by_side(a, b);
                let full = field
                    .value
                    .as_deref()
                    .is_some_and(|value| !value.trim().is_empty())
                    || has(field, State::Focused);
                let after = a.left >= b.right - 8;
                let before = a.right <= b.left + 8 && self.writes_from_right();
                full && beside && (after || before) && b.top > height / 2
            })
    }

    /// Something to press stands beside this field.
    pub(super) fn sends_near(self, field: &Element) -> bool {
        let beside = |other: &Element| {
            other.index != field.index && is_choice(other) && side_by_side(other.bounds, field.bounds)
        };
        self.screen.elements.iter().any(beside)
    }

    fn writes_from_right(self) -> bool {
        let from_right = |c: char| matches!(c, '\u{590}'..='\u{8ff}');
        self.screen.elements.iter().any(|element| {
            element.label.chars().any(from_right)
                || element.value.iter().any(|value| value.chars().any(from_right))
        })
    }

    /// Fields to fill.
    pub(super) fn fields(self) -> impl Iterator<Item = &'a Element> {
        self.screen
            .elements
            .iter()
            .filter(|element| has(element, State::Editable) && !is_search(element))
    }

    /// The button a form is handed in by: the first below its last field.
    pub(super) fn form_button(self) -> Option<&'a Element> {
        let last = self.fields().map(|field| field.bounds.bottom).max()?;
        let hands_in = |element: &&Element| {
            let label = Label::new(&element.label);
            is_choice(element)
                && element.bounds.top >= last - 8
                && !label.words.is_empty()
                && !v::NO.is(&label)
                && !v::FORGOT.mentioned(&label)
        };
        let below = self.screen.elements.iter().filter(hands_in);
        below.min_by_key(|element| element.bounds.top)
    }

    /// Money is on this screen, and an account it would come from or go to; or the app is a bank's and money shows; or
    /// the page is about paying.
    pub(super) fn money_at_stake(self) -> bool {
        if !self.shows_price() || self.is_over() {
            return false;
        }
        self.money_app() || !self.accounts().is_empty() || self.is_money_page()
    }

    /// Every amount on the screen, each once.
    #[must_use]
    pub fn amounts(self) -> Vec<Amount> {
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
    pub fn accounts(self) -> Vec<String> {
        let mut seen: Vec<String> = Vec::new();
        for element in &self.screen.elements {
            for account in screen::accounts(&element.label) {
                if !seen.contains(&account.text) {
                    seen.push(account.text);
                }
            }
        }
        seen
    }

    /// Android's own permission dialog.
    pub(super) fn is_permission_dialog(self) -> bool {
        PERMISSION_PACKAGES.contains(&self.screen.current_app.as_str())
            || self
                .screen
                .elements
                .iter()
                .any(|e| PERMISSION_PACKAGES.contains(&e.package.as_str()))
    }

    /// Its tree has nothing to read: no word, and no name of anything that takes a press.
    pub(super) fn is_mute(self) -> bool {
        let says = |element: &Element| {
            !element.label.is_empty()
                || element.value.is_some()
                || (has(element, State::Clickable) && !element.resource_id.is_empty())
        };
        self.screen.tree_read && !self.screen.elements.iter().any(says)
    }

    /// A screen whose touches cannot be read and where that is dangerous.
    pub(super) fn risky_unread(self) -> bool {
        self.money_app() || self.screen.capture == CaptureResult::Protected
    }

    /// Below this line a touch lands on the soft keyboard.
    pub(super) fn keyboard_top(self) -> Option<i32> {
        if !self.screen.keyboard_shown {
            return None;
        }
        let height = i32::try_from(self.screen.height).unwrap_or(i32::MAX);
        // Keyboards take 35–42 % of an upright screen and about half of one on its side.
        let share = if self.screen.height >= self.screen.width {
            58
        } else {
            45
        };
        Some(height / 100 * share)
    }
}

/// Android's allow buttons, by resource id first, by exact words second.
pub(super) fn allows(element: &Element) -> bool {
    let name = element.resource_id.rsplit('/').next().unwrap_or_default();
    if name.starts_with("permission_allow") || name == "permission_no_upgrade_and_dont_ask_again_button" {
        return name.starts_with("permission_allow");
    }
    if name.starts_with("permission_deny") {
        return false;
    }
    let label = element.label.to_lowercase();
    has(element, State::Clickable) && ALLOW_WORDS.contains(&label.trim())
}

/// A field that only looks for something.
pub(super) fn is_search(element: &Element) -> bool {
    v::SEARCH.names(&Label::new(&element.label))
        || words::id_says(&element.resource_id, &["search", "query", "find"])
}

/// Gathered from several texts.
pub(super) fn is_row_of_texts(element: &Element) -> bool {
    element.label.trim_matches([',', ' ']).contains(", ")
}

/// One entry of a list, or a row gathered from several texts.
pub(super) fn is_row(element: &Element) -> bool {
    element.role == "item" || is_row_of_texts(element)
}

/// What a thing is called: of a row gathered from several texts, the first that has letters.
pub(super) fn subject(element: &Element) -> &str {
    let label = element.label.as_str();
    // "Synonyms: erase, cancel" is named by what stands before the colon.
    if let Some((name, _)) = label.split_once(": ")
        && !Label::new(name).words.is_empty()
    {
        return name;
    }
    let Some((first, _)) = label.split_once(", ") else {
        return label;
    };
    let first_label = Label::new(first);
    // A picture's letter ("G, Continue with Google") names nothing.
    let bare = first.chars().filter(|c| c.is_alphabetic()).count() < 2 && !first_label.is_dense()
        || first_label.words.is_empty();
    if bare || says_yes(&first_label) || v::NO.is(&first_label) {
        return label;
    }
    first
}

pub(super) fn has(element: &Element, state: State) -> bool {
    element.states.contains(&state)
}

/// How far two of a row may stand apart, in pixels.
const LEVEL: i32 = 8;

/// They begin at the same height.
pub(super) fn level(a: Bounds, b: Bounds) -> bool {
    (a.top - b.top).abs() <= LEVEL
}

/// They are of one width and one height.
pub(super) fn like_sized(a: Bounds, b: Bounds) -> bool {
    ((a.right - a.left) - (b.right - b.left)).abs() <= LEVEL && like_high(a, b)
}

/// They are of one height.
pub(super) fn like_high(a: Bounds, b: Bounds) -> bool {
    ((a.bottom - a.top) - (b.bottom - b.top)).abs() <= LEVEL
}

/// A line across the screen meets both.
pub(super) fn side_by_side(a: Bounds, b: Bounds) -> bool {
    a.top < b.bottom && b.top < a.bottom
}

pub(super) fn contains(bounds: Bounds, x: i32, y: i32) -> bool {
    x >= bounds.left && x < bounds.right && y >= bounds.top && y < bounds.bottom
}

/// Whether one rectangle lies inside another and is smaller.
fn encloses(outer: Bounds, inner: Bounds) -> bool {
    let within = inner.left >= outer.left
        && inner.top >= outer.top
        && inner.right <= outer.right
        && inner.bottom <= outer.bottom;
    within && inner != outer
}

fn area(bounds: Bounds) -> i64 {
    i64::from(bounds.right - bounds.left) * i64::from(bounds.bottom - bounds.top)
}
