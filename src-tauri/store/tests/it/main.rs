//! The store: one program for all of its tests, since each program is linked anew.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod asks;
mod automations;
#[path = "../common/mod.rs"]
mod common;
mod erasing;
mod history;
mod journal;
mod keychain;
#[path = "../../../../tests/shared/long.rs"]
mod long;
mod opening;
mod payments;
mod pictures;
mod processes;
mod recordings;
mod round_trip;
mod secrets;
mod versions;
