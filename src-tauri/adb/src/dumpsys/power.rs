//! Whether the screen is on and whether it is locked.

use super::{behind, flag, value_of};

/// `dumpsys power`, `dumpsys window` or `dumpsys window policy`: whether the screen is on.
#[must_use]
pub fn is_awake(text: &str) -> Option<bool> {
    for line in text.lines() {
        match value_of(line, "mWakefulness") {
            Some("Awake") => return Some(true),
            // A phone that dreams shows its screen saver.
            Some("Asleep" | "Dozing" | "Dreaming") => return Some(false),
            _ => {}
        }
        match behind(line, "Display Power: state=").or_else(|| value_of(line, "screenState")) {
            Some("ON" | "SCREEN_STATE_ON") => return Some(true),
            Some("OFF" | "DOZE" | "DOZE_SUSPEND" | "SCREEN_STATE_OFF" | "SCREEN_STATE_TURNING_OFF") => {
                return Some(false);
            }
            _ => {}
        }
    }
    ["mAwake", "mScreenOnFully", "mScreenOn"]
        .iter()
        .find_map(|key| flag(text, key))
}

/// `dumpsys window policy` or `dumpsys window`: whether the lock screen is up.
///
/// The words differ by version. The older ones (`mShowingLockscreen`, `mDreamingLockscreen`) mean what they say. The
/// keyguard's monitor means locked only when `mIsShowing` and `mInputRestricted` both stand, for the first alone also
/// stands under a phone that is in use. Where the keyguard and its monitor contradict each other, nothing is known.
#[must_use]
pub fn is_locked(text: &str) -> Option<bool> {
    let plain: Vec<bool> = [
        "mShowingLockscreen",
        "mDreamingLockscreen",
        "isKeyguardShowing",
        "mKeyguardShowing",
        "keyguardShowing",
        "isStatusBarKeyguard",
    ]
    .iter()
    .filter_map(|key| flag(text, key))
    .collect();
    if plain.contains(&true) {
        return Some(true);
    }
    let keyguard = delegate(text).and_then(|below| flag(below, "showing"));
    let monitor = flag(text, "mIsShowing")
        .map(|showing| (showing, showing && flag(text, "mInputRestricted").unwrap_or(true)));
    match (keyguard, monitor) {
        (Some(true), Some((false, _))) => None,
        (Some(true), _) => Some(true),
        (_, Some((_, locked))) => Some(locked),
        (Some(false), None) => Some(false),
        (None, None) => (!plain.is_empty()).then_some(false),
    }
}

/// The same dumps: whether an app's activity is shown over the lock screen. Nothing when it is not said.
#[must_use]
pub fn is_occluded(text: &str) -> Option<bool> {
    delegate(text)
        .and_then(|below| flag(below, "occluded"))
        .or_else(|| flag(text, "mKeyguardOccluded"))
}

/// The same dumps: whether the lock screen asks for a PIN, a pattern or a password. Nothing when it is not said.
#[must_use]
pub fn needs_secret(text: &str) -> Option<bool> {
    delegate(text).and_then(|below| flag(below, "secure"))
}

/// What stands below the keyguard's heading.
fn delegate(text: &str) -> Option<&str> {
    text.split_once("KeyguardServiceDelegate").map(|(_, below)| below)
}
