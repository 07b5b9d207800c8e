//! The process table.

use super::Signal;
use super::system::{ADBD, is_system};
use crate::files::Errno;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, watch};

/// Exported variables.
pub(crate) type Environment = BTreeMap<String, String>;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Code(i32),
    Signal(Signal),
}

impl Exit {
    /// As a shell and adbd tell it.
    pub(crate) fn status(self) -> i32 {
        match self {
            Self::Code(code) => code & 0xff,
            Self::Signal(signal) => 128 + i32::from(signal.0),
        }
    }
}

/// What a program's own code comes to: an exit code, or the signal that ended it.
pub(crate) type ProgramResult = Result<i32, Signal>;

/// One process.
#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) pid: u32,
    pub(crate) started: Duration,
    state: Mutex<State>,
    doom: watch::Sender<Option<Signal>>,
    exit: watch::Sender<Option<Exit>>,
    caught: Notify,
}

#[derive(Debug)]
struct State {
    parent: u32,
    group: u32,
    session: u32,
    words: Vec<String>,
    environment: Environment,
    umask: u32,
    ignored: BTreeSet<Signal>,
    trapped: BTreeSet<Signal>,
    pending: VecDeque<Signal>,
}

/// One process as `ps` and `/proc` see it.
#[derive(Clone, Debug)]
pub(crate) struct ProcessInfo {
    pub(crate) pid: u32,
    pub(crate) parent: u32,
    pub(crate) group: u32,
    pub(crate) session: u32,
    pub(crate) words: Vec<String>,
    pub(crate) environment: Environment,
    pub(crate) started: Duration,
}

impl Process {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn row(&self) -> ProcessInfo {
        let state = self.state();
        ProcessInfo {
            pid: self.pid,
            parent: state.parent,
            group: state.group,
            session: state.session,
            words: state.words.clone(),
            environment: state.environment.clone(),
            started: self.started,
        }
    }

    /// `execve`: the same process goes on as another program. Trapped signals are forgotten, ignored ones stay so.
    pub(crate) fn become_program(&self, words: &[String], environment: &Environment) {
        let mut state = self.state();
        state.words = words.to_vec();
        state.environment = environment.clone();
        state.trapped.clear();
    }

    /// `setsid(2)`.
    pub(crate) fn new_session(&self) -> Result<(), Errno> {
        let mut state = self.state();
        if state.group == self.pid {
            return Err(Errno::NotPermitted);
        }
        state.group = self.pid;
        state.session = self.pid;
        Ok(())
    }

    /// `setpgid(0, 0)`.
    pub(crate) fn new_group(&self) {
        let mut state = self.state();
        state.group = self.pid;
    }

    /// Ignores a signal from now on (also after `exec`).
    pub(crate) fn ignore(&self, signal: Signal) {
        let mut state = self.state();
        state.trapped.remove(&signal);
        state.ignored.insert(signal);
    }

    /// Whether a signal does nothing to it.
    pub(crate) fn ignores(&self, signal: Signal) -> bool {
        self.state().ignored.contains(&signal)
    }

    /// The permission bits that new files of it do not get.
    pub(crate) fn umask(&self) -> u32 {
        self.state().umask
    }

    /// `umask(2)`.
    pub(crate) fn set_umask(&self, umask: u32) {
        self.state().umask = umask & 0o777;
    }

    /// Keeps a signal for [`Process::next_trapped`].
    pub(crate) fn trap(&self, signal: Signal) {
        let mut state = self.state();
        state.ignored.remove(&signal);
        state.trapped.insert(signal);
    }

    /// Back to what the kernel does.
    pub(crate) fn reset(&self, signal: Signal) {
        let mut state = self.state();
        state.ignored.remove(&signal);
        state.trapped.remove(&signal);
    }

    /// The next trapped signal that came.
    pub(crate) fn next_trapped(&self) -> Option<Signal> {
        self.state().pending.pop_front()
    }

    /// Waits until a trapped signal comes.
    pub(crate) async fn trapped(&self) {
        loop {
            let caught = self.caught.notified();
            tokio::pin!(caught);
            caught.as_mut().enable();
            if !self.state().pending.is_empty() {
                return;
            }
            caught.await;
        }
    }

