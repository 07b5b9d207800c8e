//! What this run or an earlier one of the task began, and nobody knows whether it was done: never done again by the AI's word
//! alone.

use crate::prior_progress::UnconfirmedAction;
use protocol::{Action, AskKind, Bounds, Outcome};

/// Acts without an outcome.
#[derive(Debug, Default)]
pub(super) struct UnconfirmedActions {
    actions: Vec<UnconfirmedAction>,
    /// What they were asked about, or allowed as.
    kinds: Vec<AskKind>,
    /// Which of them the act at hand may be, done a second time.
    at_hand: Option<usize>,
    /// What matters of what is under way.
    begun: Option<UnconfirmedAction>,
}

impl UnconfirmedActions {
    pub(super) fn new(actions: Vec<UnconfirmedAction>) -> Self {
        let mut unconfirmed = Self {
            actions,
            ..Self::default()
        };
        unconfirmed.count();
        unconfirmed
    }

    /// This is about to be judged.
    pub(super) fn consider(&mut self, action: &Action, label: Option<&str>, ring: Option<Bounds>, app: &str) {
        let same = |one: &UnconfirmedAction| one.is(action, label, ring, app);
        self.at_hand = self.actions.iter().position(same);
    }

    /// Nothing is at hand.
    pub(super) fn leave(&mut self) {
        self.at_hand = None;
    }

    /// The act at hand may have been done already.
    pub(super) fn is_at_hand(&self) -> bool {
        self.at_hand.is_some()
    }

    /// Kinds of deeds that may have been done already.
    pub(super) fn kinds(&self) -> &[AskKind] {
        &self.kinds
    }

    /// It is about to reach the phone. What nobody was asked about and nobody allowed only moves: done twice it moves again.
    pub(super) fn begin(&mut self, action: UnconfirmedAction) {
        self.begun = Some(action).filter(|action| !action.kinds().is_empty());
    }

    /// What came of it; whether nobody knows. What was done, on the person's Yes, is open no more.
    pub(super) fn came(&mut self, outcome: &Outcome) -> bool {
        let begun = self.begun.take().filter(|_| outcome.may_be_done());
        let is_unknown = begun.is_some();
        self.actions.extend(begun);
        if outcome.ok
            && let Some(at) = self.at_hand.take()
        {
            self.actions.remove(at);
        }
        self.count();
        is_unknown
    }

    fn count(&mut self) {
        self.kinds = self
            .actions
            .iter()
            .flat_map(UnconfirmedAction::kinds)
            .copied()
            .collect();
    }
}
