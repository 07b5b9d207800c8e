//! The product, whole: the real app in a real window under a virtual display, with a real session bus, keychain and
//! notification server. Driven through WebKitWebDriver, as a person would: by clicks and keys.
//!
//! Ignored in a plain `cargo test`: they need the pages built and the packages that `cargo xtask test` installs.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test"
)]

mod app;
mod automations;
mod autostart;
#[path = "../shared/chat.rs"]
mod chat;
mod desktop;
mod driver;
mod first_start;
mod hands;
mod hostile;
mod installed;
mod large_text;
mod mirrors;
mod model;
mod models;
mod notices;
mod opening;
mod pages;
mod past;
mod saved;
mod search;
#[path = "../shared/shapes.rs"]
mod shapes;
#[path = "../shared/skipped.rs"]
mod skipped;
mod sound;
mod tasks;
mod tray;
mod troubles;
mod usage;
mod views;
