//! Variables: `__CogName_Price__` stands for a value an earlier action put there.
//!
//! Allowed in what is typed, set or asked of a model; anywhere else the action is refused, so that no text from a
//! screen can become a package, a command or a target. They are filled before the action is judged.

use crate::notes::{Refusal, cut};
use protocol::{Act, Action, Target, Unclear, UnclearCode};
use std::collections::BTreeMap;

const OPENS: &str = "__CogName_";
const CLOSES: &str = "__";

/// The whole names of the variables in a text, in order, repeated where they are.
pub fn variables(text: &str) -> impl Iterator<Item = &str> {
    pieces(text).filter_map(|piece| match piece {
        Piece::Variable(name) => Some(name),
        Piece::Words(_) => None,
    })
}

/// Puts the values of variables into the fields that may hold them. The values are not looked into again.
///
/// `values` are by whole name (`__CogName_Price__`) or by what stands inside it (`Price`).
///
/// # Errors
/// When a variable has no value (`malformed`): nothing is typed in its place.
#[expect(
    clippy::result_large_err,
    reason = "the contract between rooms carries the action that was refused"
)]
pub fn fill(action: &Action, values: &BTreeMap<String, String>) -> Result<Action, Unclear> {
    let mut filled = action.clone();
    let place = match &mut filled.act {
        Act::Type { text, .. } => text,
        Act::SetValue { value, .. } => value,
        Act::AskModel { prompt, .. } => prompt,
        _ => return Ok(filled),
    };
    let mut text = String::with_capacity(place.len());
    for piece in pieces(place) {
        match piece {
            Piece::Words(words) => text.push_str(words),
            Piece::Variable(name) => match values.get(name).or_else(|| values.get(inner(name))) {
                Some(value) => text.push_str(value),
                None => {
                    let message = format!("the variable {} holds nothing yet", cut(name));
                    return Err(Refusal::new(UnclearCode::Malformed, message).into());
                }
            },
        }
    }
    *place = text;
    Ok(filled)
}

/// Refuses an action with a variable where none is allowed.
pub(crate) fn check(action: &Action) -> Result<(), Refusal> {
    let mut wrong: Option<&'static str> = None;
    let mut look = |field: &'static str, text: &str| {
        if wrong.is_none() && variables(text).next().is_some() {
            wrong = Some(field);
        }
    };
    for (field, text) in [("reason", &action.reason), ("app", &action.app)] {
        look(field, text.as_deref().unwrap_or(""));
    }
    action.modifiers.iter().for_each(|key| look("modifiers", key));
    each_text(&action.act, &mut look);
    match wrong {
        None => Ok(()),
        Some(field) => Err(Refusal::new(
            UnclearCode::VariableNotAllowed,
            format!(
                "a variable stands in `{field}`; it may stand in type.text, set_value.value and ask_model.prompt"
            ),
        )),
    }
}

/// Every text of an action in which no variable may stand. Names of variables to be filled (`output`) are not texts.
fn each_text(act: &Act, look: &mut impl FnMut(&'static str, &str)) {
    match act {
        Act::Tap { target, .. }
        | Act::Type { target, .. }
        | Act::DoubleTap { target, .. }
        | Act::LongPress { target, .. }
        | Act::Scroll { target, .. }
        | Act::Hover { target, .. } => target.iter().for_each(|target| each_target_text(target, look)),
        Act::Drag {
            target, to_target, ..
        } => {
            target
                .iter()
                .chain(to_target)
                .for_each(|target| each_target_text(target, look));
        }
        Act::SetValue { target, .. } => each_target_text(target, look),
        Act::Keyevent { keycode } => look("keycode", keycode),
        Act::LaunchApp { package_name } => look("packageName", package_name),
        Act::Shell { command } => look("command", command),
        Act::RunScript { script, .. } => look("script", script),
        Act::RequestHumanAuth { instruction, .. } => look("instruction", instruction),
        Act::Finish { message } => look("message", message),
        Act::KeyCombination { keys } => keys.iter().for_each(|key| look("keys", key)),
        Act::OpenUrl { url } => look("url", url),
        Act::ReadText { result, .. } | Act::ReadClipboard { result, .. } | Act::AskModel { result, .. } => {
            look("result", result.as_deref().unwrap_or(""));
        }
        Act::Swipe { .. } | Act::Wait { .. } | Act::Capture { .. } | Act::ListApps | Act::FocusApp { .. } => {
        }
    }
}

fn each_target_text(target: &Target, look: &mut impl FnMut(&'static str, &str)) {
    for text in [&target.track_id, &target.text, &target.role, &target.label] {
        look("target", text.as_deref().unwrap_or(""));
    }
}

enum Piece<'a> {
    Words(&'a str),
    Variable(&'a str),
}

/// A text cut into variables and what stands between them.
fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, left) = match variable_at(rest) {
            Some(length) => {
                let (name, left) = rest.split_at(length);
                (Piece::Variable(name), left)
            }
            None => {
                let skip = rest.chars().next().map_or(0, char::len_utf8);
                let next = rest
                    .match_indices(OPENS)
                    .map(|(at, _)| at)
                    .find(|at| *at >= skip && variable_at(rest.get(*at..).unwrap_or("")).is_some());
                let (words, left) = rest.split_at(next.unwrap_or(rest.len()));
                (Piece::Words(words), left)
            }
        };
        rest = left;
        Some(piece)
    })
}

/// How long the variable is that begins the text, if one does: its word has letters, digits and `_` of any script,
/// and ends at the first two `_`. Looks no further than that.
fn variable_at(text: &str) -> Option<usize> {
    let word = text.strip_prefix(OPENS)?;
    let mut before = None;
    for (at, c) in word.char_indices() {
        if !(c.is_alphanumeric() || c == '_') {
            return None;
        }
        if before == Some('_') && c == '_' {
            return Some(OPENS.len() + at + c.len_utf8());
        }
        // The word's first character is part of it, whatever it is.
        before = (at > 0).then_some(c);
    }
    None
}

fn inner(name: &str) -> &str {
    name.strip_prefix(OPENS)
        .and_then(|name| name.strip_suffix(CLOSES))
        .unwrap_or(name)
}
