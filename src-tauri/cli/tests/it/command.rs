//! `deck` as a process: started, written to, read line by line, ended.

use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Nothing here takes as long. What is waited for comes or it does not; the machine's speed decides nothing.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

/// The built program, with nothing of this computer's own set-up in its environment.
pub(crate) fn deck() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deck"));
    for name in [
        "ADB_SERVER_SOCKET",
        "ANDROID_ADB_SERVER_PORT",
        "ANDROID_SERIAL",
        "POCKETDECK_API_KEY",
        "POCKETDECK_DATA",
        "POCKETDECK_LOG",
        "DBUS_SESSION_BUS_ADDRESS",
    ] {
        command.env_remove(name);
    }
    command
}

/// How a program ended, and all it said.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Its exit code; a signal's number and 128 where one ended it.
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ended {
    /// For a snapshot: the code, then each line of both.
    pub(crate) fn story(&self) -> String {
        let mut text = format!("exit {}\n", self.code);
        for (name, said) in [("out:", &self.out), ("err:", &self.err)] {
            for line in said.lines() {
                text.push_str(format!("{name} {line}").trim_end());
                text.push('\n');
            }
        }
        text
    }
}

enum Heard {
    Out(String),
    Err(String),
    /// One of the two streams came to its end.
    Closed,
    Exit(ExitStatus),
}

/// A program that runs. It is killed when this is dropped.
pub(crate) struct Running {
    pub(crate) pid: Pid,
    input: Option<ChildStdin>,
    heard: Receiver<Heard>,
    out: String,
    err: String,
    closed: usize,
    exit: Option<ExitStatus>,
}

impl Running {
    /// Starts it with its three streams in our hands.
    pub(crate) fn start(mut command: Command) -> Self {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        Self::watch(child)
    }

    /// Reads a program that was started elsewhere, where its streams are ours.
    pub(crate) fn watch(mut child: std::process::Child) -> Self {
        let (tell, heard) = channel();
        let pid = Pid::from_child(&child);
        let input = child.stdin.take();
        let mut closed = 2;
        let (out, err) = (child.stdout.take(), child.stderr.take());
        if let Some(out) = out {
            closed -= 1;
            let tell = tell.clone();
            thread::spawn(move || {
                each_line(out, |line| tell.send(Heard::Out(line)).is_ok());
                let _ = tell.send(Heard::Closed);
            });
        }
        if let Some(err) = err {
            closed -= 1;
            let tell = tell.clone();
            thread::spawn(move || {
                each_line(err, |line| tell.send(Heard::Err(line)).is_ok());
                let _ = tell.send(Heard::Closed);
            });
        }
        thread::spawn(move || {
            if let Ok(status) = child.wait() {
                let _ = tell.send(Heard::Exit(status));
            }
        });
        Self {
            pid,
            input,
            heard,
            out: String::new(),
            err: String::new(),
            closed,
            exit: None,
        }
    }

    /// Writes one line to its input. One that reads no more ended: that is seen elsewhere.
    pub(crate) fn write(&mut self, line: &str) {
        let input = self.input.as_mut().expect("its input is open");
        let _ = input.write_all(format!("{line}\n").as_bytes());
    }

    /// The end of its input.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.pid, signal).unwrap();
    }

    /// The next line of its output that fits.
    pub(crate) fn line(&mut self, wanted: &str, fits: impl Fn(&str) -> bool) -> String {
        let until = Instant::now() + LIMIT;
        loop {
            match self.hear(until, wanted) {
                Heard::Out(line) if fits(&line) => return line,
                _ => {}
            }
        }
    }

    /// The next line of its standard error that holds `text`.
    pub(crate) fn says(&mut self, text: &str) {
        let until = Instant::now() + LIMIT;
        loop {
            match self.hear(until, text) {
                Heard::Err(line) if line.contains(text) => return,
                _ => {}
            }
        }
    }

    /// The next thing heard, kept as well.
    fn hear(&mut self, until: Instant, wanted: &str) -> Heard {
        let left = until.saturating_duration_since(Instant::now());
        let over = self.closed == 2 && self.exit.is_some();
        let heard = if over {
            Err(RecvTimeoutError::Disconnected)
        } else {
            self.heard.recv_timeout(left)
        };
        let Ok(heard) = heard else {
            panic!(
                "waited for {wanted}; it ended: {:?}\nout:\n{}\nerr:\n{}",
                self.exit, self.out, self.err
            );
        };
        match &heard {
            Heard::Out(line) => keep(&mut self.out, line),
            Heard::Err(line) => keep(&mut self.err, line),
            Heard::Closed => self.closed += 1,
            Heard::Exit(status) => self.exit = Some(*status),
        }
        heard
    }

    /// Waits for its end.
    pub(crate) fn ended(mut self) -> Ended {
        let until = Instant::now() + LIMIT;
        while self.closed < 2 || self.exit.is_none() {
            self.hear(until, "its end");
        }
        let status = self.exit.unwrap();
        Ended {
            code: status
                .code()
                .or(status.signal().map(|signal| signal + 128))
                .unwrap(),
            out: std::mem::take(&mut self.out),
            err: std::mem::take(&mut self.err),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Its end may lie in the channel unread: then the number is nobody's, or another's.
        while let Ok(heard) = self.heard.try_recv() {
            if let Heard::Exit(status) = heard {
                self.exit = Some(status);
            }
        }
        if self.exit.is_none() {
            let _ = kill_process(self.pid, Signal::KILL);
        }
    }
}

fn keep(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn each_line(stream: impl Read, mut tell: impl FnMut(String) -> bool) {
    let mut stream = BufReader::new(stream);
    let mut bytes = Vec::new();
    while stream.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
        let line = String::from_utf8_lossy(&bytes);
        if !tell(line.trim_end_matches('\n').to_owned()) {
            return;
        }
        bytes.clear();
    }
}

/// Runs it to its end with `input` on its standard input.
pub(crate) fn run(command: Command, input: &[u8]) -> Ended {
    let mut running = Running::start(command);
    // A program that needs no input may be gone already.
    let _ = running.input.as_mut().unwrap().write_all(input);
    running.close_input();
    running.ended()
}
