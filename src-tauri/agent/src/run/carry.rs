//! Carrying an action out: judge, ask, look again, promise, act, settle, tell.

use super::look::Seen;
use super::question::{Given, Question, WAIT};
use super::{Break, Halt, Message, Run, STOP_BOUND, failure_of, phone_trouble};
use crate::evidence;
use crate::judge::{Case, Page, Verdict, judge};
use crate::plan::{Doing, Plan, plan};
use crate::ports::{Command, PhoneTrouble, Reply, Sight};
use crate::prompt::{Facts, Prompt};
use protocol::{
    Act, Action, AskKind, AskReason, Ending, Evidence, Op, Outcome, PauseReason, Screen, Usage, What,
};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// How long the screen may go on moving after an action.
const SETTLE: Duration = Duration::from_secs(5);
/// Steps back that a repetition is looked for.
const REMEMBERED: usize = 12;
/// A look older than this is not acted on: the model may have thought for long.
const STALE: Duration = Duration::from_secs(1);

impl Run {
    pub(super) async fn carry_out(&mut self, action: Action, thought: &str, seen: Seen) -> Result<(), Halt> {
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
        if matches!(
            action.act,
            Act::LaunchApp { .. } | Act::FocusApp { .. } | Act::ListApps
        ) {
            self.know_apps().await?;
        }
        let now = if touches_phone(&action.act) && seen.at.elapsed() > STALE {
            self.refresh(&seen).await?
        } else {
            seen.copy()
        };
        let plan = match plan(&action, &seen.screen, &now.screen, &self.apps) {
            Ok(plan) => plan,
            Err(refusal) => return self.refuse(&action, refusal.code, &refusal.message).await,
        };
        self.count_repeat(&action, &now.screen)?;
        let case = Case {
            action: &action,
            touches: &plan.touches,
            screen: &now.screen,
            settings: &self.task.settings,
            blind_allowed: self.blind.contains(&now.screen.current_app),
            holds_secret: self.secrets.appear_in(&text_of(&action.act)),
        };
        match judge(&case) {
            Verdict::Allow => self.do_it(&action, plan, &now).await,
            Verdict::Refuse { rule } => {
                self.refuse(
                    &action,
                    rule,
                    "This is never done, whoever asks. Do not try it in another way.",
                )
                .await
            }
            Verdict::Ask { kind, rule } => self.ask_then_do(kind, rule, &action, plan, thought, now).await,
        }
    }

    async fn ask_then_do(
        &mut self,
        kind: AskKind,
        rule: &'static str,
        action: &Action,
        plan: Plan,
        thought: &str,
        now: Seen,
    ) -> Result<(), Halt> {
        let page = Page::new(&now.shown.screen);
        let target = self.target_of(kind, &plan, &now);
        let evidence = evidence::gather(kind, page, target.as_ref(), Some(action));
        let question_key = key(kind, &now.screen.current_app, &evidence, action);
        if self.denied.contains(&question_key) {
            let message = "The person said no to this already. It is not asked again in this task.";
            return self.refuse(action, "denied_before", message).await;
        }
        if self.use_grant(kind, &now.screen.current_app, &evidence) {
            return self.do_it(action, plan, &now).await;
        }
        let question = Question {
            kind,
            reason: AskReason::Rule {
                rule: rule.to_owned(),
            },
            action: Some(action),
            target: target.as_ref(),
            screen: &now.screen,
            frame: now.frame.clone(),
            says: thought,
            wait: WAIT,
            evidence,
        };
        match self.ask(question).await? {
            Given::No => {
                self.denied.insert(question_key);
                let told = "The person said no. Do not try this again, also not in another way. Find something the person \
                            would agree to, or finish and say what was left undone.";
                self.note(action, told);
                Ok(())
            }
            Given::Secret(secret) => self.deliver(secret, &now).await,
            Given::Yes => {
                let again = self.glance().await?;
                if let Some(change) = screen::changed(&now.screen, &again.screen, target.as_ref()) {
                    tracing::info!(?change, "the screen changed between question and answer");
                    return self.void(action).await;
                }
                if kind == AskKind::Unreadable {
                    self.blind.insert(now.screen.current_app.clone());
                }
                self.do_it(action, plan, &again).await
            }
        }
    }

