//! Replies in, actions out: one module a dialect, all through one door.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod door;
mod openpocket;
mod variables;
