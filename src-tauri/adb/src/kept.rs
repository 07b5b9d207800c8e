//! One shell that is kept open on the phone for a person's own hand: a line to it costs neither a connection nor a shell.
//!
//! Only lines of a moment that hold no secret go through it, one after another, by whoever holds a pass. Its end is the
//! connection's: the shell reads the end of its input and goes.

use crate::error::AdbError;
use crate::line::Line;
use crate::server::Device;
use crate::shell::{Output, Running};
use crate::touch::ANDROID_12;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, timeout};

/// How long a line may take. `input` answers in some 20 to 80 ms.
const ANSWERS: Duration = Duration::from_secs(2);
/// A shell nobody uses is let go.
const IDLE: Duration = Duration::from_secs(60);
/// Stands before a line's exit code.
const MARK: &str = "pocketdeck-said-";
/// More than this `input` never says.
const MOST: usize = 64 * 1024;

/// The kept shell of a phone, or the lack of one.
#[derive(Default)]
pub(crate) struct Kept {
    slot: Mutex<Option<Shell>>,
}

struct Shell {
    /// The serial it was opened over: another way to the phone needs another.
    over: String,
    running: Running,
    lines: u64,
    used: Instant,
}

impl Kept {
    /// Opens it, where lines through it are fast enough for a finger: since Android 12 `input` starts no Java machine.
    /// Whether it is open.
    ///
    /// # Errors
    /// Why the phone could not be asked.
    pub(crate) async fn open(self: &Arc<Self>, device: &Device) -> Result<bool, AdbError> {
        if device.sdk().await.is_none_or(|sdk| sdk < ANDROID_12) {
            return Ok(false);
        }
        let mut slot = self.slot.lock().await;
        if slot.as_ref().is_some_and(|shell| shell.over == device.serial()) {
            return Ok(true);
        }
        *slot = None;
        let stream = device.connect().await?;
        let running = device.start(stream, &Line::plain("sh"), "shell:").await?;
        let mut shell = Shell {
            over: device.serial().to_owned(),
            running,
            lines: 0,
            used: Instant::now(),
        };
        match timeout(ANSWERS, shell.run(":")).await {
            Ok(Ok(_)) => {
                *slot = Some(shell);
                tokio::spawn(let_go_when_idle(Arc::downgrade(self)));
                Ok(true)
            }
            Ok(Err(AdbError::NotSupported(_))) => Ok(false),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(AdbError::Slow("sh".to_owned())),
        }
    }

    /// Whether it is open over this way to the phone. While somebody uses it, it counts as taken.
    pub(crate) fn is_open(&self, device: &Device) -> bool {
        let slot = self.slot.try_lock();
        slot.is_ok_and(|slot| slot.as_ref().is_some_and(|shell| shell.over == device.serial()))
    }

    /// Runs one line to its end. Nothing where it is not open. The caller holds a pass.
    ///
    /// # Errors
    /// [`AdbError::MaybeRunning`] when no answer came in time, [`AdbError::Cut`]; the shell is gone then.
    pub(crate) async fn run(&self, device: &Device, line: &str) -> Result<Option<Output>, AdbError> {
        let mut slot = self.slot.lock().await;
        let Some(shell) = slot.as_mut().filter(|shell| shell.over == device.serial()) else {
            return Ok(None);
        };
        let done = timeout(ANSWERS, shell.run(line)).await;
        let done = done.unwrap_or_else(|_| Err(AdbError::MaybeRunning("input".to_owned())));
        if done.is_err() {
            *slot = None;
        }
        done.map(Some)
    }
}

impl Shell {
    async fn run(&mut self, line: &str) -> Result<Output, AdbError> {
        self.lines += 1;
        self.used = Instant::now();
        let mark = format!("{MARK}{}:", self.lines);
        self.running.say(&format!("{line} 2>&1; echo {mark}$?\n")).await?;
        loop {
            if let Some(output) = answer(&self.running.so_far().stdout, &mark) {
                self.running.take_output();
                return Ok(output);
            }
            if self.running.so_far().stdout.len() > MOST {
                return Err(AdbError::Garbled("a line that says more than any".to_owned()));
            }
            if !self.running.advance().await? {
                return Err(AdbError::Cut("the kept shell ended".to_owned()));
            }
        }
    }
}

/// What a line said, once its exit code stands behind it.
fn answer(said: &[u8], mark: &str) -> Option<Output> {
    let at = said
        .windows(mark.len())
        .rposition(|part| part == mark.as_bytes())?;
    let code = said.get(at + mark.len()..)?;
    let code = code.get(..code.iter().position(|byte| *byte == b'\n')?)?;
    Some(Output {
        stdout: said.get(..at)?.to_vec(),
        stderr: Vec::new(),
        exit: std::str::from_utf8(code).ok()?.trim().parse().ok(),
    })
}

async fn let_go_when_idle(kept: Weak<Kept>) {
    loop {
        sleep(IDLE).await;
        let Some(kept) = kept.upgrade() else { return };
        let mut slot = kept.slot.lock().await;
        match slot.as_ref() {
            Some(shell) if shell.used.elapsed() < IDLE => {}
            _ => {
                *slot = None;
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_over_when_its_code_stands_there() {
        let check = |said: &str, expected: Option<(&str, Option<u8>)>| {
            let output = answer(said.as_bytes(), "pocketdeck-said-7:");
            let told = output.map(|output| (output.text(), output.exit));
            assert_eq!(
                told,
                expected.map(|(text, exit)| (text.to_owned(), exit)),
                "{said:?}"
            );
        };
        check("", None);
        check("pocketdeck-said-6:0\n", None);
        check("pocketdeck-said-7:", None);
        check("pocketdeck-said-7:0", None);
        check("pocketdeck-said-7:0\n", Some(("", Some(0))));
        check(
            "Error: no\r\npocketdeck-said-7:255\r\n",
            Some(("Error: no\n", Some(255))),
        );
    }
}
