//! A recording on its way: which step it is at, what was tried for it, what was learned.

use crate::average_hash::AverageHash;
use crate::find::{FindResult, find};
use crate::heal::{HealAttempts, ask, filled};
use crate::interruption::{self, Interruption};
use crate::journal::SentAction;
use crate::learned_steps::LearnedSteps;
use crate::page::{PageKey, PageView, structural};
use crate::record::of_action;
use crate::recording::{RecordedAction, RecordedStep, Recording, Step, typed_last};
use crate::target::{RecordedTarget, is_on};
use crate::template::{Template, Variables};
use agent::ports::{Heal, LastActResult, NotRepeatable, ReplayStep, ReplayView, Replayer, WhyAi};
use protocol::{Act, Action, Bounds, Divergence, FrameId, Millis, ReplayedBy};

/// What was sent and not yet heard of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PendingAct {
    Step,
    Heal(ReplayedBy),
    /// With why its step could not be repeated; none where it never can be.
    Ai {
        healing: Option<Divergence>,
    },
}

/// A recording on its way. It decides and touches nothing.
#[derive(Clone, Debug)]
pub struct Replay {
    recording: Recording,
    variables: Variables,
    /// How long a page is waited for, in milliseconds.
    budget: Millis,
    at: usize,
    /// Since when the step at hand waits for its page.
    since: Option<Millis>,
    tried: HealAttempts,
    sent: Option<PendingAct>,
    /// The step at hand surely was not done once.
    again: bool,
    /// The person saw what is another in the step at hand, and lets it go on; with the picture they saw.
    accepted: Option<Option<FrameId>>,
    /// The page was the expected one before it was scrolled.
    confirmed: bool,
    /// The AI mended the step before.
    mended_by_ai: bool,
    over: Option<ReplayStep>,
    learned_steps: LearnedSteps,
}

impl Replay {
    /// From the first step on; a page is waited for up to `budget` milliseconds (8,000 for a person's phone).
    #[must_use]
    pub fn new(recording: Recording, variables: Variables, budget: Millis) -> Self {
        Self {
            recording,
            variables,
            budget,
            at: 0,
            since: None,
            tried: HealAttempts::default(),
            sent: None,
            again: false,
            accepted: None,
            confirmed: false,
            mended_by_ai: false,
            over: None,
            learned_steps: LearnedSteps::default(),
        }
    }

    /// The step at hand; none when all are done.
    #[must_use]
    pub fn step(&self) -> Option<&Step> {
        self.recording.steps.get(self.at)
    }

    /// The recording with what was found in other ways than it says. Only where the run ended well, and something was.
    #[must_use]
    pub fn learned(&self) -> Option<Recording> {
        let ended_well = self.over == Some(ReplayStep::Finished);
        self.learned_steps
            .recording(&self.recording)
            .filter(|_| ended_well)
    }

    /// Takes in what came of the last act; why nothing more is done by itself.
    fn hear(&mut self, last: LastActResult, seen: &ReplayView<'_>) -> Option<Divergence> {
        let at = seen.at;
        let sent = self.sent.take()?;
        match (sent, last) {
            (_, LastActResult::Unknown | LastActResult::Nothing) => return Some(Divergence::OutcomeUnknown),
            (PendingAct::Step, LastActResult::Done) => {
                self.advance(at);
                self.mended_by_ai = false;
            }
            (
                PendingAct::Ai {
                    healing: Some(Divergence::OtherPage),
                },
                LastActResult::Done,
            ) if self.is_only_there(seen) => return Some(Divergence::OtherOutcome),
            (PendingAct::Ai { healing }, LastActResult::Done) => {
                self.advance(at);
                self.mended_by_ai = healing.is_some();
            }
            // What came of a scroll is there at once; a page that opens takes its time.
            (PendingAct::Heal(ReplayedBy::Scrolled), _) => {}
            (PendingAct::Heal(_), _) => self.since = Some(at),
            (PendingAct::Step, LastActResult::NotDone) if !self.again => {
                self.again = true;
                self.since = Some(at);
            }
            (PendingAct::Step | PendingAct::Ai { .. }, LastActResult::NotDone | LastActResult::Refused) => {
                return Some(Divergence::OtherOutcome);
            }
        }
        None
    }

