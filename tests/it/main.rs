//! The shell's commands on a mock of the system.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

#[path = "../shared/commands.rs"]
mod commands;
mod ipc;
mod opening;
