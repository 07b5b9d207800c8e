//! One running server: started, greeted, spoken with.
//!
//! With a forward tunnel the server listens on `localabstract:scrcpy_<scid>` and accepts video, audio and control
//! sockets in that order; with the first two switched off, the first connection is the control socket. On it come one
//! byte (0) and the phone's name in 64 bytes, then messages both ways. The socket's end ends the server; it deletes its
//! jar when it goes.
//!
//! `clipboard_autosync=false`: with it on, the server leaves *get clipboard* unanswered. `power_on=false`: a dark phone
//! is woken by the run, not by a helper.

use super::Jar;
use super::message::{MOST_CLIPBOARD, MOST_TEXT, Message, Stroke, Told, read};
use super::push::push;
use crate::error::{AdbError, clip};
use crate::hands::mark;
use crate::leash::Leash;
use crate::line::Line;
use crate::link::Stream;
use crate::server::Device;
use crate::shell::Running;
use crate::wire;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::task::AbortOnDropHandle;

/// How long it may take from the start to the first byte: a Java machine on a slow phone.
const STARTS: Duration = Duration::from_secs(8);
/// Between two tries to connect.
const AGAIN: Duration = Duration::from_millis(60);
/// How long setting the clipboard may take.
const SETS: Duration = Duration::from_secs(3);
/// How long the clipboard is waited for. An empty one is not answered at all.
const GETS: Duration = Duration::from_millis(700);
/// The name of the phone, in front of everything.
const NAME: usize = 64;
/// How much of the server's log is kept.
const LOG: usize = 4000;

/// No key held.
pub(crate) const META_NONE: u32 = 0;

/// A control session. Dropping it ends the server.
pub(crate) struct Session {
    out: WriteHalf<Box<dyn Stream>>,
    told: mpsc::UnboundedReceiver<Told>,
    log: Arc<Mutex<String>>,
    sequence: u64,
    /// A message did not go through whole: whatever follows would be read as its rest.
    broken: bool,
    _inbox: AbortOnDropHandle<()>,
    _server: AbortOnDropHandle<()>,
}

impl Session {
    /// Carries the jar there, starts it and greets it.
    ///
    /// # Errors
    /// [`AdbError::LeaseLost`]; [`AdbError::NotSupported`] with the server's own words when it would not start; else
    /// why the phone could not be asked.
    pub(super) async fn start(device: &Device, jar: &Jar, leash: &Leash) -> Result<Self, AdbError> {
        let pass = leash.pass()?;
        // 31 bits: scrcpy reads it as a positive number.
        let scid = u32::from_str_radix(&mark()[..8], 16).unwrap_or(1) & 0x7fff_ffff;
        let file = format!("/data/local/tmp/pocketdeck-{scid:08x}.jar");
        push(device, &jar.bytes, &file).await?;
        let line = format!(
            "CLASSPATH={file} app_process / com.genymobile.scrcpy.Server {} scid={scid:08x} log_level=info \
             tunnel_forward=true video=false audio=false control=true clipboard_autosync=false power_on=false \
             cleanup=true",
            jar.version
        );
        let stream = device.connect().await?;
        let running = device.start(stream, &Line::plain(&line), "shell:").await?;
        let log = Arc::new(Mutex::new(String::new()));
        let server = AbortOnDropHandle::new(tokio::spawn(listen(running.thin(), Arc::clone(&log))));
        let greeted = tokio::select! {
            biased;
            () = leash.lost() => Err(AdbError::LeaseLost),
            greeted = greet(device, scid, &server) => greeted,
        };
        drop(pass);
        let stream = match greeted {
            Ok(stream) => stream,
            Err(error) => {
                // It waits for a connection that will never come.
                let line = format!("pkill -f scid={scid:08x}; rm -f {file}");
                let _ = device.look(&line, Duration::from_secs(2)).await;
                let said = words(&log);
                return Err(match error {
                    AdbError::NotSupported(_) if !said.is_empty() => {
                        AdbError::NotSupported(format!("scrcpy: {}", clip(&said)))
                    }
                    error => error,
                });
            }
        };
        let (from, out) = tokio::io::split(stream);
        let (sender, told) = mpsc::unbounded_channel();
        Ok(Self {
            out,
            told,
            log,
            sequence: 0,
            broken: false,
            _inbox: AbortOnDropHandle::new(tokio::spawn(collect(from, sender))),
            _server: server,
        })
    }

