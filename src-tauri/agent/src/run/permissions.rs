//! What the person allowed and denied in this run, and what was done without asking.

use super::circuit_breaker::Breaker;
use super::observation::Observation;
use crate::evidence;
use judge::Yes;
use judge::after::Done;
use protocol::{Amount, AskKind, Element, Evidence, Mandate, PauseReason, Screen};
use std::collections::BTreeSet;
use tokio::time::Instant;

/// A Yes the person gave in advance to a payment they were shown (`request_human_auth`): good for one of that amount to that
/// recipient, by the button they were shown, on a page that shows nothing else than it did then, within a minute.
#[derive(Clone)]
pub(super) struct Grant {
    pub(super) yes: Yes,
    /// The page the person was shown.
    pub(super) asked: Observation,
    /// The button that was ringed there: another one may pay the same every week.
    pub(super) ringed: Element,
    pub(super) amount: Amount,
    pub(super) recipient: Option<String>,
    pub(super) until: Instant,
}

/// One run's answers.
#[derive(Default)]
pub(super) struct Permissions {
    /// Questions that were answered No.
    denied: BTreeSet<String>,
    breaker: Breaker,
    grants: Vec<Grant>,
    /// What the person agreed to before the task began, as much of it as is left.
    mandates: Vec<Mandate>,
    /// The page before acts that nobody said Yes to, and what else the person lets them do.
    unapproved: Option<(Screen, Vec<AskKind>)>,
    /// What the last page that could be read was about, where it paid, sent or deleted.
    page_before: Option<AskKind>,
    /// The model marked its action as one a person should see.
    flagged: bool,
}

impl Permissions {
    /// A No holds for the rest of the run.
    pub(super) fn deny(&mut self, question: impl Into<String>) {
        self.denied.insert(question.into());
    }

    pub(super) fn was_denied(&self, question: &str) -> bool {
        self.denied.contains(question)
    }

    /// A question was answered in this step.
    pub(super) fn answered(&mut self, step: u32, yes: bool) {
        self.breaker.answered(step, yes);
    }

    /// Why the run should wait before its next step; told once.
    pub(super) fn tripped(&mut self) -> Option<PauseReason> {
        self.breaker.tripped()
    }

    /// A Yes in advance.
    pub(super) fn grant(&mut self, grant: Grant) {
        self.grants.push(grant);
    }

    /// A Yes given in advance to this very payment, by a touch of the button that was shown; used up by it.
    pub(super) fn use_grant(
        &mut self,
        kind: AskKind,
        seen: &Observation,
        touched: Option<&Element>,
        evidence: &Evidence,
    ) -> Option<Yes> {
        let now = Instant::now();
        self.grants.retain(|grant| grant.until > now);
        let amount = evidence.amount.as_ref()?;
        if kind != AskKind::Payment || !evidence.other_amounts.is_empty() {
            return None;
        }
        let touched = touched?;
        let is_it = |grant: &Grant| {
            let ringed = screen::again(&seen.screen, &grant.ringed);
            ringed.is_some_and(|ringed| ringed.index == touched.index && ringed.bounds == touched.bounds)
        };
        let fits = |grant: &Grant| {
            is_it(grant)
                && grant.asked.voided_by(seen, Some(&grant.ringed)).is_none()
                && evidence::same_amount(&grant.amount, amount)
                && grant.recipient == evidence::recipient(evidence)
        };
        let at = self.grants.iter().position(fits)?;
        Some(self.grants.remove(at).yes)
    }

    /// What was seen before a rest does not count after it.
    pub(super) fn forget_grants(&mut self) {
        self.grants.clear();
    }

    /// The person agreed to what the task names.
    pub(super) fn agree(&mut self, deeds: Vec<Mandate>) {
        self.mandates = deeds;
    }

    pub(super) fn mandates(&self) -> &[Mandate] {
        &self.mandates
    }

    /// Takes a use off what was agreed to; what is left of it then.
    pub(super) fn use_mandate(&mut self, at: usize) -> Option<Mandate> {
        let deed = self.mandates.get_mut(at)?;
        deed.count = left(deed);
        let told = deed.clone();
        if told.count == 0 {
            self.mandates.remove(at);
        }
        Some(told)
    }

    /// Something was sent from this page: nobody was asked, and it is known to do no more than this; nothing where somebody
    /// was asked.
    pub(super) fn sent(&mut self, unasked: Option<(Screen, Vec<AskKind>)>) {
        self.unapproved = unasked;
    }

    /// A deed that this page says was done since then and that nobody allowed; told once. It may be said late: until something
    /// else is sent, every page is read for it.
    pub(super) fn done_unapproved(&mut self, now: &Screen) -> Option<Done> {
        let (before, let_do) = self.unapproved.as_ref()?;
        let done = judge::after::done(before, now).filter(|done| !let_do.contains(&done.kind))?;
        self.unapproved = None;
        Some(done)
    }

    /// What the page that was judged last is about.
    pub(super) fn judged_page(&mut self, about: Option<AskKind>) {
        self.page_before = about;
    }

    pub(super) fn page_before(&self) -> Option<AskKind> {
        self.page_before
    }

    /// Whether the model marked its newest action.
    pub(super) fn flag(&mut self, flagged: bool) {
        self.flagged = flagged;
    }

    pub(super) fn is_flagged(&self) -> bool {
        self.flagged
    }
}

/// How often a deed may still be done, once it was done: what is deleted is deleted all at once.
fn left(deed: &Mandate) -> u32 {
    if deed.kind == AskKind::Send {
        deed.count.saturating_sub(1)
    } else {
        0
    }
}
