//! One running server: started, greeted, spoken with.
//!
//! With a forward tunnel the server listens on `localabstract:scrcpy_<scid>` and accepts video, audio and control
//! sockets in that order; with the first two switched off, the first connection is the control socket. On it come one
//! byte (0) and the phone's name in 64 bytes, then messages both ways. The socket's end ends the server; it deletes its
//! jar when it goes.
//!
//! `clipboard_autosync=false`: with it on, the server leaves *get clipboard* unanswered. `power_on=false`: a dark phone
//! is woken by the run, not by a helper.

use super::jar::Jar;
use super::launch::{Launched, NAME};
use super::message::{DeviceMessage, EventAction, MOST_CLIPBOARD, MOST_TEXT, Message, read};
use crate::connect::link::Stream;
use crate::connect::server::Device;
use crate::connect::wire;
use crate::error::AdbError;
use crate::exec::cancel_guard::CancelGuard;
use std::io;
use std::time::Duration;
use tokio::io::{AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_util::task::AbortOnDropHandle;

/// How long setting the clipboard may take.
const SETS: Duration = Duration::from_secs(3);
/// How long the clipboard is waited for. An empty one is not answered at all.
const GETS: Duration = Duration::from_millis(700);

/// No key held.
pub(crate) const META_NONE: u32 = 0;

/// A control session. Dropping it ends the server.
pub(crate) struct Session {
    out: WriteHalf<Box<dyn Stream>>,
    told: mpsc::UnboundedReceiver<DeviceMessage>,
    server: Launched,
    sequence: u64,
    /// The most notches one message tells.
    full_scroll: f32,
    /// A message did not go through whole: whatever follows would be read as its rest.
    broken: bool,
    _inbox: AbortOnDropHandle<()>,
}

impl Session {
    /// Carries the jar there, starts it and greets it.
    ///
    /// # Errors
    /// [`AdbError::LeaseLost`]; [`AdbError::NotSupported`] with the server's own words when it would not start; else
    /// why the phone could not be asked.
    pub(super) async fn start(device: &Device, jar: &Jar, guard: &CancelGuard) -> Result<Self, AdbError> {
        let pass = guard.pass()?;
        let server = Launched::start(device, jar, "video=false audio=false control=true").await?;
        let greeted = guard.unless_lost(server.first(1 + NAME)).await;
        drop(pass);
        let stream = match greeted {
            Ok(stream) => stream,
            Err(error) => return Err(server.give_up(error).await),
        };
        let (from, out) = tokio::io::split(stream);
        let (sender, told) = mpsc::unbounded_channel();
        Ok(Self {
            out,
            told,
            server,
            sequence: 0,
            full_scroll: full_scroll(&jar.version),
            broken: false,
            _inbox: AbortOnDropHandle::new(tokio::spawn(collect(from, sender))),
        })
    }

    /// Whether the phone's end is gone.
    pub(crate) fn is_over(&self) -> bool {
        self.broken || (self.told.is_closed() && self.told.is_empty())
    }

    /// Whether the server complained that it may not touch.
    pub(crate) fn is_forbidden(&self) -> bool {
        self.server.log().contains("INJECT_EVENTS")
    }

    /// What the clipboard holds; nothing when it holds no text, or does not tell.
    ///
    /// # Errors
    /// [`AdbError::Cut`].
    pub(crate) async fn clipboard(&mut self) -> Result<Option<String>, AdbError> {
        while self.told.try_recv().is_ok() {}
        self.send(Message::GetClipboard).await?;
        let answer = timeout(GETS, async {
            loop {
                match self.told.recv().await {
                    Some(DeviceMessage::Clipboard(text)) => return Some(text),
                    Some(_) => {}
                    None => return None,
                }
            }
        });
        Ok(answer.await.unwrap_or_default())
    }

    /// Sets the clipboard and, where wished, presses the paste key. When this returns the phone has done both; the app
    /// may still be about to read it.
    ///
    /// # Errors
    /// [`AdbError::NotSupported`] when it is too long, [`AdbError::Slow`], [`AdbError::Cut`].
    pub(crate) async fn set_clipboard(&mut self, text: &str, paste: bool) -> Result<(), AdbError> {
        if text.len() > MOST_CLIPBOARD {
            return Err(AdbError::NotSupported(
                "a text too long for the clipboard".to_owned(),
            ));
        }
        self.sequence += 1;
        let sequence = self.sequence;
        self.send(Message::SetClipboard {
            sequence,
            paste,
            text,
        })
        .await?;
        let set = async {
            loop {
                match self.told.recv().await {
                    Some(DeviceMessage::Set(done)) if done == sequence => return Ok(()),
                    Some(_) => {}
                    None => return Err(AdbError::Cut("scrcpy ended".to_owned())),
                }
            }
        };
        timeout(SETS, set)
            .await
            .unwrap_or_else(|_| Err(AdbError::Slow("the clipboard".to_owned())))
    }

    /// Presses a key and lets it go.
    ///
    /// # Errors
    /// [`AdbError::Cut`].
    pub(crate) async fn key(&mut self, code: u32, meta: u32) -> Result<(), AdbError> {
        for stroke in [EventAction::Down, EventAction::Up] {
            self.send(Message::Key { stroke, code, meta }).await?;
        }
        Ok(())
    }

    /// Types characters of the phone's key map; the phone leaves out all others without a word.
    ///
    /// # Errors
    /// [`AdbError::Cut`].
    pub(crate) async fn text(&mut self, text: &str) -> Result<(), AdbError> {
        let mut rest = text;
        while !rest.is_empty() {
            let mut end = rest.len().min(MOST_TEXT);
            while !rest.is_char_boundary(end) {
                end -= 1;
            }
            self.send(Message::Text(&rest[..end])).await?;
            rest = &rest[end..];
        }
        Ok(())
    }

    /// A finger down and up. `screen` is the display's size as it is turned now.
    ///
    /// # Errors
    /// [`AdbError::Cut`].
    pub(crate) async fn tap(
        &mut self,
        at: (i32, i32),
        screen: (u16, u16),
        held: Duration,
    ) -> Result<(), AdbError> {
        self.touch(EventAction::Down, 0, at, screen).await?;
        sleep(held).await;
        self.touch(EventAction::Up, 0, at, screen).await
    }

    /// One event of one of several fingers. `screen` as for [`Session::tap`].
    ///
    /// # Errors
    /// [`AdbError::Cut`].
    pub(crate) async fn touch(
        &mut self,
        stroke: EventAction,
        finger: u64,
        at: (i32, i32),
        screen: (u16, u16),
    ) -> Result<(), AdbError> {
        self.send(Message::Touch {
            stroke,
            finger,
            at,
            screen,
        })
        .await
    }

    /// Turns a wheel over a place, in notches: right and up are positive. `screen` as for [`Session::tap`].
    ///
    /// # Errors
    /// [`AdbError::Cut`].
    pub(crate) async fn scroll(
        &mut self,
        at: (i32, i32),
        screen: (u16, u16),
        (right, up): (f32, f32),
    ) -> Result<(), AdbError> {
        let full = self.full_scroll;
        self.send(Message::Scroll {
            at,
            screen,
            right,
            up,
            full,
        })
        .await
    }

    async fn send(&mut self, message: Message<'_>) -> Result<(), AdbError> {
        let bytes = message.bytes();
        let sending = async {
            self.out.write_all(&bytes).await?;
            self.out.flush().await
        };
        let sent = match timeout(wire::REPLY, sending).await {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error)) => AdbError::Cut(format!("scrcpy: {error}")),
            Err(_) => AdbError::Slow("scrcpy".to_owned()),
        };
        self.broken = true;
        Err(sent)
    }
}

/// What stands for 1 in a scroll message (`ControlMessageReader.parseInjectScrollEvent`: times 16 since 3.3).
fn full_scroll(version: &str) -> f32 {
    let mut numbers = version
        .split('.')
        .map(|part| part.parse::<u32>().unwrap_or_default());
    let release = (
        numbers.next().unwrap_or_default(),
        numbers.next().unwrap_or_default(),
    );
    if release >= (3, 3) { 16.0 } else { 1.0 }
}

/// Reads what the phone tells until its end.
async fn collect(mut from: ReadHalf<Box<dyn Stream>>, sender: mpsc::UnboundedSender<DeviceMessage>) {
    let ended: io::Error = loop {
        match read(&mut from).await {
            Ok(told) => {
                if sender.send(told).is_err() {
                    return;
                }
            }
            Err(error) => break error,
        }
    };
    tracing::debug!(error = %ended, "scrcpy's control socket ended");
}
