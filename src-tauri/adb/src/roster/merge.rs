//! From the servers' lines to one list of phones.

use super::introduce::Details;
use crate::connect::devices::DeviceLine;
use protocol::{Connection, Phone, PhoneId, PhoneState, Server, Transport};
use std::collections::{HashMap, HashSet};

/// One line of one server, and what is known of the phone behind it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) server: Server,
    pub(crate) line: DeviceLine,
    pub(crate) known: Known,
}

/// How far a phone has introduced itself.
#[derive(Clone, Debug)]
pub(crate) enum Known {
    /// It is being asked: it is listed once it answered or failed to.
    Asking,
    /// It could not be asked, or need not be.
    Nothing,
    /// It told.
    Told(Details),
}

/// `host:port` of a server; `demo` for the one inside this program.
pub(crate) fn address(server: &Server) -> &str {
    match server {
        Server::Local { address } | Server::Remote { address } => address,
        Server::Demo => "demo",
    }
}

/// Which phone each entry is. One phone over two ways is one; two phones with one number are two.
pub(crate) fn identify(entries: &[Entry]) -> Vec<PhoneId> {
    // A phone hangs on one server's USB once: a number seen there twice is no phone's own.
    let mut cabled: HashMap<(&str, &str), usize> = HashMap::new();
    for entry in entries {
        if let Some(number) = own_number(entry)
            && entry.line.transport() == Transport::Usb
        {
            *cabled.entry((address(&entry.server), number)).or_default() += 1;
        }
    }
    let shared: Vec<&str> = cabled
        .iter()
        .filter(|(_, count)| **count > 1)
        .map(|((_, number), _)| *number)
        .collect();
    let told: HashSet<&str> = entries.iter().filter_map(own_number).collect();
    let mut seen: HashMap<String, usize> = HashMap::new();
    entries
        .iter()
        .map(|entry| {
            let number = own_number(entry).or_else(|| written_number(entry).filter(|one| told.contains(one)));
            if let Some(number) = number.filter(|number| !shared.contains(number)) {
                return PhoneId(number.to_owned());
            }
            let id = format!("{}/{}", address(&entry.server), entry.line.serial);
            let before = seen.entry(id.clone()).or_default();
            *before += 1;
            // `????????????` may stand there several times.
            PhoneId(if *before > 1 { format!("{id}#{before}") } else { id })
        })
        .collect()
}

/// The number a phone goes by; emulators share theirs.
fn own_number(entry: &Entry) -> Option<&str> {
    match &entry.known {
        Known::Told(details) if !details.emulator && entry.line.transport() != Transport::Emulator => {
            details.serial_number.as_deref()
        }
        _ => None,
    }
}

/// The number that stands in the serial of a connection over which the phone cannot be asked: a cable's serial is the
/// number itself, a network's name holds it (`adb-R58M-abcdef._adb-tls-connect._tcp`). It is believed only of a phone that
/// told the same number over another way.
fn written_number(entry: &Entry) -> Option<&str> {
    if matches!(entry.known, Known::Told(_)) {
        return None;
    }
    let serial = entry.line.serial.as_str();
    match entry.line.transport() {
        Transport::Usb => Some(serial),
        Transport::Wifi => {
            let name = serial.split("._adb").next()?;
            name.strip_prefix("adb-")?
                .rsplit_once('-')
                .map(|(number, _)| number)
        }
        _ => None,
    }
}

/// Each entry as a connection; nothing for one that is still being asked.
pub(crate) fn connections(entries: &[Entry]) -> Vec<Option<Connection>> {
    let listed = entries.iter().zip(identify(entries));
    listed
        .map(|(entry, phone)| match entry.known {
            Known::Asking => None,
            Known::Nothing | Known::Told(_) => Some(Connection {
                serial: entry.line.serial.clone(),
                phone,
                state: entry.line.state,
                transport: transport(entry),
                model: entry.line.model.clone().unwrap_or_default(),
                name: name(entry),
                server: entry.server.clone(),
                reason: entry.line.reason.clone(),
            }),
        })
        .collect()
}

