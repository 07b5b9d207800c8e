//! Files to and from a phone: copied, handed over by a person, installed.

pub(crate) mod delivery;
pub(crate) mod media_import;
pub(crate) mod push;
mod sync;

pub use sync::{Files, Stat};
