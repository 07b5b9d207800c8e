//! Carrying an action out: judge, ask, look again; then `effect`.

use super::allow::{Approved, ApprovedInputs};
use super::deliver::SecretSource;
use super::halt::Halt;
use super::observation::Observation;
use super::observation_cache::is_fresh;
use super::outcome::NEVER;
use super::phone_error::phone_trouble;
use super::question::{PersonAnswer, Question};
use super::state::Run;
use super::still::LookRequirement;
use super::subject::Subject;
use super::think::{PlannedAction, ReplyCoordinates};
use crate::credential;
use crate::evidence;
use crate::plan::{FollowUp, Plan, PlannedEffect, canonical, plan};
use crate::pointing;
use judge::{Page, Pending, Verdict};
use protocol::{
    Act, Action, AskKind, Element, Evidence, PauseReason, Place, RefusalCode, RefusedBy, RuleName, Screen,
    What,
};
use screen::{Display, Misplaced, View};
use std::sync::Arc;
use std::time::Duration;

/// How long a screen that cannot be read is left alone before it is read once more.
const HICCUP: Duration = Duration::from_secs(2);

/// Whether what is thought of a page is waited for. Not twice for one action: on a page that goes on changing nothing would ever
/// be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpinionWait {
    Await,
    Skip,
}

impl Run {
    pub(super) async fn carry_out(&mut self, wanted: PlannedAction, seen: Observation) -> Result<(), Halt> {
        let PlannedAction {
            action,
            thought,
            pointed,
        } = wanted;
        let action = canonical(action);
        self.unconfirmed.leave();
        self.conversation.intends(&action);
        if let Act::RequestHumanAuth {
            capability,
            instruction,
            timeout_sec,
        } = &action.act
        {
            return self
                .human_auth(*capability, instruction, *timeout_sec, &action, &seen)
                .await;
        }
        // An action for one app may call it by its label.
        let names_app = action.app.is_some();
        if names_app
            || matches!(
                action.act,
                Act::LaunchApp { .. } | Act::FocusApp { .. } | Act::ListApps
            )
        {
            self.know_apps().await?;
        }
        let now = if touches_phone(&action.act) && !is_fresh(seen.at) {
            self.refresh(&seen).await?
        } else {
            seen.clone()
        };
        let said = action;
        // What is refused counts as well: asking for it again costs as much as doing it.
        let most = self.task.settings.limits.repeats;
        if self.repeats.is_too_often(&said, &now.screen, most) {
            return Err(Halt::Pause(PauseReason::Repeating));
        }
        let action = match on_screen(&said, pointed, &seen, &now) {
            Ok(action) => action,
            Err(misplaced) => {
                let code = refused(misplaced);
                return self.refuse(&said, code, &misplaced.to_string()).await;
            }
        };
        self.conversation.says(&action, said);
        let mut plan = match plan(&action, &seen.screen, &now.screen, self.conversation.apps()) {
            Ok(plan) => plan,
            Err(refusal) => {
                return self.refuse(&action, refusal.code, &refusal.message).await;
            }
        };
        if let PlannedEffect::Clipboard { output } = plan.doing {
            match self.clipboard(&action, output, &thought, &now).await? {
                Some(doing) => plan.doing = doing,
                None => return Ok(()),
            }
        }
        self.judge_and_do(&action, plan, &thought, now, OpinionWait::Await)
            .await
    }

    /// A further action of the one before it, on the screen that came of it. How often it may come is bounded there.
    pub(super) async fn carry_on(
        &mut self,
        action: Action,
        thought: &str,
        seen: Observation,
        rest: Option<Box<FollowUp>>,
    ) -> Result<(), Halt> {
        match plan(&action, &seen.screen, &seen.screen, self.conversation.apps()) {
            Ok(mut plan) => {
                plan.follow = rest.map(|rest| *rest);
                self.judge_and_do(&action, plan, thought, seen, OpinionWait::Await)
                    .await
            }
            Err(refusal) => self.refuse(&action, refusal.code, &refusal.message).await,
        }
    }

