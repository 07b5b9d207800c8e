//! What is remembered: runs, events, pictures, settings and spending in one SQLite file, keys in the system's keychain.
//!
//! [`Store`] is the file. It implements [`agent::ports::Journal`]: what it acknowledged is on the disk. Two processes
//! may open it at once; a run whose process died without ending it is closed as interrupted by the next to look, and
//! never by mistake while its process lives (`owner.rs`). [`keychain::Keychain`] holds keys and gives them to nobody
//! but the room that calls the model. [`phone_lock`] is the lock that keeps two processes off one phone.
//!
//! Absent on purpose: what an event means (rooms `agent` and the window), when an automation begins (room `schedule`), thumbnails (room `screen`), secrets in
//! files, how long what is kept (room `engine`). Codes and passwords never come here: events say how long they were.
//!
//! A line that this version cannot read is told as [`protocol::What::Unreadable`], and stays as it was written.
//!
//! Start reading at [`Store::open`], then `schema/1.sql`, which holds the rules a caller cannot break.

mod asks;
mod automations;
mod clock;
mod database;
mod erasing;
mod error;
mod event_log;
mod folder;
mod frame_id;
mod frames;
mod full_size_frames;
mod history;
mod interruption;
mod journal;
pub mod keychain;
mod owner;
mod payments;
pub mod phone_lock;
mod recordings;
mod row;
mod runs;
mod schema;
mod search;
mod settings;
mod spending;
mod store;
#[cfg(test)]
mod trouble_tests;

pub use automations::KeptAutomation;
pub use clock::{day, now};
pub use error::StoreError;
pub use frames::Picture;
pub use interruption::Interrupted;
pub use runs::{RunEnd, RunSummary};
pub use settings::apply;
pub use spending::Spending;
pub use store::{Store, exists, set_aside};
