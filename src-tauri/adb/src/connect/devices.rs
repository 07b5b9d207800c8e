//! The list of phones as an adb server prints it.
//!
//! Lines are read backwards: the `key:value` fields go first, then the state word, and whatever is left is the
//! serial, which may hold spaces (`adb-RZ8 (2)._adb-tls-connect._tcp`, `(no serial number)`). One odd line never
//! costs the others.

use protocol::{PhoneState, Transport};

/// One line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceLine {
    /// May hold spaces.
    pub serial: String,
    /// adb's word; words nobody knows are [`PhoneState::Unknown`].
    pub state: PhoneState,
    /// What stands behind `no permissions`, or the unknown word itself.
    pub reason: Option<String>,
    /// The bus path (`1-3`, `336675328X`), where there is one.
    pub usb: Option<String>,
    /// `product:`.
    pub product: Option<String>,
    /// `model:`, underscores as adb prints them.
    pub model: Option<String>,
    /// `device:`.
    pub device: Option<String>,
    /// `transport_id:`.
    pub transport_id: Option<u64>,
}

impl DeviceLine {
    /// Over what it is reached, as far as its serial and fields tell.
    #[must_use]
    pub fn transport(&self) -> Transport {
        let serial = self.serial.as_str();
        let has_port = serial
            .rsplit_once(':')
            .is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok());
        if serial.starts_with("emulator-") {
            Transport::Emulator
        } else if has_port || serial.contains("._adb-tls-connect._tcp") || serial.contains("._adb._tcp") {
            Transport::Wifi
        } else if serial.is_empty() {
            Transport::Unknown
        } else {
            // adb on Windows names no bus path; what is neither a network's nor an emulator's hangs on a cable.
            Transport::Usb
        }
    }
}

/// The keys of a line, in the order adb prints them.
const KEYS: [&str; 5] = ["usb:", "product:", "model:", "device:", "transport_id:"];

/// What the command line client says around a list; never a phone.
const CHATTER: [&str; 6] = [
    "List of devices",
    "* daemon",
    "adb server",
    "adb:",
    "error:",
    "ADB server",
];

/// Every phone of a list.
#[must_use]
pub fn read_list(text: &str) -> Vec<DeviceLine> {
    text.lines().filter_map(read_line).collect()
}

fn read_line(line: &str) -> Option<DeviceLine> {
    let line = line.trim();
    if line.is_empty() || CHATTER.iter().any(|start| line.starts_with(start)) {
        return None;
    }
    let (rest, [usb, product, model, device, transport_id]) = take_fields(line);
    let (rest, usb) = match usb {
        Some(path) => (rest, Some(path)),
        None => take_bus_path(rest),
    };
    let (serial, state, reason) = take_state(rest);
    Some(DeviceLine {
        serial: serial.to_owned(),
        state,
        reason,
        usb: usb.map(str::to_owned),
        product: product.map(str::to_owned),
        model: model.map(str::to_owned),
        device: device.map(str::to_owned),
        transport_id: transport_id.and_then(|id| id.parse().ok()),
    })
}

/// Takes the `key:value` fields off the end. Values may hold spaces; a key counts once and only in adb's order, so
/// that a serial or a reason with a colon in it stays whole.
fn take_fields(line: &str) -> (&str, [Option<&str>; 5]) {
    let mut rest = line;
    let mut fields = [None; 5];
    for (index, key) in KEYS.iter().enumerate().rev() {
        let found = rest
            .rmatch_indices(key)
            .map(|(at, _)| at)
            .find(|at| *at > 0 && rest[..*at].ends_with(char::is_whitespace));
        if let Some(at) = found {
            fields[index] = Some(rest[at + key.len()..].trim()).filter(|value| !value.is_empty());
            rest = rest[..at].trim_end();
        }
    }
    (rest, fields)
}

/// A bare bus path behind the state (`231-1`), as adb with libusb prints it.
fn take_bus_path(line: &str) -> (&str, Option<&str>) {
    let Some((before, last)) = line.rsplit_once(char::is_whitespace) else {
        return (line, None);
    };
    let path = last.contains('-') && last.chars().all(|c| c.is_ascii_digit() || c == '-' || c == '.');
    let before = before.trim_end();
    let known = before
        .rsplit(char::is_whitespace)
        .next()
        .is_some_and(|word| known_state(word).is_some());
    if path && (known || before.contains(NO_PERMISSIONS)) {
        (before, Some(last))
    } else {
        (line, None)
    }
}

const NO_PERMISSIONS: &str = "no permissions";

fn take_state(rest: &str) -> (&str, PhoneState, Option<String>) {
    if let Some(at) = rest.rfind(NO_PERMISSIONS)
        && rest[..at].ends_with(char::is_whitespace)
    {
        let reason = rest[at + NO_PERMISSIONS.len()..].trim();
        let reason = (!reason.is_empty()).then(|| reason.to_owned());
        return (rest[..at].trim_end(), PhoneState::NoPermissions, reason);
    }
    match rest.rsplit_once(char::is_whitespace) {
        Some((serial, word)) => match known_state(word) {
            Some(state) => (serial.trim_end(), state, None),
            None => (serial.trim_end(), PhoneState::Unknown, Some(word.to_owned())),
        },
        None => (rest, PhoneState::Unknown, None),
    }
}

fn known_state(word: &str) -> Option<PhoneState> {
    Some(match word {
        "device" => PhoneState::Device,
        "offline" => PhoneState::Offline,
        "unauthorized" => PhoneState::Unauthorized,
        "authorizing" => PhoneState::Authorizing,
        "connecting" => PhoneState::Connecting,
        "bootloader" => PhoneState::Bootloader,
        "recovery" => PhoneState::Recovery,
        "rescue" => PhoneState::Rescue,
        "sideload" => PhoneState::Sideload,
        "host" => PhoneState::Host,
        "detached" => PhoneState::Detached,
        "unknown" => PhoneState::Unknown,
        _ => return None,
    })
}
