//! Whether the screen is on and whether it is locked.

use super::{behind, flag, value_of};

/// `dumpsys power`, `dumpsys window` or `dumpsys window policy`: whether the screen is on.
#[must_use]
pub fn is_awake(text: &str) -> Option<bool> {
    for line in text.lines() {
        match value_of(line, "mWakefulness") {
            Some("Awake") => return Some(true),
            Some("Asleep" | "Dozing" | "Dreaming") => return Some(false),
            _ => {}
        }
        match behind(line, "Display Power: state=").or_else(|| value_of(line, "screenState")) {
            Some("ON" | "SCREEN_STATE_ON") => return Some(true),
            Some("OFF" | "DOZE" | "DOZE_SUSPEND" | "SCREEN_STATE_OFF") => return Some(false),
            _ => {}
        }
    }
    flag(text, "mAwake").or_else(|| flag(text, "mScreenOnFully"))
}

/// `dumpsys window policy` or `dumpsys window`: whether the lock screen is up.
///
/// The words differ by version; where several stand, the plainest wins: the keyguard's own `showing=`, then the pair
/// `mIsShowing` with `mInputRestricted` (both, for the first alone is not locked), then the older ones.
#[must_use]
pub fn is_locked(text: &str) -> Option<bool> {
    let keyguard = text
        .split_once("KeyguardServiceDelegate")
        .and_then(|(_, below)| flag(below, "showing"));
    if keyguard.is_some() {
        return keyguard;
    }
    if let Some(showing) = flag(text, "mIsShowing") {
        return Some(showing && flag(text, "mInputRestricted").unwrap_or(true));
    }
    let said: Vec<bool> = [
        "isKeyguardShowing",
        "mKeyguardShowing",
        "mShowingLockscreen",
        "mDreamingLockscreen",
    ]
    .iter()
    .filter_map(|key| flag(text, key))
    .collect();
    (!said.is_empty()).then(|| said.contains(&true))
}
