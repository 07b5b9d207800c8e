//! What may be sent: judged on the newest screen, allowed by the judge or by a person's Yes, and judged again where the
//! screen may have changed in between.

use super::halt::Halt;
use super::observation::Observation;
use super::state::Run;
use super::still::LookRequirement;
use crate::plan::{Plan, PlannedEffect};
use judge::{Case, Input, Judged, Page, Pending, Verdict, Yes, after_yes, judge};
use protocol::{Amount, Element, PauseReason, Role};

/// What may be sent, in order, and what was said Yes to.
#[derive(Clone, Debug, Default)]
pub(super) struct ApprovedInputs {
    pub judged: Vec<Judged>,
    pub by: Option<Approved>,
}

/// A question's matter and the Yes to it.
#[derive(Clone, Debug)]
pub(super) struct Approved {
    pub pending: Pending,
    pub yes: Yes,
    /// Where it was said, and whom and what the page named then.
    scene: ApprovalContext,
}

impl Approved {
    /// The Yes of the question that `pending` was asked by, on this look.
    pub(super) fn new(pending: Pending, yes: Yes, now: &Observation) -> Self {
        Self {
            pending: pending.asked_as(yes.digest()),
            yes,
            scene: ApprovalContext::of(now),
        }
    }
}

/// What must still be so for a Yes to reach the rest of what it was said to.
#[derive(Clone, Debug)]
struct ApprovalContext {
    app: String,
    window: Option<String>,
    site: Option<String>,
    parties: Vec<String>,
    amounts: Vec<Amount>,
    /// What is read on it, where it is about one matter.
    read: Vec<Element>,
}

impl ApprovalContext {
    fn of(now: &Observation) -> Self {
        let screen = &now.screen;
        let parties = screen::parties(screen).into_iter().map(|party| party.text);
        let about = now.about(None);
        let is_read = |one: &&Element| one.role == Role::Text && about.contains(&one.label);
        Self {
            app: screen.current_app.clone(),
            window: screen.window.clone(),
            site: now.address.clone(),
            parties: parties.collect(),
            amounts: Page::new(screen).amounts(),
            read: screen.elements.iter().filter(is_read).cloned().collect(),
        }
    }

    /// Whether the rest may still be done. What the beginning itself does to a page (a keyboard moves it, a button comes, letters
    /// are counted) is no change; another text where one stood is.
    fn holds(&self, now: &Observation) -> bool {
        let then = Self::of(now);
        // A count is the same text with other digits.
        let is_same =
            |a: &Element, b: &Element| screen::without_digits(&a.label) == screen::without_digits(&b.label);
        let takes_its_place = |one: &Element, next: &Element| {
            one.bounds == next.bounds && one.resource_id == next.resource_id && one.role == next.role
        };
        let replaced = |one: &Element| {
            let there = || {
                now.screen
                    .elements
                    .iter()
                    .filter(|next| takes_its_place(one, next))
            };
            there().next().is_some() && !there().any(|next| is_same(one, next))
        };
        self.app == then.app
            && self.window == then.window
            && self.site == then.site
            && self.parties == then.parties
            && self.amounts == then.amounts
            && !self.read.iter().any(replaced)
    }
}

impl Run {
    /// Everything a plan sends, as it is judged: what a scroll or a list that is read goes on to do is judged stroke by stroke.
    pub(super) fn inputs(&self, plan: &Plan, now: &Observation) -> Vec<Input> {
        match &plan.doing {
            PlannedEffect::Phone(inputs) => inputs.clone(),
            PlannedEffect::Scroll { strokes, .. } => strokes.clone(),
            PlannedEffect::Read { region, scrolls, .. } => {
                let stroke = crate::plan::turn_page(*region, &now.screen).filter(|_| *scrolls);
                std::iter::once(Input::ReadText).chain(stroke).collect()
            }
            PlannedEffect::Script { script, .. } if self.task.settings.scripts.on_this_computer => {
                vec![Input::ComputerScript(script.clone())]
            }
            PlannedEffect::Script { script, .. } => vec![Input::Script(script.clone())],
            PlannedEffect::Clipboard { .. } => vec![Input::ReadClipboard],
            PlannedEffect::Wait(_)
            | PlannedEffect::Look(_)
            | PlannedEffect::Apps
            | PlannedEffect::Keep { .. }
            | PlannedEffect::AskModel { .. }
            | PlannedEffect::Nothing { .. } => Vec::new(),
        }
    }

