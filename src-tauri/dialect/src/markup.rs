//! Tool calls written as tags: `<invoke name="click"><parameter name="index">5</parameter></invoke>` and
//! `<function=click><parameter=point>…</parameter></function>`.
//!
//! Only these two forms are read, and only whole: any other tag inside them is another maker's markup gone wrong.

use crate::lexer::is_blank;
use crate::notes::Refusal;
use crate::scan::starts_with;
use crate::tool::ToolUse;
use crate::value::{Object, Text, Value};

/// Marks of tool calls in replies. None of them is an action in the dialects that are JSON.
const FOREIGN: [&str; 12] = [
    "<invoke",
    "<function_calls",
    "<function=",
    "<seed:tool_call",
    "<｜",
    "｜DSML｜",
    "<|FunctionCallBegin|>",
    "<|tool_call",
    "<|python_tag|>",
    "[TOOL_CALLS]",
    "<tool_code",
    "<|DSML|",
];

/// The first mark of a tool call from byte `from` on.
pub(crate) fn first_mark(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    rest.char_indices()
        .filter(|(_, c)| matches!(c, '<' | '[' | '｜'))
        .find(|(at, _)| {
            FOREIGN
                .iter()
                .any(|mark| starts_with(rest.get(*at..).unwrap_or(""), mark))
        })
        .map(|(at, _)| from + at)
}

/// Whether what stands at this mark is only a token before a call that is itself JSON.
pub(crate) fn is_token(text: &str, mark: usize) -> bool {
    let rest = text.get(mark..).unwrap_or("");
    [
        "<|FunctionCallBegin|>",
        "<|tool_call",
        "<|python_tag|>",
        "[TOOL_CALLS]",
    ]
    .iter()
    .any(|token| starts_with(rest, token))
}

/// Whether one of the two readable forms begins at this mark, perhaps inside its wrapper.
pub(crate) fn is_readable(text: &str, mark: usize) -> bool {
    let rest = text.get(mark..).unwrap_or("");
    ["<invoke", "<function_calls", "<function=", "<seed:tool_call"]
        .iter()
        .any(|tag| starts_with(rest, tag))
}

/// The name of the tool the first call from byte `from` on uses.
pub(crate) fn tool_name(text: &str, from: usize) -> Option<&str> {
    opening(text, from).map(|(name, _)| name)
}

/// Reads the first call from byte `from` on; `None` when there is none.
pub(crate) fn read(text: &str, from: usize) -> Option<Result<ToolUse, Refusal>> {
    let (name, mut at) = opening(text, from)?;
    let mut arguments = Object {
        fields: Vec::new(),
        closed: true,
    };
    loop {
        let rest = text.get(at..).unwrap_or("");
        let bare = rest.trim_start_matches(is_blank);
        if starts_with(bare, "</invoke>") || starts_with(bare, "</function>") {
            let behind = text.len() - bare.len() + 2;
            let several = opening(text, behind).is_some();
            return Some(Ok(ToolUse {
                name: name.into(),
                arguments,
                said: None,
                several,
            }));
        }
        let Some((key, value, length)) = parameter(bare) else {
            return Some(Err(Refusal::malformed("the tool call's tags are broken")));
        };
        arguments.fields.push((key, value));
        at = text.len() - bare.len() + length;
    }
}

/// The tool's name, and where its parameters begin.
fn opening(text: &str, from: usize) -> Option<(&str, usize)> {
    let rest = text.get(from..)?;
    rest.match_indices('<').find_map(|(at, _)| {
        let head = head_of(rest.get(at..)?)?;
        let name = named(head, "<invoke", "<function=")?;
        Some((name, from + at + head.len() + 1))
    })
}

/// A tag without its `>`. Tags are short: what is longer is none, and is not searched to the reply's end.
fn head_of(tag: &str) -> Option<&str> {
    const LONGEST: usize = 200;
    let end = tag.bytes().take(LONGEST).position(|b| b == b'>')?;
    tag.get(..end)
}

/// `<invoke name="X"` or `<function=X`: X.
fn named<'t>(head: &'t str, by_attribute: &str, by_sign: &str) -> Option<&'t str> {
    let name = if starts_with(head, by_sign) {
        head.get(by_sign.len()..)?
    } else if starts_with(head, by_attribute) {
        let value = head
            .get(by_attribute.len()..)?
            .trim_start()
            .strip_prefix("name=")?;
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        value.get(1..)?.split(quote).next()?
    } else {
        return None;
    };
    let name = name.trim();
    (!name.is_empty() && !name.contains(['<', '\n'])).then_some(name)
}

/// One parameter at the beginning of `text`: its name, its text as it is, and its length.
fn parameter(text: &str) -> Option<(String, Value, usize)> {
    let head = head_of(text)?;
    let behind = text.get(head.len() + 1..)?;
    let name = named(head, "<parameter", "<parameter=")?;
    let (value, _) = behind.split_once("</parameter>")?;
    let length = head.len() + 1 + value.len() + "</parameter>".len();
    // The second form puts its values on lines of their own.
    let bare = if starts_with(head, "<parameter=") {
        let value = value.strip_prefix('\n').unwrap_or(value);
        value.strip_suffix('\n').unwrap_or(value)
    } else {
        value
    };
    let text = Text {
        value: bare.into(),
        mended: false,
    };
    Some((name.into(), Value::Text(text), length))
}
