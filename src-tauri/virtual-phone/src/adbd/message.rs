//! One message: six numbers (u32, little endian) and a payload (`adb/protocol.txt`, "PROTOCOL OVERVIEW AND BASICS").

use bytes::{Buf, BufMut, Bytes, BytesMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::mpsc;

/// `A_CNXN` and its like: four letters as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Command(u32);

impl Command {
    pub(super) const CONNECT: Self = Self(u32::from_le_bytes(*b"CNXN"));
    pub(super) const AUTH: Self = Self(u32::from_le_bytes(*b"AUTH"));
    pub(super) const OPEN: Self = Self(u32::from_le_bytes(*b"OPEN"));
    pub(super) const OKAY: Self = Self(u32::from_le_bytes(*b"OKAY"));
    pub(super) const WRITE: Self = Self(u32::from_le_bytes(*b"WRTE"));
    pub(super) const CLOSE: Self = Self(u32::from_le_bytes(*b"CLSE"));
}

/// `A_VERSION_MIN`: checksums count.
pub(super) const VERSION_MIN: u32 = 0x0100_0000;
/// `A_VERSION_SKIP_CHECKSUM`, the newest there is.
pub(super) const VERSION: u32 = 0x0100_0001;
/// `MAX_PAYLOAD`.
pub(super) const MAX_PAYLOAD: u32 = 1024 * 1024;
/// `MAX_PAYLOAD_V1`: what a host that says nothing better may be sent.
pub(super) const MAX_PAYLOAD_V1: u32 = 4 * 1024;
const HEADER: usize = 24;

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) command: Command,
    pub(super) first: u32,
    pub(super) second: u32,
    pub(super) payload: Bytes,
}

/// Why a connection is given up.
#[derive(Debug, thiserror::Error)]
pub(super) enum BadMessage {
    #[error("the connection ended: {0}")]
    Ended(#[from] std::io::Error),
    #[error("a header whose magic does not fit its command")]
    Magic,
    #[error("a payload of {0} bytes")]
    TooLong(u32),
    #[error("a payload whose checksum does not fit")]
    Checksum,
}

impl Message {
    pub(super) fn new(command: Command, first: u32, second: u32, payload: impl Into<Bytes>) -> Self {
        Self {
            command,
            first,
            second,
            payload: payload.into(),
        }
    }

    /// The bytes on the wire. Without `checked` the checksum stands empty (version 0x01000001 and later).
    pub(super) fn encode(&self, checked: bool) -> Bytes {
        let mut out = BytesMut::with_capacity(HEADER + self.payload.len());
        out.put_u32_le(self.command.0);
        out.put_u32_le(self.first);
        out.put_u32_le(self.second);
        out.put_u32_le(u32::try_from(self.payload.len()).unwrap_or(u32::MAX));
        out.put_u32_le(if checked { checksum(&self.payload) } else { 0 });
        out.put_u32_le(!self.command.0);
        out.put_slice(&self.payload);
        out.freeze()
    }

    /// Reads a message. Its checksum counts when `checked` says so once it is here: the greeting before it decides.
    ///
    /// # Errors
    /// The connection's end, or what no host of this protocol sends.
    pub(super) async fn read(
        from: &mut (impl AsyncRead + Unpin),
        checked: impl Fn() -> bool,
    ) -> Result<Self, BadMessage> {
        let mut header = [0; HEADER];
        from.read_exact(&mut header).await?;
        let mut header = header.as_slice();
        let command = Command(header.get_u32_le());
        let (first, second, length) = (header.get_u32_le(), header.get_u32_le(), header.get_u32_le());
        let (sum, magic) = (header.get_u32_le(), header.get_u32_le());
        if magic != !command.0 {
            return Err(BadMessage::Magic);
        }
        if length > MAX_PAYLOAD {
            return Err(BadMessage::TooLong(length));
        }
        let mut payload = vec![0; usize::try_from(length).map_err(|_| BadMessage::TooLong(length))?];
        from.read_exact(&mut payload).await?;
        if checked() && checksum(&payload) != sum {
            return Err(BadMessage::Checksum);
        }
        Ok(Self {
            command,
            first,
            second,
            payload: Bytes::from(payload),
        })
    }
}

/// The way to the host: messages are put on the wire in the order they are sent.
#[derive(Clone, Debug)]
pub(super) struct Outgoing {
    queue: mpsc::Sender<Bytes>,
    /// Whether checksums count, as the two sides' versions have it.
    checked: Arc<AtomicBool>,
}

impl Outgoing {
    pub(super) fn new(queue: mpsc::Sender<Bytes>) -> Self {
        // Until the versions are known, checksums count.
        Self {
            queue,
            checked: Arc::new(AtomicBool::new(true)),
        }
    }

