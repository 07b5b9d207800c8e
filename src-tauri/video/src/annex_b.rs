//! A byte stream in any cuts → access units (Annex B, 7.4.1.2.3).
//!
//! Such a stream has no lengths: a unit is known to be whole only when the next one begins. On a screen that stays as it is
//! the next one does not come, so whoever reads the stream says when it has been silent long enough
//! ([`Splitter::flush`]). Should the rest come after all, the unit that was given out was torn; that is told as
//! [`Part::Gap`].

use crate::nal::{self, Kind};
use bytes::{Bytes, BytesMut};

/// No access unit is larger: a key frame of a large screen at its best quality has a quarter of this.
pub const LARGEST: usize = 8 * 1024 * 1024;

/// What comes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// One access unit with its start codes: parameter sets and the like, then one picture.
    Unit(Bytes),
    /// Something is missing here: what follows cannot be decoded until the next key frame.
    Gap,
}

/// Takes a stream apart. Holds at most [`LARGEST`] bytes and what was pushed last.
#[derive(Debug, Default)]
pub struct Splitter {
    buffer: BytesMut,
    /// Everything before this was searched for start codes.
    searched: usize,
    /// The buffer begins with a start code.
    aligned: bool,
    /// The unit in the buffer holds a picture's slice.
    pictured: bool,
    /// A unit was given out before the next one had begun.
    flushed: bool,
    gap: bool,
}

impl Splitter {
    /// Takes the next bytes. [`Splitter::pop`] until it gives nothing, then the next.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next part, if one is whole.
    pub fn pop(&mut self) -> Option<Part> {
        if self.flushed {
            self.look_behind_flush();
        }
        if std::mem::take(&mut self.gap) {
            return Some(Part::Gap);
        }
        while let Some(at) = nal::find(&self.buffer, self.searched) {
            // A slice's first byte tells whether a picture begins with it; nothing else has so much to tell.
            let (Some(header), Some(first)) = (self.buffer.get(at + 3), self.buffer.get(at + 4)) else {
                self.searched = at;
                return self.bounded();
            };
            let kind = nal::kind(*header);
            let begins_picture = first & 0x80 != 0;
            // The zero before a start code of four bytes is part of it.
            let start = if self.buffer.get(at.wrapping_sub(1)) == Some(&0) {
                at - 1
            } else {
                at
            };
            if !self.aligned {
                let _ = self.buffer.split_to(start);
                self.aligned = true;
                self.pictured = false;
                self.searched = at - start;
                continue;
            }
            let begins_unit = self.pictured
                && match kind {
                    Kind::Slice | Kind::IdrSlice => begins_picture,
                    Kind::Sei | Kind::Sps | Kind::Pps | Kind::Delimiter | Kind::Prefix => true,
                    Kind::Partition | Kind::Filler | Kind::Other => false,
                };
            let is_slice = matches!(kind, Kind::Slice | Kind::IdrSlice);
            if begins_unit {
                let unit = self.buffer.split_to(start).freeze();
                self.searched = at - start + 3;
                self.pictured = is_slice;
                return Some(Part::Unit(unit));
            }
            self.searched = at + 3;
            self.pictured |= is_slice;
        }
        self.searched = self.searched.max(self.buffer.len().saturating_sub(2));
        self.bounded()
    }

    /// The stream has been silent: what is there of a picture is all of it. Nothing when no picture has begun.
    pub fn flush(&mut self) -> Option<Bytes> {
        if !self.aligned || !self.pictured || self.flushed {
            return None;
        }
        // A start code that came without its NAL unit, and zeros that may become one, are the next unit's.
        let whole = match nal::find(&self.buffer, self.searched) {
            Some(at) => at,
            None => self.buffer.len(),
        };
        let held = self.buffer.get(..whole)?;
        let end = held.iter().rposition(|byte| *byte != 0)? + 1;
        let unit = self.buffer.split_to(end).freeze();
        self.searched = 0;
        self.pictured = false;
        self.flushed = true;
        Some(unit)
    }

    /// Whether a picture has begun that is not given out yet.
    #[must_use]
    pub fn holds_picture(&self) -> bool {
        self.aligned && self.pictured
    }

    /// How many bytes are held.
    #[must_use]
    pub fn held(&self) -> usize {
        self.buffer.len()
    }

