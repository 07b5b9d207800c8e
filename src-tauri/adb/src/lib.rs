//! Phones over ADB: finding them, looking, touching, typing, shell, files. The only room that speaks ADB, and the only
//! one that starts the adb program (and nothing else).
//!
//! A small tokio client of the adb server's smart socket ([`server`]) does whatever is hot or must be stopped at once;
//! `adb_client` carries files ([`files`]). Several servers at once are merged into one list ([`roster`]). One phone is
//! an [`AdbPhone`]: it implements the run's port `agent::ports::Phone`, under the lease, and takes its pictures once for all who
//! look on ([`capture_scheduler`] takes pictures one at a time, [`stream`] has them come by themselves).
//!
//! Phones over Wi-Fi are paired and connected in [`wireless`]; the adb program itself is found and started in
//! [`program`], and fetched by a person's button in [`tools`].
//!
//! Absent on purpose: what a tree means (room `screen`), when something may be done (room `agent`), the phone it is
//! tested with (room `virtual-phone`; the two meet on the wire). Nothing of the USB or TLS side of ADB: that is the adb
//! server's work.
//!
//! Start reading at [`phone`], then `remote_command`: how one command ends for sure.

mod adb_keyboard;
pub mod apps;
mod cancel_guard;
pub mod capture;
pub mod capture_scheduler;
mod command;
mod command_line;
mod console;
mod delivery;
mod device_control;
pub mod devices;
pub mod doctor;
pub mod dumpsys;
pub mod error;
mod field;
pub mod files;
mod guarded;
mod idle_detector;
mod launch;
mod leftover;
pub mod link;
mod media_import;
pub mod memory;
mod output_parse;
mod owner;
mod paste;
mod persistent_shell;
mod person;
pub mod phone;
mod pointer_input;
pub mod program;
mod push;
pub mod quote;
mod remote_command;
pub mod roster;
mod route;
pub mod scrcpy;
mod screens;
mod script;
pub mod server;
mod settle;
pub mod shell;
mod shot;
mod sight;
pub mod stream;
mod termination;
mod text_chunking;
pub mod tools;
mod touch;
pub mod tree;
mod typable;
mod typing;
mod wake;
mod wire;
pub mod wireless;
mod writable;

pub use capture_scheduler::{CaptureFeed, Picture};
pub use command::Command;
pub use error::AdbError;
pub use files::{Files, Stat};
pub use link::{Connector, Link, Stream, connector};
pub use phone::AdbPhone;
pub use pointer_input::Gesture;
pub use roster::{Listing, Place, Roster};
pub use server::{AdbServer, Device, Tracker};
pub use wake::Condition;
pub use writable::Typist;
