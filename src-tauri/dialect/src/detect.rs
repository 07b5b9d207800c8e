//! Which dialect a reply is written in, by its strongest marker.
//!
//! The first structure that could be an action decides, by the names only one dialect uses; `CogAgent`'s and
//! `UI-TARS`'s labels and tool-call tags before it decide first. What shows no marker is read as the product's own.

use crate::dialect::Dialect;
use crate::fields::snake_case;
use crate::scan::{Scan, StructureFilter, scan, starts_with};
use crate::value::{Object, Value};
use crate::{
    androidworld, app_agent, cogagent, gui_owl, gui_plus, hermes, labels, markup, mobilerun, omnimcp,
    openpocket, qwen, step_gui, tool, tool_call, ui_tars, ui_venus, verbs,
};
use std::cell::Cell;

/// The dialect a reply shows.
pub(crate) fn detect(raw: &str, steps: &mut usize) -> Dialect {
    let looked = Cell::new(0);
    let wanted = StructureFilter {
        objects: true,
        calls: &could_be_a_call,
        keep: &|value| {
            let mut more = looked.get();
            let is_one = of_value(value, &mut more).is_some();
            looked.set(more);
            is_one
        },
    };
    let Scan {
        structures,
        answer,
        effort,
        ..
    } = scan(raw, 0, &wanted);
    *steps += effort.steps + looked.get() + raw.len();
    let first = structures.first();
    let object_at = structures
        .iter()
        .find(|find| !matches!(find.value, Value::Call(_)))
        .map_or(raw.len(), |find| find.start);
    if cogagent::label_outside(raw, answer, &structures).is_some_and(|label| label.start < object_at) {
        return Dialect::CogAgent;
    }
    let structure_at = first.map_or(raw.len(), |find| find.start);
    if let Some(mark) = markup::first_mark(raw, answer).filter(|mark| *mark < structure_at)
        && markup::is_readable(raw, mark)
    {
        return of_markup(raw, mark);
    }
    if step_gui::own_action(raw, answer).is_some_and(|at| at < structure_at) {
        return Dialect::StepGui;
    }
    if ui_tars::labelled_call(raw, answer).is_some_and(|at| at < structure_at) {
        return Dialect::UiTars;
    }
    match first {
        Some(find) => of_value(&find.value, steps).unwrap_or(Dialect::OpenPocket),
        None if raw.trim_start().starts_with("END") || raw.contains("操作>>") => Dialect::CogAgent,
        None if gui_owl::operation(raw, answer).is_some() => Dialect::Qwen,
        None => lonely_call(raw, answer).unwrap_or(Dialect::OpenPocket),
    }
}

fn could_be_a_call(name: &str) -> bool {
    cogagent::is_operation(name)
        || ui_tars::is_action(name)
        || app_agent::is_action(name)
        || ui_venus::is_action(name)
        || matches!(name, "do" | "finish")
        || name == hermes::TOOL
}

/// A call alone, or behind an `Action:` label, needs no arguments to be known: `wait()`, `FINISH`.
fn lonely_call(raw: &str, answer: usize) -> Option<Dialect> {
    let text = raw.get(answer..)?.trim();
    let label = labels::labels(text, 0, "Action").next();
    let line = label.as_ref().map_or(text, |label| labels::line_of(text, label));
    let (name, rest) = line.split_once('(').unwrap_or((line, ""));
    match name.trim() {
        "FINISH" => Some(Dialect::AppAgent),
        "grid" if rest.trim() == ")" => Some(Dialect::AppAgent),
        name if rest.trim_end().ends_with(')') && ui_tars::is_action(name) => Some(Dialect::UiTars),
        _ => label.map(|_| Dialect::UiTars),
    }
}

fn of_markup(raw: &str, mark: usize) -> Dialect {
    match markup::tool_name(raw, mark) {
        Some(qwen::TOOL) => Dialect::Qwen,
        Some(hermes::TOOL) => Dialect::Hermes,
        Some(tool_call::TOOL) => Dialect::ToolCall,
        _ if starts_with(raw.get(mark..).unwrap_or(""), "<seed:") => Dialect::UiTars,
        Some(name) if verbs::is_verb(name) && !ui_tars::is_action(name) && !mobilerun::is_action(name) => {
            Dialect::Verbs
        }
        _ if starts_with(raw.get(mark..).unwrap_or(""), "<function=") => Dialect::UiTars,
        _ => Dialect::Mobilerun,
    }
}

