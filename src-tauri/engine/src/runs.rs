//! Runs: started, steered, answered.

use crate::clock::{WallClock, now};
use crate::phone_session::PhoneSession;
use crate::{Engine, EngineError, ModelChoice};
use adb::AdbPhone;
use agent::ports::{Model, SharedReplayer};
use agent::prior_progress::PriorProgress;
use agent::timing::StepTiming;
use agent::{Handle, Ports, Task};
use protocol::{
    Answer, AnswerLifetime, AskId, AskKind, AutomationRun, Choice, Event, Failure, Op, Phone, PhoneId,
    PhoneState, Rule, RunId, Settings, StandingAnswer, What,
};
use script::Bash;
use secrecy::SecretString;
use std::sync::Arc;
use store::StoreError;
use tokio::sync::{broadcast, watch};

/// What a run tells of the person's standing rules.
#[derive(Clone)]
pub(crate) enum RuleEvent {
    /// The person just said it.
    Now(Rule),
    /// It answered a question, at this moment.
    Used(Rule, protocol::Millis),
}

impl RuleEvent {
    fn of(event: &Event) -> Option<Self> {
        match &event.what {
            What::Allowed {
                rule,
                reach: AnswerLifetime::Always,
                ..
            } => Some(Self::Now(rule.clone())),
            What::Unasked {
                standing: StandingAnswer::Rule { rule },
                ..
            } => Some(Self::Used(rule.clone(), event.at)),
            _ => None,
        }
    }
}

/// What a run is to do.
pub(crate) struct RunRequest<'a> {
    pub(crate) goal: &'a str,
    /// What the AI is told with it.
    pub(crate) note: Option<&'a str>,
    /// What was done of it before it was broken off.
    pub(crate) earlier: Option<PriorProgress>,
    /// What the run is called.
    pub(crate) run: RunId,
    /// The automation it is a run of.
    pub(crate) automation: Option<AutomationRun>,
    /// What it repeats; absent where the AI does it.
    pub(crate) replayer: Option<SharedReplayer>,
}

impl<'a> RunRequest<'a> {
    /// A task of the person's own.
    fn task(goal: &'a str) -> Self {
        Self {
            goal,
            note: None,
            earlier: None,
            run: new_run(),
            automation: None,
            replayer: None,
        }
    }
}

/// A phone whose session is kept for a run that starts now.
pub(crate) struct ReservedPhone {
    known: Phone,
    device: Arc<AdbPhone>,
    pub(crate) session: Arc<PhoneSession>,
}

impl Engine {
    /// Starts one task on each of these phones. None starts when one cannot. `anyway`: the person was told what cannot be
    /// typed there ([`Engine::can_type`]), and wants it nevertheless.
    ///
    /// # Errors
    /// When there is no task, a phone cannot be used or cannot be given the task's own characters, or the AI cannot be
    /// reached for lack of a key or address.
    pub async fn run(&self, phones: &[PhoneId], goal: &str, anyway: bool) -> Result<Vec<RunId>, Failure> {
        let goal = goal.trim();
        if goal.is_empty() || phones.is_empty() {
            return Err(EngineError::NoGoal.into());
        }
        if !anyway {
            self.can_type(phones, goal).await?;
        }
        let model = self.model(&ModelChoice::Settings).await?;
        let mut reserved: Vec<ReservedPhone> = Vec::new();
        for phone in phones {
            match self.reserve(phone) {
                Ok(place) => reserved.push(place),
                Err(error) => {
                    for place in reserved {
                        place.session.unreserve();
                    }
                    return Err(error.into());
                }
            }
        }
        let start = |place| self.start_by_settings(place, RunRequest::task(goal), Arc::clone(&model));
        Ok(reserved.into_iter().map(start).collect())
    }

    /// Goes on with a task on one phone: what was done of it, and what the person adds, is told before the AI thinks for the
    /// first time.
    ///
    /// # Errors
    /// When the phone cannot be used.
    pub(crate) fn run_on(
        &self,
        phone: &PhoneId,
        goal: &str,
        note: &str,
        prior: PriorProgress,
        model: Arc<dyn Model>,
    ) -> Result<RunId, EngineError> {
        let place = self.reserve(phone)?;
        let wanted = RunRequest {
            note: (!note.is_empty()).then_some(note),
            earlier: Some(prior),
            ..RunRequest::task(goal)
        };
        Ok(self.start_by_settings(place, wanted, model))
    }

