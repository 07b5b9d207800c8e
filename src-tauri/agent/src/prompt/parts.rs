//! What a prompt is made of.

use crate::history::History;
use crate::plan::CaptureView;
use crate::pointing::Pointing;
use crate::ports::ModelCapabilities;
use protocol::{Frame, Screen};

/// Something that was added after so many lines of history (those that are gone count too).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Added<T> {
    /// Lines of history before it.
    pub after: usize,
    /// What was added.
    pub what: T,
}

/// Everything a prompt is made of.
#[derive(Clone, Copy, Debug)]
pub struct PromptParts<'a> {
    /// The person's words.
    pub goal: &'a str,
    /// What the person said since.
    pub said: &'a [Added<String>],
    /// This step, from 1, and how many there may be.
    pub step: (u32, u32),
    /// What was done.
    pub history: &'a History,
    /// The screen, secrets replaced.
    pub screen: &'a Screen,
    /// The picture, secrets blanked, in real pixels; absent when there is none.
    pub picture: Option<&'a Frame>,
    /// This picture went with the last request: where the elements say what stands on it, it is not sent again.
    pub is_same: bool,
    /// The apps that can be opened, once they were asked for.
    pub apps: Option<Added<&'a [(String, String)]>>,
    /// What the model asked to be shown of this look.
    pub show: Option<CaptureView>,
    /// Programs a script may start, where scripts run on the person's computer; absent where they run on the phone.
    pub scripts_here: Option<&'a [String]>,
    /// What the person keeps for the AI, a line each.
    pub notes: &'a [String],
    /// Names of saved passwords that may be typed where the phone is now.
    pub saved: &'a [String],
    /// What the model wants to be sent.
    pub capabilities: ModelCapabilities,
    /// How it points.
    pub pointing: Pointing,
}
