//! The screen's video: a server of its own with two sockets, the video's and one to ask for key frames by.
//!
//! The server accepts the video's socket first, sends a zero on it, accepts the control socket, and then sends the phone's
//! name on the first. When either socket ends, so does the server.

use super::jar::Jar;
use super::launch::{Launched, NAME};
use super::message::Message;
use crate::connect::leftover::Leftover;
use crate::connect::link::Stream;
use crate::connect::server::Device;
use crate::connect::wire;
use crate::error::AdbError;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;
use video::scrcpy::Framing;

/// How long the server may take for its second socket and the name.
const GREETS: Duration = Duration::from_secs(5);

/// How a video is to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quality {
    /// Pixels of the longer side, at most.
    pub(crate) longest_side: u16,
    /// Pictures a second, at most.
    pub(crate) fps: u16,
    /// Bits a second.
    pub(crate) bits: u32,
}

/// A server that sends video. Dropping it ends the server.
pub(crate) struct Video {
    /// Where the video comes: everything before it was read.
    pub(crate) from: Box<dyn Stream>,
    /// How it is framed.
    pub(crate) framing: Framing,
    control: WriteHalf<Box<dyn Stream>>,
    _unread: AbortOnDropHandle<()>,
    server: Launched,
    _leftover: Leftover,
}

impl Video {
    /// Carries the jar there, starts it and greets it.
    ///
    /// # Errors
    /// [`AdbError::NotSupported`] with the server's own words when it would not start; else why the phone could not be
    /// asked.
    pub(crate) async fn start(device: &Device, jar: &Jar, wanted: Quality) -> Result<Self, AdbError> {
        let framing = Framing::of(&jar.version)
            .ok_or_else(|| AdbError::NotSupported(format!("scrcpy {}", jar.version)))?;
        let options = format!(
            "video=true audio=false control=true video_codec=h264 max_size={} max_fps={} video_bit_rate={}",
            wanted.longest_side, wanted.fps, wanted.bits
        );
        let server = Launched::start(device, jar, &options).await?;
        let leftover = Leftover::new(device, server.ending());
        let sockets = async {
            let mut from = server.first(1).await?;
            let greeting = async {
                let control = server.another().await?;
                let mut name = [0; NAME];
                let read = from.read_exact(&mut name).await;
                read.map_err(|error| AdbError::Cut(format!("scrcpy: {error}")))?;
                Ok(control)
            };
            let control = timeout(GREETS, greeting)
                .await
                .unwrap_or_else(|_| Err(AdbError::Slow("scrcpy's greeting".to_owned())))?;
            Ok((from, control))
        };
        let (from, control) = sockets.await.map_err(|error| server.explain(error))?;
        let (unread, control) = tokio::io::split(control);
        Ok(Self {
            from,
            framing,
            control,
            _unread: AbortOnDropHandle::new(tokio::spawn(drain(unread))),
            server,
            _leftover: leftover,
        })
    }

    /// Asks for a key frame.
    ///
    /// # Errors
    /// [`AdbError::Cut`], [`AdbError::Slow`].
    pub(crate) async fn reset(&mut self) -> Result<(), AdbError> {
        let bytes = Message::ResetVideo.bytes();
        let sending = async {
            self.control.write_all(&bytes).await?;
            self.control.flush().await
        };
        match timeout(wire::REPLY, sending).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(AdbError::Cut(format!("scrcpy: {error}"))),
            Err(_) => Err(AdbError::Slow("scrcpy".to_owned())),
        }
    }

    /// What the server printed last.
    pub(crate) fn log(&self) -> String {
        self.server.log()
    }
}

/// What the server tells on the control socket is of no interest here, but must not pile up there.
async fn drain(mut unread: ReadHalf<Box<dyn Stream>>) {
    let mut bytes = [0; 1024];
    while matches!(unread.read(&mut bytes).await, Ok(read) if read > 0) {}
}