    /// Starts it under the settings as they stand.
    pub(crate) fn start_by_settings(
        &self,
        place: ReservedPhone,
        wanted: RunRequest<'_>,
        model: Arc<dyn Model>,
    ) -> RunId {
        // Watched before they are looked at: no change falls in between.
        let mut watched = self.watch_settings();
        let settings = watched.borrow_and_update().clone();
        self.start(place, wanted, model, settings, watched).run
    }

    /// Starts one task on one phone with a given AI and given settings (`deck`).
    ///
    /// # Errors
    /// As [`Engine::run`].
    pub fn run_with(
        &self,
        phone: &PhoneId,
        goal: &str,
        model: Arc<dyn Model>,
        settings: Settings,
    ) -> Result<RunId, Failure> {
        let watched = self.watch_settings();
        let place = self.reserve(phone)?;
        Ok(self
            .start(place, RunRequest::task(goal), model, settings, watched)
            .run)
    }

    pub(crate) fn reserve(&self, phone: &PhoneId) -> Result<ReservedPhone, EngineError> {
        let known = self.known(phone)?;
        if known.state != PhoneState::Device {
            return Err(EngineError::NotUsable(known.state));
        }
        let device = self.phone(phone)?;
        let session = self.inner.sessions.at(phone);
        session.reserve(&known)?;
        Ok(ReservedPhone {
            known,
            device,
            session,
        })
    }

    fn start(
        &self,
        place: ReservedPhone,
        wanted: RunRequest<'_>,
        model: Arc<dyn Model>,
        settings: Settings,
        watched: watch::Receiver<Settings>,
    ) -> Handle {
        let ReservedPhone {
            known,
            device,
            session,
        } = place;
        let task = Task {
            run: wanted.run,
            phone: known.id.clone(),
            phone_name: known.name,
            automation: wanted.automation,
            earlier: wanted.earlier,
            goal: wanted.goal.to_owned(),
            settings,
        };
        let is_automation = task.automation.is_some();
        self.inner.store.call_phone(&task.phone, &task.phone_name);
        let (recorder, recording) = self.record(&task.run, Arc::clone(&device));
        let ports = Ports {
            phone: device,
            model,
            journal: Arc::new(self.inner.store.clone()),
            scripts: Arc::new(Bash::new(self.scripts())),
            credentials: Arc::new(self.credentials()),
            clock: Arc::new(WallClock),
            recorder: Some(recorder),
            replayer: wanted.replayer,
        };
        let (spending, mut spent) = tokio::sync::mpsc::unbounded_channel::<()>();
        let (allowing, mut allowed) = tokio::sync::mpsc::unbounded_channel::<RuleEvent>();
        let (hub, sessions, seated) = (self.inner.hub.clone(), self.inner.sessions.clone(), known.id);
        let tell = Arc::new(move |event: &Event| {
            let spends = matches!(
                event.what,
                What::Decided { .. } | What::Unclear { .. } | What::Paused { .. } | What::Ended { .. }
            );
            if spends {
                let _ = spending.send(());
            }
            if let Some(told) = RuleEvent::of(event) {
                let _ = allowing.send(told);
            }
            if matches!(event.what, What::TakenOver) {
                let session = sessions.at(&seated);
                // Taken over by way of a question: nobody took the lease for the person yet.
                if !session.lease.is_held() {
                    session.taken_over_by_answer();
                }
            }
            hub.event(event);
        });
        let (handle, run) = agent::start(task, ports, &session.lease, tell);
        if let Some(note) = wanted.note {
            // In its inbox before it lives: it hears it with its first thought.
            handle.say(note);
        }
        session.begin(handle.clone());
        tokio::spawn(follow(watched, handle.clone()));
        let engine = self.clone();
        self.inner.writing.spawn(async move {
            while let Some(told) = allowed.recv().await {
                engine.keep_allowed(told).await;
            }
        });
        let engine = self.clone();
        tokio::spawn(async move {
            while spent.recv().await.is_some() {
                engine.tell_spending().await;
            }
        });
        let (engine, left) = (self.clone(), handle.run.clone());
        let whole = async move {
            run.await;
            // What comes next may repeat it.
            let _ = recording.await;
            session.end(&left);
            engine.close_run(&left).await;
            if is_automation {
                engine.automation_is_over(&left).await;
            }
            // The phone is free: another may have waited for it.
            engine.inner.automations.tell();
            engine.tidy().await;
        };
        if is_automation {
            // Its end is written down a second time, with its automation.
            self.inner.writing.spawn(whole);
        } else {
            tokio::spawn(whole);
        }
        handle
    }

