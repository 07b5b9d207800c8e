//! Plain questions, starting activities.

use crate::testing::{check, phone, run};

#[tokio::test]
async fn plain_questions_have_plain_answers() {
    for (line, status, out, err) in [
        ("wm size", 0, "Physical size: 1080x2400\n", ""),
        ("wm density", 0, "Physical density: 420\n", ""),
        ("wm size 12", 255, "", "Error: bad size 12\n"),
        ("wm nope", 255, "Unknown command: nope\n", ""),
        ("pm path nope", 1, "", ""),
        ("pm list packages -3", 0, "package:com.greenleaf.shop\n", ""),
        (
            "pm list packages greenleaf",
            0,
            "package:com.greenleaf.shop\n",
            "",
        ),
        ("pm list nope", 255, "", "Error: unknown list type 'nope'\n"),
        ("pm uninstall nope", 1, "Failure [not installed for 0]\n", ""),
        ("pm clear nope", 1, "Failed\n", ""),
        (
            "cmd package resolve-activity --brief com.greenleaf.shop",
            0,
            "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\ncom.greenleaf.shop/.MainActivity\n",
            "",
        ),
        (
            "cmd package resolve-activity --brief com.nope",
            0,
            "No activity found\n",
            "",
        ),
        (
            "cmd package query-activities --components -a android.intent.action.MAIN -c android.intent.category.LAUNCHER",
            0,
            "com.android.settings/.Settings\ncom.greenleaf.shop/.MainActivity\n",
            "",
        ),
        ("cmd clipboard", 0, "", "No shell command implementation.\n"),
        ("cmd nope", 20, "", "cmd: Can't find service: nope\n"),
        ("dumpsys nope", 0, "", "Can't find service: nope\n"),
        ("settings get system nope", 0, "null\n", ""),
        (
            "settings put secure a 'b c'; settings get secure a; settings delete secure a; settings delete secure a",
            0,
            "b c\nDeleted 1 rows\nDeleted 0 rows\n",
            "",
        ),
        ("settings get nope x", 255, "", "Invalid namespace 'nope'\n"),
        ("settings nope", 255, "", "Invalid command: nope\n"),
        ("ime list -s", 0, "com.android.inputmethod.latin/.LatinIME\n", ""),
        (
            "ime set nope/.Nope",
            255,
            "",
            "Unknown input method nope/.Nope cannot be selected for user #0\n",
        ),
        ("service check window", 0, "Service window: found\n", ""),
        ("service check nope", 0, "Service nope: not found\n", ""),
        (
            "getprop ro.product.model; getprop nope; getprop nope x",
            0,
            "Pixel 7\n\nx\n",
            "",
        ),
        (
            "setprop ro.debuggable 1",
            1,
            "",
            "Failed to set property 'ro.debuggable' to '1'.\nSee dmesg for error reason.\n",
        ),
        ("setprop debug.x 1; getprop debug.x", 0, "1\n", ""),
        (
            "content query --uri content://settings/system/nope",
            0,
            "No result found.\n",
            "",
        ),
    ] {
        check(line, status, out, err).await;
    }
}

#[tokio::test]
async fn activities_are_started_in_ams_words() {
    for (line, status, out, err) in [
        (
            "am start -n com.android.settings/.Settings",
            0,
            "Starting: Intent { cmp=com.android.settings/.Settings }\n",
            "",
        ),
        (
            "am start -n com.android.settings/.Nope",
            1,
            "Starting: Intent { cmp=com.android.settings/.Nope }\n",
            "Error type 3\nError: Activity class {com.android.settings/com.android.settings.Nope} does not exist.\n",
        ),
        (
            "am start -a nope",
            1,
            "Starting: Intent { act=nope }\n",
            "Error: Activity not started, unable to resolve Intent { act=nope flg=0x10000000 }\n",
        ),
        (
            "am start -W -a android.settings.SETTINGS",
            0,
            "Starting: Intent { act=android.settings.SETTINGS }\nStatus: ok\nLaunchState: COLD\nActivity: \
             com.android.settings/.Settings\nTotalTime: 231\nWaitTime: 235\nComplete\n",
            "",
        ),
        ("am force-stop com.android.settings", 0, "", ""),
        (
            "am broadcast -a x --es k v",
            0,
            "Broadcasting: Intent { act=x flg=0x400000 (has extras) }\nBroadcast completed: result=0\n",
            "",
        ),
    ] {
        check(line, status, out, err).await;
    }
    let phone = phone();
    let line = "am start -n com.android.settings/.Settings; am start -n com.android.settings/.Settings";
    let again = run(&phone, line).await.err;
    let warning =
        "Warning: Activity not started, intent has been delivered to currently running top-most instance.\n";
    assert_eq!(again, warning);
    assert!(
        phone
            .record
            .contains("com.android.settings/com.android.settings.Settings")
    );
}

#[tokio::test]
async fn monkey_starts_an_app_or_aborts() {
    let phone = phone();
    let started = run(
        &phone,
        "monkey -p com.greenleaf.shop -c android.intent.category.LAUNCHER 1",
    )
    .await;
    assert_eq!(started.status, 0);
    assert!(
        started.out.contains("  bash arg: com.greenleaf.shop\n")
            && started.out.contains("\nEvents injected: 1\n")
    );
    assert!(
        started
            .err
            .starts_with("args: [-p, com.greenleaf.shop, -c, android.intent.category.LAUNCHER, 1]\n")
    );
    assert!(
        phone
            .record
            .contains("com.greenleaf.shop/com.greenleaf.shop.MainActivity")
    );
    let aborted = run(
        &phone,
        "monkey -p nope 1 | tail -n 1; monkey -p nope 1 >/dev/null 2>&1; echo $?",
    )
    .await;
    assert_eq!(
        aborted.out,
        "** No activities found to run, monkey aborted.\n252\n"
    );
}
