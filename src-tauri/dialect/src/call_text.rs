//! Text to be typed inside a written call, where models write quotes into it without escaping them.

use crate::fields::Fields;
use crate::notes::{Notes, Refusal};
use crate::value::{Call, Value};

/// The text argument `name` of a call that stands at the beginning of `text` and was read to byte `length`.
///
/// A text that is quoted soundly is what it says. One with bare quotes inside ends, as the models mean it, at the
/// last quote and parenthesis of the answer; with a backslash in it there are two readings, and it is refused.
///
/// # Errors
/// When it is missing, or has no single reading.
pub(crate) fn raw_text(
    call: &Call,
    name: &str,
    text: &str,
    length: usize,
    notes: &mut Notes,
) -> Result<String, Refusal> {
    let value = call.arguments.get(name);
    if !matches!(value, Some(Value::Text(text)) if text.mended) {
        let exact = Fields::new(&call.arguments, notes).exact_text(name)?;
        return exact.ok_or_else(|| Refusal::malformed(format!("it needs `{name}`")));
    }
    let unclear = || Refusal::malformed(format!("`{name}` is not quoted soundly: escape the quotes in it"));
    let read = text.get(..length).ok_or_else(unclear)?;
    let (before, _) = read.split_once(&format!("{name}=")).ok_or_else(unclear)?;
    let from = text.get(before.len() + name.len() + 1..).ok_or_else(unclear)?;
    let quote = from
        .chars()
        .next()
        .filter(|c| matches!(c, '"' | '\''))
        .ok_or_else(unclear)?;
    let inside = from.get(1..).ok_or_else(unclear)?;
    let answer = ["</answer>", "</action>", "<|"]
        .iter()
        .filter_map(|end| inside.find(end))
        .min()
        .unwrap_or(inside.len());
    let answer = inside
        .get(..answer)
        .unwrap_or("")
        .trim_end()
        .trim_end_matches('`')
        .trim_end();
    let typed = answer
        .strip_suffix(')')
        .and_then(|rest| rest.strip_suffix(quote))
        .ok_or_else(unclear)?;
    // Another call behind this one, or another argument, would be typed with it.
    let whole = !typed.contains('\\')
        && !typed.contains("\n\n")
        && !typed.contains(&format!("{quote})"))
        && !typed.contains(&format!("{quote}, "));
    if whole { Ok(typed.into()) } else { Err(unclear()) }
}
