//! Which phone a request is for (`transport.cpp`: `acquire_one_transport`; `adb.cpp`: `handle_host_request`).

use crate::fault::{ConnectionState, Fault};
use crate::host::{AttachedPhone, Shared, Transport};

/// A phone's state, in the server's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListedState {
    Device,
    Offline,
    Unauthorized,
    Other(ConnectionState),
}

/// The fingerprint of this server's key. Invented: a server inside a test has none.
const FINGERPRINT: &str = "5D:0E:61:B7:F2:94:38:AC:1B:C0:7E:43:99:D6:25:8F";
/// `diagnose_usb.cpp`: what udev lacks, and where to read about it.
const UDEV: &str = "missing udev rules? user is in the plugdev group";
const HELP: &str = "http://developer.android.com/tools/device.html";

/// A state's word (`transport.cpp`: `to_string(ConnectionState)`); in lists `no permissions` says more.
pub(crate) fn word(standing: ConnectionState) -> &'static str {
    match standing {
        ConnectionState::Authorizing => "authorizing",
        ConnectionState::Connecting => "connecting",
        ConnectionState::NoPermissions => "no permissions",
        ConnectionState::Bootloader => "bootloader",
        ConnectionState::Recovery => "recovery",
        ConnectionState::Rescue => "rescue",
        ConnectionState::Sideload => "sideload",
        ConnectionState::Host => "host",
        ConnectionState::Detached => "detached",
        ConnectionState::Unknown => "unknown",
    }
}

impl ListedState {
    /// Where a phone stands. One that does not know this server is shown its key, and asks its person.
    pub(super) fn of(slot: &AttachedPhone) -> Self {
        if let Some(standing) = slot.phone.standing() {
            Self::Other(standing)
        } else if slot.phone.has(Fault::Unauthorized) {
            slot.phone.ask_debugging(FINGERPRINT);
            Self::Unauthorized
        } else if slot.phone.has(Fault::Offline) {
            Self::Offline
        } else {
            Self::Device
        }
    }

    pub(super) fn name(self) -> String {
        match self {
            Self::Device => "device".to_owned(),
            Self::Offline => "offline".to_owned(),
            Self::Unauthorized => "unauthorized".to_owned(),
            Self::Other(ConnectionState::NoPermissions) => format!("no permissions ({UDEV}); see [{HELP}]"),
            Self::Other(standing) => word(standing).to_owned(),
        }
    }

    /// Whether a banner came, and with it what the phone is.
    pub(super) fn has_banner(self) -> bool {
        matches!(
            self,
            Self::Device
                | Self::Other(
                    ConnectionState::Bootloader
                        | ConnectionState::Recovery
                        | ConnectionState::Rescue
                        | ConnectionState::Sideload
                        | ConnectionState::Host
                )
        )
    }

    /// Why such a phone cannot be asked anything (`acquire_one_transport`); none when it can.
    fn refusal(self) -> Option<String> {
        match self {
            state if state.has_banner() => None,
            Self::Unauthorized => Some(UNAUTHORIZED.to_owned()),
            Self::Other(ConnectionState::NoPermissions) => Some(format!(
                "insufficient permissions for device: {UDEV}\nSee [{HELP}] for more information"
            )),
            Self::Other(ConnectionState::Authorizing) => Some("device still authorizing".to_owned()),
            Self::Other(ConnectionState::Connecting) => Some("device still connecting".to_owned()),
            _ => Some("device offline".to_owned()),
        }
    }
}

/// Whom a request means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Any,
    Usb,
    Local,
    Serial(String),
    Id(u64),
}

/// What an unauthorized phone is answered with (adb 29; `ADB_VENDOR_KEYS` is not set here).
const UNAUTHORIZED: &str = "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set\nTry 'adb kill-server' if \
     that seems wrong.\nOtherwise check for a confirmation dialog on your device.";

