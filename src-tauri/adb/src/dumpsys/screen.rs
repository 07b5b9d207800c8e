//! How large the screen is, how it is turned, and whether a soft keyboard is up.

use super::displays::{self, turns};
use super::{behind, flag, value_of};

/// `wm size`: what `input` and pictures use. An override wins over the physical size.
#[must_use]
pub fn size(text: &str) -> Option<(u32, u32)> {
    let find = |key| text.lines().find_map(|line| pair(after(line, key)?));
    find("Override size:").or_else(|| find("Physical size:"))
}

/// `wm density`: dots per inch as apps are told. An override wins.
#[must_use]
pub fn density(text: &str) -> Option<u32> {
    let number = |rest: &str| rest.trim().parse().ok().filter(|dpi| (40..=2000).contains(dpi));
    let find = |key| text.lines().find_map(|line| number(after(line, key)?));
    find("Override density:").or_else(|| find("Physical density:"))
}

/// What stands behind `key`, wherever on the line: a linker's complaint may stand in front of it without a line end.
fn after<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.find(key).map(|at| &line[at + key.len()..])
}

fn pair(text: &str) -> Option<(u32, u32)> {
    let (width, height) = text.split_once('x')?;
    let sides = (width.trim().parse().ok()?, height.trim().parse().ok()?);
    (sides.0 > 0 && sides.1 > 0).then_some(sides)
}

/// Quarter turns, from `dumpsys input`, `dumpsys display` or `dumpsys window displays`: the active viewport of the
/// phone's own panel, else the touch screen's word (`SurfaceOrientation: 1` up to Android 12, `InputDeviceOrientation: 1`
/// or `Rotation90` since).
#[must_use]
pub fn rotation(text: &str) -> Option<u8> {
    if let Some(shown) = displays::shown(&displays::viewports(text))
        && let Some(turns) = shown.turns
    {
        return Some(turns);
    }
    for key in ["SurfaceOrientation:", "InputDeviceOrientation:"] {
        if let Some(turns) = text.lines().find_map(|line| turns(behind(line, key)?)) {
            return Some(turns);
        }
    }
    ["mCurrentRotation", "mCurrentOrientation", "mDisplayRotation"]
        .iter()
        .find_map(|key| text.lines().find_map(|line| turns(value_of(line, key)?)))
}

/// A size turned: an odd number of quarter turns swaps its sides.
#[must_use]
pub fn turned((width, height): (u32, u32), turns: u8) -> (u32, u32) {
    if turns % 2 == 1 {
        (height, width)
    } else {
        (width, height)
    }
}

/// `dumpsys input_method`: whether the keyboard is shown; nothing when it does not say.
#[must_use]
pub fn keyboard(text: &str) -> Option<bool> {
    // One line per user since Android 15: any of them may have it up.
    let said: Vec<bool> = text
        .lines()
        .filter_map(|line| flag(line, "mInputShown"))
        .collect();
    if !said.is_empty() {
        return Some(said.contains(&true));
    }
    flag(text, "mIsInputViewShown")
}

/// `dumpsys input_method`: whether something on the screen takes text (`InputMethodManager`'s own lines about the app in
/// front). Nothing when that is not told: a page without a connection for keyboards may listen to single keys.
#[must_use]
pub fn takes_text(text: &str) -> Option<bool> {
    if keyboard(text) == Some(true) {
        return Some(true);
    }
    let served = ["mServedInputConnection", "mServedInputConnectionWrapper"];
    let said: Vec<&str> = text
        .lines()
        .filter_map(|line| served.iter().find_map(|key| value_of(line, key)))
        .collect();
    (!said.is_empty() && said.iter().all(|one| *one == "null")).then_some(false)
}

/// Keyboards that let keys from outside go past them to the field, letter by letter.
const PLAIN: [&str; 3] = [
    "com.android.inputmethod.latin/",
    "com.google.android.inputmethod.latin/",
    "com.android.adbkeyboard/",
];

/// `dumpsys input_method`: whether the chosen keyboard may hold, replace or lose what keys from outside type. False where
/// none is told.
#[must_use]
pub fn may_compose(text: &str) -> bool {
    let chosen = text
        .lines()
        .find_map(|line| value_of(line, "mCurMethodId").or_else(|| value_of(line, "mCurId")));
    chosen.is_some_and(|chosen| chosen.contains('/') && !PLAIN.iter().any(|plain| chosen.starts_with(plain)))
}

/// Who would get keys from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeyReceiver {
    /// The phone says that nothing on it takes text now: a home screen, a page without a field.
    pub(crate) nobody: bool,
    /// A keyboard that may keep letters, or make others of them.
    pub(crate) composes: bool,
}

impl KeyReceiver {
    /// As `dumpsys input_method` tells it.
    pub(crate) fn read(dump: &str) -> Self {
        Self {
            nobody: takes_text(dump) == Some(false),
            composes: may_compose(dump),
        }
    }
}

/// The keyboard's own window in `dumpsys window displays` (Android 11 and newer).
#[must_use]
pub fn keyboard_window(text: &str) -> Option<bool> {
    let mut said = None;
    for line in text.lines() {
        let ime = line.contains("ITYPE_IME") || line.contains("type=ime") || line.contains("mType=ime");
        if line.contains("InsetsSource") && ime {
            let visible = value_of(line, "mVisible").or_else(|| value_of(line, "visible"));
            match visible {
                Some("true") => return Some(true),
                Some(_) => said = Some(false),
                None => {}
            }
        }
    }
    said
}
