//! A place on the earth in a person's words: `52.5200, 13.4050`. Pure.

/// Latitude and longitude in degrees, where the words are these two numbers and nothing else.
#[must_use]
pub fn read(words: &str) -> Option<(f64, f64)> {
    let mut numbers = words
        .split([',', ';', ' ', '\t', '\n'])
        .filter(|part| !part.is_empty());
    let (latitude, longitude) = (degrees(numbers.next()?, 90.0)?, degrees(numbers.next()?, 180.0)?);
    numbers.next().is_none().then_some((latitude, longitude))
}

fn degrees(word: &str, most: f64) -> Option<f64> {
    let plain = word.trim_end_matches('°');
    let is_number = plain.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+');
    let number: f64 = plain.parse().ok().filter(|_| is_number)?;
    (number.is_finite() && number.abs() <= most).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn two_numbers_are_a_place() {
        for (words, expected) in [
            ("52.5200, 13.4050", Some((52.52, 13.405))),
            ("-33.86 151.21", Some((-33.86, 151.21))),
            (" 52.52°;+13.405° ", Some((52.52, 13.405))),
            ("90, 180", Some((90.0, 180.0))),
            ("91, 13", None),
            ("52.52", None),
            ("52.52, 13.4, 30", None),
            ("Berlin", None),
            ("inf, nan", None),
            ("", None),
        ] {
            assert_eq!(read(words), expected, "{words}");
        }
    }
}
