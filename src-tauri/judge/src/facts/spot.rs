//! What lies under a finger.

use super::{Page, Thing, encloses, holds};
use protocol::{Bounds, Role, State};

/// What lies under one point.
#[derive(Debug)]
pub(crate) struct Spot<'p, 'a> {
    /// What takes the press: every thing under the finger that takes presses and holds no other such thing there.
    pub(crate) pressed: Vec<&'p Thing<'a>>,
    /// What stands around those: it takes the press only where the tree is wrong.
    pub(crate) around: Vec<&'p Thing<'a>>,
    /// Words under the finger that take no press of their own.
    pub(crate) told: Vec<&'p Thing<'a>>,
    /// On the soft keyboard.
    pub(crate) keyboard: bool,
}

impl<'a> Page<'a> {
    pub(crate) fn spot(&self, at: (i32, i32)) -> Spot<'_, 'a> {
        let under = self
            .facts()
            .things
            .iter()
            .filter(|thing| holds(thing.bounds(), at));
        let (takes, told): (Vec<_>, Vec<_>) = under.partition(|thing| thing.takes_presses());
        let holds_another =
            |outer: &Thing<'_>| takes.iter().any(|inner| encloses(outer.bounds(), inner.bounds()));
        let (around, pressed) = takes.iter().copied().partition(|thing| holds_another(thing));
        let told = told
            .into_iter()
            .filter(|thing| !thing.is_wordless() && !thing.is(State::Scrollable));
        Spot {
            pressed,
            around,
            told: told.collect(),
            keyboard: self.keyboard_top().is_some_and(|top| at.1 >= top),
        }
    }

    /// Beside every window that was read: in the other half of a split screen, outside a dialog.
    pub(crate) fn is_beside(&self, at: (i32, i32)) -> bool {
        let bounds = self.screen.tree_bounds.filter(|_| self.screen.tree_read);
        bounds.is_some_and(|bounds| !holds(bounds, at))
    }

    /// A finger that goes down and up here presses: both points lie in this thing, or in what is drawn on it.
    pub(crate) fn pressed_by_stroke(&self, from: (i32, i32), to: (i32, i32)) -> Vec<&Thing<'a>> {
        let both = |thing: &&Thing<'a>| {
            thing.takes_presses() && holds(thing.bounds(), from) && holds(thing.bounds(), to)
        };
        self.facts().things.iter().filter(both).collect()
    }

    /// A stroke sideways moves what it lies in: it is a picture, or a pager or a strip of things side by side is around it.
    pub(crate) fn is_leafed(&self, thing: &Thing<'_>) -> bool {
        let is_strip = |b: Bounds| b.right.saturating_sub(b.left) > 2 * b.bottom.saturating_sub(b.top);
        let moves = |other: &Thing<'a>| {
            let sideways =
                other.role() == Role::Pager || other.is(State::Scrollable) && is_strip(other.bounds());
            sideways && encloses(other.bounds(), thing.bounds())
        };
        thing.role() == Role::Image || self.facts().things.iter().any(moves)
    }

    /// It lies in something larger that scrolls.
    pub(crate) fn scrolls_around(&self, thing: &Thing<'_>) -> bool {
        let scrolls =
            |other: &Thing<'a>| other.is(State::Scrollable) && encloses(other.bounds(), thing.bounds());
        self.facts().things.iter().any(scrolls)
    }
}
