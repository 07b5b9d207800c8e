//! Actions → text, in the dialect a model was trained on.

use crate::space::{Size, middle};
use crate::{
    Dialect, androidworld, app_agent, autoglm, cogagent, gui_plus, hermes, mobilerun, omnimcp, qwen,
    step_gui, tool_call, ui_tars, ui_venus, verbs,
};
use protocol::{Action, Target};

/// One action, written as the dialect writes it; `None` when it has no words for it.
///
/// `screen` turns pixels into thousandths where the dialect counts in those; for numbers that are thousandths already it
/// is a screen of a thousand by a thousand. What comes of reading it back is the same
/// action, as far as the dialect can say it: to its own precision, without reason or app where it has no place for them.
#[must_use]
pub fn write_action(dialect: Dialect, action: &Action, screen: Size) -> Option<String> {
    write_step(dialect, "", action, screen)
}

/// A whole reply, thought and action, as the dialect's models answer: for the history a model is shown.
#[must_use]
pub fn write_reply(dialect: Dialect, thought: &str, action: &Action, screen: Size) -> Option<String> {
    let step = write_step(dialect, thought, action, screen)?;
    if thought.is_empty() {
        return Some(step);
    }
    Some(match dialect {
        Dialect::OpenPocket => {
            let action: serde_json::Value = serde_json::from_str(&step).ok()?;
            serde_json::to_string(&serde_json::json!({"thought": thought, "action": action})).ok()?
        }
        Dialect::CogAgent => {
            let (operation, end) = step
                .split_once("\n<<")
                .map_or((step.as_str(), ""), |(op, _)| (op, "\n<<END>>"));
            format!(
                "Action: {}\nGrounded Operation: {operation}{end}",
                one_line(thought)
            )
        }
        Dialect::AutoGlm => format!("<think>{thought}</think>\n<answer>{step}</answer>"),
        Dialect::UiTars => format!("Thought: {}\nAction: {step}", one_line(thought)),
        Dialect::Qwen => format!("Thought: {}\n{step}", one_line(thought)),
        Dialect::AndroidWorld => format!("Reason: {}\nAction: {step}", one_line(thought)),
        Dialect::Mobilerun => format!("### Thought ###\n{thought}\n\n### Action ###\n{step}"),
        Dialect::AppAgent => format!("Thought: {}\nAction: {step}", one_line(thought)),
        Dialect::UiVenus => format!("<think>{thought}</think>\n<action>{step}</action>"),
        Dialect::StepGui => format!(
            "<THINK> {thought} </THINK>\nexplain:{}\t{step}",
            one_line(thought)
        ),
        Dialect::Verbs => format!("<think>{thought}</think>\n{step}"),
        // These have a place for the thought in the action's own object, or none.
        Dialect::OmniMcp | Dialect::Hermes | Dialect::ToolCall | Dialect::GuiPlus => step,
    })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn write_step(dialect: Dialect, thought: &str, action: &Action, screen: Size) -> Option<String> {
    match dialect {
        Dialect::OpenPocket => serde_json::to_string(action).ok(),
        Dialect::CogAgent => cogagent::write(action, screen),
        Dialect::OmniMcp => omnimcp::write(thought, action, screen),
        Dialect::Hermes => hermes::write(action),
        Dialect::AutoGlm => autoglm::write(action, screen),
        Dialect::UiTars => ui_tars::write(action, screen),
        Dialect::Qwen => qwen::write(action, screen),
        Dialect::AndroidWorld => androidworld::write(action),
        Dialect::ToolCall => tool_call::write(thought, action),
        Dialect::GuiPlus => gui_plus::write(thought, action),
        Dialect::Mobilerun => mobilerun::write(action),
        Dialect::AppAgent => app_agent::write(action),
        Dialect::UiVenus => ui_venus::write(action, screen),
        Dialect::StepGui => step_gui::write(action, screen),
        Dialect::Verbs => verbs::write(action),
    }
}

/// The middle of a box, or the point in thousandths.
pub(crate) fn point(x: Option<f64>, y: Option<f64>, target: Option<&Target>, screen: Size) -> Option<String> {
    let (x, y) = match target.and_then(|target| target.region) {
        Some(region) => {
            middle(&region).map(|(x, y)| (x.round().clamp(0.0, 999.0), y.round().clamp(0.0, 999.0)))?
        }
        None => screen.thousandths(x?, y?),
    };
    Some(format!("[{x},{y}]"))
}

/// The app an action opens, by its name or else its package: the other dialects have one place for both. `None` when it
/// has neither.
pub(crate) fn app_of<'a>(action: &'a Action, package_name: &'a str) -> Option<&'a str> {
    let app = action.app.as_deref().unwrap_or(package_name);
    (!app.trim().is_empty()).then_some(app)
}

/// A number as JSON writes it: whole where it is whole.
pub(crate) fn whole_number(n: f64) -> serde_json::Value {
    protocol::number::serialize(&n, serde_json::value::Serializer).unwrap_or_default()
}
