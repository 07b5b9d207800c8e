//! The app ADBKeyboard (senzhk/ADBKeyBoard, `AdbIME.java`): an input method that writes what broadcasts tell it.
//!
//! Its receiver lives as long as it is the chosen input method; a broadcast nobody hears is "completed" all the same.

use super::System;
use super::world::World;
use crate::android::Intent;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::time::Duration;

/// Its package, and it among the input methods.
pub(crate) const PACKAGE: &str = "com.android.adbkeyboard";
const IME: &str = "com.android.adbkeyboard/.AdbIME";
/// The phone's own keyboard.
pub(super) const LATIN: &str = "com.android.inputmethod.latin/.LatinIME";
/// The input method manager hears of a new package so much later (people met "Unknown input method" right after an
/// install; how much later is invented).
const HEARD_AFTER: Duration = Duration::from_millis(1500);

impl World {
    /// Every input method that is known, enabled or not.
    pub(super) fn input_methods(&self) -> Vec<String> {
        let mut all = vec![LATIN.to_owned()];
        let heard = self.adb_keyboard_since.is_some_and(|since| self.now >= since);
        if self.is_installed(PACKAGE) && heard {
            all.push(IME.to_owned());
        }
        all.extend(self.composing.map(|composing| composing.id().to_owned()));
        all
    }
}

impl System {
    /// Installs what a package file holds, where it is one this phone knows.
    pub(super) fn install_package(&mut self, apk: &[u8]) -> bool {
        let known = apk
            .windows(11)
            .any(|bytes| bytes.eq_ignore_ascii_case(b"adbkeyboard"));
        if known && !self.world.is_installed(PACKAGE) {
            self.world.removed.retain(|package| *package != PACKAGE);
            self.world.adb_keyboard_since = Some(self.world.now + HEARD_AFTER);
        }
        known
    }

    /// True when somebody heard it.
    pub(super) fn receive(&mut self, intent: &Intent) -> bool {
        let chosen = self.world.settings.get("secure", "default_input_method") == Some(IME);
        let meant = intent.package.as_deref().is_none_or(|package| package == PACKAGE);
        if !chosen || !meant || !self.world.is_installed(PACKAGE) || self.locked {
            return false;
        }
        let extra = |name: &str| {
            let found = intent.extras.iter().find(|(key, _)| key == name);
            found.map(|(_, value)| value.clone()).unwrap_or_default()
        };
        match intent.action.as_deref() {
            Some("ADB_INPUT_B64") => {
                // What is no base64 of a text is passed over, as by its own `catch`.
                let text = STANDARD
                    .decode(extra("msg"))
                    .ok()
                    .and_then(|bytes| String::from_utf8(bytes).ok());
                if let Some(text) = text {
                    self.commit_text(&text);
                }
            }
            // From Android 8 on only ASCII comes through here.
            Some("ADB_INPUT_TEXT") => {
                let text: String = extra("msg").chars().filter(char::is_ascii).collect();
                self.commit_text(&text);
            }
            Some("ADB_INPUT_CHARS") => {
                let text: String = extra("chars")
                    .split(',')
                    .filter_map(|number| char::from_u32(number.trim().parse().ok()?))
                    .collect();
                self.commit_text(&text);
            }
            Some("ADB_INPUT_CODE" | "ADB_KEYCODE") => {
                if let Ok(code) = extra("code").parse() {
                    self.press_key(code, 0, false);
                }
            }
            Some("ADB_EDITOR_CODE") => {
                self.submit();
            }
            Some("ADB_CLEAR_TEXT") => {
                self.select_all();
                self.erase(true);
            }
            _ => return false,
        }
        self.settle();
        true
    }

    /// Writes a text as an input method does: any character, where the caret is. False: no field has the focus.
    pub(super) fn commit_text(&mut self, text: &str) -> bool {
        let writes = self.awake && !self.locked && self.writes();
        if writes {
            self.write_text(text);
            self.settle();
        }
        writes
    }
}