    async fn judge_and_do(
        &mut self,
        action: &Action,
        plan: Plan,
        thought: &str,
        mut now: Observation,
        opinion_wait: OpinionWait,
    ) -> Result<(), Halt> {
        if let Some(reference) = credential::reference(&action.act) {
            return self.type_saved(reference, action, plan, thought, now).await;
        }
        let label = plan.element.as_ref().map(|element| element.label.as_str());
        let app = &now.screen.current_app;
        self.unconfirmed
            .consider(action, label.filter(|label| !label.is_empty()), plan.ring, app);
        let inputs = self.inputs(&plan, &now);
        if opinion_wait == OpinionWait::Skip {
            self.know_opinion(&mut now, &inputs);
        } else if let Some(other) = self
            .changed_while_heard(&mut now, &inputs, LookRequirement::Tree)
            .await?
        {
            self.tell_look(&other).await?;
            return Box::pin(self.replan(action, thought, &now.screen, other, OpinionWait::Skip)).await;
        }
        let verdict = self.verdict(&inputs, &now);
        self.timeline.judged();
        if now.screen.tree_read {
            self.permissions.judged_page(Page::new(&now.screen).matters());
        }
        match verdict {
            Verdict::Allow(judged) => {
                self.tell_unasked(&inputs, &now).await?;
                let allowed = ApprovedInputs { judged, by: None };
                self.do_it(action, plan, allowed, &now).await
            }
            Verdict::Refuse { rule } => {
                let about = Subject::of(&plan, &now);
                self.refuse_about(action, about, rule, told_of(rule)).await
            }
            Verdict::Ask(pending) if pending.kind() == AskKind::ComputerScript => {
                match self.object(action).await? {
                    Some(objection) => self.refuse(action, objection.code, &objection.message).await,
                    None => {
                        let place = Some(Place::ThisComputer);
                        self.ask_then_do(pending, action, Plan { place, ..plan }, thought, now)
                            .await
                    }
                }
            }
            Verdict::Ask(pending) if pending.kind() == AskKind::Unreadable && !now.screen.tree_read => {
                match self.read_again(&now).await? {
                    Some(read) => {
                        Box::pin(self.replan(action, thought, &now.screen, read, opinion_wait)).await
                    }
                    None => self.ask_then_do(pending, action, plan, thought, now).await,
                }
            }
            Verdict::Ask(pending) => self.ask_then_do(pending, action, plan, thought, now).await,
        }
    }

    /// A screen that could not be read for a moment is looked at once more before anybody is asked. None: it cannot be read,
    /// or could not last time in this app.
    async fn read_again(&mut self, before: &Observation) -> Result<Option<Observation>, Halt> {
        let app = before.screen.current_app.as_str();
        if self.observation_cache.is_unread_in(app) {
            return Ok(None);
        }
        self.race(tokio::time::sleep(HICCUP)).await?;
        let again = self.glance().await?;
        if !again.screen.tree_read {
            self.observation_cache.unread_in(Some(app));
            return Ok(None);
        }
        self.observation_cache.unread_in(None);
        self.tell_look(&again).await?;
        Ok(Some(again))
    }

    /// The same action on a screen that can be read now.
    async fn replan(
        &mut self,
        action: &Action,
        thought: &str,
        before: &Screen,
        now: Observation,
        opinion_wait: OpinionWait,
    ) -> Result<(), Halt> {
        if before.current_app != now.screen.current_app {
            let message = "Another app came to the front meanwhile, so nothing was done. Look at the screen as it is now.";
            return self.refuse(action, RefusalCode::ScreenChanged, message).await;
        }
        match plan(action, before, &now.screen, self.conversation.apps()) {
            Ok(plan) => self.judge_and_do(action, plan, thought, now, opinion_wait).await,
            Err(refusal) => self.refuse(action, refusal.code, &refusal.message).await,
        }
    }

