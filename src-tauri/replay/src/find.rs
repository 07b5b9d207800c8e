//! The thing a step touched, found again: exactly one, or none is touched.

use crate::around::{enclosing, entry, neighbour};
use crate::average_hash::AverageHash;
use crate::target::{Ancestor, Likeness, RecordedTarget, likeness, text_of};
use crate::template::Variables;
use protocol::{Element, ElementState, ReplayedBy, Role, Screen};

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FindResult<'a> {
    /// The one.
    One {
        /// The element that was found.
        element: &'a Element,
        /// The first way that had one.
        by: ReplayedBy,
    },
    /// It is not there, or takes no touch now.
    None,
    /// More than one thing is what it was.
    Several,
}

/// The ways to find it, the surest first.
const LOCATORS: [ReplayedBy; 5] = [
    ReplayedBy::IdAndText,
    ReplayedBy::Id,
    ReplayedBy::TextUnderAncestor,
    ReplayedBy::Neighbour,
    ReplayedBy::Patch,
];

/// Tries them in this order, to the first that has exactly one. Where one has several, those below only choose among them.
///
/// A thing that has neither the recorded id, nor the text, nor the words beside it is never found, whatever it looks like and
/// wherever it lies. What says a variable's value is found by that value alone; what lies in an entry of a list, in the
/// entry that says the same.
#[must_use]
pub fn find<'a>(target: &RecordedTarget, screen: &'a Screen, variables: &Variables) -> FindResult<'a> {
    let search = Search {
        target,
        screen,
        variables,
        is_id_gone: target.id.is_empty()
            || !screen
                .elements
                .iter()
                .any(|element| element.resource_id == target.id),
    };
    let mut among: Vec<&Element> = screen
        .elements
        .iter()
        .filter(|element| search.may_be(element))
        .collect();
    let mut is_narrowed = false;
    let mut is_several = false;
    for by in LOCATORS {
        let mut hits = search.hits(by, &among, is_narrowed);
        if by == ReplayedBy::IdAndText && hits.len() > 1 {
            let exact = |element: &&Element| search.says(element) == Likeness::Same;
            let letter_for_letter: Vec<&Element> = hits.iter().copied().filter(exact).collect();
            if !letter_for_letter.is_empty() {
                hits = letter_for_letter;
            }
        }
        match hits[..] {
            [] => {}
            [element] if by != ReplayedBy::Id || search.is_told_by_id() => return one(element, by),
            _ => {
                // Things with one id that say other words are many, but not one of them is what it was.
                let is_it = by != ReplayedBy::Id || search.is_told_by_id() || target.text.is_none();
                is_several |= hits.len() > 1 && is_it;
                is_narrowed = true;
                among = hits;
            }
        }
    }
    if is_several {
        FindResult::Several
    } else {
        FindResult::None
    }
}

fn one(element: &Element, by: ReplayedBy) -> FindResult<'_> {
    if element.states.contains(&ElementState::Disabled) {
        return FindResult::None;
    }
    FindResult::One { element, by }
}

struct Search<'a> {
    target: &'a RecordedTarget,
    screen: &'a Screen,
    variables: &'a Variables,
    /// Nothing on the screen has the recorded id, or there was none.
    is_id_gone: bool,
}

impl Search<'_> {
    /// What no way overrules: the kind of thing, the entry it lies in, a variable's value.
    fn may_be(&self, element: &Element) -> bool {
        let all = &self.screen.elements;
        let in_entry = || {
            let shown = entry(element, all).and_then(|entry| text_of(entry, self.variables));
            self.target.entry.is_none() || shown == self.target.entry
        };
        let in_row = || {
            let unnamed = self.target.in_list
                && self.target.role != Role::Item
                && self.target.entry.is_none()
                && self.target.neighbour.is_some();
            !unnamed || self.is_beside(element)
        };
        let is_told_by_value = self.target.text.as_ref().is_some_and(|text| text.has_variable());
        kind(element.role) == kind(self.target.role)
            && (!is_told_by_value || self.says(element) == Likeness::Same)
            && in_entry()
            && in_row()
    }

    fn hits<'e>(&self, by: ReplayedBy, among: &[&'e Element], is_narrowed: bool) -> Vec<&'e Element> {
        let hit = |element: &&&Element| match by {
            ReplayedBy::IdAndText => {
                let enough = if self.target.role == Role::Item {
                    Likeness::Same
                } else {
                    Likeness::ButForNumbers
                };
                self.has_id(element) && self.says(element) >= enough
            }
            ReplayedBy::Id => self.has_id(element),
            ReplayedBy::TextUnderAncestor => {
                (self.has_id(element) || self.is_id_gone)
                    && self.says(element) >= Likeness::ButForMoney
                    && self.is_under_ancestor(element, is_narrowed)
            }
            ReplayedBy::Neighbour => {
                // The words beside it name what has none of its own; what says something else is another thing.
                let is_unnamed = self.target.role == Role::Field
                    || (self.target.text.is_none() && text_of(element, self.variables).is_none());
                (self.has_id(element) || self.is_id_gone)
                    && (is_narrowed || is_unnamed)
                    && self.is_beside(element)
            }
            _ => is_narrowed && self.looks_alike(element),
        };
        among.iter().filter(hit).copied().collect()
    }

    /// An id that many things share, or that an entry has, says nothing by itself.
    fn is_told_by_id(&self) -> bool {
        self.target.id_alone && !self.target.in_list
    }

    fn has_id(&self, element: &Element) -> bool {
        !self.target.id.is_empty() && element.resource_id == self.target.id
    }

    fn says(&self, element: &Element) -> Likeness {
        match (&self.target.text, text_of(element, self.variables)) {
            (Some(recorded), Some(shown)) => likeness(recorded, &shown),
            _ => Likeness::Other,
        }
    }

    /// Where nothing around it had a name, it is, of several, the one of which that is still so.
    fn is_under_ancestor(&self, element: &Element, is_narrowed: bool) -> bool {
        let around = enclosing(element, &self.screen.elements);
        match &self.target.ancestor {
            Some(ancestor) => around.iter().any(|one| ancestor.is(one, self.variables)),
            None => {
                !is_narrowed
                    || around
                        .iter()
                        .all(|one| Ancestor::of(one, self.variables).is_none())
            }
        }
    }

    fn is_beside(&self, element: &Element) -> bool {
        let Some(recorded) = &self.target.neighbour else {
            return false;
        };
        neighbour(element, &self.screen.elements).is_some_and(|beside| {
            likeness(recorded, &self.variables.template(&beside.label)) > Likeness::Other
        })
    }

    fn looks_alike(&self, element: &Element) -> bool {
        let shown = AverageHash::of(self.screen, element.bounds);
        self.target
            .patch
            .zip(shown)
            .is_some_and(|(recorded, shown)| recorded.is_like(&shown))
    }
}

/// Roles that layouts give one thing in turn.
fn kind(role: Role) -> Role {
    match role {
        Role::Link | Role::Item | Role::Tab | Role::Image | Role::Other => Role::Button,
        Role::Checkbox | Role::Radio => Role::Switch,
        Role::ScrollArea | Role::Pager => Role::List,
        other => other,
    }
}
