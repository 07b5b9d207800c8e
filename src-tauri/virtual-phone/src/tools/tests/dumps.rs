//! Captures, UI trees, dumps.

use crate::clock::Speed;
use crate::fault::Fault;
use crate::testing::{Fake, Outcome, TREE, check, phone, phone_of, run};

#[tokio::test]
async fn a_capture_is_the_display_whole() {
    let phone = phone();
    // 1080 = 0x438, 2400 = 0x960; RGBA_8888 is 1, sRGB is 1.
    let head = run(&phone, "screencap | head -c 16 | base64; screencap | wc -c").await;
    assert_eq!(head.out, "OAQAAGAJAAABAAAAAQAAAA==\n10368016\n");
    let png = run(&phone, "screencap -p /sdcard/a; screencap /sdcard/b.png; head -c 8 /sdcard/a | base64; cmp /sdcard/a; md5sum -b < /sdcard/a; md5sum -b < /sdcard/b.png").await;
    let sums: Vec<&str> = png.out.lines().collect();
    assert_eq!(sums[0], "iVBORw0KGgo=");
    assert_eq!(sums[1], sums[2]);
    check(
        "screencap -d 7 >/dev/null; echo $?",
        0,
        "1\n",
        &format!("Display Id '7' is not valid.\n{}", usage()),
    )
    .await;
    check(
        "screencap /system/x.png",
        1,
        "",
        "Error opening file: /system/x.png (Read-only file system)\nSaving image failed.\n",
    )
    .await;
}

fn usage() -> &'static str {
    crate::tools::screencap::USAGE
}

#[tokio::test]
async fn a_tree_is_written_to_a_file() {
    let phone = phone();
    let dumped = "UI hierchary dumped to: /sdcard/window_dump.xml\n";
    assert_eq!(run(&phone, "uiautomator dump").await.out, dumped);
    assert_eq!(run(&phone, "cat /sdcard/window_dump.xml").await.out, TREE);
    assert_eq!(
        run(&phone, "cd /data/local/tmp; uiautomator dump --compressed x.xml")
            .await
            .out,
        "UI hierchary dumped to: /data/local/tmp/x.xml\n"
    );
    // No terminal: the XML goes nowhere, and the last line says what it always says.
    assert_eq!(
        run(&phone, "uiautomator dump /dev/tty").await.out,
        "UI hierchary dumped to: /dev/tty\n"
    );
}

#[tokio::test(start_paused = true)]
async fn only_one_tree_is_read_at_a_time() {
    let phone = phone_of(Fake::default(), Speed::Phone);
    let before = tokio::time::Instant::now();
    tokio::join!(
        run(&phone, "uiautomator dump /sdcard/1"),
        run(&phone, "uiautomator dump /sdcard/2")
    );
    assert!(
        (4200..4700).contains(&before.elapsed().as_millis()),
        "{:?}",
        before.elapsed()
    );
}

#[tokio::test]
async fn a_lock_screen_shows_in_every_dump() {
    let phone = phone();
    phone.set_fault(Fault::Locked);
    let policy = run(
        &phone,
        "dumpsys window policy | grep -E 'mIsShowing|mInputRestricted|screenState'",
    )
    .await
    .out;
    assert_eq!(
        policy,
        "      screenState=SCREEN_STATE_ON\n        mIsShowing=true\n        mInputRestricted=true\n"
    );
    let displays = run(
        &phone,
        "dumpsys window displays | grep -E 'mCurrentFocus|isKeyguardShowing|mDreaming'",
    )
    .await
    .out;
    assert!(
        displays.contains("u0 NotificationShade}") && displays.contains("isKeyguardShowing=true"),
        "{displays}"
    );
    run(&phone, "wm dismiss-keyguard").await;
    assert!(
        run(&phone, "dumpsys window")
            .await
            .out
            .contains("isKeyguardShowing=false")
    );
    phone.set_fault(Fault::ScreenOff);
    assert!(
        run(&phone, "dumpsys power")
            .await
            .out
            .contains("  mWakefulness=Asleep\n")
    );
    assert!(
        run(&phone, "dumpsys display")
            .await
            .out
            .contains("Display State=OFF")
    );
    phone.clear_fault(Fault::ScreenOff);
    assert!(
        run(&phone, "dumpsys power")
            .await
            .out
            .contains("Display Power: state=ON")
    );
}

