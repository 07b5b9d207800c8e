//! The room's tests: one program, so that they are linked once.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests"
)]

#[path = "../common/storm.rs"]
mod bodies;
#[path = "../common/mod.rs"]
mod common;
#[path = "../../../../tests/shared/long.rs"]
mod long;
mod marks;
mod mask;
mod money;
mod picture;
mod place;
mod same;
mod scope;
mod space;
mod storm;
mod target;
mod track;
mod tree;
