//! A command or a script of the model's or the person's, in the phone's own shell.
//!
//! Some of them touch: `input` written out as a command. The system server plays a swipe to its end although the command that asked for it was killed. So an `input` command
//! is played as the gesture it is, event by event; in a script, where it cannot be told apart, its end is waited for.

use crate::connect::command_line::CommandLine;
use crate::connect::server::Device;
use crate::connect::shell::Output;
use crate::error::AdbError;
use crate::exec::cancel_guard::CancelGuard;
use crate::exec::nonce::nonce;
use crate::exec::quote::quote_all;
use crate::exec::remote_command::{self, LEASE_LOST_TIMEOUT, MOMENT, PartialOutput};
use crate::exec::termination::Termination;
use agent::ports::{Effect, ScriptEnd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a shell command may run. What runs longer is killed.
const SHELL: Duration = Duration::from_secs(60);
/// How much of what a phone printed is handed on, in characters.
const PRINTED: usize = 4000;
/// The same of a script's two outputs.
const SCRIPT_PRINTED: usize = 6000;

/// What an `input` command does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// `input swipe x1 y1 x2 y2 [ms]`.
    Swipe {
        from: (i32, i32),
        to: (i32, i32),
        ms: u64,
    },
    /// `input draganddrop x1 y1 x2 y2 [ms]`.
    Drag {
        from: (i32, i32),
        to: (i32, i32),
        ms: u64,
    },
    /// `input text …`, its `%s` read as the spaces they stand for.
    Text(String),
    /// Any other: over in a moment, or refused by `input` itself.
    Other,
    /// Not an `input` command.
    None,
}

/// Reads the words of a command.
pub(crate) fn read_input(words: &[String]) -> Input {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let rest = match words.as_slice() {
        ["input" | "/system/bin/input", rest @ ..] | ["cmd", "input", rest @ ..] => rest,
        _ => return Input::None,
    };
    let rest = match rest {
        ["touchscreen" | "keyboard", rest @ ..] => rest,
        rest => rest,
    };
    match rest {
        ["text", text] => Input::Text(text.replace("%s", " ")),
        [way @ ("swipe" | "draganddrop"), numbers @ ..] => match read_swipe(numbers) {
            Some((from, to, ms)) if *way == "swipe" => Input::Swipe { from, to, ms },
            Some((from, to, ms)) => Input::Drag { from, to, ms },
            None => Input::Other,
        },
        _ => Input::Other,
    }
}

type SwipeArguments = ((i32, i32), (i32, i32), u64);

/// Four coordinates, which `input` takes with decimals too, and perhaps a time.
fn read_swipe(words: &[&str]) -> Option<SwipeArguments> {
    let (points, ms) = match words {
        [points @ .., ms] if words.len() == 5 => (points, ms.parse().ok()?),
        points if points.len() == 4 => (points, 300),
        _ => return None,
    };
    #[expect(clippy::cast_possible_truncation, reason = "a cast of a float saturates")]
    let numbers: Option<Vec<i32>> = points
        .iter()
        .map(|word| {
            word.parse::<f64>()
                .ok()
                .filter(|n| n.is_finite())
                .map(|n| n.round() as i32)
        })
        .collect();
    match numbers?.as_slice() {
        [x1, y1, x2, y2] => Some(((*x1, *y1), (*x2, *y2), ms)),
        _ => None,
    }
}

/// Whether a script may have something played that outlives its client.
pub(crate) fn plays_gestures(words: &[String]) -> bool {
    const LONG: [&str; 8] = [
        "swipe",
        "draganddrop",
        "text",
        "motionevent",
        "keycombination",
        "--longpress",
        "--duration",
        "--delay",
    ];
    let script = words.join(" ");
    script.contains("input") && LONG.iter().any(|word| script.contains(word))
}

/// Runs one command. Whatever it says is its answer, a code other than 0 included; when this returns, nothing of it runs
/// on.
///
/// # Errors
/// As [`remote_command::run`].
pub(crate) async fn command(
    device: &Device,
    guard: &CancelGuard,
    words: &[String],
) -> Result<Effect, AdbError> {
    if words.iter().all(|word| word.trim().is_empty()) {
        return Err(AdbError::Refused("an empty command".to_owned()));
    }
    let line = CommandLine::plain(&quote_all(words)?);
    let (limit, ending) = match read_input(words) {
        Input::None => {
            let gestures = plays_gestures(words);
            (
                SHELL,
                Termination::Kill {
                    mark: nonce(),
                    gestures,
                },
            )
        }
        _ => (MOMENT, Termination::Wait(LEASE_LOST_TIMEOUT)),
    };
    let output = remote_command::run(device, guard, line, limit, ending).await?;
    Ok(Effect {
        output: Some(cut(output.text().trim_end(), PRINTED)),
        stderr: told(&output.error_text(), PRINTED),
        exit: output.exit.map(i32::from),
        ..Effect::default()
    })
}

/// Runs a script. It and everything it started is gone when this returns.
///
/// # Errors
/// As [`agent::ports::Phone::script`].
pub(crate) async fn run(
    device: &Device,
    guard: &CancelGuard,
    script: &str,
    limit: Duration,
) -> Result<ScriptEnd, AdbError> {
    let words = ["sh", "-c", script].map(str::to_owned);
    let line = CommandLine::plain(&quote_all(&words)?);
    let ending = Termination::Kill {
        mark: nonce(),
        gestures: plays_gestures(&words),
    };
    let so_far = PartialOutput::default();
    let ran = remote_command::run_told(device, guard, line, limit, ending, Arc::clone(&so_far)).await;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Input) {
        assert_eq!(read_input(&shlex::split(line).unwrap()), expected, "{line}");
    }

    #[test]
    fn input_is_read_as_what_it_does() {
        let (from, to) = ((1, 2), (3, 4));
        check("input swipe 1 2 3 4 9000", Input::Swipe { from, to, ms: 9000 });
        check("input swipe 1 2 3 4", Input::Swipe { from, to, ms: 300 });
        check(
            "cmd input touchscreen swipe 1.2 2 3 3.7 5",
            Input::Swipe { from, to, ms: 5 },
        );
        check("input draganddrop 1 2 3 4 500", Input::Drag { from, to, ms: 500 });
        check("input text 'a%sb c'", Input::Text("a b c".to_owned()));
        for other in [
            "input tap 1 2",
            "input",
            "input swipe 1 2 3",
            "input swipe a b c d",
            "input swipe 1 2 3 4 -5",
        ] {
            check(other, Input::Other);
        }
        for none in [
            "sh -c 'input swipe 1 2 3 4'",
            "am start",
            "inputs",
            "cmd package list",
        ] {
            check(none, Input::None);
        }
    }

    #[test]
    fn a_script_that_may_play_on_is_known() {
        let plays = |line: &str| plays_gestures(&shlex::split(line).unwrap());
        assert!(plays("sh -c 'sleep 1; input swipe 1 2 3 4 9000'"));
        assert!(plays("sh -c 'input keyevent --longpress 26'"));
        assert!(!plays("sh -c 'sleep 60; input tap 1 2'"));
        assert!(!plays("logcat -d"));
    }

    #[test]
    fn what_is_too_long_is_cut_in_the_middle() {
        assert_eq!(cut("a\nb", PRINTED), "a\nb");
        let long = cut(&format!("start{}end", "é".repeat(9000)), PRINTED);
        assert_eq!(long.chars().count(), PRINTED);
        assert!(long.starts_with("start") && long.ends_with("end") && long.contains("[…]"));
        assert_eq!(told(" \n", PRINTED), None);
    }
}
