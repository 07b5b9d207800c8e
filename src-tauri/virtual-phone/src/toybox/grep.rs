//! `grep`, `egrep`, `fgrep`.

use super::lines::{LineReader, inputs};
use super::options::options;
use crate::files::{Errno, FollowLinks};
use crate::process::{Call, ProgramResult, Signal};
use bytes::Bytes;
use regex::bytes::{Regex, RegexBuilder};
use std::collections::VecDeque;

/// `grep [-EFivnclLoqswxHh] [-r] [-m MAX] [-e PATTERN] [-A NUM] [-B NUM] [-C NUM] [PATTERN] [FILE…]`.
pub(super) async fn main(call: Call) -> ProgramResult {
    let mut options = options!(call, "EFGivnclLoqswxHhrRe:m:A:B:C:a");
    let mut patterns: Vec<String> = options.values('e').to_vec();
    if patterns.is_empty() {
        if options.rest.is_empty() {
            return call.fail(2, "no REGEX").await;
        }
        patterns.push(options.rest.remove(0));
    }
    let fixed = options.has('F') || call.name() == "fgrep";
    let extended = options.has('E') || call.name() == "egrep";
    let lines: Vec<&str> = patterns.iter().flat_map(|pattern| pattern.split('\n')).collect();
    let regex = match build(&lines, fixed, extended, &options) {
        Ok(regex) => regex,
        Err(problem) => return call.fail(2, problem).await,
    };
    let recursive = options.has('r') || options.has('R');
    let mut files = Vec::new();
    if recursive {
        let roots = if options.rest.is_empty() {
            vec![".".to_owned()]
        } else {
            options.rest.clone()
        };
        for root in roots {
            below(&call, &root, &mut files, 0);
        }
    } else {
        files = inputs(&options.rest);
    }
    let named = !options.has('h') && (options.has('H') || files.len() > 1 || recursive);
    let mut search = Search {
        call: &call,
        options: &options,
        regex,
        named,
        found: false,
    };
    let mut failed = false;
    for file in &files {
        let searched = match LineReader::open(&call, file) {
            Ok(mut reader) => search.file(file, &mut reader).await?,
            Err(errno) => Err(errno),
        };
        if let Err(errno) = searched {
            failed = true;
            if !options.has('s') {
                call.fail(2, format!("{file}: {errno}")).await?;
            }
        }
        if options.has('q') && search.found {
            return Ok(0);
        }
    }
    Ok(if failed { 2 } else { i32::from(!search.found) })
}

/// Every plain file below a directory.
fn below(call: &Call, path: &str, files: &mut Vec<String>, depth: u32) {
    let full = call.path(path);
    match call.phone.files.stat(&full, FollowLinks::Yes) {
        Ok(stat) if stat.is_directory() && depth < 32 => {
            for (name, _) in call.phone.files.list(&full).unwrap_or_default() {
                below(
                    call,
                    &format!("{}/{name}", path.trim_end_matches('/')),
                    files,
                    depth + 1,
                );
            }
        }
        _ => files.push(path.to_owned()),
    }
}

fn build(patterns: &[&str], fixed: bool, extended: bool, options: &super::Options) -> Result<Regex, String> {
    let translated: Vec<String> = patterns
        .iter()
        .map(|pattern| {
            let body = match (fixed, extended) {
                (true, _) => regex::escape(pattern),
                (_, true) => extended_to_rust(pattern),
                _ => basic_to_rust(pattern),
            };
            let body = if options.has('w') {
                format!(r"\b(?:{body})\b")
            } else {
                body
            };
            if options.has('x') {
                format!("^(?:{body})$")
            } else {
                format!("(?:{body})")
            }
        })
        .collect();
    RegexBuilder::new(&translated.join("|"))
        .case_insensitive(options.has('i'))
        .size_limit(1 << 20)
        .build()
        .map_err(|_| format!("bad REGEX '{}'", patterns.join("\n")))
}

/// A POSIX extended expression as the `regex` crate writes it: the two differ in brackets.
pub(super) fn extended_to_rust(pattern: &str) -> String {
    translate(pattern, true)
}

/// A POSIX basic expression as the `regex` crate writes it: `\(`, `\{`, `\|`, `\+`, `\?` are the special ones.
pub(super) fn basic_to_rust(pattern: &str) -> String {
    translate(pattern, false)
}

fn translate(pattern: &str, extended: bool) -> String {
    let mut out = String::new();
    let mut rest = pattern.chars().peekable();
    let mut at_start = true;
    while let Some(character) = rest.next() {
        let start = std::mem::take(&mut at_start);
        match character {
            '\\' => match rest.next() {
                Some(special @ ('(' | ')' | '{' | '}' | '|' | '+' | '?')) if !extended => {
                    out.push(special);
                    at_start = matches!(special, '(' | '|');
                }
                Some('<') => out.push_str(r"\b{start}"),
                Some('>') => out.push_str(r"\b{end}"),
                Some(class @ ('w' | 'W' | 's' | 'S' | 'b' | 'B' | 'd')) => {
                    out.push('\\');
                    out.push(class);
                }
                Some(other) => out.push_str(&regex::escape(&other.to_string())),
                None => out.push_str(r"\\"),
            },
            '(' | ')' | '{' | '}' | '|' | '+' | '?' if !extended => {
                out.push('\\');
                out.push(character);
            }
            '*' if start => out.push_str(r"\*"),
            '{' if start || !rest.peek().is_some_and(char::is_ascii_digit) => out.push_str(r"\{"),
            '[' => bracket(&mut rest, &mut out),
            '(' | '|' => {
                out.push(character);
                at_start = true;
            }
            '^' => {
                out.push('^');
                at_start = true;
            }
            other => out.push(other),
        }
    }
    out
}

