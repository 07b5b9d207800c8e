//! The processes of one script, started together and ended together.
//!
//! Both systems' `Group` have the same methods: `spawn`, `stdin`, `stdout`, `stderr`, `leader_ended`, `ask_to_end`,
//! `end`. Dropping one kills what is left of it.

mod command;
#[cfg(target_os = "linux")]
mod strays;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::Group;
#[cfg(windows)]
pub(crate) use windows::Group;
