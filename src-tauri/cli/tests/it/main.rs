//! The built `deck`, as a person at a terminal meets it: real processes, the real adb, a phone on loopback.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test"
)]
#![cfg(unix)]

mod act;
mod adb_server;
mod bench;
#[path = "../../../../tests/shared/chat.rs"]
mod chat;
mod command;
mod computer;
mod devices;
mod events;
mod look;
mod model;
mod parse;
mod phone;
mod pipes;
mod questions;
mod stopping;
mod ten_steps;
mod terminal;
mod troubles;
