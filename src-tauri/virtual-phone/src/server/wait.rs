//! `host:wait-for-…` (`client/adb_install`'s and everybody's `adb wait-for-device`; `services.cpp`: `wait_for_state`).

use super::target::{ListedState, Target};
use crate::fault::ConnectionState;
use crate::host::Shared;

/// What is waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wish {
    target: Target,
    state: Wanted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Device,
    Any,
    Disconnect,
    ListedAs(ConnectionState),
}

impl Wish {
    /// Reads `wait-for-any-device` and its like, for `target` when that is a serial.
    pub(super) fn read(target: &Target, request: &str) -> Result<Self, String> {
        let body = request.trim_start_matches("wait-for-");
        let unknown = || Err("unknown host service".to_owned());
        let Some((transport, state)) = body.split_once('-') else {
            return unknown();
        };
        let target = match (target, transport) {
            (Target::Any, "usb") => Target::Usb,
            (Target::Any, "local") => Target::Local,
            (target, "any" | "usb" | "local") => target.clone(),
            _ => return unknown(),
        };
        let state = match state {
            "device" => Wanted::Device,
            "any" => Wanted::Any,
            "disconnect" => Wanted::Disconnect,
            "bootloader" => Wanted::ListedAs(ConnectionState::Bootloader),
            "recovery" => Wanted::ListedAs(ConnectionState::Recovery),
            "rescue" => Wanted::ListedAs(ConnectionState::Rescue),
            "sideload" => Wanted::ListedAs(ConnectionState::Sideload),
            _ => return unknown(),
        };
        Ok(Self { target, state })
    }

    /// Waits until it is so; says why it never will be.
    pub(super) async fn wait(&self, shared: &Shared) -> Result<(), String> {
        let mut changes = shared.hub.changes();
        loop {
            changes.mark_unchanged();
            match (self.target.find(shared, true), self.state) {
                (Ok(slot), Wanted::Device) if ListedState::of(&slot) == ListedState::Device => return Ok(()),
                (Ok(slot), Wanted::ListedAs(standing))
                    if ListedState::of(&slot) == ListedState::Other(standing) =>
                {
                    return Ok(());
                }
                (Ok(_), Wanted::Any) | (Err(_), Wanted::Disconnect) => return Ok(()),
                (Err(problem), _) if problem.starts_with("more than one") => return Err(problem),
                _ => {}
            }
            if changes.changed().await.is_err() {
                return Err("closed".to_owned());
            }
        }
    }
}
