//! What a task did before it was broken off, as its journal has it, for the run that goes on with it: told to the model as
//! data, and what nobody knows the outcome of is held against whatever is wanted next.

use crate::history::HistoryLine;
use crate::ports::never_sent;
use protocol::{
    Act, Action, AskId, AskKind, AskOutcome, Bounds, Event, Outcome, RunId, StandingAnswer, What,
};
use screen::rect::overlap;
use std::collections::BTreeMap;

/// What the model hears of what was begun and has no outcome.
pub(crate) const BEGUN: &str = "BEGUN, and nobody knows whether it was done: look whether it was; do not do it again unless the \
                                screen shows that it was not";
/// Words of a result told at most, in characters.
const OUTPUT: usize = 200;
/// What says where something was on a screen that is gone.
const PLACES: [&str; 6] = ["x", "y", "x1", "y1", "x2", "y2"];

/// What was done before, oldest first.
#[derive(Clone, Debug, PartialEq)]
pub struct PriorProgress {
    /// The run that is gone on with.
    pub run: RunId,
    /// What happened, as the model is told it.
    pub told: Vec<PriorEntry>,
    /// What was begun, and nobody knows whether it was done.
    pub unconfirmed: Vec<UnconfirmedAction>,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PriorEntry {
    /// Something that was done, or not.
    Step(HistoryLine),
    /// The person's words.
    Said(String),
}

/// An act whose intent is in the journal, and no outcome that says more.
#[derive(Clone, Debug, PartialEq)]
pub struct UnconfirmedAction {
    action: Action,
    label: Option<String>,
    ring: Option<Bounds>,
    app: String,
    /// What the person was asked about, or allowed beforehand.
    kinds: Vec<AskKind>,
}

impl PriorProgress {
    /// Of the run that is gone on with, and of those that it went on with, the oldest first.
    #[must_use]
    pub fn of(run: RunId, stories: &[Vec<Event>]) -> Self {
        let mut prior = Self {
            run,
            told: Vec::new(),
            unconfirmed: Vec::new(),
        };
        for events in stories {
            let mut reader = JournalReader::default();
            for event in events {
                reader.read(&event.what, &mut prior);
            }
            reader.leave(&mut prior);
        }
        prior
    }
}

impl UnconfirmedAction {
    /// An act that is begun, in this app.
    pub(crate) fn new(
        action: Action,
        label: Option<String>,
        ring: Option<Bounds>,
        app: String,
        kinds: Vec<AskKind>,
    ) -> Self {
        Self {
            action,
            label,
            ring,
            app,
            kinds,
        }
    }

    /// What of it the person was asked about, or had allowed beforehand.
    pub(crate) fn kinds(&self) -> &[AskKind] {
        &self.kinds
    }

