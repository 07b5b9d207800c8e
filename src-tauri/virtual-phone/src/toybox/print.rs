//! `echo`, `printf`, `seq`, `clear`.

use super::options::options;
use crate::process::{Call, ProgramResult};
use crate::shell::escape::unescape;

/// toybox's own `echo` (the shell's builtin comes first): `-n`, `-e`, `-E`.
pub(super) async fn echo(call: Call) -> ProgramResult {
    let (mut newline, mut escapes) = (true, false);
    let mut rest = call.arguments();
    while let Some((flags, after)) = rest.split_first()
        && flags.len() > 1
        && flags.starts_with('-')
        && flags.chars().skip(1).all(|flag| "neE".contains(flag))
    {
        newline &= !flags.contains('n');
        escapes = flags.rfind('e') > flags.rfind('E') || (escapes && !flags.contains('E'));
        rest = after;
    }
    let mut text = rest.join(" ");
    if escapes {
        let unescaped = unescape(&text);
        newline &= !unescaped.stopped;
        text = unescaped.text;
    }
    if newline {
        text.push('\n');
    }
    call.out(text).await?;
    Ok(0)
}

/// `printf FORMAT [ARG…]`: `%s %d %i %u %x %X %o %c %b %q %%`, width, `-`, `0`, precision; the format repeats.
pub(super) async fn printf(call: Call) -> ProgramResult {
    let arguments = call.arguments();
    let Some((format, values)) = arguments.split_first() else {
        return call.fail(1, "Needs 1 argument").await;
    };
    let (text, problem) = formatted(format, values);
    call.out(text).await?;
    match problem {
        Some(problem) => call.fail(1, problem).await,
        None => Ok(0),
    }
}

/// `printf`'s text, and what it complains of.
fn formatted(format: &str, values: &[String]) -> (String, Option<String>) {
    /// The format is gone through so often at most.
    const ROUNDS: usize = 100_000;
    let mut out = String::new();
    let mut values = values.iter();
    let mut problem = None;
    for round in 0..ROUNDS {
        let before = values.len();
        if round > 0 && before == 0 {
            break;
        }
        if once(format, &mut values, &mut out, &mut problem) || values.len() == before {
            break;
        }
    }
    (out, problem)
}

/// Goes through the format once; true when `\c` stopped it.
fn once(
    format: &str,
    values: &mut std::slice::Iter<'_, String>,
    out: &mut String,
    problem: &mut Option<String>,
) -> bool {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        let (before, after) = rest.split_at(at);
        let literal = unescape(before);
        out.push_str(&literal.text);
        if literal.stopped {
            return true;
        }
        let spec_end = after
            .char_indices()
            .skip(1)
            .find(|(_, c)| !"-+ #0123456789.*".contains(*c));
        let Some((end, kind)) = spec_end else {
            out.push_str(after);
            return false;
        };
        let spec = after.get(1..end).unwrap_or_default();
        rest = after.get(end + kind.len_utf8()..).unwrap_or_default();
        if kind == '%' {
            out.push('%');
            continue;
        }
        let mut spec = spec.to_owned();
        while let Some(star) = spec.find('*') {
            let width = values.next().map_or("0", String::as_str).to_owned();
            spec.replace_range(star..=star, &width);
        }
        let value = values.next().map_or("", String::as_str);
        let (text, stopped) = match kind {
            's' => (value.to_owned(), false),
            'b' => {
                let unescaped = unescape(value);
                (unescaped.text, unescaped.stopped)
            }
            'c' => (value.chars().take(1).collect(), false),
            'q' => (format!("'{}'", value.replace('\'', r"'\''")), false),
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' => {
                let number = number(value);
                if number.is_none() {
                    problem.get_or_insert(format!("bad {value}"));
                }
                let number = number.unwrap_or(0);
                let text = match kind {
                    'x' => format!("{number:x}"),
                    'X' => format!("{number:X}"),
                    'o' => format!("{number:o}"),
                    _ => number.to_string(),
                };
                (text, false)
            }
            other => {
                problem.get_or_insert(format!("bad %{other}@0"));
                (String::new(), true)
            }
        };
        out.push_str(&padded(&text, &spec, kind));
        if stopped {
            return true;
        }
    }
    let literal = unescape(rest);
    out.push_str(&literal.text);
    literal.stopped
}

