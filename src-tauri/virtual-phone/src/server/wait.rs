//! `host:wait-for-…` (`client/adb_install`'s and everybody's `adb wait-for-device`; `services.cpp`: `wait_for_state`).

use super::target::{ListedState, Target};
use crate::fault::ConnectionState;
use crate::host::Shared;

/// What is waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WaitRequest {
    target: Target,
    state: AwaitedState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AwaitedState {
    Device,
    Any,
    Disconnect,
    ListedAs(ConnectionState),
}

impl WaitRequest {
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
            "device" => AwaitedState::Device,
            "any" => AwaitedState::Any,
            "disconnect" => AwaitedState::Disconnect,
            "bootloader" => AwaitedState::ListedAs(ConnectionState::Bootloader),
            "recovery" => AwaitedState::ListedAs(ConnectionState::Recovery),
            "rescue" => AwaitedState::ListedAs(ConnectionState::Rescue),
            "sideload" => AwaitedState::ListedAs(ConnectionState::Sideload),
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
                (Ok(slot), AwaitedState::Device) if ListedState::of(&slot) == ListedState::Device => {
                    return Ok(());
                }
                (Ok(slot), AwaitedState::ListedAs(standing))
                    if ListedState::of(&slot) == ListedState::Other(standing) =>
                {
                    return Ok(());
                }
                (Ok(_), AwaitedState::Any) | (Err(_), AwaitedState::Disconnect) => return Ok(()),
                (Err(problem), _) if problem.starts_with("more than one") => return Err(problem),
                _ => {}
            }
            if changes.changed().await.is_err() {
                return Err("closed".to_owned());
            }
        }
    }
}
