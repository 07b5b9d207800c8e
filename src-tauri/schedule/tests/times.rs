//! From schedules to moments, over clock changes of real zones.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod common;

use common::{at, shown, zone};
use protocol::{ClockTime, MissedRun, Nth, Schedule, Weekday};
use schedule::{DueTimes, due, next};

fn clock(hour: u8, minute: u8) -> ClockTime {
    ClockTime { hour, minute }
}

fn daily(hour: u8, minute: u8) -> Schedule {
    use Weekday::{Friday, Monday, Saturday, Sunday, Thursday, Tuesday, Wednesday};
    Schedule::Week {
        days: vec![Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday],
        at: clock(hour, minute),
    }
}

/// The times after a moment, as the zone's clocks show them.
fn check(schedule: &Schedule, name: &str, after: &str, expected: &[&str]) {
    let zone = zone(name);
    let mut after = at(&zone, after);
    let times: Vec<String> = expected
        .iter()
        .map_while(|_| {
            after = next(schedule, after, &zone)?;
            Some(shown(&zone, after))
        })
        .collect();
    assert_eq!(times, expected, "{schedule:?} in {name}");
}

#[test]
fn every_kind_of_schedule_has_its_times() {
    let weekdays = Schedule::Week {
        days: vec![Weekday::Monday, Weekday::Friday],
        at: clock(7, 30),
    };
    check(
        &weekdays,
        "Europe/Berlin",
        "2026-11-26T12:00:00",
        &[
            "2026-11-27T07:30:00+01",
            "2026-11-30T07:30:00+01",
            "2026-12-04T07:30:00+01",
        ],
    );
    let once = Schedule::Once {
        date: "2026-12-24".to_owned(),
        at: clock(18, 0),
    };
    check(
        &once,
        "Europe/Berlin",
        "2026-11-26T12:00:00",
        &["2026-12-24T18:00:00+01"],
    );
    let zone = zone("Europe/Berlin");
    assert_eq!(next(&once, at(&zone, "2026-12-24T18:00:00"), &zone), None);
    let last_of_month = Schedule::Month {
        day: 31,
        at: clock(9, 0),
    };
    check(
        &last_of_month,
        "Europe/Berlin",
        "2028-01-31T09:00:00",
        &[
            "2028-02-29T09:00:00+01",
            "2028-03-31T09:00:00+02",
            "2028-04-30T09:00:00+02",
        ],
    );
    for (which, expected) in [
        (Nth::First, ["2026-12-06T08:00:00+01", "2027-01-03T08:00:00+01"]),
        (Nth::Last, ["2026-11-29T08:00:00+01", "2026-12-27T08:00:00+01"]),
    ] {
        let sunday = Schedule::MonthWeekday {
            which,
            day: Weekday::Sunday,
            at: clock(8, 0),
        };
        check(&sunday, "Europe/Berlin", "2026-11-26T12:00:00", &expected);
    }
    check(
        &Schedule::Hours { hours: 8 },
        "Asia/Kathmandu",
        "2026-11-26T12:00:00",
        &[
            "2026-11-26T16:00:00+05:45",
            "2026-11-27T00:00:00+05:45",
            "2026-11-27T08:00:00+05:45",
        ],
    );
}

#[test]
fn a_skipped_time_is_the_next_minute_there_is() {
    check(
        &daily(2, 30),
        "Europe/Berlin",
        "2026-03-28T02:30:00",
        &["2026-03-29T03:00:00+02", "2026-03-30T02:30:00+02"],
    );
    check(
        &daily(2, 30),
        "America/New_York",
        "2026-03-07T12:00:00",
        &["2026-03-08T03:00:00-04", "2026-03-09T02:30:00-04"],
    );
    // Half an hour is skipped there.
    check(
        &daily(2, 10),
        "Australia/Lord_Howe",
        "2026-10-03T12:00:00",
        &["2026-10-04T02:30:00+11", "2026-10-05T02:10:00+11"],
    );
    // A whole day never was.
    check(
        &daily(7, 30),
        "Pacific/Apia",
        "2011-12-29T07:30:00",
        &["2011-12-31T00:00:00+14", "2011-12-31T07:30:00+14"],
    );
    check(
        &Schedule::Hours { hours: 1 },
        "Europe/Berlin",
        "2026-03-29T00:30:00",
        &[
            "2026-03-29T01:00:00+01",
            "2026-03-29T03:00:00+02",
            "2026-03-29T04:00:00+02",
        ],
    );
}

#[test]
fn a_time_that_comes_twice_is_used_once_the_first_time() {
    check(
        &daily(2, 30),
        "Europe/Berlin",
        "2026-10-24T12:00:00",
        &["2026-10-25T02:30:00+02", "2026-10-26T02:30:00+01"],
    );
    check(
        &daily(1, 45),
        "Australia/Lord_Howe",
        "2026-04-04T12:00:00",
        &["2026-04-05T01:45:00+11", "2026-04-06T01:45:00+10:30"],
    );
    check(
        &Schedule::Hours { hours: 1 },
        "America/New_York",
        "2026-11-01T00:30:00",
        &["2026-11-01T01:00:00-04", "2026-11-01T02:00:00-05"],
    );
}

#[test]
fn what_was_slept_through_is_done_late_once_or_left_out() {
    let zone = zone("Europe/Berlin");
    let moment = |text: &str| at(&zone, text);
    let [monday, tuesday, wednesday] = [
        "2026-11-23T07:30:00",
        "2026-11-24T07:30:00",
        "2026-11-25T07:30:00",
    ]
    .map(moment);
    let since = moment("2026-11-22T12:00:00");
    let check = |now: &str, missed, begin, rest: &[u64]| {
        let expected = DueTimes {
            begin,
            missed: rest.to_vec(),
        };
        assert_eq!(
            due(&daily(7, 30), since, moment(now), &zone, missed),
            expected,
            "{now} {missed:?}"
        );
    };
    for missed in [MissedRun::Late, MissedRun::Skip] {
        check("2026-11-23T07:29:59", missed, None, &[]);
        check("2026-11-23T07:30:00", missed, Some(monday), &[]);
        check("2026-11-25T07:31:00", missed, Some(wednesday), &[monday, tuesday]);
    }
    check(
        "2026-11-25T09:00:00",
        MissedRun::Late,
        Some(wednesday),
        &[monday, tuesday],
    );
    check(
        "2026-11-25T09:00:00",
        MissedRun::Skip,
        None,
        &[monday, tuesday, wednesday],
    );
}
