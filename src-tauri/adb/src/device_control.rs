//! Doing one thing on a phone.

use crate::cancel_guard::{self, CancelGuard};
use crate::command::Command;
use crate::command_line::CommandLine;
use crate::error::AdbError;
use crate::persistent_shell::PersistentShell;
use crate::phone::AdbPhone;
use crate::quote::quote_all;
use crate::remote_command::{self, SoFar};
use crate::script::{self, Input};
use crate::server::Device;
use crate::shell::Output;
use crate::termination::Termination;
use crate::{launch, leftover, output_parse, scrcpy, touch, typing, writable};
use agent::lease::Grip;
use agent::ports::{Effect, PhoneError, ScriptEnd};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a command of a moment may take before it counts as hanging.
pub(crate) const MOMENT: Duration = Duration::from_secs(10);
/// How long a command of a moment is waited for once the lease is lost.
pub(crate) const PATIENCE: Duration = Duration::from_millis(1200);
/// How long a shell command may run. What runs longer is killed.
const SHELL: Duration = Duration::from_secs(60);
/// How much of what a phone printed is handed on, in characters.
const PRINTED: usize = 4000;
/// The same of a script's two outputs.
const SCRIPT_PRINTED: usize = 6000;

/// One phone to be touched, and what was learnt of its skills.
#[derive(Clone)]
pub(crate) struct DeviceControl {
    pub(crate) device: Device,
    pub(crate) capabilities: Arc<InputCapabilities>,
    /// One tree at a time.
    pub(crate) dumping: Arc<tokio::sync::Mutex<crate::tree::Reading>>,
    pub(crate) scrcpy: Arc<scrcpy::Shared>,
    pub(crate) shell: Arc<PersistentShell>,
    /// The screen's size as it was last seen, turned as it was.
    pub(crate) size: Option<(u16, u16)>,
    /// The display a finger goes to, where it is not the phone's own.
    pub(crate) display: Option<u32>,
}

/// Something a phone's `input` has or has not, known once it was tried.
#[derive(Debug, Default)]
pub(crate) struct InputCapability(AtomicU8);

impl InputCapability {
    /// It was tried and is not there.
    pub(crate) fn is_missing(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 2
    }

    /// It was tried.
    pub(crate) fn learn(&self, there: bool) {
        self.0.store(if there { 1 } else { 2 }, Ordering::Relaxed);
    }
}

/// What a phone's `input` has. Tried, not asked: no version prints the same help.
#[derive(Debug, Default)]
pub(crate) struct InputCapabilities {
    /// `input motionevent`: Android 10 and newer.
    pub(crate) motion_events: InputCapability,
    /// Its `CANCEL`: Android 11 and newer.
    pub(crate) cancel: InputCapability,
    /// `input keycombination`: Android 12 and newer.
    pub(crate) key_combination: InputCapability,
    /// Whether a finger may have been left on it.
    pub(crate) leftover: crate::leftover::Leftover,
}

impl DeviceControl {
    /// Does one thing.
    ///
    /// # Errors
    /// As [`agent::ports::Phone::perform`].
    pub(crate) async fn perform(&self, guard: &CancelGuard, command: &Command) -> Result<Effect, AdbError> {
        match command {
            Command::Tap { x, y } => touch::tap(self, guard, (*x, *y)).await,
            Command::DoubleTap { x, y } => touch::double_tap(self, guard, (*x, *y)).await,
            Command::LongPress { x, y, ms } => touch::long_press(self, guard, (*x, *y), *ms).await,
            Command::Swipe { from, to, ms } => touch::swipe(self, guard, *from, *to, *ms).await,
            Command::Drag { from, to, ms } => touch::drag(self, guard, *from, *to, *ms).await,
            Command::Text(text) => typing::text(self, guard, text).await,
            Command::ClearText => typing::clear(self, guard).await,
            Command::Replace(text) => writable::replace(self, guard, text).await,
            Command::Key(key) => typing::key(self, guard, key).await,
            Command::Keys(keys) => typing::keys(self, guard, keys).await,
            Command::Launch(package) => launch::app(self, guard, package).await,
            Command::OpenUrl(url) => launch::url(self, guard, url).await,
            Command::Shell(words) => self.shell(guard, words).await,
        }
    }

    /// `input` as a finger uses it: on the display that is looked at (`-d`: Android 10 and newer).
    pub(crate) fn finger(&self) -> String {
        self.display
            .map_or_else(|| "input".to_owned(), |display| format!("input -d {display}"))
    }

    /// One `input` line, over in a moment.
    ///
    /// # Errors
    /// What `input` complained of, or how the command went.
    pub(crate) async fn input(&self, guard: &CancelGuard, arguments: &str) -> Result<(), AdbError> {
        self.input_line(guard, CommandLine::plain(&format!("input {arguments}")), MOMENT)
            .await
    }

    /// The same for a line made elsewhere, that may take so long.
    ///
    /// # Errors
    /// As [`DeviceControl::input`].
    pub(crate) async fn input_line(
        &self,
        guard: &CancelGuard,
        line: CommandLine,
        limit: Duration,
    ) -> Result<(), AdbError> {
        let output =
            remote_command::run(&self.device, guard, line, limit, Termination::Wait(PATIENCE)).await?;
        output_parse::input(&output)
    }

    /// One line of a moment, its output not judged.
    ///
    /// # Errors
    /// How the command went.
    pub(crate) async fn brief(&self, guard: &CancelGuard, line: &str) -> Result<Output, AdbError> {
        remote_command::run(
            &self.device,
            guard,
            CommandLine::plain(line),
            MOMENT,
            Termination::Wait(PATIENCE),
        )
        .await
    }

