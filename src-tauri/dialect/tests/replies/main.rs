//! Replies in, actions out: one module a dialect, all through one door.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod appagent;
mod autoglm;
mod cogagent;
mod cousins;
mod door;
mod foreign;
mod gui_owl;
mod hermes;
mod omnimcp;
mod openpocket;
mod pages;
mod step_gui;
mod ui_tars;
mod ui_venus;
mod variables;
mod verbs;
