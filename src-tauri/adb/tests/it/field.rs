//! What phones of the field print, in shapes written down here after the sources named, and what is made of any text.

use adb::dumpsys::{displays, front, power, properties, screen, windows};
use adb::tree;
use proptest::prelude::*;

fn check_front(text: &str, app: Option<&str>, window: Option<&str>) {
    for text in [
        text.to_owned(),
        text.replace('\n', "\r\n"),
        // A linker's warning, and a daemon's.
        format!("WARNING: linker: /system/lib/libx.so has text relocations\n* daemon started *\n{text}\n"),
    ] {
        let read = front::read_windows(&text);
        assert_eq!(
            (read.app.as_deref(), read.window.as_deref()),
            (app, window),
            "{text}"
        );
    }
}

/// After appium-adb's `apk-utils.spec.ts` and the window manager's `DisplayContent.dump` of each version.
#[test]
fn focus_of_every_version() {
    for (text, app, window) in [
        // A brace too many, nulls of the other display in between.
        (
            "mFocusedApp=null\n  mFocusedApp=ActivityRecord{ca u0 com.android.systemui/.subscreen.Home t7}\n  \
             mFocusedApp=ActivityRecord{a6 u0 org.shop/.act.Main t28}\n  mCurrentFocus=null\n  mCurrentFocus=null\n  \
             mCurrentFocus=Window{5e u0 org.shop/org.shop.act.Main}}",
            Some("org.shop"),
            Some("org.shop.act.Main"),
        ),
        // A maker's own words behind a comma.
        (
            "mFocusedApp=AppWindowToken{20 token=Token{21 ActivityRecord{16 u0 org.shop/.Main, isShadow:false t10}}}",
            Some("org.shop"),
            Some("org.shop.Main"),
        ),
        (
            "mFocusedApp=null\n  mCurrentFocus=Window{43 u0 org.shop/.Main paused=false}",
            Some("org.shop"),
            Some("org.shop.Main"),
        ),
        // Android 4: a user without a number.
        (
            "mFocusedApp=AppWindowToken{38 token=Token{9e ActivityRecord{2c u org.shop/.Main t181}}}",
            Some("org.shop"),
            Some("org.shop.Main"),
        ),
        // Decimal ids, no user.
        (
            "mFocusedApp=ActivityRecord{201344905 org.shop/.Main t3}\nmCurrentFocus=Window{143012345 StatusBar}",
            Some("org.shop"),
            Some("StatusBar"),
        ),
        ("mCurrentFocus=Window{1 u0 }\n", None, Some("")),
        ("mFocusedApp=ActivityRecord{}\nmCurrentFocus=Window{}", None, None),
        ("DUMP TIMEOUT\n", None, None),
    ] {
        check_front(text, app, window);
    }
}

/// After appium-adb's `lockmgmt.spec.ts` (`KeyguardServiceDelegate.dump`, `PhoneWindowManager.dump`).
#[test]
fn locks_of_every_version() {
    let delegate = |showing: &str, secure: &str, monitor: &str| {
        format!(
            "    KeyguardServiceDelegate\n      showing={showing}\n      showingAndNotOccluded=true\n      \
             inputRestricted=false\n      secure={secure}\n      KeyguardStateMonitor\n        {monitor}\n"
        )
    };
    for (text, locked, secret) in [
        (
            delegate("true", "true", "mIsShowing=true\n        mInputRestricted=true"),
            Some(true),
            Some(true),
        ),
        (
            delegate("false", "false", "mIsShowing=false"),
            Some(false),
            Some(false),
        ),
        (
            delegate("false", "true", "mIsShowing=true\n        mInputRestricted=true"),
            Some(true),
            Some(true),
        ),
        // They contradict each other.
        (delegate("true", "true", "mIsShowing=false"), None, Some(true)),
        (
            delegate("....", "....", "mIsShowing=true\n        mInputRestricted=false"),
            Some(false),
            None,
        ),
        (
            "mShowingLockscreen=true mShowingDream=false mDreamingLockscreen=false".to_owned(),
            Some(true),
            None,
        ),
        (
            "mShowingLockscreen=false mShowingDream=false mDreamingLockscreen=false".to_owned(),
            Some(false),
            None,
        ),
        (
            "mShowingDream=false mTopIsFullscreen=false".to_owned(),
            None,
            None,
        ),
        ("isStatusBarKeyguard=true".to_owned(), Some(true), None),
        ("Can't find service: window".to_owned(), None, None),
    ] {
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            assert_eq!(
                (power::is_locked(&text), power::needs_secret(&text)),
                (locked, secret),
                "{text}"
            );
        }
    }
}

