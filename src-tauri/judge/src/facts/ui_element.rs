//! One thing on a screen, and what can be said of it alone.

use crate::words::{self as w, Label, Words};
use protocol::{Bounds, Element, ElementState, Role};
use std::cell::Cell;

/// Parts of ids that say a deed, where no words do.
const PAYS: &str = "pay payment buy purchase placeorder checkoutbtn transfer sendmoney";
const SENDS: &str = "send submit post publish call dial answer tweet retweet repost poke nudge wave like follow upvote share reply sos";
const DELETES: &str = "delete remove trash discard erase uninstall";
const SHOWS: &str = "show eye visible visibility toggle reveal endicon";
const SECRETS: &str = "password passwd pwd pin passcode textinput";
/// More words than these say no deed, more parts are a row that tells, and a menu's entry is shorter still.
const SAYS: usize = 7;
const PARTS: usize = 2;
const ENTRY: usize = 3;

/// An element, its words read.
#[derive(Clone, Debug)]
pub(crate) struct UiElement<'a> {
    pub(crate) element: &'a Element,
    /// All that stands on it.
    pub(crate) label: Label,
    /// What it is called: of a row, its first words.
    pub(crate) name: Label,
    /// What is said of it to those who do not see it, where that is more; of a slider, what is written on it.
    described: Option<Label>,
    /// A wide thing at the foot of the screen, where what commits a page stands.
    pub(crate) is_at_foot: bool,
    /// In the upper two fifths of the screen, where one looks for things.
    pub(crate) is_high: bool,
    /// By the number of the words: whether it was looked for, whether it says them.
    said: Cell<(u64, u64)>,
}

impl<'a> UiElement<'a> {
    pub(crate) fn new(element: &'a Element) -> Self {
        Self {
            element,
            label: Label::new(&element.label),
            name: Label::new(name(&element.label)),
            described: described(element).map(Label::new),
            is_at_foot: false,
            is_high: false,
            said: Cell::default(),
        }
    }

    pub(crate) fn is(&self, state: ElementState) -> bool {
        self.element.states.contains(&state)
    }

    pub(crate) fn role(&self) -> Role {
        self.element.role
    }

    pub(crate) fn bounds(&self) -> Bounds {
        self.element.bounds
    }

    /// A finger on it does something, or it is drawn as if.
    pub(crate) fn takes_presses(&self) -> bool {
        const DRAWN: &[Role] = &[
            Role::Button,
            Role::Link,
            Role::Tab,
            Role::Switch,
            Role::Checkbox,
            Role::Radio,
            Role::Slider,
            Role::Spinner,
        ];
        DRAWN.contains(&self.role()) || screen::is_actionable(self.element)
    }

    pub(crate) fn is_field(&self) -> bool {
        self.is(ElementState::Editable)
    }

    /// On or off.
    pub(crate) fn is_toggle(&self) -> bool {
        matches!(self.role(), Role::Switch | Role::Checkbox | Role::Radio) || self.is(ElementState::Checkable)
    }

    /// It takes presses and is neither written in, nor ticked, nor a view.
    pub(crate) fn is_button(&self) -> bool {
        let other =
            self.is_field() || self.is_toggle() || matches!(self.role(), Role::Tab | Role::KeyboardKey);
        !other && self.takes_presses()
    }

    /// An entry of a list, or a row gathered from several texts; at the foot several texts are one button: "₹450, TOTAL, Place
    /// order".
    pub(crate) fn is_row(&self) -> bool {
        self.role() == Role::Item || self.parts() > 1 && !self.is_at_foot
    }

    fn parts(&self) -> usize {
        self.texts().count()
    }

