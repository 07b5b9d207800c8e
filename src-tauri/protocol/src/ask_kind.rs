//! What a question is about.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum AskKind {
    /// Money leaves.
    Payment,
    /// A one-time code is wanted.
    Code,
    /// A password is wanted.
    Password,
    /// A message, post or call goes out.
    Send,
    /// Something is deleted.
    Delete,
    /// An app is installed or updated.
    Install,
    /// A technical command on the phone.
    Shell,
    /// A script on the phone, with its whole text.
    Script,
    /// A script on this computer, with its whole text.
    ComputerScript,
    /// What the phone has copied: told by the phone, or to be pasted by the person where nothing else can read it.
    Clipboard,
    /// Signing in with another service.
    Oauth,
    /// Android's own permission dialog.
    Permission,
    /// The camera.
    Camera,
    /// Where the phone is.
    Location,
    /// The address book.
    Contacts,
    /// The calendar.
    Calendar,
    /// The phone's files.
    Files,
    /// The phone's notifications.
    Notification,
    /// Finger or face.
    Biometric,
    /// Something nobody could read (no elements) in a place where that matters.
    Unreadable,
    /// Any other action, when the person wants to be asked about everything.
    Act,
    /// The model wants a person and does not say why.
    Unknown,
    /// What the task itself names, agreed to before it begins.
    Mandate,
}
