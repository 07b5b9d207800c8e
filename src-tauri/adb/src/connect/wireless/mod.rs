//! Phones over Wi-Fi: paired by a picture or by six digits, found on the network, connected.
//!
//! Pairing itself (SPAKE2 over TLS) is the adb server's work: it is asked to, and its words are read. The phone announces
//! itself by mDNS: `_adb-tls-pairing._tcp` while it shows a code, `_adb-tls-connect._tcp` while wireless debugging is on.
//!
//! Sources: AOSP `packages/modules/adb` (`client/adb_wifi.cpp`, `services.cpp`, `adb_mdns.h`, `docs/dev/adb_wifi.md`).

mod ask;
mod discovery;
mod flow;
mod offer;
mod switch;

pub use ask::ConnectResult;
pub use discovery::{Announcement, AnnouncementKind, BY_NAME, Discovery};
pub use flow::{PairedPhone, pair_by_code, pair_by_offer};
pub use offer::Offer;
pub use switch::{PORT, to_wifi};