    /// What it was gathered from.
    fn texts(&self) -> impl Iterator<Item = &'a str> {
        let texts = self.element.label.split(", ");
        texts.filter(|part| !part.trim_matches([',', ' ']).is_empty())
    }

    /// Words to be read, of at most so many characters, that take no press.
    pub(super) fn is_told(&self, most: usize) -> bool {
        let label = &self.element.label;
        let short = !label.is_empty() && label.chars().count() <= most;
        short && !self.takes_presses() && self.role() != Role::KeyboardKey
    }

    /// Nothing to read stands on it.
    pub(crate) fn is_wordless(&self) -> bool {
        self.label.is_empty() && self.described.as_ref().is_none_or(Label::is_empty)
    }

    /// Its words say this deed.
    pub(crate) fn says(&self, words: Words) -> bool {
        let bit = 1u64
            .checked_shl(u32::try_from(words.0).unwrap_or(u32::MAX))
            .unwrap_or(0);
        let (looked, said) = self.said.get();
        if looked & bit != 0 {
            return said & bit != 0;
        }
        let says = self.look_for(words);
        self.said
            .set((looked | bit, if says { said | bit } else { said }));
        says
    }

    fn look_for(&self, words: Words) -> bool {
        // A field is written in, and "Cancel" says no other deed.
        if self.is_field() || w::NO.is(&self.label) {
            return false;
        }
        let one_of = |text| words.acts(&Label::new(text));
        if self.is_at_foot && self.role() != Role::Item && self.parts() > 1 && self.texts().any(one_of) {
            return true;
        }
        // A long row opens what it tells of.
        if self.parts() > PARTS || self.label.length() > SAYS {
            return false;
        }
        // An entry of a list opens what it names; a menu's entry is one short text.
        if self.role() == Role::Item {
            let short = self.parts() < PARTS && self.label.length() <= ENTRY && words.acts(&self.label);
            // "Log out of all accounts" does so, whatever follows; an article begins with many another deed.
            let ends = words == w::SIGN || words == w::DELETE && self.parts() < PARTS;
            return short || ends && self.name.length() <= SAYS && words.begins(&self.name);
        }
        let described = || self.described.as_ref().is_some_and(|label| words.acts(label));
        words.acts(&self.name) || words.acts(&self.label) || described()
    }

    /// Its words are this and nothing else.
    pub(crate) fn is_called(&self, words: Words) -> bool {
        let described = || self.described.as_ref().is_some_and(|label| words.is(label));
        words.is(&self.name) || words.is(&self.label) || described()
    }

    /// The same of all that stands on it, whatever its parts.
    pub(crate) fn is_only(&self, words: Words) -> bool {
        words.is(&self.label) || self.described.as_ref().is_some_and(|label| words.is(label))
    }

    /// Such a word stands on it, wherever.
    pub(crate) fn mentions(&self, words: Words) -> bool {
        words.mentioned(&self.label)
            || self
                .described
                .as_ref()
                .is_some_and(|label| words.mentioned(label))
    }

    /// Without words, its id says that it pays.
    pub(crate) fn id_pays(&self) -> bool {
        self.is_wordless() && self.id_has(PAYS)
    }

    /// The same of sending.
    pub(crate) fn id_sends(&self) -> bool {
        self.is_wordless() && self.id_has(SENDS)
    }

    /// The same of deleting.
    pub(crate) fn id_deletes(&self) -> bool {
        self.is_wordless() && self.id_has(DELETES)
    }

    /// An eye beside a secret, told by its id.
    pub(crate) fn id_reveals(&self) -> bool {
        self.is_wordless() && self.id_has(SHOWS) && self.id_has(SECRETS)
    }

    /// One of these words stands in its id, alone or as two parts run together.
    pub(crate) fn id_has(&self, known: &str) -> bool {
        let id = words_of(id_name(&self.element.resource_id));
        let joined = id.windows(2).map(<[String]>::concat);
        id.iter()
            .cloned()
            .chain(joined)
            .any(|word| known.split(' ').any(|known| known == word))
    }

    /// Only the person knows what belongs in it.
    pub(crate) fn is_secret(&self) -> bool {
        self.is(ElementState::Password) || self.is_field() && self.mentions(w::SECRET)
    }

    /// It only looks for something. "Message #job-search" does not, nor does what speaks of a code; a word that says "find" in
    /// one language says another thing in the next, so low on a page, where messages are written, it makes no search of one.
    pub(crate) fn is_search(&self) -> bool {
        let name = &self.name;
        let looks = || w::SEARCH.acts(name) && self.is_high;
        let writes = || w::MESSAGE.begins(name) || w::MESSAGE.mentioned(name) && !looks();
        let asks = || w::CODE.mentioned(name) || w::SECRET.mentioned(name);
        let named = || w::SEARCH.mentioned(name) && name.length() <= SAYS && !writes() && !asks();
        self.is_field() && (named() || self.id_has("search query find"))
    }

    /// What stands in it: what is written, or its hint, where the tree does not tell them apart.
    pub(crate) fn text(&self) -> Option<&'a str> {
        let value = self.element.value.as_deref().unwrap_or_default().trim();
        (self.is_field() && !value.is_empty()).then_some(value)
    }

    /// What is written in it, if anything is.
    pub(crate) fn draft(&self) -> Option<&'a str> {
        self.text().filter(|text| *text != self.element.label.trim())
    }

    /// How far something was played stands on it: "1:23".
    pub(crate) fn shows_time(&self) -> bool {
        let value = self.element.value.as_deref().unwrap_or_default();
        let counts = |word: &str| {
            let (minutes, seconds) = word.split_once([':', '.']).unwrap_or_default();
            let digits = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_numeric() || c == ':');
            word.contains(':') && digits(minutes) && digits(seconds)
        };
        let words = |text: &str| {
            text.split(|c: char| c.is_whitespace() || "/,()".contains(c))
                .any(counts)
        };
        words(value) || words(&self.element.label)
    }

    /// A key of one digit.
    pub(crate) fn is_digit(&self) -> bool {
        self.takes_presses() && self.names_digit()
    }

    /// One digit stands on it and nothing else, whether or not the tree says that it takes a press.
    pub(crate) fn names_digit(&self) -> bool {
        let first = self.element.label.split(',').next().unwrap_or_default();
        let mut first = first.trim().chars();
        first.next().is_some_and(char::is_numeric) && first.next().is_none()
    }

    /// What stands on it is a question.
    pub(crate) fn is_question(&self) -> bool {
        const ENDS: &[&str] = &["吗", "嗎", "か", "ไหม", "หรือไม่", "까요", "까", "လား", "ບໍ່", "ទេ"];
        let text = self.element.label.trim_end_matches(['。', '.', ' ']);
        // Greek asks with a semicolon.
        let greek = text.ends_with(';') && text.chars().any(|c| matches!(c, '\u{370}'..='\u{3ff}'));
        let asked = text.contains(['?', '？', '؟', '\u{37e}', '՞', '፧']);
        greek || asked || ENDS.iter().any(|end| text.ends_with(end))
    }
}

