//! The time of day, and where it begins.

use jiff::Zoned;
use protocol::Millis;
use std::time::{SystemTime, UNIX_EPOCH};

/// Now.
pub(crate) fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX)
}

/// When the day of `moment` began, where `moment` is. Where no midnight exists (the clock was put forward over it),
/// the first moment after.
#[must_use]
pub fn midnight(moment: &Zoned) -> Millis {
    let start = moment.start_of_day().unwrap_or_else(|_| moment.clone());
    Millis::try_from(start.timestamp().as_millisecond()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A POSIX zone, so that the test needs no zone files.
    fn check(moment: &str, zone: &str, expected: &str) {
        let zone = jiff::tz::TimeZone::posix(zone).unwrap();
        let moment = moment.parse::<jiff::Timestamp>().unwrap().to_zoned(zone);
        let expected = expected.parse::<jiff::Timestamp>().unwrap().as_millisecond();
        assert_eq!(i64::try_from(midnight(&moment)).unwrap(), expected);
    }

    #[test]
    fn the_day_begins_at_midnight_where_the_person_is() {
        check("2026-05-03T10:00:00Z", "UTC0", "2026-05-03T00:00:00Z");
        check("2026-05-03T23:30:00Z", "<+02>-2", "2026-05-03T22:00:00Z");
        check("2026-05-03T01:00:00Z", "<-05>5", "2026-05-02T05:00:00Z");
        // The clock was put forward at two in the morning: this day has 23 hours.
        check(
            "2026-03-08T20:00:00Z",
            "EST5EDT,M3.2.0,M11.1.0",
            "2026-03-08T05:00:00Z",
        );
        // It was put forward at midnight: the day began at one.
        check(
            "2026-03-08T20:00:00Z",
            "AAA5BBB,M3.2.0/0,M11.1.0",
            "2026-03-08T05:00:00Z",
        );
    }
}
