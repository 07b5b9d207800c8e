//! The pictures since the last key frame, kept for those who come late; and each reader's place in them.
//!
//! Bounded in time and bytes: when a key frame is too long ago, the oldest pictures go, and who has not read them waits for
//! the next key frame.

use super::packet::Packet;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// No picture is kept longer.
pub(super) const LONGEST: Duration = Duration::from_secs(10);
/// No more bytes are kept.
pub(super) const LARGEST: usize = 8 * 1024 * 1024;

/// Where a reader is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReaderPosition {
    /// It has seen nothing: the last key frame will do, if it is kept.
    Joining,
    /// This is the next picture it needs.
    Before(u64),
    /// It fell behind, or lost its way: only a key frame of this number or later will do.
    Waiting(u64),
}

/// A reader's place, and what it was told.
#[derive(Debug)]
pub(super) struct Cursor {
    pub(super) place: ReaderPosition,
    told: Option<Arc<Packet>>,
    /// Pictures before this one were there when it came: that it has yet to read them is not its doing.
    came: u64,
}

impl Default for Cursor {
    fn default() -> Self {
        Self {
            place: ReaderPosition::Joining,
            told: None,
            came: 0,
        }
    }
}

/// The kept pictures.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    configuration: Option<Arc<Packet>>,
    units: VecDeque<Arc<Packet>>,
    /// The number of the first kept picture.
    first: u64,
    bytes: usize,
}

impl Backlog {
    /// What the next key frame needs.
    pub(super) fn configure(&mut self, packet: Packet) {
        self.configuration = Some(Arc::new(packet));
        // What was kept is read with what was told before.
        self.forget();
    }

    /// The next picture.
    pub(super) fn push(&mut self, packet: Packet) {
        if packet.is_key() {
            self.forget();
        }
        let newest = packet.arrived;
        self.bytes += packet.size();
        self.units.push_back(Arc::new(packet));
        while let Some(oldest) = self.units.front() {
            let old = newest.duration_since(oldest.arrived) > LONGEST;
            if !old && self.bytes <= LARGEST {
                break;
            }
            self.bytes -= oldest.size();
            self.units.pop_front();
            self.first += 1;
        }
    }

    /// The stream ended: what is kept is no use to anybody who comes now.
    pub(super) fn clear(&mut self) {
        self.forget();
        self.configuration = None;
    }

    fn forget(&mut self) {
        self.first += self.units.len() as u64;
        self.units.clear();
        self.bytes = 0;
    }

    /// The number the next picture will have.
    pub(super) fn end(&self) -> u64 {
        self.first + self.units.len() as u64
    }

    /// The newest picture.
    pub(super) fn newest(&self) -> Option<&Arc<Packet>> {
        self.units.back()
    }

    /// How many pictures there are since a kept key frame; none when the key frame is not kept.
    pub(super) fn since_key(&self) -> Option<usize> {
        self.units.front().filter(|unit| unit.is_key())?;
        Some(self.units.len())
    }

    /// How many pictures a reader has yet to read, and how long ago the first of them came, seen from the newest. Those
    /// that were there when it came do not count.
    pub(super) fn behind(&self, cursor: &Cursor) -> (usize, Duration) {
        let ReaderPosition::Before(next) = cursor.place else {
            return (0, Duration::ZERO);
        };
        let next = next.max(cursor.came);
        let (Some(unit), Some(newest)) = (self.unit(next.max(self.first)), self.newest()) else {
            return (0, Duration::ZERO);
        };
        let count = usize::try_from(self.end().saturating_sub(next)).unwrap_or(usize::MAX);
        (count, newest.arrived.duration_since(unit.arrived))
    }

    /// What a reader reads next; nothing when it has to wait.
    pub(super) fn take(&self, cursor: &mut Cursor) -> Option<Arc<Packet>> {
        let next = match cursor.place {
            ReaderPosition::Before(next) if next >= self.first => next,
            place => {
                let from = if let ReaderPosition::Waiting(from) = place {
                    from
                } else {
                    0
                };
                let key = self.key(from)?;
                cursor.came = self.end();
                key
            }
        };
        let unit = self.unit(next)?;
        let configuration = self.configuration.as_ref()?;
        let told = cursor
            .told
            .as_ref()
            .is_some_and(|told| Arc::ptr_eq(told, configuration));
        if unit.is_key() && !told {
            cursor.told = Some(Arc::clone(configuration));
            cursor.place = ReaderPosition::Before(next);
            return Some(Arc::clone(configuration));
        }
        cursor.place = ReaderPosition::Before(next + 1);
        Some(Arc::clone(unit))
    }

