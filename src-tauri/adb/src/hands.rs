//! Doing one thing on a phone.

use crate::ending::Ending;
use crate::errand;
use crate::error::AdbError;
use crate::leash::Leash;
use crate::line::Line;
use crate::quote::quote_all;
use crate::script::{self, Input};
use crate::server::Device;
use crate::shell::Output;
use crate::{launch, said, touch, typing};
use agent::ports::{Command, Effect};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

/// How long a command of a moment may take before it counts as hanging.
pub(crate) const MOMENT: Duration = Duration::from_secs(10);
/// How long a command of a moment is waited for once the lease is lost.
pub(crate) const PATIENCE: Duration = Duration::from_millis(1200);
/// How long a shell command may run. What runs longer is killed.
const SHELL: Duration = Duration::from_secs(60);
/// How much of what a phone printed is handed on, in characters.
const PRINTED: usize = 4000;

/// One phone to be touched, and what was learnt of its skills.
#[derive(Clone)]
pub(crate) struct Hands {
    pub(crate) device: Device,
    pub(crate) talents: Arc<Talents>,
}

/// Something a phone's `input` has or has not, known once it was tried.
#[derive(Debug, Default)]
pub(crate) struct Talent(AtomicU8);

impl Talent {
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
pub(crate) struct Talents {
    /// `input motionevent`: Android 10 and newer.
    pub(crate) motion_events: Talent,
    /// Its `CANCEL`: Android 11 and newer.
    pub(crate) cancel: Talent,
    /// `input keycombination`: Android 12 and newer.
    pub(crate) key_combination: Talent,
}

impl Hands {
    /// Does one thing.
    ///
    /// # Errors
    /// As [`agent::ports::Phone::perform`].
    pub(crate) async fn perform(&self, leash: &Leash, command: &Command) -> Result<Effect, AdbError> {
        match command {
            Command::Tap { x, y } => touch::tap(self, leash, (*x, *y)).await,
            Command::DoubleTap { x, y } => touch::double_tap(self, leash, (*x, *y)).await,
            Command::LongPress { x, y, ms } => touch::long_press(self, leash, (*x, *y), *ms).await,
            Command::Swipe { from, to, ms } => touch::swipe(self, leash, *from, *to, *ms).await,
            Command::Drag { from, to, ms } => touch::drag(self, leash, *from, *to, *ms).await,
            Command::Text(text) => typing::text(self, leash, text).await,
            Command::ClearText => typing::clear(self, leash).await,
            Command::Key(key) => typing::key(self, leash, key).await,
            Command::Keys(keys) => typing::keys(self, leash, keys).await,
            Command::Launch(package) => launch::app(self, leash, package).await,
            Command::OpenUrl(url) => launch::url(self, leash, url).await,
            Command::Shell(words) => self.shell(leash, words).await,
        }
    }

    /// One `input` line, over in a moment.
    ///
    /// # Errors
    /// What `input` complained of, or how the errand went.
    pub(crate) async fn input(&self, leash: &Leash, arguments: &str) -> Result<(), AdbError> {
        self.input_line(leash, Line::plain(&format!("input {arguments}")))
            .await
    }

    /// The same for a line made elsewhere.
    ///
    /// # Errors
    /// As [`Hands::input`].
    pub(crate) async fn input_line(&self, leash: &Leash, line: Line) -> Result<(), AdbError> {
        let output = errand::run(&self.device, leash, line, MOMENT, Ending::Wait(PATIENCE)).await?;
        said::input(&output)
    }

    /// One line of a moment, its output not judged.
    ///
    /// # Errors
    /// How the errand went.
    pub(crate) async fn brief(&self, leash: &Leash, line: &str) -> Result<Output, AdbError> {
        errand::run(
            &self.device,
            leash,
            Line::plain(line),
            MOMENT,
            Ending::Wait(PATIENCE),
        )
        .await
    }

    /// A command of the model's or the person's. Whatever it says is its answer, a code other than 0 included; when
    /// it returns, nothing of it runs on.
    async fn shell(&self, leash: &Leash, words: &[String]) -> Result<Effect, AdbError> {
        if words.iter().all(|word| word.trim().is_empty()) {
            return Err(AdbError::Refused("an empty command".to_owned()));
        }
        // `input` as a command is a touch like any other: a long one must be possible to end half-way.
        match script::read_input(words) {
            Input::Swipe { from, to, ms } => return touch::swipe(self, leash, from, to, ms).await,
            Input::Drag { from, to, ms } => return touch::drag(self, leash, from, to, ms).await,
            Input::Text(text) => return typing::text(self, leash, &text).await,
            Input::Other | Input::None => {}
        }
        let line = Line::plain(&quote_all(words)?);
        let (limit, ending) = match script::read_input(words) {
            Input::None => {
                let gestures = script::plays_gestures(words);
                (
                    SHELL,
                    Ending::Kill {
                        mark: mark(),
                        gestures,
                    },
                )
            }
            _ => (MOMENT, Ending::Wait(PATIENCE)),
        };
        let output = errand::run(&self.device, leash, line, limit, ending).await?;
        Ok(Effect {
            output: Some(printed(&output)),
            rung: None,
        })
    }
}

/// What a command printed, for the model: standard output, then errors, then the code where it is not 0.
fn printed(output: &Output) -> String {
    let mut parts = Vec::new();
    let text = output.text();
    let errors = output.error_text();
    if !text.trim().is_empty() {
        parts.push(text.trim_end().to_owned());
    }
    if !errors.trim().is_empty() {
        parts.push(format!("stderr: {}", errors.trim_end()));
    }
    let code = output
        .exit
        .filter(|code| *code != 0)
        .map(|code| format!("exit {code}"));
    cut(&parts.join("\n"), code.as_deref())
}

/// Cut in the middle, so that the beginning, the end and the code stay.
fn cut(text: &str, code: Option<&str>) -> String {
    const GAP: &str = "\n[…]\n";
    let tail = code.map_or_else(String::new, |code| {
        if text.is_empty() {
            code.to_owned()
        } else {
            format!("\n{code}")
        }
    });
    let room = PRINTED - tail.chars().count();
    let count = text.chars().count();
    if count <= room {
        return format!("{text}{tail}");
    }
    let kept = room - GAP.chars().count();
    let head: String = text.chars().take(kept * 2 / 3).collect();
    let rest: String = text.chars().skip(count - (kept - kept * 2 / 3)).collect();
    format!("{head}{GAP}{rest}{tail}")
}

/// A word nobody else uses: sixteen hexadecimal digits.
pub(crate) fn mark() -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    // Every `RandomState` is keyed anew by the system's randomness.
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_printed_is_told_in_order_and_cut_in_the_middle() {
        let output = |stdout: &str, stderr: &str, exit| Output {
            stdout: stdout.as_bytes().to_vec(),
            stderr: stderr.as_bytes().to_vec(),
            exit,
        };
        assert_eq!(printed(&output("a\r\nb\n", "", Some(0))), "a\nb");
        assert_eq!(
            printed(&output("a\n", "bad\n", Some(2))),
            "a\nstderr: bad\nexit 2"
        );
        assert_eq!(printed(&output("", "", Some(1))), "exit 1");
        assert_eq!(printed(&output("", "", None)), "");
        let long = printed(&output(&"é".repeat(9000), "", Some(3)));
        assert_eq!(long.chars().count(), PRINTED);
        assert!(long.ends_with("é\nexit 3") && long.contains("[…]"));
    }

    #[test]
    fn marks_differ() {
        assert_ne!(mark(), mark());
        assert_eq!(mark().len(), 16);
    }
}
