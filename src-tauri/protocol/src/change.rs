//! Settings that loosen something, and wait for the person's Yes.

use crate::id::AskId;
use crate::rule::Rule;
use crate::settings::Level;
use crate::time::Millis;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A change of the settings that waits in the approval window. Nobody answers: No.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct SettingsChange {
    /// Answers name it.
    pub id: AskId,
    /// What would be looser, one or more.
    pub loosens: Vec<Loosening>,
    /// When it was asked.
    pub asked_at: Millis,
    /// When it is answered No by itself.
    pub deadline: Millis,
}

/// One thing that less is asked about, or that reaches further, than before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "what", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Loosening {
    /// Less is asked.
    Level {
        /// From now on.
        to: Level,
    },
    /// A kind of action is not asked about any more.
    Switch {
        /// The switch that is turned off.
        off: AskSwitch,
    },
    /// Scripts of the AI run on this computer.
    Scripts,
    /// Such a script may start one more program.
    Program {
        /// Its absolute path.
        path: String,
    },
    /// Another adb program is started.
    Adb {
        /// The file, or its folder.
        path: String,
    },
    /// One thing is done without asking.
    Allow {
        /// What, and where.
        rule: Rule,
    },
    /// What was never done is asked about again.
    Permit {
        /// What, and where.
        rule: Rule,
    },
    /// What was asked every time is asked as the switches say.
    AskLess {
        /// What, and where.
        rule: Rule,
    },
    /// Phones at one more computer are listed and reached.
    Server {
        /// `host:port`.
        address: String,
    },
}

/// The switches of [`AskBefore`](crate::AskBefore), by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum AskSwitch {
    /// Texts, email, posts and calls.
    Sending,
    /// Photos, chats, accounts, files.
    Deleting,
    /// New apps and changed permissions.
    Installing,
    /// Technical commands run on the phone.
    Shell,
}
