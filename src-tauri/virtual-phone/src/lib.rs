//! A simulated Android phone that speaks the real ADB protocol.
//!
//! It is the demo, and every test's phone. It knows nothing of the product: the two meet only on the wire, as with a
//! real phone. Two sides meet in the trait [`android::Android`]: the system (windows, apps, drawing: [`system`]) and the
//! wire (daemon, server, shell, what a phone is asked).
//!
//! Start reading at [`Host`]: phones are added to it, and reached through [`Host::open`] (a pipe in this process),
//! [`Host::serve`] (an adb server's smart socket) or [`PhoneHandle::serve_adbd`] (`adb connect`). Under them lie
//! `services` (what can be opened), `shell` and `toybox`, and `tools` (Android's own commands). [`Fault`] names what can
//! be wrong, [`Record`] tells what arrived.
//!
//! Absent on purpose: anything of the host's (its files, processes, network, date), encryption at the daemon's door
//! (`STLS`; pairing is answered by the smart socket alone), forwarding of ports, what a second display shows, sound, installing
//! apps other than ADBKeyboard.

// The tests' fake system names the crate as an outsider does.
#[cfg(test)]
extern crate self as virtual_phone;

mod adbd;
pub mod android;
mod apps;
mod clock;
pub mod counter;
mod door;
mod fault;
mod files;
mod host;
mod phone;
mod process;
mod programs;
mod reader;
mod record;
mod scrcpy;
mod server;
mod services;
mod shell;
pub mod system;
#[cfg(test)]
mod testing;
mod toolkit;
mod tools;
mod toybox;
mod video;

pub use clock::Speed;
pub use door::{Door, NoDoor, open as open_door};
pub use fault::{Fault, NoSuchFault, Standing};
pub use host::{Host, Options, Pairing, PhoneHandle, Transport};
pub use phone::{Listener, LocalSockets};
pub use record::{Entry, Received, Record};
pub use video::{Clip, ClipOptions, NoClip};
