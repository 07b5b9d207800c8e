//! Shell commands that touch: `input` written out as a command.
//!
//! The system server plays a swipe to its end although the command that asked for it was killed. So an `input` command
//! is played as the gesture it is, event by event; in a script, where it cannot be told apart, its end is waited for.

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
        [way @ ("swipe" | "draganddrop"), numbers @ ..] => match read_track(numbers) {
            Some((from, to, ms)) if *way == "swipe" => Input::Swipe { from, to, ms },
            Some((from, to, ms)) => Input::Drag { from, to, ms },
            None => Input::Other,
        },
        _ => Input::Other,
    }
}

type Track = ((i32, i32), (i32, i32), u64);

/// Four coordinates, which `input` takes with decimals too, and perhaps a time.
fn read_track(words: &[&str]) -> Option<Track> {
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
}
