//! One time and no other, whatever zones and clocks do.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod common;

use common::{at, zone};
use protocol::{
    Automation, AutomationHold, AutomationId, AutomationPhones, AutomationPlan, ClockTime, MissedRun,
    OccurrenceState, PhoneId, Schedule,
};
use schedule::decide::{fall_due, next, since, since_hold, wake};

const BERLIN: &str = "Europe/Berlin";
const NEW_YORK: &str = "America/New_York";

/// Something that happens at a moment (in UTC).
#[derive(Clone, Copy, Debug)]
enum Step {
    /// It is looked, in a zone.
    Look(&'static str, &'static str),
    /// It is held.
    Hold,
    /// It is let go.
    LetGo(&'static str, &'static str),
    /// It is saved anew.
    Save(&'static str, &'static str),
    /// An earlier version looked last.
    Earlier(&'static str),
}
use Step::{Earlier, Hold, LetGo, Look, Save};

fn utc(moment: &str) -> u64 {
    at(&jiff::tz::TimeZone::UTC, moment)
}

fn once(missed: MissedRun) -> Automation {
    let plan = AutomationPlan {
        name: "Tree".to_owned(),
        task: "Light the tree".to_owned(),
        variables: Vec::new(),
        phones: AutomationPhones::These {
            phones: vec![PhoneId::from("p")],
        },
        schedule: Some(Schedule::Once {
            date: "2026-12-24".to_owned(),
            at: ClockTime { hour: 18, minute: 0 },
        }),
        trigger: None,
        missed,
        recorded: None,
    };
    Automation {
        id: AutomationId::from("a"),
        made_at: 0,
        plan,
        held: None,
        clean_replays: 0,
        quiet: false,
    }
}

/// What became of it, each with the look that said so; and when it is next after the last step, in hours and minutes.
fn check(missed: MissedRun, steps: &[Step], expected: &[(&str, &str)], expected_next: Option<&str>) {
    let mut automation = once(missed);
    let (mut kept, mut told) = (0, Vec::new());
    let mut last = (0, zone(BERLIN));
    for step in steps {
        match *step {
            Look(name, moment) => {
                let (now, zone) = (utc(moment), zone(name));
                let falls = fall_due(&automation, kept, &[], &[], now, &zone);
                kept = falls.since;
                told.extend(falls.occurrences.into_iter().map(|one| match one.state {
                    OccurrenceState::Waiting { .. } => (moment, "begins"),
                    _ => (moment, "left out"),
                }));
                last = (now, zone);
            }
            Hold => automation.held = Some(AutomationHold::Person),
            LetGo(name, moment) => {
                automation.held = None;
                last = (utc(moment), zone(name));
                kept = since_hold(&automation.plan, kept, last.0, &last.1);
            }
            Save(name, moment) => {
                last = (utc(moment), zone(name));
                kept = since(&automation.plan, last.0, &last.1);
            }
            Earlier(moment) => kept = utc(moment),
        }
    }
    assert_eq!(told, expected, "{steps:?}");
    let (now, zone) = last;
    let coming = next(&automation, kept, now, &zone);
    assert_eq!(coming, expected_next.map(utc), "{steps:?}");
    assert_eq!(wake([(&automation, kept)], &[], now, &zone), coming, "{steps:?}");
}

#[test]
fn it_is_done_once_where_the_zone_stays() {
    for missed in [MissedRun::Late, MissedRun::Skip] {
        let before = [
            Save(BERLIN, "2026-11-26T12:00:00"),
            Look(BERLIN, "2026-12-24T16:59:59"),
        ];
        check(missed, &before, &[], Some("2026-12-24T17:00:00"));
        let then = [
            before[0],
            before[1],
            Look(BERLIN, "2026-12-24T17:00:01"),
            Look(BERLIN, "2026-12-24T17:00:02"),
            Look(BERLIN, "2027-02-01T00:00:00"),
        ];
        check(missed, &then, &[("2026-12-24T17:00:01", "begins")], None);
    }
}

#[test]
fn a_zone_further_west_does_not_bring_it_back() {
    let steps = [
        Save(BERLIN, "2026-12-24T12:00:00"),
        Look(BERLIN, "2026-12-24T17:00:00"),
        Look(NEW_YORK, "2026-12-24T19:00:00"),
        Look(NEW_YORK, "2026-12-24T23:00:00"),
    ];
    for missed in [MissedRun::Late, MissedRun::Skip] {
        check(missed, &steps[..3], &[("2026-12-24T17:00:00", "begins")], None);
        check(missed, &steps, &[("2026-12-24T17:00:00", "begins")], None);
    }
    // Nor where it was left out.
    let slept = [steps[0], Look(BERLIN, "2026-12-24T18:00:00"), steps[2], steps[3]];
    check(
        MissedRun::Skip,
        &slept,
        &[("2026-12-24T18:00:00", "left out")],
        None,
    );
    // Nor by holding it and letting it go; what is saved anew counts anew.
    let held = [
        steps[0],
        steps[1],
        Hold,
        LetGo(NEW_YORK, "2026-12-24T19:00:00"),
        steps[3],
    ];
    check(MissedRun::Late, &held, &[("2026-12-24T17:00:00", "begins")], None);
    let saved = [steps[0], steps[1], Save(NEW_YORK, "2026-12-24T19:00:00")];
    check(
        MissedRun::Late,
        &saved,
        &[("2026-12-24T17:00:00", "begins")],
        Some("2026-12-24T23:00:00"),
    );
}

#[test]
fn a_zone_further_east_does_not_swallow_it() {
    for saved in ["2026-12-01T12:00:00", "2026-12-24T18:00:00"] {
        let steps = [
            Save(NEW_YORK, saved),
            Look(NEW_YORK, "2026-12-24T18:30:00"),
            Look(BERLIN, "2026-12-24T18:31:00"),
            Look(NEW_YORK, "2026-12-24T23:00:00"),
        ];
        check(
            MissedRun::Late,
            &steps,
            &[("2026-12-24T18:31:00", "begins")],
            None,
        );
        check(
            MissedRun::Skip,
            &steps,
            &[("2026-12-24T18:31:00", "left out")],
            None,
        );
    }
}

#[test]
fn a_clock_that_is_set_says_nothing_of_a_time_that_is_over() {
    let steps = [
        Save(BERLIN, "2026-12-24T12:00:00"),
        Look(BERLIN, "2026-12-24T17:00:00"),
        Look(BERLIN, "2026-12-24T09:00:00"),
        Look(BERLIN, "2026-12-24T17:00:00"),
    ];
    check(
        MissedRun::Late,
        &steps[..3],
        &[("2026-12-24T17:00:00", "begins")],
        None,
    );
    check(
        MissedRun::Late,
        &steps,
        &[("2026-12-24T17:00:00", "begins")],
        None,
    );
    // One that was past when it was saved, by whatever clock, is over.
    let wrong = [
        Save(BERLIN, "2030-01-01T00:00:00"),
        Look(BERLIN, "2026-12-24T12:00:00"),
    ];
    check(MissedRun::Late, &wrong, &[], None);
}

#[test]
fn times_of_a_hold_do_not_count() {
    let held = [
        Save(BERLIN, "2026-12-24T12:00:00"),
        Hold,
        Look(BERLIN, "2026-12-24T17:00:00"),
        LetGo(BERLIN, "2026-12-24T18:00:00"),
        Look(BERLIN, "2026-12-24T18:00:00"),
        Look(NEW_YORK, "2026-12-24T23:00:00"),
    ];
    check(MissedRun::Late, &held, &[], None);
    let sooner = [
        held[0],
        Hold,
        LetGo(BERLIN, "2026-12-24T16:00:00"),
        Look(BERLIN, "2026-12-24T16:30:00"),
    ];
    check(MissedRun::Late, &sooner, &[], Some("2026-12-24T17:00:00"));
}

#[test]
fn one_of_long_ago_is_left_out_and_said_to_be() {
    let steps = [
        Save(BERLIN, "2026-12-24T12:00:00"),
        Look(BERLIN, "2027-02-01T00:00:00"),
    ];
    check(
        MissedRun::Late,
        &steps,
        &[("2027-02-01T00:00:00", "left out")],
        None,
    );
}

#[test]
fn what_an_earlier_version_wrote_down_goes_on() {
    // Done or missed before.
    let done = [
        Earlier("2026-12-24T17:00:01"),
        Look(BERLIN, "2026-12-24T18:00:00"),
        Look(NEW_YORK, "2026-12-24T23:00:00"),
    ];
    check(MissedRun::Late, &done, &[], None);
    // Still to come, or come meanwhile.
    let coming = [
        Earlier("2026-12-24T12:00:00"),
        Look(BERLIN, "2026-12-24T12:05:00"),
    ];
    check(MissedRun::Late, &coming, &[], Some("2026-12-24T17:00:00"));
    let came = [coming[0], Look(BERLIN, "2026-12-24T17:30:00")];
    check(MissedRun::Late, &came, &[("2026-12-24T17:30:00", "begins")], None);
    // Its clock was wrong.
    let ahead = [
        Earlier("2030-01-01T00:00:00"),
        Look(BERLIN, "2026-12-24T12:00:00"),
        Look(BERLIN, "2026-12-24T17:00:00"),
    ];
    check(
        MissedRun::Late,
        &ahead,
        &[("2026-12-24T17:00:00", "begins")],
        None,
    );
}
