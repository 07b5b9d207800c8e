//! Processes as on a phone: numbers, groups, sessions, signals, open files.

mod descriptor;
mod pipe;
pub(crate) mod proc;
mod run;
mod signal;
mod table;

pub(crate) use descriptor::{Descriptor, Descriptors};
pub(crate) use pipe::{Reader, Writer, pipe};
pub(crate) use run::{Call, Child, Environment, NoFork, Program, SYSTEM, Spawn, spawn};
pub(crate) use signal::Signal;
pub(crate) use table::{Ended, Exit, Origin, Process, Processes, Row};