/// What stands on an element beside its label.
fn described(element: &Element) -> Option<&str> {
    let written = || element.value.as_deref().filter(|_| element.role == Role::Slider);
    element.description.as_deref().or_else(written)
}

/// What a label calls the thing: of several texts the first that has words.
fn name(label: &str) -> &str {
    let worded = |part: &&str| part.chars().filter(|c| c.is_alphabetic()).count() > 1;
    let first = label.split(", ").find(worded).unwrap_or(label);
    // "Synonyms: erase, cancel" is named by what stands before the colon, "No account yet? Sign up" leads elsewhere.
    first.split([':', '?', '？']).next().unwrap_or(first)
}

/// The last part of a resource id: `com.shop:id/pay_button` → `pay_button`.
pub(crate) fn id_name(resource_id: &str) -> &str {
    resource_id.rsplit('/').next().unwrap_or_default()
}

/// The words of a name that programs give: `send_message_buttonIcon` → `send`, `message`, `button`, `icon`.
pub(crate) fn words_of(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut lower_before = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && lower_before) {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut().filter(|_| c.is_alphanumeric()) {
            part.extend(c.to_lowercase());
        }
        lower_before = c.is_lowercase() || c.is_numeric();
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// A line across the screen meets both.
pub(crate) fn level(a: Bounds, b: Bounds) -> bool {
    a.top < b.bottom && b.top < a.bottom
}

/// Pixels in it.
pub(crate) fn area(b: Bounds) -> i64 {
    (i64::from(b.right) - i64::from(b.left)) * (i64::from(b.bottom) - i64::from(b.top))
}

pub(crate) fn holds(b: Bounds, (x, y): (i32, i32)) -> bool {
    (b.left..b.right).contains(&x) && (b.top..b.bottom).contains(&y)
}

/// One rectangle lies in another and is smaller.
pub(crate) fn encloses(outer: Bounds, inner: Bounds) -> bool {
    let lies_in = outer.left <= inner.left && outer.top <= inner.top;
    outer != inner && lies_in && outer.right >= inner.right && outer.bottom >= inner.bottom
}

/// Two rectangles stand beside each other, and neither reaches into the other.
pub(crate) fn in_row(a: Bounds, b: Bounds) -> bool {
    level(a, b) && !(a.left < b.right && b.left < a.right)
}

/// Two rectangles stand one below the other, and neither reaches into the other.
pub(crate) fn in_column(a: Bounds, b: Bounds) -> bool {
    !level(a, b) && a.left < b.right && b.left < a.right
}
