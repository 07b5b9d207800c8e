//! Seeded schedules in virtual time, over clock changes, with sleeps, restarts and a kill between any two writes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod common;

use protocol::{
    Automation, AutomationId, AutomationPhones, AutomationPlan, MissedRun, Occurrence, OccurrenceState,
    PhoneId, RunEndKind, RunId, Schedule, WaitReason,
};
use schedule::decide::{PhoneNow, RunKnown, Transition, advance, becomes, fall_due, recover, running};
use std::collections::BTreeMap;

#[derive(Default)]
struct Journal {
    since: u64,
    occurrences: BTreeMap<u64, Occurrence>,
    begun: BTreeMap<u64, u32>,
}

/// One look at everything; dead after so many writes.
fn tick(
    journal: &mut Journal,
    automation: &Automation,
    phone: &PhoneNow,
    now: u64,
    zone: &jiff::tz::TimeZone,
    mut writes: u32,
) -> Option<()> {
    let mut write = || {
        writes = writes.checked_sub(1)?;
        Some(())
    };
    let open = |journal: &Journal| -> Vec<Occurrence> {
        let is_open = |one: &&Occurrence| {
            !matches!(
                one.state,
                OccurrenceState::Ended { .. } | OccurrenceState::Skipped { .. }
            )
        };
        journal.occurrences.values().filter(is_open).cloned().collect()
    };
    for one in open(journal) {
        let run = if journal.begun.contains_key(&one.due) {
            RunKnown::Over {
                end: RunEndKind::Finished,
                ending: None,
                took: 1,
            }
        } else {
            RunKnown::Nowhere
        };
        if let Some(state) = recover(&one, automation.plan.missed, run, now) {
            write()?;
            journal.occurrences.insert(one.due, becomes(&one, state, now));
        }
    }
    let falls = fall_due(
        automation,
        journal.since,
        &open(journal),
        std::slice::from_ref(phone),
        now,
        zone,
    );
    write()?;
    for one in falls.occurrences {
        journal.occurrences.entry(one.due).or_insert(one);
    }
    journal.since = falls.since;
    for step in advance(&open(journal), std::slice::from_ref(phone), now) {
        write()?;
        match step {
            Transition::Become(one, state) => {
                journal.occurrences.insert(one.due, becomes(&one, state, now));
            }
            Transition::Begin(one) => {
                journal
                    .occurrences
                    .insert(one.due, becomes(&one, running(RunId::from("r")), now));
                write()?;
                *journal.begun.entry(one.due).or_default() += 1;
            }
        }
    }
    Some(())
}

#[test]
fn none_is_missed_unsaid_and_none_runs_twice() {
    let zones = [
        "Europe/Berlin",
        "America/New_York",
        "Australia/Lord_Howe",
        "Asia/Kathmandu",
        "Pacific/Apia",
    ];
    let mut runs = 0;
    for seed in 0..1_000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let zone = common::zone(zones[random.usize(..zones.len())]);
        let hours = [1, 2, 3, 4, 6, 8, 12][random.usize(..7)];
        let plan = AutomationPlan {
            name: "a".to_owned(),
            task: "b".to_owned(),
            variables: Vec::new(),
            phones: AutomationPhones::These {
                phones: vec![PhoneId::from("p")],
            },
            schedule: Some(Schedule::Hours { hours }),
            trigger: None,
            missed: if random.bool() {
                MissedRun::Late
            } else {
                MissedRun::Skip
            },
            recorded: None,
        };
        let begin = common::at(
            &zone,
            [
                "2011-12-28T12:00:00",
                "2026-03-28T12:00:00",
                "2026-10-24T12:00:00",
                "2026-04-04T12:00:00",
            ][random.usize(..4)],
        );
        let automation = Automation {
            id: AutomationId::from("a"),
            made_at: begin,
            plan,
            held: None,
            clean_replays: 0,
            quiet: false,
        };
        let mut journal = Journal {
            since: begin,
            ..Journal::default()
        };
        let mut now = begin;
        for _ in 0..60 {
            let longest = if random.u8(..8) == 0 {
                30_000_000
            } else {
                3_600_000
            };
            now += random.u64(1..longest);
            let way = [None, None, Some(WaitReason::Missing), Some(WaitReason::Busy)][random.usize(..4)];
            let phone = PhoneNow {
                id: PhoneId::from("p"),
                name: "P".to_owned(),
                in_the_way: way,
            };
            // A clock set back a little now and then.
            let seen = if random.u8(..10) == 0 { now - 900 } else { now };
            let _ = tick(&mut journal, &automation, &phone, seen, &zone, random.u32(..8));
        }
        let mut time = begin;
        while let Some(due) =
            schedule::decide::next(&automation, time, time, &zone).filter(|due| *due <= journal.since)
        {
            assert!(
                journal.occurrences.contains_key(&due),
                "seed {seed}: {due} was missed unsaid"
            );
            time = due;
        }
        assert!(
            journal.begun.values().all(|times| *times == 1),
            "seed {seed}: {:?}",
            journal.begun
        );
        runs += journal.begun.len();
    }
    // A single schedule of few times may find its phone never ready; a thousand do not.
    assert!(runs > 2_000, "only {runs} runs began");
}
