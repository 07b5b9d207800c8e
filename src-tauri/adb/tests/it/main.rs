//! The room as its callers meet it, against a scripted server. Virtual time throughout, but for files and programs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod capture_scheduler;
mod client;
mod doing;
mod field;
mod files;
#[path = "../../../../tests/shared/judged.rs"]
mod judged;
mod looking;
#[path = "../../../../tests/shared/newer_adb.rs"]
mod newer_adb;
mod noise;
mod pairing;
#[cfg(target_os = "linux")]
mod pairing_real;
mod programs;
mod reading;
#[cfg(target_os = "linux")]
mod real_shell;
mod roster;
mod samples;
mod session;
#[path = "../../../../tests/shared/skipped.rs"]
mod skipped;
mod stopping;
mod streaming;
mod streaming_faults;
mod tools;
mod typing;
mod waking;

#[path = "../support/mod.rs"]
mod support;
