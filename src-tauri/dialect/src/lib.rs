//! A model's raw reply → one `protocol::Action`, or a typed `protocol::Unclear`; and back.
//!
//! Pure and total: any text in, an answer out, in linear time. A tokenizer ([`lexer`]) and a grammar ([`grammar`])
//! read structure; each dialect is a module that gives it meaning. What cannot be understood is never read as
//! `finish` and never as a touch at a default point; what is typed or run is never trimmed and never mended.
//! Absent on purpose: pixels (room `screen` resolves targets), sockets (room `model` brings the reply), judgement
//! (room `agent` decides what is done).
//!
//! Start reading at [`parse`], then `openpocket`, then `scan` and `grammar`.

mod action;
mod androidworld;
mod app_agent;
mod autoglm;
mod call_text;
mod cogagent;
mod detect;
mod fields;
mod find;
mod grammar;
mod gui_owl;
mod gui_plus;
mod hermes;
mod keys;
mod labels;
mod lexer;
mod markup;
mod mobilerun;
mod notes;
mod omnimcp;
mod openpocket;
#[cfg(test)]
mod oracle;
mod quote;
mod quoted;
mod qwen;
mod repair;
mod scan;
mod space;
mod spot;
mod step_gui;
mod tool;
mod tool_call;
mod ui_tars;
mod ui_venus;
mod value;
mod variable;
mod verbs;
mod write;

pub use keys::key_code;
pub use space::Size;
pub use tool_call::{TOOL, anthropic_tool, openai_tool};
pub use variable::{fill, variables};
pub use write::{write_action, write_reply};

use notes::Notes;
use protocol::{Action, ModelStepOutput, Sensitivity, Space, Unclear, Warning};
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
    fn writes_lists(self) -> bool {
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

/// One reply, read. Serialised it is what `deck parse` prints:
/// `{dialect, thought, action, raw, sensitivity, defaulted, warnings}`, and `space` where it is not pixels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parsed {
    /// The dialect it was read in: told, or found by its strongest marker.
    pub dialect: Dialect,
    /// The thought, the action, the reply as it came.
    #[serde(flatten)]
    pub step: ModelStepOutput,
    /// What the model says of its own action, where its dialect has words for it (`CogAgent`'s closing mark, `AutoGLM`'s
    /// message, `matters` beside the product's own).
    pub sensitivity: Option<Sensitivity>,
    /// Fields that were missing or invalid and took the schema's default.
    pub defaulted: Vec<String>,
    /// What was mended, left out or read in an unusual way.
    pub warnings: Vec<Warning>,
    /// What the model would have the person remember, as it wrote it: only beside the end of its task, in the product's own
    /// dialect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What the action's plain coordinates count. Thousandths only for a swipe in a dialect that counts so (a swipe
    /// has no target to carry them); [`Parsed::in_pixels`] must be called before such an action is done.
    #[serde(skip_serializing_if = "is_pixels")]
    pub space: Space,
    /// The plain coordinates stood in lists, in the model's own order: a family that writes y first has it first here.
    /// Where they were an `x` and a `y`, they are what their names say.
    #[serde(skip)]
    pub listed: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape serde asks for")]
fn is_pixels(space: &Space) -> bool {
    *space == Space::Picture
}

impl Parsed {
    /// The same with its plain coordinates in pixels of a screen of that size. Changes nothing where they are already.
    #[must_use]
    pub fn in_pixels(mut self, screen: Size) -> Self {
        if self.space == Space::Thousandths {
            self.step.action = space::in_pixels(&self.step.action, screen);
            self.space = Space::Picture;
        }
        self
    }
}

/// Reads a model's raw reply, in the dialect `told`, or in the one it shows.
///
/// # Errors
/// What kind of unclear it is, with a line for the model; never a panic, whatever comes in.
#[expect(
    clippy::result_large_err,
    reason = "the contract between rooms carries the action that was refused"
)]
pub fn parse(raw: &str, told: Option<Dialect>) -> Result<Parsed, Unclear> {
    parse_counting(raw, told, None).0
}

/// [`parse`] for a model whose places are counted in another space than its dialect's own: several models of the
/// Qwen and `UI-TARS` families write pixels of the picture they were shown.
///
/// # Errors
/// As [`parse`].
#[expect(
    clippy::result_large_err,
    reason = "the contract between rooms carries the action that was refused"
)]
pub fn parse_in(raw: &str, told: Option<Dialect>, space: Space) -> Result<Parsed, Unclear> {
    parse_counting(raw, told, Some(space)).0
}

/// [`parse_in`] for a screen whose size is known: only with it can the numbers of `AppAgent`'s grid be read, which it
/// draws by the size of the picture.
///
/// # Errors
/// As [`parse`].
#[expect(
    clippy::result_large_err,
    reason = "the contract between rooms carries the action that was refused"
)]
pub fn parse_on(
    raw: &str,
    told: Option<Dialect>,
    space: Option<Space>,
    screen: Size,
) -> Result<Parsed, Unclear> {
    read(raw, told, space, Some(screen)).0
}

/// [`parse`], and how many characters were looked at, one looked at twice counting twice: a measure of the work that
/// does not depend on the machine.
pub fn parse_counting(
    raw: &str,
    told: Option<Dialect>,
    space: Option<Space>,
) -> (Result<Parsed, Unclear>, usize) {
    read(raw, told, space, None)
}

fn read(
    raw: &str,
    told: Option<Dialect>,
    space: Option<Space>,
    screen: Option<Size>,
) -> (Result<Parsed, Unclear>, usize) {
    let mut steps = 0;
    let dialect = told.unwrap_or_else(|| detect::detect(raw, &mut steps));
    let space = space.unwrap_or(dialect.space());
    let reply = match dialect {
        Dialect::OpenPocket => openpocket::read(raw, &mut steps),
        Dialect::CogAgent => cogagent::read(raw, &mut steps),
        Dialect::OmniMcp => omnimcp::read(raw, &mut steps),
        Dialect::Hermes => hermes::read(raw, &mut steps),
        Dialect::AutoGlm => autoglm::read(raw, space, &mut steps),
        Dialect::UiTars => ui_tars::read(raw, space, &mut steps),
        Dialect::Qwen => qwen::read(raw, space, &mut steps),
        Dialect::AndroidWorld => androidworld::read(raw, &mut steps),
        Dialect::ToolCall => tool_call::read(raw, &mut steps),
        Dialect::GuiPlus => gui_plus::read(raw, &mut steps),
        Dialect::Mobilerun => mobilerun::read(raw, &mut steps),
        Dialect::AppAgent => app_agent::read(raw, screen, &mut steps),
        Dialect::UiVenus => ui_venus::read(raw, space, &mut steps),
        Dialect::StepGui => step_gui::read(raw, space, &mut steps),
        Dialect::Verbs => verbs::read(raw, &mut steps),
    };
    let parsed = reply.map_err(Unclear::from).map(|reply| Parsed {
        dialect,
        step: ModelStepOutput {
            thought: reply.thought,
            action: reply.action,
            raw: raw.into(),
        },
        sensitivity: reply.sensitivity,
        defaulted: reply.notes.defaulted,
        warnings: reply.notes.warnings,
        note: reply.notes.remember,
        space: reply.space,
        listed: reply.notes.listed || dialect.writes_lists(),
    });
    (parsed, steps)
}

/// What a dialect's reader gives.
struct Reply {
    thought: String,
    action: Action,
    sensitivity: Option<Sensitivity>,
    space: Space,
    notes: Notes,
}