fn transport(entry: &Entry) -> Transport {
    match (&entry.server, &entry.known) {
        (Server::Demo, _) => Transport::Demo,
        (_, Known::Told(details)) if details.emulator => Transport::Emulator,
        _ => entry.line.transport(),
    }
}

fn name(entry: &Entry) -> String {
    let told = match &entry.known {
        Known::Told(details) => details.name.clone(),
        _ => None,
    };
    told.or_else(|| entry.line.model.as_ref().map(|model| model.replace('_', " ")))
        .unwrap_or_else(|| entry.line.serial.clone())
}

/// The best way to a phone: usable first, then this computer's cable, then the rest.
pub(crate) fn rank(connection: &Connection) -> (u8, u8, u8) {
    let state = match connection.state {
        PhoneState::Device => 0,
        PhoneState::Unauthorized | PhoneState::Authorizing | PhoneState::Connecting => 1,
        _ => 2,
    };
    let server = match connection.server {
        Server::Demo | Server::Local { .. } => 0,
        Server::Remote { .. } => 1,
    };
    let transport = match connection.transport {
        Transport::Usb | Transport::Demo | Transport::Emulator => 0,
        Transport::Wifi => 1,
        Transport::Unknown => 2,
    };
    (state, server, transport)
}

/// Each phone once, in the order of its first line, by its best connection.
pub(crate) fn phones(entries: &[Entry], connections: &[Connection]) -> Vec<Phone> {
    let mut order: Vec<&PhoneId> = Vec::new();
    for connection in connections {
        if !order.contains(&&connection.phone) {
            order.push(&connection.phone);
        }
    }
    let best = |id: &PhoneId| {
        connections
            .iter()
            .filter(|one| one.phone == *id)
            .min_by_key(|one| rank(one))
    };
    order
        .into_iter()
        .filter_map(best)
        .map(|best| {
            let told = entries.iter().find_map(|entry| match &entry.known {
                Known::Told(details) if entry.line.serial == best.serial && entry.server == best.server => {
                    Some(details)
                }
                _ => None,
            });
            Phone {
                id: best.phone.clone(),
                name: best.name.clone(),
                state: best.state,
                transport: best.transport,
                demo: best.server == Server::Demo,
                battery: told.and_then(|told| told.battery),
                android: told.and_then(|told| told.android.clone()),
                remote: match &best.server {
                    Server::Remote { address } => Some(address.clone()),
                    Server::Local { .. } | Server::Demo => None,
                },
                size: told.and_then(|told| told.size),
                reason: reason(connections, best),
            }
        })
        .collect()
}

