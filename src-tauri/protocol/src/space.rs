//! What the numbers of a model's points count.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What the numbers of a model's points count. Model families differ; room `screen` has what each is known to count, and
/// turns every one of these into pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum Space {
    /// Pixels of the screen (OpenPocket).
    Screen,
    /// Pixels of the picture as it was sent (UI-TARS 1.5, Qwen2.5-VL, OpenAI, Anthropic).
    Picture,
    /// Thousandths of the screen, x first (CogAgent, AutoGLM, UI-TARS 1.0, Qwen3-VL).
    Thousandths,
    /// Thousandths of the screen, y first (Gemini).
    ThousandthsYx,
    /// Parts of the screen, from 0 to 1 (Kimi, `OmniMCP`). Whole numbers beyond that are thousandths: the same models are
    /// told to write both.
    Unit,
}

impl Space {
    /// Every space.
    pub const ALL: [Self; 5] = [
        Self::Screen,
        Self::Picture,
        Self::Thousandths,
        Self::ThousandthsYx,
        Self::Unit,
    ];

    /// A stable word for settings and commands.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Screen => "screen",
            Self::Picture => "picture",
            Self::Thousandths => "thousandths",
            Self::ThousandthsYx => "thousandths_yx",
            Self::Unit => "unit",
        }
    }

    /// How a point's numbers count where they are written by name, `x` and `y`: a name is a name, also for a family that
    /// writes lists with y first.
    #[must_use]
    pub const fn by_name(self) -> Self {
        match self {
            Self::ThousandthsYx => Self::Thousandths,
            other => other,
        }
    }
}