fn number(text: &str) -> Option<i64> {
    let text = text.trim();
    if text.is_empty() {
        return Some(0);
    }
    if let Some(character) = text.strip_prefix(['\'', '"']) {
        return character.chars().next().map(|c| i64::from(u32::from(c)));
    }
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.trim_start_matches('+')),
    };
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8).ok()?,
        None => digits.parse().ok()?,
    };
    Some(sign * value)
}

fn padded(text: &str, spec: &str, kind: char) -> String {
    /// Nobody needs a wider field.
    const WIDEST: usize = 10_000;
    let left = spec.contains('-');
    let body = spec.trim_start_matches(['-', '+', ' ', '#']);
    let (width, precision) = body.split_once('.').unwrap_or((body, ""));
    let zero = width.starts_with('0') && !left && !matches!(kind, 's' | 'b' | 'c' | 'q');
    let width = width.parse::<usize>().unwrap_or(0).min(WIDEST);
    let mut text = text.to_owned();
    if let Ok(precision) = precision.parse::<usize>() {
        if matches!(kind, 's' | 'b') {
            text = text.chars().take(precision).collect();
        } else {
            let digits = text.trim_start_matches('-').to_owned();
            let sign = if text.starts_with('-') { "-" } else { "" };
            text = format!("{sign}{digits:0>precision$}", precision = precision.min(WIDEST));
        }
    }
    if spec.contains('+') && matches!(kind, 'd' | 'i') && !text.starts_with('-') {
        text.insert(0, '+');
    }
    let length = text.chars().count();
    let gap = width.saturating_sub(length);
    match (left, zero) {
        (true, _) => text + &" ".repeat(gap),
        (false, true) => match text.strip_prefix('-') {
            Some(digits) => format!("-{}{digits}", "0".repeat(gap)),
            None => "0".repeat(gap) + &text,
        },
        (false, false) => " ".repeat(gap) + &text,
    }
}

/// `seq [-s SEP] [FIRST [STEP]] LAST`, whole numbers.
pub(super) async fn seq(call: Call) -> ProgramResult {
    /// More numbers nobody waits for.
    const MOST: usize = 1_000_000;
    let options = options!(call, "s:w");
    let mut numbers = Vec::new();
    for word in &options.rest {
        match word.parse::<i64>() {
            Ok(number) => numbers.push(number),
            Err(_) => return call.fail(1, format!("bad {word}")).await,
        }
    }
    let (first, step, last) = match numbers.as_slice() {
        [last] => (1, 1, *last),
        [first, last] => (*first, 1, *last),
        [first, step, last] => (*first, *step, *last),
        _ => return call.fail(1, "Needs 1 argument").await,
    };
    let mut all = Vec::new();
    let mut now = first;
    while all.len() < MOST && ((step > 0 && now <= last) || (step < 0 && now >= last)) {
        all.push(now.to_string());
        now = now.saturating_add(step);
    }
    if !all.is_empty() {
        call.out(all.join(options.value('s').unwrap_or("\n")) + "\n")
            .await?;
    }
    Ok(0)
}

/// `clear`.
pub(super) async fn clear(call: Call) -> ProgramResult {
    call.out("\x1b[2J\x1b[H").await?;
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::formatted;

    #[test]
    fn printf_formats_and_repeats() {
        for (format, values, expected) in [
            (r"%s\n", vec!["a", "b"], "a\nb\n"),
            (
                "%05d|%-4s|%4s|%x",
                vec!["-42", "ab", "cd", "255"],
                "-0042|ab  |  cd|ff",
            ),
            ("%.2s%%", vec!["abc"], "ab%"),
            ("plain", vec!["ignored"], "plain"),
            ("%d", vec![], "0"),
            (r"%b", vec![r"a\tb"], "a\tb"),
        ] {
            let values: Vec<String> = values.into_iter().map(str::to_owned).collect();
            assert_eq!(
                formatted(format, &values),
                (expected.to_owned(), None),
                "{format}"
            );
        }
        assert_eq!(formatted("%d", &["x".to_owned()]).1.as_deref(), Some("bad x"));
    }
}
