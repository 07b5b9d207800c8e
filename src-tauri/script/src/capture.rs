//! What a script printed: read to its end, kept within bounds.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncRead, AsyncReadExt};

/// Characters kept of each of a script's two outputs.
pub(crate) const KEPT: usize = 6_000;

/// Stands where something was left out.
const CUT: &str = "\n[… cut …]\n";

/// Bytes held from the start, and as many from the end. A character has at most four bytes, so what fits into
/// [`KEPT`] characters is always held whole.
const HELD: usize = KEPT * 4;

/// One output, shared between the task that reads and the one that waits. Clones are the same output.
#[derive(Clone, Debug, Default)]
pub(crate) struct Capture(Arc<Mutex<CaptureBuffer>>);

#[derive(Debug, Default)]
struct CaptureBuffer {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// Bytes that fell out between the two.
    lost: u64,
}

impl Capture {
    /// Reads to the end, or to the first error: a pipe that breaks has ended. The first [`KEPT`] characters are told as
    /// they come, in whole lines.
    pub(crate) async fn drain(&self, mut from: impl AsyncRead + Unpin, tell: impl Fn(String)) {
        let mut buffer = vec![0; 16 * 1024];
        let mut lines = LineSplitter::default();
        while let Ok(count) = from.read(&mut buffer).await
            && count > 0
        {
            let bytes = buffer.get(..count).unwrap_or_default();
            self.add(bytes);
            if let Some(text) = lines.add(bytes) {
                tell(text);
            }
        }
        if let Some(text) = lines.rest() {
            tell(text);
        }
    }

    fn add(&self, bytes: &[u8]) {
        let mut buffer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let room = HELD.saturating_sub(buffer.head.len()).min(bytes.len());
        let (head, tail) = bytes.split_at(room);
        buffer.head.extend_from_slice(head);
        buffer.tail.extend(tail);
        let excess = buffer.tail.len().saturating_sub(HELD);
        buffer.tail.drain(..excess);
        buffer.lost += excess as u64;
    }

    /// At most [`KEPT`] characters: all of it, or its start and its end. What is not UTF-8 becomes `�`.
    pub(crate) fn text(&self) -> String {
        let buffer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let tail: Vec<u8> = buffer.tail.iter().copied().collect();
        if buffer.lost == 0 {
            let whole = [buffer.head.as_slice(), &tail].concat();
            let whole = String::from_utf8_lossy(&whole);
            if whole.chars().count() <= KEPT {
                return whole.into_owned();
            }
            return cut(&whole, &whole);
        }
        // The tail may begin in the middle of a character: its continuation bytes mean nothing alone.
        let broken = tail
            .iter()
            .take(3)
            .take_while(|byte| **byte & 0xC0 == 0x80)
            .count();
        cut(
            &String::from_utf8_lossy(&buffer.head),
            &String::from_utf8_lossy(tail.get(broken..).unwrap_or_default()),
        )
    }
}

/// Output on its way to whoever watches: cut at the ends of lines, so that nothing is told by halves.
#[derive(Debug, Default)]
struct LineSplitter {
    begun: Vec<u8>,
    told: usize,
}

impl LineSplitter {
    /// What ended with these bytes.
    fn add(&mut self, bytes: &[u8]) -> Option<String> {
        if self.told >= KEPT {
            return None;
        }
        self.begun.extend_from_slice(bytes);
        let end = self.begun.iter().rposition(|byte| *byte == b'\n');
        // A line without end is told in parts.
        let end = end.map_or_else(
            || {
                if self.begun.len() > HELD {
                    self.begun.len()
                } else {
                    0
                }
            },
            |end| end + 1,
        );
        let whole: Vec<u8> = self.begun.drain(..end).collect();
        self.tell(&whole)
    }

    /// The last line, that ended with the output.
    fn rest(&mut self) -> Option<String> {
        let rest = std::mem::take(&mut self.begun);
        self.tell(&rest)
    }

    fn tell(&mut self, bytes: &[u8]) -> Option<String> {
        let room = KEPT.saturating_sub(self.told);
        if bytes.is_empty() || room == 0 {
            return None;
        }
        let text = String::from_utf8_lossy(bytes);
        let count = text.chars().count();
        self.told += count;
        if count <= room {
            return Some(text.into_owned());
        }
        let kept: String = text.chars().take(room).collect();
        Some(format!("{kept}{CUT}"))
    }
}

/// The start of one text and the end of another, [`KEPT`] characters in all.
fn cut(head: &str, tail: &str) -> String {
    let each = (KEPT - CUT.chars().count()) / 2;
    let end = head.char_indices().nth(each).map_or(head.len(), |(at, _)| at);
    let start = tail.char_indices().rev().nth(each - 1).map_or(0, |(at, _)| at);
    format!(
        "{}{CUT}{}",
        head.get(..end).unwrap_or_default(),
        tail.get(start..).unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(chunks: &[&[u8]], expected: &str) {
        let capture = Capture::default();
        for chunk in chunks {
            capture.add(chunk);
        }
        assert_eq!(capture.text(), expected);
    }

    #[test]
    fn what_fits_is_kept_whole() {
        check(&[], "");
        check(&[b"one\n", b"two"], "one\ntwo");
        check(&["gr\u{fc}n".as_bytes()], "grün");
        check(&[b"gr\xc3", b"\xbcn"], "grün");
        check(&[b"a\xffb"], "a\u{fffd}b");
        let full = "€".repeat(KEPT);
        check(&[full.as_bytes()], &full);
    }

    #[test]
    fn of_more_the_start_and_the_end_are_kept() {
        let each = (KEPT - CUT.chars().count()) / 2;
        let long = format!("{}{}", "a".repeat(KEPT), "b".repeat(KEPT));
        let expected = format!("{}{CUT}{}", "a".repeat(each), "b".repeat(each));
        check(&[long.as_bytes()], &expected);
        let longer = format!("{}{}{}", "a".repeat(HELD), "x".repeat(3 * HELD), "b".repeat(HELD));
        check(&[longer.as_bytes()], &expected);
    }

    #[test]
    fn lines_are_told_whole_and_only_the_first_of_them() {
        let mut lines = LineSplitter::default();
        assert_eq!(lines.add(b"on"), None);
        assert_eq!(
            lines.add("e\ntwo\ngr\u{fc}".as_bytes()).as_deref(),
            Some("one\ntwo\n")
        );
        assert_eq!(lines.rest().as_deref(), Some("gr\u{fc}"));
        let long = "x\n".repeat(KEPT);
        let told = lines.add(long.as_bytes()).unwrap();
        assert!(told.ends_with(CUT) && told.chars().count() < KEPT + 20);
        assert_eq!(lines.add(b"more\n"), None);
        assert_eq!(lines.rest(), None);
    }

    proptest! {
        #[test]
        fn whatever_is_printed_stays_within_bounds(chunks: Vec<Vec<u8>>, unit: Vec<u8>, times in 0usize..40_000) {
            let capture = Capture::default();
            for chunk in &chunks {
                capture.add(chunk);
            }
            capture.add(&unit.repeat(times.min(200_000 / unit.len().max(1))));
            prop_assert!(capture.text().chars().count() <= KEPT);
        }
    }
}
