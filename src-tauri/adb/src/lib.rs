//! Phones over ADB: finding them, looking, touching, typing, shell, files. The only room that speaks ADB, and the only
//! one that starts the adb program (and nothing else).
//!
//! | folder | what it does |
//! |---|---|
//! | [`memory`] | what becomes of pictures' memory |
//! | [`error`] | what can go wrong, and what a person reads of it |
//! | [`dumpsys`] | what phones say about themselves, read; pure |
//! | `connect` | the adb server's smart socket, a phone behind it, Wi-Fi, the adb program |
//! | `exec` | one command line on a phone, under the lease, to its surely known end |
//! | [`files`] | files to and from a phone |
//! | [`scrcpy`] | scrcpy's server: keys, text, fingers, clipboard, video, sound |
//! | [`apps`] | what is installed, and opening it |
//! | [`tools`] | platform tools and scrcpy's server, fetched by a person's button |
//! | [`stream`] | the screen's video, shared by all who look |
//! | `reader` | a program of ours on the phone that reads its UI tree and types any text, asked over one shell |
//! | [`capture`] | pictures, the UI tree, and when a screen has come to rest |
//! | `input` | taps, fingers, text, keys, waking |
//! | [`phone`] | one phone, as the run sees it (port `agent::ports::Phone`) and as a person's hand does |
//! | [`doctor`] | what works on a phone, and what to do about what does not |
//! | [`roster`] | several adb servers merged into one list |
//!
//! Each names only folders above it in this table (`tests/architecture.rs`). A small tokio client does whatever is hot or
//! must be stopped at once; `adb_client` carries files.
//!
//! Absent on purpose: what a tree means (room `screen`), what may be done (room `judge`), when (room `agent`), the phone it is
//! tested with (room `virtual-phone`; the two meet on the wire). Nothing of the USB or TLS side of ADB: that is the adb
//! server's work.
//!
//! Start reading at [`phone`], then `exec::remote_command`: how one command ends for sure.

pub mod apps;
pub mod capture;
mod clock;
mod connect;
pub mod doctor;
pub mod dumpsys;
pub mod error;
mod exec;
pub mod files;
mod input;
pub mod memory;
pub mod phone;
mod reader;
pub mod roster;
pub mod scrcpy;
pub mod stream;
pub mod tools;

pub use capture::capture_scheduler::{CaptureFeed, Picture};
pub use capture::tree;
pub use connect::link::{Connector, Link, Stream, connector};
pub use connect::server::{AdbServer, Device, Tracker};
pub use connect::{devices, link, program, server, shell, wireless};
pub use error::AdbError;
pub use exec::quote;
pub use files::{Files, Stat};
pub use input::command::Command;
pub use input::pointer_input::Gesture;
pub use input::wake::WakeState;
pub use input::writable::Typist;
pub use phone::AdbPhone;
pub use roster::{FollowedServer, Listing, Roster};
