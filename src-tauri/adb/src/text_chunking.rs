//! How much of a text goes to a phone at once.

use crate::typing::{CHUNK, Piece};
use secrecy::zeroize::Zeroizing;
use std::time::Duration;

/// No chunk is made shorter than this.
const LEAST: usize = 4;
/// One chunk is to take no longer: whoever stops a text waits for the one on its way.
const PACE: Duration = Duration::from_secs(1);

/// How many characters go at once: fewer where a phone needs long for them, unless that makes it no quicker (then it is the
/// way there that takes the time).
pub(crate) struct ChunkSize {
    most: usize,
    /// What the chunk took because of which chunks are shorter now.
    before: Option<Duration>,
    helps: bool,
}

impl ChunkSize {
    pub(crate) const fn new() -> Self {
        Self {
            most: CHUNK,
            before: None,
            helps: true,
        }
    }

    /// A piece no longer than the pace, and what is left of it.
    pub(crate) fn cut(&self, piece: Piece) -> (Piece, Option<Piece>) {
        let Piece::Characters(characters) = &piece else {
            return (piece, None);
        };
        let Some((at, _)) = characters.char_indices().nth(self.most) else {
            return (piece, None);
        };
        let (now, later) = characters.split_at(at);
        let piece = |text: &str| Piece::Characters(Zeroizing::new(text.to_owned()));
        (piece(now), Some(piece(later)))
    }

    /// A piece of so many characters took so long.
    pub(crate) fn learn(&mut self, count: usize, took: Duration) {
        if count < LEAST || !self.helps {
            return;
        }
        match self.before {
            _ if took * 4 < PACE => {
                self.before = None;
                self.most = (self.most * 2).min(CHUNK);
            }
            _ if took <= PACE || self.most <= LEAST => {}
            Some(before) if took * 4 > before * 3 => {
                self.helps = false;
                self.most = CHUNK;
            }
            _ => {
                self.before = Some(took);
                self.most = (self.most / 2).max(LEAST);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chunk by chunk: how many characters go when each takes so long, and the way there so long.
    fn paced(letter: u64, way: u64) -> Vec<usize> {
        let mut pace = ChunkSize::new();
        let mut sent = Vec::new();
        for _ in 0..6 {
            let piece = Piece::Characters(Zeroizing::new("a".repeat(CHUNK)));
            let count = pace.cut(piece).0.characters();
            let took = Duration::from_millis(way + letter * count as u64);
            pace.learn(count, took);
            sent.push(count);
        }
        sent
    }

    #[test]
    fn chunks_are_as_long_as_a_phone_is_quick() {
        assert_eq!(paced(3, 80), [50; 6], "as a phone types");
        assert_eq!(paced(100, 80), [50, 25, 12, 6, 6, 6]);
        assert_eq!(paced(1000, 80), [50, 25, 12, 6, 4, 4]);
        assert_eq!(
            paced(3, 3000),
            [50, 25, 50, 50, 50, 50],
            "the way is long, not the typing"
        );
    }
}
