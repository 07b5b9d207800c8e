//! What a technical command on the phone risks. A command that touches is judged as that touch.

use super::page::Page;
use super::{Risks, keys, touch};
use protocol::AskKind;

/// Commands that only read. They still ask (the Shell switch), but they press nothing.
const READS: &[&str] = &[
    "ls",
    "cat",
    "getprop",
    "echo",
    "date",
    "id",
    "uname",
    "ps",
    "df",
    "du",
    "whoami",
    "uptime",
    "free",
    "top",
    "stat",
    "head",
    "tail",
    "wc",
    "grep",
    "find",
    "which",
    "pwd",
    "printenv",
    "md5sum",
    "sha256sum",
    "true",
];

/// Commands that run what their arguments say.
const WRAPPERS: &[&str] = &[
    "sh", "bash", "mksh", "timeout", "nohup", "setsid", "env", "toybox", "busybox", "xargs", "nice",
    "ionice", "time", "exec",
];

/// The hard rule a command breaks.
pub(super) fn never(command: &str) -> Option<&'static str> {
    let text = command.to_lowercase();
    let words = split(&text);
    let has = |word: &str| words.iter().any(|w| w == word);
    let says = |part: &str| text.contains(part);

    let resets = [
        "master_clear",
        "masterclear",
        "wipe_data",
        "wipe-data",
        "factory_reset",
        "factoryreset",
        "recovery --wipe",
    ];
    if resets.iter().any(|part| says(part))
        || (has("testharness") && has("enable"))
        || (has("uncrypt") && has("wipe"))
    {
        return Some("factory_reset");
    }
    let formats = [
        "mkfs",
        "newfs",
        "of=/dev/block",
        "sm format",
        "sm partition",
        "blkdiscard",
        "/dev/block/",
    ];
    if formats.iter().any(|part| says(part)) || removes_everything(&words) {
        return Some("wipe");
    }
    let admin = ["set-device-owner", "set-profile-owner", "set-active-admin"];
    if admin.iter().any(|part| says(part)) {
        return Some("device_admin");
    }
    if (has("install") || has("install-create") || has("install-write") || has("install-existing"))
        && (has("pm") || has("package"))
        || says("request_install_packages")
        || says("install_non_market_apps")
    {
        return Some("unknown_sources");
    }
    let guards = [
        "package_verifier",
        "verifier_verify",
        "upload_apk_enable",
        "setenforce",
        "adb_enabled",
        "enabled_accessibility_services",
        "enabled_notification_listeners",
        "lockscreen.disabled",
        "hidden_api_policy",
    ];
    let clears_lock = has("locksettings")
        && words
            .iter()
            .any(|w| w.starts_with("clear") || w.starts_with("set-"));
    let disables = has("pm")
        && words
            .iter()
            .any(|w| w.starts_with("disable") || w == "hide" || w == "suspend");
    if (guards.iter().any(|part| says(part)) && (has("put") || has("delete") || has("setenforce")))
        || clears_lock
        || disables
    {
        return Some("disable_protection");
    }
    if words.iter().any(|w| w == "su" || w.ends_with("/su"))
        || says("reboot bootloader")
        || says("reboot fastboot")
    {
        return Some("root");
    }
    None
}

/// Adds what a command risks.
pub(super) fn risks(page: &Page<'_>, command: &str, risks: &mut Risks) {
    risks.insert(AskKind::Shell, "shell");
    let words = split(command);
    if let Some(input) = input_words(&words) {
        input_risks(page, input, risks);
    } else if !only_reads(&words) {
        // What it presses cannot be told: on a page where one press matters, that press is assumed.
        for (kind, rule) in [
            (AskKind::Payment, "shell_on_payment_page"),
            (AskKind::Send, "shell_on_send_page"),
            (AskKind::Delete, "shell_on_delete_page"),
        ] {
            if page.element_for(kind).is_some() {
                risks.entry(kind).or_insert(rule);
            }
        }
        if page.code_field().is_some() {
            risks.entry(AskKind::Code).or_insert("shell_on_code_page");
        }
    }
    let lower = command.to_lowercase();
    if ["tel:", "sms:", "smsto:", "mailto:", "action.call", "isms"]
        .iter()
        .any(|part| lower.contains(part))
    {
        risks.entry(AskKind::Send).or_insert("shell_sends");
    }
    if words.first().is_some_and(|w| w == "pm") && words.iter().any(|w| w == "uninstall" || w == "clear") {
        risks.entry(AskKind::Delete).or_insert("shell_deletes");
    }
    if words
        .first()
        .is_some_and(|w| w == "rm" || w == "unlink" || w == "rmdir")
        || lower.contains("content delete")
    {
        risks.entry(AskKind::Delete).or_insert("shell_deletes");
    }
    if words.iter().any(|w| w == "grant") && words.iter().any(|w| w == "pm") {
        risks.entry(AskKind::Permission).or_insert("shell_grants");
    }
}

