//! The list of windows (`dumpsys window windows`): who owns one, and whether its app forbids pictures of it.

use super::front::{Focus, window};
use super::{behind, value_of};

/// `WindowManager.LayoutParams.FLAG_SECURE`.
const FLAG_SECURE: u32 = 0x2000;

/// What the list says of one window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Owner {
    /// The package that owns it, where printed (Android 7 and newer).
    pub package: Option<String>,
    /// Whether pictures of it are forbidden.
    pub secure: bool,
}

/// Finds a window by its number, else by its title.
#[must_use]
pub fn read(text: &str, focus: &Focus) -> Option<Owner> {
    let blocks: Vec<(Focus, Vec<&str>)> = split(text);
    let by_id = blocks.iter().find(|(one, _)| one.id == focus.id);
    let found = by_id.or_else(|| blocks.iter().find(|(one, _)| one.title == focus.title));
    found.map(|(_, lines)| Owner {
        package: lines
            .iter()
            .find_map(|line| value_of(line, "package"))
            .map(str::to_owned),
        secure: lines.iter().any(|line| is_secure(line)),
    })
}

/// The windows in the list, topmost first, with the lines below each.
fn split(text: &str) -> Vec<(Focus, Vec<&str>)> {
    let mut blocks: Vec<(Focus, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        let head = behind(line, "Window #")
            .and_then(|rest| rest.find("Window{").map(|at| &rest[at..]))
            .and_then(window);
        if let Some(head) = head {
            blocks.push((head, Vec::new()));
        } else if let Some((_, lines)) = blocks.last_mut() {
            lines.push(line);
        }
    }
    blocks
}

/// `fl=LAYOUT_IN_SCREEN SECURE …` since Android 9, `fl=#81812100` before; `pfl=` and `sfl=` are other flags.
fn is_secure(line: &str) -> bool {
    let mut rest = line;
    while let Some(at) = rest.find("fl=") {
        let own = rest[..at]
            .chars()
            .next_back()
            .is_none_or(|c| !c.is_ascii_alphanumeric());
        let flags = &rest[at + 3..];
        rest = flags;
        if !own {
            continue;
        }
        let end = flags.find(['}', '=']).unwrap_or(flags.len());
        let mut words = flags[..end].split_whitespace();
        return match words.next() {
            Some(first) if first.starts_with(['#', '0']) => {
                let digits = first.trim_start_matches('#').trim_start_matches("0x");
                u32::from_str_radix(digits, 16).is_ok_and(|bits| bits & FLAG_SECURE != 0)
            }
            Some(first) => first == "SECURE" || words.any(|word| word == "SECURE"),
            None => false,
        };
    }
    false
}
