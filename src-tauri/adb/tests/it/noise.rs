//! What makers, linkers, daemons and old shells leave in front of an answer, behind it and at the ends of its lines means
//! nothing: every reader reads the same of every recorded output, with it and without.

use adb::devices::read_list;
use adb::dumpsys::{displays, front, power, properties, screen, windows};
use adb::shell::Output;
use adb::tree;

macro_rules! samples {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../data/", $name)))),*]
    };
}

const SAMPLES: [(&str, &str); 19] = samples![
    "focus_01_two_displays_samsung.txt"
    "focus_04_apptoken.txt"
    "focus_06_resumed_only.txt"
    "focus_08_shade_locked_honor.txt"
    "focus_12_window_block_android13.txt"
    "focus_15_mms_apptoken.txt"
    "focus_18_system_dialog.txt"
    "lock_01_keyguard_delegate_off.txt"
    "lock_04_dreaming.txt"
    "pkg_01_mixed_cr.txt"
    "power_06_oem_format.txt"
    "prop_01_samsung_a16.txt"
    "prop_04_mtk_services.txt"
    "rotation_06_a12.txt"
    "size_01_physical.txt"
    "size_04_crlf.txt"
    "ui_01_bilibili.txt"
    "ui_04_miui_error.txt"
    "ui_07_null_root.txt"
];

/// What no recorded output has: as `BatteryService`, `InputMethodManagerService`, `DisplayViewport`, `SurfaceFlinger`, `wm` and
/// `WindowManagerService` write it.
const WRITTEN: [(&str, &str); 2] = [
    (
        "a phone in use",
        "Current Battery Service state:\n  AC powered: false\n  USB powered: true\n  status: 2\n  level: 67\n  scale: 100\n  \
         mInputShown=true\nPhysical density: 420\nOverride density: 480\nDisplay 4619827259835644672 (HWC display 0): \
         port=0 pnpId=GGL\n  DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, \
         uniqueId='local:4619827259835644672', orientation=1}\nDisplay Power: state=ON\n",
    ),
    (
        "windows",
        "  mCurrentFocus=Window{aa u0 com.bank/com.bank.Main}\n  Window #4 Window{aa u0 com.bank/com.bank.Main}:\n    \
         mOwnerUid=1 package=com.bank appop=NONE\n    mAttrs={(0,0)(fillxfill) ty=BASE_APPLICATION fl=SECURE \
         HARDWARE_ACCELERATED}\n  InsetsSource id=3 type=ime frame=[0,1500][1080,2400] visible=true\n",
    ),
];

const LINKER: &str =
    "WARNING: linker: /system/lib64/libhook.so has text relocations. This is wasting memory\n";
const BEFORE: &str = "* daemon not running; starting now at tcp:5037\n* daemon started successfully\n";
const TRACE: &str = "java.io.FileNotFoundException: /data/system/theme_config/theme_compatibility.xml\n\tat \
                     libcore.io.IoBridge.open(IoBridge.java:574)\n";

/// An output with everything around it that has been seen in the field.
fn noisy(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    let ends = text.replace("\r\n", "\n");
    let crlf = ends.replace('\n', "\r\n");
    let nul = ends.replace('\n', "\0\n");
    let all = format!("{LINKER}{BEFORE}\n{TRACE}null\n{crlf}\r\n}}\r\n\0null\r\n");
    [
        ("CR LF", crlf),
        ("CR CR LF", ends.replace('\n', "\r\r\n")),
        ("NUL bytes", nul),
        ("a linker's warning", format!("{LINKER}{LINKER}{text}")),
        ("a daemon's start", format!("{BEFORE}{text}")),
        ("a stack trace", format!("{TRACE}{text}")),
        ("null", format!("null\n{text}\nnull\n")),
        ("stray braces", format!("}}\n{text}\n  }}}}\n}}\n")),
        ("all of it", all),
    ]
    .map(|(what, text)| (what, text.into_bytes()))
    .into()
}

/// Everything any reader makes of a text.
fn everything(text: &str) -> Vec<(&'static str, String)> {
    let front = front::read_windows(text);
    let owner = front.focus.as_ref().and_then(|focus| windows::read(text, focus));
    vec![
        ("front", format!("{front:?}")),
        ("owner", format!("{owner:?}")),
        ("activities", format!("{:?}", front::read_activities(text))),
        ("size", format!("{:?}", screen::size(text))),
        ("density", format!("{:?}", screen::density(text))),
        ("rotation", format!("{:?}", screen::rotation(text))),
        ("keyboard", format!("{:?}", screen::keyboard(text))),
        ("keyboard window", format!("{:?}", screen::keyboard_window(text))),
        ("awake", format!("{:?}", power::is_awake(text))),
        ("locked", format!("{:?}", power::is_locked(text))),
        ("secret", format!("{:?}", power::needs_secret(text))),
        ("viewports", format!("{:?}", displays::viewports(text))),
        ("panels", format!("{:?}", displays::panels(text))),
        ("properties", format!("{:?}", properties::read(text))),
        ("battery", format!("{:?}", properties::battery(text))),
        ("packages", format!("{:?}", properties::packages(text))),
        ("launchable", format!("{:?}", properties::launchable(text))),
        ("tree", format!("{:?}", tree::cut_text(text))),
    ]
}

fn read(bytes: Vec<u8>) -> Vec<(&'static str, String)> {
    let output = Output {
        stdout: bytes,
        ..Output::default()
    };
    everything(&output.text())
}

#[test]
fn noise_changes_no_reading() {
    let mut read_at_all = std::collections::BTreeSet::new();
    for (name, text) in SAMPLES.into_iter().chain(WRITTEN) {
        let plain = read(text.as_bytes().to_vec());
        let nothing = read(Vec::new());
        read_at_all.extend(plain.iter().filter(|one| !nothing.contains(one)).map(|one| one.0));
        for (what, bytes) in noisy(text) {
            for (plain, noisy) in plain.iter().zip(read(bytes)) {
                assert_eq!(plain, &noisy, "{name} with {what}");
            }
        }
    }
    let readers = everything("");
    let idle: Vec<&str> = readers
        .iter()
        .map(|one| one.0)
        .filter(|name| !read_at_all.contains(name))
        .collect();
    assert_eq!(idle, ["launchable"], "readers with nothing to read");
}

/// What stands in front of one answer.
#[test]
fn noise_changes_no_answer() {
    for answer in ["1", "null", "com.gboard/.Ime", "1763820000", "33"] {
        for (what, bytes) in noisy(&format!("{answer}\n")) {
            // Behind an answer of one line nothing has been seen.
            if matches!(what, "null" | "stray braces" | "all of it") {
                continue;
            }
            let output = Output {
                stdout: bytes,
                ..Output::default()
            };
            assert_eq!(output.answer(), answer, "with {what}");
        }
    }
}

/// A list comes from the server itself; only its client's words, and line ends, have been seen around it.
#[test]
fn noise_changes_no_list() {
    let lists = samples![
        "devices_01_multi_macos.txt"
        "devices_04_daemon_start.txt"
        "devices_07_recovery_minimal.txt"
        "devices_10_unknown_serial.txt"
    ];
    for (name, text) in lists {
        let plain = read_list(text);
        let ends = text.replace("\r\n", "\n");
        for noisy in [
            ends.replace('\n', "\r\n"),
            format!("{BEFORE}{text}"),
            format!(
                "adb server version (40) doesn't match this client (41); killing...\n{BEFORE}\n{text}\n\n"
            ),
        ] {
            assert_eq!(read_list(&noisy), plain, "{name}");
        }
    }
}
