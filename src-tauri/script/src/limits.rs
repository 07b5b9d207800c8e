//! What bounds a script that is handed in.

use std::time::Duration;

/// The longest script, in characters.
pub const LONGEST: usize = 12_000;

/// The shortest and the longest time a script may be given.
pub const LIMITS: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(600));
