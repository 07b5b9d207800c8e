//! A screen turned once into typed facts.

mod app;
mod money;
mod secret;
mod spot;
mod thing;

pub(crate) use app::App;
pub(crate) use thing::{Thing, encloses, holds, id_name, level};

pub(crate) use money::is_card_number;
pub use secret::mentions_code;
pub(crate) use secret::{looks_like_code, looks_like_voucher};

use crate::words::{self, Label, Lexicon};
use protocol::{AskKind, CaptureResult, Element, Screen, State};
use std::cell::OnceCell;

/// A page that asks something has few things to press.
const FEW: usize = 8;
/// The texts at the top that say what a page is.
const TITLES: usize = 3;
/// A title has few words.
const TITLE: usize = 8;
/// Longer texts are read no further, in characters.
const STATEMENT: usize = 600;

/// A screen, read for what is at stake on it.
#[derive(Debug)]
pub struct Page<'a> {
    /// The screen.
    pub screen: &'a Screen,
    read: OnceCell<Box<Facts<'a>>>,
}

/// What a page is about.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts are true or not")]
pub(crate) struct Facts<'a> {
    pub(crate) things: Vec<Thing<'a>>,
    pub(crate) app: App,
    /// A tree without a word.
    pub(crate) mute: bool,
    /// All there is was read.
    pub(crate) read: bool,
    /// A window over another: it waits for an answer.
    pub(crate) dialog: bool,
    /// It asks something: a dialog, or a question with few answers.
    pub(crate) asks: bool,
    /// What the page was about has happened.
    pub(crate) over: bool,
    /// An amount of money stands on it.
    pub(crate) priced: bool,
    /// It speaks to whoever reads it for a person.
    pub(crate) speaks: bool,
    /// What is read and not pressed, in reading order; the first are its titles.
    pub(crate) statements: Vec<Label>,
}

impl<'a> Page<'a> {
    /// Reads a screen.
    #[must_use]
    pub fn new(screen: &'a Screen) -> Self {
        Self {
            screen,
            read: OnceCell::new(),
        }
    }

    pub(crate) fn facts(&self) -> &Facts<'a> {
        self.read.get_or_init(|| Box::new(Facts::of(self.screen)))
    }

    /// The element that has the keyboard.
    #[must_use]
    pub fn focused(&self) -> Option<&'a Element> {
        self.screen
            .elements
            .iter()
            .find(|element| element.states.contains(&State::Focused))
    }

    /// The field that has the keyboard.
    #[must_use]
    pub fn focused_field(&self) -> Option<&'a Element> {
        self.focused()
            .filter(|element| element.states.contains(&State::Editable))
    }

    /// The button that does what this kind is about, where the page has one.
    #[must_use]
    pub fn element_for(&self, kind: AskKind) -> Option<&'a Element> {
        let words: &Lexicon = match kind {
            AskKind::Payment => &words::PAY,
            AskKind::Send => &words::SEND,
            AskKind::Delete => &words::DELETE,
            AskKind::Oauth => &words::SIGN,
            AskKind::Install => &words::INSTALL,
            AskKind::Permission => &words::GRANT,
            _ => return None,
        };
        let facts = self.facts();
        let mut things = facts
            .things
            .iter()
            .filter(|thing| thing.is_button() && !thing.is(State::Disabled));
        things.find(|thing| thing.says(words)).map(|thing| thing.element)
    }

    /// A touch on this screen that nobody can read could cost money, or the app hides what it shows.
    #[must_use]
    pub fn is_risky(&self) -> bool {
        App::of(&self.screen.current_app) == App::Bank || self.screen.capture == CaptureResult::Protected
    }

    /// What this page is for, where it pays, sends or deletes.
    #[must_use]
    pub fn matters(&self) -> Option<AskKind> {
        if self.is_payment() {
            return Some(AskKind::Payment);
        }
        let facts = self.facts();
        let about = |words| facts.asks && facts.statements.iter().any(|text| facts.tells(words, text));
        if self.element_for(AskKind::Send).is_some() {
            return Some(AskKind::Send);
        }
        (about(&words::DELETE) || self.element_for(AskKind::Delete).is_some()).then_some(AskKind::Delete)
    }

    /// Below this line a touch lands on the soft keyboard.
    pub(crate) fn keyboard_top(&self) -> Option<i32> {
        let shown = self.screen.keyboard_shown;
        let height = i32::try_from(self.screen.height).unwrap_or(i32::MAX);
        // Keyboards take 35–42 % of an upright screen and about half of one on its side.
        let share = if self.screen.height >= self.screen.width {
            58
        } else {
            45
        };
        shown.then_some(height / 100 * share)
    }
}

