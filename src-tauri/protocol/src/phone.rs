//! Phones, as they are found and as they are shown.

use crate::id::PhoneId;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One phone, whatever it is seen over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Phone {
    /// Stable while the phone is known.
    pub id: PhoneId,
    /// What the person reads: the phone's own name, else maker and model.
    pub name: String,
    /// Whether it can be used, and if not why.
    pub state: PhoneState,
    /// Over what.
    pub transport: Transport,
    /// A phone made up by this program, to try things on.
    pub demo: bool,
    /// Charge, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub battery: Option<Battery>,
    /// Android's version, for example `14`, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub android: Option<String>,
    /// The address of the adb server on another computer, when it is one: "over the network, not private".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub remote: Option<String>,
    /// Screen size in pixels as last seen, so that an empty frame has the right shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub size: Option<(u32, u32)>,
    /// Why it cannot be used, in adb's own words, where it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reason: Option<String>,
}

/// One line of an adb server's list: one phone over one transport.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Connection {
    /// As adb lists it; may hold spaces.
    pub serial: String,
    /// The phone behind it, the same for one phone seen twice.
    pub phone: PhoneId,
    /// adb's word.
    pub state: PhoneState,
    /// Over what.
    pub transport: Transport,
    /// adb's `model:` (underscores as it prints them), empty when it told none.
    pub model: String,
    /// What a person reads.
    pub name: String,
    /// Which adb server.
    pub server: Server,
    /// Why it cannot be used, where adb says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The states of adb, in adb's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[expect(missing_docs, reason = "adb's own words")]
pub enum PhoneState {
    #[serde(rename = "device")]
    Device,
    #[serde(rename = "offline")]
    Offline,
    #[serde(rename = "unauthorized")]
    Unauthorized,
    #[serde(rename = "authorizing")]
    Authorizing,
    #[serde(rename = "connecting")]
    Connecting,
    #[serde(rename = "no permissions")]
    NoPermissions,
    #[serde(rename = "bootloader")]
    Bootloader,
    #[serde(rename = "recovery")]
    Recovery,
    #[serde(rename = "rescue")]
    Rescue,
    #[serde(rename = "sideload")]
    Sideload,
    #[serde(rename = "host")]
    Host,
    #[serde(rename = "detached")]
    Detached,
    #[serde(rename = "unknown")]
    Unknown,
}

/// How a phone is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "plain words")]
pub enum Transport {
    Usb,
    Wifi,
    Emulator,
    Demo,
    Unknown,
}

/// Which adb server lists a phone.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Server {
    /// This computer's.
    Local {
        /// `host:port`.
        address: String,
    },
    /// Another computer's: not private.
    Remote {
        /// `host:port`.
        address: String,
    },
    /// The demo's, inside this program.
    Demo,
}

impl Server {
    /// `host:port`; `demo` for the one inside this program.
    #[must_use]
    pub fn address(&self) -> &str {
        match self {
            Self::Local { address } | Self::Remote { address } => address,
            Self::Demo => "demo",
        }
    }
}

/// A phone's charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
pub struct Battery {
    /// 0…100.
    pub percent: u8,
    /// On a charger.
    pub charging: bool,
}
