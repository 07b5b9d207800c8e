//! Files a person drops on the window: where, and what they are called. What is in them never comes here.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Files over the window. Places are in pixels of the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "files", rename_all = "snake_case")]
pub enum Dropped {
    /// They are held over this place.
    Over {
        /// From the left.
        x: f64,
        /// From the top.
        y: f64,
    },
    /// They are gone again.
    Away,
    /// They were let go here.
    Here {
        /// Names this drop: only its files can be sent.
        drop: u32,
        /// From the left.
        x: f64,
        /// From the top.
        y: f64,
        /// In the order they came.
        dropped: Vec<DroppedFile>,
    },
}

/// One file that was dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
pub struct DroppedFile {
    /// Its name, without the folder it is in.
    pub name: String,
    /// How large it is.
    #[ts(type = "number")]
    pub bytes: u64,
    /// What can be done with it.
    pub kind: FileKind,
}

/// What can be done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum FileKind {
    /// It can be sent.
    File,
    /// It can be installed.
    App,
    /// A folder, or what cannot be read: nothing.
    Neither,
}
