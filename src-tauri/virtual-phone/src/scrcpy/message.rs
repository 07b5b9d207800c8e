//! What a client says on the control socket, byte for byte (scrcpy `app/src/control_msg.c`,
//! `server/…/control/ControlMessageReader.java`, tags v3.0 to v4.1; all numbers big endian).

use bytes::{Buf, BufMut};

/// A text is at most so long (`MESSAGE_MAX_SIZE`, 256 KiB, less the rest of the message).
const LONGEST: u32 = (1 << 18) - 5;

/// Where on the screen, and what size the sender believes it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) width: u16,
    pub(super) height: u16,
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Message {
    /// Down is action 0.
    Key {
        action: u8,
        code: u32,
        repeat: u32,
        meta: u32,
    },
    Text(String),
    /// `MotionEvent`'s actions: 0 down, 1 up, 2 move, 3 cancel.
    Touch {
        action: u8,
        pointer: i64,
        at: Position,
    },
    /// In notches of a wheel: right and up are positive.
    Scroll {
        at: Position,
        right: f32,
        up: f32,
    },
    BackOrScreenOn(u8),
    ExpandNotifications,
    ExpandSettings,
    CollapsePanels,
    /// 0 none, 1 copy, 2 cut.
    GetClipboard(u8),
    SetClipboard {
        sequence: u64,
        paste: bool,
        text: String,
    },
    DisplayPower(bool),
    Rotate,
    UhidCreate(u16),
    UhidInput {
        id: u16,
        report: Vec<u8>,
    },
    UhidDestroy(u16),
    KeyboardSettings,
    StartApp(String),
    ResetVideo,
    /// What only a camera or a virtual display would heed.
    Unheeded,
}

/// Why a talk ends: the server throws (`ControlProtocolException`).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ControlProtocolError {
    #[error("Unknown event type: {0}")]
    Unknown(u8),
    #[error("Invalid length: {0}")]
    Length(u32),
}

/// What of the protocol changed with the server's version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    pub(super) major: u32,
    pub(super) minor: u32,
}

impl Dialect {
    pub(super) fn of(version: &str) -> Self {
        let mut numbers = version
            .split('.')
            .map(|part| part.parse::<u32>().unwrap_or_default());
        Self {
            major: numbers.next().unwrap_or_default(),
            minor: numbers.next().unwrap_or_default(),
        }
    }

    fn from(self, major: u32, minor: u32) -> bool {
        (self.major, self.minor) >= (major, minor)
    }
}

/// Takes a message off the front of `bytes`; none while it is not whole.
///
/// # Errors
/// What no such server understands.
pub(super) fn take(
    bytes: &mut bytes::BytesMut,
    dialect: Dialect,
) -> Result<Option<Message>, ControlProtocolError> {
    let mut rest = &bytes[..];
    let before = rest.len();
    let read = read(&mut rest, dialect);
    let used = before - rest.len();
    match read {
        Ok(message) => {
            bytes.advance(used);
            Ok(Some(message))
        }
        Err(ReadError::Incomplete) => Ok(None),
        Err(ReadError::Invalid(broken)) => Err(broken),
    }
}

enum ReadError {
    Incomplete,
    Invalid(ControlProtocolError),
}

impl From<bytes::TryGetError> for ReadError {
    fn from(_: bytes::TryGetError) -> Self {
        Self::Incomplete
    }
}

fn take_bytes(rest: &mut &[u8], length: u32) -> Result<Vec<u8>, ReadError> {
    if length > LONGEST {
        return Err(ReadError::Invalid(ControlProtocolError::Length(length)));
    }
    let length = usize::try_from(length).map_err(|_| ReadError::Incomplete)?;
    let (taken, left) = rest.split_at_checked(length).ok_or(ReadError::Incomplete)?;
    *rest = left;
    Ok(taken.to_vec())
}

fn take_text(rest: &mut &[u8], length: u32) -> Result<String, ReadError> {
    Ok(String::from_utf8_lossy(&take_bytes(rest, length)?).into_owned())
}

fn position(rest: &mut &[u8]) -> Result<Position, ReadError> {
    Ok(Position {
        x: rest.try_get_i32()?,
        y: rest.try_get_i32()?,
        width: rest.try_get_u16()?,
        height: rest.try_get_u16()?,
    })
}

/// `i16FixedPointToFloat`: −1…1.
fn fixed(value: i16) -> f32 {
    if value == i16::MAX {
        1.0
    } else {
        f32::from(value) / 32768.0
    }
}