    /// Whether the phone's end is gone.
    pub(crate) fn is_over(&self) -> bool {
        self.broken || (self.told.is_closed() && self.told.is_empty())
    }

    /// Whether the server complained that it may not touch.
    pub(crate) fn is_forbidden(&self) -> bool {
        words_raw(&self.log).contains("INJECT_EVENTS")
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
                    Some(Told::Clipboard(text)) => return Some(text),
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
                    Some(Told::Set(done)) if done == sequence => return Ok(()),
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
        for stroke in [Stroke::Down, Stroke::Up] {
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
        let touch = |stroke| Message::Touch { stroke, at, screen };
        self.send(touch(Stroke::Down)).await?;
        sleep(held).await;
        self.send(touch(Stroke::Up)).await
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

/// Connects as soon as the server listens, and reads its greeting.
async fn greet(
    device: &Device,
    scid: u32,
    server: &AbortOnDropHandle<()>,
) -> Result<Box<dyn Stream>, AdbError> {
    let until = Instant::now() + STARTS;
    loop {
        let over = server.is_finished();
        match connect(device, scid).await {
            Ok(stream) => return Ok(stream),
            // *closed*: nobody listens yet.
            Err(AdbError::Gone(said)) if said != "closed" => return Err(AdbError::Gone(said)),
            Err(error @ (AdbError::Unauthorized | AdbError::NoServer { .. })) => return Err(error),
            Err(_) => {}
        }
        if over || Instant::now() >= until {
            return Err(AdbError::NotSupported("scrcpy did not start".to_owned()));
        }
        sleep(AGAIN).await;
    }
}

async fn connect(device: &Device, scid: u32) -> Result<Box<dyn Stream>, AdbError> {
    let mut stream = device.connect().await?;
    wire::request(&mut stream, &format!("localabstract:scrcpy_{scid:08x}")).await?;
    let mut greeting = [0; 1 + NAME];
    match timeout(wire::REPLY, stream.read_exact(&mut greeting)).await {
        Ok(Ok(_)) if greeting[0] == 0 => Ok(stream),
        Ok(Ok(_)) => Err(AdbError::Garbled("scrcpy's greeting".to_owned())),
        Ok(Err(error)) => Err(AdbError::Cut(error.to_string())),
        Err(_) => Err(AdbError::Slow("scrcpy's greeting".to_owned())),
    }
}

/// Reads what the phone tells until its end.
async fn collect(mut from: ReadHalf<Box<dyn Stream>>, sender: mpsc::UnboundedSender<Told>) {
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

/// Keeps the last of what the server prints.
async fn listen(mut running: Running, log: Arc<Mutex<String>>) {
    loop {
        let more = matches!(running.advance().await, Ok(true));
        let said = running.so_far().all();
        let from = said.len().saturating_sub(LOG);
        let from = (from..said.len())
            .find(|at| said.is_char_boundary(*at))
            .unwrap_or(0);
        said[from..].clone_into(&mut log.lock().unwrap_or_else(PoisonError::into_inner));
        if !more {
            return;
        }
    }
}

fn words_raw(log: &Mutex<String>) -> String {
    log.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The line that says what is wrong, else the last one.
fn words(log: &Mutex<String>) -> String {
    let said = words_raw(log);
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
    let found = lines().find(|line| line.contains("Exception") || line.contains("ERROR"));
    found.or_else(|| lines().next_back()).unwrap_or("").to_owned()
}
