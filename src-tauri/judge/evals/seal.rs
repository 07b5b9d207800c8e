//! The seal of the other half: nothing in it has changed since it was closed.

use crate::case::folder;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The files that are not as they were sealed.
pub(crate) fn broken() -> Vec<String> {
    [
        "sealed", "closed", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
    ]
    .map(|part| format!("{part}.sha256"))
    .into_iter()
    .flat_map(|seal| broken_in(&std::fs::read_to_string(folder().join(seal)).unwrap()))
    .collect()
}

fn broken_in(sums: &str) -> Vec<String> {
    assert!(sums.lines().count() > 1, "a seal lists what it closed");
    sums.lines()
        .filter_map(|line| line.split_once("  "))
        .filter(|(sum, path)| !is(sum, path))
        .map(|(_, path)| path.to_owned())
        .collect()
}

fn is(sum: &str, path: &str) -> bool {
    let Ok(bytes) = std::fs::read(folder().join(path)) else {
        return false;
    };
    let digest = Sha256::digest(&bytes)
        .iter()
        .fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        });
    digest == sum
}
