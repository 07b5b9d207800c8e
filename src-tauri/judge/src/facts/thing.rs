//! One thing on a screen, and what can be said of it alone.

use crate::words::{self, Label, Lexicon};
use protocol::{Bounds, Element, State};

/// Parts of ids that say a deed, where no words do.
const PAYS: &[&str] = &[
    "pay",
    "payment",
    "buy",
    "purchase",
    "placeorder",
    "checkoutbtn",
    "transfer",
    "sendmoney",
];
const SENDS: &[&str] = &[
    "send", "submit", "post", "publish", "call", "dial", "answer", "tweet", "retweet", "repost", "poke",
    "nudge", "wave", "like", "follow", "upvote", "share", "reply", "sos",
];
const DELETES: &[&str] = &["delete", "remove", "trash", "discard", "erase", "uninstall"];
const SHOWS: &[&str] = &[
    "show",
    "eye",
    "visible",
    "visibility",
    "toggle",
    "reveal",
    "endicon",
];
const SECRETS: &[&str] = &["password", "passwd", "pwd", "pin", "passcode", "textinput"];

/// An element, its words read.
#[derive(Clone, Debug)]
pub(crate) struct Thing<'a> {
    pub(crate) element: &'a Element,
    /// All that stands on it.
    pub(crate) label: Label,
    /// What it is called: of a row, its first words.
    pub(crate) name: Label,
    /// What is said of it to those who do not see it, where that is more.
    described: Option<Label>,
}

impl<'a> Thing<'a> {
    pub(crate) fn new(element: &'a Element) -> Self {
        let described = element.description.as_deref().map(Label::new);
        Self {
            element,
            label: Label::new(&element.label),
            name: Label::new(name(&element.label)),
            described,
        }
    }

    pub(crate) fn is(&self, state: State) -> bool {
        self.element.states.contains(&state)
    }

