//! How far the program is with opening what it keeps.

use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What the main window is told first: there is nothing to show before the data is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "opening", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Opening {
    /// It is being opened, once more.
    Trying,
    /// It is open: everything else can be asked for.
    Open,
    /// It could not be opened; nothing was changed.
    Failed {
        /// Why it could not be opened.
        failure: Failure,
        /// The folder it lies in; empty where there is none.
        folder: String,
        /// What may help, in the order to offer it.
        remedies: Vec<Remedy>,
    },
}

/// What a person can do about data that cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum Remedy {
    /// Try again.
    Again,
    /// The file gets another name beside the old one, and an empty one takes its place.
    Fresh,
    /// Show the folder.
    Folder,
    /// Use this computer's own adb server, whatever the environment names.
    OwnServer,
}
