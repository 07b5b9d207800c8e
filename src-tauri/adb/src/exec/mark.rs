//! Words nobody else uses.

/// Sixteen hexadecimal digits: in the names of files on a phone, and for finding what a line started.
pub(crate) fn mark() -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    // Every `RandomState` is keyed anew by the system's randomness.
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_differ() {
        assert_ne!(mark(), mark());
        assert_eq!(mark().len(), 16);
    }
}
