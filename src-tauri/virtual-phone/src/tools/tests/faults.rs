//! What is wrong, and how long things take.

use crate::clock::Speed;
use crate::fault::Fault;
use crate::testing::{Fake, TREE, phone, phone_of, run};

#[tokio::test]
async fn faults_are_as_they_are_met() {
    let cases = [
        (
            Fault::InjectEvents,
            "input tap 1 1",
            255,
            "",
            Some("INJECT_EVENTS permission."),
        ),
        (
            Fault::OldInput,
            "input motionevent DOWN 1 1",
            0,
            "",
            Some("Error: Unknown command: motionevent\n"),
        ),
        (
            Fault::ServicesRestarting,
            "dumpsys window",
            0,
            "",
            Some("Can't find service: window\n"),
        ),
        (
            Fault::ServicesRestarting,
            "wm size",
            20,
            "",
            Some("cmd: Can't find service: window\n"),
        ),
        (
            Fault::ServicesRestarting,
            "input tap 1 1",
            20,
            "",
            Some("cmd: Can't find service: input\n"),
        ),
        (
            Fault::TreeIdleError,
            "uiautomator dump",
            0,
            "",
            Some("ERROR: could not get idle state.\n"),
        ),
        (
            Fault::TreeNullRoot,
            "uiautomator dump",
            0,
            "",
            Some("ERROR: null root node returned by UiTestAutomationBridge.\n"),
        ),
        (
            Fault::TreeStackTrace,
            "uiautomator dump",
            0,
            "UI hierchary dumped to: /sdcard/window_dump.xml\n",
            Some("theme_compatibility.xml: open failed: ENOENT"),
        ),
        (Fault::ClipboardSilent, "cmd clipboard set x", 0, "", None),
        (
            Fault::BlackCapture,
            "screencap | tail -c 8 | base64",
            0,
            "AAAA/wAAAP8=\n",
            None,
        ),
    ];
    for (fault, line, status, out, err) in cases {
        let phone = phone();
        phone.set_fault(fault);
        let outcome = run(&phone, line).await;
        assert_eq!(
            (outcome.status, outcome.out.as_str()),
            (status, out),
            "{fault}: {outcome:?}"
        );
        match err {
            Some(err) => assert!(outcome.err.contains(err), "{fault}: {}", outcome.err),
            None => assert_eq!(outcome.err, "", "{fault}"),
        }
        assert!(
            phone.with(|android| android.state())["fingers"] == 0,
            "{fault}: nothing was touched"
        );
        phone.clear_fault(fault);
        assert!(!phone.has(fault));
    }
    let phone = phone();
    phone.set_fault(Fault::CaptureWarning);
    let warned = run(
        &phone,
        "screencap -p | head -c 9; echo; screencap -p | tail -n +3 | head -c 8 | base64",
    )
    .await;
    assert_eq!(warned.out, "[Warning]\niVBORw0KGgo=\n");
    assert!(
        run(&phone, "screencap -p -d 4619827259835644672 | head -c 4 | base64")
            .await
            .out
            .starts_with("iVBORw==")
    );
}

#[tokio::test]
async fn a_failed_tree_leaves_the_last_one() {
    let phone = phone();
    run(&phone, "uiautomator dump").await;
    phone.set_fault(Fault::TreeStale);
    let outcome = run(&phone, "uiautomator dump; cat /sdcard/window_dump.xml").await;
    assert_eq!((outcome.status, outcome.out.as_str()), (0, TREE));
    assert!(outcome.err.starts_with("ERROR: null root node"));
}

#[tokio::test(start_paused = true)]
async fn things_take_a_phones_time() {
    for (line, least, most) in [
        ("input tap 1 1", 70, 90),
        ("screencap >/dev/null", 400, 430),
        ("screencap -p >/dev/null", 700, 730),
        ("uiautomator dump", 2150, 2250),
        ("wm size", 10, 40),
        ("dumpsys window", 10, 45),
        ("ls /sdcard", 3, 40),
        ("input swipe 1 1 2 2 1000", 1060, 1100),
        ("sleep 3", 3000, 3040),
    ] {
        let phone = phone_of(Fake::default(), Speed::Phone);
        let before = tokio::time::Instant::now();
        run(&phone, line).await;
        let took = before.elapsed().as_millis();
        assert!((least..=most).contains(&took), "{line}: {took} ms");
    }
    let phone = phone_of(Fake::default(), Speed::Phone);
    phone.set_fault(Fault::Slow(3.0));
    let before = tokio::time::Instant::now();
    run(&phone, "input tap 1 1").await;
    assert!(
        (200..=260).contains(&before.elapsed().as_millis()),
        "{:?}",
        before.elapsed()
    );
}