    /// The Yes does not hold any more: the screen is another.
    pub(super) async fn void(&mut self, action: &Action) -> Result<(), Halt> {
        let ask = protocol::AskId(format!("{}/{}", self.task.run, self.asks));
        self.record(What::Voided { ask }).await?;
        self.note(
            action,
            "The screen changed while the person was asked, so nothing was done. Look at it again.",
        );
        Ok(())
    }

    /// What the question rings: the field for a code or password, the pressed element, else the page's own button.
    fn target_of(&self, kind: AskKind, plan: &Plan, now: &Seen) -> Option<protocol::Element> {
        let page = Page::new(&now.shown.screen);
        let shown = |index: u32| {
            now.shown
                .screen
                .elements
                .iter()
                .find(|e| e.index == index)
                .cloned()
        };
        match kind {
            AskKind::Code => page.code_field().cloned(),
            AskKind::Password => plan
                .element
                .as_ref()
                .and_then(|e| shown(e.index))
                .or_else(|| page.focused().cloned()),
            AskKind::Payment | AskKind::Send | AskKind::Delete => {
                let touched = plan
                    .element
                    .as_ref()
                    .filter(|_| !plan.touches.is_empty())
                    .and_then(|e| shown(e.index));
                touched.or_else(|| page.element_for(kind).cloned())
            }
            _ => plan.element.as_ref().and_then(|e| shown(e.index)),
        }
    }

    /// A Yes given in advance, used up by this.
    fn use_grant(&mut self, kind: AskKind, app: &str, evidence: &Evidence) -> bool {
        let now = Instant::now();
        self.grants.retain(|grant| grant.until > now);
        if kind == AskKind::Payment && (evidence.amount.is_none() || !evidence.other_amounts.is_empty()) {
            return false;
        }
        let fits = |grant: &super::Grant| {
            let amount = match (&grant.amount, &evidence.amount) {
                (Some(a), Some(b)) => evidence::same_amount(a, b),
                (None, None) => true,
                _ => false,
            };
            grant.kind == kind && grant.app == app && amount && grant.recipient == recipient(evidence)
        };
        match self.grants.iter().position(fits) {
            Some(at) => {
                self.grants.remove(at);
                true
            }
            None => false,
        }
    }

    /// A newer look, because thinking took long. Told only where it differs enough to matter.
    async fn refresh(&mut self, seen: &Seen) -> Result<Seen, Halt> {
        let phone = Arc::clone(&self.ports.phone);
        let sight = self.race(async move { phone.see().await }).await?;
        let sight = sight.map_err(|trouble| Halt::Pause(phone_trouble(&trouble)))?;
        if same_picture(&seen.screen, &sight) {
            let mut same = seen.copy();
            same.at = Instant::now();
            return Ok(same);
        }
        self.glance().await
    }

    /// The apps are asked for once, when an action needs them or a question names one.
    pub(super) async fn know_apps(&mut self) -> Result<(), Halt> {
        if !self.apps.is_empty() {
            return Ok(());
        }
        let phone = Arc::clone(&self.ports.phone);
        match self.race(async move { phone.apps().await }).await? {
            Ok(apps) => self.apps = apps,
            Err(trouble @ (PhoneTrouble::Gone(_) | PhoneTrouble::Unauthorized)) => {
                return Err(Halt::Pause(phone_trouble(&trouble)));
            }
            Err(trouble) => tracing::info!(%trouble, "the apps could not be listed"),
        }
        Ok(())
    }

    pub(super) async fn refuse(&mut self, action: &Action, code: &str, message: &str) -> Result<(), Halt> {
        self.record(What::Refused {
            step: self.step,
            action: action.clone(),
            code: code.to_owned(),
        })
        .await?;
        self.note(action, message);
        Ok(())
    }

    /// A line of history for this action.
    pub(super) fn note(&mut self, action: &Action, result: &str) {
        let written = serde_json::to_string(action).unwrap_or_default();
        let (written, result) = (self.secrets.hide(&written), self.secrets.hide(result));
        self.history.push(self.step, written, result);
    }

    /// The same action on the same screen too often: the run waits for the person.
    fn count_repeat(&mut self, action: &Action, screen: &Screen) -> Result<(), Halt> {
        if matches!(action.act, Act::Wait { .. } | Act::Capture { .. } | Act::ListApps) {
            return Ok(());
        }
        let mut bare = action.clone();
        bare.reason = None;
        let written = serde_json::to_string(&bare).unwrap_or_default();
        let same =
            |(action, before): &&(String, Screen)| *action == written && screen::same_place(before, screen);
        let times = self.repeats.iter().filter(same).count();
        if times >= usize::try_from(self.task.settings.limits.repeats).unwrap_or(usize::MAX) {
            return Err(Halt::Pause(PauseReason::Repeating));
        }
        if self.repeats.len() == REMEMBERED {
            self.repeats.pop_front();
        }
        self.repeats.push_back((written, screen.clone()));
        Ok(())
    }

