//! What makes a page the same page on another day.

use crate::around::within_list;
use crate::template::{Template, Variables};
use crate::words::{says_something, without_numbers};
use protocol::{Element, ElementState, Role, Screen};
use screen::is_actionable;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Ids fewer than these tell no page in another language.
const ENOUGH_IDS: usize = 3;
/// In another language no more than this share of the texts is the same: names of brands, a few signs.
const FOREIGN: f64 = 0.34;
/// A page of which less than a third is there is judged by all that was recorded.
const PART: usize = 3;

/// One look, as far as it tells which page it is.
#[derive(Clone, Copy, Debug)]
pub struct PageView<'a> {
    /// Package in front.
    pub app: &'a str,
    /// Its window, where known.
    pub window: Option<&'a str>,
    /// Who signed the app, SHA-256 in hex, where known.
    pub signer: Option<&'a str>,
    /// All that stands on it.
    pub elements: &'a [Element],
}

impl<'a> PageView<'a> {
    /// A live screen's.
    #[must_use]
    pub fn of(screen: &'a Screen, signer: Option<&'a str>) -> Self {
        Self {
            app: &screen.current_app,
            window: screen.window.as_deref(),
            signer,
            elements: &screen.elements,
        }
    }
}

/// A page by what stands on it and does not change: resource ids, and the words outside lists and fields, without numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageKey {
    package: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    window: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signer: Option<String>,
    ids: BTreeSet<String>,
    /// Those of them that scroll: what scrolls on one screen fits another, where the phone names no such thing.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    scrolling: BTreeSet<String>,
    texts: BTreeSet<Template>,
    /// The words that stand on the thing with an id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    words: TextsById,
    /// The same of things within lists. They are the data of one day, so they are not kept: they only tell where a thing stands
    /// that was outside one.
    #[serde(skip)]
    listed: TextsById,
}

/// By the id of what they stand on.
type TextsById = BTreeMap<String, BTreeSet<Template>>;

impl PageKey {
    /// The same page, from this similarity on.
    pub const SAME: f64 = 0.85;

    /// Of a look, the values of variables as names.
    #[must_use]
    pub fn of(shown: PageView<'_>, variables: &Variables) -> Self {
        let own = |element: &&Element| {
            let package = element.package.as_str();
            (package.is_empty() || package == shown.app) && element.role != Role::KeyboardKey
        };
        let own: Vec<&Element> = shown.elements.iter().filter(own).collect();
        let ids_of = |which: fn(&Element) -> bool| {
            let those = own.iter().filter(|element| which(element));
            let ids = those.map(|element| element.resource_id.clone());
            ids.filter(|id| !id.is_empty()).collect::<BTreeSet<_>>()
        };
        // A list that is short enough does not scroll, and cannot be told from other things: its rows have one id, and are data.
        let mut met = BTreeMap::<&str, usize>::new();
        for element in &own {
            *met.entry(&element.resource_id).or_default() += 1;
        }
        let is_row = |element: &Element| {
            let id = element.resource_id.as_str();
            !id.is_empty() && met.get(id).is_some_and(|count| *count > 1)
        };
        let (mut texts, mut words, mut listed) = (BTreeSet::new(), TextsById::new(), TextsById::new());
        for element in &own {
            let Some(text) = structural(element, variables) else {
                continue;
            };
            let is_data = is_row(element) && !text.has_variable();
            let is_listed = is_data || within_list(element, shown.elements);
            if !element.resource_id.is_empty() {
                let of = if is_listed { &mut listed } else { &mut words };
                let of_id = of.entry(element.resource_id.clone()).or_default();
                of_id.insert(text.clone());
            }
            if !is_listed {
                texts.insert(text);
            }
        }
        Self {
            package: shown.app.to_owned(),
            window: shown.window.map(str::to_owned),
            signer: shown.signer.map(str::to_owned),
            ids: ids_of(|_| true),
            scrolling: ids_of(|element| element.states.contains(&ElementState::Scrollable)),
            texts,
            words,
            listed,
        }
    }

    /// As it is kept.
    pub(crate) fn kept(self) -> Self {
        let listed = TextsById::new();
        Self { listed, ..self }
    }