fn read(rest: &mut &[u8], dialect: Dialect) -> Result<Message, ReadError> {
    let kind = rest.try_get_u8()?;
    let unknown = || ReadError::Invalid(ControlProtocolError::Unknown(kind));
    Ok(match kind {
        0 => Message::Key {
            action: rest.try_get_u8()?,
            code: rest.try_get_u32()?,
            repeat: rest.try_get_u32()?,
            meta: rest.try_get_u32()?,
        },
        1 => {
            let length = rest.try_get_u32()?;
            Message::Text(take_text(rest, length)?)
        }
        2 => {
            let action = rest.try_get_u8()?;
            let pointer = rest.try_get_i64()?;
            let at = position(rest)?;
            // Pressure, the button it is about, the buttons that are down.
            rest.try_get_u16()?;
            rest.try_get_u32()?;
            rest.try_get_u32()?;
            Message::Touch { action, pointer, at }
        }
        3 => {
            let at = position(rest)?;
            // From 3.3.1 the full scale is 16 notches; 3.3 itself is taken for it.
            let scale = if dialect.from(3, 3) { 16.0 } else { 1.0 };
            let right = fixed(rest.try_get_i16()?) * scale;
            let up = fixed(rest.try_get_i16()?) * scale;
            rest.try_get_u32()?;
            Message::Scroll { at, right, up }
        }
        4 => Message::BackOrScreenOn(rest.try_get_u8()?),
        5 => Message::ExpandNotifications,
        6 => Message::ExpandSettings,
        7 => Message::CollapsePanels,
        8 => Message::GetClipboard(rest.try_get_u8()?),
        9 => {
            let sequence = rest.try_get_u64()?;
            let paste = rest.try_get_u8()? != 0;
            let length = rest.try_get_u32()?;
            Message::SetClipboard {
                sequence,
                paste,
                text: take_text(rest, length)?,
            }
        }
        10 => Message::DisplayPower(rest.try_get_u8()? != 0),
        11 => Message::Rotate,
        12 if dialect.from(2, 4) => {
            let id = rest.try_get_u16()?;
            if dialect.from(3, 1) {
                // The maker's and the product's numbers.
                rest.try_get_u32()?;
            }
            if dialect.from(2, 7) {
                let length = rest.try_get_u8()?;
                take_bytes(rest, u32::from(length))?;
            }
            let length = rest.try_get_u16()?;
            take_bytes(rest, u32::from(length))?;
            Message::UhidCreate(id)
        }
        13 if dialect.from(2, 4) => {
            let id = rest.try_get_u16()?;
            let length = rest.try_get_u16()?;
            Message::UhidInput {
                id,
                report: take_bytes(rest, u32::from(length))?,
            }
        }
        14 if dialect.from(2, 7) => Message::UhidDestroy(rest.try_get_u16()?),
        14 if dialect.from(2, 4) => Message::KeyboardSettings,
        15 if dialect.from(2, 7) => Message::KeyboardSettings,
        16 if dialect.from(3, 0) => {
            let length = rest.try_get_u8()?;
            Message::StartApp(take_text(rest, u32::from(length))?)
        }
        17 if dialect.from(3, 0) => Message::ResetVideo,
        18 if dialect.from(4, 0) => {
            rest.try_get_u8()?;
            Message::Unheeded
        }
        19 | 20 if dialect.from(4, 0) => Message::Unheeded,
        21 if dialect.from(4, 0) => {
            rest.try_get_u32()?;
            Message::Unheeded
        }
        22 if dialect.from(4, 1) => {
            let length = rest.try_get_u32()?;
            take_bytes(rest, length)?;
            Message::Unheeded
        }
        _ => return Err(unknown()),
    })
}

/// What the device says back (`DeviceMessageWriter.java`).
pub(super) fn clipboard(text: &str) -> Vec<u8> {
    let mut out = vec![0];
    out.put_u32(u32::try_from(text.len()).unwrap_or(u32::MAX));
    out.put_slice(text.as_bytes());
    out
}