/// A bracket expression: a backslash in it is a plain one, a first `]` too.
fn bracket(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, out: &mut String) {
    out.push('[');
    if rest.next_if_eq(&'^').is_some() {
        out.push('^');
    }
    if rest.next_if_eq(&']').is_some() {
        out.push_str(r"\]");
    }
    while let Some(character) = rest.next() {
        match character {
            ']' => break,
            '[' if rest.peek() == Some(&':') => {
                out.push('[');
                for inner in rest.by_ref() {
                    out.push(inner);
                    if inner == ']' {
                        break;
                    }
                }
            }
            '[' | '\\' | '&' | '~' => {
                out.push('\\');
                out.push(character);
            }
            other => out.push(other),
        }
    }
    out.push(']');
}

struct Search<'a> {
    call: &'a Call,
    options: &'a super::Options,
    regex: Regex,
    named: bool,
    found: bool,
}

impl Search<'_> {
    /// Goes through one file, and stops reading when it has seen enough.
    async fn file(&mut self, name: &str, reader: &mut LineReader) -> Result<Result<(), Errno>, Signal> {
        let shown = if name == "-" { "(standard input)" } else { name };
        let number = |letter: char| self.options.value(letter).and_then(|text| text.parse().ok());
        let around = number('C').unwrap_or(0);
        let (after, before) = (number('A').unwrap_or(around), number('B').unwrap_or(around));
        let most = number('m').unwrap_or(usize::MAX);
        let counts = "clL".chars().any(|letter| self.options.has(letter));
        // The last lines that were not printed; how many lines were printed; lines up to there follow a match.
        let mut earlier: VecDeque<(usize, Bytes)> = VecDeque::new();
        let (mut count, mut printed, mut follow) = (0, 0, 0);
        let mut out = Vec::new();
        let mut at = 0;
        while count < most || at < follow {
            let line = match reader.next().await {
                Ok(Some(line)) => line,
                Ok(None) => break,
                Err(errno) => return Ok(Err(errno)),
            };
            let text = line.strip_suffix(b"\n").unwrap_or(&line);
            let matches = count < most && self.regex.is_match(text) != self.options.has('v');
            if matches {
                self.found = true;
                count += 1;
                if self.options.has('q') || (self.options.has('l') && !self.options.has('c')) {
                    break;
                }
            }
            if counts {
            } else if matches && self.options.has('o') && !self.options.has('v') {
                for part in self.regex.find_iter(text).filter(|part| !part.is_empty()) {
                    self.line(shown, at, b':', part.as_bytes(), &mut out);
                }
            } else if matches {
                let from = earlier.front().map_or(at, |(number, _)| *number);
                if after + before > 0 && printed > 0 && from > printed {
                    out.extend_from_slice(b"--\n");
                }
                for (number, line) in earlier.drain(..) {
                    self.line(
                        shown,
                        number,
                        b'-',
                        line.strip_suffix(b"\n").unwrap_or(&line),
                        &mut out,
                    );
                }
                self.line(shown, at, b':', text, &mut out);
                (printed, follow) = (at + 1, at + 1 + after);
            } else if at < follow {
                self.line(shown, at, b'-', text, &mut out);
                printed = at + 1;
            } else if before > 0 {
                if earlier.len() == before {
                    earlier.pop_front();
                }
                earlier.push_back((at, line));
            }
            at += 1;
            if !reader.has_line() && !out.is_empty() {
                self.call.out(std::mem::take(&mut out)).await?;
            }
        }
        if self.options.has('c') {
            let prefix = if self.named {
                format!("{shown}:")
            } else {
                String::new()
            };
            out.extend_from_slice(format!("{prefix}{count}\n").as_bytes());
        } else if !self.options.has('q')
            && ((self.options.has('l') && count > 0) || (self.options.has('L') && count == 0))
        {
            out.extend_from_slice(format!("{shown}\n").as_bytes());
        }
        self.call.out(out).await?;
        Ok(Ok(()))
    }

    fn line(&self, name: &str, at: usize, separator: u8, text: &[u8], out: &mut Vec<u8>) {
        if self.named {
            out.extend_from_slice(name.as_bytes());
            out.push(separator);
        }
        if self.options.has('n') {
            out.extend_from_slice((at + 1).to_string().as_bytes());
            out.push(separator);
        }
        out.extend_from_slice(text);
        out.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::{basic_to_rust, extended_to_rust};
    use regex::Regex;

    #[test]
    fn posix_expressions_mean_the_same_here() {
        for (extended, pattern, text, fits) in [
            (false, r"a\+b", "aab", true),
            (false, "a+b", "a+b", true),
            (false, r"\(ab\)\{2\}", "abab", true),
            (false, "*x", "*x", true),
            (false, "mCurrentFocus.*{", "mCurrentFocus=Window{1", true),
            (false, r"[\]x", r"\x", true),
            (true, "a{2}", "aa", true),
            (true, "{a", "{a", true),
            (true, "mCurrentFocus|mFocusedApp", "x mFocusedApp=", true),
            (true, "[]a]", "]", true),
            (true, "[[:digit:]]+$", "a12", true),
            (true, r"\<ab\>", "x ab y", true),
        ] {
            let rust = if extended {
                extended_to_rust(pattern)
            } else {
                basic_to_rust(pattern)
            };
            assert_eq!(
                Regex::new(&rust).unwrap().is_match(text),
                fits,
                "{pattern} as {rust}"
            );
        }
    }
}