/// Why a phone cannot be used; one that can be has no reason, whatever another of its connections says.
fn reason(connections: &[Connection], best: &Connection) -> Option<String> {
    if best.state == PhoneState::Device {
        return None;
    }
    let ways = connections.iter().filter(|one| one.phone == best.phone);
    best.reason
        .clone()
        .or_else(|| ways.filter_map(|one| one.reason.clone()).next())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect::devices::read_list;

    fn local() -> Server {
        Server::Local {
            address: "127.0.0.1:5037".to_owned(),
        }
    }

    fn remote() -> Server {
        Server::Remote {
            address: "192.168.1.7:5037".to_owned(),
        }
    }

    fn entry(server: Server, line: &str, number: Option<&str>) -> Entry {
        let line = read_list(line).remove(0);
        let known = match number {
            Some(number) => Known::Told(Details {
                serial_number: Some(number.to_owned()),
                name: Some("Anna's Pixel".to_owned()),
                ..Details::default()
            }),
            None => Known::Nothing,
        };
        Entry { server, line, known }
    }

    fn listed(entries: &[Entry]) -> Vec<Connection> {
        connections(entries).into_iter().flatten().collect()
    }

    fn ids(entries: &[Entry]) -> Vec<String> {
        identify(entries).into_iter().map(|id| id.0).collect()
    }

    #[test]
    fn one_phone_over_cable_and_air_is_one() {
        let entries = [
            entry(local(), "192.168.1.20:5555 device transport_id:3", Some("R58M")),
            entry(
                local(),
                "adb-R58M-x (2)._adb-tls-connect._tcp device transport_id:4",
                Some("R58M"),
            ),
            entry(local(), "R58M device usb:1-1 transport_id:1", Some("R58M")),
            entry(remote(), "R58M device usb:1-1 transport_id:1", Some("R58M")),
        ];
        assert_eq!(ids(&entries), ["R58M"; 4]);
        let connections = listed(&entries);
        let phones = phones(&entries, &connections);
        assert_eq!(phones.len(), 1);
        assert_eq!(
            (phones[0].transport, phones[0].remote.as_deref()),
            (Transport::Usb, None)
        );
        assert_eq!(phones[0].name, "Anna's Pixel");
    }

    #[test]
    fn a_way_that_cannot_be_asked_belongs_to_the_phone_it_names() {
        let mut entries = vec![
            entry(local(), "R58M unauthorized usb:1-1 transport_id:1", None),
            entry(
                local(),
                "adb-R58M-x7Yz1Q._adb-tls-connect._tcp offline transport_id:4",
                None,
            ),
            entry(local(), "192.168.1.20:5555 device transport_id:3", Some("R58M")),
        ];
        assert_eq!(ids(&entries), ["R58M"; 3]);
        let shown = phones(&entries, &listed(&entries));
        assert_eq!((shown.len(), shown[0].state), (1, PhoneState::Device));
        // Nobody told the number: then it is only a word.
        entries.pop();
        assert_eq!(
            ids(&entries)[1],
            "127.0.0.1:5037/adb-R58M-x7Yz1Q._adb-tls-connect._tcp"
        );
        assert_eq!(ids(&entries)[0], "127.0.0.1:5037/R58M");
    }

    #[test]
    fn a_reason_stands_where_the_phone_cannot_be_used() {
        let udev = "0123 no permissions (user in plugdev group; are your udev rules wrong?) usb:1-4";
        let entries = [
            entry(local(), udev, None),
            entry(local(), "R58M device usb:1-1", Some("R58M")),
        ];
        let shown = phones(&entries, &listed(&entries));
        assert!(
            shown[0]
                .reason
                .as_deref()
                .is_some_and(|why| why.contains("udev rules")),
            "{shown:?}"
        );
        assert_eq!(shown[1].reason, None);
    }

    #[test]
    fn two_phones_with_one_number_are_two() {
        let entries = [
            entry(local(), "A1 device usb:1-1", Some("CHEAP")),
            entry(local(), "A2 device usb:1-2", Some("CHEAP")),
            entry(local(), "emulator-5554 device", Some("EMULATOR36")),
            entry(local(), "emulator-5556 device", Some("EMULATOR36")),
        ];
        assert_eq!(
            ids(&entries),
            [
                "127.0.0.1:5037/A1",
                "127.0.0.1:5037/A2",
                "127.0.0.1:5037/emulator-5554",
                "127.0.0.1:5037/emulator-5556"
            ]
        );
    }

    #[test]
    fn a_phone_that_cannot_be_asked_keeps_server_and_serial() {
        let entries = [
            entry(local(), "R58M unauthorized usb:1-1", None),
            entry(remote(), "R58M unauthorized usb:1-1", None),
            entry(local(), "???????????? no permissions", None),
            entry(local(), "???????????? no permissions", None),
        ];
        assert_eq!(
            ids(&entries),
            [
                "127.0.0.1:5037/R58M",
                "192.168.1.7:5037/R58M",
                "127.0.0.1:5037/????????????",
                "127.0.0.1:5037/????????????#2"
            ]
        );
        let shown = phones(&entries, &listed(&entries));
        assert_eq!(shown[0].state, PhoneState::Unauthorized);
        assert_eq!(shown[1].remote.as_deref(), Some("192.168.1.7:5037"));
    }

    #[test]
    fn who_is_still_being_asked_is_not_listed() {
        let mut asking = entry(local(), "R58M device usb:1-1 model:Pixel_8", None);
        asking.known = Known::Asking;
        assert!(listed(std::slice::from_ref(&asking)).is_empty());
        asking.known = Known::Nothing;
        assert_eq!(listed(&[asking])[0].name, "Pixel 8");
    }
}