    /// The AI did one thing on another page, and the page of its step is there now: what it did may have been to get there.
    fn is_only_there(&self, seen: &ReplayView<'_>) -> bool {
        self.step().is_some_and(|step| self.is_on_page_of(step, seen))
    }

    fn advance(&mut self, at: Millis) {
        self.learned_steps.confirm(self.at);
        self.at += 1;
        self.since = Some(at);
        self.tried = HealAttempts::default();
        self.again = false;
        self.accepted = None;
        self.confirmed = false;
    }

    fn end(&mut self, next: ReplayStep) -> ReplayStep {
        self.over = Some(next.clone());
        next
    }

    /// A scroll that was to show what is there already: screens differ in size.
    fn is_needless(&self, step: &Step, seen: &ReplayView<'_>) -> bool {
        let scrolls = matches!(&step.deed, RecordedAction::Act { action, .. } if matches!(action.act, Act::Scroll { .. }));
        let next = self.recording.steps.get(self.at + 1);
        let Some(RecordedAction::Act {
            target: Some(target), ..
        }) = next.filter(|_| scrolls).map(|next| &next.deed)
        else {
            return false;
        };
        let is_there = matches!(
            find(target, seen.screen, &self.variables),
            FindResult::One {
                by: ReplayedBy::IdAndText | ReplayedBy::Id,
                ..
            }
        );
        is_there && next.is_some_and(|next| self.is_on_page_of(next, seen))
    }

    /// A tap that was to switch something which is switched already: it would undo what it was to do.
    fn is_switched(&self, step: &Step, seen: &ReplayView<'_>) -> bool {
        let RecordedAction::Act {
            action,
            target: Some(target),
            ..
        } = &step.deed
        else {
            return false;
        };
        let (true, Some(was_on)) = (matches!(action.act, Act::Tap { .. }), target.was_on) else {
            return false;
        };
        let FindResult::One { element, .. } = find(target, seen.screen, &self.variables) else {
            return false;
        };
        is_on(element).is_some_and(|is_on| is_on != was_on) && self.is_on_page_of(step, seen)
    }

    /// The step's own page is there.
    fn is_on_page_of(&self, step: &Step, seen: &ReplayView<'_>) -> bool {
        let page = step.page.as_ref();
        page.is_some_and(|page| page.is_like(&self.shown(seen)))
    }

    fn shown(&self, seen: &ReplayView<'_>) -> PageKey {
        PageKey::of(PageView::of(seen.screen, seen.signer), &self.variables)
    }

    fn decide(&mut self, step: &Step, seen: &ReplayView<'_>) -> ReplayStep {
        if let RecordedAction::Ai { why } = step.deed {
            self.sent = Some(PendingAct::Ai { healing: None });
            return ReplayStep::AskAi {
                why: WhyAi::NotRepeatable(why),
            };
        }
        if step.deed.needs_page()
            && let Some(next) = self.arrive(step, seen)
        {
            return next;
        }
        match &step.deed {
            RecordedAction::Act { action, text, target } => {
                self.act(step, seen, action, text.as_ref(), target.as_ref())
            }
            RecordedAction::Person { capability } => {
                self.sent = Some(PendingAct::Step);
                ReplayStep::Act {
                    action: Action::from(ask(*capability)),
                    by: ReplayedBy::NoTarget,
                }
            }
            RecordedAction::Ai { .. } => self.mend_by_ai(Divergence::OtherPage),
        }
    }

