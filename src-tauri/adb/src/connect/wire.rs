//! The smart socket's framing: four hexadecimal digits and a text there, `OKAY` or `FAIL` and a text back.
//!
//! Source: AOSP `packages/modules/adb/SERVICES.TXT` and `OVERVIEW.TXT`.

use crate::error::AdbError;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

/// How long a server may take for a reply that does not depend on a phone's speed.
pub(crate) const REPLY: Duration = Duration::from_secs(5);

/// The longest request four hexadecimal digits can announce.
const LONGEST: usize = 0xffff;

/// Puts a request into its frame.
///
/// # Errors
/// [`AdbError::Refused`] when it is longer than a frame holds.
pub(crate) fn frame(request: &str) -> Result<Vec<u8>, AdbError> {
    if request.len() > LONGEST {
        return Err(AdbError::Refused(format!(
            "a command of {} bytes is too long for adb",
            request.len()
        )));
    }
    let mut framed = format!("{:04x}", request.len()).into_bytes();
    framed.extend_from_slice(request.as_bytes());
    Ok(framed)
}

/// Sends one request and reads its `OKAY`.
///
/// # Errors
/// What the server said after `FAIL`; [`AdbError::Cut`], [`AdbError::Garbled`], [`AdbError::Slow`].
pub(crate) async fn request<S>(stream: &mut S, text: &str) -> Result<(), AdbError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let framed = frame(text)?;
    send(stream, &framed).await?;
    status(stream).await
}

/// Writes a whole frame.
///
/// # Errors
/// [`AdbError::Cut`], [`AdbError::Slow`].
pub(crate) async fn send<S: AsyncWrite + Unpin>(stream: &mut S, framed: &[u8]) -> Result<(), AdbError> {
    in_time("a request", async {
        stream.write_all(framed).await?;
        stream.flush().await
    })
    .await
}

/// Reads `OKAY`, or `FAIL` with its text.
///
/// # Errors
/// As [`request`].
pub(crate) async fn status<S: AsyncRead + Unpin>(stream: &mut S) -> Result<(), AdbError> {
    let mut word = [0; 4];
    in_time("a reply", stream.read_exact(&mut word)).await?;
    match &word {
        b"OKAY" => Ok(()),
        b"FAIL" => {
            let text = counted(stream).await?;
            Err(AdbError::from_fail(&String::from_utf8_lossy(&text)))
        }
        _ => Err(AdbError::Garbled(format!(
            "{:?} instead of OKAY or FAIL",
            String::from_utf8_lossy(&word)
        ))),
    }
}

/// Reads a text with its length in front.
///
/// # Errors
/// [`AdbError::Cut`], [`AdbError::Garbled`], [`AdbError::Slow`].
pub(crate) async fn counted<S: AsyncRead + Unpin>(stream: &mut S) -> Result<Vec<u8>, AdbError> {
    let mut digits = [0; 4];
    in_time("a length", stream.read_exact(&mut digits)).await?;
    body(stream, digits).await
}

/// Reads what a service says when its work is done, however long that takes: a text with its length in front, or
/// `FAIL` and one. Nothing at all is [`AdbError::Cut`].
///
/// # Errors
/// [`AdbError::Slow`] after `limit`; as [`request`].
pub(crate) async fn outcome<S: AsyncRead + Unpin>(
    stream: &mut S,
    limit: Duration,
) -> Result<String, AdbError> {
    let mut word = [0; 4];
    match timeout(limit, stream.read_exact(&mut word)).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => return Err(AdbError::Cut(format!("an outcome: {error}"))),
        Err(_) => return Err(AdbError::Slow("an outcome".to_owned())),
    }
    let text = if &word == b"FAIL" {
        let text = counted(stream).await?;
        return Err(AdbError::Refused(crate::error::clip(&String::from_utf8_lossy(
            &text,
        ))));
    } else {
        body(stream, word).await?
    };
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Reads the text behind a length that has been read.
///
/// # Errors
/// As [`counted`].
pub(crate) async fn body<S: AsyncRead + Unpin>(stream: &mut S, digits: [u8; 4]) -> Result<Vec<u8>, AdbError> {
    let length = length(digits)?;
    let mut text = vec![0; length];
    in_time("a text", stream.read_exact(&mut text)).await?;
    Ok(text)
}

/// Four hexadecimal digits; unlike `from_str_radix`, no sign is let through.
fn length(digits: [u8; 4]) -> Result<usize, AdbError> {
    digits.iter().try_fold(0, |sum, digit| {
        char::from(*digit)
            .to_digit(16)
            .map(|n| sum * 16 + n as usize)
            .ok_or_else(|| AdbError::Garbled(format!("{:?} is no length", String::from_utf8_lossy(&digits))))
    })
}

async fn in_time<T>(what: &str, work: impl Future<Output = std::io::Result<T>>) -> Result<T, AdbError> {
    match timeout(REPLY, work).await {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(AdbError::Cut(format!("{what}: {error}"))),
        Err(_) => Err(AdbError::Slow(format!("{what} of the adb server"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Feeds bytes and reads one status, or a counted text.
    fn read(bytes: &[u8]) -> Result<(), AdbError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        runtime.block_on(status(&mut &*bytes))
    }

    #[test]
    fn a_request_carries_its_length_in_bytes() {
        assert_eq!(frame("host:version").unwrap(), b"000chost:version");
        assert_eq!(frame("é").unwrap(), "0002é".as_bytes());
        assert_eq!(frame("").unwrap(), b"0000");
        assert!(frame(&"x".repeat(0x1_0000)).is_err());
    }

    #[test]
    fn replies_are_read_or_named() {
        assert_eq!(read(b"OKAY"), Ok(()));
        assert_eq!(
            read(b"FAIL0014unknown host service"),
            Err(AdbError::Refused("unknown host service".to_owned()))
        );
        assert!(matches!(read(b"HTTP"), Err(AdbError::Garbled(_))));
        assert!(matches!(read(b"FAIL+012"), Err(AdbError::Garbled(_))));
        assert!(matches!(read(b"FAIL00zz"), Err(AdbError::Garbled(_))));
        assert!(matches!(read(b""), Err(AdbError::Cut(_))));
    }

    proptest! {
        /// Cut at any byte, an answer is *cut*: never understood, never a hang.
        #[test]
        fn an_answer_cut_anywhere_is_cut(said in "[ -~]{0,80}", at in 0_usize..100) {
            let whole = format!("FAIL{:04x}{said}", said.len()).into_bytes();
            let at = at % whole.len();
            prop_assert!(matches!(read(&whole[..at]), Err(AdbError::Cut(_))));
            prop_assert!(!matches!(read(&whole), Err(AdbError::Cut(_))));
        }

        #[test]
        fn any_four_bytes_are_a_length_or_garbled(digits in any::<[u8; 4]>()) {
            let text = String::from_utf8_lossy(&digits).into_owned();
            let plain = text.len() == 4 && text.chars().all(|c| c.is_ascii_hexdigit());
            prop_assert_eq!(length(digits).is_ok(), plain);
        }
    }
}