/// Whether a script may press, on this page, what pays or takes a code or password. A question about a script shows its
/// text and not the amount; such a press is done by a tap, which is asked about as what it is.
pub(super) fn presses_what_matters(page: &Page<'_>, script: &str) -> bool {
    let mut found = Risks::new();
    for command in script.split(['\n', ';', '&', '|', '(', ')', '{', '}', '`']) {
        let command = command.trim();
        if !command.is_empty() && !command.starts_with('#') {
            risks(page, command, &mut found);
        }
    }
    [AskKind::Payment, AskKind::Code, AskKind::Password]
        .iter()
        .any(|kind| found.contains_key(kind))
}

/// The words after `input`, when the command is one: `input …`, `cmd input …`, `/system/bin/input …`.
fn input_words(words: &[String]) -> Option<&[String]> {
    let name = words.first()?.rsplit('/').next()?;
    match name {
        "input" => Some(&words[1..]),
        "cmd" if words.get(1).is_some_and(|w| w == "input") => Some(&words[2..]),
        _ => None,
    }
}

/// `input [source] [-d display] command …`
fn input_risks(page: &Page<'_>, words: &[String], risks: &mut Risks) {
    const SOURCES: &[&str] = &[
        "dpad",
        "keyboard",
        "mouse",
        "touchpad",
        "gamepad",
        "touchnavigation",
        "joystick",
        "touchscreen",
        "stylus",
        "trackball",
        "rotaryencoder",
    ];
    let mut words = words;
    while let Some(first) = words.first() {
        if SOURCES.contains(&first.as_str()) {
            words = &words[1..];
        } else if first == "-d" {
            words = words.get(2..).unwrap_or_default();
        } else {
            break;
        }
    }
    let (command, rest) = match words.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => return,
    };
    match command {
        "tap" | "swipe" | "draganddrop" | "motionevent" | "press" | "roll" => {
            let numbers: Vec<i32> = rest
                .iter()
                .filter_map(|word| word.parse::<f64>().ok())
                .map(round)
                .collect();
            let mut any = false;
            for pair in numbers.chunks_exact(2).take(2) {
                any = true;
                touch::risks(page, pair[0], pair[1], risks);
            }
            if !any {
                keys::pressing(page, "KEYCODE_ENTER", risks);
            }
        }
        "text" => keys::typing(page, &rest.join(" "), None, risks),
        "keyevent" | "keycombination" => {
            for key in rest.iter().filter(|word| !word.starts_with('-')) {
                keys::pressing(page, key, risks);
            }
        }
        _ => keys::pressing(page, "KEYCODE_ENTER", risks),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a pixel; out of range saturates and hits nothing"
)]
fn round(n: f64) -> i32 {
    n.round() as i32
}

fn only_reads(words: &[String]) -> bool {
    let Some(name) = words.first().and_then(|w| w.rsplit('/').next()) else {
        return true;
    };
    if WRAPPERS.contains(&name) {
        return false;
    }
    if READS.contains(&name) {
        return true;
    }
    let second = words.get(1).map_or("", String::as_str);
    match name {
        "pm" => matches!(second, "list" | "path" | "dump"),
        "settings" => matches!(second, "get" | "list"),
        "wm" => words.len() == 2,
        "dumpsys" => !words.iter().any(|w| {
            matches!(
                w.as_str(),
                "set" | "unplug" | "reset" | "whitelist" | "force-idle"
            )
        }),
        "logcat" => words.iter().any(|w| w == "-d"),
        "ime" | "service" => second == "list",
        "cmd" => matches!(
            words.get(2).map_or("", String::as_str),
            "list" | "resolve-activity" | "query-activities" | "get"
        ),
        _ => false,
    }
}

