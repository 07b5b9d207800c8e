//! Names of things that are passed between rooms. All are opaque strings.

use serde::{Deserialize, Serialize};
use std::fmt;
use ts_rs::TS;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
        #[ts(export_to = "protocol.ts")]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }
    };
}

id! {
    /// One phone, however many cables and networks it is seen over: its own serial number (`ro.serialno`)
    /// where it told us, else the server's address and the serial adb lists.
    PhoneId
}
id! {
    /// One run of one task on one phone.
    RunId
}
id! {
    /// One question to the person.
    AskId
}
id! {
    /// One stored picture: `<run>/<number>`.
    FrameId
}
id! {
    /// One automation.
    AutomationId
}
