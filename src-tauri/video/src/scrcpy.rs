//! scrcpy's video socket in any cuts → what it carries. Big endian throughout.
//!
//! There are two framings: that of the releases up to 3.x, where the size stands in the header once and a rotation shows in
//! the next configuration alone, and that of 4.0, where a *session packet* tells the size at the beginning and at each
//! rotation, and the frame header's flags have moved by one bit. The dummy byte and the phone's name, which stand in front
//! of the first socket of a server, are not read here.
//!
//! Source: scrcpy `doc/develop.md` ("Video and audio") and `server/…/device/Streamer.java` at the tags 3.2 and 4.0.

use crate::VideoError;
use bytes::{Buf, Bytes, BytesMut};

/// No packet is larger.
pub const LARGEST: usize = crate::annex_b::LARGEST;
const H264: u32 = u32::from_be_bytes(*b"h264");
/// Bytes of what stands before a packet.
pub(crate) const HEADER: usize = 12;
/// Pixels on a side that no phone has.
const WIDEST: u32 = 16_384;

/// Which framing a server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Up to 3.x.
    Header,
    /// From 4.0 on.
    Sessions,
}

impl Framing {
    /// That of a release, from its name (`3.3.4`). Nothing when the name does not begin with a number.
    #[must_use]
    pub fn of(release: &str) -> Option<Self> {
        let major: u32 = release.split('.').next()?.parse().ok()?;
        Some(if major >= 4 { Self::Sessions } else { Self::Header })
    }
}

/// What came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Pixels of the pictures from here on, as the server says. The parameter sets say it too.
    Size(u16, u16),
    /// Parameter sets in Annex B, to be put before the next picture.
    Configuration(Bytes),
    /// One picture in Annex B.
    Picture {
        /// Decoding can begin with it, as the server says.
        key: bool,
        /// Microseconds on the phone's clock.
        time: u64,
        /// Its NAL units.
        unit: Bytes,
    },
}

/// What stands before a packet, of video and of sound.
pub(crate) struct Head {
    /// It tells a size, and nothing follows.
    pub(crate) session: bool,
    pub(crate) config: bool,
    pub(crate) key: bool,
    pub(crate) time: u64,
    pub(crate) low: u32,
    /// Bytes that follow.
    pub(crate) last: u32,
}

impl Head {
    /// The one that stands at the beginning, if it is there whole.
    pub(crate) fn peek(framing: Framing, bytes: &[u8]) -> Option<Self> {
        let (high, rest) = bytes.split_first_chunk::<4>()?;
        let (low, rest) = rest.split_first_chunk::<4>()?;
        let (high, low) = (u32::from_be_bytes(*high), u32::from_be_bytes(*low));
        let last = u32::from_be_bytes(*rest.first_chunk::<4>()?);
        // The top bits of the first word, in the order they are in.
        let top = |bit: u32| high >> (31 - bit) & 1 == 1;
        let (session, config, key, flags) = match framing {
            Framing::Header => (false, top(0), top(1), 2),
            Framing::Sessions => (top(0), top(1), top(2), 3),
        };
        Some(Self {
            session,
            config,
            key,
            time: u64::from(high << flags >> flags) << 32 | u64::from(low),
            low,
            last,
        })
    }
}

/// Takes a socket's bytes apart. Holds at most one packet and what was pushed last.
#[derive(Debug)]
pub struct Demuxer {
    framing: Framing,
    buffer: BytesMut,
    begun: bool,
    sized: bool,
}

impl Demuxer {
    /// For a socket from which the dummy byte and the name were read.
    #[must_use]
    pub fn new(framing: Framing) -> Self {
        Self {
            framing,
            buffer: BytesMut::new(),
            begun: false,
            sized: false,
        }
    }

    /// Takes the next bytes. [`Demuxer::pop`] until it gives nothing, then the next.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The buffer itself, to be read into without a copy in between.
    pub fn buffer(&mut self) -> &mut BytesMut {
        &mut self.buffer
    }