impl Target {
    /// The one phone that is meant. With `any_state` it need not be online.
    pub(super) fn find(&self, shared: &Shared, any_state: bool) -> Result<AttachedPhone, String> {
        let plugged = shared.slots().into_iter().filter(|slot| slot.link.is_plugged());
        let mut found = plugged.filter(|slot| match self {
            Self::Any => true,
            Self::Usb => matches!(slot.transport, Transport::Usb(_)),
            Self::Local => slot.transport == Transport::Network,
            Self::Serial(serial) => is_called(slot, serial),
            Self::Id(id) => slot.link.transport() == *id,
        });
        let Some(slot) = found.next() else {
            return Err(match self {
                Self::Any => "no devices/emulators found".to_owned(),
                Self::Usb => "no devices found".to_owned(),
                Self::Local => "no emulators found".to_owned(),
                Self::Serial(serial) => format!("device '{serial}' not found"),
                Self::Id(id) => format!("no device with transport id '{id}'"),
            });
        };
        if found.next().is_some() {
            return Err(match self {
                Self::Local => "more than one emulator",
                Self::Any => "more than one device/emulator",
                _ => "more than one device",
            }
            .to_owned());
        }
        match ListedState::of(&slot).refusal().filter(|_| !any_state) {
            Some(why) => Err(why),
            None => Ok(slot),
        }
    }
}

/// Whether a phone is meant by a serial: its own, its path, or what it says it is (`atransport::MatchesTarget`).
fn is_called(slot: &AttachedPhone, name: &str) -> bool {
    let profile = &slot.phone.profile;
    slot.serial == name
        || path(slot).is_some_and(|path| path == name)
        || name
            .strip_prefix("product:")
            .is_some_and(|product| product == profile.device)
        || name
            .strip_prefix("model:")
            .is_some_and(|model| model == sanitized(&profile.model))
        || name
            .strip_prefix("device:")
            .is_some_and(|device| device == profile.device)
}

/// Takes the target off the front of a host request: `host-serial:S:get-state`, `host-usb:…`, `host:…`.
pub(super) fn split<'a>(shared: &Shared, request: &'a str) -> Option<(Target, &'a str)> {
    if let Some(rest) = request.strip_prefix("host:") {
        return Some((Target::Any, rest));
    }
    if let Some(rest) = request.strip_prefix("host-usb:") {
        return Some((Target::Usb, rest));
    }
    if let Some(rest) = request.strip_prefix("host-local:") {
        return Some((Target::Local, rest));
    }
    if let Some(rest) = request.strip_prefix("host-transport-id:") {
        let (id, rest) = rest.split_once(':')?;
        return Some((Target::Id(id.parse().ok()?), rest));
    }
    let rest = request.strip_prefix("host-serial:")?;
    // A serial may hold colons: one that is known is taken whole.
    let mut known: Vec<String> = shared.slots().into_iter().map(|slot| slot.serial).collect();
    known.sort_by_key(|serial| std::cmp::Reverse(serial.len()));
    for serial in known {
        if let Some(after) = rest
            .strip_prefix(&serial)
            .and_then(|after| after.strip_prefix(':'))
        {
            return Some((Target::Serial(serial), after));
        }
    }
    // `usb:1-4`, `model:Pixel_7`: the first colon belongs to the name (`sockets.cpp`: `skip_host_serial`).
    for prefix in ["usb:", "product:", "model:", "device:"] {
        if let Some(after) = rest.strip_prefix(prefix) {
            let (name, command) = after.split_once(':')?;
            return Some((Target::Serial(format!("{prefix}{name}")), command));
        }
    }
    let (serial, after) = rest.split_once(':')?;
    // `host:port` of a machine nobody knows.
    match after.split_once(':') {
        Some((port, after)) if !port.is_empty() && port.chars().all(|c| c.is_ascii_digit()) => {
            Some((Target::Serial(format!("{serial}:{port}")), after))
        }
        _ => Some((Target::Serial(serial.to_owned()), after)),
    }
}

/// A model's name as lists show it: what is no letter or digit becomes `_`.
pub(super) fn sanitized(model: &str) -> String {
    model
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect()
}

/// `usb:1-4`.
pub(super) fn path(slot: &AttachedPhone) -> Option<String> {
    match &slot.transport {
        Transport::Usb(port) => Some(format!("usb:{port}")),
        Transport::Network => None,
    }
}
