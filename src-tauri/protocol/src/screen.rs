//! What a phone shows.

use crate::id::PhoneId;
use crate::time::Millis;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use ts_rs::TS;

/// One look at a phone: the picture, and what stands on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Screen {
    /// Whose screen.
    pub phone: PhoneId,
    /// Package of the app in front, or `unknown`.
    pub current_app: String,
    /// The activity or window title behind it, where known.
    pub window: Option<String>,
    /// Pixels, as the picture has them (rotation included).
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// When the picture was taken.
    pub captured_at: Millis,
    /// Whether there is a picture, and if not why.
    pub capture: CaptureResult,
    /// The picture; absent when the capture failed.
    pub frame: Option<Frame>,
    /// What stands on it, numbered from 1 in reading order; empty when the tree could not be read.
    pub elements: Vec<Element>,
    /// Whether the element tree was read at all (an empty screen and an unread one differ).
    pub tree_read: bool,
    /// Where the windows lie whose elements these are; nothing is known of what stands beside them. None: nowhere, or
    /// nobody said where.
    pub tree_bounds: Option<Bounds>,
    /// How many there were before the cap.
    pub totals: Totals,
    /// Whether a soft keyboard is up.
    pub keyboard_shown: bool,
}

/// The OpenPocket screen snapshot, by the schema's names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct ScreenSnapshot {
    /// The serial of the phone.
    pub device_id: String,
    /// Package of the app in front, or `unknown`.
    pub current_app: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The picture as PNG in base64; empty when it was not asked for.
    pub screenshot_base64: String,
    /// ISO 8601, UTC.
    pub captured_at: String,
}

/// A picture: 8-bit RGBA, row after row, no padding. Cheap to clone.
#[derive(Clone, PartialEq, Eq)]
pub struct Frame {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// `width × height × 4` bytes.
    pub rgba: Arc<[u8]>,
}

impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Frame({}×{})", self.width, self.height)
    }
}

/// How a capture went. *Failed*, *black* and *protected* are three different things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum CaptureResult {
    /// A picture.
    Ok,
    /// A picture, all black, of a screen that is not known to be protected (often: switched off).
    Black,
    /// The app forbids pictures of its screen.
    Protected,
    /// No whole picture came.
    Failed,
}

/// One thing on a screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Element {
    /// From 1, in reading order; good for this screen only.
    pub index: u32,
    /// Survives from screen to screen.
    pub track_id: String,
    /// What it is.
    pub role: Role,
    /// Its own text, its description, or its children's for a clickable container.
    pub label: String,
    /// What the app says of it for those who do not see it (Android's content description), where that is more than the
    /// label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub description: Option<String>,
    /// What a field, switch or slider holds; a password's is never read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub value: Option<String>,
    /// What is true of it.
    pub states: Vec<ElementState>,
    /// Where it is.
    pub bounds: Bounds,
    /// Android's resource id (`com.example:id/pay`), empty when none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub resource_id: String,
    /// The app it belongs to.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub package: String,
}

/// What an element is, as room `screen` tells it from class, flags and surroundings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Takes taps: buttons, floating buttons, named clickable containers, tappable text of an app.
    Button,
    /// Tappable text inside a web page.
    Link,
    /// Words that take no taps.
    Text,
    /// Text can be typed into it.
    Field,
    /// On or off; a row whose only purpose is a switch, checkbox or radio button takes its role.
    Switch,
    /// On or off, one of several.
    Checkbox,
    /// One of several, the others off.
    Radio,
    /// A value on a line that a finger moves.
    Slider,
    /// How far something is.
    Progress,
    /// A row of stars that rates something.
    Rating,
    /// Opens a list of choices.
    Spinner,
    /// One of several views, by its class or its id.
    Tab,
    /// One entry of a list that takes taps.
    Item,
    /// A picture, tappable or named.
    Image,
    /// Rows of the same kind that can be scrolled.
    List,
    /// Anything else that can be scrolled.
    ScrollArea,
    /// Scrolled sideways, as pages are.
    Pager,
    /// A web page as a whole.
    Web,
    /// A key of the soft keyboard.
    KeyboardKey,
    /// Anything else that can be acted on; also a role written by another version.
    #[default]
    #[serde(other)]
    Other,
}

impl Role {
    /// The word a model, the journal and a person's file have for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Button => "button",
            Self::Link => "link",
            Self::Text => "text",
            Self::Field => "field",
            Self::Switch => "switch",
            Self::Checkbox => "checkbox",
            Self::Radio => "radio",
            Self::Slider => "slider",
            Self::Progress => "progress",
            Self::Rating => "rating",
            Self::Spinner => "spinner",
            Self::Tab => "tab",
            Self::Item => "item",
            Self::Image => "image",
            Self::List => "list",
            Self::ScrollArea => "scroll_area",
            Self::Pager => "pager",
            Self::Web => "web",
            Self::KeyboardKey => "keyboard_key",
            Self::Other => "other",
        }
    }
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// What may be true of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "Android's own words")]
pub enum ElementState {
    Clickable,
    LongClickable,
    Checkable,
    Checked,
    Disabled,
    Focused,
    Password,
    Scrollable,
    Selected,
    Editable,
}

/// A rectangle in pixels: left and top inside, right and bottom outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[expect(missing_docs, reason = "four edges")]
pub struct Bounds {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

/// How many elements there were, and how many the cap left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
pub struct Totals {
    /// Before the cap (Hermes `total_elements`).
    pub total_elements: u32,
    /// Left out by the cap (Hermes `truncated_elements`).
    pub truncated_elements: u32,
}

/// Roughly where on the screen, for sentences that must not speak in coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "nine places")]
pub enum Place {
    TopLeft,
    Top,
    TopRight,
    Left,
    Middle,
    Right,
    BottomLeft,
    Bottom,
    BottomRight,
    /// Not on the phone at all: a script that runs here.
    ThisComputer,
}
