//! A clip of a phone's screen, recorded by the person; and the phone's sound, heard while its screen is shown.

use crate::failure::Failure;
use crate::time::Millis;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How a clip stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "state", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ClipState {
    /// It was asked for; nothing is recorded yet.
    Starting,
    /// It is being recorded.
    Recording {
        /// When its first picture came.
        since: Millis,
        /// Whether it is with sound.
        sound: ClipSound,
    },
    /// It is over, and there are files of it.
    Saved {
        /// Where, in order: where the screen was turned, another file begins.
        paths: Vec<String>,
        /// Whether it is with sound.
        sound: ClipSound,
        /// What ended it, where the person did not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        failure: Option<Failure>,
    },
    /// The person stopped it before its first picture: there is nothing of it.
    Stopped,
    /// It is over, and nothing was recorded.
    Failed {
        /// Why nothing was recorded.
        failure: Failure,
    },
}

/// Whether a phone's sound is heard at this computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "state", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum SoundStart {
    /// Its samples come: 16 bits, little endian, those of one moment beside each other.
    Playing {
        /// The sound's number.
        sound: u32,
        /// Moments a second.
        rate: u32,
        /// Samples of one moment.
        channels: u8,
        /// The phone itself is silent meanwhile.
        silences_phone: bool,
    },
    /// There is none.
    Silent {
        /// Why there is no sound.
        why: NoSound,
    },
}

/// Why a phone's sound is not heard at this computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum NoSound {
    /// The phone's Android is older than 11.
    AndroidTooOld,
    /// This computer has no scrcpy server.
    NeedsScrcpy,
    /// On Android 11 the phone would show a window of its own for a moment, and a task is running there.
    TaskRuns,
    /// The phone does not let it be captured now.
    Refused,
}

/// Whether a clip is with sound, and if not why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum ClipSound {
    /// With sound.
    Recorded,
    /// Without, and why.
    #[serde(untagged)]
    Without(NoSound),
}
