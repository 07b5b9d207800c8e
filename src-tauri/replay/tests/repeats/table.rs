//! A task done again, time after time, and what the table says of it.

use crate::BUDGET;
use crate::common::values;
use crate::days::{Day, NAMES, days};
use crate::phone::Phone;
use crate::task::Task;
use protocol::Millis;
use replay::{LastActResult, Recording, Replay, ReplayStep, ReplayView, Replayer};
use std::fmt::Write as _;

/// What an act takes until the screen is quiet again.
const ACT: Millis = 500;

/// The task done again once.
#[derive(Default)]
struct Once {
    /// What was decided, a line each, with the seconds that passed.
    told: String,
    /// It went to its end.
    is_finished: bool,
    /// Requests to the AI; what it does after it took over is not counted.
    requests: u32,
    /// Why it did not go to its end.
    why: String,
    /// What is repeated the next time, where something was learned.
    learned: Option<Recording>,
}

/// What is decided on each day of a task, a line each.
pub(crate) fn decisions(task: &Task) -> String {
    let told: Vec<String> = days(task)
        .iter()
        .map(|day| format!("## {}\n{}", day.name, again(task, day, &task.recording()).told))
        .collect();
    told.join("\n")
}

/// A row for each way in which a day differs, a column for each task.
pub(crate) fn table(tasks: &[&Task]) -> String {
    let heads: Vec<String> = tasks.iter().map(|task| format!(" {} |", task.name)).collect();
    let mut table = format!("| what differs |{} where not |\n|---|", heads.concat());
    table.push_str(&"---|".repeat(tasks.len() + 1));
    table.push('\n');
    let all: Vec<Vec<Day>> = tasks.iter().map(|task| days(task)).collect();
    for name in NAMES {
        write!(table, "| {name} |").unwrap();
        let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
        let mut asked = 0;
        for (task, days) in tasks.iter().zip(&all) {
            let Some(day) = days.iter().find(|day| day.name == *name) else {
                table.push_str(" – |");
                continue;
            };
            asked += 1;
            let (rates, why) = fifty_times(task, day);
            write!(table, " {rates} |").unwrap();
            match reasons.iter_mut().find(|(known, _)| *known == why) {
                _ if why.is_empty() => {}
                Some((_, who)) => who.push(task.name),
                None => reasons.push((why, vec![task.name])),
            }
        }
        let reasons: Vec<String> = reasons
            .iter()
            .map(|(why, who)| {
                let is_all = who.len() == asked && asked > 1;
                let who = if is_all { "all".to_owned() } else { who.join(", ") };
                format!("{who}: {why}")
            })
            .collect();
        writeln!(table, " {} |", reasons.join("; ")).unwrap();
    }
    table
}

/// Of the first 2, 10 and 50 times, how many in a hundred needed no AI; and what it needed where it did.
fn fifty_times(task: &Task, day: &Day) -> (String, String) {
    let mut known = task.recording();
    let (mut clean, mut rates) = (0, Vec::new());
    let mut why = String::new();
    let mut once = Once::default();
    for time in 1..=50_u32 {
        // Where nothing was learned, the next time is the same.
        if time == 1 || once.learned.is_some() {
            known = once.learned.take().unwrap_or(known);
            once = again(task, day, &known);
        }
        if once.is_finished && once.requests == 0 {
            clean += 1;
        } else if once.is_finished {
            why = format!("the AI does {} of {} steps", once.requests, task.steps.len());
        } else {
            why.clone_from(&once.why);
        }
        if [2, 10, 50].contains(&time) {
            rates.push((clean * 100 / time).to_string());
        }
    }
    (format!("{} %", rates.join(" / ")), why)
}

fn again(task: &Task, day: &Day, known: &Recording) -> Once {
    let named = day.values.unwrap_or(task.values);
    let mut replay = Replay::new(known.clone(), values(named), BUDGET);
    let mut phone = Phone::new(task, day, *known != task.recording());
    let (mut at, mut last) = (0, LastActResult::Nothing);
    let mut once = Once::default();
    for _ in 0..40 {
        phone.arrive(at);
        let screen = phone.screen();
        let seen = ReplayView {
            screen: &screen,
            signer: Some("5167"),
            at,
        };
        let next = replay.next(&seen, last);
        write!(once.told, "{:>5.1} s  {:<10} ", at as f64 / 1000.0, phone.name()).unwrap();
        last = LastActResult::Nothing;
        let line = match next {
            ReplayStep::Wait { until } => {
                assert!(until > at && until <= at + BUDGET);
                at = phone
                    .opening
                    .map_or(until, |(when, _)| when.min(until))
                    .max(at + 1);
                "wait".to_owned()
            }
            ReplayStep::Act { action, by } => {
                let before = phone.step();
                last = if phone.is_at_last_step() {
                    day.told
                } else {
                    LastActResult::Done
                };
                at += ACT;
                let done = phone.act(&action.act, &screen, at);
                if last == LastActResult::Refused {
                    phone.stay(before);
                }
                format!("{done} ({})", word(by))
            }
            ReplayStep::Heal(heal) => {
                at += ACT;
                last = LastActResult::Done;
                let done = phone.act(&heal.action.act, &screen, at);
                format!("mend: {done} ({})", word(heal.by))
            }
            ReplayStep::AskAi { why } => {
                once.requests += 1;
                let (did, told) = phone.by_ai(&screen, at + ACT);
                if let Some((action, ring)) = did {
                    replay.ai_did(&seen, &action, &action, ring);
                }
                at += ACT;
                last = LastActResult::Done;
                format!("ask the AI for this step ({why:?}): it {told}")
            }
            ReplayStep::Stop { why, recorded, .. } => {
                let picture = recorded.map(|frame| frame.0).unwrap_or_default();
                once.why = format!("stop, {}", word(why));
                if day.accepts {
                    replay.accept(Some("run2/4".into()));
                }
                format!("stop: {} (recorded picture {picture})", word(why))
            }
            ReplayStep::HandOver { why } => {
                once.why = format!("hand over, {}", word(why));
                format!("hand over: {}", word(why))
            }
            ReplayStep::Finished => {
                let is_done = phone.is_at_end() || day.is_done;
                assert!(is_done, "{}, {}: not done\n{}", task.name, day.name, once.told);
                once.is_finished = true;
                "finished".to_owned()
            }
        };
        writeln!(once.told, "{line}").unwrap();
        let is_stopped = line.starts_with("stop") && !day.accepts;
        if once.is_finished || is_stopped || line.starts_with("hand over") {
            break;
        }
    }
    once.learned = replay.learned();
    lessons(&mut once, known);
    once
}

/// What was learned, a line each.
fn lessons(once: &mut Once, known: &Recording) {
    let new = once.learned.iter().flat_map(|new| &new.steps);
    for (new, old) in new.zip(&known.steps) {
        if new.approval != old.approval {
            let approval = serde_json::to_string(&new.approval).unwrap();
            writeln!(once.told, "         (learned: {approval})").unwrap();
        }
        if new.deed != old.deed {
            writeln!(once.told, "         (learned: the target of step {})", new.step).unwrap();
        }
    }
}

fn word(value: impl serde::Serialize) -> String {
    serde_json::to_value(value)
        .unwrap()
        .as_str()
        .unwrap_or("?")
        .to_owned()
}
