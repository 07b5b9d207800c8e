//! What real phones printed (`tests/data`), and variants of it that the field is known for.

use adb::capture::read_png;
use adb::devices::{DeviceLine, read_list};
use adb::dumpsys::{front, power, properties, screen, windows};
use adb::tree;
use protocol::{PhoneState, Transport};

macro_rules! sample {
    ($name:literal) => {
        include_str!(concat!("../data/", $name))
    };
}

/// A list, as one readable line per phone.
fn check_list(text: &str, expected: &[&str]) {
    let shown: Vec<String> = read_list(text).iter().map(show).collect();
    assert_eq!(shown, expected, "{text}");
}

fn show(line: &DeviceLine) -> String {
    let mut shown = format!("{:?} {:?} {:?}", line.serial, line.state, line.transport());
    let fields = [
        ("usb", &line.usb),
        ("product", &line.product),
        ("model", &line.model),
        ("device", &line.device),
        ("reason", &line.reason),
    ];
    for (key, value) in fields {
        if let Some(value) = value {
            shown.push_str(&format!(" {key}={value:?}"));
        }
    }
    if let Some(id) = line.transport_id {
        shown.push_str(&format!(" id={id}"));
    }
    shown
}

#[test]
fn lists_of_real_servers() {
    check_list(
        sample!("devices_01_multi_macos.txt"),
        &[
            r#""041234567892009a" Unauthorized Usb usb="336675328X" id=2"#,
            r#""KABCDABCDA1513" Device Usb usb="336675584X" product="Kogan_Agora_9" model="Kogan_Agora_9" device="Kogan_Agora_9" id=1"#,
            r#""emulator-5554" Device Emulator product="sdk_phone_x86" model="Android_SDK_built_for_x86" device="generic_x86" id=4"#,
            r#""emulator-5556" Offline Emulator id=32"#,
        ],
    );
    check_list(sample!("devices_04_daemon_start.txt"), &[]);
    check_list(
        sample!("devices_07_recovery_minimal.txt"),
        &[
            r#""R32D102SZAE" Unauthorized Usb"#,
            r#""EAOKCY112414" Device Usb usb="1-1" product="WW_K013" model="K013" device="K013_1""#,
            r#""ZY3222LBDC" Recovery Usb usb="337641472X" product="omni_cedric" device="cedric""#,
            r#""009d1cd696d5194a" NoPermissions Usb"#,
            r#""R32D102SZAF" Device Usb id=6"#,
            r#""00bc13bcf4bacc62" Device Usb product="bullhead" model="Nexus_5X" device="bullhead" id=1"#,
        ],
    );
    check_list(
        sample!("devices_10_unknown_serial.txt"),
        &[r#""????????????" NoPermissions Usb"#],
    );
}

#[test]
fn lists_of_the_field() {
    check_list(
        "adb-RZ8R-abc (2)._adb-tls-connect._tcp device product:x model:Pixel_8 device:shiba transport_id:9\r\n",
        &[
            r#""adb-RZ8R-abc (2)._adb-tls-connect._tcp" Device Wifi product="x" model="Pixel_8" device="shiba" id=9"#,
        ],
    );
    check_list(
        "0123 no permissions (user in plugdev group; are your udev rules wrong?); see \
         [http://developer.android.com/tools/device.html] usb:1-4 transport_id:3",
        &[
            r#""0123" NoPermissions Usb usb="1-4" reason="(user in plugdev group; are your udev rules wrong?); see [http://developer.android.com/tools/device.html]" id=3"#,
        ],
    );
    check_list(
        "(no serial number)     device usb:2-1 transport_id:5",
        &[r#""(no serial number)" Device Usb usb="2-1" id=5"#],
    );
    check_list("[::1]:5555 device", &[r#""[::1]:5555" Device Wifi"#]);
    check_list(
        "R58M device 231-1 transport_id:7",
        &[r#""R58M" Device Usb usb="231-1" id=7"#],
    );
    check_list(
        "my device device product:a b model:My Phone device:c d transport_id:1",
        &[r#""my device" Device Usb product="a b" model="My Phone" device="c d" id=1"#],
    );
    check_list(
        "R58M\tdevice\nR58N\toffline",
        &[r#""R58M" Device Usb"#, r#""R58N" Offline Usb"#],
    );
    check_list("R58M charging", &[r#""R58M" Unknown Usb reason="charging""#]);
    check_list(
        "adb server version (39) doesn't match this client (41); killing...\nR58M sideload",
        &[r#""R58M" Sideload Usb"#],
    );
    check_list("lonely", &[r#""lonely" Unknown Usb"#]);
    check_list("\n  \r\n", &[]);
    for (word, state) in [
        ("authorizing", PhoneState::Authorizing),
        ("connecting", PhoneState::Connecting),
        ("bootloader", PhoneState::Bootloader),
        ("rescue", PhoneState::Rescue),
        ("host", PhoneState::Host),
        ("detached", PhoneState::Detached),
        ("unknown", PhoneState::Unknown),
    ] {
        assert_eq!(read_list(&format!("X {word}"))[0].state, state);
    }
    assert_eq!(
        read_list("192.168.1.20:5555 offline")[0].transport(),
        Transport::Wifi
    );
}

fn check_front(text: &str, app: Option<&str>, window: Option<&str>) {
    for text in [text.to_owned(), text.replace('\n', "\r\n")] {
        let read = front::read_windows(&text);
        assert_eq!(
            (read.app.as_deref(), read.window.as_deref()),
            (app, window),
            "{text}"
        );
    }
}

#[test]
fn the_app_in_front_of_real_phones() {
    check_front(
        sample!("focus_01_two_displays_samsung.txt"),
        Some("eu.niko.smart.universal"),
        Some("crc648a3abc16689e594e.MainActivity"),
    );
    check_front(sample!("focus_04_apptoken.txt"), Some("foo"), Some("bar"));
    check_front(
        sample!("focus_08_shade_locked_honor.txt"),
        Some("com.android.settings"),
        Some("NotificationShade"),
    );
    check_front(
        sample!("focus_15_mms_apptoken.txt"),
        Some("com.android.mms"),
        Some("com.android.mms.ui.ConversationList"),
    );
    check_front(
        sample!("focus_18_system_dialog.txt"),
        Some("com.android.permissioncontroller"),
        Some("com.android.permissioncontroller.permission.ui.GrantPermissionsActivity"),
    );
    let resumed = front::read_activities(sample!("focus_06_resumed_only.txt"));
    assert_eq!(resumed.app.as_deref(), Some("com.google.android.tvlauncher"));
    assert_eq!(
        resumed.window.as_deref(),
        Some("com.google.android.tvlauncher.MainActivity")
    );
    assert_eq!(
        front::read_windows(sample!("focus_06_resumed_only.txt")),
        front::Front::default()
    );
    assert_eq!(
        front::read_windows(sample!("focus_12_window_block_android13.txt")).focus,
        None,
        "no focus in there"
    );
}

#[test]
fn the_app_in_front_in_the_words_of_other_versions() {
    for (text, app, window) in [
        ("", None, None),
        ("Can't find service: window", None, None),
        ("mCurrentFocus=null\nmFocusedApp=null", None, None),
        // Android 4: no user, a state behind the title.
        (
            "mCurrentFocus=Window{41a8 com.a/com.a.Main paused=false}\nmFocusedApp=AppWindowToken{b2 token=Token{c3 \
             ActivityRecord{d4 com.a/.Main t5}}}",
            Some("com.a"),
            Some("com.a.Main"),
        ),
        // Android 13: a stray brace.
        (
            "  mCurrentFocus=null\n  mFocusedApp=ActivityRecord{d9b8281 u0 tv.danmaku.bili/.MainActivityV2} t57}",
            Some("tv.danmaku.bili"),
            Some("tv.danmaku.bili.MainActivityV2"),
        ),
        // Android 15: decimal ids.
        (
            "mCurrentFocus=Window{120354461 u0 com.a/com.a.B}\nmFocusedApp=ActivityRecord{93882441 u0 com.a/.B t7}",
            Some("com.a"),
            Some("com.a.B"),
        ),
        (
            "mCurrentFocus=Window{a1 u0 com.a/com.a.B EXITING}",
            Some("com.a"),
            Some("com.a.B"),
        ),
        (
            "mCurrentFocus=Window{a1 u0 Application Not Responding: com.a}\nmFocusedApp=ActivityRecord{b u0 com.a/.B t1}",
            Some("com.a"),
            Some("Application Not Responding: com.a"),
        ),
        (
            "mCurrentFocus=Window{a1 u10 SurfaceView - com.a/com.a.B}",
            Some("com.a"),
            Some("com.a.B"),
        ),
        (
            "mCurrentFocus=Window{a1 u0 PopupWindow:3f2b1c}",
            None,
            Some("PopupWindow:3f2b1c"),
        ),
        // Two displays, the other one on top.
        (
            "mTopFocusedDisplayId=2\nDisplay: mDisplayId=0 (organized)\n  mCurrentFocus=Window{a u0 com.a/com.a.A}\n  \
             mFocusedApp=ActivityRecord{b u0 com.a/.A t1}\nDisplay: mDisplayId=2\n  mCurrentFocus=Window{c u0 \
             com.b/com.b.B}\n  mFocusedApp=ActivityRecord{d u0 com.b/.B t2}",
            Some("com.b"),
            Some("com.b.B"),
        ),
        // Its cover screen holds nothing.
        (
            "Display: mDisplayId=0\n  mCurrentFocus=Window{a u0 com.a/com.a.A}\n  mFocusedApp=ActivityRecord{b u0 \
             com.a/.A t1}\nDisplay: mDisplayId=1\n  mCurrentFocus=null\n  mFocusedApp=ActivityRecord{d u0 com.s/.Cover \
             t2}",
            Some("com.a"),
            Some("com.a.A"),
        ),
    ] {
        check_front(text, app, window);
    }
    let disputed =
        "mCurrentFocus=Window{a u0 com.bank/com.bank.Main}\nmFocusedApp=ActivityRecord{b u0 com.evil/.X t1}";
    assert!(front::read_windows(disputed).disputed);
    let activities = "  topResumedActivity=ActivityRecord{a u0 com.a/.A t1}\n  ResumedActivity: ActivityRecord{b u0 com.b/.B t2}";
    assert_eq!(front::read_activities(activities).app.as_deref(), Some("com.a"));
    let old = "  mFocusedActivity: ActivityRecord{42 u0 com.old/.Main t3}";
    assert_eq!(front::read_activities(old).app.as_deref(), Some("com.old"));
    assert_eq!(front::read_activities("mResumedActivity: null").app, None);
}

/// Under the lock screen the focused app is not the one anybody sees.
#[test]
fn the_lock_screen_is_in_front_of_the_app_behind_it() {
    const APP: &str = "mFocusedApp=ActivityRecord{b u0 com.a/.A t1}";
    let shade = format!("mCurrentFocus=Window{{a u0 NotificationShade}}\n{APP}");
    let own = format!("mCurrentFocus=Window{{a u0 com.a/com.a.A}}\n{APP}");
    for (text, app, asks) in [
        // Android 11 and newer, 10, 9 and older.
        (
            format!("{shade}\nisKeyguardShowing=true"),
            "com.android.systemui",
            false,
        ),
        (
            format!("mCurrentFocus=Window{{a u0 StatusBar}}\n{APP}\n isStatusBarKeyguard=true"),
            "com.android.systemui",
            false,
        ),
        (
            format!("mCurrentFocus=null\n{APP}\nmShowingLockscreen=true mShowingDream=false"),
            "com.android.systemui",
            false,
        ),
        (
            format!("{shade}\nKeyguardServiceDelegate\n  showing=true\n  occluded=false"),
            "com.android.systemui",
            false,
        ),
        // A call, the camera: shown over it.
        (format!("{own}\nisKeyguardShowing=true"), "com.a", false),
        (
            format!("{shade}\nKeyguardServiceDelegate\n  showing=true\n  occluded=true"),
            "com.a",
            false,
        ),
        // Pulled down over an app; and where nothing says which it is.
        (format!("{shade}\nisKeyguardShowing=false"), "com.a", false),
        (shade.clone(), "com.a", true),
        (own, "com.a", false),
    ] {
        let front = front::read_windows(&text);
        assert_eq!(
            (front.app.as_deref(), front.disputed),
            (Some(app), asks),
            "{text}"
        );
    }
    for (text, app) in [
        (
            "KeyguardController:\n  mKeyguardShowing=true\n  Occluded=false",
            Some("com.android.systemui"),
        ),
        (
            "KeyguardController:\n  KeyguardShowing=true AodShowing=false\n  Occluded=true",
            Some("com.a"),
        ),
        ("KeyguardController:\n  mKeyguardShowing=false", Some("com.a")),
    ] {
        let text = format!("  topResumedActivity=ActivityRecord{{a u0 com.a/.A t1}}\n{text}");
        assert_eq!(front::read_activities(&text).app.as_deref(), app, "{text}");
    }
}

fn check_secure(list: &str, focus: &str, expected: Option<(Option<&str>, bool)>) {
    let focus = front::read_windows(&format!("mCurrentFocus={focus}"))
        .focus
        .unwrap();
    let read = windows::read(list, &focus);
    let shown = read
        .as_ref()
        .map(|owner| (owner.package.as_deref(), owner.secure));
    assert_eq!(shown, expected, "{focus:?}");
}

#[test]
fn windows_that_forbid_pictures() {
    let bili = sample!("focus_12_window_block_android13.txt");
    check_secure(
        bili,
        "Window{c838dbe u0 tv.danmaku.bili/tv.danmaku.bili.MainActivityV2}",
        Some((Some("tv.danmaku.bili"), false)),
    );
    check_secure(
        &bili.replace("fl=LAYOUT_IN_SCREEN", "fl=LAYOUT_IN_SCREEN SECURE"),
        "Window{c838dbe u0 other}",
        Some((Some("tv.danmaku.bili"), true)),
    );
    check_secure(bili, "Window{123 u0 nobody}", None);
    // Two windows of one list; flags before Android 9 are a number.
    let list = "  Window #4 Window{aa u0 com.bank/com.bank.Main}:\n    mOwnerUid=1 package=com.bank appop=NONE\n    \
                mAttrs=WM.LayoutParams{(0,0)(fillxfill) sim=#20 ty=1 fl=#81812100 pfl=0x20000}\n  Window #3 Window{bb u0 \
                com.a/com.a.B}:\n    mAttrs={(0,0)(fillxfill) ty=BASE_APPLICATION pfl=SECURE fl=#81810100}\n";
    check_secure(list, "Window{aa u0 x}", Some((Some("com.bank"), true)));
    check_secure(list, "Window{zz u0 com.a/com.a.B}", Some((None, false)));
    check_secure(
        &list.replace('\n', "\r\n"),
        "Window{aa u0 x}",
        Some((Some("com.bank"), true)),
    );
}

#[test]
fn screens() {
    assert_eq!(screen::size(sample!("size_01_physical.txt")), Some((1080, 2400)));
    assert_eq!(screen::size(sample!("size_04_crlf.txt")), Some((1080, 2340)));
    assert_eq!(
        screen::size("Physical size: 1440x3200\r\nOverride size: 1080x2400\r\n"),
        Some((1080, 2400))
    );
    for bad in ["", "Physical size: 0x0", "Physical size: wide", "wm: not found"] {
        assert_eq!(screen::size(bad), None, "{bad}");
    }
    for (text, turns) in [
        (sample!("rotation_06_a12.txt"), Some(1)),
        ("      InputDeviceOrientation: 3", Some(3)),
        ("      InputDeviceOrientation: Rotation90", Some(1)),
        (
            "DisplayViewport{type=INTERNAL, valid=true, isActive=false, displayId=2, orientation=2}\n\
             DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, orientation=1}",
            Some(1),
        ),
        ("nothing", None),
        ("SurfaceOrientation: 7", None),
    ] {
        assert_eq!(screen::rotation(text), turns, "{text}");
    }
    assert_eq!(screen::turned((1080, 2400), 3), (2400, 1080));
    assert_eq!(screen::turned((1080, 2400), 2), (1080, 2400));
    for (text, shown) in [
        ("  mShowRequested=true mInputShown=true", Some(true)),
        ("mInputShown=false\r\n", Some(false)),
        ("user 0: mInputShown=false\nuser 10: mInputShown=true", Some(true)),
        ("mIsInputViewShown=true", Some(true)),
        ("", None),
    ] {
        assert_eq!(screen::keyboard(text), shown, "{text}");
    }
    for (text, shown) in [
        (
            "InsetsSource id=3 type=ime frame=[0,1500][1080,2400] visible=true",
            Some(true),
        ),
        (
            "InsetsSource type=ITYPE_IME frame=[0,0][0,0] visible=false",
            Some(false),
        ),
        ("InsetsSource type=ITYPE_STATUS_BAR visible=true", None),
    ] {
        assert_eq!(screen::keyboard_window(text), shown, "{text}");
    }
}

#[test]
fn power_and_lock() {
    let off = sample!("lock_01_keyguard_delegate_off.txt");
    assert_eq!(
        (power::is_awake(off), power::is_locked(off)),
        (Some(false), Some(false))
    );
    let dreaming = sample!("lock_04_dreaming.txt");
    assert_eq!(
        (power::is_awake(dreaming), power::is_locked(dreaming)),
        (None, Some(true))
    );
    assert_eq!(power::is_awake(sample!("power_06_oem_format.txt")), Some(true));
    assert_eq!(
        power::is_awake(sample!("focus_08_shade_locked_honor.txt")),
        Some(false)
    );
    for (text, locked) in [
        ("mIsShowing=true\nmInputRestricted=false", Some(false)),
        ("mIsShowing=true\nmInputRestricted=true", Some(true)),
        ("isKeyguardShowing=true", Some(true)),
        ("mKeyguardShowing=false", Some(false)),
        ("KeyguardServiceDelegate\r\n  showing=true\r\n", Some(true)),
        ("", None),
    ] {
        assert_eq!(power::is_locked(text), locked, "{text}");
    }
    for (text, awake) in [
        ("mWakefulness=Dozing", Some(false)),
        ("Display Power: state=OFF", Some(false)),
        ("  mAwake=true", Some(true)),
        ("", None),
    ] {
        assert_eq!(power::is_awake(text), awake, "{text}");
    }
}

#[test]
fn properties_and_packages() {
    let samsung = properties::read(sample!("prop_01_samsung_a16.txt"));
    assert_eq!(samsung["ro.product.model"], "SM-S156V");
    assert_eq!(samsung["ro.build.version.release"], "16");
    assert_eq!(samsung["ro.build.version.sdk"], "36");
    assert_eq!(samsung["ro.product.device"], "a15x");
    let services = properties::read(sample!("prop_04_mtk_services.txt"));
    assert_eq!(services["init.svc.BGW"], "running");
    assert_eq!(services["init.svc.bootanim"], "stopped");
    let odd = properties::read("[a]: [x]y]\r\n[b]: [two\r\nlines]\r\nnoise\r\n[c]: []\n[open]: [never\n");
    assert_eq!(odd["a"], "x]y");
    assert_eq!(odd["b"], "two\nlines");
    assert_eq!(odd["c"], "");
    assert!(!odd.contains_key("open"));

    let packages = properties::packages(sample!("pkg_01_mixed_cr.txt"));
    assert_eq!(packages.len(), 7);
    assert!(packages.contains("com.google.android.tag") && packages.contains("com.google.earth"));
    let with_files =
        properties::packages("package:/data/app/~~x==/com.a-1==/base.apk=com.a\nError: no\npackage:-x\n");
    assert_eq!(with_files.into_iter().collect::<Vec<_>>(), ["com.a"]);

    let charge = properties::battery("  level: 45\n  scale: 50\n  status: 5\n  AC powered: true\n").unwrap();
    assert_eq!((charge.percent, charge.charging), (90, true));
    let charge = properties::battery("level: 7\r\nstatus: 3\r\n").unwrap();
    assert_eq!((charge.percent, charge.charging), (7, false));
    assert_eq!(properties::battery("Can't find service: battery"), None);
    assert_eq!(properties::battery("level: 250"), None);
}

#[test]
fn trees() {
    let bili = sample!("ui_01_bilibili.txt");
    let xml = tree::cut_text(bili).unwrap();
    assert!(xml.starts_with("<?xml") && xml.ends_with("</hierarchy>"));
    assert_eq!(xml.matches("<node ").count(), 145);
    assert_eq!(
        xml.matches("clickable=\"true\"").count() - xml.matches("long-clickable=\"true\"").count(),
        34
    );
    assert_eq!(tree::cut_text(sample!("ui_04_miui_error.txt")), None);
    assert_eq!(tree::cut_text(sample!("ui_07_null_root.txt")), None);
    let behind = format!("{}{xml}", sample!("ui_04_miui_error.txt"));
    assert_eq!(tree::cut_text(&behind), Some(xml));
    assert_eq!(tree::cut_text(&xml[..xml.len() - 3]), None);
}

#[test]
fn pictures() {
    let frame = read_png(include_bytes!("../data/cap_01_multi_display_warning.txt")).unwrap();
    assert_eq!((frame.width, frame.height, frame.rgba.len()), (1, 1, 4));
}
