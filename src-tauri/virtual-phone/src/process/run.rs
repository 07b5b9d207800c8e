//! Starting a process, and what its code has in hand.

use super::table::{Environment, Origin};
use super::{Descriptor, Descriptors, Exit, Process, ProgramResult, Signal};
use crate::files::{self, Errno, NodeKind, OpenMode};
use crate::phone::Phone;
use crate::record::Received;
use bytes::Bytes;
use futures::future::BoxFuture;
use std::sync::Arc;
use tokio::sync::watch;

/// The code of a process.
pub(crate) type Start = Box<dyn FnOnce(Call) -> BoxFuture<'static, ProgramResult> + Send>;

/// One of the phone's programs: its name in `/system/bin`, and its code.
#[derive(Clone, Copy)]
pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) main: fn(Call) -> BoxFuture<'static, ProgramResult>,
}

/// What a new process gets.
pub(crate) struct Spawn {
    pub(crate) origin: Origin,
    /// Its name first.
    pub(crate) words: Vec<String>,
    pub(crate) environment: Environment,
    pub(crate) directory: String,
    pub(crate) descriptors: Descriptors,
}

/// A process that was started.
#[derive(Clone, Debug)]
pub(crate) struct Child {
    pub(crate) process: Arc<Process>,
    exit: watch::Receiver<Option<Exit>>,
}

impl Child {
    pub(crate) fn pid(&self) -> u32 {
        self.process.pid
    }

    /// Waits for its end.
    pub(crate) async fn wait(&self) -> Exit {
        let mut exit = self.exit.clone();
        loop {
            if let Some(exit) = *exit.borrow_and_update() {
                return exit;
            }
            if exit.changed().await.is_err() {
                return Exit::Signal(Signal::KILL);
            }
        }
    }

    /// How it ended, if it has.
    pub(crate) fn ended(&self) -> Option<Exit> {
        *self.exit.borrow()
    }
}

/// The phone has no room for another process (`EAGAIN`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("can't fork - try again")]
pub(crate) struct NoFork;

/// Starts a process.
///
/// # Errors
/// When there are too many.
pub(crate) fn spawn(phone: &Arc<Phone>, spawn: Spawn, start: Start) -> Result<Child, NoFork> {
    let now = phone.clock.now();
    let process = phone
        .processes
        .enter(&spawn.origin, spawn.words.clone(), spawn.environment.clone(), now)
        .ok_or(NoFork)?;
    let exit = process.exits();
    let call = Call {
        phone: Arc::clone(phone),
        process: Arc::clone(&process),
        words: spawn.words,
        environment: spawn.environment,
        directory: spawn.directory,
        descriptors: spawn.descriptors,
    };
    let child = Child {
        process: Arc::clone(&process),
        exit,
    };
    let owner = Arc::clone(phone);
    let stopped = phone.stopped.clone();
    phone.tasks.spawn(async move {
        let ended = {
            let main = start(call);
            tokio::select! {
                biased;
                () = stopped.cancelled() => Err(Signal::KILL),
                signal = process.doomed() => Err(signal),
                ended = main => ended,
            }
        };
        let exit = match ended {
            Ok(code) => Exit::Code(code),
            Err(signal) => Exit::Signal(signal),
        };
        owner.record(Received::Ended {
            pid: process.pid,
            status: exit.status(),
        });
        owner.processes.leave(&process, exit);
    });
    Ok(child)
}

/// What a program has in hand.
#[derive(Clone)]
pub(crate) struct Call {
    pub(crate) phone: Arc<Phone>,
    pub(crate) process: Arc<Process>,
    /// Its name first.
    pub(crate) words: Vec<String>,
    pub(crate) environment: Environment,
    pub(crate) directory: String,
    pub(crate) descriptors: Descriptors,
}

/// A line or file read whole is at most so long.
const MOST: usize = 256 * 1024 * 1024;

impl Call {
    /// The program's name, without a path.
    pub(crate) fn name(&self) -> &str {
        self.words.first().map_or("", |word| files::file_name(word))
    }

    /// Its words without its name.
    pub(crate) fn arguments(&self) -> &[String] {
        self.words.get(1..).unwrap_or_default()
    }

