//! The bytes of one file, counted against the phone's storage.

use super::Errno;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How much all files together may hold, and do.
#[derive(Debug)]
pub(super) struct Quota {
    used: AtomicU64,
    limit: u64,
    /// Not a byte more fits.
    full: AtomicBool,
}

impl Quota {
    pub(super) fn new(limit: u64) -> Self {
        Self {
            used: AtomicU64::new(0),
            limit,
            full: AtomicBool::new(false),
        }
    }

    /// How many bytes all files hold, and whether not one more fits.
    pub(super) fn held(&self) -> (u64, bool) {
        (
            self.used.load(Ordering::Relaxed),
            self.full.load(Ordering::Relaxed),
        )
    }

    pub(super) fn set_full(&self, full: bool) {
        self.full.store(full, Ordering::Relaxed);
    }
}

/// The bytes of one file: kept while a name or an open file holds them.
#[derive(Debug)]
pub(crate) struct Content {
    bytes: Mutex<Vec<u8>>,
    quota: Arc<Quota>,
}

impl Content {
    pub(super) fn new(quota: &Arc<Quota>) -> Self {
        Self {
            bytes: Mutex::default(),
            quota: Arc::clone(quota),
        }
    }

    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn len(&self) -> u64 {
        self.bytes().len() as u64
    }

    pub(crate) fn copy(&self) -> Vec<u8> {
        self.bytes().clone()
    }

    /// At most `most` bytes from `offset` on.
    pub(crate) fn read_at(&self, offset: u64, most: usize) -> Vec<u8> {
        let bytes = self.bytes();
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
        let end = start.saturating_add(most).min(bytes.len());
        bytes.get(start..end).unwrap_or_default().to_vec()
    }

    /// Writes at `offset` (at the end when none), filling a gap with zeros. Says where the next write goes.
    pub(crate) fn write_at(&self, offset: Option<u64>, data: &[u8]) -> Result<u64, Errno> {
        let mut bytes = self.bytes();
        let start = match offset {
            Some(offset) => usize::try_from(offset).map_err(|_| Errno::TooLarge)?,
            None => bytes.len(),
        };
        let end = start.checked_add(data.len()).ok_or(Errno::TooLarge)?;
        if end as u64 > self.quota.limit {
            return Err(Errno::TooLarge);
        }
        if end > bytes.len() {
            if self.quota.full.load(Ordering::Relaxed) {
                return Err(Errno::NoSpace);
            }
            let grown = (end - bytes.len()) as u64;
            if self.quota.used.fetch_add(grown, Ordering::Relaxed) + grown > self.quota.limit {
                self.quota.used.fetch_sub(grown, Ordering::Relaxed);
                return Err(Errno::NoSpace);
            }
            bytes.resize(end, 0);
        }
        if let Some(place) = bytes.get_mut(start..end) {
            place.copy_from_slice(data);
        }
        Ok(end as u64)
    }

    pub(crate) fn clear(&self) {
        let mut bytes = self.bytes();
        self.quota.used.fetch_sub(bytes.len() as u64, Ordering::Relaxed);
        bytes.clear();
        bytes.shrink_to_fit();
    }
}

impl Drop for Content {
    fn drop(&mut self) {
        self.clear();
    }
}