    /// The next event, if it is there whole.
    ///
    /// # Errors
    /// [`VideoError::Codec`], [`VideoError::Disabled`], [`VideoError::Framing`]: nothing can be read from here on.
    pub fn pop(&mut self) -> Result<Option<Event>, VideoError> {
        if !self.begun {
            let Some(word) = self.peek(0) else { return Ok(None) };
            match word {
                H264 => {}
                0 => return Err(VideoError::Disabled("switched off")),
                1 => return Err(VideoError::Disabled("a configuration error")),
                other => return Err(VideoError::Codec(other)),
            }
            self.buffer.advance(4);
            self.begun = true;
        }
        if self.framing == Framing::Header && !self.sized {
            let (Some(width), Some(height)) = (self.peek(0), self.peek(4)) else {
                return Ok(None);
            };
            self.buffer.advance(8);
            self.sized = true;
            return size(width, height).map(Some);
        }
        let Some(head) = Head::peek(self.framing, &self.buffer) else {
            return Ok(None);
        };
        if head.session {
            self.buffer.advance(HEADER);
            return size(head.low, head.last).map(Some);
        }
        let length = usize::try_from(head.last).unwrap_or(usize::MAX);
        if length == 0 || length > LARGEST {
            return Err(VideoError::Framing("a packet of an impossible length"));
        }
        if self.buffer.len() < HEADER + length {
            self.buffer.reserve(HEADER + length - self.buffer.len());
            return Ok(None);
        }
        self.buffer.advance(HEADER);
        let unit = self.buffer.split_to(length).freeze();
        if head.config {
            return Ok(Some(Event::Configuration(unit)));
        }
        Ok(Some(Event::Picture {
            key: head.key,
            time: head.time,
            unit,
        }))
    }

    /// Whether a packet has begun that is not whole.
    #[must_use]
    pub fn is_within(&self) -> bool {
        !self.buffer.is_empty()
    }

    fn peek(&self, at: usize) -> Option<u32> {
        let word = self.buffer.get(at..)?.first_chunk::<4>()?;
        Some(u32::from_be_bytes(*word))
    }
}