    /// Delivers a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        {
            let mut state = self.state();
            if signal.can_be_caught() {
                if state.ignored.contains(&signal) {
                    return;
                }
                if state.trapped.contains(&signal) {
                    state.pending.push_back(signal);
                    drop(state);
                    self.caught.notify_waiters();
                    return;
                }
            }
        }
        if signal.ends() {
            self.doom.send_if_modified(|doom| {
                let first = doom.is_none();
                *doom = doom.or(Some(signal));
                first
            });
        }
    }

    /// Goes no further once a signal has come that ends this process: its code is about to be dropped.
    pub(crate) async fn rest_if_doomed(&self) {
        let doomed = self.doom.borrow().is_some();
        if doomed {
            std::future::pending::<()>().await;
        }
    }

    /// Waits for the signal that ends this process.
    pub(super) async fn doomed(&self) -> Signal {
        let mut doom = self.doom.subscribe();
        loop {
            if let Some(signal) = *doom.borrow_and_update() {
                return signal;
            }
            if doom.changed().await.is_err() {
                return Signal::KILL;
            }
        }
    }

    pub(super) fn exits(&self) -> watch::Receiver<Option<Exit>> {
        self.exit.subscribe()
    }
}

/// All processes that run commands. (What the phone itself consists of, `ps` invents.)
#[derive(Debug)]
pub(crate) struct Processes {
    state: Mutex<Table>,
}

#[derive(Debug)]
struct Table {
    living: BTreeMap<u32, Arc<Process>>,
    next: u32,
}

const INIT: u32 = 1;
/// Process numbers begin again here when they have run out (`/proc/sys/kernel/pid_max` is 32768).
const FIRST: u32 = 4100;
const LAST: u32 = 32_768;
/// So many processes there may be (as `ulimit -u` bounds a real phone).
const MOST: usize = 512;

impl Default for Processes {
    fn default() -> Self {
        Self {
            state: Mutex::new(Table {
                living: BTreeMap::new(),
                next: FIRST,
            }),
        }
    }
}

/// Whose child a new process is.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// The daemon's, in a session of its own, as adbd starts each service's shell.
    Daemon,
    /// Another process's, in its group and session, with its ignored signals.
    Child(Arc<Process>),
}

impl Processes {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters a new process; none when there are too many.
    pub(super) fn enter(
        &self,
        origin: &Origin,
        words: Vec<String>,
        environment: Environment,
        started: Duration,
    ) -> Option<Arc<Process>> {
        let mut table = self.table();
        if table.living.len() >= MOST {
            return None;
        }
        let mut pid = table.next;
        while table.living.contains_key(&pid) {
            pid = if pid >= LAST { FIRST } else { pid + 1 };
        }
        table.next = if pid >= LAST { FIRST } else { pid + 1 };
        let (parent, group, session, ignored, umask) = match origin {
            Origin::Daemon => (ADBD, pid, pid, BTreeSet::new(), 0),
            Origin::Child(parent) => {
                let state = parent.state();
                let ignored = state.ignored.clone();
                (parent.pid, state.group, state.session, ignored, state.umask)
            }
        };
        let process = Arc::new(Process {
            pid,
            started,
            state: Mutex::new(State {
                parent,
                group,
                session,
                words,
                environment,
                umask,
                ignored,
                trapped: BTreeSet::new(),
                pending: VecDeque::new(),
            }),
            doom: watch::Sender::new(None),
            exit: watch::Sender::new(None),
            caught: Notify::new(),
        });
        table.living.insert(pid, Arc::clone(&process));
        Some(process)
    }

    /// Takes an ended process out; its children become init's.
    pub(super) fn leave(&self, process: &Process, exit: Exit) {
        {
            let mut table = self.table();
            table.living.remove(&process.pid);
            for child in table.living.values() {
                let mut state = child.state();
                if state.parent == process.pid {
                    state.parent = INIT;
                }
            }
        }
        process.exit.send_replace(Some(exit));
    }

    /// Every process, by number.
    pub(crate) fn rows(&self) -> Vec<ProcessInfo> {
        self.table()
            .living
            .values()
            .map(|process| process.row())
            .collect()
    }

    /// Sends a signal as `kill(2)` does: to a process, to a group (`target` below -1), or to all (-1).
    ///
    /// # Errors
    /// No such process; or one that is not the shell user's to end.
    pub(crate) fn kill(&self, target: i64, signal: Signal) -> Result<(), NotKilled> {
        let found: Vec<Arc<Process>> = {
            let table = self.table();
            let matches = |process: &&Arc<Process>| match target {
                -1 => true,
                target if target < -1 => i64::from(process.state().group) == -target,
                target => i64::from(process.pid) == target,
            };
            table.living.values().filter(matches).cloned().collect()
        };
        if found.is_empty() {
            let system = target > 0 && target < i64::from(FIRST) && is_system(target);
            return Err(if system {
                NotKilled::NotPermitted
            } else {
                NotKilled::NoSuchProcess
            });
        }
        for process in found {
            process.signal(signal);
        }
        Ok(())
    }
}

/// Why no signal was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotKilled {
    #[error("No such process")]
    NoSuchProcess,
    #[error("Operation not permitted")]
    NotPermitted,
}
