//! Phones over Wi-Fi, and the program they are reached with.

use crate::failure::Failure;
use crate::id::PhoneId;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A phone that is connected again whenever it is there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct WirelessPhone {
    /// What the person reads.
    pub name: String,
    /// `host:port` where it was last; a phone changes its port each time its wireless debugging is turned on.
    pub address: String,
    /// The name it goes by on the network (`adb-…`), the same after every start; empty when it told none.
    pub service: String,
    /// Which phone it is; absent where an earlier version remembered it and it was not connected since.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub phone: Option<PhoneId>,
}

/// A picture for the phone's camera.
#[derive(Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct PairingOffer {
    /// The QR code as an SVG of its own.
    pub svg: String,
}

/// It holds a password: what the picture shows is not printed.
impl std::fmt::Debug for PairingOffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PairingOffer")
    }
}

/// How far pairing has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "stage", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Pairing {
    /// The phone has not read the code yet.
    Waiting,
    /// The two are making each other known.
    Pairing,
    /// Paired; the phone is being connected.
    Connecting,
    /// Connected, and remembered.
    Done {
        /// As its adb server lists it.
        serial: String,
    },
    /// Not paired.
    Failed {
        /// Why it was not paired.
        failure: Failure,
    },
}

/// A phone that is seen on the network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Nearby {
    /// The name it goes by on the network.
    pub service: String,
    /// `host:port`.
    pub address: String,
    /// It shows a pairing code just now; else it waits to be connected.
    pub pairs: bool,
}

/// How far fetching the adb program has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "stage", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Fetching {
    /// Bytes come.
    Loading {
        /// So many are here.
        done: u64,
        /// So many will be.
        total: u64,
    },
    /// All are here and are what was published; they are being unpacked.
    Unpacking,
    /// The program is here.
    Done,
    /// It is not.
    Failed {
        /// Why it is not.
        failure: Failure,
    },
}

/// scrcpy's server, which makes the best mirrors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct MirrorServer {
    /// The release this computer has; none where it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub found: Option<String>,
    /// The release the button fetches.
    pub offered: String,
}

/// The adb program of this computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct AdbProgram {
    /// Where it is.
    pub path: String,
    /// For example `36.0.0`; none where it did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub version: Option<String>,
    /// It is new enough to pair phones over Wi-Fi.
    pub pairs: bool,
}
