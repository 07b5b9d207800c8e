//! What a page shows, and what it is about.

use super::app::App;
use super::price;
use super::ui_element::{UiElement, id_name};
use crate::words::{self as w, Label, Words};
use protocol::{AskKind, Bounds, CaptureResult, Element, ElementState, Role, Screen};
use std::cell::OnceCell;

/// Hundredths of the width that a wide thing has at least: almost half.
pub(crate) const WIDE: i64 = 44;
/// Hundredths of the height: where the upper part of a page ends.
const HIGH: i64 = 40;
/// One line is no higher than one of so many parts of the longer side.
const LINE: i64 = 14;
/// Pixels a button may overlap the field it stands below or beside.
pub(crate) const NEAR: i32 = 8;
/// A page that asks something has few things to press.
const FEW: usize = 8;
/// The texts at the top that say what a page is; a title has few words.
const TITLES: usize = 3;
const TITLE: usize = 8;
/// A text of so few words says nothing to whoever reads it for a person.
const TOLD: usize = 3;
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
    pub(crate) things: Vec<UiElement<'a>>,
    pub(crate) app: App,
    /// All there is was read, and there are words.
    pub(crate) read: bool,
    /// A tree without a word.
    pub(crate) mute: bool,
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
    pub(super) pays: OnceCell<bool>,
    pub(super) secret: OnceCell<bool>,
}

impl<'a> Page<'a> {
    /// Reads a screen.
    #[must_use]
    pub fn new(screen: &'a Screen) -> Self {
        let read = OnceCell::new();
        Self { screen, read }
    }

    pub(crate) fn facts(&self) -> &Facts<'a> {
        self.read.get_or_init(|| Box::new(Facts::of(self.screen)))
    }

    /// The element that has the keyboard.
    #[must_use]
    pub fn focused(&self) -> Option<&'a Element> {
        let mut elements = self.screen.elements.iter();
        elements.find(|element| element.states.contains(&ElementState::Focused))
    }

    /// The field that has the keyboard.
    #[must_use]
    pub fn focused_field(&self) -> Option<&'a Element> {
        self.focused()
            .filter(|element| element.states.contains(&ElementState::Editable))
    }

    /// The button that does what this kind is about, where the page has one.
    #[must_use]
    pub fn element_for(&self, kind: AskKind) -> Option<&'a Element> {
        let words = match kind {
            AskKind::Payment => w::PAY,
            AskKind::Send => w::SEND,
            AskKind::Delete => w::DELETE,
            AskKind::Oauth => w::SIGN,
            AskKind::Install => w::INSTALL,
            AskKind::Permission => w::GRANT,
            _ => return None,
        };
        let says = |thing: &&UiElement<'a>| !thing.is(ElementState::Disabled) && thing.says(words);
        self.facts().buttons().find(says).map(|thing| thing.element)
    }

    /// A touch on this screen that nobody can read could cost money, or the app hides what it shows.
    #[must_use]
    pub fn is_risky(&self) -> bool {
        App::of(&self.screen.current_app) == App::Bank || self.screen.capture == CaptureResult::Protected
    }

    /// What this page is for, where it pays, sends or deletes.
    #[must_use]
    pub fn matters(&self) -> Option<AskKind> {
        let facts = self.facts();
        let deletes =
            || facts.asks && facts.is_about(w::DELETE) || self.element_for(AskKind::Delete).is_some();
        if self.is_payment() {
            Some(AskKind::Payment)
        } else if self.element_for(AskKind::Send).is_some() {
            Some(AskKind::Send)
        } else {
            deletes().then_some(AskKind::Delete)
        }
    }

    /// There is room for more than one line in it: where there is not, ENTER breaks none.
    pub(crate) fn has_lines(&self, field: &UiElement<'_>) -> bool {
        let b = field.bounds();
        let longer = i64::from(self.screen.height.max(self.screen.width));
        let lines = field.draft().is_some_and(|text| text.contains('\n'));
        lines || i64::from(b.bottom.saturating_sub(b.top)) * LINE > longer
    }

    /// A letter is written here: in an app of letters, and nothing that is kept secret or paid.
    pub(crate) fn is_letter(&self) -> bool {
        let facts = self.facts();
        // Whom it is for, what it is about, and the letter itself, which grows with what is written.
        let written = || facts.fields().count() > 1 || facts.fields().any(|field| self.has_lines(field));
        facts.app == App::Mail && written() && !self.asks_secret() && !facts.pays()
    }

    /// Below this line a touch lands on the soft keyboard, which takes some 40 % of an upright screen and half of one on its side.
    pub(crate) fn keyboard_top(&self) -> Option<i32> {
        let upright = self.screen.height >= self.screen.width;
        let height = i32::try_from(self.screen.height).unwrap_or(i32::MAX);
        let share = if upright { 58 } else { 45 };
        self.screen.keyboard_shown.then_some(height / 100 * share)
    }
}