    /// What is done about a page that is not the step's own; nothing where it is.
    fn arrive(&mut self, step: &Step, seen: &ReplayView<'_>) -> Option<ReplayStep> {
        let shown = self.shown(seen);
        let Some(page) = &step.page else {
            return Some(self.mend_by_ai(Divergence::OtherPage));
        };
        let is_scrolled = self.confirmed && self.tried.pages > 0 && page.is_in(&shown);
        let is_same = is_scrolled || page.is_like(&shown);
        let known = interruption::known(seen.screen).filter(|known| match known {
            // The page itself says so.
            Interruption::Closes(element) if is_same => {
                structural(element, &self.variables).is_some_and(|words| !page.says(&words))
            }
            Interruption::Closes(_) => true,
            Interruption::Permission => !is_same,
        });
        if let Some(heal) = known.and_then(|known| self.tried.close(known)) {
            return Some(self.heal(heal));
        }
        if is_same {
            self.confirmed = true;
            return None;
        }
        if let Some(wait) = self.wait(seen.at) {
            return Some(wait);
        }
        let before = self.at.checked_sub(1).and_then(|at| self.recording.steps.get(at));
        let is_before = before
            .and_then(|before| before.page.as_ref())
            .is_some_and(|page| page.is_like(&shown));
        // After what the person said Yes to, no key is pressed by guess.
        let may_go_back = seen.screen.tree_read
            && page.package() == shown.package()
            && !is_before
            && before.is_none_or(|before| before.approval.is_none());
        if may_go_back && let Some(heal) = self.tried.back() {
            return Some(self.heal(heal));
        }
        let why = if is_before {
            Divergence::OtherOutcome
        } else {
            Divergence::OtherPage
        };
        Some(self.mend_by_ai(why))
    }

    fn act(
        &mut self,
        step: &Step,
        seen: &ReplayView<'_>,
        action: &Action,
        text: Option<&Template>,
        target: Option<&RecordedTarget>,
    ) -> ReplayStep {
        let found = target.map(|target| find(target, seen.screen, &self.variables));
        let is_scroll = matches!(action.act, Act::Scroll { .. });
        let (element, by) = match found {
            Some(FindResult::One { element, by }) => (Some(element), by),
            None => (None, ReplayedBy::NoTarget),
            // A scroll touches nothing: the middle of the page does as well.
            Some(_) if is_scroll => (None, ReplayedBy::NoTarget),
            Some(FindResult::None) => return self.look_for(seen, Divergence::TargetMissing),
            Some(FindResult::Several) => return self.look_for(seen, Divergence::TargetAmbiguous),
        };
        let Some(action) = filled(step, action, text, element, &self.variables) else {
            self.sent = Some(PendingAct::Ai { healing: None });
            return ReplayStep::AskAi {
                why: WhyAi::NotRepeatable(NotRepeatable::Variable),
            };
        };
        let typed = self.recording.steps.get(..self.at).and_then(typed_last);
        if let Some(approval) = &step.approval
            && approval.lacks_text(seen.screen, typed, &self.variables)
        {
            let why = Divergence::OtherOutcome;
            return self
                .wait(seen.at)
                .unwrap_or_else(|| self.end(ReplayStep::HandOver { why }));
        }
        if let Some(approval) = step.approval.as_ref().filter(|_| self.accepted.is_none())
            && let Some(why) = approval.differs(seen.screen, element, &action, &self.variables)
        {
            let recorded = approval.frame.clone().or_else(|| step.frame.clone());
            let kind = approval.kind;
            return self.end(ReplayStep::Stop { why, kind, recorded });
        }
        self.learned_steps.begin(None);
        if let Some((target, element)) = target.zip(element) {
            let all = &seen.screen.elements;
            let patch = AverageHash::of(seen.screen, element.bounds);
            let anew = || RecordedTarget::of(element, all, patch, &self.variables);
            self.learned_steps.found(step, target, by, anew);
        }
        if let (Some(shown), Some(approval)) = (&self.accepted, &step.approval) {
            let shown = shown.clone();
            let renewed = approval.renewed(seen.screen, element, &action, shown, &self.variables);
            self.learned_steps.accepted(step, renewed);
        }
        self.sent = Some(PendingAct::Step);
        ReplayStep::Act { action, by }
    }