fn size(width: u32, height: u32) -> Result<Event, VideoError> {
    let side = |pixels: u32| {
        u16::try_from(pixels)
            .ok()
            .filter(|_| (1..=WIDEST).contains(&pixels))
    };
    match (side(width), side(height)) {
        (Some(width), Some(height)) => Ok(Event::Size(width, height)),
        _ => Err(VideoError::Framing("a size that cannot be")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Pushes the pieces; what came, and how it ended.
    fn run(framing: Framing, pieces: &[&[u8]]) -> (Vec<Event>, Option<VideoError>) {
        let mut demuxer = Demuxer::new(framing);
        let mut events = Vec::new();
        for piece in pieces {
            demuxer.push(piece);
            loop {
                match demuxer.pop() {
                    Ok(Some(event)) => events.push(event),
                    Ok(None) => break,
                    Err(error) => return (events, Some(error)),
                }
            }
        }
        (events, None)
    }

    #[track_caller]
    fn check(framing: Framing, stream: &[&[u8]], expected: &[Event], end: Option<VideoError>) {
        let whole = stream.concat();
        let expected = (expected.to_vec(), end);
        assert_eq!(run(framing, &[&whole]), expected);
        let bytes: Vec<&[u8]> = whole.chunks(1).collect();
        assert_eq!(run(framing, &bytes), expected, "byte by byte");
    }

    fn picture(key: bool, time: u64, unit: &'static [u8]) -> Event {
        Event::Picture {
            key,
            time,
            unit: unit.into(),
        }
    }

    #[test]
    fn releases_have_their_framing() {
        for (release, framing) in [
            ("2.7", Some(Framing::Header)),
            ("3.3.4", Some(Framing::Header)),
            ("4.0", Some(Framing::Sessions)),
            ("10.1", Some(Framing::Sessions)),
            ("new", None),
        ] {
            assert_eq!(Framing::of(release), framing, "{release}");
        }
    }

    #[test]
    fn the_older_framing_tells_the_size_once() {
        check(
            Framing::Header,
            &[
                b"h264\0\0\x02\x40\0\0\x05\0",
                b"\x80\0\0\0\0\0\0\0\0\0\0\x03cfg",
                b"\x40\0\0\x01\0\0\0\x07\0\0\0\x02ab",
                b"\0\0\0\0\0\0\0\x08\0\0\0\x01c",
            ],
            &[
                Event::Size(576, 1280),
                Event::Configuration(b"cfg"[..].into()),
                picture(true, 0x1_0000_0007, b"ab"),
                picture(false, 8, b"c"),
            ],
            None,
        );
    }

    #[test]
    fn the_newer_framing_tells_it_at_each_rotation() {
        check(
            Framing::Sessions,
            &[
                b"h264",
                b"\x80\0\0\0\0\0\x02\x40\0\0\x05\0",
                b"\x40\0\0\0\0\0\0\0\0\0\0\x03cfg",
                b"\x20\0\0\x01\0\0\0\x07\0\0\0\x02ab",
                // The flag of a size the client asked for.
                b"\x80\0\0\x01\0\0\x05\0\0\0\x02\x40",
                b"\0\0\0\0\0\0\0\x08\0\0\0\x01c",
            ],
            &[
                Event::Size(576, 1280),
                Event::Configuration(b"cfg"[..].into()),
                picture(true, 0x1_0000_0007, b"ab"),
                Event::Size(1280, 576),
                picture(false, 8, b"c"),
            ],
            None,
        );
    }

    #[test]
    fn what_cannot_be_is_named() {
        let framing = VideoError::Framing("a packet of an impossible length");
        let sized = b"h264\0\0\x02\x40\0\0\x05\0";
        check(
            Framing::Header,
            &[b"\0\0\0\0"],
            &[],
            Some(VideoError::Disabled("switched off")),
        );
        check(
            Framing::Sessions,
            &[b"\0\0\0\x01"],
            &[],
            Some(VideoError::Disabled("a configuration error")),
        );
        check(
            Framing::Header,
            &[b"h265"],
            &[],
            Some(VideoError::Codec(0x6832_3635)),
        );
        check(
            Framing::Header,
            &[b"h264\0\0\0\0\0\0\x05\0"],
            &[],
            Some(VideoError::Framing("a size that cannot be")),
        );
        for length in [0_u32, u32::MAX] {
            let head = [&[0; 8][..], &length.to_be_bytes()].concat();
            check(
                Framing::Header,
                &[sized, &head],
                &[Event::Size(576, 1280)],
                Some(framing.clone()),
            );
        }
    }

    fn stream() -> impl Strategy<Value = Vec<u8>> {
        let packet = (0..4_u8, any::<u32>(), prop::collection::vec(any::<u8>(), 1..40));
        prop::collection::vec(packet, 0..12).prop_map(|packets| {
            let mut bytes = b"h264\0\0\x01\0\0\0\x02\0".to_vec();
            for (flags, time, unit) in packets {
                bytes.extend([flags << 6, 0, 0, 0]);
                bytes.extend(time.to_be_bytes());
                bytes.extend(u32::try_from(unit.len()).unwrap().to_be_bytes());
                bytes.extend(unit);
            }
            bytes
        })
    }

    proptest! {
        #[test]
        fn cuts_change_nothing(whole in stream(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12)) {
            let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(whole.len() + 1)).collect();
            at.extend([0, whole.len()]);
            at.sort_unstable();
            let cut: Vec<&[u8]> = at.windows(2).map(|pair| &whole[pair[0]..pair[1]]).collect();
            prop_assert_eq!(run(Framing::Header, &cut), run(Framing::Header, &[&whole]));
        }

        #[test]
        fn any_bytes_are_borne(bytes in prop::collection::vec(any::<u8>(), 0..400), sessions in any::<bool>()) {
            let framing = if sessions { Framing::Sessions } else { Framing::Header };
            let stream = [b"h264\0\0\x01\0\0\0\x02\0", &bytes[..]].concat();
            run(framing, &[&bytes]);
            run(framing, &[&stream]);
        }
    }
}
