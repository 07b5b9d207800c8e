//! Labels at the beginning of a line: `Action:`, `Thought：`, `**Grounded Operation:**`.

use crate::lexer::{is_blank, plain};
use crate::scan::starts_with;

/// Where a label stands, and where what it labels begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Marks of headings and emphasis around a label.
fn is_ornament(c: char) -> bool {
    matches!(c, '*' | '#' | '>' | '_') || (is_blank(c) && c != '\n')
}

/// The labels of that name at the beginnings of lines, from byte `from`, in any case and with either colon.
pub(crate) fn labels<'t>(text: &'t str, from: usize, name: &'t str) -> impl Iterator<Item = Label> + 't {
    let mut line_at = from;
    text.get(from..)
        .unwrap_or("")
        .split_inclusive('\n')
        .filter_map(move |line| {
            let start = line_at;
            line_at += line.len();
            let bare = line.trim_start_matches(is_ornament);
            if !starts_with(bare, name) {
                return None;
            }
            let behind = bare.get(name.len()..)?.trim_start_matches(is_ornament);
            let colon = behind.chars().next().filter(|c| plain(*c) == ':')?;
            let value = behind.get(colon.len_utf8()..)?;
            // Emphasis may close behind the colon.
            let value = value.strip_prefix("**").unwrap_or(value);
            Some(Label {
                start,
                end: start + line.len() - value.len(),
            })
        })
}

/// What stands on the label's own line.
pub(crate) fn line_of<'t>(text: &'t str, label: &Label) -> &'t str {
    text.get(label.end..)
        .and_then(|rest| rest.lines().next())
        .unwrap_or("")
        .trim()
}