    /// How much of this page stands on `other`, 0 to 1. Another app's page, or one of another signer, is never like it, nor is
    /// one nothing is known of, nor one on which a variable's value is another: somebody else's conversation. On a smaller screen only a part of a page is seen, on a larger one more: what is compared is
    /// the smaller of the two. In another language the ids tell, where the window is the same. A thing that says what it said
    /// under another id is the same thing: a new release of an app gives new ids. A thing with the
    /// same id and the same words is the same within a list, too: on a screen that is turned the whole page may be one.
    #[must_use]
    pub fn similarity(&self, other: &Self) -> f64 {
        let other_signer = self.signer.is_some() && other.signer.is_some() && self.signer != other.signer;
        let misses_value = self
            .texts
            .iter()
            .any(|text| text.has_variable() && (!other.texts.contains(text) || self.is_moved(text, other)));
        if self.package != other.package || other_signer || misses_value {
            return 0.0;
        }
        let ids = (
            common(&self.ids, &other.ids),
            self.ids.len() - self.excused(other),
            other.ids.len() - other.excused(self),
        );
        let (listed, other_listed) = (self.listed_by(other), other.listed_by(self));
        let texts = (
            common(&self.texts, &other.texts) + listed + other_listed,
            self.texts.len() + other_listed,
            other.texts.len() + listed,
        );
        let whole = overlap((ids.0 + texts.0, ids.1 + texts.1, ids.2 + texts.2));
        let is_foreign = self.window.is_some()
            && self.window == other.window
            && ids.1 >= ENOUGH_IDS
            && texts.1 > 0
            && texts.2 > 0
            && overlap(texts) <= FOREIGN;
        if is_foreign {
            whole.max(overlap(ids))
        } else {
            whole
        }
    }

    /// How many of the words outside lists the other page says within one, on a thing with the same id.
    fn listed_by(&self, other: &Self) -> usize {
        let listed = self.words.iter().flat_map(|(id, words)| {
            let there = other.listed.get(id).into_iter().flatten();
            there.filter(|word| words.contains(*word) && !other.texts.contains(*word))
        });
        listed.collect::<BTreeSet<_>>().len()
    }

    /// The thing that said this text says something else on the other page: what says it there is another thing.
    fn is_moved(&self, text: &Template, other: &Self) -> bool {
        let mut said = self.words.iter().filter(|(_, words)| words.contains(text));
        said.any(|(id, _)| {
            let says = |words: &BTreeSet<Template>| words.contains(text);
            other.ids.contains(id) && !other.words.get(id).is_some_and(says)
        })
    }

    /// How many ids the other page may lack: they scroll, or it says all that stands on these things.
    fn excused(&self, other: &Self) -> usize {
        let gone = self.ids.difference(&other.ids);
        let says = |id: &&String| {
            let words = self.words.get(*id);
            self.scrolling.contains(*id) || words.is_some_and(|words| words.is_subset(&other.texts))
        };
        gone.filter(says).count()
    }

    /// The same page.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        self.similarity(other) >= Self::SAME
    }

    /// The app's package.
    #[must_use]
    pub fn package(&self) -> &str {
        &self.package
    }

    pub(crate) fn is_in(&self, other: &Self) -> bool {
        self.package == other.package && self.window == other.window
    }

    pub(crate) fn says(&self, text: &Template) -> bool {
        self.texts.contains(text)
    }
}

/// What an element says of its page. What a field holds is no part of it, nor are plain words with a number: they are data.
pub(crate) fn structural(element: &Element, variables: &Variables) -> Option<Template> {
    if element.role == Role::Field {
        return None;
    }
    let template = variables.template(&element.label);
    let is_data = element.label.chars().any(char::is_numeric) && !template.has_variable();
    if is_data && !is_actionable(element) {
        return None;
    }
    let words = without_numbers(template.raw());
    says_something(&words).then(|| Template::from_raw(words))
}

fn common<T: Ord>(a: &BTreeSet<T>, b: &BTreeSet<T>) -> usize {
    a.intersection(b).count()
}

/// The share of what is common in the smaller of two sets; in the recorded one where only little of it is left.
#[expect(
    clippy::cast_precision_loss,
    reason = "a page has far fewer pieces than f64 counts exactly"
)]
fn overlap((common, recorded, shown): (usize, usize, usize)) -> f64 {
    let smaller = recorded.min(shown);
    let of = if smaller * PART >= recorded {
        smaller
    } else {
        recorded
    };
    if of == 0 { 0.0 } else { common as f64 / of as f64 }
}
