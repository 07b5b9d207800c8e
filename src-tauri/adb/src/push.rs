//! A file to the phone by the daemon's `sync:` service, over any link (also one inside this program).
//!
//! Source: AOSP `packages/modules/adb/SYNC.TXT`: `SEND` with path and mode, `DATA` of at most 64 KiB, `DONE` with the
//! time, then `OKAY` or `FAIL`; ids of four letters, lengths in little endian.

use crate::error::{AdbError, clip};
use crate::server::Device;
use crate::wire;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

const CHUNK: usize = 64 * 1024;
/// A regular file, readable by all: what `app_process` needs.
const MODE: u32 = 0o100_644;

/// Carries bytes to a file, within `limit`.
///
/// # Errors
/// What the phone said, or how the connection went.
pub(crate) async fn push(device: &Device, bytes: &[u8], path: &str, limit: Duration) -> Result<(), AdbError> {
    let work = async {
        let mut stream = device.connect().await?;
        wire::request(&mut stream, "sync:").await?;
        let mut head = packet(*b"SEND", format!("{path},{MODE}").as_bytes());
        for chunk in bytes.chunks(CHUNK) {
            head.extend(packet(*b"DATA", chunk));
            stream.write_all(&head).await.map_err(|error| cut(&error))?;
            head.clear();
        }
        head.extend(b"DONE");
        head.extend(0_u32.to_le_bytes());
        stream.write_all(&head).await.map_err(|error| cut(&error))?;
        stream.flush().await.map_err(|error| cut(&error))?;
        let mut answer = [0; 8];
        stream
            .read_exact(&mut answer)
            .await
            .map_err(|error| cut(&error))?;
        let [a, b, c, d, length @ ..] = answer;
        let length = u32::from_le_bytes(length).min(4096) as usize;
        match &[a, b, c, d] {
            b"OKAY" => Ok(()),
            b"FAIL" => {
                let mut said = vec![0; length];
                stream.read_exact(&mut said).await.map_err(|error| cut(&error))?;
                Err(AdbError::Refused(clip(&String::from_utf8_lossy(&said))))
            }
            _ => Err(AdbError::Garbled("no answer to a file".to_owned())),
        }
    };
    timeout(limit, work)
        .await
        .unwrap_or_else(|_| Err(AdbError::Slow("a file".to_owned())))
}

fn packet(id: [u8; 4], body: &[u8]) -> Vec<u8> {
    let mut packet = id.to_vec();
    packet.extend(u32::try_from(body.len()).unwrap_or(u32::MAX).to_le_bytes());
    packet.extend(body);
    packet
}

fn cut(error: &std::io::Error) -> AdbError {
    AdbError::Cut(format!("a file: {error}"))
}
