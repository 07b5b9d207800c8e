//! Where a code or password is wanted, and where one is shown.

use super::app::App;
use super::page::{Facts, Page};
use super::ui_element::{UiElement, level};
use crate::words::{self as w, Label};
use protocol::{Element, ElementState};

/// Codes asked for in more words than this are told of, not asked for.
const ASKED: usize = 40;
/// Words a field is called by at most: a sentence above a form is no name of its first field.
const NAMED: usize = 6;
/// A number pad has ten keys; a broken tree may lose one.
const PAD: usize = 9;
/// One-character cells of a code at least.
const CELLS: usize = 4;

impl<'a> Page<'a> {
    /// The field that wants a one-time code: by its id or label, else the only field of a page that speaks of a code.
    #[must_use]
    pub fn code_field(&self) -> Option<&'a Element> {
        let facts = self.facts();
        let mut fields = facts.fields();
        let called = |field: &UiElement<'a>| field.label.length() <= NAMED && w::CODE.mentioned(&field.label);
        if let Some(field) = fields.clone().find(|field| called(field) || id_wants_code(field)) {
            return Some(field.element);
        }
        let asks = |text: &Label| text.length() <= ASKED && w::CODE.mentioned(text);
        // "We'll text you a code" beside a password is a sign-in form: the code comes later.
        let later = || {
            fields
                .clone()
                .any(|field| field.is(ElementState::Password) && !self.is_narrow(field))
        };
        let asked = fields.clone().next().is_some() && facts.statements.iter().any(asks) && !later();
        let first = fields.next().filter(|_| asked)?;
        // Six one-character cells are one field to a person; two real fields are a form.
        let cells = fields.all(|field| self.is_narrow(field));
        (cells || first.is(ElementState::Focused)).then_some(first.element)
    }

    /// It has a field for a password or a code.
    #[must_use]
    pub fn wants_secret(&self) -> bool {
        let facts = self.facts();
        let hides = || facts.things.iter().any(|thing| thing.is(ElementState::Password));
        *facts
            .secret
            .get_or_init(|| hides() || self.code_field().is_some())
    }

    /// The same, or one that is called so.
    pub(crate) fn asks_secret(&self) -> bool {
        self.wants_secret() || self.facts().things.iter().any(UiElement::is_secret)
    }

    /// One of several narrow fields in a row: a code, in any language.
    pub(crate) fn is_cell(&self, field: &UiElement<'a>) -> bool {
        let row = |other: &&UiElement<'a>| self.is_narrow(other) && level(other.bounds(), field.bounds());
        let narrow = field.is_field() && self.is_narrow(field);
        narrow && self.facts().fields().filter(row).take(CELLS).count() == CELLS
    }

    fn is_narrow(&self, field: &UiElement<'_>) -> bool {
        let width = i64::from(field.bounds().right) - i64::from(field.bounds().left);
        width * 5 < i64::from(self.screen.width)
    }
}

impl Facts<'_> {
    /// Codes stand on the page to be read: an app that makes them, or one that gets them.
    pub(crate) fn shows_code(&self, package: &str) -> bool {
        let keeps = makes_codes(package);
        let code = |thing: &UiElement<'_>| {
            let label = &thing.element.label;
            let mut parts = label.split(", ").chain(label.split([',', ' ', ':', '.']));
            // Not every language writes blanks.
            let holds = parts.any(screen::code_like) || !screen::codes_in(label, true).is_empty();
            (keeps || speaks_of_code(&thing.label)) && holds
        };
        (keeps || matches!(self.app, App::Mail | App::Messenger | App::System))
            && self.things.iter().any(code)
    }

    /// This very code is told in a text of the page that speaks of codes.
    pub(crate) fn tells_code(&self, code: &str) -> bool {
        let mut texts = self.things.iter().filter(|thing| !thing.takes_presses());
        texts.any(|thing| speaks_of_code(&thing.label) && thing.element.label.contains(code))
    }

    /// A number is put together here.
    pub(crate) fn has_number_pad(&self) -> bool {
        self.things
            .iter()
            .filter(|thing| thing.is_digit())
            .take(PAD)
            .count()
            == PAD
    }

    /// A question for a secret number.
    pub(crate) fn asks_for_secret(&self) -> bool {
        let mut texts = self.statements.iter().filter(|text| text.length() <= ASKED);
        texts.any(|text| w::CODE.mentioned(text) || w::SECRET.mentioned(text))
    }
}

/// Whether an app is one that makes one-time codes, by its package.
#[must_use]
pub fn makes_codes(package: &str) -> bool {
    let package = package.to_ascii_lowercase();
    let parts = ["authenticator", "otp", "2fa"];
    parts.iter().any(|part| package.contains(part))
}

/// Whether a label speaks of a one-time code (and not of a post code or a voucher).
#[must_use]
pub fn mentions_code(label: &str) -> bool {
    speaks_of_code(&Label::new(label))
}

/// By its name, or as what is not to be told to anybody: "482913 is your Northbank number. Do not share it."
fn speaks_of_code(label: &Label) -> bool {
    w::CODE.mentioned(label) || w::WITHHOLD.mentioned(label)
}

fn id_wants_code(field: &UiElement<'_>) -> bool {
    let other = field.id_has("zip postal post country area promo coupon qr");
    !other && field.id_has("code otp pin passcode verification tan")
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
    let plain = bare.iter().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    (8..=30).contains(&bare.len()) && plain && bare.iter().any(char::is_ascii_digit)
}
