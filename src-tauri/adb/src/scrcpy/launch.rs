//! One scrcpy server on its way: carried there, started, listened to, connected with.

use super::jar::Jar;
use crate::connect::command_line::CommandLine;
use crate::connect::link::Stream;
use crate::connect::server::Device;
use crate::connect::shell::Running;
use crate::connect::wire;
use crate::error::{AdbError, clip};
use crate::exec::nonce::nonce;
use crate::files::push::push;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::task::AbortOnDropHandle;

/// How long it may take from the start to the first byte: a Java machine on a slow phone.
const STARTS: Duration = Duration::from_secs(8);
/// How long carrying the jar may take: it has less than a megabyte.
const PUSH: Duration = Duration::from_secs(20);
/// Between two tries to connect.
const AGAIN: Duration = Duration::from_millis(60);
/// The name of the phone, in front of everything.
pub(super) const NAME: usize = 64;
/// How much of the server's log is kept.
const LOG: usize = 4000;

/// A server that was started. Dropping it closes what its output came by.
pub(crate) struct Launched {
    device: Device,
    scid: u32,
    file: String,
    log: Arc<Mutex<String>>,
    server: AbortOnDropHandle<()>,
}

impl Launched {
    /// Carries the jar there and starts it with these options besides those every server has.
    ///
    /// # Errors
    /// Why the phone could not be asked.
    pub(super) async fn start(device: &Device, jar: &Jar, options: &str) -> Result<Self, AdbError> {
        // 31 bits: scrcpy reads it as a positive number.
        let scid = u32::from_str_radix(&nonce()[..8], 16).unwrap_or(1) & 0x7fff_ffff;
        let file = format!("/data/local/tmp/pocketdeck-{scid:08x}.jar");
        let carried = timeout(PUSH, push(device, jar.bytes.as_slice(), &file, 0, |_| {})).await;
        carried.unwrap_or_else(|_| Err(AdbError::Slow("a file".to_owned())))?;
        let line = format!(
            "CLASSPATH={file} app_process / com.genymobile.scrcpy.Server {} scid={scid:08x} log_level=info \
             tunnel_forward=true {options} clipboard_autosync=false power_on=false cleanup=true",
            jar.version
        );
        let stream = device.connect().await?;
        let running = device.start(stream, &CommandLine::plain(&line), "shell:").await?;
        let log = Arc::new(Mutex::new(String::new()));
        let server = AbortOnDropHandle::new(tokio::spawn(listen(running.thin(), Arc::clone(&log))));
        Ok(Self {
            device: device.clone(),
            scid,
            file,
            log,
            server,
        })
    }

    /// Its first socket, as soon as it listens, and so many bytes of greeting read: a zero, then the phone's name.
    ///
    /// # Errors
    /// [`AdbError::NotSupported`] when it does not listen in time or ends; why the phone could not be asked.
    pub(super) async fn first(&self, greeting: usize) -> Result<Box<dyn Stream>, AdbError> {
        let until = Instant::now() + STARTS;
        loop {
            let over = self.server.is_finished();
            let connected = match self.another().await {
                Ok(stream) => greeted(stream, greeting).await,
                Err(error) => Err(error),
            };
            match connected {
                Ok(stream) => return Ok(stream),
                // *closed*: nobody listens yet.
                Err(AdbError::Gone(said)) if said != "closed" => return Err(AdbError::Gone(said)),
                Err(error @ (AdbError::Unauthorized | AdbError::Unusable(_) | AdbError::NoServer { .. })) => {
                    return Err(error);
                }
                Err(_) => {}
            }
            if over || Instant::now() >= until {
                return Err(AdbError::NotSupported("scrcpy did not start".to_owned()));
            }
            sleep(AGAIN).await;
        }
    }

    /// One more of its sockets.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) async fn another(&self) -> Result<Box<dyn Stream>, AdbError> {
        let mut stream = self.device.connect().await?;
        wire::request(&mut stream, &format!("localabstract:scrcpy_{:08x}", self.scid)).await?;
        Ok(stream)
    }

    /// What ends it for sure, for the phone's shell. The brackets keep the line from finding itself.
    pub(super) fn ending(&self) -> String {
        format!("rm -f {}; pkill -f '[s]cid={:08x}'", self.file, self.scid)
    }

    /// Ends it, because it cannot be spoken with; the error, with the server's own words where it has any.
    pub(super) async fn give_up(self, error: AdbError) -> AdbError {
        // It waits for a connection that will never come.
        let _ = self.device.look(&self.ending(), Duration::from_secs(2)).await;
        self.explain(error)
    }

    /// The error, with the server's own words where it has any.
    pub(super) fn explain(&self, error: AdbError) -> AdbError {
        let said = self.words();
        match error {
            AdbError::NotSupported(_) if !said.is_empty() => {
                AdbError::NotSupported(format!("scrcpy: {}", clip(&said)))
            }
            error => error,
        }
    }

    /// All it printed, the last of it.
    pub(super) fn log(&self) -> String {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The line that says what is wrong, else the last one.
    fn words(&self) -> String {
        let said = self.log();
        let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
        let found = lines().find(|line| line.contains("Exception") || line.contains("ERROR"));
        found.or_else(|| lines().next_back()).unwrap_or("").to_owned()
    }
}

/// Reads the greeting.
async fn greeted(mut stream: Box<dyn Stream>, bytes: usize) -> Result<Box<dyn Stream>, AdbError> {
    let mut greeting = vec![0; bytes];
    match timeout(wire::REPLY, stream.read_exact(&mut greeting)).await {
        Ok(Ok(_)) if greeting.first() == Some(&0) => Ok(stream),
        Ok(Ok(_)) => Err(AdbError::Garbled("scrcpy's greeting".to_owned())),
        Ok(Err(error)) => Err(AdbError::Cut(error.to_string())),
        Err(_) => Err(AdbError::Slow("scrcpy's greeting".to_owned())),
    }
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
