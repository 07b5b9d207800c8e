//! The run's port against a whole phone: real daemon services, a real shell, real apps, met on the wire alone.
//!
//! Over TCP time is real and the phone answers at once; over a pipe in this process time is virtual and the phone takes
//! a phone's time. What reached the phone is told by the phone itself.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod attacks;
mod composing;
mod delivery;
mod doctor;
mod doing;
mod every_maker;
mod every_text;
mod fast_step;
mod faults;
#[path = "../../../agent/tests/run/support/guard.rs"]
mod guard;
mod icons;
#[path = "../../../../tests/shared/judged.rs"]
mod judged;
mod left_behind;
#[path = "../../../../tests/shared/long.rs"]
mod long;
mod looking;
mod makers;
mod memory;
mod placing;
mod pointer_input;
mod product;
mod reader;
mod rig;
mod running;
mod session;
mod settling;
mod sound;
mod split;
mod stopping;
mod streaming;
mod twins;
mod typing;
mod unplugging;
