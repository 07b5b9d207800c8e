//! What a server does on the network: connecting, pairing (`client/adb_wifi.cpp`), mDNS (`client/mdns_utils.cpp`,
//! `adb_mdns.cpp`), and telling of itself (`adb_host.proto`: `AdbServerStatus`).

use super::target::ListedState;
use crate::fault::Fault;
use crate::host::{AttachedPhone, Shared, Transport};

pub(super) fn reconnect_offline(shared: &Shared) -> String {
    let off = shared
        .slots()
        .into_iter()
        .filter(|slot| slot.link.is_plugged() && ListedState::of(slot) != ListedState::Device);
    off.map(|slot| format!("reconnecting {}\n", slot.serial))
        .collect()
}

/// `adb connect`'s text: `OKAY` whatever comes of it (`client/transport_local.cpp`: `connect_device`).
pub(super) fn connect(shared: &Shared, address: &str) -> String {
    if address.is_empty() {
        return "empty address".to_owned();
    }
    // A name the server's mDNS knows is looked up before anything else (`socket_spec.cpp`: `parse_tcp_socket_spec`).
    if let Some(guid) = address.strip_suffix("._adb-tls-connect._tcp")
        && !shared.has(Fault::NoMdns)
        && shared.wireless().connect_by_name(shared, guid)
    {
        return format!("connected to {address}");
    }
    if let Some((_, port)) = address.rsplit_once(':')
        && !port.parse::<u16>().is_ok_and(|port| port > 0)
    {
        return format!("bad port number '{port}' in '{address}'");
    }
    let address = if address.contains(':') {
        address.to_owned()
    } else {
        format!("{address}:5555")
    };
    let known = shared
        .slots()
        .into_iter()
        .find(|slot| slot.transport == Transport::Network && slot.serial == address)
        .filter(|slot| !shared.wireless().has_left(&slot.phone, &address));
    match known {
        Some(slot) if slot.link.is_plugged() => format!("already connected to {address}"),
        Some(slot) => {
            slot.plug();
            match ListedState::of(&slot) {
                state if state.has_banner() => format!("connected to {address}"),
                ListedState::Unauthorized => format!("failed to authenticate to {address}"),
                _ => format!("failed to connect to {address}"),
            }
        }
        None if shared.wireless().connect(shared, &address) => format!("connected to {address}"),
        // Unpaired: the phone ends the TLS handshake, and no dialog is shown.
        None if shared.wireless().answers(&address) => format!("failed to connect to {address}"),
        None => format!("failed to connect to '{address}': Connection refused"),
    }
}

/// `adb disconnect`'s text (`adb.cpp`: `handle_host_request`).
pub(super) fn disconnect(shared: &Shared, address: &str) -> Result<String, String> {
    let network: Vec<AttachedPhone> = shared
        .slots()
        .into_iter()
        .filter(|slot| slot.transport == Transport::Network && slot.link.is_plugged())
        .collect();
    if address.is_empty() {
        network.iter().for_each(|slot| slot.unplug());
        return Ok("disconnected everything".to_owned());
    }
    let full = if address.contains(':') {
        address.to_owned()
    } else {
        format!("{address}:5555")
    };
    match network
        .iter()
        .find(|slot| slot.serial == full || slot.serial == address)
    {
        Some(slot) => {
            slot.unplug();
            Ok(format!("disconnected {address}"))
        }
        None => Err(format!("no such device '{full}'")),
    }
}

/// `pair:CODE:ADDRESS`: the outcome in the server's words; none where that is no such request.
pub(super) fn pair(shared: &Shared, rest: &str) -> Option<Result<String, String>> {
    let (code, address) = rest.split_once(':')?;
    let port = address.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
    if !matches!(port, Some(Ok(1..))) {
        return Some(Err(format!("Invalid port while parsing address [{address}]")));
    }
    let offer = shared.wireless().offer(address);
    Some(match offer {
        // Nobody listens there (any more).
        None => Err("Failed: Unable to start pairing client.".to_owned()),
        Some(offer) if offer.code != code => {
            Err("Failed: Wrong password or connection was dropped.".to_owned())
        }
        Some(_) => {
            let guid = shared.wireless().pair(address);
            // A server whose mDNS runs connects at once (`adb_secure_connect_by_service_name`).
            if !shared.has(Fault::NoMdns) {
                shared.wireless().connect_by_name(shared, &guid);
            }
            Ok(format!("Successfully paired to {address} [guid={guid}]"))
        }
    })
}

/// `mdns:check`, as adb 36.0.0 says it.
pub(super) fn check(shared: &Shared) -> String {
    if shared.has(Fault::NoMdns) {
        "ERROR: mdns discovery disabled".to_owned()
    } else {
        "mdns daemon version [Openscreen discovery 0.0.0]".to_owned()
    }
}

/// `mdns:services`: instance, type and address, a line each.
pub(super) fn services(shared: &Shared) -> String {
    if shared.has(Fault::NoMdns) {
        return String::new();
    }
    shared
        .wireless()
        .services()
        .into_iter()
        .map(|(name, kind, address)| format!("{name}\t{kind}\t{address}\n"))
        .collect()
}

/// `server-status`: the fields adb 36.0.0 fills, in its order. Paths invented.
pub(super) fn status() -> Vec<u8> {
    let mut message = vec![0x08, 2, 0x18, 2];
    for (field, text) in [
        (5_u8, "36.0.0"),
        (6, "13206524"),
        (7, "/opt/platform-tools/adb"),
        (8, "/tmp/adb.0.log"),
        (9, "Linux 6.12.0 (x86_64)"),
        (10, ""),
    ] {
        message.push(field << 3 | 2);
        message.push(u8::try_from(text.len()).unwrap_or(0));
        message.extend_from_slice(text.as_bytes());
    }
    message.extend_from_slice(&[0x58, 0, 0x60, 1]);
    let mut answer = format!("OKAY{:04x}", message.len()).into_bytes();
    answer.extend(message);
    answer
}
