//! What a technical command on the phone risks. A command that touches is judged as that touch.

use super::page::Page;
use super::script::{Command, commands};
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

/// Switches of protection, as `settings` names them.
const GUARDS: &[&str] = &[
    "package_verifier",
    "verifier_verify",
    "upload_apk_enable",
    "adb_enabled",
    "enabled_accessibility_services",
    "enabled_notification_listeners",
    "lockscreen.disabled",
    "hidden_api_policy",
    "device_provisioned",
    "play_protect",
];

/// The hard rule a command, or any command of a script, breaks.
pub(super) fn never(script: &str) -> Option<&'static str> {
    commands(&script.to_lowercase()).iter().find_map(never_run)
}

fn never_run(command: &Command) -> Option<&'static str> {
    let words = command.words.as_slice();
    let name = command.name();
    let has = |word: &str| words.iter().skip(1).any(|w| w == word);
    let says = |part: &str| words.iter().skip(1).any(|w| w.contains(part));
    // `cmd NAME …` is the service's own tool.
    let (tool, rest) = match name {
        "cmd" => (
            words.get(1).map_or("", String::as_str),
            words.get(2..).unwrap_or_default(),
        ),
        name => (name, words.get(1..).unwrap_or_default()),
    };
    let first = rest.first().map_or("", String::as_str);
    let speaks = matches!(
        tool,
        "am" | "activity" | "broadcast" | "service" | "recovery" | "uncrypt" | "bcb" | "reboot" | "setprop"
    );
    let resets = [
        "master_clear",
        "masterclear",
        "wipe_data",
        "wipe-data",
        "factory_reset",
        "factoryreset",
        "--wipe",
    ];
    let to_recovery = command.redirects.iter().any(|file| file.contains("recovery"));
    if ((speaks || to_recovery) && resets.iter().any(|part| says(part)))
        || (tool == "testharness" && first == "enable")
        || (tool == "uncrypt" && says("wipe"))
        || matches!(tool, "wipe" | "wipe_data" | "wipe-data")
        || (tool == "device_policy" || tool == "dpm") && says("wipe")
    {
        return Some("factory_reset");
    }
    let block = |word: &String| {
        word.contains("/dev/block") || word.contains("/dev/mmcblk") || word.contains("/dev/sd")
    };
    if tool.starts_with("mkfs")
        || tool.starts_with("newfs")
        || tool.starts_with("mke2fs")
        || matches!(tool, "blkdiscard" | "make_f2fs" | "sgdisk" | "fdisk" | "parted")
        || (tool == "sm" && matches!(first, "format" | "partition"))
        || (tool == "vdc" && (says("format") || says("partition") || says("wipe")))
        || (!matches!(tool, "ls" | "stat" | "df" | "readlink") && words.iter().skip(1).any(block))
        || command.redirects.iter().any(block)
        || removes_everything(words)
    {
        return Some("wipe");
    }
    let admin = ["set-device-owner", "set-profile-owner", "set-active-admin"];
    if matches!(tool, "dpm" | "device_policy") && admin.iter().any(|part| says(part)) {
        return Some("device_admin");
    }
    let installs = matches!(tool, "pm" | "package") && first.starts_with("install");
    let allows_sources = matches!(tool, "appops" | "pm" | "package") && says("request_install_packages");
    let changes = matches!(tool, "settings" | "content" | "device_config" | "setprop");
    if installs
        || allows_sources
        || (changes && says("install_non_market_apps"))
        || (tool == "adb" && has("install"))
    {
        return Some("unknown_sources");
    }
    let writes = changes
        && ["put", "delete", "insert", "update", "reset"]
            .iter()
            .any(|word| has(word))
        || tool == "setprop";
    let clears_lock = matches!(tool, "locksettings" | "lock_settings")
        && (first.starts_with("clear") || first.starts_with("set-"));
    let disables = matches!(tool, "pm" | "package")
        && (first.starts_with("disable") || matches!(first, "hide" | "suspend"));
    if (writes && GUARDS.iter().any(|part| says(part))) || tool == "setenforce" || clears_lock || disables {
        return Some("disable_protection");
    }
    if tool == "su" || (tool == "reboot" && (has("bootloader") || has("fastboot"))) {
        return Some("root");
    }
    None
}

