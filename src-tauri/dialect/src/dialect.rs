//! The dialects, and their names.

use protocol::Space;
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// A way of writing actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// `{thought, action: {type, …}}`: the product's own.
    OpenPocket,
    /// `Grounded Operation: CLICK(box=[[…]], …)`.
    CogAgent,
    /// `{reasoning, action: {action_type, target, parameters}, is_goal_complete}`, its first draft and its flat plan.
    OmniMcp,
    /// Hermes `computer_use`: `{action: "click", element: 3}`.
    Hermes,
    /// `do(action="Tap", element=[x,y])`.
    AutoGlm,
    /// `Action: click(start_box='(x,y)')`.
    UiTars,
    /// Qwen, GUI-Owl, MAI: the tool `mobile_use`.
    Qwen,
    /// `{action_type: "click", index: 3}`.
    AndroidWorld,
    /// Native calls of the product's own tool.
    ToolCall,
    /// Aliyun GUI-Plus: `{action: "CLICK", parameters: {…}}`.
    GuiPlus,
    /// mobilerun: `{action: "click", index: 3}`, or the same in tags.
    Mobilerun,
    /// `tap(5)`.
    AppAgent,
    /// `UI-Venus`: `<action>Click(box=(x,y))</action>`.
    UiVenus,
    /// `Step-GUI`, `GELab`: `explain:…⇥action:CLICK⇥point:x,y⇥summary:…`.
    StepGui,
    /// A tool for each verb: `{name: "click", arguments: {points: [[x, y]]}}`.
    Verbs,
}

/// Every dialect, with its name on the command line and in settings.
pub const DIALECTS: [(Dialect, &str); 15] = [
    (Dialect::OpenPocket, "openpocket"),
    (Dialect::CogAgent, "cogagent"),
    (Dialect::OmniMcp, "omnimcp"),
    (Dialect::Hermes, "hermes"),
    (Dialect::AutoGlm, "autoglm"),
    (Dialect::UiTars, "ui_tars"),
    (Dialect::Qwen, "qwen"),
    (Dialect::AndroidWorld, "androidworld"),
    (Dialect::ToolCall, "tool_call"),
    (Dialect::GuiPlus, "gui_plus"),
    (Dialect::Mobilerun, "mobilerun"),
    (Dialect::AppAgent, "appagent"),
    (Dialect::UiVenus, "ui_venus"),
    (Dialect::StepGui, "step_gui"),
    (Dialect::Verbs, "verbs"),
];

impl Dialect {
    /// What the numbers of its models' places count, unless a model's profile says otherwise.
    #[must_use]
    pub fn space(self) -> Space {
        match self {
            Dialect::AutoGlm | Dialect::UiTars | Dialect::Qwen | Dialect::UiVenus | Dialect::StepGui => {
                Space::Thousandths
            }
            _ => Space::Picture,
        }
    }

    /// Its points are lists of two, never an `x` and a `y` by name.
    pub(crate) fn writes_lists(self) -> bool {
        self.space() == Space::Thousandths
    }
}

impl Serialize for Dialect {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = DIALECTS
            .iter()
            .find(|(dialect, _)| dialect == self)
            .map_or("", |(_, name)| name);
        f.pad(name)
    }
}

/// No dialect has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no dialect is called {0:?}")]
pub struct UnknownDialect(pub String);

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        DIALECTS
            .iter()
            .find(|(_, known)| *known == name)
            .map(|(dialect, _)| *dialect)
            .ok_or_else(|| UnknownDialect(name.into()))
    }
}