    pub(super) async fn ask_then_do(
        &mut self,
        pending: Pending,
        action: &Action,
        plan: Plan,
        thought: &str,
        now: Observation,
    ) -> Result<(), Halt> {
        let (kind, rule) = (pending.kind(), pending.rule());
        let told = self.told(kind, &now);
        let page = Page::new(&told);
        let target = target_of(kind, &page, &plan);
        let evidence = evidence::gather(kind, &page, target.as_ref(), Some(action));
        let question_key = key(kind, &now.screen.current_app, &evidence, action);
        let about = Subject::of(&plan, &now);
        if self.permissions.was_denied(&question_key) {
            return self
                .refuse_about(action, about, RefusalCode::DeniedBefore, super::outcome::DENIED)
                .await;
        }
        let touched = plan.element.as_ref().filter(|_| !plan.touches.is_empty());
        if let Some(yes) = self.permissions.use_grant(kind, &now, touched, &evidence)
            && let Some(allowed) = self.carry_yes(Approved::new(pending.clone(), yes, &now), &now)
        {
            return self.do_it(action, plan, allowed, &now).await;
        }
        let Some(now) = self.in_full(now).await? else {
            let message =
                "The screen changed before the person could be asked, so nothing was done. Look at it again.";
            return self
                .refuse_about(action, about, RefusalCode::ScreenChanged, message)
                .await;
        };
        let question = Question::by_rule(kind, rule, action, target.as_ref(), &now, thought, evidence);
        match self.ask(question).await? {
            PersonAnswer::No => {
                self.permissions.deny(question_key);
                let told = "The person said no. Do not try this again, also not in another way. Find something the person \
                            would agree to, or finish and say what was left undone.";
                self.note(action, told);
                Ok(())
            }
            PersonAnswer::Secret(secret, yes) => {
                self.deliver(secret, target.as_ref(), &now, SecretSource::Person(&yes))
                    .await
            }
            // Not on offer here.
            PersonAnswer::File(..) => Ok(()),
            PersonAnswer::Readable => {
                let told = "The screen could not be read for a while, so nothing was done. It can be read now: look at it.";
                self.note(action, told);
                Ok(())
            }
            PersonAnswer::Yes(yes) => {
                let again = self.look_after_yes(&now, pending.inputs()).await?;
                if let Some(change) = now.voided_by(&again, target.as_ref()) {
                    tracing::info!(?change, "the screen changed between question and answer");
                    return self.void(action).await;
                }
                let Some(allowed) = self.carry_yes(Approved::new(pending, yes, &again), &again) else {
                    return self.void(action).await;
                };
                self.do_it(action, plan, allowed, &again).await
            }
        }
    }

    /// The Yes does not hold any more: the screen is another.
    pub(super) async fn void(&mut self, action: &Action) -> Result<(), Halt> {
        let ask = self.questions.last();
        self.record(What::Voided { ask }).await?;
        self.note(
            action,
            "The screen changed while the person was asked, so nothing was done. Look at it again.",
        );
        Ok(())
    }

    /// The screen as a question tells of it. Where numbers decide – how much, to whom, which –, the person is told each as it
    /// stands there, what looks like a code as well: only what they supplied is taken out.
    pub(super) fn told(&self, kind: AskKind, now: &Observation) -> Screen {
        match kind {
            AskKind::Payment | AskKind::Send | AskKind::Delete => self.secrets.without_supplied(&now.screen),
            _ => now.shown.screen.clone(),
        }
    }

    /// The apps are asked for once, when an action needs them or a question names one.
    pub(super) async fn know_apps(&mut self) -> Result<(), Halt> {
        if !self.conversation.apps().is_empty() {
            return Ok(());
        }
        let phone = Arc::clone(&self.ports.phone);
        match self.race(async move { phone.apps().await }).await? {
            Ok(apps) => self.conversation.know_apps(apps),
            Err(trouble) if trouble.is_unreachable() => {
                return Err(Halt::Pause(phone_trouble(&trouble)));
            }
            Err(trouble) => tracing::info!(%trouble, "the apps could not be listed"),
        }
        Ok(())
    }

    pub(super) async fn refuse(
        &mut self,
        action: &Action,
        by: impl Into<RefusedBy>,
        message: &str,
    ) -> Result<(), Halt> {
        self.refuse_about(action, Subject::default(), by, message).await
    }