/// `rm -r` of a place whose loss is the loss of everything.
fn removes_everything(words: &[String]) -> bool {
    const ROOTS: &[&str] = &[
        "/",
        "/*",
        "/sdcard",
        "/sdcard/*",
        "/data",
        "/data/*",
        "/system",
        "/storage",
        "/storage/*",
        "/storage/emulated/0",
        "/storage/emulated/0/*",
        "/storage/emulated",
        "*",
        "~",
    ];
    let removes = words.iter().any(|w| w == "rm" || w.ends_with("/rm"));
    removes
        && words.iter().any(|w| {
            let path = if w.len() > 1 { w.trim_end_matches('/') } else { w };
            ROOTS.contains(&path)
        })
}

/// Words, also those inside a quoted script; a command that cannot be split is taken apart at blanks.
fn split(command: &str) -> Vec<String> {
    let mut words =
        shlex::split(command).unwrap_or_else(|| command.split_whitespace().map(str::to_owned).collect());
    let nested: Vec<String> = words
        .iter()
        .filter(|word| word.contains(|c: char| c.is_whitespace() || ";&|()`$<>'\"".contains(c)))
        .flat_map(|word| word.split(|c: char| c.is_whitespace() || ";&|()`$<>'\"".contains(c)))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    words.extend(nested);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_undone_is_never_run() {
        for (command, rule) in [
            (
                "am broadcast -a android.intent.action.MASTER_CLEAR",
                "factory_reset",
            ),
            ("rm -rf /sdcard/", "wipe"),
            ("sh -c 'rm -rf /data/*'", "wipe"),
            ("dd if=/dev/zero of=/dev/block/sda", "wipe"),
            ("dpm set-device-owner com.x/.Admin", "device_admin"),
            ("pm install /sdcard/x.apk", "unknown_sources"),
            ("cmd package install -r /data/local/tmp/x.apk", "unknown_sources"),
            (
                "settings put global package_verifier_enable 0",
                "disable_protection",
            ),
            ("locksettings clear --old 1234", "disable_protection"),
            ("pm disable-user com.google.android.gms", "disable_protection"),
            ("su -c id", "root"),
            ("sh -c \"su\"", "root"),
        ] {
            assert_eq!(never(command), Some(rule), "{command}");
        }
        for command in [
            "ls /sdcard",
            "input tap 1 2",
            "rm /sdcard/notes.txt",
            "settings put system user_rotation 1",
            "pm list packages",
        ] {
            assert_eq!(never(command), None, "{command}");
        }
    }

    #[test]
    fn a_script_is_read_command_by_command() {
        for (script, rule) in [
            ("ls\nrm -rf /sdcard\n", "wipe"),
            ("ls;rm -rf /data", "wipe"),
            ("true&&pm install /sdcard/x.apk", "unknown_sources"),
            ("x=$(su -c id)", "root"),
            ("for f in a b; do\n  dd if=$f of=/dev/block/sda\ndone", "wipe"),
            (
                "cat <<E\nx\nE\nsettings put global package_verifier_enable 0",
                "disable_protection",
            ),
        ] {
            assert_eq!(never(script), Some(rule), "{script}");
        }
        assert_eq!(never("for f in /sdcard/*; do echo $f; done"), None);
    }

    #[test]
    fn reading_is_told_from_doing() {
        for command in [
            "ls -l",
            "dumpsys battery",
            "settings get secure x",
            "wm size",
            "logcat -d",
            "pm list packages -3",
        ] {
            assert!(only_reads(&split(command)), "{command}");
        }
        for command in [
            "sh -c ls",
            "dumpsys battery set level 5",
            "wm size 1x1",
            "monkey 5",
            "sendevent a b c d",
            "am start x",
        ] {
            assert!(!only_reads(&split(command)), "{command}");
        }
    }
}
