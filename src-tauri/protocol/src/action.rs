//! What an AI may ask of a phone.
//!
//! [`Act`] is the OpenPocket tagged union name for name and default for default, plus what the CogAgent, `OmniMCP`
//! and Hermes `computer_use` schemas and real phones need, in the same style: snake_case `type`, camelCase fields.

use crate::number;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One action: what to do, and what any action may carry.
///
/// On the wire it is one flat object: `{"type": "tap", "x": 540, "y": 1200, "reason": "open"}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Action {
    /// What to do.
    #[serde(flatten)]
    pub act: Act,
    /// Why, in the model's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reason: Option<String>,
    /// For `launch_app` and `focus_app`: the app's name (or package) to bring up.
    /// For every other action: the app that must be in front; another one in front refuses the action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub app: Option<String>,
    /// Look again right after and show the model (skipped when the action failed).
    #[serde(default, skip_serializing_if = "is_false")]
    pub capture_after: bool,
    /// Do it, then the task is finished (CogAgent's `<<END>>` after an operation).
    #[serde(default, skip_serializing_if = "is_false")]
    pub then_finish: bool,
    /// Modifier keys of a pointing action: a touch screen has none, so they are ignored and that is said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<String>,
}

/// The deed alone, with nothing that any action may carry.
impl From<Act> for Action {
    fn from(act: Act) -> Self {
        Self {
            act,
            reason: None,
            app: None,
            capture_after: false,
            then_finish: false,
            modifiers: Vec::new(),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape serde asks for")]
fn is_false(b: &bool) -> bool {
    !*b
}

/// The tagged union. Defaults are those of the schema's pages; where a field's absence must not become a touch
/// (a point with no coordinates), the reading room answers *unclear* instead of filling the default in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Act {
    /// One tap. OpenPocket; CogAgent `CLICK`; `OmniMCP` and Hermes `click`. `x`, `y` in pixels of the screen, or a `target`.
    Tap {
        /// Pixels from the left.
        #[serde(
            default,
            serialize_with = "number::optional::serialize",
            skip_serializing_if = "Option::is_none"
        )]
        #[ts(optional)]
        x: Option<f64>,
        /// Pixels from the top.
        #[serde(
            default,
            serialize_with = "number::optional::serialize",
            skip_serializing_if = "Option::is_none"
        )]
        #[ts(optional)]
        y: Option<f64>,
        /// Instead of coordinates.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        target: Option<Target>,
    },
    /// A finger drawn from one point to another. OpenPocket. Pixels; milliseconds.
    Swipe {
        /// Start, pixels from the left.
        #[serde(serialize_with = "number::serialize")]
        x1: f64,
        /// Start, pixels from the top.
        #[serde(serialize_with = "number::serialize")]
        y1: f64,
        /// End, pixels from the left.
        #[serde(serialize_with = "number::serialize")]
        x2: f64,
        /// End, pixels from the top.
        #[serde(serialize_with = "number::serialize")]
        y2: f64,
        /// How long the finger takes.
        #[serde(default = "default::swipe_ms", serialize_with = "number::serialize")]
        duration_ms: f64,
    },
    /// Text into the field that has the focus, or into `target` (tapped first). OpenPocket; CogAgent `TYPE`; Hermes `type`.
    Type {
        /// The text, never trimmed.
        #[serde(default)]
        text: String,
        /// The field.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        target: Option<Target>,
    },
    /// One key, by Android's name (`KEYCODE_BACK`, `BACK`) or number. OpenPocket; CogAgent `KEY_PRESS`; Hermes `key`.
    Keyevent {
        /// The key.
        #[serde(default = "default::keycode")]
        keycode: String,
    },
    /// Open an app by package; by name through [`Action::app`]. OpenPocket; CogAgent `LAUNCH`.
    LaunchApp {
        /// For example `com.android.settings`; may be empty when `app` names it.
        #[serde(default)]
        package_name: String,
    },
    /// One command on the phone, split by POSIX word rules; an operator (`;`, `|`, `&&`, `>`) is refused. OpenPocket.
    Shell {
        /// What stands after `adb shell`.
        #[serde(default)]
        command: String,
    },
    /// A script, several commands at once: in the phone's own shell, or on this computer where the person switched
    /// that on ([`crate::ScriptSettings`]). OpenPocket.
    RunScript {
        /// The script's text.
        #[serde(default)]
        script: String,
        /// Seconds it may take; held to 1…600.
        #[serde(default = "default::script_sec", serialize_with = "number::serialize")]
        timeout_sec: f64,
    },
    /// Stop and ask the person. OpenPocket.
    RequestHumanAuth {
        /// What it is about: it chooses the wording, never the permission.
        #[serde(default)]
        capability: Capability,
        /// What the person should do, in the model's words.
        #[serde(default = "default::instruction")]
        instruction: String,
        /// Seconds to wait; held to 30…1,800 when asked.
        #[serde(default = "default::auth_sec", serialize_with = "number::serialize")]
        timeout_sec: f64,
    },
    /// Do nothing for a while. OpenPocket.
    Wait {
        /// How long.
        #[serde(default = "default::wait_ms", serialize_with = "number::serialize")]
        duration_ms: f64,
    },
    /// The task is done. OpenPocket; CogAgent `END`; `OmniMCP` `finish_goal`.
    Finish {
        /// What was achieved, in the model's words.
        #[serde(default = "default::finished")]
        message: String,
    },
    /// Two taps in quick succession. CogAgent `DOUBLE_CLICK`, Hermes `double_click`.
    DoubleTap {
        /// Pixels from the left.
        #[serde(
            default,
            serialize_with = "number::optional::serialize",
            skip_serializing_if = "Option::is_none"
        )]
        #[ts(optional)]
        x: Option<f64>,
        /// Pixels from the top.
        #[serde(
            default,
            serialize_with = "number::optional::serialize",
            skip_serializing_if = "Option::is_none"
        )]
        #[ts(optional)]
        y: Option<f64>,
        /// Instead of coordinates.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        target: Option<Target>,
    },
    /// A finger held down. CogAgent `RIGHT_CLICK`, Hermes `right_click`.
    LongPress {
        /// Pixels from the left.
        #[serde(
            default,
            serialize_with = "number::optional::serialize",
            skip_serializing_if = "Option::is_none"
        )]
        #[ts(optional)]
        x: Option<f64>,
        /// Pixels from the top.
        #[serde(
            default,
            serialize_with = "number::optional::serialize",
            skip_serializing_if = "Option::is_none"
        )]
        #[ts(optional)]
        y: Option<f64>,
        /// Instead of coordinates.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        target: Option<Target>,
        /// How long the finger stays.
        #[serde(default = "default::press_ms", serialize_with = "number::serialize")]
        duration_ms: f64,
    },
    /// Pick up and put down. Hermes `drag`.
    Drag {
        /// Start, pixels from the left.
        #[serde(
            default,
            serialize_with = "number::optional::serialize",
            skip_serializing_if = "Option::is_none"
        )]
        #[ts(optional)]
        x1: Option<f64>,
        /// Start, pixels from the top.
        #[serde(
            default,
            serialize_with = "number::optional::serialize",
            skip_serializing_if = "Option::is_none"
        )]
        #[ts(optional)]
        y1: Option<f64>,
        /// End, pixels from the left.
        #[serde(
            default,
            serialize_with = "number::optional::serialize",
            skip_serializing_if = "Option::is_none"
        )]
        #[ts(optional)]
        x2: Option<f64>,
        /// End, pixels from the top.
        #[serde(
            default,
            serialize_with = "number::optional::serialize",
            skip_serializing_if = "Option::is_none"
        )]
        #[ts(optional)]
        y2: Option<f64>,
        /// How long the finger takes.
        #[serde(default = "default::drag_ms", serialize_with = "number::serialize")]
        duration_ms: f64,
        /// Start, instead of coordinates.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        target: Option<Target>,
        /// End, instead of coordinates.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        to_target: Option<Target>,
    },
    /// Show more in a direction: `down` shows what is below, so the finger moves up. One unit is 1/8 of the region.
    /// CogAgent `SCROLL_*` `step_count`, `OmniMCP` `scroll`, Hermes `scroll`.
    Scroll {
        /// Where the new content comes from.
        #[serde(default)]
        direction: Direction,
        /// Units of 1/8 of the region.
        #[serde(default = "default::scroll", serialize_with = "number::serialize")]
        amount: f64,
        /// Pixels from the left; the middle of the screen when absent.
        #[serde(
            default,
            serialize_with = "number::optional::serialize",
            skip_serializing_if = "Option::is_none"
        )]
        #[ts(optional)]
        x: Option<f64>,
        /// Pixels from the top; the middle of the screen when absent.
        #[serde(
            default,
            serialize_with = "number::optional::serialize",
            skip_serializing_if = "Option::is_none"
        )]
        #[ts(optional)]
        y: Option<f64>,
        /// The region, instead of coordinates.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        target: Option<Target>,
    },
    /// A mouse resting over something: a touch screen has no such thing; it does nothing and says so. CogAgent, `OmniMCP`.
    Hover {
        /// Pixels from the left.
        #[serde(
            default,
            serialize_with = "number::optional::serialize",
            skip_serializing_if = "Option::is_none"
        )]
        #[ts(optional)]
        x: Option<f64>,
        /// Pixels from the top.
        #[serde(
            default,
            serialize_with = "number::optional::serialize",
            skip_serializing_if = "Option::is_none"
        )]
        #[ts(optional)]
        y: Option<f64>,
        /// Instead of coordinates.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        target: Option<Target>,
    },
    /// Keys held together. CogAgent `GESTURE` (hold, press, release), Hermes `key`.
    KeyCombination {
        /// Android key names, the held ones first.
        keys: Vec<String>,
    },
    /// Open a link. CogAgent `LAUNCH(url=…)`.
    OpenUrl {
        /// The link; `https://` is added where no scheme is written.
        url: String,
    },
    /// Give a field, switch, slider or spinner a value. Hermes `set_value`.
    SetValue {
        /// What is given the value.
        target: Target,
        /// The value, as text.
        #[serde(default)]
        value: String,
    },
    /// Look, and tell the model. Hermes `capture`: free, changes nothing.
    Capture {
        /// What to return.
        #[serde(default)]
        mode: CaptureMode,
        /// 1…1000; only limits an element list that is returned.
        #[serde(default = "default::max_elements")]
        max_elements: u32,
    },
    /// The apps that can be opened. Hermes `list_apps`.
    ListApps,
    /// Bring the app named by [`Action::app`] to the front. Hermes `focus_app`.
    FocusApp {
        /// Android always raises what it focuses: said when this is false.
        #[serde(default)]
        raise_window: bool,
    },
    /// The text of a region into a variable. CogAgent `QUOTE_TEXT`.
    ReadText {
        /// `[x1, y1, x2, y2]` in thousandths of the screen.
        #[serde(
            rename = "box",
            default,
            serialize_with = "number::four::serialize",
            skip_serializing_if = "Option::is_none"
        )]
        #[ts(optional)]
        region: Option<[f64; 4]>,
        /// Left edge in pixels, instead of `box`.
        #[serde(
            default,
            serialize_with = "number::optional::serialize",
            skip_serializing_if = "Option::is_none"
        )]
        #[ts(optional)]
        x1: Option<f64>,
        /// Top edge in pixels.
        #[serde(
            default,
            serialize_with = "number::optional::serialize",
            skip_serializing_if = "Option::is_none"
        )]
        #[ts(optional)]
        y1: Option<f64>,
        /// Right edge in pixels.
        #[serde(
            default,
            serialize_with = "number::optional::serialize",
            skip_serializing_if = "Option::is_none"
        )]
        #[ts(optional)]
        x2: Option<f64>,
        /// Bottom edge in pixels.
        #[serde(
            default,
            serialize_with = "number::optional::serialize",
            skip_serializing_if = "Option::is_none"
        )]
        #[ts(optional)]
        y2: Option<f64>,
        /// The variable's name.
        output: String,
        /// Scroll on until the text ends.
        #[serde(default)]
        auto_scroll: bool,
        /// What the model read by itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        result: Option<String>,
    },
    /// The phone's clipboard into a variable: read where something can, else pasted by the person. CogAgent
    /// `QUOTE_CLIPBOARD`.
    ReadClipboard {
        /// The variable's name.
        output: String,
        /// What the model believes stands there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        result: Option<String>,
    },
    /// A question to the model, its answer into a variable. CogAgent `LLM`.
    AskModel {
        /// The question; variables in it are filled first.
        prompt: String,
        /// The variable's name.
        output: String,
        /// What the model already answered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        result: Option<String>,
    },
}

