//! Processes as on a phone: numbers, groups, sessions, signals, open files.

mod descriptor;
mod pipe;
pub(crate) mod proc;
mod run;
mod signal;
mod system;
mod table;

pub(crate) use descriptor::{Descriptor, Descriptors};
pub(crate) use pipe::{Reader, Writer, pipe};
pub(crate) use run::{Call, Child, NoFork, Program, Spawn, spawn};
pub(crate) use signal::Signal;
pub(crate) use system::SYSTEM;
pub(crate) use table::{Environment, Exit, Origin, Process, ProcessInfo, Processes, ProgramResult};

/// A program's name and code, for the tables.
macro_rules! program {
    ($name:literal, $main:path) => {
        $crate::process::Program {
            name: $name,
            main: |call| Box::pin($main(call)),
        }
    };
}
pub(crate) use program;
