//! An open file.

use super::{Content, Errno};
use std::sync::{Arc, Mutex, PoisonError};

/// How a file is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "the flags of open(2)")]
pub(crate) struct OpenMode {
    pub(crate) read: bool,
    pub(crate) write: bool,
    pub(crate) create: bool,
    pub(crate) truncate: bool,
    pub(crate) append: bool,
}

impl OpenMode {
    pub(crate) const READ: Self = Self {
        read: true,
        write: false,
        create: false,
        truncate: false,
        append: false,
    };
    pub(crate) const WRITE: Self = Self {
        read: false,
        write: true,
        create: true,
        truncate: true,
        append: false,
    };
    pub(crate) const APPEND: Self = Self {
        read: false,
        write: true,
        create: true,
        truncate: false,
        append: true,
    };
    pub(crate) const BOTH: Self = Self {
        read: true,
        write: true,
        create: true,
        truncate: false,
        append: false,
    };
}

/// An open file: bytes and a place in them, shared by whoever inherited it.
#[derive(Debug)]
pub(crate) struct OpenFile {
    content: Arc<Content>,
    offset: Mutex<u64>,
    mode: OpenMode,
}

impl OpenFile {
    pub(super) fn new(content: Arc<Content>, mode: OpenMode) -> Self {
        Self {
            content,
            offset: Mutex::new(0),
            mode,
        }
    }

    /// The next bytes, at most `most`; none at the end.
    pub(crate) fn read(&self, most: usize) -> Result<Option<Vec<u8>>, Errno> {
        if !self.mode.read {
            return Err(Errno::BadDescriptor);
        }
        let mut offset = self.offset.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = self.content.read_at(*offset, most);
        *offset += bytes.len() as u64;
        Ok((!bytes.is_empty()).then_some(bytes))
    }

    /// Writes everything.
    pub(crate) fn write(&self, data: &[u8]) -> Result<(), Errno> {
        if !self.mode.write {
            return Err(Errno::BadDescriptor);
        }
        let mut offset = self.offset.lock().unwrap_or_else(PoisonError::into_inner);
        let place = if self.mode.append { None } else { Some(*offset) };
        *offset = self.content.write_at(place, data)?;
        Ok(())
    }
}