/// Adds what a command, or a script's commands, risk.
pub(super) fn risks(page: &Page<'_>, script: &str, risks: &mut Risks) {
    risks.insert(AskKind::Shell, "shell");
    for command in commands(script) {
        risks_of(page, &command, risks);
    }
}

fn risks_of(page: &Page<'_>, command: &Command, risks: &mut Risks) {
    let words = command.words.as_slice();
    if let Some(input) = input_words(words) {
        input_risks(page, input, risks);
    } else if !only_reads(words) {
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
    let name = command.name().to_lowercase();
    let rest: Vec<String> = words.iter().skip(1).map(|word| word.to_lowercase()).collect();
    let says = |part: &str| rest.iter().any(|word| word.contains(part));
    let has = |word: &str| rest.iter().any(|w| w == word);
    let tells = [
        "tel:",
        "sms:",
        "smsto:",
        "mailto:",
        "action.call",
        "action.send",
        "isms",
    ];
    let messages = says("content://sms") || says("content://mms") || says("content://call");
    if tells.iter().any(|part| says(part))
        || (name == "content" && messages && (has("insert") || has("update")))
        || (name == "service" && has("call") && says("phone"))
    {
        risks.entry(AskKind::Send).or_insert("shell_sends");
    }
    if name == "content" && messages && (has("query") || has("read")) {
        risks.entry(AskKind::Code).or_insert("shell_reads_messages");
    }
    let packages = name == "pm" || (name == "cmd" && has("package"));
    if (packages && (has("uninstall") || has("clear")))
        || matches!(name.as_str(), "rm" | "unlink" | "rmdir" | "shred" | "truncate")
        || (name == "content" && has("delete"))
    {
        risks.entry(AskKind::Delete).or_insert("shell_deletes");
    }
    if packages && (has("grant") || has("revoke"))
        || name == "appops"
        || (name == "cmd"
            && (has("appops") || says("allow_listener") || says("allow_assistant") || has("role")))
    {
        risks.entry(AskKind::Permission).or_insert("shell_grants");
    }
    let radio = |word: &str| {
        matches!(
            word,
            "wifi" | "data" | "usb" | "bluetooth" | "nfc" | "power" | "connectivity"
        )
    };
    if (name == "svc" && rest.first().is_some_and(|word| radio(word)))
        || matches!(name.as_str(), "reboot" | "shutdown" | "stop")
        || (name == "settings" && has("put") && (says("airplane_mode") || says("adb_") || says("wifi_on")))
        || (name == "cmd" && (has("wifi") || has("connectivity")) && !only_reads(words))
        || (matches!(name.as_str(), "setprop") && (says("adb") || says("usb")))
        || matches!(name.as_str(), "iptables" | "ip6tables" | "ifconfig")
    {
        risks.entry(AskKind::Act).or_insert("cuts_off");
    }
}

/// Whether a script may press, on this page, what pays or takes a code or password. A question about a script shows its
/// text and not the amount; such a press is done by a tap, which is asked about as what it is.
pub(super) fn presses_what_matters(page: &Page<'_>, script: &str) -> bool {
    let mut found = Risks::new();
    for command in commands(script) {
        risks_of(page, &command, &mut found);
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
    if !page.screen.tree_read {
        risks.entry(AskKind::Unreadable).or_insert("no_elements");
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
    let is_rm = |w: &String| w == "rm" || w.ends_with("/rm");
    let name = words.first().map_or("", |w| w.rsplit('/').next().unwrap_or(w));
    // What only prints removes nothing; what runs other programs may.
    let prints = matches!(name, "echo" | "printf" | "cat" | "grep" | "ls");
    let removes = !prints && words.iter().any(is_rm);
    removes
        && words.iter().any(|w| {
            let path = if w.len() > 1 { w.trim_end_matches('/') } else { w };
            ROOTS.contains(&path)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(command: &str) -> Vec<String> {
        shlex::split(command).unwrap()
    }

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
