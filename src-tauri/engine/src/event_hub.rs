//! What every listener is told, from the beginning and then as it happens.

use crate::EngineError;
use crate::phone_retry::PhoneRetry;
use protocol::{
    AskId, AskKind, AskOutcome, AutomationCard, ClipState, Event, Failure, Limits, Loosening, News, OpenAsks,
    Phone, PhoneId, RunId, Settings, SettingsChange, SpendingState, What,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::{Spending, Store};
use tokio::sync::{mpsc, watch};

/// Events read from the store in one go.
const PAGE: u32 = 500;

/// Tells every listener the same, in the same order. Clones are the same hub.
#[derive(Clone)]
pub(crate) struct EventHub {
    state: Arc<Mutex<State>>,
    asks: Arc<watch::Sender<OpenAsks>>,
    settings: Arc<watch::Sender<Settings>>,
    /// Runs that wait for their phone.
    pub(crate) retry: PhoneRetry,
}

struct State {
    phones: Option<(Vec<Phone>, bool)>,
    spent: Spending,
    automations: Option<Vec<AutomationCard>>,
    /// Clips that are being recorded.
    clips: BTreeMap<PhoneId, ClipState>,
    /// Each phone's latest run.
    logs: BTreeMap<PhoneId, (RunId, Vec<Event>)>,
    /// Runs in which a code was supplied: the next question for one says that it did not work.
    supplied: BTreeSet<RunId>,
    listeners: Vec<mpsc::UnboundedSender<News>>,
}

impl EventHub {
    pub(crate) fn new(settings: Settings) -> Self {
        let state = State {
            phones: None,
            spent: Spending::default(),
            automations: None,
            clips: BTreeMap::new(),
            logs: BTreeMap::new(),
            supplied: BTreeSet::new(),
            listeners: Vec::new(),
        };
        Self {
            state: Arc::new(Mutex::new(state)),
            asks: Arc::new(watch::Sender::new(OpenAsks::default())),
            settings: Arc::new(watch::Sender::new(settings)),
            retry: PhoneRetry::default(),
        }
    }

    /// Takes each phone's latest run from the store.
    pub(crate) async fn remember(&self, store: &Store) -> Result<(), EngineError> {
        for summary in store.latest_runs().await? {
            let mut events: Vec<Event> = Vec::new();
            loop {
                let after = events.last().map_or(0, |event| event.seq);
                let page = store.events(&summary.run, after, PAGE).await?;
                let last = page.len() < PAGE as usize;
                events.extend(page);
                if last {
                    break;
                }
            }
            self.state().logs.insert(summary.phone, (summary.run, events));
        }
        Ok(())
    }

    /// A panic elsewhere while the lock was held leaves data behind that is still told in order.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn listen(&self) -> mpsc::UnboundedReceiver<News> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let mut state = self.state();
        let settings = self.settings.borrow().clone();
        let limits = settings.limits;
        let mut first = Vec::new();
        first.push(News::Settings {
            settings,
            waiting: self.waiting_changes(),
        });
        if let Some((phones, looking)) = &state.phones {
            first.push(News::Phones {
                phones: phones.clone(),
                looking: *looking,
            });
        }
        first.push(spent(&state.spent, &limits));
        if let Some(automations) = &state.automations {
            let automations = automations.clone();
            first.push(News::Automations { automations });
        }
        first.extend(state.clips.iter().map(|(phone, clip)| News::Clip {
            phone: phone.clone(),
            clip: clip.clone(),
        }));
        for (_, events) in state.logs.values() {
            first.extend(events.iter().map(|event| News::Run { event: event.clone() }));
        }
        for news in first {
            // The receiver is in our hand: it hears.
            let _ = sender.send(news);
        }
        state.listeners.push(sender);
        receiver
    }

    pub(crate) fn open_asks(&self) -> watch::Receiver<OpenAsks> {
        self.asks.subscribe()
    }

    /// Puts an open question before the others, for the person wants to see this one. False where it is over.
    pub(crate) fn bring_forward(&self, ask: &AskId) -> bool {
        let mut waits = false;
        self.asks.send_if_modified(|open| {
            let Some(at) = open.asks.iter().position(|open| open.id == *ask) else {
                return false;
            };
            waits = true;
            open.asks[..=at].rotate_right(1);
            at > 0
        });
        waits
    }

    pub(crate) fn settings(&self) -> watch::Receiver<Settings> {
        self.settings.subscribe()
    }

    pub(crate) fn set_settings(&self, settings: Settings) {
        self.settings.send_replace(settings);
        self.tell_settings();
    }

    /// As they are now, with what waits to change them.
    fn tell_settings(&self) {
        let waiting = self.waiting_changes();
        let mut state = self.state();
        let settings = self.settings.borrow().clone();
        state.tell(&News::Settings { settings, waiting });
    }

    /// A change of the settings waits for the person. An older one that loosens the same is dropped.
    pub(crate) fn open_change(&self, change: SettingsChange) {
        self.asks.send_modify(|open| {
            open.changes.retain(|older| older.loosens != change.loosens);
            open.changes.push(change);
        });
        self.tell_settings();
    }

    /// It waits no longer: gives it, where it still did.
    pub(crate) fn close_change(&self, id: &AskId) -> Option<SettingsChange> {
        let mut closed = None;
        self.asks.send_if_modified(|open| {
            let at = open.changes.iter().position(|change| change.id == *id);
            closed = at.map(|at| open.changes.remove(at));
            closed.is_some()
        });
        if closed.is_some() {
            self.tell_settings();
        }
        closed
    }

    fn waiting_changes(&self) -> Vec<Loosening> {
        let open = self.asks.borrow();
        open.changes
            .iter()
            .flat_map(|change| change.loosens.clone())
            .collect()
    }

    /// These runs are gone: whoever listens is told so, and whoever listens from now on is not told of them.
    pub(crate) fn forget(&self, runs: &[RunId]) {
        if runs.is_empty() {
            return;
        }
        let mut state = self.state();
        state.logs.retain(|_, (run, _)| !runs.contains(run));
        state.tell(&News::Erased { runs: runs.to_vec() });
    }

    /// The runs a new listener is told of.
    pub(crate) fn told_runs(&self) -> Vec<RunId> {
        self.state().logs.values().map(|(run, _)| run.clone()).collect()
    }

    pub(crate) fn set_phones(&self, phones: Vec<Phone>, looking: bool) {
        let mut state = self.state();
        let now = Some((phones.clone(), looking));
        if state.phones != now {
            state.phones = now;
            state.tell(&News::Phones { phones, looking });
        }
    }

    pub(crate) fn set_automations(&self, automations: Vec<AutomationCard>) {
        let mut state = self.state();
        if state.automations.as_ref() != Some(&automations) {
            state.automations = Some(automations.clone());
            state.tell(&News::Automations { automations });
        }
    }

    /// How a phone's clip stands. Of one that is over, only who listens now is told.
    pub(crate) fn set_clip(&self, phone: &PhoneId, clip: ClipState) {
        let mut state = self.state();
        match clip {
            ClipState::Starting | ClipState::Recording { .. } => {
                state.clips.insert(phone.clone(), clip.clone());
            }
            ClipState::Saved { .. } | ClipState::Stopped | ClipState::Failed { .. } => {
                state.clips.remove(phone);
            }
        }
        let phone = phone.clone();
        state.tell(&News::Clip { phone, clip });
    }

    pub(crate) fn set_spending(&self, spending: Spending) {
        let limits = self.settings.borrow().limits;
        let mut state = self.state();
        state.spent = spending;
        let news = spent(&spending, &limits);
        state.tell(&news);
    }

    pub(crate) fn trouble(&self, failure: Failure) {
        self.state().tell(&News::Trouble { failure });
    }

    /// One event of a run: read for the questions it opens and closes, kept, told. The questions come first, so that
    /// whoever is told of one can answer it at once.
    pub(crate) fn event(&self, event: &Event) {
        self.follow_asks(event);
        self.retry.hear(event);
        let mut state = self.state();
        let log = state
            .logs
            .entry(event.phone.clone())
            .or_insert_with(|| (event.run.clone(), Vec::new()));
        if log.0 != event.run {
            *log = (event.run.clone(), Vec::new());
        }
        log.1.push(event.clone());
        state.tell(&News::Run { event: event.clone() });
    }

    fn follow_asks(&self, event: &Event) {
        match &event.what {
            What::Asked { ask, .. } => {
                let again = ask.kind == AskKind::Code && self.state().supplied.contains(&event.run);
                let remote = self.state().is_remote(&ask.phone);
                let ask = ask.clone();
                self.asks.send_modify(|open| {
                    if again {
                        open.again.push(ask.id.clone());
                    }
                    if remote {
                        open.remote.push(ask.id.clone());
                    }
                    open.asks.push(ask);
                });
            }
            What::Extended { ask, deadline } => {
                let (id, deadline) = (ask.clone(), *deadline);
                self.asks.send_modify(|open| {
                    for ask in open.asks.iter_mut().filter(|ask| ask.id == id) {
                        ask.deadline = deadline;
                    }
                });
            }
            What::Answered { ask, outcome } => {
                if matches!(outcome, AskOutcome::Supplied { .. }) {
                    self.state().supplied.insert(event.run.clone());
                }
                self.close_asks(|id| id == ask);
            }
            What::Ended { .. } => {
                let prefix = format!("{}/", event.run);
                self.close_asks(|id| id.0.starts_with(&prefix));
                self.state().supplied.remove(&event.run);
            }
            _ => {}
        }
    }

    fn close_asks(&self, closed: impl Fn(&AskId) -> bool) {
        self.asks.send_if_modified(|open| {
            let before = open.asks.len();
            open.asks.retain(|ask| !closed(&ask.id));
            open.again.retain(|id| !closed(id));
            open.remote.retain(|id| !closed(id));
            open.asks.len() != before
        });
    }
}

