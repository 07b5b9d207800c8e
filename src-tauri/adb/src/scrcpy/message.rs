//! Control messages to the phone, and what comes back. Big endian throughout.

use secrecy::zeroize::Zeroizing;
use std::io;
use tokio::io::{AsyncRead, AsyncReadExt};

/// The longest text of one *inject text* message, in bytes.
pub(super) const MOST_TEXT: usize = 300;
/// The longest clipboard text, in bytes: a message holds 256 KiB with its head.
pub(super) const MOST_CLIPBOARD: usize = 256 * 1024 - 14;

/// What happens to a key or a finger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EventAction {
    Down,
    Up,
    Move,
}

/// One message to the phone.
#[derive(Clone, Copy)]
pub(super) enum Message<'a> {
    Key {
        stroke: EventAction,
        code: u32,
        meta: u32,
    },
    Text(&'a str),
    Touch {
        stroke: EventAction,
        /// Which finger: any number but the reserved ones, which are negative.
        finger: u64,
        at: (i32, i32),
        screen: (u16, u16),
    },
    /// A wheel, in notches: right and up are positive. `full` notches are the most one message tells: 16 from 3.3 on, 1
    /// before.
    Scroll {
        at: (i32, i32),
        screen: (u16, u16),
        right: f32,
        up: f32,
        full: f32,
    },
    GetClipboard,
    SetClipboard {
        sequence: u64,
        paste: bool,
        text: &'a str,
    },
    /// Releases from 3.0 on.
    ResetVideo,
}

impl Message<'_> {
    /// Its bytes, wiped when they are dropped: a text may be a secret.
    pub(super) fn bytes(&self) -> Zeroizing<Vec<u8>> {
        let room = match self {
            Self::Text(text) | Self::SetClipboard { text, .. } => text.len() + 14,
            _ => 32,
        };
        let mut bytes = Zeroizing::new(Vec::with_capacity(room));
        match *self {
            Self::Key { stroke, code, meta } => {
                bytes.extend([0, stroke as u8]);
                bytes.extend(code.to_be_bytes());
                bytes.extend(0_u32.to_be_bytes());
                bytes.extend(meta.to_be_bytes());
            }
            Self::Text(text) => {
                bytes.push(1);
                counted(&mut bytes, text);
            }
            Self::Touch {
                stroke,
                finger,
                at,
                screen,
            } => {
                bytes.extend([2, stroke as u8]);
                bytes.extend(finger.to_be_bytes());
                bytes.extend(at.0.to_be_bytes());
                bytes.extend(at.1.to_be_bytes());
                bytes.extend(screen.0.to_be_bytes());
                bytes.extend(screen.1.to_be_bytes());
                let pressure: u16 = if stroke == EventAction::Up { 0 } else { u16::MAX };
                bytes.extend(pressure.to_be_bytes());
                // A finger has no buttons.
                bytes.extend([0; 8]);
            }
            Self::Scroll {
                at,
                screen,
                right,
                up,
                full,
            } => {
                bytes.push(3);
                bytes.extend(at.0.to_be_bytes());
                bytes.extend(at.1.to_be_bytes());
                bytes.extend(screen.0.to_be_bytes());
                bytes.extend(screen.1.to_be_bytes());
                bytes.extend(fixed(right / full).to_be_bytes());
                bytes.extend(fixed(up / full).to_be_bytes());
                // No button is held.
                bytes.extend([0; 4]);
            }
            Self::GetClipboard => bytes.extend([8, 0]),
            Self::SetClipboard {
                sequence,
                paste,
                text,
            } => {
                bytes.push(9);
                bytes.extend(sequence.to_be_bytes());
                bytes.push(u8::from(paste));
                counted(&mut bytes, text);
            }
            Self::ResetVideo => bytes.push(17),
        }
        bytes
    }
}

/// −1…1 as scrcpy's `sc_float_to_i16fp` writes it.
fn fixed(share: f32) -> i16 {
    #[expect(clippy::cast_possible_truncation, reason = "within the type: clamped before")]
    let whole = (share.clamp(-1.0, 1.0) * 32768.0) as i32;
    i16::try_from(whole).unwrap_or(i16::MAX)
}

fn counted(bytes: &mut Vec<u8>, text: &str) {
    // Longer texts are cut into pieces by the caller.
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    bytes.extend(length.to_be_bytes());
    bytes.extend(text.as_bytes());
}

