//! The demo AI at work: whole runs of room `agent`, with its judge and its history, on the demo phone, in virtual time.
//!
//! Every test enters through [`support::check`], which also holds what must be so of every run.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod anywhere;
mod bank;
mod goods;
mod groceries;
mod guard;
mod honesty;
mod messages;
mod properties;
mod records;
mod settings;
mod starts;
#[allow(dead_code, reason = "the runs of real models' tests use the rest")]
mod support;
mod transcripts;
mod trouble;