impl State {
    /// Whether a phone is reached through another computer.
    fn is_remote(&self, phone: &PhoneId) -> bool {
        let listed = self.phones.iter().flat_map(|(phones, _)| phones);
        listed
            .into_iter()
            .any(|one| one.id == *phone && one.remote.is_some())
    }

    fn tell(&mut self, news: &News) {
        self.listeners
            .retain(|listener| listener.send(news.clone()).is_ok());
    }
}

/// How far the day's spending is. A limit of nothing is reached by the first cent.
fn spending_state(dollars: f64, limits: &Limits) -> SpendingState {
    let limit = limits.dollars_a_day;
    if limits.pause_at_limit && dollars > 0.0 && dollars >= limit {
        SpendingState::Reached
    } else if limits.warn_near_limit && dollars > 0.0 && dollars >= limit * 0.8 {
        SpendingState::Near
    } else {
        SpendingState::Fine
    }
}

fn spent(spending: &Spending, limits: &Limits) -> News {
    News::Spent {
        tokens: spending.tokens,
        dollars: Some(spending.total()),
        estimated: spending.unpriced_tokens > 0,
        limit: limits.dollars_a_day,
        state: spending_state(spending.total(), limits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn four_fifths_warn_and_the_whole_pauses() {
        let check = |dollars: f64, limits: Limits, expected: SpendingState| {
            assert_eq!(spending_state(dollars, &limits), expected, "{dollars}");
        };
        let five = Limits::default();
        check(0.0, five, SpendingState::Fine);
        check(3.99, five, SpendingState::Fine);
        check(4.0, five, SpendingState::Near);
        check(4.99, five, SpendingState::Near);
        check(5.0, five, SpendingState::Reached);
        check(9.0, five, SpendingState::Reached);
        let quiet = Limits {
            warn_near_limit: false,
            ..five
        };
        check(4.5, quiet, SpendingState::Fine);
        let endless = Limits {
            pause_at_limit: false,
            ..five
        };
        check(9.0, endless, SpendingState::Near);
        let nothing = Limits {
            dollars_a_day: 0.0,
            ..five
        };
        check(0.0, nothing, SpendingState::Fine);
        check(0.01, nothing, SpendingState::Reached);
    }

    /// The same question about two phones: one on this computer's cable, one at another computer.
    #[test]
    fn a_question_about_a_phone_elsewhere_says_so() {
        let hub = EventHub::new(Settings::default());
        let phone = |id: &str, remote: Option<&str>| -> Phone {
            serde_json::from_value(json!({
                "id": id, "name": id, "state": "device", "transport": "usb", "demo": false, "remote": remote,
            }))
            .unwrap()
        };
        let phones = vec![phone("near", None), phone("far", Some("198.51.100.7:5037"))];
        hub.set_phones(phones, false);
        let event = |phone: &str, what: What| Event {
            run: RunId(phone.to_owned()),
            phone: phone.into(),
            seq: 1,
            at: 1,
            what,
        };
        let asked = |phone: &str| {
            let ask = serde_json::from_value(json!({
                "id": format!("{phone}/1"), "run": phone, "phone": phone, "phoneName": phone, "goal": "", "kind": "send",
                "reason": { "by": "rule", "rule": "send_button" }, "app": "", "appLabel": "",
                "evidence": { "width": 1, "height": 1 }, "claim": { "says": "" }, "choices": [], "digest": "",
                "askedAt": 1, "deadline": 2,
            }));
            let ask = ask.unwrap();
            event(phone, What::Asked { step: 1, ask })
        };
        hub.event(&asked("near"));
        hub.event(&asked("far"));
        let open = hub.open_asks();
        assert_eq!(open.borrow().asks.len(), 2);
        assert_eq!(open.borrow().remote, [AskId("far/1".to_owned())]);
        let order = || -> Vec<String> { open.borrow().asks.iter().map(|ask| ask.id.0.clone()).collect() };
        assert!(hub.bring_forward(&AskId("far/1".to_owned())));
        assert_eq!(order(), ["far/1", "near/1"]);
        assert!(!hub.bring_forward(&AskId("over/1".to_owned())));
        assert_eq!(order(), ["far/1", "near/1"]);
        hub.event(&event(
            "far",
            What::Answered {
                ask: AskId("far/1".to_owned()),
                outcome: AskOutcome::Denied,
            },
        ));
        assert_eq!(open.borrow().remote, [] as [AskId; 0]);
    }
}
