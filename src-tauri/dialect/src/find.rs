//! The first structure of a reply that is an action, and what stands around it: common to all dialects.
use crate::action::ends_the_run;
use crate::labels::labels;
use crate::lexer::is_blank;
use crate::markup;
use crate::notes::{Notes, Refusal, cut};
use crate::reply::Reply;
use crate::scan::{Scan, StructureFilter, scan};
use crate::tool::{ToolUse, tool_name};
use crate::value::{Call, Object, Value};
use crate::variable;
use protocol::Space;
use protocol::{Act, Action, Sensitivity, UnclearCode, WarningCode};

/// The first structure that is an action.
pub(crate) struct FoundAction {
    pub(crate) value: Value,
    /// Its first byte.
    pub(crate) start: usize,
    /// The byte behind it.
    pub(crate) end: usize,
    pub(crate) context: ActionContext,
}

/// What was found out beside the action.
pub(crate) struct ActionContext {
    /// The text between thought tags, else the words before the action.
    pub(crate) thought: String,
    pub(crate) notes: Notes,
    pub(crate) sensitivity: Option<Sensitivity>,
    pub(crate) space: Space,
    in_open_thought: bool,
    /// Something else to do stands beside the action.
    more: bool,
}

/// Finds it.
///
/// # Errors
/// When there is none, or another maker's tool call stands before it.
pub(crate) fn find(
    raw: &str,
    wanted: &StructureFilter<'_>,
    steps: &mut usize,
) -> Result<FoundAction, Refusal> {
    find_surest(raw, wanted, &|_| true, steps)
}

/// The same; what stands before the first that is `sure` to be an action is passed over as a thing that is spoken of. Where
/// none is sure, the first counts.
///
/// # Errors
/// As [`find`].
pub(crate) fn find_surest(
    raw: &str,
    wanted: &StructureFilter<'_>,
    sure: &dyn Fn(&Value) -> bool,
    steps: &mut usize,
) -> Result<FoundAction, Refusal> {
    let Scan {
        mut structures,
        thought,
        answer,
        in_open_thought,
        broken,
        closes_unseen,
        effort,
    } = scan(raw, 0, wanted);
    *steps += effort.steps;
    let mark = markup::first_mark(raw, answer);
    structures.drain(..structures.iter().position(|find| sure(&find.value)).unwrap_or(0));
    let mut structures = structures.into_iter();
    let Some(first) = structures.next() else {
        return Err(if mark.is_some() {
            foreign()
        } else {
            nothing(raw, broken)
        });
    };
    if let Some(mark) = mark.filter(|mark| *mark < first.start)
        && !(markup::is_token(raw, mark) && tool_name(&first.value).is_some())
    {
        return Err(foreign());
    }
    if closes_unseen {
        return Err(Refusal::malformed(
            "the thought cannot be told from the answer: a quote in it is not closed",
        ));
    }
    let mut context = ActionContext::new(thought, raw.get(answer..first.start).unwrap_or(""));
    context.notes.add_repairs(&first.repairs);
    context.in_open_thought = in_open_thought;
    if in_open_thought {
        let message = "the thought was never closed; the action the reply ends with was read";
        context.notes.warn(WarningCode::OpenThought, None, message);
    }
    let others: Vec<_> = structures.collect();
    if !others.is_empty() {
        context.notes.several();
        context.more = others.iter().any(|other| other.value != first.value);
    }
    Ok(FoundAction {
        value: first.value,
        start: first.start,
        end: first.end,
        context,
    })
}

impl ActionContext {
    /// The thought is what stood between tags, else the words before the action.
    pub(crate) fn new(tagged: String, before: &str) -> Self {
        Self {
            thought: if tagged.is_empty() { prose(before) } else { tagged },
            notes: Notes::default(),
            sensitivity: None,
            space: Space::Picture,
            in_open_thought: false,
            more: false,
        }
    }

    pub(crate) fn several(&mut self) {
        self.notes.several();
        self.more = true;
    }

    /// The arguments of a use of `tool`, with what was said and done beside it taken over.
    ///
    /// # Errors
    /// When another tool is used.
    pub(crate) fn used(&mut self, tool: &str, used: ToolUse) -> Result<Object, Refusal> {
        if used.name != tool {
            return Err(other_tool(&used.name));
        }
        if used.several {
            self.several();
        }
        if let Some(said) = used.said {
            self.thought = said;
        }
        Ok(used.arguments)
    }

    /// Takes these labels from the beginnings of the thought's lines; a line that was only a label goes with it.
    pub(crate) fn strip_labels(&mut self, names: &[&str]) {
        let lines = self.thought.lines().filter_map(|line| {
            let label = names.iter().find_map(|name| labels(line, 0, name).next());
            let bare = label.map_or(line, |label| line.get(label.end..).unwrap_or("").trim());
            (label.is_none() || !bare.is_empty()).then_some(bare)
        });
        self.thought = lines.collect::<Vec<_>>().join("\n").trim().to_owned();
    }

    /// The reply, with the last checks every dialect shares.
    ///
    /// # Errors
    /// When a variable stands where none may, or a run would end in a thought that was never closed, or beside another
    /// action: the end may be no more than spoken of.
    pub(crate) fn reply(self, action: Action) -> Result<Reply, Refusal> {
        variable::check(&action)?;
        if self.more && ends_the_run(&action) {
            return Err(Refusal::malformed(
                "the reply ends the task and asks for something else: one action alone",
            ));
        }
        if self.in_open_thought && ends_the_run(&action) {
            return Err(Refusal::new(
                UnclearCode::NoAction,
                "the task is not finished by a thought: close the thought, then answer",
            ));
        }
        Ok(Reply {
            thought: self.thought,
            action,
            sensitivity: self.sensitivity,
            space: self.space,
            notes: self.notes,
        })
    }
}