/// After `PowerManagerService.dump` and `DisplayPowerController.dump` of several versions.
#[test]
fn screens_on_and_off() {
    for (text, awake) in [
        (
            "Power Manager State:\n  mWakefulness=Awake\n  mWakefulnessChanging=false\nDisplay Power: state=ON\r\n",
            Some(true),
        ),
        (
            "  mWakefulness=Dozing\nDisplay Power: state=DOZE_SUSPEND\n",
            Some(false),
        ),
        (
            "  mWakefulness=Awake\nDisplay Power: com.maker.Power$1@1f\n",
            Some(true),
        ),
        ("mScreenOn=true\n", Some(true)),
        ("mWakefulness=\nDisplay Power: state=\n", None),
    ] {
        assert_eq!(power::is_awake(text), awake, "{text}");
    }
}

/// After `DisplayViewport.toString` (Java, `dumpsys display`) and `DisplayViewport.h` (`dumpsys input`).
#[test]
fn displays_of_folded_and_plain_phones() {
    let fold = "  DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, uniqueId='local:4619827259835644672', \
                physicalPort=0, orientation=1, logicalFrame=Rect(0, 0 - 2208, 1840), deviceWidth=2208, deviceHeight=1840}, \
                DisplayViewport{type=INTERNAL, valid=true, isActive=false, displayId=3, uniqueId='local:4619827551948147201', \
                physicalPort=1, orientation=0, logicalFrame=Rect(0, 0 - 1080, 2092), deviceWidth=1080, deviceHeight=2092}";
    let shown = displays::shown(&displays::viewports(fold)).unwrap();
    assert_eq!(
        (shown.logical, shown.physical, shown.turns),
        (0, Some(4_619_827_259_835_644_672), Some(1))
    );
    // Closed: the cover screen is the active one.
    let closed = fold
        .replace("isActive=true", "isActive=")
        .replace("isActive=false", "isActive=true")
        .replace("isActive=,", "isActive=false,");
    let shown = displays::shown(&displays::viewports(&closed)).unwrap();
    assert_eq!(
        (shown.logical, shown.physical),
        (3, Some(4_619_827_551_948_147_201))
    );

    let input = "  Viewport INTERNAL: displayId=0, uniqueId=local:46, port=0, orientation=3, logicalFrame=[0, 0, 2400, 1080], \
                 isActive=[1]\n  Viewport EXTERNAL: displayId=2, uniqueId=local:47, port=1, orientation=0, isActive=[1]\n";
    let shown = displays::shown(&displays::viewports(input)).unwrap();
    assert_eq!((shown.logical, shown.turns, shown.internal), (0, Some(3), true));
    assert_eq!(screen::rotation(input), Some(3));
    // The viewport wins over a touch screen that turns with it (Android 13 and newer say 0 for such).
    assert_eq!(
        screen::rotation(&format!("    InputDeviceOrientation: 0\n{input}")),
        Some(3)
    );
    assert_eq!(screen::rotation("mCurrentRotation=ROTATION_90"), Some(1));
    assert_eq!(
        displays::viewports("DisplayViewport{valid=false, displayId=0, orientation=1}"),
        []
    );
    assert_eq!(
        displays::viewports("DisplayViewport{type=VIRTUAL, valid=true, displayId=-1}"),
        []
    );

    let flinger = "Display 4619827259835644672 (HWC display 0): port=0 pnpId=GGL displayName=\"inner\"\r\nDisplay 4619827551948147201 \
                   (HWC display 3): port=1 invalid EDID\nVirtual Display 7\n";
    assert_eq!(
        displays::panels(flinger),
        [4_619_827_259_835_644_672, 4_619_827_551_948_147_201]
    );
}