    pub(super) fn is_checked(&self) -> bool {
        self.checked.load(Ordering::Relaxed)
    }

    pub(super) fn set_checked(&self, checked: bool) {
        self.checked.store(checked, Ordering::Relaxed);
    }

    /// Waits for room. False: the connection is ending.
    pub(super) async fn send(&self, message: &Message) -> bool {
        self.queue.send(message.encode(self.is_checked())).await.is_ok()
    }
}

/// The sum of all bytes ("crc32" in the header's name only).
fn checksum(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .fold(0, |sum: u32, byte| sum.wrapping_add(u32::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tokio::io::AsyncWriteExt;

    #[test]
    fn a_message_looks_as_on_the_wire() {
        let message = Message::new(Command::OPEN, 1, 0, &b"shell:\0"[..]);
        #[rustfmt::skip]
        assert_eq!(
            message.encode(true).as_ref(),
            [
                b'O', b'P', b'E', b'N', 1, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0x52, 2, 0, 0, 0xb0, 0xaf, 0xba, 0xb1,
                b's', b'h', b'e', b'l', b'l', b':', 0,
            ]
        );
        assert_eq!(message.encode(false).get(16..20), Some(&[0, 0, 0, 0][..]));
    }

    async fn read(bytes: &[u8], cut: usize, checked: bool) -> Result<Message, BadMessage> {
        let (mut near, mut far) = tokio::io::duplex(16);
        let bytes = bytes.to_vec();
        let task = tokio::spawn(async move {
            for piece in bytes.chunks(cut) {
                near.write_all(piece).await.unwrap();
            }
        });
        let message = Message::read(&mut far, || checked).await;
        drop(far);
        let _ = task.await;
        message
    }

    #[tokio::test]
    async fn what_no_host_sends_is_refused() {
        let good = Message::new(Command::WRITE, 1, 2, &b"abc"[..])
            .encode(true)
            .to_vec();
        let changed = |at: usize, byte: u8| {
            let mut bytes = good.clone();
            *bytes.get_mut(at).unwrap() = byte;
            bytes
        };
        assert!(matches!(
            read(&changed(20, 0), 8, true).await,
            Err(BadMessage::Magic)
        ));
        assert!(matches!(
            read(&changed(14, 0x11), 8, true).await,
            Err(BadMessage::TooLong(_))
        ));
        assert!(matches!(
            read(&changed(26, b'x'), 8, true).await,
            Err(BadMessage::Checksum)
        ));
        assert!(read(&changed(26, b'x'), 8, false).await.is_ok());
        assert!(matches!(
            read(good.get(..20).unwrap(), 8, true).await,
            Err(BadMessage::Ended(_))
        ));
    }

    proptest! {
        #[test]
        fn messages_cut_at_every_byte_come_out_whole(first: u32, second: u32, payload in proptest::collection::vec(any::<u8>(), 0..300), cut in 1_usize..40, checked: bool) {
            let message = Message::new(Command::WRITE, first, second, payload);
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let back = runtime.block_on(read(&message.encode(checked), cut, checked)).unwrap();
            prop_assert_eq!(back, message);
        }
    }
}
