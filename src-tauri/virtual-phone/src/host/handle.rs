//! One phone, in the hands of whoever added it.

#[cfg(feature = "test-support")]
use super::console;
use super::shared::{AttachedPhone, Shared, Transport};
use super::wireless::Pairing;
#[cfg(feature = "test-support")]
use crate::adbd;
use crate::android::Android;
use crate::fault::Fault;
use crate::phone::LocalSockets;
use crate::record::Record;
use crate::video::Clip;
use serde_json::Value;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// One phone. Clones are the same phone; they keep it, but not its host.
#[derive(Clone, Debug)]
pub struct PhoneHandle {
    slot: AttachedPhone,
    shared: Arc<Shared>,
}

impl PhoneHandle {
    pub(super) fn new(slot: AttachedPhone, shared: Arc<Shared>) -> Self {
        Self { slot, shared }
    }

    /// Its serial in the server's list.
    #[must_use]
    pub fn serial(&self) -> &str {
        &self.slot.serial
    }

    /// What reached it: nothing, without test support.
    #[must_use]
    pub fn record(&self) -> Record {
        self.slot.phone.record.clone()
    }

    /// The state of its apps ([`Android::state`]).
    #[must_use]
    pub fn state(&self) -> Value {
        self.with(|android| android.state())
    }

    /// Asks or moves its system directly; it is told the time first. Nothing of this is recorded.
    pub fn with<R>(&self, ask: impl FnOnce(&mut dyn Android) -> R) -> R {
        self.slot.phone.with(ask)
    }

    /// Makes something be wrong from now on: nothing can be, without test support.
    pub fn set_fault(&self, fault: Fault) {
        self.slot.phone.set_fault(fault);
    }

    /// Makes it right again (whatever the fault's argument was).
    pub fn clear_fault(&self, fault: Fault) {
        self.slot.phone.clear_fault(fault);
    }

    /// What is wrong now.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        self.slot.phone.all_faults()
    }

    /// Whether anything came upon this fault since it began: what it does was asked for, and done so.
    #[must_use]
    pub fn has_met(&self, fault: Fault) -> bool {
        self.slot.phone.has_met(fault)
    }

    /// Takes the cable out: it leaves the lists, every stream closes.
    pub fn unplug(&self) {
        self.slot.unplug();
    }

    /// Puts the cable in again.
    pub fn replug(&self) {
        self.slot.plug();
    }

    /// Whether the cable is in.
    #[must_use]
    pub fn is_plugged(&self) -> bool {
        self.slot.link.is_plugged()
    }

    /// The same phone by another way at once: a cable and the network, two names in the list.
    #[must_use]
    pub fn attach(&self, serial: &str, transport: Transport) -> Self {
        let slot = self.shared.attach(&self.slot.phone, serial.to_owned(), transport);
        Self::new(slot, Arc::clone(&self.shared))
    }

    /// Opens the page "Pair device" on the phone: `host:pair:CODE:ADDRESS` finds it there, `host:mdns:services` lists it.
    pub fn offer_pairing(&self, pairing: Pairing) {
        self.shared.wireless().add(&self.slot.phone, pairing);
    }
}

/// What only tests do with a phone.
#[cfg(feature = "test-support")]
impl PhoneHandle {
    /// Wireless debugging is turned off and on again: what is connected over the network is cut, and a computer the phone is
    /// paired with finds it announced at `address`. The server does not connect it by itself, as one whose
    /// `ADB_MDNS_AUTO_CONNECT` is 0.
    pub fn move_wireless(&self, address: &str) {
        self.shared
            .wireless()
            .relocate(&self.shared, &self.slot.phone, address);
    }

    /// The phone's abstract sockets (`localabstract:`): whoever listens on one is reached through it.
    #[must_use]
    pub fn sockets(&self) -> LocalSockets {
        self.slot.phone.sockets.clone()
    }

    /// Takes any file for scrcpy's server of this version when it is started; none: only what is known for one (its own
    /// releases, and a file whose first line is `virtual scrcpy-server VERSION`).
    pub fn set_scrcpy(&self, version: Option<&str>) {
        self.slot.phone.set_scrcpy(version.map(str::to_owned));
    }

    /// Whether scrcpy's server finds that the phone's sound cannot be captured, from the next start on.
    pub fn set_mute(&self, mute: bool) {
        self.slot.phone.set_mute(mute);
    }

    /// Plays a clip as the phone's video, from the next stream on, over and over; none: video is its display again. Captures,
    /// touches and all else are the phone's as ever.
    pub fn play(&self, clip: Option<Arc<Clip>>) {
        self.slot.phone.set_clip(clip);
    }

    /// When the first picture of the clip was due in the newest stream.
    #[must_use]
    pub fn played_since(&self) -> Option<tokio::time::Instant> {
        self.slot.phone.clip_begun()
    }

    /// The phone's date and time of day: time since 1970.
    #[must_use]
    pub fn wall(&self) -> Duration {
        self.slot.phone.clock.wall()
    }

    /// Processes that run commands now: number, and words with blanks between them.
    #[must_use]
    pub fn processes(&self) -> Vec<(u32, String)> {
        self.slot
            .phone
            .processes
            .rows()
            .into_iter()
            .map(|row| (row.pid, row.words.join(" ")))
            .collect()
    }

    /// What stands in a folder of its: names and permission bits; nothing where there is no such folder.
    #[must_use]
    pub fn files(&self, folder: &str) -> Vec<(String, u32)> {
        let listed = self.slot.phone.files.list(folder).unwrap_or_default();
        let bits = |(name, stat): (String, crate::files::Stat)| (name, stat.mode & 0o777);
        listed.into_iter().map(bits).collect()
    }

    /// Answers as the phone's own daemon on `listener`, for `adb connect`. Must be called on a tokio runtime.
    ///
    /// # Errors
    /// When the listener does not tell its address.
    pub fn serve_adbd(&self, listener: TcpListener) -> io::Result<SocketAddr> {
        let address = listener.local_addr()?;
        let phone = Arc::clone(&self.slot.phone);
        self.shared.tasks.spawn(adbd::listen(phone, listener));
        Ok(address)
    }

    /// Answers as an emulator's console on `listener` to whoever shows `token`. The phone's serial names its port:
    /// `emulator-5554`. Must be called on a tokio runtime.
    ///
    /// # Errors
    /// When the listener does not tell its address.
    pub fn serve_console(&self, listener: TcpListener, token: &str) -> io::Result<SocketAddr> {
        let address = listener.local_addr()?;
        let phone = Arc::clone(&self.slot.phone);
        self.shared
            .tasks
            .spawn(console::listen(phone, listener, token.to_owned()));
        Ok(address)
    }

    /// Where it was told that it is: latitude and longitude in degrees.
    #[must_use]
    pub fn placed(&self) -> Option<(f64, f64)> {
        self.slot.phone.placed()
    }
}