    /// After a flush the next thing must be a start code.
    fn look_behind_flush(&mut self) {
        let zeros = self.buffer.iter().take_while(|byte| **byte == 0).count();
        match self.buffer.get(zeros) {
            // Zeros alone decide nothing.
            None => {}
            Some(1) if zeros >= 2 => self.flushed = false,
            Some(_) => {
                self.flushed = false;
                self.lose();
            }
        }
    }

    fn lose(&mut self) {
        self.gap = true;
        self.aligned = false;
        self.pictured = false;
        self.searched = 0;
    }

    /// Nothing whole is there. Keeps what is held within its bound.
    fn bounded(&mut self) -> Option<Part> {
        if !self.aligned {
            // Rubbish, but for what may be the beginning of a start code, and the zero before it.
            let rubbish = self
                .buffer
                .len()
                .saturating_sub(3)
                .min(self.searched.saturating_sub(1));
            let _ = self.buffer.split_to(rubbish);
            self.searched -= rubbish;
        } else if self.buffer.len() > LARGEST {
            let end = self.buffer.len().saturating_sub(3);
            let _ = self.buffer.split_to(end);
            self.lose();
            self.gap = false;
            return Some(Part::Gap);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SPS: &[u8] = b"\0\0\0\x01\x67\x42\0\x1e\xaa";
    const PPS: &[u8] = b"\0\0\0\x01\x68\xce\x38";
    const SEI: &[u8] = b"\0\0\x01\x06\x05\x01\x80";
    const AUD: &[u8] = b"\0\0\0\x01\x09\xf0";
    /// A picture's first slice, and one of its others.
    const IDR: &[u8] = b"\0\0\0\x01\x65\x88\x84\x01";
    const IDR_MORE: &[u8] = b"\0\0\x01\x65\x08\x84\x02";
    const P: &[u8] = b"\0\0\0\x01\x41\x9a\x02";
    const P_MORE: &[u8] = b"\0\0\x01\x41\x1a\x02";

    /// Pushes the pieces, pops all, and flushes at the end.
    fn run(pieces: &[&[u8]]) -> Vec<Part> {
        let mut splitter = Splitter::default();
        let mut parts = Vec::new();
        for piece in pieces {
            splitter.push(piece);
            parts.extend(std::iter::from_fn(|| splitter.pop()));
        }
        parts.extend(splitter.flush().map(Part::Unit));
        parts
    }

    #[track_caller]
    fn check(stream: &[&[u8]], expected: &[&[&[u8]]]) {
        let whole = stream.concat();
        let expected: Vec<Part> = expected
            .iter()
            .map(|unit| Part::Unit(unit.concat().into()))
            .collect();
        assert_eq!(run(&[&whole]), expected);
        let bytes: Vec<&[u8]> = whole.chunks(1).collect();
        assert_eq!(run(&bytes), expected, "byte by byte");
    }

    #[test]
    fn a_unit_is_a_picture_and_what_comes_before_it() {
        check(&[], &[]);
        check(&[SPS, PPS], &[]);
        check(&[b"screenrecord: hello\n"], &[]);
        check(&[SPS, PPS, IDR], &[&[SPS, PPS, IDR]]);
        check(
            &[b"hello\n", SPS, PPS, IDR, P, P],
            &[&[SPS, PPS, IDR], &[P], &[P]],
        );
        check(
            &[IDR, IDR_MORE, P, P_MORE, P_MORE, P],
            &[&[IDR, IDR_MORE], &[P, P_MORE, P_MORE], &[P]],
        );
        check(
            &[AUD, SPS, PPS, SEI, IDR, AUD, P, SEI, P],
            &[&[AUD, SPS, PPS, SEI, IDR], &[AUD, P], &[SEI, P]],
        );
        check(&[IDR, SPS, PPS, IDR], &[&[IDR], &[SPS, PPS, IDR]]);
        // A slice that is no picture's first, at the beginning: the picture's rest.
        check(&[P_MORE, P], &[&[P_MORE], &[P]]);
        // Zeros behind a unit stay with it, but for the one that belongs to the next start code.
        check(&[IDR, b"\0\0", P], &[&[IDR, b"\0\0"], &[P]]);
        // Filler and an end of sequence belong to the picture before.
        check(
            &[IDR, b"\0\0\x01\x0c\xff\x80", b"\0\0\x01\x0a\x80", P],
            &[&[IDR, b"\0\0\x01\x0c\xff\x80", b"\0\0\x01\x0a\x80"], &[P]],
        );
    }

    #[test]
    fn a_silent_stream_gives_its_last_picture_and_goes_on() {
        let mut splitter = Splitter::default();
        splitter.push(&[SPS, PPS].concat());
        assert_eq!((splitter.pop(), splitter.flush()), (None, None));
        splitter.push(IDR);
        assert_eq!(splitter.pop(), None);
        assert!(splitter.holds_picture());
        assert_eq!(splitter.flush().as_deref(), Some(&[SPS, PPS, IDR].concat()[..]));
        assert_eq!((splitter.pop(), splitter.flush()), (None, None));
        assert!(!splitter.holds_picture());
        // The next start code comes in two pieces, and nothing more for a while.
        splitter.push(&P[..2]);
        assert_eq!((splitter.pop(), splitter.flush()), (None, None));
        splitter.push(&P[2..]);
        assert_eq!(splitter.pop(), None);
        assert_eq!(splitter.flush().as_deref(), Some(P));
        // Two more, and a start code without its unit.
        splitter.push(&[P, P, &IDR[..4]].concat());
        assert_eq!(splitter.pop(), Some(Part::Unit(P.into())));
        assert_eq!(splitter.pop(), None);
        assert_eq!(splitter.flush().as_deref(), Some(P));
        splitter.push(&IDR[4..]);
        assert_eq!(splitter.pop(), None);
        assert_eq!(splitter.flush().as_deref(), Some(IDR));
    }

    #[test]
    fn a_flush_that_came_too_early_is_told() {
        let mut splitter = Splitter::default();
        splitter.push(&IDR[..6]);
        assert_eq!(splitter.pop(), None);
        assert_eq!(splitter.flush().as_deref(), Some(&IDR[..6]));
        splitter.push(&[&IDR[6..], P, P].concat());
        assert_eq!(splitter.pop(), Some(Part::Gap));
        assert_eq!(splitter.pop(), Some(Part::Unit(P.into())));
        assert_eq!(splitter.flush().as_deref(), Some(P));
    }

    #[test]
    fn what_never_ends_is_given_up() {
        let mut splitter = Splitter::default();
        splitter.push(IDR);
        let mut parts = Vec::new();
        for _ in 0..=(LARGEST / 65_536) {
            splitter.push(&[0x55; 65_536]);
            parts.extend(std::iter::from_fn(|| splitter.pop()));
        }
        assert_eq!(parts, [Part::Gap]);
        assert!(splitter.held() < 100_000);
        splitter.push(&[P, P].concat());
        assert_eq!(splitter.pop(), Some(Part::Unit(P.into())));
        // Rubbish alone is never kept.
        let mut splitter = Splitter::default();
        for _ in 0..100 {
            splitter.push(&[0; 1000]);
            assert_eq!(splitter.pop(), None);
            assert!(splitter.held() <= 3);
        }
    }

    fn pieces() -> impl Strategy<Value = &'static [u8]> {
        prop::sample::select(vec![
            SPS,
            PPS,
            SEI,
            AUD,
            IDR,
            IDR_MORE,
            P,
            P_MORE,
            b"\0",
            b"\x55\x66",
        ])
    }

    proptest! {
        /// However it is cut, a stream has the same units.
        #[test]
        fn cuts_change_nothing(
            stream in prop::collection::vec(pieces(), 0..24),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        ) {
            let whole = stream.concat();
            let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(whole.len() + 1)).collect();
            at.extend([0, whole.len()]);
            at.sort_unstable();
            let cut: Vec<&[u8]> = at.windows(2).map(|pair| &whole[pair[0]..pair[1]]).collect();
            let parts = run(&cut);
            prop_assert_eq!(&parts, &run(&[&whole]));
            // Nothing is lost between the first start code and the end, but for zeros there.
            let given: Vec<u8> = parts.iter().flat_map(|part| match part {
                Part::Unit(unit) => unit.to_vec(),
                Part::Gap => Vec::new(),
            }).collect();
            prop_assert!(parts.is_empty() || whole.windows(given.len()).any(|window| window == given));
        }

        /// Any bytes, flushed at any moment: no panic, and never more held than was pushed.
        #[test]
        fn any_bytes_are_borne(
            steps in prop::collection::vec((prop::collection::vec(prop_oneof![3 => 0..2_u8, 1 => any::<u8>()], 0..40), any::<bool>()), 0..30),
        ) {
            let mut splitter = Splitter::default();
            let mut pushed = 0;
            for (bytes, flush) in steps {
                pushed += bytes.len();
                splitter.push(&bytes);
                while splitter.pop().is_some() {}
                if flush {
                    splitter.flush();
                }
                prop_assert!(splitter.held() <= pushed);
            }
        }
    }
}