/// What the model says of its own action, `"matters": true` beside it: the product's own field; or what its maker does, with
/// Gemini's `safety_decision` or OpenAI's `pending_safety_checks`. It only ever adds a question, so what is neither true nor
/// false says nothing.
pub(crate) fn mark(object: &Object) -> Option<Sensitivity> {
    let decided = object
        .object("safety_decision")
        .and_then(|decision| decision.get("decision"));
    let decided = decided.and_then(Value::as_word);
    let pending = object.get("pending_safety_checks");
    if decided.is_some_and(|word| word != "regular" && word != "allowed")
        || matches!(pending, Some(Value::List(checks)) if !checks.items.is_empty())
    {
        return Some(Sensitivity::Sensitive);
    }
    let matters = match object.get("matters")? {
        Value::Bool(said) => *said,
        other => match other.as_word()?.trim() {
            "true" | "True" => true,
            "false" | "False" => false,
            _ => return None,
        },
    };
    Some(if matters {
        Sensitivity::Sensitive
    } else {
        Sensitivity::General
    })
}

/// An object whose `action` is a word.
pub(crate) fn names_an_action(value: &Value) -> bool {
    value
        .as_object()
        .and_then(|object| object.get("action"))
        .is_some_and(|action| action.as_word().is_some())
}

/// A tool of another name.
pub(crate) fn other_tool(name: &str) -> Refusal {
    Refusal::new(
        UnclearCode::UnknownAction,
        format!("there is no tool called '{}'", cut(name)),
    )
}

/// Why there is nothing to read.
pub(crate) fn nothing(raw: &str, broken: bool) -> Refusal {
    if raw.chars().all(is_blank) {
        Refusal::new(UnclearCode::Empty, "the reply is empty")
    } else if broken {
        Refusal::malformed("the reply holds the beginning of an action that cannot be read to its end")
    } else {
        Refusal::new(UnclearCode::NoAction, "the reply holds no action")
    }
}

/// The object was read to its end and does not contradict itself.
///
/// # Errors
/// When it was not, or does.
pub(crate) fn sound(object: &Object) -> Result<&Object, Refusal> {
    if !object.closed {
        return Err(Refusal::malformed(
            "the action is cut off: its closing brace is missing",
        ));
    }
    match object.contradiction() {
        Some(key) => Err(Refusal::malformed(format!(
            "`{}` stands twice with two values",
            cut(key)
        ))),
        None => Ok(object),
    }
}

/// The call lacks nothing but its parenthesis, if that.
///
/// # Errors
/// When it is cut off inside an argument.
pub(crate) fn uncut(call: &Call) -> Result<(), Refusal> {
    if call.is_whole() { Ok(()) } else { Err(cut_off()) }
}

fn cut_off() -> Refusal {
    Refusal::malformed("the call is cut off: its closing parenthesis is missing")
}

/// The call was closed; or it lacks its parenthesis, and what it does has all that it can have.
///
/// # Errors
/// When an argument may be missing with the parenthesis.
pub(crate) fn whole(call: &Call, act: &Act) -> Result<(), Refusal> {
    let says_all = matches!(
        act,
        Act::Tap { .. }
            | Act::DoubleTap { .. }
            | Act::LongPress { .. }
            | Act::Hover { .. }
            | Act::Swipe { .. }
            | Act::Type { .. }
            | Act::Keyevent { .. }
            | Act::KeyCombination { .. }
    );
    if call.closed || (says_all && call.is_whole()) {
        Ok(())
    } else {
        Err(cut_off())
    }
}

/// A tool call written in tags outside of thoughts, and what stands around it; `None` when there is none.
pub(crate) fn in_markup(raw: &str, steps: &mut usize) -> Option<(ActionContext, Result<ToolUse, Refusal>)> {
    let thoughts = thoughts(raw, steps);
    let mark = markup::first_mark(raw, thoughts.answer)?;
    let used = markup::read(raw, mark)?;
    let mut context = ActionContext::new(thoughts.thought, raw.get(thoughts.answer..mark).unwrap_or(""));
    if used.as_ref().is_ok_and(|used| used.several) {
        context.several();
    }
    Some((context, used))
}

/// What of a reply is thought, and where the rest begins.
pub(crate) fn thoughts(raw: &str, steps: &mut usize) -> Scan {
    let wanted = StructureFilter {
        objects: false,
        calls: &|_| false,
        keep: &|_| false,
    };
    let thoughts = scan(raw, 0, &wanted);
    *steps += thoughts.effort.steps;
    thoughts
}

fn foreign() -> Refusal {
    Refusal::malformed("the reply holds a tool call in markup that is not this dialect's")
}

/// The words before an action: without the marks of fences, answers and boxes around them, and without the label the
/// action stands behind.
pub(crate) fn prose(words: &str) -> String {
    const TOKENS: [&str; 8] = [
        "<|begin_of_box|>",
        "<|end_of_box|>",
        "<answer>",
        "<action>",
        "<tool_call>",
        "<Output>",
        "```json",
        "```",
    ];
    let mut words = words.trim();
    while let Some(rest) = TOKENS.iter().find_map(|token| words.strip_suffix(token)) {
        words = rest.trim_end();
    }
    let last_line = words.rfind('\n').map_or(0, |newline| newline + 1);
    let (before, last) = words.split_at(last_line);
    let words = if last.trim_start().starts_with("```") {
        before
    } else {
        words
    };
    let mut clean = words.trim().to_owned();
    for token in ["<|begin_of_box|>", "<|end_of_box|>"] {
        clean = clean.replace(token, "");
    }
    clean.trim().into()
}
