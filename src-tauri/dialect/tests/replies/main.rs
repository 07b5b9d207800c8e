//! Replies in, actions out: one module a dialect, all through one door.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod autoglm;
mod cogagent;
mod cousins;
mod door;
mod foreign;
mod hermes;
mod omnimcp;
mod openpocket;
mod pages;
mod ui_tars;
mod variables;
