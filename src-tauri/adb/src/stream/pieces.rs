//! What a command prints, piece by piece as it comes, for a command that prints for minutes.
//!
//! As in [`crate::connect::shell`], but nothing is held: and it is known whether a piece has begun that is not there whole, which
//! tells a silent phone from one that is cut off in the middle of a picture.

use crate::connect::shell::Framing;
use bytes::{Buf, Bytes, BytesMut};

/// The largest piece a daemon sends is 1 MiB.
const LARGEST: usize = 4 * 1024 * 1024;

/// One piece.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Out(Bytes),
    Complaint(Bytes),
    /// The command is over.
    Exit(u8),
}

/// Takes the bytes of a shell service apart.
pub(super) struct Pieces {
    framing: Framing,
    buffer: BytesMut,
}

impl Pieces {
    pub(super) fn new(framing: Framing) -> Self {
        Self {
            framing,
            buffer: BytesMut::new(),
        }
    }

    /// What to read into.
    pub(super) fn buffer(&mut self) -> &mut BytesMut {
        &mut self.buffer
    }

    /// A piece has begun, and its rest is on the way.
    pub(super) fn is_within(&self) -> bool {
        !self.buffer.is_empty()
    }

    /// The next piece, if it is there whole.
    ///
    /// # Errors
    /// What makes it no shell's.
    pub(super) fn pop(&mut self) -> Result<Option<Piece>, &'static str> {
        if self.framing == Framing::Bare {
            let bytes = self.buffer.split().freeze();
            return Ok((!bytes.is_empty()).then_some(Piece::Out(bytes)));
        }
        loop {
            let Some([kind, length @ ..]) = self.buffer.first_chunk::<5>() else {
                return Ok(None);
            };
            let kind = *kind;
            let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
            if length > LARGEST {
                return Err("a packet of an impossible length");
            }
            if self.buffer.len() < 5 + length {
                return Ok(None);
            }
            self.buffer.advance(5);
            let body = self.buffer.split_to(length).freeze();
            match kind {
                1 => return Ok(Some(Piece::Out(body))),
                2 => return Ok(Some(Piece::Complaint(body))),
                3 => {
                    let code = body.first().copied().ok_or("an exit packet without a code")?;
                    return Ok(Some(Piece::Exit(code)));
                }
                0 | 4..=9 => {}
                _ => return Err("a packet of an unknown kind"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn run(framing: Framing, bytes: &[&[u8]]) -> Result<Vec<Piece>, &'static str> {
        let mut pieces = Pieces::new(framing);
        let mut all = Vec::new();
        for bytes in bytes {
            pieces.buffer().extend_from_slice(bytes);
            while let Some(piece) = pieces.pop()? {
                all.push(piece);
            }
        }
        Ok(all)
    }

    #[test]
    fn packets_come_apart() {
        let stream = b"\x01\x02\0\0\0ab\x02\x01\0\0\0!\x09\x01\0\0\0?\x03\x01\0\0\0\x07";
        let expected = [
            Piece::Out("ab".into()),
            Piece::Complaint("!".into()),
            Piece::Exit(7),
        ];
        assert_eq!(run(Framing::V2, &[stream]).unwrap(), expected);
        let each: Vec<&[u8]> = stream.chunks(1).collect();
        assert_eq!(run(Framing::V2, &each).unwrap(), expected);
        assert_eq!(
            run(Framing::Bare, &[b"ab", b""]).unwrap(),
            [Piece::Out("ab".into())]
        );
        for wrong in [&b"\x01\xff\xff\xff\xff"[..], b"\x03\0\0\0\0", b"\x4d\0\0\0\0"] {
            assert!(run(Framing::V2, &[wrong]).is_err());
        }
    }

    #[test]
    fn a_piece_that_has_begun_is_known() {
        let mut pieces = Pieces::new(Framing::V2);
        pieces.buffer().extend_from_slice(b"\x01\x02\0\0\0a");
        assert_eq!(pieces.pop(), Ok(None));
        assert!(pieces.is_within());
        pieces.buffer().extend_from_slice(b"b");
        assert!(pieces.pop().unwrap().is_some());
        assert!(!pieces.is_within());
    }

    proptest! {
        #[test]
        fn any_bytes_are_borne(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = run(Framing::V2, &[&bytes]);
        }
    }
}
