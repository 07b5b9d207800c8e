//! scrcpy's audio socket in any cuts → what it carries. Framed as the video's is ([`crate::scrcpy`]), but for sizes: there
//! are none. The dummy byte and the phone's name are not read here.
//!
//! Source: scrcpy `doc/develop.md` ("Video and audio") and `server/…/device/Streamer.java` at the tags 3.2 to 4.1: the
//! configuration of Opus is sent as a plain `OpusHead`.

use crate::VideoError;
use crate::scrcpy::{Framing, HEADER, Head};
use crate::sound::{SoundCodec, SoundConfiguration};
use bytes::{Buf, Bytes, BytesMut};

/// No packet is larger: a second of sound has less, however it is coded.
const LARGEST: usize = 1024 * 1024;
const OPUS: u32 = u32::from_be_bytes(*b"opus");
const AAC: u32 = u32::from_be_bytes(*b"\0aac");

/// What came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SoundEvent {
    /// How to read the packets from here on.
    Configuration(SoundConfiguration),
    /// One packet.
    Packet {
        /// Microseconds on the phone's clock, the same as the video's.
        time: u64,
        /// As the codec made it.
        data: Bytes,
    },
}

/// Takes the socket's bytes apart.
#[derive(Debug)]
pub struct SoundDemuxer {
    framing: Framing,
    buffer: BytesMut,
    codec: Option<SoundCodec>,
}

impl SoundDemuxer {
    /// For a socket from which the dummy byte and the name were read.
    #[must_use]
    pub fn new(framing: Framing) -> Self {
        Self {
            framing,
            buffer: BytesMut::new(),
            codec: None,
        }
    }

    /// What to read into. [`SoundDemuxer::pop`] until it gives nothing, then the next bytes.
    pub fn buffer(&mut self) -> &mut BytesMut {
        &mut self.buffer
    }

    /// The next event, if it is there whole.
    ///
    /// # Errors
    /// [`VideoError::Disabled`], [`VideoError::SoundCodec`], [`VideoError::Sound`], [`VideoError::Framing`]: nothing can be
    /// read from here on.
    pub fn pop(&mut self) -> Result<Option<SoundEvent>, VideoError> {
        let codec = match self.codec {
            Some(codec) => codec,
            None => {
                let Some(word) = self.buffer.first_chunk::<4>() else {
                    return Ok(None);
                };
                let codec = match u32::from_be_bytes(*word) {
                    OPUS => SoundCodec::Opus,
                    AAC => SoundCodec::Aac,
                    0 => return Err(VideoError::Disabled("switched off")),
                    1 => return Err(VideoError::Disabled("a configuration error")),
                    other => return Err(VideoError::SoundCodec(other)),
                };
                self.buffer.advance(4);
                *self.codec.insert(codec)
            }
        };
        let Some(head) = Head::peek(self.framing, &self.buffer) else {
            return Ok(None);
        };
        let length = usize::try_from(head.last).unwrap_or(usize::MAX);
        if head.session || length == 0 || length > LARGEST {
            return Err(VideoError::Framing("a packet of an impossible length"));
        }
        if self.buffer.len() < HEADER + length {
            self.buffer.reserve(HEADER + length - self.buffer.len());
            return Ok(None);
        }
        self.buffer.advance(HEADER);
        let data = self.buffer.split_to(length).freeze();
        if head.config {
            return SoundConfiguration::read(codec, data).map(|told| Some(SoundEvent::Configuration(told)));
        }
        Ok(Some(SoundEvent::Packet {
            time: head.time,
            data,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn run(framing: Framing, pieces: &[&[u8]]) -> (Vec<SoundEvent>, Option<VideoError>) {
        let mut demuxer = SoundDemuxer::new(framing);
        let mut events = Vec::new();
        for piece in pieces {
            demuxer.buffer().extend_from_slice(piece);
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
    fn check(framing: Framing, stream: &[&[u8]], expected: &[SoundEvent], end: Option<VideoError>) {
        let whole = stream.concat();
        let expected = (expected.to_vec(), end);
        assert_eq!(run(framing, &[&whole]), expected);
        let bytes: Vec<&[u8]> = whole.chunks(1).collect();
        assert_eq!(run(framing, &bytes), expected, "byte by byte");
    }

    #[test]
    fn both_framings_carry_both_codecs() {
        let packet = |time, data: &'static [u8]| SoundEvent::Packet {
            time,
            data: Bytes::from_static(data),
        };
        let told = |codec, record: &'static [u8]| {
            SoundEvent::Configuration(SoundConfiguration::read(codec, Bytes::from_static(record)).unwrap())
        };
        check(
            Framing::Header,
            &[
                b"\0aac",
                b"\x80\0\0\0\0\0\0\0\0\0\0\x02\x11\x90",
                b"\x40\0\0\x01\0\0\0\x07\0\0\0\x02ab",
                b"\0\0\0\0\0\0\0\x08\0\0\0\x01c",
            ],
            &[
                told(SoundCodec::Aac, b"\x11\x90"),
                packet(0x1_0000_0007, b"ab"),
                packet(8, b"c"),
            ],
            None,
        );
        check(
            Framing::Sessions,
            &[
                b"opus",
                b"\x40\0\0\0\0\0\0\0\0\0\0\x13OpusHead\x01\x02\x38\x01\x80\xbb\0\0\0\0\0",
                b"\x20\0\0\0\0\0\0\x09\0\0\0\x01d",
            ],
            &[
                told(SoundCodec::Opus, b"OpusHead\x01\x02\x38\x01\x80\xbb\0\0\0\0\0"),
                packet(9, b"d"),
            ],
            None,
        );
    }

    #[test]
    fn what_cannot_be_is_named() {
        let check = |stream: &[u8], end| check(Framing::Sessions, &[stream], &[], Some(end));
        check(b"\0\0\0\0", VideoError::Disabled("switched off"));
        check(b"\0\0\0\x01", VideoError::Disabled("a configuration error"));
        check(b"flac", VideoError::SoundCodec(0x666c_6163));
        let impossible = VideoError::Framing("a packet of an impossible length");
        check(b"opus\0\0\0\0\0\0\0\0\0\0\0\0", impossible.clone());
        check(b"opus\x80\0\0\0\0\0\0\0\0\0\0\x01", impossible);
        check(
            b"opus\x40\0\0\0\0\0\0\0\0\0\0\x01x",
            VideoError::Sound("no OpusHead"),
        );
    }

    proptest! {
        #[test]
        fn any_bytes_are_borne(bytes in prop::collection::vec(any::<u8>(), 0..300), sessions in any::<bool>()) {
            let framing = if sessions { Framing::Sessions } else { Framing::Header };
            run(framing, &[&bytes]);
            run(framing, &[b"opus", &bytes]);
        }
    }
}
