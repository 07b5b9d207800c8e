//! The system side of the phone, worked with as a person (or a computer) does: through the trait, by finger, by key, and
//! by what `uiautomator` tells.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod apps;
mod bank;
mod composing;
mod gestures;
mod hand;
mod keys;
#[path = "../../../../tests/shared/long.rs"]
mod long;
mod pictures;
mod properties;
mod screens;
mod shop;
mod split;
mod starting;
mod tree;
mod windows;
mod writing;
