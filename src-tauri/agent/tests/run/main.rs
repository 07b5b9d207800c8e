//! Runs, whole: a scripted model, a fake phone, virtual time. The transcript is the assertion.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test"
)]

mod afterwards;
mod ahead;
mod aim;
mod capabilities;
mod clipboard;
mod computer;
mod control;
mod diet;
mod evidence;
mod faults;
mod lists;
mod loading;
mod location;
#[path = "../../../../tests/shared/long.rs"]
mod long;
mod mediation;
mod money;
mod once;
mod opening;
mod plain;
mod pointing;
mod remember;
mod replay;
mod saved;
mod scope;
mod scripts;
mod secret;
mod standing;
mod storm;
mod stream;
mod support;
mod torn_read;
mod values;
mod waking;