impl<'a> Facts<'a> {
    fn of(screen: &'a Screen) -> Self {
        let things: Vec<Thing<'a>> = screen.elements.iter().map(Thing::new).collect();
        let told = things.iter().filter(|thing| {
            let written = thing.element.label.chars().count() <= STATEMENT && !thing.element.label.is_empty();
            written && !thing.takes_presses() && thing.role() != "keyboard_key"
        });
        let statements: Vec<Label> = told.map(|thing| thing.label.clone()).collect();
        let mute = screen.tree_read
            && things
                .iter()
                .all(|thing| thing.is_wordless() && thing.draft().is_none());
        let mut facts = Self {
            app: App::of(&screen.current_app),
            read: screen.tree_read && !mute && screen.totals.truncated_elements == 0,
            mute,
            dialog: false,
            asks: false,
            over: false,
            priced: money::is_priced(&screen.elements),
            speaks: false,
            statements,
            things,
        };
        facts.dialog = facts.is_dialog(screen);
        let question = || screen.elements.iter().any(|element| asks(element));
        facts.asks = facts.dialog || facts.buttons().count() <= FEW && question();
        facts.over = facts.titled(&words::DONE) && !facts.dialog;
        facts.speaks = facts.speaks_to_assistants();
        facts
    }

    pub(crate) fn buttons(&self) -> impl Iterator<Item = &Thing<'a>> {
        self.things.iter().filter(|thing| thing.is_button())
    }

    pub(crate) fn fields(&self) -> impl Iterator<Item = &Thing<'a>> {
        self.things
            .iter()
            .filter(|thing| thing.is_field() && !thing.is_search())
    }

    pub(crate) fn titles(&self) -> impl Iterator<Item = &Label> {
        self.statements.iter().take(TITLES)
    }

    /// One of the texts at the top speaks of this.
    pub(crate) fn titled(&self, words: &Lexicon) -> bool {
        self.titles()
            .any(|title| title.length() <= TITLE && words.mentioned(title))
    }

    /// Some text speaks of this, where the page asks; else a title does.
    pub(crate) fn is_about(&self, words: &Lexicon) -> bool {
        self.titled(words) || self.asks && self.statements.iter().any(|text| self.tells(words, text))
    }

    fn tells(&self, words: &Lexicon, text: &Label) -> bool {
        words.mentioned(text)
    }

    /// A window over another, by Android's ids or by its place.
    fn is_dialog(&self, screen: &Screen) -> bool {
        let by_id = |thing: &Thing<'_>| {
            matches!(
                id_name(&thing.element.resource_id),
                "alertTitle" | "button1" | "button2" | "permission_message"
            )
        };
        if self.things.iter().any(by_id) {
            return true;
        }
        let height = i32::try_from(screen.height).unwrap_or(i32::MAX);
        let top = self.things.iter().map(|thing| thing.bounds().top).min();
        let bottom = self.things.iter().map(|thing| thing.bounds().bottom).max();
        let (Some(top), Some(bottom)) = (top, bottom) else {
            return false;
        };
        let low = top > height / 100 * 15 && bottom.saturating_sub(top) < height / 100 * 75;
        let refusable = || self.buttons().any(|thing| thing.is_called(&words::NO));
        let answers = || {
            self.buttons()
                .any(|thing| thing.says(&words::YES) || thing.says(&words::GRANT))
        };
        let asked = || screen.elements.iter().any(asks);
        let answered = || (refusable() || self.app.is_system()) && answers();
        low && self.buttons().count() <= FEW && (asked() || answered() || self.app == App::Permission)
    }

    fn speaks_to_assistants(&self) -> bool {
        let texts = self
            .statements
            .iter()
            .chain(self.things.iter().map(|thing| &thing.label));
        texts
            .filter(|text| text.length() > 3)
            .any(|text| words::ASSISTANT.mentioned(text))
    }
}

/// It is read, and it is a question.
fn asks(element: &Element) -> bool {
    let pressed = [State::Clickable, State::Editable]
        .iter()
        .any(|state| element.states.contains(state));
    let text = element.label.trim();
    // Greek asks with a semicolon.
    let greek = text.ends_with(';') && text.chars().any(|c| matches!(c, '\u{370}'..='\u{3ff}'));
    let bare = text.trim_end_matches(['。', '.']);
    let ends = ["吗", "嗎", "か", "ไหม", "หรือไม่", "까요", "까", "လား", "ບໍ່", "ទេ"];
    let asked = text.contains(['?', '？', '؟', '\u{37e}', '՞', '፧']);
    !pressed && (greek || asked || ends.iter().any(|end| bare.ends_with(end)))
}

/// Whether any of `phrases` stands in `text` as whole words, wherever.
#[must_use]
pub fn mentions(text: &str, phrases: &[&str]) -> bool {
    Lexicon::of(phrases).mentioned(&Label::new(text))
}

/// Whether a task, in the person's own words, may speak of sending or deleting something.
#[must_use]
pub fn tells_to_send_or_delete(task: &str) -> bool {
    let words = Label::new(task);
    let also = || {
        mentions(
            task,
            &[
                "text", "tell", "write", "message", "schreib", "schreibe", "écris", "escribe", "scrivi",
                "remove",
            ],
        )
    };
    words::SEND.mentioned(&words)
        || words::DELETE.mentioned(&words)
        || words::MESSAGE.mentioned(&words)
        || also()
}

/// Whether a task, in the person's own words, speaks of signing in: "Sign in to Northbank", "Please log me in".
#[must_use]
pub fn tells_to_sign_in(task: &str) -> bool {
    words::SIGN_IN.mentioned(&Label::new(task))
}
