//! Where a code or password is wanted, and where one is shown.

use super::{App, Facts, Page, Thing, level};
use crate::words::{self, Label};
use protocol::{Element, State};

/// Codes asked for in more words than this are told of, not asked for.
const ASKED: usize = 40;
/// Words a field is called by at most.
const NAMED: usize = 6;

impl<'a> Page<'a> {
    /// The field that wants a one-time code: by its id or label, else the only field of a page that speaks of a code.
    #[must_use]
    pub fn code_field(&self) -> Option<&'a Element> {
        let facts = self.facts();
        let mut fields = facts.things.iter().filter(|thing| thing.is_field());
        let named = |field: &&Thing<'a>| {
            // A sentence above a form is no name of its first field.
            let called = field.label.length() <= NAMED && words::CODE.mentioned(&field.label);
            called || id_wants_code(&field.element.resource_id)
        };
        if let Some(field) = fields.clone().find(named) {
            return Some(field.element);
        }
        let asked = facts
            .statements
            .iter()
            .any(|text| text.length() <= ASKED && words::CODE.mentioned(text));
        // "We'll text you a code" beside a password is a sign-in form: the code comes later.
        let later = fields
            .clone()
            .any(|field| field.is(State::Password) && !self.is_narrow(field));
        let first = fields.next().filter(|_| asked && !later)?;
        // Six one-character cells are one field to a person; two real fields are a form.
        let cells = fields.all(|field| self.is_narrow(field));
        (cells || first.is(State::Focused)).then_some(first.element)
    }

    /// It has a field for a password or a code.
    #[must_use]
    pub fn wants_secret(&self) -> bool {
        let mut elements = self.screen.elements.iter();
        elements.any(|element| element.states.contains(&State::Password)) || self.code_field().is_some()
    }

    /// One of at least four narrow fields in a row: a code, in any language.
    pub(crate) fn is_cell(&self, field: &Thing<'a>) -> bool {
        let row = |other: &&Thing<'a>| self.is_narrow(other) && level(other.bounds(), field.bounds());
        field.is_field() && self.is_narrow(field) && self.facts().fields().filter(row).take(4).count() == 4
    }

    fn is_narrow(&self, field: &Thing<'_>) -> bool {
        let width = i64::from(field.bounds().right) - i64::from(field.bounds().left);
        width * 5 < i64::from(self.screen.width)
    }
}

impl Facts<'_> {
    /// Codes stand on the page to be read: an app that makes them, or one that gets them.
    pub(crate) fn shows_code(&self, package: &str) -> bool {
        let keeps = ["authenticator", "otp", "2fa"]
            .iter()
            .any(|part| package.to_ascii_lowercase().contains(part));
        let code = |thing: &Thing<'_>| {
            let parts = || {
                thing
                    .element
                    .label
                    .split([',', ' ', ':', '.'])
                    .chain(thing.element.label.split(", "))
            };
            parts().any(screen::code_like) && (keeps || words::CODE.mentioned(&thing.label))
        };
        (keeps || matches!(self.app, App::Messenger | App::System)) && self.things.iter().any(code)
    }

    /// Nine digits at least to press: a number is put together.
    pub(crate) fn has_number_pad(&self) -> bool {
        let digit = |thing: &&Thing<'_>| {
            let mut chars = thing
                .element
                .label
                .split(',')
                .next()
                .unwrap_or_default()
                .trim()
                .chars();
            thing.takes_presses() && chars.next().is_some_and(char::is_numeric) && chars.next().is_none()
        };
        self.things.iter().filter(digit).take(9).count() == 9
    }

    /// A question for a secret number.
    pub(crate) fn asks_for_secret(&self) -> bool {
        let asked = |text: &Label| {
            text.length() <= ASKED && (words::CODE.mentioned(text) || words::SECRET.mentioned(text))
        };
        self.statements.iter().any(asked)
    }
}

/// Whether a label speaks of a one-time code (and not of a post code or a voucher).
#[must_use]
pub fn mentions_code(label: &str) -> bool {
    words::CODE.mentioned(&Label::new(label))
}

fn id_wants_code(resource_id: &str) -> bool {
    const CODES: &[&str] = &["code", "otp", "pin", "passcode", "verification", "tan"];
    const OTHERS: &[&str] = &[
        "zip", "postal", "post", "country", "area", "promo", "coupon", "qr",
    ];
    let words = super::thing::id_words(resource_id);
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    has(CODES) && !has(OTHERS)
}

/// Four to ten letters and digits, most of them digits; one digit at a time is how a code is typed into cells.
pub(crate) fn looks_like_code(text: &str) -> bool {
    let bare: Vec<char> = text.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
    let digits = bare.iter().filter(|c| c.is_numeric()).count();
    (1..=10).contains(&bare.len()) && bare.iter().all(|c| c.is_alphanumeric()) && digits * 2 >= bare.len()
}

/// Groups of capitals and digits, as on cards that are worth money.
pub(crate) fn looks_like_voucher(text: &str) -> bool {
    let bare: Vec<char> = text.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
    (8..=30).contains(&bare.len())
        && bare.iter().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
        && bare.iter().any(char::is_ascii_digit)
}