impl<'a> Facts<'a> {
    fn of(screen: &'a Screen) -> Self {
        let mut things: Vec<UiElement<'a>> = screen.elements.iter().map(UiElement::new).collect();
        for thing in &mut things {
            thing.is_at_foot = at_foot(thing.bounds(), screen);
            thing.is_high = i64::from(thing.bounds().bottom) * 100 <= i64::from(screen.height) * HIGH;
        }
        let told = things.iter().filter(|thing| thing.is_told(STATEMENT));
        // What a web page is called is no word of its.
        let says = |thing: &UiElement<'a>| {
            !thing.is_wordless() && thing.role() != Role::Web || thing.draft().is_some()
        };
        let mute = screen.tree_read && !things.iter().any(says);
        let mut facts = Self {
            app: App::of(&screen.current_app),
            read: screen.tree_read && !mute && screen.totals.truncated_elements == 0,
            mute,
            dialog: false,
            asks: false,
            over: false,
            priced: price::is_priced(&screen.elements),
            speaks: false,
            statements: told.map(|thing| thing.label.clone()).collect(),
            pays: OnceCell::new(),
            secret: OnceCell::new(),
            things,
        };
        let asks = |thing: &UiElement<'a>| !thing.takes_presses() && thing.is_question();
        let question = facts.things.iter().any(asks);
        facts.dialog = facts.is_dialog(screen, question);
        facts.asks = facts.dialog || question && facts.buttons().count() <= FEW;
        // What is done leaves nothing to confirm: "Full refund until May" stands above a button that pays.
        facts.over = facts.titled(w::DONE) && !facts.dialog && !facts.has(&[w::PAY, w::ORDER, w::CONFIRM]);
        // A button of few words may be called after an assistant, and says nothing to one.
        let least = |thing: &UiElement<'a>| match thing.is_button() && !thing.is_row() {
            true => TITLE,
            false => TOLD,
        };
        let speaks = |thing: &UiElement<'a>| {
            thing.label.length() > least(thing) && w::ASSISTANT.mentioned(&thing.label)
        };
        facts.speaks = facts.things.iter().any(speaks);
        facts
    }

    pub(crate) fn buttons(&self) -> impl Iterator<Item = &UiElement<'a>> {
        self.things.iter().filter(|thing| thing.is_button())
    }

    pub(crate) fn fields(&self) -> impl Iterator<Item = &UiElement<'a>> + Clone {
        self.things
            .iter()
            .filter(|thing| thing.is_field() && !thing.is_search())
    }

    /// The button that hands a form in: the first below its last field.
    pub(crate) fn hands_in(&self) -> Option<&UiElement<'a>> {
        let ends = self
            .fields()
            .map(|field| field.bounds().bottom.saturating_sub(NEAR));
        let last = ends.max()?;
        let named = |button: &&UiElement<'a>| {
            button.bounds().top >= last && !button.label.is_empty() && !button.is_called(w::NO)
        };
        self.buttons()
            .filter(named)
            .min_by_key(|button| button.bounds().top)
    }

    /// Some button says one of these deeds.
    pub(crate) fn has(&self, deeds: &[Words]) -> bool {
        self.buttons()
            .any(|button| deeds.iter().any(|words| button.says(*words)))
    }

    /// A call is answered and turned away here, as the ids say, whatever the words and the app.
    pub(crate) fn offers_call(&self) -> bool {
        let names = |known: &str| self.things.iter().any(|thing| thing.id_has(known));
        let call = || names("call calling incoming ringing caller");
        names("accept answer") && names("decline reject hangup") && call()
    }

    /// Written from right to left, as the first texts tell: the bar at the top begins at the right.
    pub(crate) fn is_mirrored(&self) -> bool {
        let rtl =
            |c: char| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}');
        self.titles()
            .flat_map(|title| &title.words)
            .any(|word| word.contains(rtl))
    }

    pub(crate) fn titles(&self) -> impl Iterator<Item = &Label> {
        self.statements.iter().take(TITLES)
    }

    /// One of the texts at the top speaks of this.
    pub(crate) fn titled(&self, words: Words) -> bool {
        self.titles()
            .any(|title| title.length() <= TITLE && words.mentioned(title))
    }

    /// Some text speaks of this, where the page asks; else a title does.
    pub(crate) fn is_about(&self, words: Words) -> bool {
        self.titled(words) || self.asks && self.statements.iter().any(|text| words.mentioned(text))
    }

    /// A window over another, by Android's ids or by its place.
    fn is_dialog(&self, screen: &Screen, question: bool) -> bool {
        const IDS: &[&str] = &["alertTitle", "permission_message"];
        // An app may call any button of a page so.
        const OWN: &[&str] = &["android:id/button1", "android:id/button2"];
        let named = |thing: &UiElement<'a>| {
            let id = thing.element.resource_id.as_str();
            IDS.contains(&id_name(id)) || OWN.contains(&id)
        };
        if self.things.iter().any(named) {
            return true;
        }
        let height = i64::from(screen.height);
        let edges =
            |edge: fn(&UiElement<'a>) -> i32| self.things.iter().map(move |thing| i64::from(edge(thing)));
        let top = edges(|thing| thing.bounds().top).min().unwrap_or(0);
        let bottom = edges(|thing| thing.bounds().bottom).max().unwrap_or(0);
        let low = top * 100 > height * 15 && (bottom - top) * 100 < height * 75;
        let refusable = || self.app.is_system() || self.buttons().any(|thing| thing.is_called(w::NO));
        let answered = || refusable() && self.has(&[w::YES, w::GRANT]);
        low && self.buttons().count() <= FEW && (question || self.app == App::Permission || answered())
    }
}

/// Wide, in the lower quarter.
fn at_foot(b: Bounds, screen: &Screen) -> bool {
    let share = |n: i32, of: u32| i64::from(n) * 100 / i64::from(of.max(1));
    share(b.right, screen.width) - share(b.left, screen.width) >= WIDE && share(b.top, screen.height) >= 75
}