    /// The number of the kept key frame, if it is `from` or later. There is at most one, and it is the first.
    fn key(&self, from: u64) -> Option<u64> {
        self.since_key()?;
        (self.first >= from).then_some(self.first)
    }

    fn unit(&self, number: u64) -> Option<&Arc<Packet>> {
        let index = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.units.get(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::packet::{Content, FallbackReason, StreamSource};
    use bytes::Bytes;
    use proptest::prelude::*;
    use tokio::time::Instant;
    use video::avcc::{Packer, Sample};

    /// A picture that is known by its time.
    fn unit(key: bool, time: u64, bytes: usize, arrived: Instant) -> Packet {
        let data = Bytes::from(vec![0; bytes]);
        packet(Content::Unit(Sample { key, data }), time, arrived)
    }

    fn packet(content: Content, time: u64, arrived: Instant) -> Packet {
        Packet {
            content,
            time,
            at: 0,
            arrived,
            picture: (16, 16),
            screen: (0, 0),
            source: StreamSource::Scrcpy,
            why: FallbackReason::Nothing,
        }
    }

    /// What decoders need, of x264's smallest stream.
    fn configuration(arrived: Instant) -> Packet {
        let unit =
            b"\0\0\x01\x67\x42\xc0\x0b\xd9\x07\x1b\xe7\xac\x04\x40\0\0\x03\0\x40\0\0\x0f\x03\xc5\x0a\x92\
                     \0\0\x01\x68\xcb\x83\xcb\x20\0\0\x01\x65\x88\x84";
        let packed = Packer::default().pack(unit).unwrap();
        packet(Content::Configuration(packed.configuration.unwrap()), 0, arrived)
    }

    /// What a reader reads: `C`, `K7`, `7`.
    fn read(backlog: &Backlog, cursor: &mut Cursor) -> Vec<String> {
        std::iter::from_fn(|| backlog.take(cursor))
            .map(|packet| match (&packet.content, packet.is_key()) {
                (Content::Configuration(_), _) => "C".to_owned(),
                (_, true) => format!("K{}", packet.time),
                (_, false) => packet.time.to_string(),
            })
            .collect()
    }

    #[tokio::test(start_paused = true)]
    async fn each_reads_from_a_key_frame_on_and_everything_once() {
        let now = Instant::now();
        let mut backlog = Backlog::default();
        let mut early = Cursor::default();
        assert_eq!(read(&backlog, &mut early), [""; 0]);
        backlog.configure(configuration(now));
        for time in 0..3 {
            backlog.push(unit(time == 0, time, 10, now));
        }
        assert_eq!(read(&backlog, &mut early), ["C", "K0", "1", "2"]);
        let mut late = Cursor::default();
        assert_eq!(read(&backlog, &mut late), ["C", "K0", "1", "2"]);
        backlog.push(unit(false, 3, 10, now));
        assert_eq!(read(&backlog, &mut early), ["3"]);
        // The next key frame: who has read everything goes on, who has not begins there.
        backlog.push(unit(true, 4, 10, now));
        backlog.push(unit(false, 5, 10, now));
        assert_eq!(read(&backlog, &mut early), ["K4", "5"]);
        assert_eq!(read(&backlog, &mut late), ["K4", "5"]);
        // Another configuration comes with its key frame.
        backlog.configure(configuration(now));
        backlog.push(unit(true, 6, 10, now));
        assert_eq!(read(&backlog, &mut late), ["C", "K6"]);
        // Who lost its way waits for a later one.
        let mut lost = Cursor {
            place: ReaderPosition::Waiting(backlog.end()),
            ..Cursor::default()
        };
        backlog.push(unit(false, 7, 10, now));
        assert_eq!(read(&backlog, &mut lost), [""; 0]);
        backlog.push(unit(true, 8, 10, now));
        assert_eq!(read(&backlog, &mut lost), ["C", "K8"]);
        backlog.clear();
        assert_eq!(read(&backlog, &mut Cursor::default()), [""; 0]);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_old_or_too_much_goes() {
        let start = Instant::now();
        let mut backlog = Backlog::default();
        backlog.configure(configuration(start));
        backlog.push(unit(true, 0, 10, start));
        let mut reader = Cursor::default();
        read(&backlog, &mut reader);
        let mut slow = Cursor::default();
        backlog.take(&mut slow);
        for second in 1..=12 {
            backlog.push(unit(false, second, 10, start + Duration::from_secs(second)));
        }
        assert_eq!(backlog.since_key(), None);
        assert!(backlog.units.len() <= 11);
        // It had read everything but the last minutes: those it gets.
        assert_eq!(backlog.behind(&reader).0, 12);
        assert_eq!(read(&backlog, &mut reader), [""; 0], "the first of them is gone");
        assert_eq!(read(&backlog, &mut slow), [""; 0]);
        assert_eq!(read(&backlog, &mut Cursor::default()), [""; 0]);
        for time in 13..40 {
            backlog.push(unit(
                time == 13,
                time,
                1024 * 1024,
                start + Duration::from_secs(13),
            ));
            assert!(backlog.bytes <= LARGEST);
        }
        assert_eq!(backlog.since_key(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn how_far_behind_one_is_counts_from_when_it_came() {
        let start = Instant::now();
        let mut backlog = Backlog::default();
        backlog.configure(configuration(start));
        for second in 0..8 {
            backlog.push(unit(second == 0, second, 10, start + Duration::from_secs(second)));
        }
        let mut late = Cursor::default();
        backlog.take(&mut late);
        backlog.take(&mut late);
        assert_eq!(backlog.behind(&late), (0, Duration::ZERO));
        for second in 8..11 {
            backlog.push(unit(false, second, 10, start + Duration::from_secs(second)));
        }
        assert_eq!(backlog.behind(&late), (3, Duration::from_secs(2)));
    }

    proptest! {
        /// However pictures and readers come, nobody is ever given a picture without the ones it builds on.
        #[test]
        fn nobody_reads_what_it_cannot_decode(
            steps in prop::collection::vec((0..10_u8, 1..3_000_000_usize, 0..4_u64), 1..80),
        ) {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
            runtime.block_on(async {
                let mut now = Instant::now();
                let mut backlog = Backlog::default();
                let mut readers: Vec<(Cursor, Option<u64>, bool)> = Vec::new();
                let mut time = 0;
                for (step, bytes, seconds) in steps {
                    match step {
                        0 => readers.push((Cursor::default(), None, false)),
                        1 => backlog.configure(configuration(now)),
                        2 | 3 => {
                            if backlog.configuration.is_none() || step == 2 && time == 0 {
                                backlog.configure(configuration(now));
                            }
                            backlog.push(unit(true, time, bytes, now));
                            time += 1;
                        }
                        4 => backlog.clear(),
                        5 => if let Some((cursor, last, _)) = readers.first_mut() {
                            cursor.place = ReaderPosition::Waiting(backlog.end());
                            *last = None;
                        },
                        6 => for (cursor, last, configured) in &mut readers {
                            while let Some(packet) = backlog.take(cursor) {
                                match &packet.content {
                                    Content::Configuration(_) => {
                                        *configured = true;
                                        *last = None;
                                    }
                                    Content::Unit(sample) => {
                                        assert!(*configured);
                                        assert!(sample.key || *last == Some(packet.time - 1), "{last:?} {}", packet.time);
                                        *last = Some(packet.time);
                                    }
                                }
                            }
                        },
                        _ => if backlog.newest().is_some() {
                            now += Duration::from_secs(seconds);
                            backlog.push(unit(false, time, bytes, now));
                            time += 1;
                        },
                    }
                    assert!(backlog.bytes <= LARGEST && backlog.units.len() <= time as usize);
                }
            });
        }
    }
}
