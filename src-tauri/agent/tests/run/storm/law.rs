//! What must hold in any run, read from what was told and from what reached the phone.

use crate::support::line;
use agent::waits_for_phone;
use protocol::{Action, Ask, AskId, AskKind, AskOutcome, AskReason, Ending, Event, What};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;
use tokio::time::Instant;

/// No question waits longer.
const LONGEST: Duration = Duration::from_secs(1800);
/// A Yes in advance is good for so long.
const GRANT: Duration = Duration::from_secs(60);

/// One run: what was told, and what was paid or sent on its phone.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    pub(super) events: Vec<(Instant, Event)>,
    pub(super) effects: Vec<(Instant, String)>,
}

/// What must happen in storms for them to show anything.
pub(super) const HAPPENS: [&str; 13] = [
    "effect",
    "asked",
    "allowed",
    "denied",
    "supplied",
    "timed out",
    "withdrawn",
    "voided",
    "refused",
    "paused",
    "taken over",
    "gone",
    "stopped",
];

impl Log {
    /// Everything that happened, by name.
    pub(super) fn happened(&self) -> Vec<&'static str> {
        let of = |what: &What| match what {
            What::Asked { .. } => Some("asked"),
            What::Answered { outcome, .. } => Some(match outcome {
                AskOutcome::Allowed => "allowed",
                AskOutcome::Denied => "denied",
                AskOutcome::Supplied { .. } => "supplied",
                AskOutcome::TimedOut => "timed out",
                AskOutcome::Withdrawn => "withdrawn",
            }),
            What::Voided { .. } => Some("voided"),
            What::Refused { .. } => Some("refused"),
            What::Paused { reason } if waits_for_phone(reason) => Some("gone"),
            What::Paused { .. } => Some("paused"),
            What::TakenOver => Some("taken over"),
            What::Ended {
                ending: Ending::Stopped,
                ..
            } => Some("stopped"),
            _ => None,
        };
        let told = self.events.iter().filter_map(|(_, event)| of(&event.what));
        told.chain(self.effects.iter().map(|_| "effect")).collect()
    }
}

impl fmt::Display for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((began, _)) = self.events.first() else {
            return Ok(());
        };
        for (at, event) in &self.events {
            writeln!(f, "{:>9.2} {}", (*at - *began).as_secs_f64(), line(&event.what))?;
        }
        for (at, what) in &self.effects {
            writeln!(f, "{:>9.2} -- {what}", (*at - *began).as_secs_f64())?;
        }
        Ok(())
    }
}

/// A Yes that was given and not yet used.
#[derive(Clone, Debug)]
struct Yes {
    at: Instant,
    kind: AskKind,
    /// What was asked about; none for a Yes in advance.
    action: Option<Action>,
    amount: Option<String>,
}

/// What an act may do, by the Yes it has.
#[derive(Clone, Debug)]
struct Act {
    at: Instant,
    yes: Option<Yes>,
}

/// Every law that is broken.
pub(super) fn faults(log: &Log) -> Vec<String> {
    let mut faults = Vec::new();
    for (n, (_, event)) in (1..).zip(&log.events) {
        if event.seq != n {
            faults.push(format!("event {n} has number {}", event.seq));
        }
    }
    let ends = log
        .events
        .iter()
        .filter(|(_, e)| matches!(e.what, What::Ended { .. }))
        .count();
    let last = log.events.last();
    if ends != 1 || !last.is_some_and(|(_, e)| matches!(e.what, What::Ended { .. })) {
        faults.push(format!("{ends} ends"));
    }
    let acts = acts(log, &mut faults);
    for (at, effect) in &log.effects {
        // Of the act under way when it happened.
        let act = acts.iter().rposition(|act| act.at <= *at);
        let Some(yes) = act.and_then(|act| acts[act].yes.as_ref()) else {
            faults.push(format!("{effect} without a Yes"));
            continue;
        };
        let (what, amount) = effect.split_once(' ').unwrap_or((effect, ""));
        let right = match what {
            "paid" => yes.kind == AskKind::Payment && yes.amount.as_deref() == Some(amount),
            _ => matches!(yes.kind, AskKind::Send | AskKind::Code | AskKind::Act),
        };
        if !right {
            faults.push(format!("{effect} by a Yes to {:?} of {:?}", yes.kind, yes.amount));
        }
    }
    // One act, one effect: nothing is done twice by one Yes.
    for (n, act) in acts.iter().enumerate() {
        let next = acts.get(n + 1).map(|next| next.at);
        let mine = |at: &Instant| *at >= act.at && next.is_none_or(|next| *at < next);
        let done = log.effects.iter().filter(|(at, _)| mine(at)).count();
        if done > 1 {
            faults.push(format!("{done} things by one act"));
        }
    }
    faults
}

