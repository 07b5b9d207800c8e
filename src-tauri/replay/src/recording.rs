//! What is kept of a run so that it can be done again.

use crate::approval::Approval;
use crate::average_hash::AverageHash;
use crate::page::{PageKey, PageView};
use crate::target::RecordedTarget;
use crate::template::Template;
use agent::ports::NotRepeatable;
use protocol::{Act, Action, Bounds, Capability, Element, FrameId, Screen};
use serde::{Deserialize, Serialize};

/// A run, to be done again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recording {
    /// [`Recording::VERSION`] of who wrote it.
    pub version: u32,
    /// In order; what changed nothing (waits, looks, what was refused) is left out.
    pub steps: Vec<Step>,
    /// The page it ended on, where it was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<PageKey>,
}

impl Recording {
    /// What is written now. Another version is not read: its run is recorded anew.
    pub const VERSION: u32 = 1;

    /// Reads what [`Recording::write`] wrote.
    ///
    /// # Errors
    /// [`RecordError::Version`], [`RecordError::Broken`].
    pub fn read(json: &str) -> Result<Self, RecordError> {
        #[derive(Deserialize)]
        struct Head {
            version: u32,
        }
        let broken = |error: serde_json::Error| RecordError::Broken(error.to_string());
        let head: Head = serde_json::from_str(json).map_err(broken)?;
        if head.version != Self::VERSION {
            return Err(RecordError::Version(head.version));
        }
        serde_json::from_str(json).map_err(broken)
    }

    /// As JSON.
    ///
    /// # Errors
    /// [`RecordError::Broken`] where a number cannot be written.
    pub fn write(&self) -> Result<String, RecordError> {
        serde_json::to_string(self).map_err(|error| RecordError::Broken(error.to_string()))
    }
}

/// One step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// Its number in the run it was recorded of.
    pub step: u32,
    /// The picture it was decided on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<FrameId>,
    /// The page it is done on; absent where it is done from anywhere, or nobody read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<PageKey>,
    /// What is done.
    pub deed: RecordedAction,
    /// The page that came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<PageKey>,
    /// What the person said Yes to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<Approval>,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "deed", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[expect(clippy::large_enum_variant, reason = "nearly all of them are acts")]
pub enum RecordedAction {
    /// An action.
    Act {
        /// Without what it points at and what it types: those are below.
        action: Action,
        /// What is typed or set.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<Template>,
        /// What it points at.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<RecordedTarget>,
    },
    /// The person was asked, or gave a code: they are asked anew.
    Person {
        /// About what.
        capability: Capability,
    },
    /// Only the AI can do it.
    Ai {
        /// Why.
        why: NotRepeatable,
    },
}

/// What the last of these steps that typed anything typed.
pub(crate) fn typed_last(steps: &[Step]) -> Option<&Template> {
    steps.iter().rev().find_map(|step| match &step.deed {
        RecordedAction::Act { text, .. } => text.as_ref(),
        _ => None,
    })
}

impl RecordedAction {
    /// It is done on one page; some things are done from anywhere.
    pub(crate) fn needs_page(&self) -> bool {
        let Self::Act { action, .. } = self else {
            return true;
        };
        match &action.act {
            Act::LaunchApp { .. }
            | Act::FocusApp { .. }
            | Act::OpenUrl { .. }
            | Act::Shell { .. }
            | Act::RunScript { .. } => false,
            Act::Keyevent { keycode } => !matches!(keycode.as_str(), "KEYCODE_HOME" | "HOME" | "3"),
            _ => true,
        }
    }
}

/// What stood on the screen of a step when it was done, secrets taken out as everywhere: written down beside each step that acts
/// ([`agent::ports::StepRecorder`]).
///
/// The journal keeps, per step: the package, the size and the picture (`Looked`), the elements of that picture
/// (`frames.elements`), the action with what it touched (`Acting`: label, role, ring), its outcome, and each question's whole
/// evidence (`RecordedQuestion`, `Answered`, `Picked`). Missing there, and here:
/// - the window and who signed the app: no event has them;
/// - the elements of a screen without a picture (an app that forbids pictures): they are kept with pictures only;
/// - the elements of the screen that was acted on. Where the phone is looked at again before an act (after a Yes, after long
///   thinking), that look is told to nobody, and a picture that was kept before keeps its first elements;
/// - the patch of what was touched: the kept picture is a scaled JPEG.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedStep {
    /// The step's number.
    pub step: u32,
    /// Package in front.
    pub app: String,
    /// Its window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<String>,
    /// Who signed the app, SHA-256 in hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signer: Option<String>,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// All that stands on it.
    pub elements: Vec<Element>,
    /// What was touched, by its picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<AverageHash>,
}

impl RecordedStep {
    /// Of the screen as it may be told; `ring` is the rectangle of what is touched ([`protocol::What::Acting`]).
    #[must_use]
    pub fn of(step: u32, shown: &Screen, signer: Option<&str>, ring: Option<Bounds>) -> Self {
        Self {
            step,
            app: shown.current_app.clone(),
            window: shown.window.clone(),
            signer: signer.map(str::to_owned),
            width: shown.width,
            height: shown.height,
            elements: shown.elements.clone(),
            patch: ring.and_then(|ring| AverageHash::of(shown, ring)),
        }
    }
}

impl<'a> From<&'a RecordedStep> for PageView<'a> {
    fn from(step: &'a RecordedStep) -> Self {
        Self {
            app: &step.app,
            window: step.window.as_deref(),
            signer: step.signer.as_deref(),
            elements: &step.elements,
        }
    }
}

/// Why there is no recording.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The run did not end well: what it did is no way to do its task.
    #[error("the run did not finish its task")]
    NotFinished,
    /// A line of its journal cannot be read: nobody knows what it did there.
    #[error("a line of the run's journal cannot be read")]
    Unreadable,
    /// It did nothing.
    #[error("the run did nothing that could be done again")]
    Empty,
    /// It was written by another version.
    #[error("the recording is of version {0}")]
    Version(u32),
    /// It is no recording.
    #[error("the recording cannot be read: {0}")]
    Broken(String),
}