/// The clipboard was set.
pub(super) fn acknowledge(sequence: u64) -> Vec<u8> {
    let mut out = vec![1];
    out.put_u64(sequence);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::BytesMut;
    use proptest::prelude::*;

    const NEW: Dialect = Dialect { major: 3, minor: 3 };

    fn whole(bytes: &[u8], dialect: Dialect) -> Result<Option<Message>, ControlProtocolError> {
        take(&mut BytesMut::from(bytes), dialect)
    }

    // The vectors of scrcpy's `app/tests/test_control_msg_serialize.c`.
    #[test]
    fn scrcpys_own_vectors_are_read() {
        let key = [0, 1, 0, 0, 0, 66, 0, 0, 0, 5, 0, 0, 0, 0x41];
        assert_eq!(
            whole(&key, NEW),
            Ok(Some(Message::Key {
                action: 1,
                code: 66,
                repeat: 5,
                meta: 0x41
            }))
        );
        let text = b"\x01\x00\x00\x00\x0dhello, world!";
        assert_eq!(whole(text, NEW), Ok(Some(Message::Text("hello, world!".into()))));
        let touch = [
            2, 0, 0x12, 0x34, 0x56, 0x78, 0x87, 0x65, 0x43, 0x21, 0, 0, 0, 100, 0, 0, 0, 200, 4, 0x38, 7,
            0x80, 0xff, 0xff, 0, 0, 0, 1, 0, 0, 0, 1,
        ];
        assert_eq!(touch.len(), 32);
        let at = Position {
            x: 100,
            y: 200,
            width: 1080,
            height: 1920,
        };
        assert_eq!(
            whole(&touch, NEW),
            Ok(Some(Message::Touch {
                action: 0,
                pointer: 0x1234_5678_8765_4321,
                at
            }))
        );
        let clipboard = b"\x09\x01\x02\x03\x04\x05\x06\x07\x08\x01\x00\x00\x00\x0dhello, world!";
        assert_eq!(
            whole(clipboard, NEW),
            Ok(Some(Message::SetClipboard {
                sequence: 0x0102_0304_0506_0708,
                paste: true,
                text: "hello, world!".into()
            }))
        );
        for (bytes, expected) in [
            (&[4, 1][..], Message::BackOrScreenOn(1)),
            (&[5], Message::ExpandNotifications),
            (&[6], Message::ExpandSettings),
            (&[7], Message::CollapsePanels),
            (&[8, 1], Message::GetClipboard(1)),
            (&[10, 1], Message::DisplayPower(true)),
            (&[11], Message::Rotate),
            (&[14, 0, 42], Message::UhidDestroy(42)),
            (&[15], Message::KeyboardSettings),
            (&[17], Message::ResetVideo),
        ] {
            assert_eq!(whole(bytes, NEW), Ok(Some(expected)), "{bytes:?}");
        }
        let start = b"\x10\x09firefox  ";
        assert_eq!(whole(start, NEW), Ok(Some(Message::StartApp("firefox  ".into()))));
    }

    #[test]
    fn each_version_has_its_own_words() {
        let old = Dialect { major: 2, minor: 4 };
        assert_eq!(whole(&[14], old), Ok(Some(Message::KeyboardSettings)));
        assert_eq!(whole(&[17], old), Err(ControlProtocolError::Unknown(17)));
        assert_eq!(
            whole(&[21, 4, 0, 3, 0], NEW),
            Err(ControlProtocolError::Unknown(21))
        );
        let four = Dialect::of("4.0");
        assert_eq!(whole(&[21, 4, 0, 3, 0], four), Ok(Some(Message::Unheeded)));
        assert_eq!(
            whole(&[22, 0, 0, 0, 1, b'/'], four),
            Err(ControlProtocolError::Unknown(22))
        );
        let newest = Dialect::of("4.1");
        assert_eq!(
            whole(&[22, 0, 0, 0, 1, b'/'], newest),
            Ok(Some(Message::Unheeded))
        );
        assert_eq!(
            whole(&[1, 0xff, 0xff, 0xff, 0xff], NEW),
            Err(ControlProtocolError::Length(u32::MAX))
        );
    }

    proptest! {
        #[test]
        fn nothing_is_taken_before_it_is_whole(text in "\\PC{0,40}", cut in 0_usize..60) {
            let mut bytes = BytesMut::from(&[9, 0, 0, 0, 0, 0, 0, 0, 7, 0][..]);
            bytes.put_u32(u32::try_from(text.len()).unwrap());
            bytes.put_slice(text.as_bytes());
            let all = bytes.clone();
            let mut begun = BytesMut::from(&all[..cut.min(all.len())]);
            let taken = take(&mut begun, NEW);
            if cut < all.len() {
                prop_assert_eq!(taken, Ok(None));
                prop_assert_eq!(&begun[..], &all[..cut]);
            } else {
                prop_assert_eq!(taken, Ok(Some(Message::SetClipboard { sequence: 7, paste: false, text })));
                prop_assert!(begun.is_empty());
            }
        }
    }
}
