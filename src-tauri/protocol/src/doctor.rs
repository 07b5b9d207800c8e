//! What an examination of a phone finds.

use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

/// What is looked at, in the order it is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// The phone is connected and usable. Found only where it is not.
    Connection,
    /// How long an answer takes. Values: `ms`.
    Latency,
    /// Android's version. Values: `version`, `brand`, `model`.
    Android,
    /// Room left. Values: `freeMb`.
    Storage,
    /// Battery saver and charge. Values: `percent`.
    Battery,
    /// How fast the screen's animations run. Values: `scale`.
    Animations,
    /// How far the phone's clock is off. Values: `seconds`.
    Clock,
    /// Awake and unlocked.
    Lock,
    /// The keyboard in use. Values: `keyboard`, `scrcpy` (its version on this computer).
    Keyboard,
    /// A key that means nothing arrives. Values: `ms`, `said`.
    Input,
    /// A picture of the screen is whole. Values: `ms`, `width`, `height`, `said`.
    Capture,
    /// The elements of the screen can be read. Values: `ms`, `nodes`, `said`.
    Tree,
    /// Letters of every kind arrive. Values: `ms`, `by` (the way they went), `shown`, `said`.
    Typing,
}

/// How a thing stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Nothing is wrong with it.
    Fine,
    /// It works, and could be better.
    Attention,
    /// It does not work.
    Failed,
    /// The phone does not tell.
    Unknown,
}

/// What to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum Advice {
    /// Another cable, another socket, nearer to the Wi-Fi.
    BetterConnection,
    /// This Android is too old for some things.
    OldAndroid,
    /// Make room.
    FreeStorage,
    /// Turn the battery saver off.
    BatterySaverOff,
    /// Charge the phone.
    Charge,
    /// Set the animation scales to 1 or off.
    AnimationsOff,
    /// Let the network set the clock.
    SetClock,
    /// Unlock the phone.
    Unlock,
    /// Wake the phone.
    Wake,
    /// Choose the keyboard again.
    ChooseKeyboard,
    /// Plug in again, else start anew.
    Replug,
    /// The switch that lets a computer touch, where Android has it.
    SecuritySettings,
    /// The same on Xiaomi's.
    SecuritySettingsXiaomi,
    /// The same on OPPO's.
    SecuritySettingsOppo,
    /// The same on vivo's.
    SecuritySettingsVivo,
    /// The same on Huawei's.
    SecuritySettingsHuawei,
    /// The same on Meizu's.
    SecuritySettingsMeizu,
    /// Leave the app that hides its screen.
    LeaveProtected,
    /// Leave the page that never stops moving.
    StillScreen,
    /// Typing is tried once touches arrive.
    TouchesFirst,
    /// Open an app with a text field.
    OpenAField,
    /// The phone changes what is typed.
    TypingDiffers,
    /// For more than English scrcpy or ADBKeyboard is needed.
    InstallScrcpy,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// What was looked at.
    pub check: Check,
    /// How it stands.
    pub verdict: Verdict,
    /// What to do; nothing where nothing is to be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub advice: Option<Advice>,
    /// Facts, by name: see [`Check`]. `said` is the phone's own word, for support.
    pub values: BTreeMap<String, String>,
}

/// How far an examination is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "stage", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Examining {
    /// This is looked at now.
    Looking {
        /// What is being looked at.
        check: Check,
    },
    /// This was found.
    Found {
        /// What and how.
        finding: Finding,
    },
    /// Everything was looked at. Last.
    Done,
    /// It could not go on. Last.
    Failed {
        /// Why it could not go on.
        failure: Failure,
    },
}
