//! Where a one-time code is wanted, and where one is shown.

use super::lexicon::{CODE_WORDS, NOT_CODE};
use super::page::{Page, has};
use super::words;
use protocol::{Element, Screen, State};

impl<'a> Page<'a> {
    /// The field that wants a one-time code: by its id or label, else the only field of a page that speaks of a code.
    #[must_use]
    pub fn code_field(self) -> Option<&'a Element> {
        let fields = || {
            self.screen
                .elements
                .iter()
                .filter(|element| has(element, State::Editable))
        };
        if let Some(field) =
            fields().find(|field| wants_code(&field.label) || id_wants_code(&field.resource_id))
        {
            return Some(field);
        }
        let about_code = self
            .screen
            .elements
            .iter()
            .any(|e| !has(e, State::Editable) && asks_for_code(&e.label));
        if !about_code {
            return None;
        }
        // "We'll text you a code" beside a password is a sign-in form: the code comes later.
        if fields().any(|field| has(field, State::Password) && !is_cell(field, self.screen)) {
            return None;
        }
        let mut candidates = fields();
        let first = candidates.next()?;
        // Six one-character cells are one field to a person; two real fields are a sign-in form.
        let others_are_cells = candidates.all(|field| is_cell(field, self.screen));
        (others_are_cells || has(first, State::Focused)).then_some(first)
    }

    /// Codes stand on the screen to be read: an app that makes them, or one that gets them.
    pub(super) fn shows_code(self) -> bool {
        let app = self.screen.current_app.to_lowercase();
        let keeper = ["authenticator", "otp", "2fa", "messaging", ".mms", ".sms"];
        keeper.iter().any(|part| app.contains(part))
            && self.screen.elements.iter().any(|element| {
                let parts = || element.label.split(", ");
                parts().any(screen::code_like)
                    || (wants_code(&element.label) && element.label.chars().any(char::is_numeric))
            })
    }
}

/// Whether a label asks the person for a code.
fn asks_for_code(label: &str) -> bool {
    wants_code(label) && label.chars().count() <= 200
}

pub(super) fn wants_code(label: &str) -> bool {
    !words::mentions(label, NOT_CODE) && words::mentions(label, CODE_WORDS)
}

fn id_wants_code(resource_id: &str) -> bool {
    const CODE_IDS: &[&str] = &["code", "otp", "pin", "passcode", "verification", "tan"];
    const NOT_IDS: &[&str] = &[
        "zip", "postal", "post", "country", "area", "promo", "coupon", "qr",
    ];
    words::id_says(resource_id, CODE_IDS) && !words::id_says(resource_id, NOT_IDS)
}

/// One of a row of narrow fields, a character each.
fn is_cell(element: &Element, screen: &Screen) -> bool {
    let width = i64::from(element.bounds.right) - i64::from(element.bounds.left);
    width * 5 < i64::from(screen.width)
}
