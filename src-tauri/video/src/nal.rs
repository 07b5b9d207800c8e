//! NAL units: what kind one is, where one begins, and the bytes that keep start codes out of it (7.3.1, 7.4.1).

use memchr::memmem::Finder;
use std::sync::LazyLock;

/// A start code is three bytes; a fourth, zero, may stand before it.
static START: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\x00\x00\x01"));

/// What a NAL unit holds, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A slice of a picture, or its first partition.
    Slice,
    /// Data partitions B and C.
    Partition,
    /// A slice of a picture from which decoding can begin.
    IdrSlice,
    /// Supplemental enhancement information.
    Sei,
    /// Sequence parameter set.
    Sps,
    /// Picture parameter set.
    Pps,
    /// Access unit delimiter.
    Delimiter,
    /// Nothing but bytes.
    Filler,
    /// Kinds 14 to 18: like parameter sets, they come before a picture.
    Prefix,
    /// Anything else.
    Other,
}

/// The kind, from a NAL unit's first byte.
#[must_use]
pub fn kind(header: u8) -> Kind {
    match header & 0x1f {
        1 | 2 => Kind::Slice,
        3 | 4 => Kind::Partition,
        5 => Kind::IdrSlice,
        6 => Kind::Sei,
        7 => Kind::Sps,
        8 => Kind::Pps,
        9 => Kind::Delimiter,
        12 => Kind::Filler,
        14..=18 => Kind::Prefix,
        _ => Kind::Other,
    }
}

/// Where the next three bytes `00 00 01` stand, from `from` on.
pub(crate) fn find(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    START.find(rest).map(|at| from + at)
}

/// The NAL units of a piece of Annex B, without start codes and without the zeros behind them. What stands before the
/// first start code is left out; so are empty ones.
pub fn units(annex_b: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = find(annex_b, 0).map(|at| at + 3);
    std::iter::from_fn(move || {
        loop {
            let from = start?;
            let next = find(annex_b, from);
            let unit = annex_b.get(from..next.unwrap_or(annex_b.len()))?;
            start = next.map(|at| at + 3);
            let end = unit
                .iter()
                .rposition(|byte| *byte != 0)
                .map_or(0, |last| last + 1);
            if let Some(unit) = unit.get(..end).filter(|unit| !unit.is_empty()) {
                return Some(unit);
            }
        }
    })
}

/// The payload of a NAL unit: the emulation prevention bytes taken out.
pub(crate) fn unescape(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut zeros = 0;
    for byte in bytes {
        if zeros >= 2 && *byte == 3 {
            zeros = 0;
            continue;
        }
        zeros = if *byte == 0 { zeros + 1 } else { 0 };
        out.push(*byte);
    }
    out
}

/// A payload with the bytes that keep a start code out of it (H.264, 7.4.1.1): what `unescape` takes out.
pub(crate) fn escape(payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(payload.len() + 4);
    let mut zeros = 0;
    for byte in payload {
        if zeros >= 2 && *byte <= 3 {
            out.push(3);
            zeros = 0;
        }
        zeros = if *byte == 0 { zeros + 1 } else { 0 };
        out.push(*byte);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &[&[u8]]) {
        assert_eq!(units(bytes).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn units_stand_between_start_codes() {
        check(b"", &[]);
        check(b"rubbish", &[]);
        check(b"\0\0\x01", &[]);
        check(b"\0\0\x01\x65a", &[b"\x65a"]);
        check(b"\0\0\0\x01\x65a\0\0\0\x01\x41b", &[b"\x65a", b"\x41b"]);
        check(b"x\0\0\x01\x67\0\0\0\0\x01\x68\0", &[b"\x67", b"\x68"]);
        check(b"\0\0\x01\0\0\x01\x09", &[b"\x09"]);
    }

    #[test]
    fn emulation_prevention_is_that_of_the_standard() {
        for (plain, escaped) in [
            (&b"\0\0\x01"[..], &b"\0\0\x03\x01"[..]),
            (b"\0\0\0\0", b"\0\0\x03\0\0"),
            (b"\0\0\x03", b"\0\0\x03\x03"),
            (b"\0\0\x04", b"\0\0\x04"),
        ] {
            assert_eq!(escape(plain), escaped);
            assert_eq!(unescape(escaped), plain);
        }
    }

    proptest! {
        #[test]
        fn what_is_escaped_holds_no_start_code_and_comes_back(
            payload in prop::collection::vec(prop_oneof![3 => 0..4_u8, 1 => any::<u8>()], 0..60),
        ) {
            let escaped = escape(&payload);
            prop_assert_eq!(find(&escaped, 0), None);
            prop_assert_eq!(unescape(&escaped), payload);
        }

        #[test]
        fn any_bytes_have_units_or_none(bytes in prop::collection::vec(0..3_u8, 0..80)) {
            for unit in units(&bytes) {
                prop_assert!(!unit.is_empty() && unit.last() != Some(&0));
            }
        }
    }
}
