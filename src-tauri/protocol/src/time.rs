//! Moments.

/// Milliseconds since 1970-01-01 00:00 UTC.
pub type Millis = u64;
