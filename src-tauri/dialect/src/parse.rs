//! A raw reply → one action, in whichever dialect.

use crate::dialect::Dialect;
use crate::space::{self, Size};
use crate::{
    androidworld, app_agent, autoglm, cogagent, detect, gui_plus, hermes, mobilerun, omnimcp, openpocket,
    qwen, step_gui, tool_call, ui_tars, ui_venus, verbs,
};
use protocol::{ModelStepOutput, Sensitivity, Space, Unclear, Warning};
use serde::Serialize;

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
