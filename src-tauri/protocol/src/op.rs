//! What a person asks of a run, and what a person's own hand does.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// To a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Op {
    /// Hold still after what is under way.
    Pause,
    /// Go on.
    Resume,
    /// End now: nothing more reaches the phone.
    Stop,
    /// The person's hand takes the phone; the run waits.
    TakeOver,
    /// The AI gets it back and looks again.
    HandBack,
    /// Words for the AI.
    Say {
        /// Word for word.
        text: String,
    },
    /// Ask the question that ran out of time again.
    AskAgain,
}

/// The person's own hand on the mirror. Points are fractions of the picture shown, 0…1 from left and top.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "hand", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Hand {
    /// One tap.
    Tap {
        /// 0…1.
        x: f64,
        /// 0…1.
        y: f64,
    },
    /// A finger held.
    LongPress {
        /// 0…1.
        x: f64,
        /// 0…1.
        y: f64,
    },
    /// A finger drawn.
    Drag {
        /// Start, 0…1.
        x1: f64,
        /// Start, 0…1.
        y1: f64,
        /// End, 0…1.
        x2: f64,
        /// End, 0…1.
        y2: f64,
        /// How long it took, up to 10,000.
        duration_ms: u64,
    },
    /// Two fingers around a place.
    Pinch {
        /// Between the two, 0…1.
        x: f64,
        /// 0…1.
        y: f64,
        /// How much farther apart they are in the end: above 1 makes things larger.
        scale: f64,
        /// How long it took, up to 10,000.
        duration_ms: u64,
    },
    /// A wheel turned over a place, in notches.
    Scroll {
        /// 0…1.
        x: f64,
        /// 0…1.
        y: f64,
        /// Positive shows what is to the right.
        across: f64,
        /// Positive shows what is below.
        down: f64,
    },
    /// A finger as it is just now, for a phone that is ready to follow it.
    Finger {
        /// What it does.
        phase: Phase,
        /// 0…1.
        x: f64,
        /// 0…1.
        y: f64,
    },
    /// The hand is about to touch: makes the phone ready to follow fingers. Fails where it cannot.
    Ready,
    /// Text from the keyboard or the clipboard.
    Type {
        /// Word for word.
        text: String,
    },
    /// A key of the phone.
    Key {
        /// The key that is pressed.
        key: Key,
    },
}

/// What a finger does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It touches.
    Down,
    /// It is drawn.
    Move,
    /// It is lifted.
    Up,
}

/// The phone's keys that the window offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the keys' own names")]
pub enum Key {
    Back,
    Home,
    Recents,
    Enter,
    Backspace,
    Delete,
    Tab,
    Escape,
    Up,
    Down,
    Left,
    Right,
    VolumeUp,
    VolumeDown,
    Power,
    Rotate,
}