    /// The page is right and the target is not to be touched: it may come, it may be further down, the AI may know it.
    fn look_for(&mut self, seen: &ReplayView<'_>, why: Divergence) -> ReplayStep {
        if let Some(wait) = self.wait(seen.at) {
            return wait;
        }
        if why == Divergence::TargetMissing
            && let Some(heal) = self.tried.scroll(seen.screen)
        {
            return self.heal(heal);
        }
        self.mend_by_ai(why)
    }

    fn wait(&mut self, at: Millis) -> Option<ReplayStep> {
        let until = self.since.get_or_insert(at).saturating_add(self.budget);
        (at < until).then_some(ReplayStep::Wait { until })
    }

    fn heal(&mut self, heal: Heal) -> ReplayStep {
        self.sent = Some(PendingAct::Heal(heal.by));
        ReplayStep::Heal(heal)
    }

    /// The AI for this one step; for two in a row it does the rest.
    fn mend_by_ai(&mut self, why: Divergence) -> ReplayStep {
        if self.mended_by_ai {
            return self.end(ReplayStep::HandOver { why });
        }
        self.sent = Some(PendingAct::Ai { healing: Some(why) });
        ReplayStep::AskAi {
            why: WhyAi::Healing(why),
        }
    }

    /// All steps are done: whether what came of them is what came of them then.
    fn last_page(&mut self, seen: &ReplayView<'_>) -> ReplayStep {
        let shown = self.shown(seen);
        if self.recording.end.as_ref().is_none_or(|end| end.is_like(&shown)) {
            return self.end(ReplayStep::Finished);
        }
        let known = interruption::known(seen.screen);
        if let Some(heal) = known.and_then(|known| self.tried.close(known)) {
            return self.heal(heal);
        }
        if let Some(wait) = self.wait(seen.at) {
            return wait;
        }
        self.end(ReplayStep::HandOver {
            why: Divergence::OtherEnd,
        })
    }
}

impl Replayer for Replay {
    /// What is to be done on what is seen. An act that was answered must be told of with the next look: what nobody tells of
    /// counts as unknown, and is never repeated.
    fn next(&mut self, seen: &ReplayView<'_>, last: LastActResult) -> ReplayStep {
        if let Some(over) = &self.over {
            return over.clone();
        }
        if let Some(why) = self.hear(last, seen) {
            return self.end(ReplayStep::HandOver { why });
        }
        loop {
            let Some(step) = self.step().cloned() else {
                return self.last_page(seen);
            };
            if self.is_needless(&step, seen) || self.is_switched(&step, seen) {
                self.advance(seen.at);
                continue;
            }
            return self.decide(&step, seen);
        }
    }

    /// The person saw both pictures and lets it go on; `shown` is the new one. Where the run ends well, what they let go on is
    /// what they said Yes to.
    fn accept(&mut self, shown: Option<FrameId>) {
        if matches!(self.over, Some(ReplayStep::Stop { .. })) {
            self.over = None;
            self.accepted = Some(shown);
        }
    }

    /// What the AI did in the place of the step at hand: as it said it, and as it was sent. Told before [`LastActResult::Done`].
    fn ai_did(&mut self, seen: &ReplayView<'_>, said: &Action, sent: &Action, ring: Option<Bounds>) {
        let (Some(step), Some(PendingAct::Ai { healing: Some(_) })) = (self.step(), self.sent) else {
            return;
        };
        let shown = RecordedStep::of(step.step, seen.screen, seen.signer, ring);
        let acted = SentAction {
            step: step.step,
            action: sent.clone(),
            label: None,
            role: None,
            ring,
            is_secret: false,
            outcome: None,
        };
        let deed = of_action(said, &acted, Some(&shown), &self.variables);
        let key = PageKey::of(PageView::from(&shown), &self.variables).kept();
        let learning = deed.map(|deed| Step {
            page: deed.needs_page().then_some(key),
            deed,
            ..step.clone()
        });
        self.learned_steps.begin(learning);
    }
}
