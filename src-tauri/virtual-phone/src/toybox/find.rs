//! `find`.

use crate::files::{FollowLinks, Stat, file_name};
use crate::process::{Call, ProgramResult};
use crate::shell::Pattern;

enum Test {
    Name(Pattern),
    IgnoringCase(Pattern),
    Path(Pattern),
    Type(char),
    Empty,
    Larger(u64, std::cmp::Ordering),
    /// Seconds ago.
    Changed(u64, std::cmp::Ordering),
    Not,
    Delete,
    Print,
    Zero,
}

struct Search<'a> {
    call: &'a Call,
    tests: Vec<Test>,
    most: u32,
    least: u32,
    out: String,
    problems: Vec<String>,
}

/// `find [PATH…] [-name P] [-iname P] [-path P] [-type c] [-empty] [-size ±Nc] [-ctime ±N] [-maxdepth N] [-mindepth N] [!]
/// [-delete] [-print] [-print0]`: all of them together.
pub(super) async fn main(call: Call) -> ProgramResult {
    let words = call.arguments();
    let split = words
        .iter()
        .position(|word| word.starts_with('-') || word == "!")
        .unwrap_or(words.len());
    let (roots, expression) = words.split_at(split);
    let roots = if roots.is_empty() {
        vec![".".to_owned()]
    } else {
        roots.to_vec()
    };
    let mut search = Search {
        call: &call,
        tests: Vec::new(),
        most: 64,
        least: 0,
        out: String::new(),
        problems: Vec::new(),
    };
    let mut words = expression.iter();
    while let Some(word) = words.next() {
        let mut value = || {
            words
                .next()
                .cloned()
                .ok_or_else(|| format!("'{word}' needs 1 arg"))
        };
        let test = match word.as_str() {
            "-name" => value().map(|text| Some(Test::Name(Pattern::unquoted(&text)))),
            "-iname" => value().map(|text| Some(Test::IgnoringCase(Pattern::unquoted(&text.to_lowercase())))),
            "-path" | "-wholename" => value().map(|text| Some(Test::Path(Pattern::unquoted(&text)))),
            "-type" => value().map(|text| Some(Test::Type(text.chars().next().unwrap_or('f')))),
            "-empty" => Ok(Some(Test::Empty)),
            "-size" => value().map(|text| Some(size(&text))),
            "-ctime" => value().map(|text| Some(changed(&text))),
            "-delete" => Ok(Some(Test::Delete)),
            "-print" => Ok(Some(Test::Print)),
            "-print0" => Ok(Some(Test::Zero)),
            "!" | "-not" => Ok(Some(Test::Not)),
            "-a" | "-and" | "-xdev" => Ok(None),
            "-maxdepth" => value().map(|text| {
                search.most = text.parse().unwrap_or(64);
                None
            }),
            "-mindepth" => value().map(|text| {
                search.least = text.parse().unwrap_or(0);
                None
            }),
            other => Err(format!("bad arg '{other}'")),
        };
        match test {
            Ok(Some(test)) => search.tests.push(test),
            Ok(None) => {}
            Err(problem) => return call.fail(1, problem).await,
        }
    }
    for root in &roots {
        search.visit(root, 0);
    }
    let (out, problems) = (search.out, search.problems);
    call.out(out).await?;
    let code = i32::from(!problems.is_empty());
    for problem in problems {
        call.fail(1, problem).await?;
    }
    Ok(code)
}

/// What a number's sign asks for (`compare_numsign`), and the number.
fn signed(text: &str) -> (std::cmp::Ordering, &str) {
    let order = match text.chars().next() {
        Some('+') => std::cmp::Ordering::Greater,
        Some('-') => std::cmp::Ordering::Less,
        _ => std::cmp::Ordering::Equal,
    };
    (order, text.trim_start_matches(['+', '-']))
}

/// Days, compared as seconds: `+0` is any time ago.
fn changed(text: &str) -> Test {
    let (order, days) = signed(text);
    Test::Changed(days.parse::<u64>().unwrap_or(0).saturating_mul(86_400), order)
}

fn size(text: &str) -> Test {
    let (order, body) = signed(text);
    let unit = match body.chars().last() {
        Some('c') => 1,
        Some('k') => 1024,
        Some('M') => 1024 * 1024,
        Some('G') => 1024 * 1024 * 1024,
        _ => 512,
    };
    let number: u64 = body
        .trim_end_matches(|c: char| c.is_ascii_alphabetic())
        .parse()
        .unwrap_or(0);
    Test::Larger(number.saturating_mul(unit), order)
}

impl Search<'_> {
    fn visit(&mut self, path: &str, depth: u32) {
        let files = &self.call.phone.files;
        let full = self.call.path(path);
        // A link is not gone into, unless it was named with a slash at its end.
        let follow = if depth == 0 && path.ends_with('/') {
            FollowLinks::Yes
        } else {
            FollowLinks::No
        };
        let stat = match files.stat(&full, follow) {
            Ok(stat) => stat,
            Err(errno) => return self.problems.push(format!("'{path}': {errno}")),
        };
        let children = if stat.is_directory() && depth < self.most {
            match files.list(&full) {
                Ok(children) => children,
                Err(errno) => {
                    self.problems.push(format!("'{path}': {errno}"));
                    Vec::new()
                }
            }
        } else {
            Vec::new()
        };
        let deletes = self.tests.iter().any(|test| matches!(test, Test::Delete));
        let empty = if stat.is_directory() {
            children.is_empty()
        } else {
            stat.size == 0
        };
        if !deletes && depth >= self.least {
            self.judge(path, &stat, empty);
        }
        for (name, _) in &children {
            self.visit(&format!("{}/{name}", path.trim_end_matches('/')), depth + 1);
        }
        // What is deleted is visited after what lies in it (`-delete` implies `-depth`).
        if deletes && depth >= self.least {
            self.judge(path, &stat, empty);
        }
    }

    fn judge(&mut self, path: &str, stat: &Stat, empty: bool) {
        let name = if path == "/" { "/" } else { file_name(path) };
        let mut inverted = false;
        let mut acted = false;
        for test in &self.tests {
            let fits = match test {
                Test::Not => {
                    inverted = !inverted;
                    continue;
                }
                Test::Name(pattern) => pattern.matches(name),
                Test::IgnoringCase(pattern) => pattern.matches(&name.to_lowercase()),
                Test::Path(pattern) => pattern.matches(path),
                Test::Type('d') => stat.is_directory(),
                Test::Type('l') => stat.is_link(),
                Test::Type('f') => stat.is_file(),
                Test::Type('c') => stat.is_device(),
                Test::Type(_) => false,
                Test::Empty => empty,
                Test::Larger(size, order) => stat.size.cmp(size) == *order,
                Test::Changed(age, order) => {
                    let now = self.call.phone.clock.wall().as_secs();
                    now.saturating_sub(stat.changed).cmp(age) == *order
                }
                Test::Delete => {
                    acted = true;
                    let full = self.call.path(path);
                    if let Err(errno) = self.call.phone.files.remove(&full, stat.is_directory()) {
                        self.problems.push(format!("'{path}': {errno}"));
                    }
                    true
                }
                Test::Print => {
                    acted = true;
                    self.out.push_str(path);
                    self.out.push('\n');
                    true
                }
                Test::Zero => {
                    acted = true;
                    self.out.push_str(path);
                    self.out.push('\0');
                    true
                }
            };
            if fits == std::mem::take(&mut inverted) {
                return;
            }
        }
        if !acted {
            self.out.push_str(path);
            self.out.push('\n');
        }
    }
}