#[tokio::test]
async fn a_turned_display_shows_in_every_dump() {
    for (sdk, orientation) in [
        (31, "SurfaceOrientation: 1"),
        (34, "InputDeviceOrientation: 1"),
        (36, "InputDeviceOrientation: Rotation90"),
    ] {
        let mut fake = Fake::default();
        fake.profile.sdk = sdk;
        let phone = phone_of(fake, Speed::Instant);
        let line = "settings put system user_rotation 1; dumpsys input; dumpsys display; dumpsys window displays; wm size";
        let out = run(&phone, line).await.out;
        for expected in [
            orientation,
            "isActive=true, displayId=0",
            "orientation=1, logicalFrame=Rect(0, 0 - 2400, 1080)",
            "cur=2400x1080",
            "Physical size: 1080x2400",
        ] {
            assert!(out.contains(expected), "{sdk}: {expected}");
        }
    }
}

#[tokio::test]
async fn what_stands_in_front_is_told_in_the_releases_form() {
    for (sdk, record, app, resumed) in [
        (
            26,
            "u0 com.android.launcher3/.Launcher t",
            "AppWindowToken{",
            "mResumedActivity: ",
        ),
        (
            28,
            "u0 com.android.launcher3/.Launcher t",
            "AppWindowToken{",
            "mResumedActivity: ",
        ),
        (
            30,
            "u0 com.android.launcher3/.Launcher t",
            "ActivityRecord{",
            "mResumedActivity: ",
        ),
        (
            31,
            "u0 com.android.launcher3/.Launcher t",
            "ActivityRecord{",
            "topResumedActivity=",
        ),
        (
            34,
            "u0 com.android.launcher3/.Launcher} t",
            "ActivityRecord{",
            "topResumedActivity=",
        ),
        (
            36,
            "u0 com.android.launcher3/.Launcher t",
            "ActivityRecord{",
            "topResumedActivity=",
        ),
    ] {
        let mut fake = Fake::default();
        fake.profile.sdk = sdk;
        let out = run(
            &phone_of(fake, Speed::Instant),
            "dumpsys window; dumpsys activity activities",
        )
        .await
        .out;
        let lines: Vec<&str> = out.lines().map(str::trim_start).collect();
        for start in [
            format!("mFocusedApp={app}"),
            "ResumedActivity: ActivityRecord{".to_owned(),
            format!("{resumed}ActivityRecord{{"),
        ] {
            let line = lines.iter().find(|line| line.starts_with(&start)).unwrap();
            assert!(line.contains(record), "{line}");
        }
        let focus = lines
            .iter()
            .find(|line| line.starts_with("mCurrentFocus="))
            .unwrap();
        assert!(
            focus.ends_with(" u0 com.android.launcher3/com.android.launcher3.Launcher}"),
            "{focus}"
        );
    }
    let windows = run(&phone(), "dumpsys window windows | grep -c mCurrentFocus").await;
    assert_eq!(
        windows,
        Outcome {
            status: 1,
            out: "0\n".into(),
            err: String::new()
        },
        "not there since Android 10"
    );
}

#[tokio::test]
async fn a_secure_window_says_so() {
    let fake = Fake {
        secure: true,
        ..Fake::default()
    };
    let out = run(
        &phone_of(fake, Speed::Instant),
        "dumpsys window windows | grep 'fl='",
    )
    .await
    .out;
    assert!(
        out.lines().any(|line| line.contains(" SECURE "))
            && out.lines().any(|line| !line.contains(" SECURE "))
    );
}