    /// Whether this may be the same act, done a second time: the same words on the thing, or the same place in the same app;
    /// else the same action.
    pub(crate) fn is(&self, action: &Action, label: Option<&str>, ring: Option<Bounds>, app: &str) -> bool {
        if !(presses(&self.action.act) && presses(&action.act)) {
            return placeless(&self.action) == placeless(action);
        }
        if self.app != app {
            return false;
        }
        let labels = self.label.as_deref().zip(label);
        match self.ring.zip(ring) {
            _ if labels.is_some_and(|(before, now)| before == now) => true,
            // A switch is called otherwise once it was pressed.
            Some((before, now)) => overlap(before, now),
            // Where there is nothing to tell them apart by.
            None => labels.is_none(),
        }
    }
}

/// A finger on one thing.
fn presses(act: &Act) -> bool {
    matches!(
        act,
        Act::Tap { .. } | Act::DoubleTap { .. } | Act::LongPress { .. }
    )
}

/// What may be done twice: it looks, it moves, or it opens what is open then.
fn is_harmless(act: &Act) -> bool {
    matches!(
        act,
        Act::Wait { .. }
            | Act::Capture { .. }
            | Act::ListApps
            | Act::ReadText { .. }
            | Act::AskModel { .. }
            | Act::Hover { .. }
            | Act::Scroll { .. }
            | Act::LaunchApp { .. }
            | Act::FocusApp { .. }
    )
}

/// Without what is only said about it.
fn bare(action: &Action) -> String {
    let bare = Action {
        reason: None,
        capture_after: false,
        then_finish: false,
        ..action.clone()
    };
    serde_json::to_string(&bare).unwrap_or_default()
}

/// One run's journal on its way.
#[derive(Default)]
struct JournalReader {
    step: u32,
    app: String,
    asked: BTreeMap<AskId, AskKind>,
    /// What the step at hand was allowed as.
    kinds: Vec<AskKind>,
    open: Option<(u32, UnconfirmedAction)>,
}

impl JournalReader {
    fn read(&mut self, what: &What, prior: &mut PriorProgress) {
        match what {
            What::Looked { step, app, .. } => {
                self.step = *step;
                self.app.clone_from(app);
            }
            What::Decided { .. } => self.kinds.clear(),
            What::Asked { ask, .. } => {
                self.asked.insert(ask.id.clone(), ask.kind);
            }
            What::Answered { ask, outcome } => {
                let kind = self.asked.get(ask).copied();
                match outcome {
                    AskOutcome::Allowed | AskOutcome::Supplied { .. } => self.kinds.extend(kind),
                    AskOutcome::Denied => prior.line(self.step, None, None, "the person said no"),
                    AskOutcome::TimedOut | AskOutcome::Withdrawn => {}
                }
            }
            What::Unasked { standing, .. } => self.kinds.push(match standing {
                StandingAnswer::Rule { rule } => rule.kind,
                StandingAnswer::Mandate { deed } => deed.kind,
            }),
            What::Refused {
                step, action, code, ..
            } => prior.line(*step, Some(action), None, &format!("refused: {code}")),
            What::Said { text } => prior.told.push(PriorEntry::Said(text.clone())),
            What::Acting {
                step,
                action,
                label,
                ring,
                ..
            } => {
                self.leave(prior);
                let (app, kinds) = (self.app.clone(), self.kinds.clone());
                let unconfirmed = UnconfirmedAction::new(action.clone(), label.clone(), *ring, app, kinds);
                self.open = Some((*step, unconfirmed));
            }
            // It may have been done in part.
            What::Acted { outcome, .. } if !outcome.ok && !never_sent(outcome) => self.leave(prior),
            What::Acted { outcome, .. } => {
                if let Some((step, unconfirmed)) = self.open.take() {
                    let label = unconfirmed.label.as_deref();
                    prior.line(step, Some(&unconfirmed.action), label, &came(outcome));
                }
            }
            _ => {}
        }
    }

