//! Through the whole engine: a phone behind its server, a model that says what the test wrote, a store in a folder.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test"
)]

mod automations;
#[path = "../../../../tests/shared/chat.rs"]
mod chat;
mod going_on;
#[path = "../../../agent/tests/run/support/guard.rs"]
mod guard;
mod history;
mod icons;
mod long;
mod model_words;
#[path = "../../../../tests/shared/python.rs"]
mod python;
mod replaying;
mod retention;
mod rig;
mod saved;
#[path = "../../../model/tests/server/mod.rs"]
mod server;
#[path = "../../../../tests/shared/shapes.rs"]
mod shapes;
#[path = "../../../../tests/shared/skipped.rs"]
mod skipped;
mod spending;
mod standing;
mod strangers;
mod together;
mod typing;
