//! Texts in quotes, so that reading them back gives every character.

/// In single quotes, with Python's escapes.
pub(crate) fn single_quoted(text: &str) -> String {
    quoted(text, '\'')
}

/// In double quotes, with Python's escapes.
pub(crate) fn double_quoted(text: &str) -> String {
    quoted(text, '"')
}

fn quoted(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}
