//! From the servers' lines to one list of phones.

use super::phone_details::Details;
use crate::connect::devices::DeviceLine;
use protocol::{Connection, Phone, PhoneId, PhoneState, Server, Transport};
use std::collections::{HashMap, HashSet};

/// One line of one server, and what is known of the phone behind it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) server: Server,
    pub(crate) line: DeviceLine,
    pub(crate) known: DetailsState,
    /// Tells it from every other line that had its serial, also where a server numbers its lines anew.
    pub(crate) age: u64,
}

/// How far a phone has introduced itself.
#[derive(Clone, Debug)]
pub(crate) enum DetailsState {
    /// It is being asked: it is listed once it answered or failed to.
    Asking,
    /// It could not be asked, or need not be.
    Unknown,
    /// It told.
    Known(Details),
}

/// Serials that one list has more than once: a server that is asked for one of them does not know which is meant. What it may
/// not open, and what a phone that was pulled out and in again leaves for a moment, is no second phone.
pub(crate) fn repeated(lines: &[DeviceLine]) -> Vec<&str> {
    let stands = |line: &&DeviceLine| !matches!(line.state, PhoneState::NoPermissions | PhoneState::Offline);
    let lines: Vec<&DeviceLine> = lines.iter().filter(stands).collect();
    let is_second = |at: usize| {
        let line = lines[at];
        let elsewhere = |other: &&&DeviceLine| line.usb.is_none() || other.usb != line.usb;
        let mut others = lines[..at].iter().filter(elsewhere);
        others.any(|other| other.serial == line.serial)
    };
    (0..lines.len())
        .filter(|at| is_second(*at))
        .map(|at| lines[at].serial.as_str())
        .collect()
}

/// Numbers that several phones say are their own: a phone hangs on one server's USB once.
pub(crate) fn shared(entries: &[Entry]) -> impl Iterator<Item = &str> {
    let mut seen = HashSet::new();
    let cabled = entries
        .iter()
        .filter(|entry| entry.line.transport() == Transport::Usb);
    cabled
        .filter_map(|entry| Some((entry.server.address(), own_number(entry)?)))
        .filter(move |told| !seen.insert(*told))
        .map(|(_, number)| number)
}