#[test]
fn sizes_and_densities() {
    for (text, size, density) in [
        (
            "Physical density: 420\nOverride density: 480\r\n",
            None,
            Some(480),
        ),
        (
            "WARNING: linker: unusedPhysical size: 1080x2400\nPhysical density: 420",
            Some((1080, 2400)),
            Some(420),
        ),
        (
            "Physical size: 1080 x 2400\nPhysical density: 0",
            Some((1080, 2400)),
            None,
        ),
        (
            "Override size: off\nPhysical size: 720x1600",
            Some((720, 1600)),
            None,
        ),
        ("cmd: Can't find service: window", None, None),
    ] {
        assert_eq!(
            (screen::size(text), screen::density(text)),
            (size, density),
            "{text}"
        );
    }
}

#[test]
fn properties_with_blanks_behind_them() {
    let read = properties::read("[ro.a]: [b] \r\n[ro.c]: [d]\t\n");
    assert_eq!((read["ro.a"].as_str(), read["ro.c"].as_str()), ("b", "d"));
}

/// Every reader, on one text.
fn read_all(text: &str) {
    let read = front::read_windows(text);
    let _ = front::read_activities(text);
    if let Some(focus) = read.focus {
        let _ = windows::read(text, &focus);
    }
    let _ = (
        power::is_awake(text),
        power::is_locked(text),
        power::needs_secret(text),
    );
    let _ = (screen::size(text), screen::density(text), screen::rotation(text));
    let _ = (screen::keyboard(text), screen::keyboard_window(text));
    let _ = (
        displays::shown(&displays::viewports(text)),
        displays::panels(text),
    );
    let _ = (
        properties::read(text),
        properties::battery(text),
        properties::packages(text),
        properties::launchable(text),
    );
    let _ = tree::cut_text(text);
}

const PARTS: [&str; 24] = [
    "mCurrentFocus=",
    "mFocusedApp=",
    "Window{",
    "ActivityRecord{",
    "u0 ",
    "com.a/.B",
    "}",
    "{",
    "}}",
    "\n",
    "\r\n",
    " ",
    "DisplayViewport{",
    "isActive=",
    "orientation=",
    "valid=",
    "showing=",
    "KeyguardServiceDelegate",
    "[a]: [",
    "]",
    "<hierarchy",
    "</hierarchy>",
    "package:",
    "\0",
];

proptest! {
    /// No text makes a reader panic, whatever stands in it and wherever it is cut.
    #[test]
    fn any_text_is_read(text in ".{0,300}") {
        read_all(&text);
    }

    #[test]
    fn any_mix_of_known_words_is_read(words in proptest::collection::vec(proptest::sample::select(&PARTS[..]), 0..120)) {
        read_all(&words.concat());
    }
}

/// Known words, each alone, over and over: ten times the text takes some as long as the text ten times, where a reader that
/// looks again at what it has read takes ten times as long. The fastest of many counts: a busy machine spoils some, not all,
/// and as many of both, for both take as long.
#[test]
fn readers_are_linear() {
    let time = |text: &str, times: usize| {
        let began = std::time::Instant::now();
        (0..times).for_each(|_| read_all(text));
        began.elapsed()
    };
    for part in PARTS {
        let (short, long) = (part.repeat(4_000), part.repeat(40_000));
        let (mut again, mut at_once) = (std::time::Duration::MAX, std::time::Duration::MAX);
        let fits = (0..50).any(|_| {
            again = again.min(time(&short, 10));
            at_once = at_once.min(time(&long, 1));
            at_once < again * 4
        });
        assert!(fits, "{part:?}");
    }
}
