//! Dates, in UTC (the phone's time zone).

use std::fmt::Write as _;

/// A moment, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    seconds: u64,
    pub(crate) year: i64,
    /// 1…12.
    pub(crate) month: u32,
    /// 1…31.
    pub(crate) day: u32,
    pub(crate) hour: u64,
    pub(crate) minute: u64,
    pub(crate) second: u64,
    /// 0 = Sunday.
    weekday: u64,
}

const DAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl Moment {
    /// From seconds since 1970. (Days to civil dates: Howard Hinnant's `civil_from_days`.)
    #[allow(
        clippy::cast_possible_wrap,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "days fit"
    )]
    pub(crate) fn new(seconds: u64) -> Self {
        let days = (seconds / 86_400) as i64;
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let of_era = shifted.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = (day_of_year - (153 * shifted_month + 2) / 5 + 1) as u32;
        let month = (if shifted_month < 10 {
            shifted_month + 3
        } else {
            shifted_month - 9
        }) as u32;
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        Self {
            seconds,
            year,
            month,
            day,
            hour: seconds / 3600 % 24,
            minute: seconds / 60 % 60,
            second: seconds % 60,
            weekday: (seconds / 86_400 + 4) % 7,
        }
    }

    fn day_name(&self) -> &'static str {
        usize::try_from(self.weekday)
            .ok()
            .and_then(|at| DAYS.get(at))
            .copied()
            .unwrap_or_default()
    }

    fn month_name(&self) -> &'static str {
        let at = usize::try_from(self.month)
            .ok()
            .and_then(|month| month.checked_sub(1));
        at.and_then(|at| MONTHS.get(at)).copied().unwrap_or_default()
    }

    /// `strftime`, as far as phones are asked.
    pub(crate) fn format(&self, format: &str) -> String {
        let mut out = String::new();
        let mut rest = format.chars();
        while let Some(character) = rest.next() {
            if character != '%' {
                out.push(character);
                continue;
            }
            // Flags of bionic's `strftime` (`_fmt`): `%-d` is 5, `%_H` is ` 9`, `%^a` is `SUN`.
            let flag = rest.clone().next().filter(|flag| "-_0^".contains(*flag));
            if flag.is_some() {
                rest.next();
            }
            let part = match rest.next() {
                Some('a') => self.day_name().chars().take(3).collect(),
                Some('A') => self.day_name().to_owned(),
                Some('b' | 'h') => self.month_name().chars().take(3).collect(),
                Some('B') => self.month_name().to_owned(),
                Some('c') => self.format("%a %b %e %H:%M:%S %Y"),
                Some('d') => format!("{:02}", self.day),
                Some('D') => self.format("%m/%d/%y"),
                Some('e') => format!("{:2}", self.day),
                Some('F') => self.format("%Y-%m-%d"),
                Some('H') => format!("{:02}", self.hour),
                Some('I') => format!("{:02}", (self.hour + 11) % 12 + 1),
                Some('m') => format!("{:02}", self.month),
                Some('M') => format!("{:02}", self.minute),
                Some('n') => "\n".to_owned(),
                Some('N') => "000000000".to_owned(),
                Some('p') => if self.hour < 12 { "AM" } else { "PM" }.to_owned(),
                Some('s') => self.seconds.to_string(),
                Some('S') => format!("{:02}", self.second),
                Some('t') => "\t".to_owned(),
                Some('T') => self.format("%H:%M:%S"),
                Some('u') => ((self.weekday + 6) % 7 + 1).to_string(),
                Some('w') => self.weekday.to_string(),
                Some('y') => format!("{:02}", self.year.rem_euclid(100)),
                Some('Y') => self.year.to_string(),
                Some('z') => "+0000".to_owned(),
                Some('Z') => "UTC".to_owned(),
                Some('%') => "%".to_owned(),
                Some(other) => format!("%{other}"),
                None => "%".to_owned(),
            };
            let _ = out.write_str(&flagged(part, flag));
        }
        out
    }
}

/// A part as its flag wants it.
fn flagged(part: String, flag: Option<char>) -> String {
    let digits = part.trim_start_matches(['0', ' ']);
    // A zero alone keeps its last digit.
    let digits = if digits.starts_with(|first: char| first.is_ascii_digit()) {
        digits
    } else {
        part.get(part.len().saturating_sub(1)..).unwrap_or_default()
    };
    let is_number = part.trim_start().bytes().all(|byte| byte.is_ascii_digit());
    match flag {
        Some('-') if is_number => digits.to_owned(),
        Some('_') if is_number => format!("{digits:>width$}", width = part.len()),
        Some('0') if is_number => format!("{digits:0>width$}", width = part.len()),
        Some('^') => part.to_uppercase(),
        _ => part,
    }
}

#[cfg(test)]
mod tests {
    use super::Moment;

    #[test]
    fn moments_are_told_as_strftime_does() {
        for (seconds, expected) in [
            (0, "Thu 1970-01-01 00:00:00"),
            (951_782_400, "Tue 2000-02-29 00:00:00"),
            (1_699_171_951, "Sun 2023-11-05 08:12:31"),
            (4_102_444_799, "Thu 2099-12-31 23:59:59"),
        ] {
            assert_eq!(Moment::new(seconds).format("%a %F %T"), expected);
        }
        assert_eq!(
            Moment::new(1_699_171_951).format("%a %b %e %H:%M:%S %Z %Y"),
            "Sun Nov  5 08:12:31 UTC 2023"
        );
        assert_eq!(
            Moment::new(1_699_142_400).format("%^a %-d %_d %0e %-H %_M %-Y %-a %%"),
            "SUN 5  5 05 0  0 2023 Sun %"
        );
    }
}
