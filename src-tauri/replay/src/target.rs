//! The thing a step touched, by all that tells it from others on another day.

use crate::around::{enclosing, entry, neighbour, within_list};
use crate::average_hash::AverageHash;
use crate::template::{Template, Variables};
use crate::words::{same, says_something, without_numbers};
use protocol::{Element, ElementState, ReplayedBy, Role};
use serde::{Deserialize, Serialize};

/// The ways to one thing, the surest first: its id and its text; its id; its text under its ancestor; the words beside
/// it; its patch of the picture, which only tells apart what one of the others found. A place alone is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedTarget {
    /// What it is.
    pub role: Role,
    /// Android's resource id, empty where there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// Nothing else on the page had that id.
    pub id_alone: bool,
    /// What stands on it: of an entry of a list its first words, of a field what it asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Template>,
    /// It is one of several like things, or lies in one.
    pub in_list: bool,
    /// The first words of the entry it lies in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<Template>,
    /// What lies around it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ancestor: Option<Ancestor>,
    /// The words beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbour: Option<Template>,
    /// What it looked like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<AverageHash>,
    /// Of what is on or off: whether it was on before it was touched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was_on: Option<bool>,
}

/// What lies around a thing: the smallest of them that has an id or says something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ancestor {
    /// Its resource id, empty where there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// What stands on it, numbers left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Template>,
}

impl RecordedTarget {
    /// Of an element of a screen; none where neither an id, nor a text, nor words beside it tell it from others.
    #[must_use]
    pub fn of(
        element: &Element,
        all: &[Element],
        patch: Option<AverageHash>,
        variables: &Variables,
    ) -> Option<Self> {
        let with_id = all
            .iter()
            .filter(|other| other.resource_id == element.resource_id);
        let id_alone = !element.resource_id.is_empty() && with_id.count() == 1;
        let beside = neighbour(element, all).filter(|_| element.role != Role::Item);
        let target = Self {
            role: element.role,
            id: element.resource_id.clone(),
            id_alone,
            text: text_of(element, variables),
            in_list: within_list(element, all),
            entry: entry(element, all).and_then(|entry| text_of(entry, variables)),
            ancestor: enclosing(element, all)
                .into_iter()
                .find_map(|around| Ancestor::of(around, variables)),
            neighbour: beside.map(|beside| variables.template(&beside.label)),
            patch,
            was_on: is_on(element),
        };
        // A picture tells apart what has one id in common; alone it tells nothing.
        let is_told_apart = !target.id.is_empty() && target.patch.is_some();
        let is_known =
            target.id_alone || target.text.is_some() || target.neighbour.is_some() || is_told_apart;
        is_known.then_some(target)
    }

    /// The surest way it can be found.
    pub(crate) fn surest(&self) -> ReplayedBy {
        match (&self.text, self.id.is_empty()) {
            (Some(_), false) => ReplayedBy::IdAndText,
            (None, false) if self.id_alone && !self.in_list => ReplayedBy::Id,
            (Some(_), true) => ReplayedBy::TextUnderAncestor,
            _ => ReplayedBy::Neighbour,
        }
    }
}

impl Ancestor {
    /// What it is known by; nothing where it has neither an id nor words.
    pub(crate) fn of(element: &Element, variables: &Variables) -> Option<Self> {
        let ancestor = Self {
            id: element.resource_id.clone(),
            text: steady_text(element, variables),
        };
        (!ancestor.id.is_empty() || ancestor.text.is_some()).then_some(ancestor)
    }

    /// An element is this one.
    pub(crate) fn is(&self, element: &Element, variables: &Variables) -> bool {
        if !self.id.is_empty() && self.id == element.resource_id {
            return true;
        }
        self.text.is_some() && self.text == steady_text(element, variables)
    }
}

fn steady_text(element: &Element, variables: &Variables) -> Option<Template> {
    let text = text_of(element, variables)?;
    let words = without_numbers(text.raw());
    says_something(&words).then(|| Template::from_raw(words))
}

/// What tells an element from others by its words. An entry of a list is known by its first ones, digits and all: the rest
/// changes (a price, the last message), and so does its place.
pub(crate) fn text_of(element: &Element, variables: &Variables) -> Option<Template> {
    let label = element.label.as_str();
    let words = match element.role {
        Role::Item => label.split(", ").next().unwrap_or(label),
        // What was typed into it is no name of it.
        Role::Field if element.value.as_deref() == Some(label) => "",
        _ if label.is_empty() => element.description.as_deref().unwrap_or_default(),
        _ => label,
    };
    says_something(words).then(|| variables.template(words.trim()))
}

/// Whether what can be on or off is on.
pub(crate) fn is_on(element: &Element) -> Option<bool> {
    let is_either = matches!(element.role, Role::Switch | Role::Checkbox);
    is_either.then(|| element.states.contains(&ElementState::Checked))
}

/// How surely two texts say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Likeness {
    /// Other words.
    Other,
    /// The same but for numbers.
    ButForNumbers,
    /// The same but for an amount of money.
    ButForMoney,
    /// The same.
    Same,
}

pub(crate) fn likeness(recorded: &Template, shown: &Template) -> Likeness {
    let (a, b) = (recorded.raw(), shown.raw());
    if same(a, b) {
        return Likeness::Same;
    }
    let (bare_a, bare_b) = (without_numbers(a), without_numbers(b));
    if !says_something(&bare_a) || !same(&bare_a, &bare_b) {
        return Likeness::Other;
    }
    let is_priced = |text: &str| !screen::amounts(text).is_empty();
    if is_priced(a) && is_priced(b) {
        Likeness::ButForMoney
    } else {
        Likeness::ButForNumbers
    }
}