    /// A command of the model's or the person's. Whatever it says is its answer, a code other than 0 included; when
    /// it returns, nothing of it runs on.
    async fn shell(&self, guard: &CancelGuard, words: &[String]) -> Result<Effect, AdbError> {
        if words.iter().all(|word| word.trim().is_empty()) {
            return Err(AdbError::Refused("an empty command".to_owned()));
        }
        // `input` as a command is a touch like any other: a long one must be possible to end half-way.
        match script::read_input(words) {
            Input::Swipe { from, to, ms } => return touch::swipe(self, guard, from, to, ms).await,
            Input::Drag { from, to, ms } => return touch::drag(self, guard, from, to, ms).await,
            Input::Text(text) => return typing::text(self, guard, &text).await,
            Input::Other | Input::None => {}
        }
        let line = CommandLine::plain(&quote_all(words)?);
        let (limit, ending) = match script::read_input(words) {
            Input::None => {
                let gestures = script::plays_gestures(words);
                (
                    SHELL,
                    Termination::Kill {
                        mark: mark(),
                        gestures,
                    },
                )
            }
            _ => (MOMENT, Termination::Wait(PATIENCE)),
        };
        let output = remote_command::run(&self.device, guard, line, limit, ending).await?;
        Ok(Effect {
            output: Some(cut(output.text().trim_end(), PRINTED)),
            stderr: told(&output.error_text(), PRINTED),
            exit: output.exit.map(i32::from),
            ..Effect::default()
        })
    }

    /// A script in the phone's own shell. It and everything it started is gone when this returns.
    ///
    /// # Errors
    /// As [`agent::ports::Phone::script`].
    pub(crate) async fn script(
        &self,
        guard: &CancelGuard,
        script: &str,
        limit: Duration,
    ) -> Result<ScriptEnd, AdbError> {
        let words = ["sh", "-c", script].map(str::to_owned);
        let line = CommandLine::plain(&quote_all(&words)?);
        let ending = Termination::Kill {
            mark: mark(),
            gestures: script::plays_gestures(&words),
        };
        let so_far = SoFar::default();
        let ran =
            remote_command::run_told(&self.device, guard, line, limit, ending, Arc::clone(&so_far)).await;
        let (output, timed_out) = match ran {
            Ok(output) => (output, false),
            Err(AdbError::Slow(_)) => (lock(&so_far).clone(), true),
            Err(error) => return Err(error),
        };
        Ok(ScriptEnd {
            exit: output.exit.map(i32::from).filter(|_| !timed_out),
            timed_out,
            stdout: cut(output.text().trim_end(), SCRIPT_PRINTED),
            stderr: cut(output.error_text().trim_end(), SCRIPT_PRINTED),
            folder: None,
        })
    }
}

fn lock(so_far: &Mutex<Output>) -> MutexGuard<'_, Output> {
    so_far.lock().unwrap_or_else(PoisonError::into_inner)
}

fn told(text: &str, most: usize) -> Option<String> {
    let text = text.trim_end();
    (!text.is_empty()).then(|| cut(text, most))
}

/// Cut in the middle, so that the beginning and the end stay.
fn cut(text: &str, most: usize) -> String {
    const GAP: &str = "\n[…]\n";
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let kept = most - GAP.chars().count();
    let head: String = text.chars().take(kept * 2 / 3).collect();
    let rest: String = text.chars().skip(count - (kept - kept * 2 / 3)).collect();
    format!("{head}{GAP}{rest}")
}

/// A word nobody else uses: sixteen hexadecimal digits.
pub(crate) fn mark() -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    // Every `RandomState` is keyed anew by the system's randomness.
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

impl AdbPhone {
    /// Does what the person's own hand did, or the doctor at the press of its button. A run has no way here: it sends what
    /// was judged ([`Phone::perform`]).
    ///
    /// # Errors
    /// As [`Phone::perform`].
    pub async fn by_hand(&self, command: &Command, grip: &Grip) -> Result<Effect, PhoneError> {
        let command = command.clone();
        self.act(grip, |control, guard| async move {
            control.perform(&guard, &command).await
        })
        .await
    }

    /// Does something under the lease, in a task of its own, and tells the captures when.
    pub(crate) async fn act<T, Work>(
        &self,
        grip: &Grip,
        work: impl FnOnce(DeviceControl, cancel_guard::CancelGuard) -> Work + Send,
    ) -> Result<T, PhoneError>
    where
        T: Send + 'static,
        Work: Future<Output = Result<T, AdbError>> + Send + 'static,
    {
        let control = self.control();
        let device = control.device.clone();
        let captures = Arc::clone(&self.captures);
        captures.touch();
        let done = cancel_guard::held(grip, move |guard| {
            let first = (control.clone(), guard.clone());
            let work = work(control, guard);
            async move {
                leftover::lift(&first.0, &first.1).await?;
                let done = work.await;
                captures.touch();
                done
            }
        });
        match done.await {
            Ok(done) => Ok(done),
            Err(error) => Err(device.explained(error).await.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_cut_in_the_middle() {
        assert_eq!(cut("a\nb", PRINTED), "a\nb");
        let long = cut(&format!("start{}end", "é".repeat(9000)), PRINTED);
        assert_eq!(long.chars().count(), PRINTED);
        assert!(long.starts_with("start") && long.ends_with("end") && long.contains("[…]"));
        assert_eq!(told(" \n", PRINTED), None);
    }

    #[test]
    fn marks_differ() {
        assert_ne!(mark(), mark());
        assert_eq!(mark().len(), 16);
    }
}
