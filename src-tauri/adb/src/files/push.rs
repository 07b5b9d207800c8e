//! A file to the phone by the daemon's `sync:` service, over any link (also one inside this program).
//!
//! Source: AOSP `packages/modules/adb/SYNC.TXT`: `SEND` with path and mode, `DATA` of at most 64 KiB, `DONE` with the
//! time, then `OKAY` or `FAIL`; ids of four letters, lengths in little endian. A connection that ends before `DONE` makes
//! the daemon take away what came (`handle_send_file` in `daemon/file_sync_service.cpp`).

use crate::connect::server::Device;
use crate::connect::wire;
use crate::error::{AdbError, clip};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

/// How long the phone may take for one piece, and to say that all is well.
const STALLS: Duration = Duration::from_secs(20);
const CHUNK: usize = 64 * 1024;
/// A regular file, readable by all: what `app_process` and the phone's apps need.
const MODE: u32 = 0o100_644;

/// Carries what is read to a file, which is from `modified`, in seconds since 1970. `told` hears how many bytes went, after
/// each piece.
///
/// # Errors
/// [`AdbError::Unreadable`] of this side; what the phone said, or how the connection went.
pub(crate) async fn push(
    device: &Device,
    mut from: impl AsyncRead + Unpin,
    path: &str,
    modified: u32,
    mut told: impl FnMut(u64),
) -> Result<(), AdbError> {
    let mut stream = device.connect().await?;
    wire::request(&mut stream, "sync:").await?;
    let mut out = packet(*b"SEND", format!("{path},{MODE}").as_bytes());
    let mut chunk = vec![0; CHUNK];
    let mut gone = 0;
    loop {
        let read = from.read(&mut chunk).await;
        let read = read.map_err(|error| AdbError::Unreadable(error.to_string()))?;
        match chunk.get(..read) {
            Some(piece) if !piece.is_empty() => out.extend(packet(*b"DATA", piece)),
            _ => {
                out.extend(b"DONE");
                out.extend(modified.to_le_bytes());
            }
        }
        let sending = async {
            stream.write_all(&out).await?;
            stream.flush().await
        };
        match timeout(STALLS, sending).await {
            Ok(Ok(())) => {}
            // A phone that will not have it says so and hangs up: its words tell more than the broken pipe.
            Ok(Err(_)) => break,
            Err(_) => return Err(AdbError::Slow("a file".to_owned())),
        }
        out.clear();
        gone += read as u64;
        told(gone);
        if read == 0 {
            break;
        }
    }
    let answered = timeout(STALLS, answer(&mut stream)).await;
    answered.unwrap_or_else(|_| Err(AdbError::Slow("a file".to_owned())))
}

/// Seconds since 1970, as a file's time is told.
pub(crate) fn seconds(at: SystemTime) -> u32 {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or_default();
    u32::try_from(since.as_secs()).unwrap_or(u32::MAX)
}

async fn answer(stream: &mut (impl AsyncRead + Unpin)) -> Result<(), AdbError> {
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
