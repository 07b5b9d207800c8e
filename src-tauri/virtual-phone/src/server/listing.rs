//! Device lists (`transport.cpp`: `append_transport`, `list_transports`).

use super::target::{ListedState, path, sanitized};
use crate::host::{AttachedPhone, Transport};
use std::fmt::Write as _;

/// The list as `host:devices` (short) and `host:devices-l` give it: cables first, then by serial.
pub(super) fn list(slots: &[AttachedPhone], long: bool) -> String {
    let mut plugged: Vec<&AttachedPhone> = slots.iter().filter(|slot| slot.link.is_plugged()).collect();
    plugged.sort_by_key(|slot| (slot.transport == Transport::Network, slot.serial.clone()));
    plugged
        .into_iter()
        .map(|slot| if long { long_line(slot) } else { short_line(slot) })
        .collect()
}

fn short_line(slot: &AttachedPhone) -> String {
    format!("{}\t{}\n", slot.serial, ListedState::of(slot).name())
}

fn long_line(slot: &AttachedPhone) -> String {
    let state = ListedState::of(slot);
    let mut line = format!("{:<22} {}", slot.serial, state.name());
    if let Some(path) = path(slot) {
        let _ = write!(line, " {path}");
    }
    // What the banner told: nothing, while there was none.
    if state.has_banner() {
        let profile = &slot.phone.profile;
        let model = sanitized(&profile.model);
        let _ = write!(
            line,
            " product:{} model:{model} device:{}",
            profile.device, profile.device
        );
    }
    let _ = writeln!(line, " transport_id:{}", slot.link.transport());
    line
}
