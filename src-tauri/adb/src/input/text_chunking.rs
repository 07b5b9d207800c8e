//! A text as the pieces it is sent in, and how much of it goes to a phone at once.
//!
//! In `input text`, `%s` stands for a space and nothing stands for a literal `%s`, so such a pair is cut in two.

use crate::error::AdbError;
use secrecy::zeroize::Zeroizing;
use std::fmt;
use std::time::Duration;

/// Characters in one `input text`: a phone types some fifty a second, a slow one far fewer. At most.
pub(crate) const CHUNK: usize = 50;
/// `KEYCODE_TAB`, `KEYCODE_ENTER`.
pub(crate) const TAB: u16 = 61;
pub(crate) const ENTER: u16 = 66;

/// The key map of a phone's virtual keyboard (AOSP `Virtual.kcm`) is ASCII, with a few Latin letters and accents on some
/// phones; from Greek on nobody's has anything.
const BEYOND: char = '\u{370}';

/// No chunk is made shorter than this.
const LEAST: usize = 4;
/// One chunk is to take no longer: whoever stops a text waits for the one on its way.
const PACE: Duration = Duration::from_secs(1);

/// One thing to send.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Characters, at most [`CHUNK`], none of them a control character, never a literal `%s`.
    Characters(Zeroizing<String>),
    /// A key.
    Key(u16),
}

impl Piece {
    /// How many characters it types.
    pub(crate) fn characters(&self) -> usize {
        match self {
            Self::Characters(characters) => characters.chars().count(),
            Self::Key(_) => 0,
        }
    }
}

/// What is typed may be a secret: its length is shown, never itself.
impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Characters(characters) => write!(f, "Characters({})", characters.chars().count()),
            Self::Key(code) => write!(f, "Key({code})"),
        }
    }
}

/// Cuts a text into pieces.
///
/// # Errors
/// [`AdbError::CannotType`] for control characters other than line ends and tabs: no key types them.
pub(crate) fn pieces(text: &str) -> Result<Vec<Piece>, AdbError> {
    let mut pieces = Vec::new();
    let mut held = Zeroizing::new(String::with_capacity(CHUNK * 4));
    let mut count = 0;
    let mut before = None;
    let mut flush = |held: &mut Zeroizing<String>, count: &mut usize, key: Option<u16>| {
        if *count > 0 {
            // The room stays where it is: a string that grows would leave copies of itself behind.
            let piece = std::mem::replace(held, Zeroizing::new(String::with_capacity(CHUNK * 4)));
            pieces.push(Piece::Characters(piece));
            *count = 0;
        }
        pieces.extend(key.map(Piece::Key));
    };
    for c in text.chars() {
        match c {
            '\n' if before == Some('\r') => {}
            '\n' | '\r' => flush(&mut held, &mut count, Some(ENTER)),
            '\t' => flush(&mut held, &mut count, Some(TAB)),
            _ if c.is_control() => return Err(AdbError::CannotType),
            _ => {
                if count == CHUNK || (c == 's' && before == Some('%')) {
                    flush(&mut held, &mut count, None);
                }
                held.push(c);
                count += 1;
            }
        }
        before = Some(c);
    }
    flush(&mut held, &mut count, None);
    Ok(pieces)
}

/// Whether a text holds letters that no phone's key map has.
pub(crate) fn is_beyond(text: &str) -> bool {
    text.chars().any(|c| c >= BEYOND)
}

/// Pieces as the text they were cut from.
pub(crate) fn joined(pieces: &[Piece]) -> String {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Characters(characters) => text.push_str(characters),
            Piece::Key(TAB) => text.push('\t'),
            Piece::Key(_) => text.push('\n'),
        }
    }
    text
}

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
