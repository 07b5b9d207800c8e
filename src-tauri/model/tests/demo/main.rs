//! The demo AI at work: a whole run of room `agent`, its judge and its history, on the demo phone.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod support;
mod scratch;
