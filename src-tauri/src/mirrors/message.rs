//! A mirror's message as the page reads it: a head of 32 bytes, little endian, and what it is about.
//!
//! | at | type | is |
//! |---|---|---|
//! | 0 | u8 | kind: 1 picture (a JPEG file), 2 nothing to see, 3 configuration (what an `avcC` box holds), 4 access unit (NAL units, each behind its length as a big-endian u32), 5 still alive and nothing changed |
//! | 1 | u8 | flags: kind 2: 1 black, 2 protected, 3 failed; kind 4: bit 0 a key frame |
//! | 2 | u8 | the source: 0 captures, 1 `screenrecord`, 2 scrcpy |
//! | 3 | u8 | why no better one: 0 nothing to say, 1 no scrcpy server on this computer, 2 it did not start, 3 it ended, 4 `screenrecord` is not there or fails, 5 no stream came, 6 this window cannot decode |
//! | 4 | u32 | counts this mirror's messages, from 1 |
//! | 8 | u16, u16 | width and height of the picture; 0 for kinds 2 and 5 |
//! | 12 | u16, u16 | width and height of the phone's screen as it is turned now; 0 where unknown |
//! | 16 | u64 | when it arrived at this computer, milliseconds since 1970 |
//! | 24 | u64 | the stream's own time, microseconds; 0 for kinds 1 and 2 |

use engine::{FallbackReason, MirrorContent, MirrorMessage, StreamSource};

/// The bytes of the head.
const HEAD: usize = 32;

/// A message, whole.
pub(super) fn bytes(seq: u32, message: &MirrorMessage) -> Vec<u8> {
    let (kind, flags, payload): (u8, u8, &[u8]) = match &message.shown {
        MirrorContent::Jpeg(bytes) => (1, 0, bytes),
        MirrorContent::Black => (2, 1, &[]),
        MirrorContent::Protected => (2, 2, &[]),
        MirrorContent::Failed => (2, 3, &[]),
        MirrorContent::Configuration(record) => (3, 0, record),
        MirrorContent::Unit { key, data } => (4, u8::from(*key), data),
        MirrorContent::Still => (5, 0, &[]),
    };
    let source = match message.source {
        StreamSource::Captures => 0,
        StreamSource::Screenrecord => 1,
        StreamSource::Scrcpy => 2,
    };
    let why = match message.why {
        _ if message.decoded_here => 6,
        FallbackReason::Nothing => 0,
        FallbackReason::NoServer => 1,
        FallbackReason::NotStarted => 2,
        FallbackReason::Ended => 3,
        FallbackReason::NoScreenrecord => 4,
        FallbackReason::NoStream => 5,
    };
    let mut bytes = Vec::with_capacity(HEAD + payload.len());
    bytes.extend([kind, flags, source, why]);
    bytes.extend(seq.to_le_bytes());
    for side in [
        message.picture.0,
        message.picture.1,
        message.screen.0,
        message.screen.1,
    ] {
        bytes.extend(side.to_le_bytes());
    }
    bytes.extend(message.at.to_le_bytes());
    bytes.extend(message.time.to_le_bytes());
    bytes.extend(payload);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(message: &MirrorMessage, expected: [&[u8]; 8]) {
        assert_eq!(bytes(7, message), expected.concat());
    }

    const AT: &[u8] = &[4, 3, 2, 1, 0, 0, 0, 0];
    const SEQ: &[u8] = &[7, 0, 0, 0];
    const SCREEN: &[u8] = &[0x38, 4, 0x60, 9];
    const NONE: &[u8] = &[0; 4];
    const NEVER: &[u8] = &[0; 8];

    fn message(shown: MirrorContent) -> MirrorMessage {
        MirrorMessage {
            shown,
            source: StreamSource::Captures,
            why: FallbackReason::Nothing,
            decoded_here: false,
            picture: (0, 0),
            screen: (1080, 2400),
            at: 0x0102_0304,
            time: 0,
        }
    }

    #[test]
    fn each_kind_has_its_head_and_what_it_is_about() {
        let picture = MirrorMessage {
            picture: (270, 600),
            why: FallbackReason::NoScreenrecord,
            ..message(MirrorContent::Jpeg([0xff, 0xd8][..].into()))
        };
        check(
            &picture,
            [
                &[1, 0, 0, 4],
                SEQ,
                &[14, 1, 88, 2],
                SCREEN,
                AT,
                NEVER,
                &[0xff, 0xd8],
                &[],
            ],
        );
        let decoded = MirrorMessage {
            source: StreamSource::Scrcpy,
            decoded_here: true,
            ..picture
        };
        check(
            &decoded,
            [
                &[1, 0, 2, 6],
                SEQ,
                &[14, 1, 88, 2],
                SCREEN,
                AT,
                NEVER,
                &[0xff, 0xd8],
                &[],
            ],
        );
        for (shown, flag) in [
            (MirrorContent::Black, 1),
            (MirrorContent::Protected, 2),
            (MirrorContent::Failed, 3),
        ] {
            check(
                &message(shown),
                [&[2, flag, 0, 0], SEQ, NONE, SCREEN, AT, NEVER, &[], &[]],
            );
        }
        check(
            &message(MirrorContent::Still),
            [&[5, 0, 0, 0], SEQ, NONE, SCREEN, AT, NEVER, &[], &[]],
        );
    }

    #[test]
    fn a_stream_has_its_source_and_its_time() {
        let streamed = |shown, why| MirrorMessage {
            source: StreamSource::Screenrecord,
            why,
            picture: (576, 1280),
            time: 0x0506,
            ..message(shown)
        };
        let (size, time): (&[u8], &[u8]) = (&[0x40, 2, 0, 5], &[6, 5, 0, 0, 0, 0, 0, 0]);
        check(
            &streamed(
                MirrorContent::Configuration(b"\x01\x64"[..].into()),
                FallbackReason::NoServer,
            ),
            [&[3, 0, 1, 1], SEQ, size, SCREEN, AT, time, b"\x01\x64", &[]],
        );
        for key in [true, false] {
            let data = b"\0\0\0\x01\x65"[..].into();
            check(
                &streamed(MirrorContent::Unit { key, data }, FallbackReason::NotStarted),
                [
                    &[4, u8::from(key), 1, 2],
                    SEQ,
                    size,
                    SCREEN,
                    AT,
                    time,
                    b"\0\0\0\x01\x65",
                    &[],
                ],
            );
        }
        for (why, code) in [(FallbackReason::Ended, 3), (FallbackReason::NoStream, 5)] {
            let data = b"x"[..].into();
            let bytes = bytes(1, &streamed(MirrorContent::Unit { key: true, data }, why));
            assert_eq!(bytes[3], code);
        }
    }
}