/// One message from the phone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DeviceMessage {
    /// What the clipboard holds.
    Clipboard(String),
    /// The clipboard was set.
    Set(u64),
    /// Of no interest here.
    Other,
}

/// Reads one message.
///
/// # Errors
/// When the stream ends, or what comes is none.
pub(super) async fn read(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<DeviceMessage> {
    Ok(match stream.read_u8().await? {
        0 => {
            let length = stream.read_u32().await? as usize;
            if length > MOST_CLIPBOARD + 14 {
                return Err(io::Error::other("a clipboard longer than any"));
            }
            let mut text = vec![0; length];
            stream.read_exact(&mut text).await?;
            DeviceMessage::Clipboard(String::from_utf8_lossy(&text).into_owned())
        }
        1 => DeviceMessage::Set(stream.read_u64().await?),
        2 => {
            stream.read_u16().await?;
            let length = stream.read_u16().await?;
            let mut data = vec![0; usize::from(length)];
            stream.read_exact(&mut data).await?;
            DeviceMessage::Other
        }
        kind => return Err(io::Error::other(format!("a device message of kind {kind}"))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(message: Message<'_>, expected: &[u8]) {
        assert_eq!(message.bytes().as_slice(), expected);
    }

    /// The shapes of scrcpy's own `test_control_msg_serialize.c`.
    #[test]
    fn messages_are_as_scrcpys_own_tests_have_them() {
        check(
            Message::Key {
                stroke: EventAction::Up,
                code: 66,
                meta: 0x41,
            },
            &[0, 1, 0, 0, 0, 0x42, 0, 0, 0, 0, 0, 0, 0, 0x41],
        );
        check(Message::Text("hé"), &[1, 0, 0, 0, 3, b'h', 0xc3, 0xa9]);
        check(
            Message::Touch {
                stroke: EventAction::Down,
                finger: 0x1234_5678_8765_4321,
                at: (100, 200),
                screen: (1080, 1920),
            },
            &[
                2, 0, 0x12, 0x34, 0x56, 0x78, 0x87, 0x65, 0x43, 0x21, 0, 0, 0, 0x64, 0, 0, 0, 0xc8, 0x04,
                0x38, 0x07, 0x80, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0,
            ],
        );
        // Of 16 notches, as from 3.3 on; and of one.
        for (full, right, up) in [(16.0, 16.0, -16.0), (1.0, 1.0, -1.0)] {
            let (at, screen) = ((260, 1026), (1080, 1920));
            check(
                Message::Scroll {
                    at,
                    screen,
                    right,
                    up,
                    full,
                },
                &[
                    3, 0, 0, 0x01, 0x04, 0, 0, 0x04, 0x02, 0x04, 0x38, 0x07, 0x80, 0x7f, 0xff, 0x80, 0, 0, 0,
                    0, 0,
                ],
            );
        }
        check(Message::GetClipboard, &[8, 0]);
        check(
            Message::SetClipboard {
                sequence: 0x0102_0304_0506_0708,
                paste: true,
                text: "ok",
            },
            &[9, 1, 2, 3, 4, 5, 6, 7, 8, 1, 0, 0, 0, 2, b'o', b'k'],
        );
        check(Message::ResetVideo, &[17]);
    }

    fn told(bytes: &[u8]) -> io::Result<DeviceMessage> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(read(&mut &*bytes))
    }

    /// The shapes of `test_device_msg_deserialize.c`.
    #[test]
    fn what_the_phone_tells_is_read() {
        assert_eq!(
            told(&[0, 0, 0, 0, 3, b'A', b'B', b'C']).unwrap(),
            DeviceMessage::Clipboard("ABC".to_owned())
        );
        assert_eq!(
            told(&[1, 1, 2, 3, 4, 5, 6, 7, 8]).unwrap(),
            DeviceMessage::Set(0x0102_0304_0506_0708)
        );
        assert_eq!(told(&[2, 0, 42, 0, 2, 9, 9]).unwrap(), DeviceMessage::Other);
        assert!(
            told(&[0, 0xff, 0xff, 0xff, 0xff]).is_err(),
            "no room is made for a lie"
        );
        assert!(told(&[77]).is_err());
        assert!(told(&[]).is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_message_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let _ = told(&bytes);
        }
    }
}
