//! `sed`: `s`, `p`, `d`, `q`, `=`, `y`, with addresses. (No hold space, no branches.)

use super::grep::{basic_to_rust, extended_to_rust};
use super::lines::inputs;
use super::options::options;
use crate::files::OpenMode;
use crate::process::{Call, ProgramResult};
use regex::{Captures, Regex, RegexBuilder};

enum Address {
    Line(usize),
    Last,
    Fits(Regex),
}

enum Action {
    Substitute {
        regex: Regex,
        replacement: Vec<Piece>,
        global: bool,
        nth: usize,
        print: bool,
    },
    Translate(Vec<char>, Vec<char>),
    Print,
    Delete,
    Quit,
    Number,
}

enum Piece {
    Text(String),
    Group(usize),
}

struct Command {
    from: Option<Address>,
    to: Option<Address>,
    inverted: bool,
    inside: bool,
    action: Action,
}

/// `sed [-nEri] [-e SCRIPT] [SCRIPT] [FILE…]`.
pub(super) async fn main(call: Call) -> ProgramResult {
    let mut options = options!(call, "nErie:s");
    let mut scripts = options.values('e').to_vec();
    if scripts.is_empty() {
        if options.rest.is_empty() {
            return call.fail(1, "no pattern").await;
        }
        scripts.push(options.rest.remove(0));
    }
    let extended = options.has('E') || options.has('r');
    let mut commands = match read(&scripts.join("\n"), extended) {
        Ok(commands) => commands,
        Err(problem) => return call.fail(1, problem).await,
    };
    let quiet = options.has('n');
    let mut code = 0;
    for file in inputs(&options.rest) {
        let bytes = match call.read_file(&file).await {
            Ok(bytes) => bytes,
            Err(errno) => {
                code = call.fail(1, format!("{file}: {errno}")).await?;
                continue;
            }
        };
        let out = apply(&mut commands, &String::from_utf8_lossy(&bytes), quiet);
        if options.has('i') && file != "-" {
            match call.open(&file, OpenMode::WRITE) {
                Ok(output) => {
                    let _ = output.write(out.into()).await;
                }
                Err(errno) => code = call.fail(1, format!("{file}: {errno}")).await?,
            }
        } else {
            call.out(out).await?;
        }
    }
    Ok(code)
}

fn apply(commands: &mut [Command], text: &str, quiet: bool) -> String {
    let mut out = String::new();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let count = lines.len();
    'lines: for (at, line) in lines.into_iter().enumerate() {
        let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
        let mut now = body.to_owned();
        for command in commands.iter_mut() {
            if !command.applies(at + 1, at + 1 == count, &now) {
                continue;
            }
            match &command.action {
                Action::Substitute {
                    regex,
                    replacement,
                    global,
                    nth,
                    print,
                } => {
                    let (new, changed) = substitute(regex, replacement, *global, *nth, &now);
                    now = new;
                    if changed && *print {
                        out.push_str(&now);
                        out.push('\n');
                    }
                }
                Action::Translate(from, to) => {
                    let place = |c: char| {
                        from.iter()
                            .position(|wanted| *wanted == c)
                            .and_then(|at| to.get(at))
                            .copied()
                    };
                    now = now.chars().map(|c| place(c).unwrap_or(c)).collect();
                }
                Action::Print => {
                    out.push_str(&now);
                    out.push('\n');
                }
                Action::Delete => continue 'lines,
                Action::Quit => {
                    if !quiet {
                        out.push_str(&now);
                        out.push_str(end);
                    }
                    return out;
                }
                Action::Number => out.push_str(&format!("{}\n", at + 1)),
            }
        }
        if !quiet {
            out.push_str(&now);
            out.push_str(end);
        }
    }
    out
}

impl Address {
    fn fits(&self, line: usize, last: bool, text: &str) -> bool {
        match self {
            Self::Line(wanted) => *wanted == line,
            Self::Last => last,
            Self::Fits(regex) => regex.is_match(text),
        }
    }
}

impl Command {
    fn applies(&mut self, line: usize, last: bool, text: &str) -> bool {
        let fits = match (&self.from, &self.to) {
            (None, _) => true,
            (Some(from), None) => from.fits(line, last, text),
            (Some(from), Some(to)) => {
                if self.inside {
                    let past = matches!(to, Address::Line(end) if line >= *end);
                    self.inside = !(past || to.fits(line, last, text));
                    true
                } else {
                    let begins = from.fits(line, last, text);
                    self.inside = begins && !matches!(to, Address::Line(end) if line >= *end);
                    begins
                }
            }
        };
        fits != self.inverted
    }
}

fn substitute(regex: &Regex, replacement: &[Piece], global: bool, nth: usize, text: &str) -> (String, bool) {
    let mut out = String::new();
    let (mut from, mut seen, mut changed) = (0, 0, false);
    for captures in regex.captures_iter(text) {
        let Some(whole) = captures.get(0) else { continue };
        seen += 1;
        if seen < nth {
            continue;
        }
        out.push_str(text.get(from..whole.start()).unwrap_or_default());
        out.push_str(&filled(replacement, &captures));
        from = whole.end();
        changed = true;
        if !global {
            break;
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    (out, changed)
}

fn filled(replacement: &[Piece], captures: &Captures<'_>) -> String {
    replacement
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.as_str(),
            Piece::Group(number) => captures.get(*number).map_or("", |group| group.as_str()),
        })
        .collect()
}

