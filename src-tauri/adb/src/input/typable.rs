//! Whether a phone's key map, scrcpy's server or ADBKeyboard can give it every character there is.

use crate::connect::server::Device;
use crate::error::AdbError;
use crate::input::adb_keyboard::AdbKeyboard;
use crate::scrcpy;

/// The characters of a text that cannot be typed on a phone, each once, in order: none where scrcpy's server or
/// ADBKeyboard types them.
///
/// # Errors
/// When it cannot be asked.
pub(crate) async fn untypable(
    sessions: &scrcpy::SharedSession,
    keyboard: &AdbKeyboard,
    device: &Device,
    text: &str,
) -> Result<Vec<char>, AdbError> {
    let mut beyond: Vec<char> = Vec::new();
    for c in text.chars().filter(|c| is_beyond(*c)) {
        if !beyond.contains(&c) {
            beyond.push(c);
        }
    }
    if beyond.is_empty() || sessions.version().await.is_some() || keyboard.is_installed(device).await? {
        return Ok(Vec::new());
    }
    Ok(beyond)
}

/// Whether the key map of a phone's virtual keyboard, which is ASCII (AOSP `Virtual.kcm`), may lack it. Quotes, dashes and
/// spaces of print are written into tasks by other programs, and plain ones do in their place.
fn is_beyond(c: char) -> bool {
    !c.is_ascii() && !matches!(c, '\u{2000}'..='\u{206f}' | '\u{a0}' | '«' | '»')
}

#[cfg(test)]
mod tests {
    use super::is_beyond;

    #[test]
    fn what_is_on_every_key_map_is_not_asked_about() {
        for (text, beyond) in [
            ("Text Dana: I’ll be late – “10 minutes”…", ""),
            ("Naïve café for 5 €", "ïé€"),
            ("给妈妈发消息", "给妈妈发消息"),
            ("Say hi 👋🏽", "👋🏽"),
        ] {
            let found: String = text.chars().filter(|c| is_beyond(*c)).collect();
            assert_eq!(found, beyond);
        }
    }
}
