//! Whether the test bed is built in.

/// The feature `bed` is on.
pub const TEST_BED: bool = cfg!(feature = "bed");
