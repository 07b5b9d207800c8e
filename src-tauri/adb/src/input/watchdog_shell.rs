//! A shell on the phone that puts a finger down, and lifts it by itself when nobody speaks to it any more; and what else must
//! be ended or put back there though the program that began it is gone.
//!
//! A finger is down until something lifts it, whoever put it there: its client may be killed, or the cable pulled, and
//! the phone goes on holding. So the shell that puts it down also waits for the end of its client. It reads line after
//! line; when they end (the connection is gone), or none comes for [`SILENCE`] while a finger is down (a connection that
//! only looks open), it lifts the finger and goes. SIGHUP, which the daemon sends the shell of a lost client, and
//! SIGPIPE do nothing to it.

use crate::connect::command_line::CommandLine;
use crate::connect::server::Device;
use crate::connect::shell::{Output, Running};
use crate::error::AdbError;
use crate::exec::nonce::answer;
use crate::exec::output_parse;
use crate::input::capabilities::InputCapabilities;
use crate::input::injector::{Point, spot};
use std::time::Duration;
use tokio::time::timeout;

/// So long the phone waits for another line before it lifts a finger, in seconds.
const SILENCE: u64 = 5;
/// The same before it puts back what nobody speaks of meanwhile.
const LONG_SILENCE: u64 = 120;
/// As often a finger that rests is spoken for.
pub(crate) const KEEP: Duration = Duration::from_secs(1);
/// Stands before a line's exit code.
const MARK: &str = "pocketdeck-said-";
/// More than this `input` never says.
const MOST: usize = 64 * 1024;

/// What a finger does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    Down,
    Move,
    Up,
    /// Leaves, and nothing comes of it. Android 11 and newer.
    Cancel,
}

impl Touch {
    /// As `input motionevent` takes it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Down => "DOWN",
            Self::Move => "MOVE",
            Self::Up => "UP",
            Self::Cancel => "CANCEL",
        }
    }
}

/// One such shell.
pub(crate) struct WatchdogShell {
    running: Running,
    /// `input`, and the display its fingers go to.
    input: String,
    lines: u64,
    /// A line was not waited for: what comes next is not known to be the next one's answer.
    lost: bool,
}

impl WatchdogShell {
    /// Opens one, and waits until it answers. Nothing is touched by that.
    ///
    /// # Errors
    /// [`AdbError::NotSupported`] where a shell's input is a terminal's (Android 6 and older); else why the phone could
    /// not be asked.
    pub(crate) async fn open(device: &Device, input: &str, limit: Duration) -> Result<Self, AdbError> {
        // Where CANCEL is known it is over with that, and an UP of no finger does nothing.
        let end = format!("{input} motionevent CANCEL $f; {input} motionevent UP $f");
        let mut shell = Self::begin(device, &loop_of(&end, SILENCE)).await?;
        input.clone_into(&mut shell.input);
        shell.run(":", limit).await?;
        Ok(shell)
    }

    /// Has the phone run a line in the end, unless it is told before that there is nothing to put back ([`WatchdogShell::forget`]).
    ///
    /// # Errors
    /// As [`WatchdogShell::open`].
    pub(crate) async fn promise(device: &Device, end: &str, limit: Duration) -> Result<Self, AdbError> {
        let mut shell = Self::begin(device, &loop_of(end, LONG_SILENCE)).await?;
        shell.run("f=1", limit).await?;
        Ok(shell)
    }

    async fn begin(device: &Device, line: &str) -> Result<Self, AdbError> {
        if !device.has_shell_v2().await? {
            return Err(AdbError::NotSupported("a shell that listens".to_owned()));
        }
        let stream = device.connect().await?;
        let line = CommandLine::plain(line).called("sh");
        Ok(Self {
            running: device.start(stream, &line, "shell:").await?,
            input: String::new(),
            lines: 0,
            lost: false,
        })
    }

