//! Commands that touch, as the inputs they are.

use super::table;
use crate::input::{Input, typed};
use crate::key::Key;

const SETTINGS: &str = "com.android.settings";
/// The longest a finger may move, milliseconds; and what `input` takes where nothing is said.
const LONGEST: u64 = 10_000;
const USUAL: u64 = 300;

/// The inputs of a command; `None` where it is none, or more than them.
pub(super) fn lower(words: &[&str]) -> Option<Vec<Input>> {
    match table::tool(words) {
        ("input", rest) => input(rest),
        (
            "monkey",
            ["-p", app, "1"]
            | ["-p", app, "-v", "1"]
            | ["-p", app, "-c", "android.intent.category.LAUNCHER", "1"],
        ) => launch(app),
        ("am", ["start" | "start-activity", rest @ ..]) => start(rest),
        _ => None,
    }
}

/// `input [SOURCE] [-d 0] COMMAND …`. What lasts beyond the command, or says how long a key is held, is not lowered.
fn input(words: &[&str]) -> Option<Vec<Input>> {
    let (finger, words) = match words {
        ["touchscreen" | "stylus" | "mouse", rest @ ..] => (true, rest),
        ["keyboard" | "dpad" | "gamepad" | "trackball", rest @ ..] => (false, rest),
        words => (true, words),
    };
    match words.strip_prefix(&["-d", "0"]).unwrap_or(words) {
        ["tap", x, y] if finger => Some(vec![Input::Tap { at: point(x, y)? }]),
        [what @ ("swipe" | "draganddrop"), x, y, to_x, to_y, ms @ ..] if finger && ms.len() < 2 => {
            let (from, to) = (point(x, y)?, point(to_x, to_y)?);
            let ms = ms.first().map_or(Some(USUAL), |ms| ms.parse().ok())?;
            (ms <= LONGEST).then(|| {
                vec![match *what {
                    "swipe" if from == to => Input::Hold { at: from, ms },
                    "swipe" => Input::Swipe { from, to, ms },
                    _ => Input::Drag { from, to, ms },
                }]
            })
        }
        ["text", text] => typed(&text.replace("%s", " ")).filter(|inputs| !inputs.is_empty()),
        ["keyevent", keys @ ..] if !keys.is_empty() => {
            keys.iter().map(|key| Key::read(key).map(Input::Key)).collect()
        }
        ["keycombination", keys @ ..] if keys.len() > 1 => {
            let keys: Option<_> = keys.iter().map(|key| Key::read(key)).collect();
            Some(vec![Input::Chord(keys?)])
        }
        ["press"] => Some(vec![Input::Key(Key::read("DPAD_CENTER")?)]),
        _ => None,
    }
}

fn point(x: &str, y: &str) -> Option<(i32, i32)> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "checked to be within any screen's numbers"
    )]
    let pixel = |word: &str| {
        let n: f64 = word.parse().ok().filter(|n: &f64| n.abs() < 1e6)?;
        Some(n.round() as i32)
    };
    Some((pixel(x)?, pixel(y)?))
}

/// An app, or a link, with nothing else said. One page of an app may do something by being opened: that is no launch.
fn start(words: &[&str]) -> Option<Vec<Input>> {
    let (mut action, mut category, mut data, mut app) = ("", "", None, None);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match *word {
            "-W" => {}
            "-a" => action = rest.next()?.trim_start_matches("android.intent.action."),
            "-c" => category = rest.next()?.trim_start_matches("android.intent.category."),
            "-d" if data.is_none() => data = rest.next(),
            "-p" if app.is_none() => app = rest.next(),
            _ if word.starts_with('-') => return None,
            _ if word.contains(':') && data.is_none() => data = Some(word),
            _ if app.is_none() => app = Some(word),
            _ => return None,
        }
    }
    let named = app.is_none_or(|app| launch(app).is_some());
    match (action, category, data, app) {
        ("", "", None, Some(app)) if !words.contains(&"-p") => launch(app),
        ("MAIN", "LAUNCHER", None, Some(app)) => launch(app),
        ("MAIN", "HOME", None, None) => Some(vec![Input::Key(Key::HOME)]),
        // A page of Android's settings shows what it sets.
        (page, "", None, None) if is_settings(page) => launch(SETTINGS),
        ("" | "VIEW", _, Some(link), _) if named => Some(vec![Input::Link((*link).to_owned())]),
        ("DIAL" | "SENDTO", "", Some(link), None) => Some(vec![Input::Link((*link).to_owned())]),
        _ => None,
    }
}

/// `android.settings.WIFI_SETTINGS`.
fn is_settings(action: &str) -> bool {
    let page = action.strip_prefix("android.settings.").unwrap_or_default();
    let letters = |c: char| c.is_ascii_uppercase() || c == '_';
    page.ends_with("SETTINGS") && page.chars().all(letters)
}

/// An app's name has more than one part: the system's own `android` is none.
fn launch(app: &str) -> Option<Vec<Input>> {
    let letters = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
    let named =
        app.contains('.') && app.starts_with(|c: char| c.is_ascii_alphabetic()) && app.chars().all(letters);
    named.then(|| vec![Input::Launch(app.to_owned())])
}
