//! A simulated Android phone that speaks the real ADB protocol.
//!
//! It is the demo, and every test's phone. It knows nothing of the product: the two meet only on the wire, as with a
//! real phone. Two sides meet in the trait [`android::Android`]: the system (windows, apps, drawing: [`system`]) and the
//! wire (daemon, server, shell, what a phone is asked).
//!
//! Start reading at [`Host`]: phones are added to it, and reached through [`Host::open`] (a pipe in this process) or
//! [`Host::serve`] (an adb server's smart socket). Under them lie `services` (what can be opened), `shell` and `toybox`,
//! and `tools` (Android's own commands).
//!
//! # The feature `test-support`
//! That much is in the programs people get. What only tests need of a phone is behind the feature `test-support`: the
//! daemon's own port (`PhoneHandle::serve_adbd`, for `adb connect`), an emulator's console, a pairing page, scrcpy's
//! server, a terminal a person sits at, the greater part of `toybox`, clips, [`Fault`]s (what can be wrong) and the
//! [`Record`] (what arrived). Without it the last two are empty and stay so: no fault has a name, nothing is recorded. The shell itself stays: what
//! asks a phone speaks to it in command lines with traps, loops and pipes. [`TEST_SUPPORT`] tells which of the two
//! this is.
//!
//! Absent on purpose: anything of the host's (its files, processes, network, date), encryption at the daemon's port
//! (`STLS`; pairing is answered by the smart socket alone), forwarding of ports, what a second display shows, installing
//! apps other than ADBKeyboard.

// What is called by tests alone is left out by the linker; their own build finds what nobody calls.
#![cfg_attr(
    not(feature = "test-support"),
    allow(dead_code, unused_imports, reason = "tests use it")
)]

// The tests' fake system names the crate as an outsider does.
#[cfg(test)]
extern crate self as virtual_phone;

#[cfg(feature = "test-support")]
mod adbd;
pub mod android;
mod apps;
mod clock;
mod fault;
mod files;
mod host;
mod phone;
mod phone_server;
mod process;
mod programs;
mod reader;
mod record;
#[cfg(feature = "test-support")]
mod scrcpy;
mod server;
mod services;
mod shell;
pub mod system;
mod test_support;
#[cfg(test)]
mod testing;
pub mod timecode;
mod toolkit;
mod tools;
mod toybox;
mod video;

pub use clock::{Speed, Times};
pub use fault::{ConnectionState, Fault, NoSuchFault};
pub use host::{Host, Options, Pairing, PhoneHandle, Transport};
pub use phone::{Listener, LocalSockets};
pub use phone_server::{PhoneServerError, PhoneServerOptions, serve as serve_phone};
pub use record::{Entry, Received, Record};
pub use test_support::TEST_SUPPORT;
pub use video::{Clip, ClipOptions, NoClip};
