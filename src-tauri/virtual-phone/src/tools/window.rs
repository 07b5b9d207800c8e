//! `wm` (`services/core/java/com/android/server/wm/WindowManagerShellCommand.java`).

use super::reply::Reply;
use crate::fault::Fault;
use crate::phone::Phone;

/// `cmd window COMMAND …`.
pub(super) fn command(phone: &Phone, command: &str, words: Vec<String>) -> Reply {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match (command, words.as_slice()) {
        ("size", [] | ["-d", _]) => {
            let (width, height) = phone.profile.size;
            let forced = forced(phone, SIZE)
                .map(|size| format!("Override size: {}\n", size.replace(',', "x")))
                .unwrap_or_default();
            Reply::out(format!("Physical size: {width}x{height}\n{forced}"))
        }
        ("size", ["reset", ..]) => force(phone, SIZE, None),
        ("density", ["reset", ..]) => force(phone, DENSITY, None),
        ("size", [size, ..]) => match size.split_once('x') {
            Some((width, height)) if !width.is_empty() && !height.is_empty() => {
                match bad(width).or(bad(height)) {
                    Some(word) => Reply::error(format!(
                        "Error: bad number java.lang.NumberFormatException: For input string: \"{word}\""
                    )),
                    None => {
                        let pixels = |text: &str| pixels(phone, text);
                        let size = format!("{},{}", pixels(width), pixels(height));
                        force(phone, SIZE, Some(&size))
                    }
                }
            }
            _ => Reply::error(format!("Error: bad size {size}")),
        },
        ("density", [] | ["-d", _]) => {
            let forced = forced(phone, DENSITY)
                .map(|density| format!("Override density: {density}\n"))
                .unwrap_or_default();
            Reply::out(format!("Physical density: {}\n{forced}", phone.profile.density))
        }
        ("density", [density, ..]) => match density.parse::<i32>() {
            Err(_) => Reply::error(format!(
                "Error: bad number java.lang.NumberFormatException: For input string: \"{density}\""
            )),
            Ok(..72) => Reply::error("Error: density must be >= 72"),
            Ok(_) => force(phone, DENSITY, Some(density)),
        },
        ("dismiss-keyguard", _) => {
            phone.clear_fault(Fault::Occluded);
            phone.with(|android| android.dismiss_keyguard());
            Reply::done()
        }
        ("user-rotation", rest) => rotation(phone, rest),
        ("" | "help" | "-h", _) => Reply::failed(HELP),
        (other, _) => Reply::unknown(other),
    }
}

/// Where the window manager keeps what was forced (`DisplayWindowSettings`; `Settings.Global.DISPLAY_SIZE_FORCED`,
/// `Settings.Secure.DISPLAY_DENSITY_FORCED`).
const SIZE: (&str, &str) = ("global", "display_size_forced");
const DENSITY: (&str, &str) = ("secure", "display_density_forced");

fn forced(phone: &Phone, (namespace, name): (&str, &str)) -> Option<String> {
    phone
        .with(|android| android.setting(namespace, name))
        .filter(|value| !value.is_empty())
}

fn force(phone: &Phone, (namespace, name): (&str, &str), value: Option<&str>) -> Reply {
    phone.put_setting(namespace, name, value);
    Reply::done()
}

/// `800`, `800px`, or `300dp` at the panel's density.
fn pixels(phone: &Phone, text: &str) -> u32 {
    let number = |digits: &str| digits.parse::<u32>().unwrap_or_default();
    match text.strip_suffix("dp") {
        Some(digits) => number(digits) * phone.profile.density / 160,
        None => number(text.strip_suffix("px").unwrap_or(text)),
    }
}

fn bad(text: &str) -> Option<&str> {
    let digits = text
        .strip_suffix("px")
        .or(text.strip_suffix("dp"))
        .unwrap_or(text);
    digits.parse::<i32>().is_err().then_some(digits)
}

/// `user-rotation [free|lock [0-3]]`.
fn rotation(phone: &Phone, words: &[&str]) -> Reply {
    match words {
        [] => {
            let locked = phone
                .with(|android| android.setting("system", "accelerometer_rotation"))
                .as_deref()
                == Some("0");
            let turns = phone.with(|android| android.display().rotation);
            Reply::out(if locked {
                format!("lock {turns}\n")
            } else {
                "free\n".to_owned()
            })
        }
        ["free"] => {
            phone.put_setting("system", "accelerometer_rotation", Some("1"));
            Reply::done()
        }
        ["lock", rest @ ..] => {
            let turns = rest.first().map(|word| word.parse::<u8>());
            if matches!(turns, Some(Err(_) | Ok(4..))) {
                return Reply::error("Error: rotation argument needs to be 0, 1, 2, or 3");
            }
            phone.put_setting("system", "accelerometer_rotation", Some("0"));
            if let Some(Ok(turns)) = turns {
                phone.put_setting("system", "user_rotation", Some(&turns.to_string()));
            }
            Reply::done()
        }
        [other, ..] => Reply::error(format!("Error: unknown command {other}")),
    }
}

const HELP: &str = "Window manager (window) commands:\n  help\n      Print this help text.\n  size [reset|WxH|WdpxHdp] [-d \
     DISPLAY_ID]\n    Return or override display size.\n    width and height in pixels unless suffixed with 'dp'.\n  \
     density [reset|DENSITY] [-d DISPLAY_ID] [-u UNIQUE_ID]\n    Return or override display density.\n  dismiss-keyguard\n    \
     Dismiss the keyguard, prompting user for auth if necessary.\n  user-rotation [-d DISPLAY_ID] [free|lock] [rotation]\n    \
     Print or set user rotation mode and user rotation.\n";
