//! Words from outside in a prompt: cut, and quoted.

/// At most `most` characters; what is left out is marked.
#[must_use]
pub fn cut(text: &str, most: usize) -> String {
    let mut characters = text.chars();
    let mut out: String = characters.by_ref().take(most).collect();
    if characters.next().is_some() {
        out.push('…');
    }
    out
}

/// Words from the phone, on one line, between quotes that cannot be closed from inside.
pub(super) fn quote(text: &str, most: usize) -> String {
    serde_json::to_string(&cut(text, most)).unwrap_or_else(|_| "\"\"".to_owned())
}