    pub(crate) fn role(&self) -> &'a str {
        &self.element.role
    }

    pub(crate) fn bounds(&self) -> Bounds {
        self.element.bounds
    }

    /// A finger on it does something, or it is drawn as if.
    pub(crate) fn takes_presses(&self) -> bool {
        let drawn = matches!(
            self.role(),
            "button" | "link" | "tab" | "switch" | "checkbox" | "radio" | "slider" | "spinner"
        );
        drawn || screen::is_actionable(self.element)
    }

    pub(crate) fn is_field(&self) -> bool {
        self.is(State::Editable)
    }

    /// On or off.
    pub(crate) fn is_toggle(&self) -> bool {
        matches!(self.role(), "switch" | "checkbox" | "radio") || self.is(State::Checkable)
    }

    /// It takes presses and is neither written in, nor ticked, nor a view.
    pub(crate) fn is_button(&self) -> bool {
        self.takes_presses()
            && !self.is_field()
            && !self.is_toggle()
            && !matches!(self.role(), "tab" | "keyboard_key")
    }

    /// An entry of a list, or a row gathered from several texts.
    pub(crate) fn is_row(&self) -> bool {
        self.role() == "item" || self.is_gathered()
    }

    fn is_gathered(&self) -> bool {
        self.element.label.trim_matches([',', ' ']).contains(", ")
    }

    /// Nothing to read stands on it.
    pub(crate) fn is_wordless(&self) -> bool {
        self.label.is_empty() && self.described.as_ref().is_none_or(Label::is_empty)
    }

    /// Its words say this deed.
    pub(crate) fn says(&self, words: &Lexicon) -> bool {
        let parts = self
            .element
            .label
            .split(", ")
            .filter(|part| !part.trim().is_empty())
            .count();
        // A field is written in, "Cancel" says no other deed, and a long row opens what it tells of.
        if self.is_field() || parts > 2 || self.label.length() > 7 || words::NO.is(&self.label) {
            return false;
        }
        // An entry of a list opens what it names; a menu's entry is one short text.
        if self.role() == "item" {
            return parts < 2 && self.label.length() <= 3 && words.acts(&self.label);
        }
        let described = || self.described.as_ref().is_some_and(|label| words.acts(label));
        words.acts(&self.name) || words.acts(&self.label) || described()
    }

    /// Its words are this and nothing else.
    pub(crate) fn is_called(&self, words: &Lexicon) -> bool {
        words.is(&self.name)
            || words.is(&self.label)
            || self.described.as_ref().is_some_and(|label| words.is(label))
    }

    /// Such a word stands on it, wherever.
    pub(crate) fn mentions(&self, words: &Lexicon) -> bool {
        words.mentioned(&self.label)
            || self
                .described
                .as_ref()
                .is_some_and(|label| words.mentioned(label))
    }

    /// Without words, its id says that it pays, sends or deletes.
    pub(crate) fn id_pays(&self) -> bool {
        self.id_says(PAYS)
    }

    pub(crate) fn id_sends(&self) -> bool {
        self.id_says(SENDS)
    }

    pub(crate) fn id_deletes(&self) -> bool {
        self.id_says(DELETES)
    }

    /// An eye beside a secret, told by its id.
    pub(crate) fn id_reveals(&self) -> bool {
        let id = id_words(&self.element.resource_id);
        let has = |known: &[&str]| id.iter().any(|word| known.contains(&word.as_str()));
        self.is_wordless() && has(SHOWS) && has(SECRETS)
    }

    fn id_says(&self, known: &[&str]) -> bool {
        let id = id_words(&self.element.resource_id);
        let joined = id.windows(2).map(<[String]>::concat);
        self.is_wordless()
            && id
                .iter()
                .cloned()
                .chain(joined)
                .any(|word| known.contains(&word.as_str()))
    }

    /// Only the person knows what belongs in it.
    pub(crate) fn is_secret(&self) -> bool {
        self.is(State::Password) || self.is_field() && self.mentions(&words::SECRET)
    }

    /// It only looks for something.
    pub(crate) fn is_search(&self) -> bool {
        let by_id = || {
            id_words(&self.element.resource_id)
                .iter()
                .any(|word| matches!(word.as_str(), "search" | "query" | "find"))
        };
        self.is_field() && (words::SEARCH.mentioned(&self.name) && self.name.length() <= 6 || by_id())
    }

    /// What is written in it, if anything is.
    pub(crate) fn draft(&self) -> Option<&'a str> {
        let value = self.element.value.as_deref().unwrap_or_default().trim();
        let written = self.is_field() && !value.is_empty() && value != self.element.label.trim();
        written.then_some(value)
    }
}

/// What a label calls the thing: of several texts the first that has words.
fn name(label: &str) -> &str {
    let first = label
        .split(", ")
        .find(|part| part.chars().filter(|c| c.is_alphabetic()).count() > 1);
    let first = first.unwrap_or(label);
    // "Synonyms: erase, cancel" is named by what stands before the colon, "No account yet? Sign up" leads elsewhere.
    first.split([':', '?', '？']).next().unwrap_or(first)
}

/// The last part of a resource id: `com.shop:id/pay_button` → `pay_button`.
pub(crate) fn id_name(resource_id: &str) -> &str {
    resource_id.rsplit('/').next().unwrap_or_default()
}

/// The words of a resource id's name: `send_message_buttonIcon` → `send`, `message`, `button`, `icon`.
pub(crate) fn id_words(resource_id: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut lower_before = false;
    for c in id_name(resource_id).chars() {
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

pub(crate) fn holds(b: Bounds, (x, y): (i32, i32)) -> bool {
    (b.left..b.right).contains(&x) && (b.top..b.bottom).contains(&y)
}

/// One rectangle lies in another and is smaller.
pub(crate) fn encloses(outer: Bounds, inner: Bounds) -> bool {
    outer != inner
        && outer.left <= inner.left
        && outer.top <= inner.top
        && outer.right >= inner.right
        && outer.bottom >= inner.bottom
}

pub(crate) fn area(b: Bounds) -> i64 {
    (i64::from(b.right) - i64::from(b.left)) * (i64::from(b.bottom) - i64::from(b.top))
}
