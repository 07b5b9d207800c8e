//! Saved passwords: what may be known of them. Their values are in the system's keychain and nowhere else.

use crate::time::Millis;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One saved password. The AI writes its name, never sees its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Credential {
    /// As the person calls it: `Northbank password`. No two have the same.
    pub name: String,
    /// What it is.
    pub kind: CredentialKind,
    /// Where it may be typed, and nowhere else.
    pub place: CredentialPlace,
    /// When it was saved.
    #[serde(default)]
    pub since: Millis,
}

/// What is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum CredentialKind {
    /// A password.
    Password,
    /// A number of an app's own, as banks have.
    Pin,
}

/// Where a saved password may be typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "at", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum CredentialPlace {
    /// In one app.
    App {
        /// Its package.
        package: String,
        /// Its name as a person knows it.
        app_label: String,
        /// Who signed it, in every way the phone told when this was saved (`sum 57f52fdb`, `sha256 14:6D:…`). All of them must
        /// hold where it is typed; empty where the phone told nothing.
        #[serde(default)]
        signers: Vec<String>,
    },
    /// On one site, in a browser whose address can be read.
    Host {
        /// `northbank.example`, with its port where it has one of its own.
        host: String,
    },
}

/// An app a saved password may be bound to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct InstalledApp {
    /// Its package.
    pub package: String,
    /// Its name as a person knows it.
    pub label: String,
}

/// Where the person wants a saved password to be typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "at", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum CredentialWish {
    /// In this app of this phone: the phone is asked who signed it.
    App {
        /// The phone.
        phone: crate::id::PhoneId,
        /// The app's package.
        package: String,
    },
    /// On this site.
    Host {
        /// Its address, as the person writes it.
        host: String,
    },
}