/// What a pointing action points at, tried in this order: track id, element, text, box.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Target {
    /// An element's name that survives from screen to screen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub track_id: Option<String>,
    /// An element's number on the screen the model was shown, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub element: Option<u32>,
    /// Text on the element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub text: Option<String>,
    /// `[x1, y1, x2, y2]` in thousandths of the screen; the touch goes to its centre.
    #[serde(
        rename = "box",
        default,
        serialize_with = "number::four::serialize",
        skip_serializing_if = "Option::is_none"
    )]
    #[ts(optional)]
    pub region: Option<[f64; 4]>,
    /// What the model says it is: a claim, never used to find it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub role: Option<String>,
    /// What the model says stands on it: a claim, never used to find it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub label: Option<String>,
}

/// What a question is about, as the OpenPocket schema lists it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the schema's own thirteen words")]
pub enum Capability {
    Camera,
    Sms,
    #[serde(rename = "2fa")]
    TwoFactor,
    Location,
    Biometric,
    Notification,
    Contacts,
    Calendar,
    Files,
    Oauth,
    Payment,
    Permission,
    #[default]
    Unknown,
}

/// Where a scroll shows more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "four directions")]
pub enum Direction {
    Up,
    #[default]
    Down,
    Left,
    Right,
}

/// What a capture returns. Hermes `mode`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum CaptureMode {
    /// The picture with numbered marks, and the elements.
    #[default]
    Som,
    /// The picture alone.
    Vision,
    /// The elements alone.
    Ax,
}

/// The seeds' defaults, one place.
mod default {
    pub(super) fn swipe_ms() -> f64 {
        300.0
    }
    pub(super) fn keycode() -> String {
        "KEYCODE_ENTER".into()
    }
    pub(super) fn script_sec() -> f64 {
        60.0
    }
    pub(super) fn instruction() -> String {
        "Human authorization is required to continue.".into()
    }
    pub(super) fn auth_sec() -> f64 {
        300.0
    }
    pub(super) fn wait_ms() -> f64 {
        1000.0
    }
    pub(super) fn finished() -> String {
        "Task finished.".into()
    }
    pub(super) fn press_ms() -> f64 {
        800.0
    }
    pub(super) fn drag_ms() -> f64 {
        500.0
    }
    pub(super) fn scroll() -> f64 {
        3.0
    }
    pub(super) fn max_elements() -> u32 {
        100
    }
}