/// Which phone each entry is. One phone over two ways is one; phones with one number are as many as they are, and none of
/// them goes by it: that is `shared`, all that was ever found to be, for whoever is left alone may be any of them.
pub(crate) fn identify(entries: &[Entry], shared: &HashSet<String>) -> Vec<PhoneId> {
    let told: HashSet<&str> = entries.iter().filter_map(own_number).collect();
    let mut seen: HashMap<String, usize> = HashMap::new();
    entries
        .iter()
        .map(|entry| {
            let line = &entry.line;
            let id = format!("{}/{}", entry.server.address(), line.serial);
            if shared.contains(&line.serial) {
                // Whatever it tells: the other is still to tell the same.
                let port = line.usb.as_deref().unwrap_or_default();
                let number = line.transport_id.unwrap_or_default();
                return PhoneId(format!("{id}#{port}.{number}.{}", entry.age));
            }
            let number = own_number(entry).or_else(|| written_number(entry).filter(|one| told.contains(one)));
            if let Some(number) = number.filter(|number| !shared.contains(*number)) {
                return PhoneId(number.to_owned());
            }
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
        DetailsState::Known(details)
            if !details.emulator && entry.line.transport() != Transport::Emulator =>
        {
            details.serial_number.as_deref()
        }
        _ => None,
    }
}

/// The number that stands in the serial of a connection over which the phone cannot be asked: a cable's serial is the
/// number itself, a network's name holds it (`adb-R58M-abcdef._adb-tls-connect._tcp`). It is believed only of a phone that
/// told the same number over another way.
fn written_number(entry: &Entry) -> Option<&str> {
    if matches!(entry.known, DetailsState::Known(_)) {
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
pub(crate) fn connections(entries: &[Entry], shared: &HashSet<String>) -> Vec<Option<Connection>> {
    let listed = entries.iter().zip(identify(entries, shared));
    listed
        .map(|(entry, phone)| match entry.known {
            DetailsState::Asking => None,
            DetailsState::Unknown | DetailsState::Known(_) => Some(Connection {
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
        (_, DetailsState::Known(details)) if details.emulator => Transport::Emulator,
        _ => entry.line.transport(),
    }
}

fn name(entry: &Entry) -> String {
    let told = match &entry.known {
        DetailsState::Known(details) => details.name.clone(),
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

/// Each phone once, in the order of its first line, by its best connection; `connections` has one for each entry.
pub(crate) fn phones(entries: &[Entry], connections: &[Option<Connection>]) -> Vec<Phone> {
    let listed = || {
        let pairs = entries.iter().zip(connections);
        pairs.filter_map(|(entry, connection)| Some((entry, connection.as_ref()?)))
    };
    let mut order: Vec<&PhoneId> = Vec::new();
    for (_, connection) in listed() {
        if !order.contains(&&connection.phone) {
            order.push(&connection.phone);
        }
    }
    let best = |id: &PhoneId| {
        listed()
            .filter(|(_, one)| one.phone == *id)
            .min_by_key(|(_, one)| rank(one))
    };
    order
        .into_iter()
        .filter_map(best)
        .map(|(entry, best)| {
            let told = match &entry.known {
                DetailsState::Known(details) => Some(details),
                DetailsState::Asking | DetailsState::Unknown => None,
            };
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
                reason: reason(listed().map(|(_, one)| one), best),
            }
        })
        .collect()
}

/// Why a phone cannot be used; one that can be has no reason, whatever another of its connections says.
fn reason<'a>(connections: impl Iterator<Item = &'a Connection>, best: &Connection) -> Option<String> {
    if best.state == PhoneState::Device {
        return None;
    }
    let mut ways = connections.filter(|one| one.phone == best.phone);
    best.reason
        .clone()
        .or_else(|| ways.find_map(|one| one.reason.clone()))
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
            Some(number) => DetailsState::Known(Details {
                serial_number: Some(number.to_owned()),
                name: Some("Anna's Pixel".to_owned()),
                ..Details::default()
            }),
            None => DetailsState::Unknown,
        };
        Entry {
            server,
            line,
            known,
            age: 0,
        }
    }

    fn found(entries: &[Entry]) -> HashSet<String> {
        shared(entries).map(str::to_owned).collect()
    }

    fn connected(entries: &[Entry]) -> Vec<Option<Connection>> {
        connections(entries, &found(entries))
    }

    fn ids(entries: &[Entry]) -> Vec<String> {
        identify(entries, &found(entries))
            .into_iter()
            .map(|id| id.0)
            .collect()
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
        let phones = phones(&entries, &connected(&entries));
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
        let shown = phones(&entries, &connected(&entries));
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
        let shown = phones(&entries, &connected(&entries));
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
    fn phones_of_one_serial_go_by_their_lines() {
        let lines = "CHEAP device usb:1-1 transport_id:1\nCHEAP device usb:1-2 transport_id:2\nAGAIN offline usb:1-3\n\
                     AGAIN device usb:1-3\nBACK device usb:1-4\nBACK connecting usb:1-4\n???????????? no permissions\n\
                     ???????????? no permissions\n";
        let lines = read_list(lines);
        let mut shared: HashSet<String> = repeated(&lines).into_iter().map(str::to_owned).collect();
        assert_eq!(shared, HashSet::from(["CHEAP".to_owned()]));
        shared.insert("NUMBER".to_owned());
        let mut entries = [
            entry(local(), "CHEAP device usb:1-1 transport_id:1", Some("CHEAP")),
            entry(local(), "CHEAP device usb:1-2 transport_id:2", None),
            entry(local(), "ALONE device usb:1-3 transport_id:3", Some("NUMBER")),
        ];
        entries[1].age = 4;
        let ids: Vec<String> = identify(&entries, &shared).into_iter().map(|id| id.0).collect();
        assert_eq!(
            ids,
            [
                "127.0.0.1:5037/CHEAP#1-1.1.0",
                "127.0.0.1:5037/CHEAP#1-2.2.4",
                "127.0.0.1:5037/ALONE"
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
        let shown = phones(&entries, &connected(&entries));
        assert_eq!(shown[0].state, PhoneState::Unauthorized);
        assert_eq!(shown[1].remote.as_deref(), Some("192.168.1.7:5037"));
    }

    #[test]
    fn who_is_still_being_asked_is_not_listed() {
        let mut asking = entry(local(), "R58M device usb:1-1 model:Pixel_8", None);
        asking.known = DetailsState::Asking;
        assert_eq!(connected(std::slice::from_ref(&asking)), [None]);
        asking.known = DetailsState::Unknown;
        let shown = connected(&[asking]);
        assert_eq!(shown[0].as_ref().map(|one| one.name.as_str()), Some("Pixel 8"));
    }
}
