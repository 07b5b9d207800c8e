//! Requests and answers on the wire.

use std::io;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// A request is at most so long (`MAX_PAYLOAD`, with room to spare below four hex digits).
const LONGEST: usize = 0xffff;

/// Reads a request. None: the client is gone, or what it says is no request (the server hangs up on it).
pub(super) async fn read(from: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut digits = [0; 4];
    from.read_exact(&mut digits).await.ok()?;
    let length = length(digits)?;
    let mut text = vec![0; length];
    from.read_exact(&mut text).await.ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// Four hex digits; none for anything else, and for an empty request.
fn length(digits: [u8; 4]) -> Option<usize> {
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let length = usize::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?;
    (1..=LONGEST).contains(&length).then_some(length)
}

/// A text with its length in four hex digits before it.
pub(super) fn counted(text: &str) -> Vec<u8> {
    let text = text.get(..LONGEST).unwrap_or(text);
    format!("{:04x}{text}", text.len()).into_bytes()
}

/// `OKAY`.
pub(super) async fn okay(to: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
    to.write_all(b"OKAY").await?;
    to.flush().await
}

/// `OKAY` and a text.
pub(super) async fn okay_with(to: &mut (impl AsyncWrite + Unpin), text: &str) -> io::Result<()> {
    let mut bytes = b"OKAY".to_vec();
    bytes.extend(counted(text));
    to.write_all(&bytes).await?;
    to.flush().await
}

/// `FAIL` and why.
pub(super) async fn fail(to: &mut (impl AsyncWrite + Unpin), why: &str) -> io::Result<()> {
    let mut bytes = b"FAIL".to_vec();
    bytes.extend(counted(why));
    to.write_all(&bytes).await?;
    to.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    async fn sent(bytes: Vec<u8>, cut: usize) -> Vec<Option<String>> {
        let (mut near, mut far) = tokio::io::duplex(8);
        tokio::spawn(async move {
            for piece in bytes.chunks(cut) {
                if near.write_all(piece).await.is_err() {
                    return;
                }
            }
        });
        let mut seen = Vec::new();
        loop {
            let request = read(&mut far).await;
            let ended = request.is_none();
            seen.push(request);
            if ended {
                return seen;
            }
        }
    }

    #[tokio::test]
    async fn what_is_no_request_ends_the_talk() {
        for bytes in [
            &b"000"[..],
            b"00",
            b"zzzzhost:version",
            b"0000",
            b"000chost:vers",
            b"+00chost:version",
        ] {
            assert_eq!(sent(bytes.to_vec(), 3).await, [None], "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn requests_cut_at_every_byte_come_out_whole(texts in proptest::collection::vec("[ -~é]{1,60}", 1..5), cut in 1_usize..20) {
            let bytes: Vec<u8> = texts.iter().flat_map(|text| counted(text)).collect();
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let seen = runtime.block_on(sent(bytes, cut));
            let expected: Vec<Option<String>> = texts.into_iter().map(Some).chain([None]).collect();
            prop_assert_eq!(seen, expected);
        }
    }
}
