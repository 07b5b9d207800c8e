//! Actions → text, in the dialect a model was trained on.

use crate::dialect::Dialect;
use crate::space::Size;
use crate::{
    androidworld, app_agent, autoglm, cogagent, gui_plus, hermes, mobilerun, omnimcp, qwen, step_gui,
    tool_call, ui_tars, ui_venus, verbs,
};
use protocol::Action;

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
