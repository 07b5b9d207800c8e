//! The time of day, and where it begins.

use jiff::Zoned;
use protocol::Millis;
use std::ops::Range;
use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
#[must_use]
pub fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX)
}

/// The day of `moment`, where `moment` is: from midnight to the next. Where no midnight exists (the clock was put forward
/// over it), the first moment after.
#[must_use]
pub fn day(moment: &Zoned) -> Range<Millis> {
    let next = moment.tomorrow().and_then(|next| next.start_of_day());
    let start = moment.start_of_day().unwrap_or_else(|_| moment.clone());
    millis(&start)..next.map_or(Millis::MAX, |next| millis(&next))
}

fn millis(moment: &Zoned) -> Millis {
    Millis::try_from(moment.timestamp().as_millisecond()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A POSIX zone, so that the test needs no zone files.
    fn check(moment: &str, zone: &str, expected: &str, hours: u64) {
        let zone = jiff::tz::TimeZone::posix(zone).unwrap();
        let moment = moment.parse::<jiff::Timestamp>().unwrap().to_zoned(zone);
        let expected = expected.parse::<jiff::Timestamp>().unwrap().as_millisecond();
        let day = day(&moment);
        assert_eq!(i64::try_from(day.start).unwrap(), expected);
        assert_eq!(day.end - day.start, hours * 60 * 60 * 1_000);
    }

    #[test]
    fn the_day_is_from_midnight_to_midnight_where_the_person_is() {
        check("2026-05-03T10:00:00Z", "UTC0", "2026-05-03T00:00:00Z", 24);
        check("2026-05-03T23:30:00Z", "<+02>-2", "2026-05-03T22:00:00Z", 24);
        check("2026-05-03T01:00:00Z", "<-05>5", "2026-05-02T05:00:00Z", 24);
        // The clock was put forward at two in the morning: this day has 23 hours.
        check(
            "2026-03-08T20:00:00Z",
            "EST5EDT,M3.2.0,M11.1.0",
            "2026-03-08T05:00:00Z",
            23,
        );
        // It was put forward at midnight: the day began at one.
        check(
            "2026-03-08T20:00:00Z",
            "AAA5BBB,M3.2.0/0,M11.1.0",
            "2026-03-08T05:00:00Z",
            23,
        );
    }
}