/// The dialect of one structure, if it is an action in any.
fn of_value(value: &Value, steps: &mut usize) -> Option<Dialect> {
    match value {
        Value::Call(call) => match call.name.as_str() {
            "do" => call.arguments.get("action").map(|_| Dialect::AutoGlm),
            "finish" => call.arguments.get("message").map(|_| Dialect::AutoGlm),
            hermes::TOOL => Some(Dialect::Hermes),
            name if cogagent::is_operation(name) => Some(Dialect::CogAgent),
            _ if ui_tars::is_own(call) => Some(Dialect::UiTars),
            _ if ui_venus::is_own(call) => Some(Dialect::UiVenus),
            _ if app_agent::is_own(call) => Some(Dialect::AppAgent),
            _ => None,
        },
        Value::List(list) => match tool::tool_name(value) {
            Some(name) => Some(of_tool(name, value, steps)),
            None => list.items.first().and_then(|item| of_value(item, steps)),
        },
        Value::Object(object) => of_object(object, value, steps),
        _ => None,
    }
}

fn of_tool(name: &str, value: &Value, steps: &mut usize) -> Dialect {
    match name {
        // Another tool of that name is Qwen's, with actions of its own.
        hermes::TOOL if qwen::is_desktop(&tool::arguments(value, steps)) => Dialect::Qwen,
        hermes::TOOL => Dialect::Hermes,
        qwen::TOOL => Dialect::Qwen,
        name if verbs::is_verb(name) => {
            let is_type = tool_call::is_own_name(name);
            if verbs::is_own(name, &tool::arguments(value, steps), is_type) {
                Dialect::Verbs
            } else {
                Dialect::ToolCall
            }
        }
        _ => Dialect::ToolCall,
    }
}

fn of_object(object: &Object, value: &Value, steps: &mut usize) -> Option<Dialect> {
    // An action of one's own wins over a name that happens to stand in it.
    let typed = object
        .get("type")
        .is_some_and(|kind| kind.as_word().is_some_and(tool_call::is_own_name));
    if let Some(name) = tool::tool_name(value).filter(|_| !typed) {
        return Some(of_tool(name, value, steps));
    }
    if gui_owl::operation_of(object).is_some() {
        return Some(Dialect::Qwen);
    }
    if omnimcp::is_own(value) {
        return Some(Dialect::OmniMcp);
    }
    if androidworld::is_own(value) {
        return Some(Dialect::AndroidWorld);
    }
    if gui_plus::is_own(value) {
        return Some(Dialect::GuiPlus);
    }
    if let Some(name) = object
        .get("action")
        .and_then(Value::as_word)
        .filter(|_| object.get("type").is_none())
    {
        let name = name.trim();
        if mobilerun::is_own(value) {
            return Some(Dialect::Mobilerun);
        }
        if matches!(name, "terminate" | "answer" | "interact" | "open") {
            return Some(Dialect::Qwen);
        }
        let own = tool_call::is_own_name(name) && (!hermes::ACTIONS.contains(&name) || is_own_style(object));
        if !own && !name.starts_with('{') {
            return Some(Dialect::Hermes);
        }
    }
    openpocket::is_step(value).then_some(Dialect::OpenPocket)
}

/// Eight actions have the same name in the product's own dialect and in Hermes's: what stands beside the name tells which
/// is meant. Read as Hermes's, the thought, the mark and the target would be lost.
fn is_own_style(object: &Object) -> bool {
    const OWN: [&str; 9] = [
        "thought",
        "matters",
        "target",
        "toTarget",
        "durationMs",
        "reason",
        "x",
        "y",
        "x1",
    ];
    const HERMES: [&str; 9] = [
        "element",
        "coordinate",
        "from_element",
        "from_coordinate",
        "to_element",
        "to_coordinate",
        "seconds",
        "max_elements",
        "raise_window",
    ];
    let has = |name: &str| object.get(name).is_some();
    OWN.iter().any(|name| has(name) || has(&snake_case(name))) && !HERMES.iter().any(|name| has(name))
}