    /// What the judge is asked about.
    pub(super) fn case<'a>(&'a self, inputs: &'a [Input], now: &'a Observation) -> Case<'a> {
        Case {
            inputs,
            screen: &now.screen,
            signers: self.matching_credentials.signers_of(&now.screen.current_app),
            version: self.matching_credentials.version_of(&now.screen.current_app),
            site: now.address.as_deref(),
            settings: &self.task.settings,
            bindings: &[],
            mandates: self.permissions.mandates(),
            task: &self.task.goal,
            before: self.permissions.page_before(),
            marked: self.permissions.is_flagged(),
            begun_before: self.unconfirmed.is_at_hand(),
            begun_kinds: self.unconfirmed.kinds(),
            opinion: now.opinion.as_ref(),
            blind_allowed: false,
            holds_secret: self.secrets.appear_in(&words_of(inputs)),
            secret_given: self.secrets.supplied_on(&now.screen),
            saved_fits: false,
            read: self.read.texts(),
            written: self.written.texts(),
            now: self.ports.clock.now(),
            at: tokio::time::Instant::now().into_std(),
        }
    }

    /// The verdict on these inputs, on this screen.
    pub(super) fn verdict(&self, inputs: &[Input], now: &Observation) -> Verdict {
        judge(&self.case(inputs, now))
    }

    /// A Yes carried out: the same inputs, judged anew on the screen as it is now. None: they are not what was said Yes to.
    pub(super) fn carry_yes(&self, by: Approved, now: &Observation) -> Option<ApprovedInputs> {
        let judged = after_yes(&self.case(by.pending.inputs(), now), &by.pending, &by.yes)?;
        let by = Some(by);
        Some(ApprovedInputs { judged, by })
    }

    /// The rest of what was allowed, on the screen that came of its beginning. None: it is not the same matter any more. A
    /// mandate answers for a whole action, whose use is taken off then, and for no rest of one.
    pub(super) fn remaining(
        &self,
        inputs: &[Input],
        by: Option<&Approved>,
        now: &Observation,
    ) -> Option<Vec<Judged>> {
        let case = self.case_alone(inputs, now);
        match (judge(&case), by) {
            (Verdict::Allow(judged), _) => Some(judged),
            (Verdict::Ask(_), Some(by)) if by.scene.holds(now) => after_yes(&case, &by.pending, &by.yes),
            _ => None,
        }
    }

    /// The same without what the person agreed to before the task began.
    fn case_alone<'a>(&'a self, inputs: &'a [Input], now: &'a Observation) -> Case<'a> {
        Case {
            mandates: &[],
            ..self.case(inputs, now)
        }
    }

    /// What the person agreed to before it was known what exactly would be sent: the button of a dialog they saw, the file they
    /// picked, the payment of an amount they were shown.
    pub(super) fn agreed(&self, inputs: &[Input], yes: Yes, now: &Observation) -> Option<ApprovedInputs> {
        match judge(&self.case_alone(inputs, now)) {
            Verdict::Allow(judged) => Some(ApprovedInputs { judged, by: None }),
            Verdict::Ask(pending) => self.carry_yes(Approved::new(pending, yes, now), now),
            Verdict::Refuse { .. } => None,
        }
    }

    /// The one input, where it may be sent at once.
    pub(super) fn admit(&self, input: Input, now: &Observation) -> Option<Judged> {
        match judge(&self.case_alone(&[input], now)) {
            Verdict::Allow(judged) => judged.into_iter().next(),
            Verdict::Ask(_) | Verdict::Refuse { .. } => None,
        }
    }

    /// The page after acts that nobody said Yes to is read for a deed that was done.
    pub(super) fn notice_deed(&mut self, now: &Observation) -> Result<(), Halt> {
        let Some(done) = self.permissions.done_unapproved(&now.screen) else {
            return Ok(());
        };
        let undo = now
            .screen
            .elements
            .iter()
            .find(|element| Some(element.index) == done.undo);
        Err(Halt::Pause(PauseReason::Unapproved {
            kind: done.kind,
            undo: undo.map(|element| self.secrets.hide(&element.label)),
        }))
    }

    /// Looks again, and hears what is thought of the page that is there now.
    pub(super) async fn look_again(&mut self, inputs: &[Input]) -> Result<Observation, Halt> {
        let mut now = self.glance().await?;
        self.hear_opinion_of_now(&mut now, inputs, LookRequirement::Tree)
            .await?;
        Ok(now)
    }
}

/// The words inputs would put somewhere, for the rule that secrets go nowhere else.
fn words_of(inputs: &[Input]) -> String {
    let words = inputs.iter().map(|input| match input {
        Input::Text(text) | Input::Replace(text) => text.as_str().to_owned(),
        Input::Command(words) => words.join(" "),
        Input::Script(text) | Input::ComputerScript(text) | Input::Link(text) => text.clone(),
        _ => String::new(),
    });
    words.collect::<Vec<_>>().join("\n")
}