    /// Promise, act, settle, tell.
    async fn do_it(&mut self, action: &Action, plan: Plan, now: &Seen) -> Result<(), Halt> {
        let began = Instant::now();
        let shown = plan
            .element
            .as_ref()
            .and_then(|e| now.shown.screen.elements.iter().find(|s| s.index == e.index));
        let acting = What::Acting {
            step: self.step,
            action: action.clone(),
            label: shown
                .map(|element| element.label.clone())
                .filter(|label| !label.is_empty()),
            role: shown.map(|element| element.role.clone()),
            place: plan.place,
            app_label: plan.app_label.clone(),
            ring: plan.ring,
            secret_characters: None,
        };
        self.record(acting).await?;
        let (outcome, told) = match plan.doing {
            Doing::Phone(commands) => self.on_phone(commands, &now.screen, began).await?,
            other => self.off_phone(other).await?,
        };
        let ok = outcome.ok;
        self.tell_acted(outcome, began).await?;
        self.note(action, &told);
        if action.then_finish && ok {
            let message = action
                .reason
                .clone()
                .unwrap_or_else(|| "Task finished.".to_owned());
            return Err(Halt::End(Ending::Finished { message }));
        }
        Ok(())
    }

    pub(super) async fn tell_acted(&mut self, outcome: Outcome, began: Instant) -> Result<(), Halt> {
        let took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.record(What::Acted {
            step: self.step,
            outcome,
            took_ms,
        })
        .await
    }

    /// Commands to the phone, one after another, then until the screen is quiet.
    async fn on_phone(
        &mut self,
        commands: Vec<Command>,
        before: &Screen,
        began: Instant,
    ) -> Result<(Outcome, String), Halt> {
        let mut output: Option<String> = None;
        let mut rung = None;
        for command in commands {
            let phone = Arc::clone(&self.ports.phone);
            let grip = self.grip.clone();
            let done = self
                .finish_first(async move { phone.perform(&command, &grip).await }, began)
                .await?;
            match done {
                Ok(effect) => {
                    output = effect.output.or(output);
                    rung = effect.rung.or(rung);
                }
                Err(trouble) => return self.trouble(&trouble, began).await,
            }
        }
        let changed = self.settle(before).await?;
        let mut told = match changed {
            Some(false) => "done, but the screen looks the same".to_owned(),
            _ => "done".to_owned(),
        };
        if let Some(output) = output.as_deref().filter(|output| !output.trim().is_empty()) {
            told = format!("{told}; the phone printed: {}", self.secrets.hide(output));
        }
        let output = output.map(|output| self.secrets.hide(&output));
        Ok((
            Outcome {
                ok: true,
                code: "done".into(),
                rung: rung.map(str::to_owned),
                output,
                changed,
            },
            told,
        ))
    }

    /// Waits until the screen is quiet; says whether it looks different.
    pub(super) async fn settle(&mut self, before: &Screen) -> Result<Option<bool>, Halt> {
        let phone = Arc::clone(&self.ports.phone);
        match self.race(async move { phone.settle(SETTLE).await }).await? {
            Ok(sight) => {
                let changed = !same_picture(before, &sight);
                self.settled_at = Instant::now();
                self.fresh = sight.quiet.then_some(sight);
                Ok(Some(changed))
            }
            // What was done is done; the next look will meet the same trouble and say so.
            Err(trouble) => {
                tracing::info!(%trouble, "could not watch the screen settle");
                Ok(None)
            }
        }
    }

