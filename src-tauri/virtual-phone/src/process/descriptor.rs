//! Open files of a process: pipes, files, devices.

use super::{Reader, Writer};
use crate::files::{Errno, OpenFile};
use bytes::{Bytes, BytesMut};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What an open file is.
#[derive(Debug)]
pub(crate) enum Descriptor {
    Reader {
        pipe: Reader,
        terminal: bool,
    },
    Writer {
        pipe: Writer,
        terminal: bool,
        /// The terminal turns LF into CR LF (`ONLCR`).
        cooked: bool,
        /// The daemon's socket pair, not a pipe: `/proc/self/fd` does not open it again.
        socket: bool,
    },
    File(OpenFile),
    Null,
    Zero,
}

/// Why nothing could be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotWritten {
    /// Nobody reads any more (`SIGPIPE`).
    Broken,
    Errno(Errno),
}

impl Descriptor {
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(
            self,
            Self::Reader { terminal: true, .. } | Self::Writer { terminal: true, .. }
        )
    }

    /// The next bytes, at most `most`; none at the end.
    pub(crate) async fn read(&self, most: usize) -> Result<Option<Bytes>, Errno> {
        match self {
            Self::Reader { pipe, .. } => Ok(pipe.read(most).await),
            Self::File(file) => Ok(file.read(most)?.map(Bytes::from)),
            Self::Null => Ok(None),
            Self::Zero => Ok(Some(Bytes::from(vec![0; most.min(4096)]))),
            Self::Writer { .. } => Err(Errno::BadDescriptor),
        }
    }

    /// What opening its name below `/proc/self/fd` gives: a pipe, a terminal or a device again; of a socket, `ENXIO`
    /// (`sock_no_open`). A file keeps its place, which a phone would begin anew.
    pub(crate) fn reopen(self: &Arc<Self>) -> Result<Arc<Self>, Errno> {
        match **self {
            Self::Writer { socket: true, .. } => Err(Errno::NoDevice),
            _ => Ok(Arc::clone(self)),
        }
    }

    /// Writes everything.
    pub(crate) async fn write(&self, bytes: Bytes) -> Result<(), NotWritten> {
        match self {
            Self::Writer { pipe, cooked, .. } => {
                let bytes = if *cooked {
                    with_carriage_returns(&bytes)
                } else {
                    bytes
                };
                pipe.write(bytes).await.map_err(|_| NotWritten::Broken)
            }
            Self::File(file) => file.write(&bytes).map_err(NotWritten::Errno),
            Self::Null | Self::Zero => Ok(()),
            Self::Reader { .. } => Err(NotWritten::Errno(Errno::BadDescriptor)),
        }
    }
}

fn with_carriage_returns(bytes: &Bytes) -> Bytes {
    let mut all = BytesMut::with_capacity(bytes.len() + 16);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(text) => {
                all.extend_from_slice(text);
                all.extend_from_slice(b"\r\n");
            }
            None => all.extend_from_slice(line),
        }
    }
    all.freeze()
}

/// A process's open files by number. A clone shares them, as a forked child does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Descriptors(BTreeMap<i32, Arc<Descriptor>>);

impl Descriptors {
    /// Standard input, output and error.
    pub(crate) fn standard(input: Arc<Descriptor>, output: Arc<Descriptor>, error: Arc<Descriptor>) -> Self {
        Self(BTreeMap::from([(0, input), (1, output), (2, error)]))
    }

    pub(crate) fn get(&self, number: i32) -> Option<Arc<Descriptor>> {
        self.0.get(&number).cloned()
    }

    pub(crate) fn set(&mut self, number: i32, descriptor: Arc<Descriptor>) {
        self.0.insert(number, descriptor);
    }

    pub(crate) fn close(&mut self, number: i32) {
        self.0.remove(&number);
    }
}
