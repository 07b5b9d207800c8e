//! What a phone shows: pictures of its screen, the UI tree, and when it has come to rest.
//!
//! [`capture_scheduler`] takes pictures one at a time for all who look on; `observer` puts a picture together with what the
//! phone tells of that moment; `settle` waits for a screen that moves, and `stream_positions` tells later whether anything was drawn since;
//! [`tree`] reads what stands on it.

pub mod capture_scheduler;
mod compare;
mod decode;
mod idle_detector;
pub(crate) mod observer;
mod owner;
mod screens;
pub(crate) mod settle;
pub(crate) mod shot;
mod stream_positions;
pub mod tree;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use decode::{read_png, read_raw, same};

/// A panic elsewhere leaves plain values behind: they are still true.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