/// Goes through the events: questions and answers one by one, and the acts with the Yes each has.
fn acts(log: &Log, faults: &mut Vec<String>) -> Vec<Act> {
    let mut open: Option<(Instant, Ask)> = None;
    let mut outcomes: BTreeMap<AskId, u32> = BTreeMap::new();
    let mut fresh: Option<Yes> = None;
    let mut advance: Vec<Yes> = Vec::new();
    let mut acts = Vec::new();
    let (mut waits, mut over) = (false, false);
    for (at, event) in &log.events {
        if over {
            faults.push(format!("after the end: {}", line(&event.what)));
        }
        match &event.what {
            What::Asked { ask, .. } => {
                if open.is_some() {
                    faults.push("a question while another is open".to_owned());
                }
                if outcomes.insert(ask.id.clone(), 0).is_some() {
                    faults.push(format!("{:?} asked twice", ask.id));
                }
                open = Some((*at, ask.clone()));
            }
            What::Answered { ask, outcome } => {
                let Some(times) = outcomes.get_mut(ask) else {
                    faults.push(format!("{ask:?} answered and never asked"));
                    continue;
                };
                *times += 1;
                if *times > 1 {
                    faults.push(format!("{ask:?} answered {times} times"));
                }
                let Some((asked, question)) = open.take() else {
                    continue;
                };
                if *at > asked + LONGEST + Duration::from_secs(1) {
                    faults.push(format!("{ask:?} waited {:?}", *at - asked));
                }
                fresh = None;
                if matches!(outcome, AskOutcome::Allowed | AskOutcome::Supplied { .. }) {
                    let yes = Yes {
                        at: *at,
                        kind: question.kind,
                        action: question.action,
                        amount: question.evidence.amount.map(|amount| amount.text),
                    };
                    match question.reason {
                        AskReason::Model { .. } if *outcome == AskOutcome::Allowed => advance.push(yes),
                        _ => fresh = Some(yes),
                    }
                }
            }
            What::Voided { .. } => fresh = None,
            What::Acting { action, .. } => {
                if open.is_some() {
                    faults.push("an act while a question is open".to_owned());
                }
                if waits {
                    faults.push("an act while the run waits".to_owned());
                }
                let asked = fresh.take().filter(|yes| {
                    yes.action
                        .as_ref()
                        .is_none_or(|asked| asked == action || yes.kind == AskKind::Code)
                });
                advance.retain(|yes| *at <= yes.at + GRANT);
                // Whether it was used shows by what comes of the act.
                let yes = asked.or_else(|| used(log, &mut advance, *at));
                acts.push(Act { at: *at, yes });
            }
            What::Paused { .. } | What::TakenOver => {
                waits = true;
                fresh = None;
                advance.clear();
            }
            What::Resumed | What::HandedBack => waits = false,
            What::Ended { .. } => over = true,
            _ => {}
        }
    }
    for (ask, times) in outcomes {
        if times == 0 {
            faults.push(format!("{ask:?} never answered"));
        }
    }
    acts
}

/// A Yes in advance is used up by the next payment.
fn used(log: &Log, advance: &mut Vec<Yes>, at: Instant) -> Option<Yes> {
    let next = log
        .events
        .iter()
        .find(|(later, e)| *later > at && matches!(e.what, What::Acting { .. }));
    let pays = |(when, what): &(Instant, String)| {
        *when >= at && next.is_none_or(|(next, _)| when < next) && what.starts_with("paid")
    };
    let paid = log.effects.iter().any(pays);
    let of = advance.iter().position(|yes| yes.kind == AskKind::Payment)?;
    paid.then(|| advance.remove(of))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::{Turn, World, start};
    use protocol::Choice;

    /// A run that paid, and was allowed to.
    async fn honest() -> Log {
        let pay = r#"{"type": "tap", "target": {"text": "Pay $23.40"}}"#;
        let done = r#"{"type": "finish", "message": "Finished."}"#;
        let mut table = start(World::on("checkout"), [pay, done].map(Turn::from));
        let mut log = Log::default();
        while let Some(event) = table.next().await {
            log.events.push((Instant::now(), event.clone()));
            if let What::Asked { ask, .. } = event.what {
                table.answer(&ask, Choice::Approve);
            }
        }
        log.effects = table.phone.effects();
        assert_eq!(log.effects.len(), 1, "{log}");
        log
    }

    fn at(log: &Log, fits: impl Fn(&What) -> bool) -> usize {
        log.events
            .iter()
            .position(|(_, event)| fits(&event.what))
            .unwrap()
    }

    fn answer(log: &Log) -> usize {
        at(log, |what| matches!(what, What::Answered { .. }))
    }

    /// Each law is broken by hand once, and seen.
    #[tokio::test(start_paused = true)]
    async fn every_law_can_be_broken() {
        let honest = honest().await;
        assert_eq!(faults(&honest), Vec::<String>::new());
        type Breaks = fn(&mut Log);
        let by_hand: [(&str, Breaks); 8] = [
            ("without a Yes", |log| {
                let answer = answer(log);
                if let What::Answered { outcome, .. } = &mut log.events[answer].1.what {
                    *outcome = AskOutcome::Denied;
                }
            }),
            ("answered 2 times", |log| {
                let answer = answer(log);
                let again = log.events[answer].clone();
                log.events.insert(answer, again);
            }),
            ("never answered", |log| {
                let answer = answer(log);
                log.events.remove(answer);
            }),
            ("things by one act", |log| {
                let again = log.effects[0].clone();
                log.effects.push(again);
            }),
            ("by a Yes to", |log| log.effects[0].1 = "paid $23.41".into()),
            ("waited", |log| {
                let asked = at(log, |what| matches!(what, What::Asked { .. }));
                log.events[asked].0 -= LONGEST * 2;
            }),
            ("without a Yes", |log| {
                let acting = at(log, |what| matches!(what, What::Acting { .. }));
                let ask = log.events.iter().find_map(|(_, event)| match &event.what {
                    What::Asked { ask, .. } => Some(ask.id.clone()),
                    _ => None,
                });
                let mut voided = log.events[acting].clone();
                voided.1.what = What::Voided { ask: ask.unwrap() };
                log.events.insert(acting, voided);
            }),
            ("after the end", |log| {
                let acting = at(log, |what| matches!(what, What::Acting { .. }));
                let act = log.events.remove(acting);
                log.events.push(act);
            }),
        ];
        for (says, breaks) in by_hand {
            let mut log = honest.clone();
            breaks(&mut log);
            let faults = faults(&log);
            assert!(
                faults.iter().any(|fault| fault.contains(says)),
                "{says}: {faults:?}"
            );
        }
    }
}