    /// The same, where it is known what it would have touched.
    async fn refuse_about(
        &mut self,
        action: &Action,
        about: Subject,
        by: impl Into<RefusedBy>,
        message: &str,
    ) -> Result<(), Halt> {
        self.record(What::Refused {
            step: self.budget.step(),
            action: action.clone(),
            code: by.into().into(),
            label: about.label,
            place: about.place,
            app_label: about.app_label,
        })
        .await?;
        self.note(action, message);
        Ok(())
    }

    /// A line of history for this action, in the model's own numbers.
    pub(super) fn note(&mut self, action: &Action, result: &str) {
        self.note_on(action, "", result);
    }

    /// The same for an action on something that has a name.
    pub(super) fn note_on(&mut self, action: &Action, label: &str, result: &str) {
        let step = self.budget.step();
        self.conversation.note(step, action, label, result, &self.secrets);
    }
}

/// What the question rings: the field for a code or password, the pressed element, else the page's own button.
fn target_of(kind: AskKind, page: &Page<'_>, plan: &Plan) -> Option<Element> {
    let told = |of: &Element| page.screen.elements.iter().find(|e| e.index == of.index);
    let planned = plan.element.as_ref();
    let target = match kind {
        AskKind::Code => page.code_field(),
        AskKind::Password => planned.and_then(told).or_else(|| page.focused()),
        AskKind::Payment | AskKind::Send | AskKind::Delete => {
            let touched = planned.filter(|_| !plan.touches.is_empty());
            touched.and_then(told).or_else(|| page.element_for(kind))
        }
        _ => planned.and_then(told),
    };
    target.cloned()
}

/// The action in pixels of the screen as it is now: what is judged, asked about, written down and done.
fn on_screen(
    action: &Action,
    pointed: Option<ReplyCoordinates>,
    shown: &Observation,
    now: &Observation,
) -> Result<Action, Misplaced> {
    let Some(pointed) = pointed else {
        return Ok(action.clone());
    };
    // Where one look did not tell how the phone was turned, the sizes alone say whether it was.
    let (taken, turned) = match (shown.rotation, now.rotation) {
        (Some(taken), Some(turned)) => (taken, turned),
        _ => (0, 0),
    };
    let display = |screen: &Screen, rotation| Display {
        width: screen.width,
        height: screen.height,
        rotation,
    };
    let view = View {
        picture: pointed.picture,
        taken: display(&shown.screen, taken),
        now: display(&now.screen, turned),
    };
    pointing::on_screen(action, pointed.space, &view)
}

/// The same words as for pixels that lie nowhere.
fn refused(misplaced: Misplaced) -> RefusalCode {
    match misplaced {
        Misplaced::NotANumber => RefusalCode::BadCoordinates,
        Misplaced::Outside { .. } => RefusalCode::OffScreen,
        Misplaced::Turned => RefusalCode::ScreenChanged,
    }
}

/// What the model hears of a refusal.
fn told_of(rule: RuleName) -> &'static str {
    match rule {
        RuleName::NoField => {
            "Nothing that takes text has the focus, so nothing was typed. Name the field as the target, or tap it first."
        }
        _ => NEVER,
    }
}

fn touches_phone(act: &Act) -> bool {
    !matches!(
        act,
        Act::Wait { .. } | Act::Capture { .. } | Act::ListApps | Act::AskModel { .. } | Act::Hover { .. }
    )
}

/// What makes a question the same question: a No to it is a No to this.
fn key(kind: AskKind, app: &str, evidence: &Evidence, action: &Action) -> String {
    let amount = evidence.amount.as_ref().map(|amount| amount.text.clone());
    let what = match &action.act {
        Act::Shell { command } => command.clone(),
        Act::RunScript { script, .. } => script.clone(),
        Act::OpenUrl { url } => url.clone(),
        // However it is pressed – by element, by point, by Enter –, paying the same is the same question.
        _ => String::new(),
    };
    let label = if kind == AskKind::Payment {
        None
    } else {
        evidence.label.clone()
    };
    serde_json::json!([
        kind,
        app,
        amount,
        evidence::recipient(evidence),
        evidence.text,
        label,
        what
    ])
    .to_string()
}
