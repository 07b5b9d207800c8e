//! A terminal of our own for a program to read from, as if a person sat at it.

use crate::command::Running;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::process::{Command, Stdio};

/// Our end of it.
pub(crate) struct Terminal {
    ours: File,
    theirs: Option<File>,
}

impl Terminal {
    pub(crate) fn open() -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap().into_string().unwrap();
        let theirs = OpenOptions::new().read(true).write(true).open(name).unwrap();
        Self {
            ours: File::from(ours),
            theirs: Some(theirs),
        }
    }

    /// Starts a program that reads from it; what it says is still ours to read line by line.
    pub(crate) fn start(&mut self, mut command: Command) -> Running {
        command
            .stdin(Stdio::from(self.theirs.take().unwrap()))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Running::watch(command.spawn().unwrap())
    }

    /// Types a line and presses Enter.
    pub(crate) fn write(&mut self, line: &str) {
        self.ours.write_all(format!("{line}\n").as_bytes()).unwrap();
    }
}
