//! The phone from outside: through its public doors, as a client of the adb server or of its daemon meets it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod brands;
mod client;
#[path = "../fake/mod.rs"]
#[allow(unreachable_pub, reason = "the unit tests use the same file")]
mod fake;
mod fault_table;
mod faults;
mod foreign;
mod isolation;
mod mirror;
mod motion;
mod network;
#[path = "../../../../tests/shared/newer_adb.rs"]
mod newer_adb;
mod phone_server;
mod processes;
mod real_adb;
mod real_states;
mod screenrecord;
mod server;
mod shells;
#[path = "../../../../tests/shared/skipped.rs"]
mod skipped;
mod stream;
mod sync;
mod users;
mod whole;