/// Reads a script.
fn read(script: &str, extended: bool) -> Result<Vec<Command>, String> {
    let mut commands = Vec::new();
    let mut rest = script.trim_start();
    while !rest.is_empty() {
        let bad = || format!("bad pattern '{script}'");
        let (from, after) = address(rest, extended).ok_or_else(bad)?;
        rest = after.trim_start();
        let mut to = None;
        if let Some(after) = rest.strip_prefix(',') {
            let (end, after) = address(after.trim_start(), extended).ok_or_else(bad)?;
            to = Some(end.ok_or_else(bad)?);
            rest = after.trim_start();
        }
        let inverted = rest.starts_with('!');
        rest = rest.trim_start_matches(['!', ' ']);
        let mut letters = rest.chars();
        let letter = letters.next().ok_or_else(bad)?;
        rest = letters.as_str();
        let action = match letter {
            'p' => Action::Print,
            'd' => Action::Delete,
            'q' => Action::Quit,
            '=' => Action::Number,
            's' | 'y' => {
                let mark = rest.chars().next().ok_or_else(bad)?;
                let body = rest.get(mark.len_utf8()..).unwrap_or_default();
                let (first, body) = until(body, mark).ok_or_else(bad)?;
                let (second, after) = until(body, mark).ok_or_else(bad)?;
                rest = after;
                if letter == 'y' {
                    Action::Translate(first.chars().collect(), second.chars().collect())
                } else {
                    let flags_end = rest
                        .find(|c: char| !"gpiI0123456789".contains(c))
                        .unwrap_or(rest.len());
                    let (flags, after) = rest.split_at(flags_end);
                    rest = after;
                    let digits: String = flags.chars().filter(char::is_ascii_digit).collect();
                    Action::Substitute {
                        regex: regex(&first, extended, flags.contains(['i', 'I'])).ok_or_else(bad)?,
                        replacement: pieces(&second),
                        global: flags.contains('g'),
                        nth: digits.parse().unwrap_or(1),
                        print: flags.contains('p'),
                    }
                }
            }
            _ => return Err(bad()),
        };
        commands.push(Command {
            from,
            to,
            inverted,
            inside: false,
            action,
        });
        rest = rest.trim_start_matches([';', '\n', ' ', '\t', '}']);
    }
    Ok(commands)
}

fn regex(pattern: &str, extended: bool, folded: bool) -> Option<Regex> {
    let rust = if extended {
        extended_to_rust(pattern)
    } else {
        basic_to_rust(pattern)
    };
    RegexBuilder::new(&rust)
        .case_insensitive(folded)
        .size_limit(1 << 20)
        .build()
        .ok()
}

fn address(text: &str, extended: bool) -> Option<(Option<Address>, &str)> {
    if let Some(rest) = text.strip_prefix('$') {
        return Some((Some(Address::Last), rest));
    }
    if let Some(body) = text.strip_prefix('/') {
        let (pattern, rest) = until(body, '/')?;
        return Some((Some(Address::Fits(regex(&pattern, extended, false)?)), rest));
    }
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    if digits == 0 {
        return Some((None, text));
    }
    let (number, rest) = text.split_at(digits);
    Some((Some(Address::Line(number.parse().ok()?)), rest))
}

/// Text up to an unescaped mark; an escaped mark stands for itself.
fn until(text: &str, mark: char) -> Option<(String, &str)> {
    let mut out = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        if character == mark {
            return Some((out, text.get(at + mark.len_utf8()..)?));
        }
        if character == '\\' {
            match characters.next() {
                Some((_, escaped)) if escaped == mark => out.push(mark),
                Some((_, escaped)) => {
                    out.push('\\');
                    out.push(escaped);
                }
                None => return None,
            }
            continue;
        }
        out.push(character);
    }
    None
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let group = match character {
            '&' => Some(0),
            '\\' => match characters.next() {
                Some('n') => {
                    plain.push('\n');
                    continue;
                }
                Some('t') => {
                    plain.push('\t');
                    continue;
                }
                Some(digit) if digit.is_ascii_digit() => {
                    digit.to_digit(10).and_then(|digit| usize::try_from(digit).ok())
                }
                Some(other) => {
                    plain.push(other);
                    continue;
                }
                None => continue,
            },
            other => {
                plain.push(other);
                continue;
            }
        };
        if let Some(group) = group {
            pieces.push(Piece::Text(std::mem::take(&mut plain)));
            pieces.push(Piece::Group(group));
        }
    }
    pieces.push(Piece::Text(plain));
    pieces
}

#[cfg(test)]
mod tests {
    use super::{apply, read};

    #[test]
    fn scripts_do_what_sed_does() {
        for (script, extended, quiet, text, expected) in [
            ("s/a/b/", false, false, "aa\nxa\n", "ba\nxb\n"),
            ("s/a/b/g", false, false, "aa", "bb"),
            (r"s/\(x\)\(y\)/\2\1/", false, false, "xy\n", "yx\n"),
            (
                r"s|.*package=([^ ]+).*|\1|p",
                true,
                true,
                "a package=com.x b\nno\n",
                "com.x\n",
            ),
            ("2p", false, true, "a\nb\nc\n", "b\n"),
            ("2,3d", false, false, "a\nb\nc\nd\n", "a\nd\n"),
            ("/b/,$d", false, false, "a\nb\nc\n", "a\n"),
            ("$!d", false, false, "a\nb\n", "b\n"),
            ("1q", false, false, "a\nb\n", "a\n"),
            ("s/x/[&]/2", false, false, "xxx\n", "x[x]x\n"),
            ("y/abc/xyz/; s/x/-/", false, false, "cab\n", "z-y\n"),
        ] {
            let mut commands = read(script, extended).unwrap();
            assert_eq!(apply(&mut commands, text, quiet), expected, "{script}");
        }
        assert!(read("s/a", false).is_err());
        assert!(read("k", false).is_err());
    }
}
