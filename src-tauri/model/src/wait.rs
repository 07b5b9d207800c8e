//! How long a server asks to be left alone.

use jiff::Timestamp;
use reqwest::header::HeaderMap;
use std::time::Duration;

/// What the headers of a refusal with this status ask for, if anything.
///
/// `retry-after-ms`, then `retry-after` (seconds or an HTTP date, RFC 9110 §10.2.3), then `x-ratelimit-reset…`. Of several the
/// longest whose budget is used up, else the longest of which nothing is told. Where every budget is said to have something left,
/// the longest counts for a 429 alone, which must be about one of them; and for what is about no budget (a 503) none does: makers
/// send those headers with every answer, and a budget that is full again in minutes is no reason not to try again now.
pub(crate) fn asked(headers: &HeaderMap, status: u16, now: Timestamp) -> Option<Duration> {
    let text = |name: &str| {
        headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .map(str::trim)
    };
    // The server's own clock where it tells it: this computer's may be wrong.
    let now = text("date").and_then(date).unwrap_or(now);
    if let Some(wait) = text("retry-after-ms").and_then(|ms| seconds(ms, 1e-3)) {
        return Some(wait);
    }
    if let Some(value) = text("retry-after") {
        let wait = seconds(value, 1.0).or_else(|| date(value).map(|at| until(at, now)));
        if wait.is_some() {
            return wait;
        }
    }
    if !matches!(status, 402 | 429) {
        return None;
    }
    let resets: Vec<(Option<&str>, Duration)> = headers
        .keys()
        .filter_map(|name| {
            let rest = name.as_str().strip_prefix("x-ratelimit-reset")?;
            let wait = reset(text(name.as_str())?, now)?;
            Some((text(&format!("x-ratelimit-remaining{rest}")), wait))
        })
        .collect();
    let longest = |fits: fn(Option<&str>) -> bool| {
        let waits = resets.iter().filter(|(left, _)| fits(*left));
        waits.map(|(_, wait)| *wait).max()
    };
    longest(|left| left == Some("0"))
        .or_else(|| longest(|left| left.is_none()))
        .or_else(|| longest(|_| true).filter(|_| status == 429))
}

/// The forms seen in the field: `20`, `1s`, `6m0s`, `120ms`, a date, or the time since 1970 in seconds or milliseconds.
fn reset(value: &str, now: Timestamp) -> Option<Duration> {
    match value.parse::<f64>() {
        Ok(number) if number >= 1e11 => Timestamp::from_millisecond(number as i64)
            .ok()
            .map(|at| until(at, now)),
        Ok(number) if number >= 1e8 => Timestamp::from_second(number as i64)
            .ok()
            .map(|at| until(at, now)),
        Ok(_) => seconds(value, 1.0),
        Err(_) => span(value).or_else(|| {
            value
                .parse::<Timestamp>()
                .or_else(|_| parse_date(value))
                .ok()
                .map(|at| until(at, now))
        }),
    }
}

/// `1h2m3.5s`, `120ms`: Go's way of writing a duration.
pub(crate) fn span(value: &str) -> Option<Duration> {
    let mut rest = value;
    let mut total = 0.0;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, tail) = rest.split_at(digits);
        let letters = tail.find(|c: char| c.is_ascii_digit()).unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(letters);
        let unit = match unit {
            "h" => 3600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 1e-3,
            "us" | "µs" => 1e-6,
            "ns" => 1e-9,
            _ => return None,
        };
        total += number.parse::<f64>().ok()? * unit;
        rest = tail;
    }
    Duration::try_from_secs_f64(total).ok()
}

fn seconds(value: &str, unit: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(value.parse::<f64>().ok()? * unit).ok()
}

fn parse_date(value: &str) -> Result<Timestamp, jiff::Error> {
    jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(value)
}

fn date(value: &str) -> Option<Timestamp> {
    parse_date(value).ok()
}

fn until(at: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(at.duration_since(now)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderName, HeaderValue};

    fn check(headers: &[(&str, &str)], expected_ms: Option<u64>) {
        check_status(429, headers, expected_ms);
    }

    fn check_status(status: u16, headers: &[(&str, &str)], expected_ms: Option<u64>) {
        let map: HeaderMap = headers
            .iter()
            .map(|(name, value)| {
                (
                    HeaderName::from_bytes(name.as_bytes()).unwrap(),
                    HeaderValue::from_str(value).unwrap(),
                )
            })
            .collect();
        let now = "2026-11-20T10:00:00Z".parse().unwrap();
        assert_eq!(
            asked(&map, status, now),
            expected_ms.map(Duration::from_millis),
            "{status} {headers:?}"
        );
    }

    #[test]
    fn seconds_dates_and_resets_are_read() {
        check(&[], None);
        check(&[("retry-after", "7")], Some(7_000));
        check(&[("retry-after", "0")], Some(0));
        check(&[("retry-after", "1.5")], Some(1_500));
        check(&[("retry-after", "Fri, 20 Nov 2026 10:00:30 GMT")], Some(30_000));
        check(&[("retry-after", "Fri, 20 Nov 2026 09:00:00 GMT")], Some(0));
        check(&[("retry-after-ms", "250"), ("retry-after", "9")], Some(250));
        check(
            &[("retry-after", "soon"), ("x-ratelimit-reset", "4")],
            Some(4_000),
        );
        check(&[("retry-after", "-3")], None);
        check(&[("retry-after", "NaN")], None);
        check(&[("retry-after", "1e300")], None);
    }

    #[test]
    fn the_servers_clock_counts() {
        check(
            &[
                ("date", "Fri, 20 Nov 2026 12:00:00 GMT"),
                ("retry-after", "Fri, 20 Nov 2026 12:00:05 GMT"),
            ],
            Some(5_000),
        );
    }

    #[test]
    fn the_budget_that_is_used_up_counts() {
        check(
            &[
                ("x-ratelimit-remaining-requests", "0"),
                ("x-ratelimit-reset-requests", "12s"),
                ("x-ratelimit-remaining-tokens", "900"),
                ("x-ratelimit-reset-tokens", "6m0s"),
            ],
            Some(12_000),
        );
        check(
            &[
                ("x-ratelimit-reset-requests", "120ms"),
                ("x-ratelimit-reset-tokens", "1m2.5s"),
            ],
            Some(62_500),
        );
        check(&[("x-ratelimit-reset", "1795168806000")], Some(6_000));
        check(&[("x-ratelimit-reset", "1795168806")], Some(6_000));
        check(&[("x-ratelimit-reset", "2026-11-20T10:00:09Z")], Some(9_000));
        check(&[("x-ratelimit-reset-tokens", "a while")], None);
    }

    #[test]
    fn a_budget_with_something_left_is_not_waited_for() {
        let left = [
            ("x-ratelimit-remaining-tokens", "900"),
            ("x-ratelimit-reset-tokens", "6m0s"),
        ];
        check_status(402, &left, None);
        check_status(503, &left, None);
        check_status(503, &[("x-ratelimit-reset", "20")], None);
        check_status(
            503,
            &[("x-ratelimit-reset", "20"), ("retry-after", "7")],
            Some(7_000),
        );
        // It must be about something.
        check_status(429, &left, Some(360_000));
        let other = [left[0], left[1], ("x-ratelimit-reset-requests", "12s")];
        check_status(429, &other, Some(12_000));
    }
}