    /// Runs one line to its end.
    ///
    /// # Errors
    /// [`AdbError::Slow`] after `limit`, [`AdbError::Cut`]: then it is of no more use, and is to be dropped.
    pub(crate) async fn run(&mut self, line: &str, limit: Duration) -> Result<Output, AdbError> {
        if std::mem::replace(&mut self.lost, true) {
            return Err(AdbError::Cut("a line before was not waited for".to_owned()));
        }
        self.lines += 1;
        let mark = format!("{MARK}{}:", self.lines);
        let answer = timeout(limit, self.say_and_hear(line, &mark)).await;
        let output = answer.unwrap_or_else(|_| Err(AdbError::Slow("input".to_owned())))?;
        self.lost = false;
        Ok(output)
    }

    async fn say_and_hear(&mut self, line: &str, mark: &str) -> Result<Output, AdbError> {
        self.running.say(&format!("{line}; echo {mark}$?\n")).await?;
        loop {
            if let Some(output) = answer(&self.running.so_far().stdout, mark) {
                self.running.take_output();
                return Ok(output);
            }
            if self.running.so_far().stdout.len() > MOST {
                return Err(AdbError::Garbled("a line that says more than any".to_owned()));
            }
            if !self.running.advance().await? {
                return Err(AdbError::Cut("the shell ended".to_owned()));
            }
        }
    }

    /// Does one thing with the finger, and waits until it is done.
    ///
    /// # Errors
    /// As [`WatchdogShell::run`]; what `input` complained of.
    pub(crate) async fn touch(&mut self, touch: Touch, at: Point, limit: Duration) -> Result<(), AdbError> {
        let event = event(&self.input, touch, at);
        let spot = spot(at);
        let line = match touch {
            // Known to be down before it is: half a line may have put it there.
            Touch::Down | Touch::Move => format!("f='{spot}'; {event}"),
            Touch::Up => format!("{event}; c=$?; f=; ( exit $c )"),
            // Whether a phone knows this is not told by its exit code: the finger counts as down until that is read.
            Touch::Cancel => event,
        };
        output_parse::input(&self.run(&line, limit).await?)
    }

    /// Says that the finger is to stay where it is.
    ///
    /// # Errors
    /// As [`WatchdogShell::run`].
    pub(crate) async fn keep(&mut self, limit: Duration) -> Result<(), AdbError> {
        self.run(":", limit).await.map(drop)
    }

    /// No finger is down after all, everything is put back: there is nothing left to do in the end.
    pub(crate) async fn forget(&mut self, limit: Duration) {
        if let Err(error) = self.run("f=", limit).await {
            tracing::debug!(%error, "it lifts what is not down");
        }
    }

    /// Takes the finger away so that nothing comes of it; where the phone cannot do that, it is lifted where it is.
    ///
    /// # Errors
    /// As [`WatchdogShell::touch`].
    pub(crate) async fn let_go(
        &mut self,
        capabilities: &InputCapabilities,
        at: Point,
        limit: Duration,
    ) -> Result<(), AdbError> {
        if !capabilities.cancel.is_missing() {
            match self.touch(Touch::Cancel, at, limit).await {
                Ok(()) => {
                    capabilities.cancel.learn(true);
                    return self.run("f=", limit).await.map(drop);
                }
                Err(error) if output_parse::is_unknown_action(&error) => capabilities.cancel.learn(false),
                Err(error) => return Err(error),
            }
        }
        self.touch(Touch::Up, at, limit).await
    }
}

/// One `input motionevent`, both of its outputs in one. It inherits nothing to read: the lines are the shell's.
fn event(input: &str, touch: Touch, at: Point) -> String {
    let (word, spot) = (touch.word(), spot(at));
    format!("{input} motionevent {word} {spot} 2>&1 </dev/null")
}

/// What the shell is told to do. `f` is where the finger is, empty when nothing is to be done in the end.
fn loop_of(end: &str, silence: u64) -> String {
    format!(
        "trap '' HUP PIPE; f=; while if [ -n \"$f\" ]; then read -r -t {silence} l; else read -r l; fi; do eval \"$l\"; done; \
         if [ -n \"$f\" ]; then {end}; fi >/dev/null 2>&1 </dev/null"
    )
}
