//! The demo phones: made up by this program, spoken to as every other phone, over a pipe in memory. No port is opened.

use adb::FollowedServer;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio_util::task::AbortOnDropHandle;
use virtual_phone::system::{System, SystemOptions, demo_profiles};
use virtual_phone::{Host, Options, PhoneHandle};

/// Where the demo phones' own state is written as JSON, for whoever wants to compare it with what the window says.
const STATE_FILE: &str = "POCKETDECK_DEMO_STATE";
/// How often it is looked at.
const STATE_EVERY: Duration = Duration::from_millis(200);

/// The demo phones.
pub(crate) struct Demo {
    host: Arc<Host>,
    phones: Arc<Mutex<Vec<PhoneHandle>>>,
    _writer: Option<AbortOnDropHandle<()>>,
}

impl Demo {
    pub(crate) fn new() -> Self {
        let phones: Arc<Mutex<Vec<PhoneHandle>>> = Arc::default();
        let writer = std::env::var_os(STATE_FILE).map(|file| write_state(file.into(), Arc::clone(&phones)));
        Self {
            host: Arc::new(Host::new()),
            phones,
            _writer: writer,
        }
    }

    /// How the roster reaches them.
    pub(crate) fn place(&self) -> FollowedServer {
        let host = Arc::clone(&self.host);
        FollowedServer::demo(adb::connector(move || host.open()))
    }

    /// So many are there; the rest are unplugged and keep what was done on them.
    pub(crate) fn set_count(&self, count: u8) {
        let mut phones = lock(&self.phones);
        let profiles = demo_profiles();
        let count = usize::from(count).min(profiles.len());
        for profile in profiles.into_iter().take(count).skip(phones.len()) {
            phones.push(self.host.add(
                Box::new(System::new(SystemOptions::of(profile))),
                Options::default(),
            ));
        }
        for (number, phone) in phones.iter().enumerate() {
            match (number < count, phone.is_plugged()) {
                (true, false) => phone.replug(),
                (false, true) => phone.unplug(),
                _ => {}
            }
        }
    }
}

fn lock(phones: &Mutex<Vec<PhoneHandle>>) -> MutexGuard<'_, Vec<PhoneHandle>> {
    phones.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes the phones' state whenever it differs: a file that is read while it is written would be half, so it is
/// written beside and moved over.
fn write_state(file: PathBuf, phones: Arc<Mutex<Vec<PhoneHandle>>>) -> AbortOnDropHandle<()> {
    AbortOnDropHandle::new(tokio::spawn(async move {
        let mut before = String::new();
        let mut tick = tokio::time::interval(STATE_EVERY);
        loop {
            tick.tick().await;
            let states: Vec<serde_json::Value> = lock(&phones).iter().map(PhoneHandle::state).collect();
            let now = serde_json::Value::Array(states).to_string();
            if now == before {
                continue;
            }
            let beside = file.with_extension("part");
            let written = tokio::fs::write(&beside, &now).await;
            match written.and(tokio::fs::rename(&beside, &file).await) {
                Ok(()) => before = now,
                Err(error) => tracing::warn!(%error, "the demo phones' state could not be written"),
            }
        }
    }))
}