    async fn write(&self, number: i32, bytes: Bytes) -> Result<(), Signal> {
        use super::descriptor::NotWritten;
        let Some(descriptor) = self.descriptors.get(number) else {
            return Ok(());
        };
        match descriptor.write(bytes).await {
            Err(NotWritten::Broken) if !self.process.ignores(Signal::PIPE) => Err(Signal::PIPE),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Writes to standard output.
    pub(crate) async fn out(&self, bytes: impl Into<Bytes> + Send) -> Result<(), Signal> {
        self.write(1, bytes.into()).await
    }

    /// Writes to standard output; says whether the bytes arrived (a full disk is not a broken pipe).
    pub(crate) async fn out_checked(&self, bytes: Bytes) -> Result<Result<(), Errno>, Signal> {
        use super::descriptor::NotWritten;
        let Some(descriptor) = self.descriptors.get(1) else {
            return Ok(Err(Errno::BadDescriptor));
        };
        match descriptor.write(bytes).await {
            Err(NotWritten::Broken) if self.process.ignores(Signal::PIPE) => Ok(Err(Errno::Pipe)),
            Err(NotWritten::Broken) => Err(Signal::PIPE),
            Err(NotWritten::Errno(errno)) => Ok(Err(errno)),
            Ok(()) => Ok(Ok(())),
        }
    }

    /// Writes to standard error.
    pub(crate) async fn err(&self, bytes: impl Into<Bytes> + Send) -> Result<(), Signal> {
        self.write(2, bytes.into()).await
    }

    /// Says `name: text` on standard error, as toybox does, and comes to `code`.
    pub(crate) async fn fail(&self, code: i32, text: impl std::fmt::Display + Send) -> ProgramResult {
        let line = format!("{}: {text}\n", self.name());
        self.err(line).await?;
        Ok(code)
    }

    /// Opens a file seen from the working directory.
    pub(crate) fn open(&self, path: &str, mode: OpenMode) -> Result<Arc<Descriptor>, Errno> {
        if let Some(number) = own_descriptor(&files::absolute(&self.directory, path)) {
            return self.descriptors.get(number).ok_or(Errno::NotFound)?.reopen();
        }
        let path = self.path(path);
        let found = self.phone.files.kind(&path);
        let is_new = mode.create && found.is_err();
        match found {
            Ok(NodeKind::Null) => Ok(Arc::new(Descriptor::Null)),
            Ok(NodeKind::Zero) => Ok(Arc::new(Descriptor::Zero)),
            Ok(NodeKind::Terminal) => {
                let mut terminal = [0, 1, 2]
                    .into_iter()
                    .filter_map(|number| self.descriptors.get(number));
                let wanted = |descriptor: &Arc<Descriptor>| {
                    descriptor.is_terminal()
                        && (matches!(**descriptor, Descriptor::Writer { .. }) == mode.write)
                };
                // Without a terminal `open("/dev/tty")` is ENXIO.
                terminal.find(wanted).ok_or(Errno::NoDevice)
            }
            _ => {
                let time = self.phone.clock.wall().as_secs();
                let open = self.phone.files.open(&path, mode, time)?;
                let umask = self.process.umask();
                if is_new && umask != 0 {
                    let bits = Some(0o666 & !umask);
                    self.phone.files.set_attributes(&path, bits, None)?;
                }
                Ok(Arc::new(Descriptor::File(open)))
            }
        }
    }

    /// `path` seen from the working directory. Brings `/proc` up to date when it is looked at.
    pub(crate) fn path(&self, path: &str) -> String {
        let path = files::absolute(&self.directory, path);
        if path == "/proc" || path.starts_with("/proc/") {
            crate::process::proc::refresh(&self.phone);
        }
        path.replace("/proc/self", &format!("/proc/{}", self.process.pid))
    }

    /// Reads a whole file, or standard input for `-`.
    pub(crate) async fn read_file(&self, path: &str) -> Result<Bytes, Errno> {
        if path == "-" {
            return Ok(self.read_input().await);
        }
        let descriptor = self.open(path, OpenMode::READ)?;
        read_all(&descriptor).await
    }

    /// Reads standard input to its end.
    pub(crate) async fn read_input(&self) -> Bytes {
        match self.descriptors.get(0) {
            Some(input) => read_all(&input).await.unwrap_or_default(),
            None => Bytes::new(),
        }
    }
}

/// The number behind `/proc/self/fd/` or `/dev/fd/`, which is a link to it.
fn own_descriptor(path: &str) -> Option<i32> {
    let number = path
        .strip_prefix("/proc/self/fd/")
        .or(path.strip_prefix("/dev/fd/"))?;
    number.parse().ok()
}

async fn read_all(descriptor: &Descriptor) -> Result<Bytes, Errno> {
    if let Descriptor::Reader { pipe, .. } = descriptor {
        return Ok(pipe.read_all(MOST).await);
    }
    let mut all = Vec::new();
    while all.len() < MOST {
        match descriptor.read(1 << 20).await? {
            Some(bytes) => all.extend_from_slice(&bytes),
            None => break,
        }
    }
    Ok(Bytes::from(all))
}