    /// What the phone would not do, told; a phone that is gone halts.
    pub(super) async fn trouble(
        &mut self,
        trouble: &PhoneTrouble,
        began: Instant,
    ) -> Result<(Outcome, String), Halt> {
        let code = match trouble {
            PhoneTrouble::Gone(_) => "phone_gone",
            PhoneTrouble::Unauthorized => "phone_unauthorized",
            PhoneTrouble::Slow(_) => "phone_slow",
            PhoneTrouble::Refused(_) => "phone_refused",
            PhoneTrouble::TouchForbidden(_) => "touch_forbidden",
            PhoneTrouble::Tree(_) => "no_elements",
            PhoneTrouble::CannotType => "cannot_type",
            PhoneTrouble::AppNotFound(_) => "app_not_found",
            PhoneTrouble::NotSupported(_) => "not_supported",
            PhoneTrouble::LeaseLost => "lease_lost",
            PhoneTrouble::MaybeRunning(_) => "unknown",
        };
        let detail = self.secrets.hide(&trouble.to_string());
        let outcome = Outcome {
            ok: false,
            code: code.into(),
            rung: None,
            output: Some(detail.clone()),
            changed: None,
        };
        match trouble {
            PhoneTrouble::Gone(_) | PhoneTrouble::Unauthorized | PhoneTrouble::TouchForbidden(_) => {
                self.tell_acted(outcome, began).await?;
                let reason = match trouble {
                    PhoneTrouble::Gone(_) => PauseReason::PhoneGone,
                    other => PauseReason::Look {
                        failure: failure_of(other),
                    },
                };
                Err(Halt::Pause(reason))
            }
            _ => Ok((outcome, format!("failed: {detail}"))),
        }
    }

    /// Everything that is not done on the phone.
    async fn off_phone(&mut self, doing: Doing) -> Result<(Outcome, String), Halt> {
        let done = |code: &str, told: String| {
            (
                Outcome {
                    ok: true,
                    code: code.to_owned(),
                    rung: None,
                    output: None,
                    changed: None,
                },
                told,
            )
        };
        Ok(match doing {
            Doing::Phone(_) | Doing::Look => done("done", "done".into()),
            Doing::Wait(time) => {
                self.race(tokio::time::sleep(time)).await?;
                done("done", "done".into())
            }
            Doing::Nothing { code } => done(code, format!("nothing was done: {}", code.replace('_', " "))),
            Doing::Apps => {
                self.list_apps = true;
                done(
                    "done",
                    format!("{} apps can be opened; they are listed below", self.apps.len()),
                )
            }
            Doing::Keep { output, text } => {
                let told = format!("kept as {output}: {} characters", text.chars().count());
                self.variables.insert(output, text);
                done("done", told)
            }
            Doing::AskModel { prompt, output } => match self.ask_model(&prompt).await? {
                Ok(reply) => {
                    let told = format!("kept as {output}: {} characters", reply.text.chars().count());
                    self.variables.insert(output, reply.text);
                    done("done", told)
                }
                Err(failure) => return Err(Halt::Pause(PauseReason::Model { failure })),
            },
            Doing::Script { script, limit } => self.script(&script, limit).await?,
        })
    }

    async fn script(&mut self, script: &str, limit: Duration) -> Result<(Outcome, String), Halt> {
        let scripts = Arc::clone(&self.ports.scripts);
        let (grip, script) = (self.grip.clone(), script.to_owned());
        let ran = self
            .finish_first(
                async move { scripts.run(&script, limit, &grip).await },
                Instant::now(),
            )
            .await?;
        Ok(match ran {
            Ok(end) => {
                let ok = end.exit == Some(0) && !end.timed_out;
                let code = if end.timed_out {
                    "timed_out"
                } else if ok {
                    "done"
                } else {
                    "script_failed"
                };
                let exit = end
                    .exit
                    .map_or_else(|| "none".to_owned(), |exit| exit.to_string());
                let text = format!("exit code {exit}; output: {}; errors: {}", end.stdout, end.stderr);
                let text = self.secrets.hide(&text);
                let output = Some(text.clone());
                (
                    Outcome {
                        ok,
                        code: code.into(),
                        rung: None,
                        output,
                        changed: None,
                    },
                    text,
                )
            }
            Err(failure) => {
                let detail = failure.detail.unwrap_or_default();
                let told = format!("the script could not be run: {detail}");
                (
                    Outcome {
                        ok: false,
                        code: "script_failed".into(),
                        rung: None,
                        output: Some(detail),
                        changed: None,
                    },
                    told,
                )
            }
        })
    }

    /// A plain question to the model, with no picture and no screen.
    async fn ask_model(&mut self, question: &str) -> Result<Result<Reply, protocol::Failure>, Halt> {
        let model = Arc::clone(&self.ports.model);
        let mut screen = blank_screen(&self.task.phone);
        screen.current_app = "unknown".into();
        let prompt = Prompt {
            system: "Answer the question in plain text.".into(),
            user: question.to_owned(),
            picture: None,
            facts: Facts {
                goal: question.to_owned(),
                screen,
                history: vec![],
                said: vec![],
                apps: vec![],
            },
        };
        let answer = self
            .race(async move { model.think(&prompt, &|_, _| {}).await })
            .await?;
        if let Ok(Reply { usage, .. }) = &answer
            && *usage != Usage::default()
        {
            tracing::debug!(
                input = usage.input_tokens,
                output = usage.output_tokens,
                "asked the model aside"
            );
        }
        Ok(answer)
    }