    /// What is still open stays so.
    fn leave(&mut self, prior: &mut PriorProgress) {
        let Some((step, unconfirmed)) = self.open.take() else {
            return;
        };
        prior.line(
            step,
            Some(&unconfirmed.action),
            unconfirmed.label.as_deref(),
            BEGUN,
        );
        if !is_harmless(&unconfirmed.action.act) {
            prior.unconfirmed.push(unconfirmed);
        }
    }
}

impl PriorProgress {
    fn line(&mut self, step: u32, action: Option<&Action>, label: Option<&str>, result: &str) {
        self.told.push(PriorEntry::Step(HistoryLine {
            step,
            action: action.map(placeless).unwrap_or_default(),
            label: label.unwrap_or_default().to_owned(),
            result: result.to_owned(),
        }));
    }
}

/// An action without places of a screen that is gone, and without the model's reasons of then.
fn placeless(action: &Action) -> String {
    let mut written = serde_json::from_str(&bare(action)).unwrap_or(serde_json::Value::Null);
    if let Some(fields) = written.as_object_mut() {
        fields.retain(|name, _| !PLACES.contains(&name.as_str()));
        let points = fields
            .get("target")
            .is_some_and(|target| target.get("text").is_none());
        if points {
            fields.remove("target");
        }
    }
    written.to_string()
}

fn came(outcome: &Outcome) -> String {
    let word = if outcome.ok {
        "done".to_owned()
    } else {
        format!("failed: {}", outcome.code)
    };
    match outcome.output.as_deref().map(str::trim) {
        Some(output) if !output.is_empty() => {
            let short: String = output.chars().take(OUTPUT).collect();
            format!("{word}; it read (data): {}", serde_json::Value::from(short))
        }
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::PhoneId;
    use serde_json::{Value, json};

    fn story(whats: &[Value]) -> Vec<Event> {
        let event = |(seq, what): (u64, &Value)| Event {
            run: RunId::from("r"),
            phone: PhoneId::from("moto"),
            seq,
            at: 0,
            what: serde_json::from_value(what.clone()).unwrap(),
        };
        (1..).zip(whats).map(event).collect()
    }

    fn tap(step: u32, label: &str) -> Value {
        json!({
            "what": "acting", "step": step, "action": {"type": "tap", "x": 540, "y": 1200, "reason": "It is there."},
            "label": label, "ring": {"left": 0, "top": 0, "right": 10, "bottom": 10}
        })
    }

    fn acted(step: u32, outcome: Value) -> Value {
        json!({"what": "acted", "step": step, "outcome": outcome, "tookMs": 9})
    }

    fn looked(app: &str) -> Value {
        json!({
            "what": "looked", "step": 1, "app": app, "width": 1080, "height": 2400, "capture": "ok", "elements": 9
        })
    }

    fn lines(prior: &PriorProgress) -> Vec<String> {
        let told = prior.told.iter().map(|told| match told {
            PriorEntry::Step(line) => {
                format!("{} {} {:?}: {}", line.step, line.action, line.label, line.result)
            }
            PriorEntry::Said(words) => format!("said {words}"),
        });
        told.collect()
    }

    #[test]
    fn what_was_done_is_told_without_places_and_what_is_open_stays_open() {
        let events = story(&[
            looked("com.shop"),
            tap(1, "Basket"),
            acted(1, json!({"ok": true, "code": "done"})),
            json!({"what": "said", "text": "Only milk"}),
            json!({
                "what": "acting", "step": 2,
                "action": {"type": "type", "text": "milk", "target": {"element": 4}}
            }),
            acted(2, json!({"ok": false, "code": "phone_unauthorized"})),
            json!({"what": "acting", "step": 3, "action": {"type": "wait", "durationMs": 5}}),
            tap(4, "Pay $2"),
            acted(4, json!({"ok": false, "code": "phone_gone"})),
        ]);
        let prior = PriorProgress::of(RunId::from("r"), &[events]);
        let open = "BEGUN, and nobody knows whether it was done: look whether it was; do not do it again unless the screen \
                    shows that it was not";
        assert_eq!(
            lines(&prior),
            [
                r#"1 {"type":"tap"} "Basket": done"#.to_owned(),
                "said Only milk".to_owned(),
                format!(r#"2 {{"type":"type","text":"milk"}} "": {open}"#),
                format!(r#"3 {{"type":"wait","durationMs":5}} "": {open}"#),
                format!(r#"4 {{"type":"tap"}} "Pay $2": {open}"#),
            ]
        );
        // Waiting once more does no harm.
        assert_eq!(prior.unconfirmed.len(), 2);
    }

    #[track_caller]
    fn check(wanted: Value, label: Option<&str>, app: &str, expected: bool) {
        check_at(wanted, label, None, app, expected);
    }

    #[track_caller]
    fn check_at(wanted: Value, label: Option<&str>, ring: Option<Bounds>, app: &str, expected: bool) {
        let events = story(&[looked("com.shop"), tap(1, "Pay $2")]);
        let prior = PriorProgress::of(RunId::from("r"), &[events]);
        let action: Action = serde_json::from_value(wanted.clone()).unwrap();
        let is = prior.unconfirmed[0].is(&action, label, ring, app);
        assert_eq!(is, expected, "{wanted} {label:?} {app}");
    }

    #[test]
    fn the_same_act_is_known_wherever_it_points() {
        check(
            json!({"type": "tap", "target": {"element": 9}}),
            Some("Pay $2"),
            "com.shop",
            true,
        );
        check(
            json!({"type": "long_press", "x": 1, "y": 1}),
            Some("Pay $2"),
            "com.shop",
            true,
        );
        check(
            json!({"type": "tap", "x": 540, "y": 1200}),
            Some("Back"),
            "com.shop",
            false,
        );
        check(
            json!({"type": "tap", "x": 540, "y": 1200}),
            Some("Pay $2"),
            "com.bank",
            false,
        );
        // Nobody can tell them apart.
        check(
            json!({"type": "tap", "x": 540, "y": 1200}),
            None,
            "com.shop",
            true,
        );
        let at = |top| Bounds {
            left: 2,
            top,
            right: 8,
            bottom: top + 4,
        };
        for (top, expected) in [(4, true), (12, false)] {
            let press = json!({"type": "tap", "x": 5, "y": top});
            check_at(press, Some("Paid"), Some(at(top)), "com.shop", expected);
        }
        check(
            json!({"type": "keyevent", "keycode": "ENTER"}),
            None,
            "com.shop",
            false,
        );
    }
}
