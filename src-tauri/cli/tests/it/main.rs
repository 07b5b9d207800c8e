//! The built `deck`, as a person at a terminal meets it: real processes, the real adb, a phone on loopback.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test"
)]
#![cfg(unix)]

mod act;
mod adb_server;
mod automations;
mod bench;
#[path = "../../../../tests/shared/chat.rs"]
mod chat;
mod command;
mod computer;
mod devices;
mod events;
mod history;
mod journal;
#[cfg(target_os = "linux")]
mod leaving;
mod look;
mod model;
mod parse;
mod phone;
mod pipes;
mod questions;
#[cfg(target_os = "linux")]
#[path = "../../../../tests/shared/sealed.rs"]
mod sealed;
#[path = "../../../../tests/shared/shapes.rs"]
mod shapes;
#[cfg(target_os = "linux")]
#[path = "../../../../tests/shared/skipped.rs"]
mod skipped;
mod spoken;
mod stopping;
mod ten_steps;
mod terminal;
mod troubles;