    /// Waits for something that must not be dropped half-way. When the person breaks in, the lease is gone already and
    /// the work ends itself; it gets until the bound to say so.
    pub(super) async fn finish_first<T>(
        &mut self,
        work: impl Future<Output = T>,
        began: Instant,
    ) -> Result<T, Halt> {
        tokio::pin!(work);
        let mut broken: Option<Break> = None;
        let mut bound = Instant::now() + Duration::from_secs(86_400);
        loop {
            tokio::select! {
                biased;
                out = &mut work => {
                    let Some(broken) = broken else { return Ok(out) };
                    self.tell_broken(began, "lease_lost").await?;
                    return Err(Halt::Broken(broken));
                }
                message = self.inbox.recv() => {
                    let wants = match &message {
                        None | Some(Message::Op(Op::Stop)) => Some(Break::Stop),
                        Some(Message::Op(Op::Pause)) => Some(Break::Pause),
                        Some(Message::Op(Op::TakeOver)) => Some(Break::TakeOver),
                        Some(_) => None,
                    };
                    match wants {
                        Some(wants) => {
                            if broken.is_none() {
                                bound = Instant::now() + STOP_BOUND;
                            }
                            broken = Some(if broken == Some(Break::Stop) { Break::Stop } else { wants });
                            if message.is_none() {
                                self.lease.revoke();
                            }
                        }
                        None => {
                            self.hear(message).await?;
                        }
                    }
                }
                () = tokio::time::sleep_until(bound) => {
                    self.maybe_running = true;
                    self.tell_broken(began, "unknown").await?;
                    return Err(Halt::Broken(broken.unwrap_or(Break::Stop)));
                }
            }
        }
    }

    async fn tell_broken(&mut self, began: Instant, code: &str) -> Result<(), Halt> {
        let outcome = Outcome {
            ok: false,
            code: code.to_owned(),
            rung: None,
            output: None,
            changed: None,
        };
        self.history
            .push(self.step, "", "The person broke in; this step was not finished.");
        self.tell_acted(outcome, began).await
    }
}

/// The words an action would put somewhere, for the rule that secrets go nowhere else.
fn text_of(act: &Act) -> String {
    match act {
        Act::Type { text, .. } => text.clone(),
        Act::SetValue { value, .. } => value.clone(),
        Act::Shell { command } => command.clone(),
        Act::RunScript { script, .. } => script.clone(),
        Act::OpenUrl { url } => url.clone(),
        _ => String::new(),
    }
}

fn touches_phone(act: &Act) -> bool {
    !matches!(
        act,
        Act::Wait { .. }
            | Act::Capture { .. }
            | Act::ListApps
            | Act::AskModel { .. }
            | Act::RunScript { .. }
            | Act::Hover { .. }
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
    serde_json::json!([kind, app, amount, recipient(evidence), evidence.text, label, what]).to_string()
}

fn recipient(evidence: &Evidence) -> Option<String> {
    evidence.payee.clone().or_else(|| evidence.recipient.clone())
}

/// Whether a sight shows what a screen showed, the status bar aside.
fn same_picture(screen: &Screen, sight: &Sight) -> bool {
    if screen.current_app != sight.app || (screen.width, screen.height) != (sight.width, sight.height) {
        return false;
    }
    match (&screen.frame, &sight.frame) {
        (Some(a), Some(b)) => {
            let bar = screen::picture::status_bar(a.width, a.height);
            let difference = screen::picture::difference(a, b, &[bar]);
            difference.is_none() || difference.is_caret()
        }
        (None, None) => true,
        _ => false,
    }
}

fn blank_screen(phone: &protocol::PhoneId) -> Screen {
    Screen {
        phone: phone.clone(),
        current_app: String::new(),
        window: None,
        width: 0,
        height: 0,
        captured_at: 0,
        capture: protocol::CaptureResult::Failed,
        frame: None,
        elements: Vec::new(),
        tree_read: false,
        totals: protocol::Totals::default(),
        keyboard_shown: false,
    }
}
