//! Whether test support is built in.

/// The feature `test-support` is on.
pub const TEST_SUPPORT: bool = cfg!(feature = "test-support");
