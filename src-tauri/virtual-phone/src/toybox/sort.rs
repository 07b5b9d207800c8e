//! `sort`, `uniq`.

use super::lines::inputs;
use super::options::options;
use crate::files::OpenMode;
use crate::process::{Call, ProgramResult};
use std::cmp::Ordering;

/// `sort [-runfb] [-t SEP] [-k FIELD] [-o FILE] [FILE…]`.
pub(super) async fn sort(call: Call) -> ProgramResult {
    let options = options!(call, "runfbsVt:k:o:c");
    let mut text = Vec::new();
    for file in inputs(&options.rest) {
        match call.read_file(&file).await {
            Ok(bytes) => {
                text.extend_from_slice(&bytes);
                if !text.is_empty() && !text.ends_with(b"\n") {
                    text.push(b'\n');
                }
            }
            Err(errno) => return call.fail(1, format!("{file}: {errno}")).await,
        }
    }
    let text = String::from_utf8_lossy(&text).into_owned();
    let mut lines: Vec<&str> = text.lines().collect();
    let (numeric, folded) = (options.has('n'), options.has('f'));
    let separator = options.value('t').and_then(|text| text.chars().next());
    let fields: Vec<(usize, usize, bool)> = options
        .values('k')
        .iter()
        .filter_map(|spec| field(spec))
        .collect();
    let compare = |a: &str, b: &str, numeric: bool| -> Ordering {
        if numeric {
            return number(a).total_cmp(&number(b));
        }
        if folded {
            a.to_lowercase().cmp(&b.to_lowercase())
        } else {
            a.cmp(b)
        }
    };
    let order = |a: &&str, b: &&str| -> Ordering {
        for (from, to, by_number) in &fields {
            let part = |line: &str| part(line, separator, *from, *to);
            let found = compare(&part(a), &part(b), numeric || *by_number);
            if found != Ordering::Equal {
                return found;
            }
        }
        if fields.is_empty() {
            compare(a, b, numeric).then_with(|| a.cmp(b))
        } else {
            a.cmp(b)
        }
    };
    lines.sort_by(order);
    if options.has('r') {
        lines.reverse();
    }
    if options.has('u') {
        lines.dedup_by(|a, b| {
            if fields.is_empty() {
                compare(a, b, numeric).is_eq()
            } else {
                order(a, b).is_eq()
            }
        });
    }
    let out: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
    match options.value('o') {
        Some(file) => match call.open(file, OpenMode::WRITE) {
            Ok(output) => {
                let _ = output.write(out.into()).await;
                Ok(0)
            }
            Err(errno) => call.fail(1, format!("{file}: {errno}")).await,
        },
        None => {
            call.out(out).await?;
            Ok(0)
        }
    }
}

/// `-k 2,3n`: from, to, by number.
fn field(spec: &str) -> Option<(usize, usize, bool)> {
    let digits = |text: &str| -> Option<usize> {
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        text.get(..end)?.parse().ok()
    };
    let (from, to) = spec.split_once(',').unwrap_or((spec, ""));
    Some((
        digits(from)?,
        digits(to).unwrap_or(usize::MAX),
        spec.contains('n'),
    ))
}

fn part(line: &str, separator: Option<char>, from: usize, to: usize) -> String {
    let fields: Vec<&str> = match separator {
        Some(separator) => line.split(separator).collect(),
        None => line.split_whitespace().collect(),
    };
    let joint = separator.map_or_else(|| " ".to_owned(), String::from);
    fields
        .get(from.saturating_sub(1)..to.min(fields.len()))
        .unwrap_or_default()
        .join(&joint)
}

fn number(text: &str) -> f64 {
    let text = text.trim_start();
    let end = text
        .char_indices()
        .find(|(at, c)| !(c.is_ascii_digit() || *c == '.' || (*at == 0 && *c == '-')));
    text.get(..end.map_or(text.len(), |(at, _)| at))
        .and_then(|digits| digits.parse().ok())
        .unwrap_or(0.0)
}

/// `uniq [-cduiz] [INFILE [OUTFILE]]`.
pub(super) async fn uniq(call: Call) -> ProgramResult {
    let options = options!(call, "cdui");
    let file = options.rest.first().map_or("-", String::as_str).to_owned();
    let bytes = match call.read_file(&file).await {
        Ok(bytes) => bytes,
        Err(errno) => return call.fail(1, format!("{file}: {errno}")).await,
    };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for line in text.lines() {
        let same = |last: &str| {
            if options.has('i') {
                last.eq_ignore_ascii_case(line)
            } else {
                last == line
            }
        };
        match groups.last_mut() {
            Some((last, count)) if same(last) => *count += 1,
            _ => groups.push((line, 1)),
        }
    }
    let wanted = groups
        .into_iter()
        .filter(|(_, count)| match (options.has('d'), options.has('u')) {
            (true, _) => *count > 1,
            (_, true) => *count == 1,
            _ => true,
        });
    let out: String = wanted
        .map(|(line, count)| {
            if options.has('c') {
                format!("{count:7} {line}\n")
            } else {
                format!("{line}\n")
            }
        })
        .collect();
    call.out(out).await?;
    Ok(0)
}
