//! `cut`, `tr`.

use super::lines::inputs;
use super::options::options;
use crate::process::{Call, ProgramResult};
use crate::shell::escape::unescape;

/// `cut [-b|-c|-f LIST] [-d DELIM] [-s] [FILE…]`.
pub(super) async fn cut(call: Call) -> ProgramResult {
    let options = options!(call, "b:c:f:d:s");
    let Some((kind, list)) = ['b', 'c', 'f']
        .into_iter()
        .find_map(|kind| Some((kind, options.value(kind)?)))
    else {
        return call.fail(1, "Needs -fcb").await;
    };
    let ranges: Option<Vec<(usize, usize)>> = list.split(',').map(range).collect();
    let Some(ranges) = ranges else {
        return call.fail(1, format!("bad {list}")).await;
    };
    let inside = |at: usize| ranges.iter().any(|(from, to)| (*from..=*to).contains(&(at + 1)));
    let delimiter = options.value('d').unwrap_or("\t").to_owned();
    let mut code = 0;
    for file in inputs(&options.rest) {
        let bytes = match call.read_file(&file).await {
            Ok(bytes) => bytes,
            Err(errno) => {
                code = call.fail(1, format!("{file}: {errno}")).await?;
                continue;
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        let mut out = String::new();
        for line in text.lines() {
            if kind == 'f' {
                if !line.contains(&delimiter) {
                    if !options.has('s') {
                        out.push_str(line);
                        out.push('\n');
                    }
                    continue;
                }
                let parts = line
                    .split(delimiter.as_str())
                    .enumerate()
                    .filter(|(at, _)| inside(*at));
                out.push_str(&parts.map(|(_, part)| part).collect::<Vec<_>>().join(&delimiter));
            } else {
                out.extend(
                    line.chars()
                        .enumerate()
                        .filter(|(at, _)| inside(*at))
                        .map(|(_, character)| character),
                );
            }
            out.push('\n');
        }
        call.out(out).await?;
    }
    Ok(code)
}

/// `3`, `2-4`, `-4`, `2-`.
fn range(text: &str) -> Option<(usize, usize)> {
    match text.split_once('-') {
        None => text.parse().ok().map(|at| (at, at)),
        Some(("", "")) => None,
        Some(("", to)) => Some((1, to.parse().ok()?)),
        Some((from, "")) => Some((from.parse().ok()?, usize::MAX)),
        Some((from, to)) => Some((from.parse().ok()?, to.parse().ok()?)),
    }
}

/// `tr [-cds] SET1 [SET2]`.
pub(super) async fn tr(call: Call) -> ProgramResult {
    let options = options!(call, "^cCds");
    let [first, rest @ ..] = options.rest.as_slice() else {
        return call.fail(1, "Needs 1 argument").await;
    };
    let complement = options.has('c') || options.has('C');
    let from = set(first);
    let to = rest.first().map(|text| set(text)).unwrap_or_default();
    let squeezed = if options.has('s') {
        if to.is_empty() { from.clone() } else { to.clone() }
    } else {
        Vec::new()
    };
    let bytes = call.read_input().await;
    let text = String::from_utf8_lossy(&bytes);
    let mut out = String::new();
    let mut last = None;
    for character in text.chars() {
        let place = from.iter().position(|wanted| *wanted == character);
        let selected = place.is_some() != complement;
        let mut now = character;
        if selected {
            if options.has('d') {
                continue;
            }
            if let Some(end) = to.last() {
                let at = place.unwrap_or(usize::MAX);
                now = to.get(at).copied().unwrap_or(*end);
            }
        }
        if last == Some(now)
            && (squeezed.contains(&now) || (complement && options.has('s') && selected && to.is_empty()))
        {
            continue;
        }
        last = Some(now);
        out.push(now);
    }
    call.out(out).await?;
    Ok(0)
}

/// `a-z`, `[:digit:]`, `\n`.
fn set(text: &str) -> Vec<char> {
    let text = unescape(text).text;
    let characters: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        let rest: String = characters.get(at..).unwrap_or_default().iter().collect();
        if let Some((name, _)) = rest.strip_prefix("[:").and_then(|rest| rest.split_once(":]"))
            && let Some(class) = class(name)
        {
            out.extend(class);
            at += name.chars().count() + 4;
            continue;
        }
        match (characters.get(at + 1), characters.get(at + 2)) {
            (Some('-'), Some(&end)) if end >= character => {
                out.extend(character..=end);
                at += 3;
            }
            _ => {
                out.push(character);
                at += 1;
            }
        }
    }
    out
}

fn class(name: &str) -> Option<Vec<char>> {
    let fits: fn(&char) -> bool = match name {
        "digit" => char::is_ascii_digit,
        "alpha" => char::is_ascii_alphabetic,
        "alnum" => char::is_ascii_alphanumeric,
        "lower" => char::is_ascii_lowercase,
        "upper" => char::is_ascii_uppercase,
        "space" => |c| c.is_ascii_whitespace() || *c == '\u{b}',
        "blank" => |c| matches!(c, ' ' | '\t'),
        "punct" => char::is_ascii_punctuation,
        "print" => |c| c.is_ascii_graphic() || *c == ' ',
        "cntrl" => char::is_ascii_control,
        _ => return None,
    };
    Some((0..128_u8).map(char::from).filter(fits).collect())
}
