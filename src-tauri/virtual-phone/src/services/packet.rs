//! The shell protocol (AOSP `adb/shell_protocol.h`): one byte of kind, a length (u32, little endian), bytes.

use bytes::{Buf, BufMut, Bytes, BytesMut};

/// What a packet is (`kIdStdin` … `kIdWindowSizeChange`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Id {
    Stdin = 0,
    Stdout = 1,
    Stderr = 2,
    Exit = 3,
    CloseStdin = 4,
    WindowSize = 5,
}

const HEADER: usize = 5;
/// A client's packet is at most so long.
const LONGEST: usize = 16 * 1024 * 1024;

/// A packet no client of this protocol sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a shell packet")]
pub(super) struct BadPacket;

/// Takes the next whole packet off the front.
pub(super) fn take(buffer: &mut BytesMut) -> Result<Option<(Id, Bytes)>, BadPacket> {
    let Some(header) = buffer.get(..HEADER) else {
        return Ok(None);
    };
    let id = match header.first() {
        Some(0) => Id::Stdin,
        Some(1) => Id::Stdout,
        Some(2) => Id::Stderr,
        Some(3) => Id::Exit,
        Some(4) => Id::CloseStdin,
        Some(5) => Id::WindowSize,
        _ => return Err(BadPacket),
    };
    let mut length = header.get(1..).unwrap_or_default();
    let length = usize::try_from(length.get_u32_le()).unwrap_or(usize::MAX);
    if length > LONGEST {
        return Err(BadPacket);
    }
    if buffer.len() < HEADER + length {
        return Ok(None);
    }
    buffer.advance(HEADER);
    Ok(Some((id, buffer.split_to(length).freeze())))
}

/// A packet's bytes.
pub(super) fn put(id: Id, bytes: &[u8]) -> Bytes {
    let mut packet = BytesMut::with_capacity(HEADER + bytes.len());
    packet.put_u8(id as u8);
    packet.put_u32_le(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
    packet.put_slice(bytes);
    packet.freeze()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_exit_packet_looks_as_on_the_wire() {
        assert_eq!(put(Id::Exit, &[7]).as_ref(), [3, 1, 0, 0, 0, 7]);
    }

    #[test]
    fn a_kind_nobody_knows_is_refused() {
        assert_eq!(take(&mut BytesMut::from(&[9_u8, 0, 0, 0, 0][..])), Err(BadPacket));
        assert_eq!(
            take(&mut BytesMut::from(&[0_u8, 255, 255, 255, 255][..])),
            Err(BadPacket)
        );
    }

    proptest! {
        #[test]
        fn packets_cut_anywhere_come_out_whole(bodies in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..200), 1..6), cut in 1_usize..50) {
            let sent: Vec<u8> = bodies.iter().flat_map(|body| put(Id::Stdin, body)).collect();
            let mut buffer = BytesMut::new();
            let mut seen = Vec::new();
            for piece in sent.chunks(cut) {
                buffer.extend_from_slice(piece);
                while let Some((id, body)) = take(&mut buffer).unwrap() {
                    prop_assert_eq!(id, Id::Stdin);
                    seen.push(body.to_vec());
                }
            }
            prop_assert_eq!(seen, bodies);
            prop_assert!(buffer.is_empty());
        }
    }
}