    /// A run that is over has an end in the store, for as long as that takes: one that seems to go on keeps every automation from
    /// its phone, since nobody else ends it while this program lives.
    async fn close_run(&self, run: &RunId) {
        let mut backoff = crate::backoff::ExponentialBackoff::default();
        loop {
            match self.inner.store.close_run(run).await {
                Ok(()) | Err(StoreError::NotFound(_)) => return,
                Err(error) => tracing::warn!(%error, %run, "the end of a task is not written down yet"),
            }
            tokio::time::sleep(backoff.next_pause()).await;
        }
    }

    /// Where the time of each step of a run goes, from now on; none where there is no such run.
    #[must_use]
    pub fn timings(&self, run: &RunId) -> Option<broadcast::Receiver<StepTiming>> {
        let (_, handle) = self.inner.sessions.of_run(run)?;
        Some(handle.timings())
    }

    /// What the person wants of a run. Stop returns when nothing more can reach the phone.
    ///
    /// # Errors
    /// When there is no such run, or it is over.
    pub async fn steer(&self, run: &RunId, op: Op) -> Result<(), Failure> {
        let (session, handle) = self.inner.sessions.of_run(run).ok_or(EngineError::NoRun)?;
        // Whoever pauses wants it to stay so: it is not tried again by itself.
        if op == Op::Pause {
            self.inner.hub.retry.hold(&handle.phone);
        }
        match op {
            Op::TakeOver => session.take_over(&handle),
            Op::HandBack => {
                session.hand_back();
                handle.steer(Op::HandBack).await;
            }
            op => handle.steer(op).await,
        }
        Ok(())
    }

    /// An answer. One that is late, repeated, or to another screen than the one asked about counts for nothing.
    ///
    /// # Errors
    /// When there is no such question.
    pub fn answer(&self, answer: Answer) -> Result<(), Failure> {
        self.asked(&answer.ask)?.0.answer(answer);
        Ok(())
    }

    /// A code or password, on its way to the phone and nowhere else.
    ///
    /// # Errors
    /// When there is no such question.
    pub fn supply(&self, ask: AskId, digest: String, value: SecretString) -> Result<(), Failure> {
        crate::redact::remember(&value);
        self.asked(&ask)?.0.supply(ask, digest, value);
        Ok(())
    }

    /// The run that waits, and what for.
    pub(crate) fn asked(&self, ask: &AskId) -> Result<(Handle, AskKind), EngineError> {
        let open = self.inner.hub.open_asks();
        let run = open
            .borrow()
            .asks
            .iter()
            .find(|open| open.id == *ask)
            .map(|open| (open.run.clone(), open.kind));
        let (run, kind) = run.ok_or(EngineError::NoAsk)?;
        self.inner
            .sessions
            .of_run(&run)
            .map(|(_, handle)| (handle, kind))
            .ok_or(EngineError::NoRun)
    }

    /// The run that lives on a phone.
    #[must_use]
    pub fn live_run(&self, phone: &PhoneId) -> Option<RunId> {
        self.inner.sessions.at(phone).live().map(|handle| handle.run)
    }
}

/// What the person changes while a run goes on holds from its next step on.
async fn follow(mut settings: watch::Receiver<Settings>, run: Handle) {
    loop {
        tokio::select! {
            changed = settings.changed() => if changed.is_err() { return },
            () = run.wait_over() => return,
        }
        run.follow(settings.borrow_and_update().clone());
    }
}

/// What `--answer allow` may say Yes to: only what a switch or the level in the settings can turn off.
#[must_use]
pub fn may_be_switched_off(ask: &protocol::Ask) -> bool {
    // What the model itself wants a person for is another thing than what nobody knows.
    let is_ours = matches!(ask.reason, protocol::AskReason::Rule { .. });
    let is_of_a_switch = matches!(
        ask.kind,
        AskKind::Send | AskKind::Delete | AskKind::Install | AskKind::Permission | AskKind::Shell
    );
    is_of_a_switch || (is_ours && ask.kind == AskKind::Unknown)
}

/// The answer of nobody.
#[must_use]
pub fn no(ask: &protocol::Ask) -> Answer {
    Answer {
        ask: ask.id.clone(),
        digest: ask.digest.clone(),
        choice: Choice::Deny,
        words: None,
        amount: None,
    }
}

/// Milliseconds first, so that ids sort by time; then what makes two in the same millisecond differ.
pub(crate) fn new_run() -> RunId {
    RunId(format!("{:012x}-{:08x}", now(), fastrand::u32(..)))
}
