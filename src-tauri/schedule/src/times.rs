//! From a schedule to moments.

use jiff::civil::{Date, DateTime};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{Timestamp, ToSpan};
use protocol::{ClockTime, Millis, MissedRun, Nth, Schedule, Weekday};

/// A time that is no older than this is on time: a program wakes up a little late, and is busy for a moment.
pub const ON_TIME: Millis = 2 * 60 * 1_000;

/// What was missed longer ago than this is not told one by one.
pub const OLDEST_TOLD: Millis = 31 * 24 * 60 * 60 * 1_000;

/// Days within which every schedule that has a next time has it: two months, and what a zone may have skipped.
const DAYS: usize = 66;

/// What of a schedule is due.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DueTimes {
    /// The time that is to be done now.
    pub begin: Option<Millis>,
    /// The times that are not done any more, oldest first.
    pub missed: Vec<Millis>,
}

/// The first time of a schedule after a moment, in milliseconds since 1970; none where it has none any more, or is not one
/// ([`crate::check`]).
///
/// A time that is skipped when clocks go forward is the first minute after it that there is; of one that comes twice the
/// first is taken.
#[must_use]
pub fn next(schedule: &Schedule, after: Millis, zone: &TimeZone) -> Option<Millis> {
    let start = timestamp(after)?;
    if let Schedule::Once { date, at } = schedule {
        let time = moment(read_date(date)?, *at, zone)?;
        return (time > after).then_some(time);
    }
    // The day before: a time of its may have been moved into this one.
    let first = zone.to_datetime(start).date().yesterday().ok()?;
    first
        .series(1.day())
        .take(DAYS)
        .filter(|date| is_on(schedule, *date))
        .find_map(|date| {
            times_of_day(schedule)
                .filter_map(|at| moment(date, at, zone))
                .find(|time| *time > after)
        })
}

/// What is due of a schedule in the time after `since` up to `now`. The newest time is done now where it is on time, or
/// where what was missed is done late; every other one is missed. The only time of a schedule that has one is told however
/// long ago it was, and not done any more where no other would be told.
#[must_use]
pub fn due(schedule: &Schedule, since: Millis, now: Millis, zone: &TimeZone, missed: MissedRun) -> DueTimes {
    let mut times = Vec::new();
    let oldest = now.saturating_sub(OLDEST_TOLD);
    let mut after = if is_once(schedule) {
        since
    } else {
        since.max(oldest)
    };
    while let Some(time) = next(schedule, after, zone).filter(|time| *time <= now) {
        times.push(time);
        after = time;
    }
    let is_done = |time: &Millis| now - time <= ON_TIME || missed == MissedRun::Late && *time > oldest;
    let begin = times.pop_if(|time| is_done(time));
    DueTimes { begin, missed: times }
}

/// Whether a schedule has one time and no other.
pub(crate) fn is_once(schedule: &Schedule) -> bool {
    matches!(schedule, Schedule::Once { .. })
}

pub(crate) fn read_date(text: &str) -> Option<Date> {
    // Other spellings of a date are none here: what is kept reads the same everywhere.
    let date: Date = text.parse().ok()?;
    (date.to_string() == text).then_some(date)
}

/// Whether a schedule has times on a day.
fn is_on(schedule: &Schedule, date: Date) -> bool {
    match schedule {
        Schedule::Once { .. } => false,
        Schedule::Week { days, .. } => days.iter().any(|day| weekday(*day) == date.weekday()),
        Schedule::Month { day, .. } => {
            i16::from(date.day()) == i16::from(*day).min(i16::from(date.days_in_month()))
        }
        Schedule::MonthWeekday { which, day, .. } => {
            let nth = match which {
                Nth::First => 1,
                Nth::Second => 2,
                Nth::Third => 3,
                Nth::Fourth => 4,
                Nth::Last => -1,
            };
            date.nth_weekday_of_month(nth, weekday(*day)).ok() == Some(date)
        }
        Schedule::Hours { .. } => true,
    }
}

/// The times of a day that has some, in order.
fn times_of_day(schedule: &Schedule) -> impl Iterator<Item = ClockTime> {
    let (first, hours) = match schedule {
        Schedule::Once { at, .. }
        | Schedule::Week { at, .. }
        | Schedule::Month { at, .. }
        | Schedule::MonthWeekday { at, .. } => (*at, 24),
        Schedule::Hours { hours } => (ClockTime { hour: 0, minute: 0 }, (*hours).max(1)),
    };
    (first.hour..24)
        .step_by(usize::from(hours))
        .map(move |hour| ClockTime {
            hour,
            minute: first.minute,
        })
}

fn weekday(day: Weekday) -> jiff::civil::Weekday {
    match day {
        Weekday::Monday => jiff::civil::Weekday::Monday,
        Weekday::Tuesday => jiff::civil::Weekday::Tuesday,
        Weekday::Wednesday => jiff::civil::Weekday::Wednesday,
        Weekday::Thursday => jiff::civil::Weekday::Thursday,
        Weekday::Friday => jiff::civil::Weekday::Friday,
        Weekday::Saturday => jiff::civil::Weekday::Saturday,
        Weekday::Sunday => jiff::civil::Weekday::Sunday,
    }
}

/// When a clock of the zone shows this first, or would have.
fn moment(date: Date, at: ClockTime, zone: &TimeZone) -> Option<Millis> {
    let time =
        jiff::civil::Time::new(i8::try_from(at.hour).ok()?, i8::try_from(at.minute).ok()?, 0, 0).ok()?;
    let shown = date.to_datetime(time);
    let found = match zone.to_ambiguous_timestamp(shown).offset() {
        AmbiguousOffset::Unambiguous { offset } => offset.to_timestamp(shown).ok()?,
        AmbiguousOffset::Fold { before, .. } => before.to_timestamp(shown).ok()?,
        AmbiguousOffset::Gap { before, after } => end_of_gap(
            shown,
            after.to_timestamp(shown).ok()?,
            before.to_timestamp(shown).ok()?,
            zone,
        )?,
    };
    Millis::try_from(found.as_millisecond()).ok()
}

/// The first moment after a time that no clock shows. By the offset after the gap that time lies before it, by the offset
/// before it behind.
fn end_of_gap(
    shown: DateTime,
    before_it: Timestamp,
    behind_it: Timestamp,
    zone: &TimeZone,
) -> Option<Timestamp> {
    zone.following(before_it)
        .map(|transition| transition.timestamp())
        .take_while(|transition| *transition <= behind_it)
        .find(|transition| zone.to_datetime(*transition) > shown)
        .or(Some(behind_it))
}

fn timestamp(at: Millis) -> Option<Timestamp> {
    Timestamp::from_millisecond(i64::try_from(at).ok()?).ok()
}
