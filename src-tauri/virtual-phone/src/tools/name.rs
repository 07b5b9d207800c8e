//! Numbers and names that stay the same for the same thing: hash codes, task and process numbers, paths.

use crate::android::{Component, Half, SplitSide, Window};
use crate::phone::Phone;

/// A small stable number for a text (FNV-1a).
pub(super) fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// An object's hash code as dumps show it: seven hex digits at most.
pub(super) fn code(text: &str) -> String {
    format!("{:x}", hash(text) >> 4)
}

/// `com.example/.MainActivity` (`ComponentName.flattenToShortString`).
pub(super) fn short(component: &Component) -> String {
    match component.class.strip_prefix(&component.package) {
        Some(class) if class.starts_with('.') => format!("{}/{class}", component.package),
        _ => format!("{}/{}", component.package, component.class),
    }
}

/// An app's task.
pub(super) fn task(package: &str) -> u32 {
    10 + hash(package) % 490
}

/// An app's user (`u0_a…`).
pub(super) fn uid(package: &str) -> u32 {
    match package {
        "android" | "com.android.settings" => 1000,
        package => 10_100 + hash(package) % 200,
    }
}

/// An app's user, in the word of dumps: `u0a115`.
pub(super) fn user(package: &str) -> String {
    match uid(package) {
        uid @ 10_000.. => format!("u0a{}", uid - 10_000),
        uid => uid.to_string(),
    }
}

/// An app's process.
pub(super) fn pid(package: &str) -> u32 {
    2500 + hash(package) % 1500
}

/// `ActivityRecord{1a2b3c4 u0 com.example/.MainActivity t57}`, in the form of the phone's release
/// (`ActivityRecord.toString`; Android 13 and 14 have a brace too many: sample focus_12; 15 and 16 count in tens).
pub(super) fn activity_record(phone: &Phone, component: &Component) -> String {
    let full = format!("{}/{}", component.package, component.class);
    let brace = if (33..=34).contains(&phone.profile.sdk) {
        "}"
    } else {
        ""
    };
    format!(
        "ActivityRecord{{{} u0 {}{brace} t{}}}",
        if phone.profile.sdk >= 35 {
            (hash(&full) >> 4).to_string()
        } else {
            code(&full)
        },
        short(component),
        task(&component.package)
    )
}

/// `Window{1a2b3c4 u0 com.example/com.example.MainActivity}` (`WindowState.toString`).
pub(super) fn window(window: &Window) -> String {
    format!(
        "Window{{{} u0 {}}}",
        code(&format!("window {}", window.title)),
        window.title
    )
}

/// The activity a window belongs to, when it is one's.
pub(super) fn component(window: &Window) -> Option<Component> {
    let (package, class) = window.title.split_once('/')?;
    Some(Component {
        package: package.to_owned(),
        class: class.to_owned(),
    })
}

/// How a task shares the display (`WindowConfiguration.windowingModeToString`). Until Android 11 split screen has modes of
/// its own, since then each half is one of several windows.
pub(super) fn mode(phone: &Phone, half: Option<Half>) -> &'static str {
    match half.map(|half| half.side) {
        None => "fullscreen",
        Some(_) if phone.profile.sdk >= 31 => "multi-window",
        Some(SplitSide::First) => "split-screen-primary",
        Some(SplitSide::Second) => "split-screen-secondary",
    }
}

/// `Rect(0, 0 - 1080, 1170)` (`Rect.toString`).
pub(super) fn rect((left, top, right, bottom): (i32, i32, i32, i32)) -> String {
    format!("Rect({left}, {top} - {right}, {bottom})")
}

/// Where an app lies.
pub(super) fn apk(package: &str, system: bool) -> String {
    if system {
        let folder = package.rsplit('.').next().unwrap_or(package);
        return format!("/system/priv-app/{folder}/{folder}.apk");
    }
    let random = |salt: &str| {
        const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let mut state = hash(&format!("{salt}{package}"));
        let letter = |_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            LETTERS
                .get(usize::try_from(state >> 26).unwrap_or(0))
                .map_or('A', |byte| char::from(*byte))
        };
        (0..22).map(letter).collect::<String>()
    };
    format!(
        "/data/app/~~{}==/{package}-{}==/base.apk",
        random("a"),
        random("b")
    )
}
