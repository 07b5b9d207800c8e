//! Several people on one phone, and a phone with far more on it than these apps.

use crate::client::{one_system, shell};
use virtual_phone::Fault;

/// What the phone says to these lines, one after the other.
async fn check(fault: Option<Fault>, expected: &[(&str, &str)]) {
    let (host, phone) = one_system();
    shell(&host, "am start -n com.greenleaf.shop/.MainActivity").await;
    if let Some(fault) = fault {
        phone.set_fault(fault);
    }
    for (line, expected) in expected {
        let said = shell(&host, line).await;
        assert_eq!(said.text(), *expected, "{fault:?}: {line}");
    }
}

const FRONT: &str = "dumpsys window | grep mCurrentFocus= | grep -o ' u[0-9]* com.greenleaf.shop/'";

#[tokio::test(start_paused = true)]
async fn a_phone_has_its_owner_alone() {
    check(
        None,
        &[
            ("am get-current-user", "0\n"),
            ("pm list users", "Users:\n\tUserInfo{0:Owner:4c13} running\n"),
            ("pm list packages --user 10", ""),
            (FRONT, " u0 com.greenleaf.shop/\n"),
        ],
    )
    .await;
}

/// A profile's app stands in front of its owner, who has it not.
#[tokio::test(start_paused = true)]
async fn a_work_profile_has_its_own_apps() {
    check(
        Some(Fault::WorkProfile),
        &[
            ("am get-current-user", "0\n"),
            (
                "pm list users",
                "Users:\n\tUserInfo{0:Owner:4c13} running\n\tUserInfo{10:Work profile:1030} running\n",
            ),
            ("pm list packages -3 --user 10", "package:com.greenleaf.shop\n"),
            (
                "pm list packages -U --user 10 android.settings",
                "package:com.android.settings uid:1001000\n",
            ),
            (FRONT, " u10 com.greenleaf.shop/\n"),
        ],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn another_person_is_in_front_with_all_their_apps() {
    check(
        Some(Fault::SecondUser),
        &[
            ("am get-current-user", "10\n"),
            (
                "pm list users",
                "Users:\n\tUserInfo{0:Owner:4c13} running\n\tUserInfo{10:Second:410} running\n",
            ),
            (
                "pm list packages --user current greenleaf",
                "package:com.greenleaf.shop\n",
            ),
            ("pm list packages --user 11", ""),
            ("dumpsys window | grep -c ' u0 com.greenleaf'", "0\n"),
            (FRONT, " u10 com.greenleaf.shop/\n"),
        ],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_crowded_phone_lists_what_nobody_sees() {
    check(
        Some(Fault::Crowded),
        &[
            ("pm list packages vendor.service | wc -l", "400\n"),
            ("getprop | grep -c vendor.service", "700\n"),
            ("pm list packages -3 vendor.service", ""),
            ("pm path com.vendor.service007", "package:/system/priv-app/service007/service007.apk\n"),
            ("dumpsys package com.vendor.service007 | grep -c versionName=1.0.0", "1\n"),
            (
                "cmd package query-activities --components -a android.intent.action.MAIN -c android.intent.category.LAUNCHER | \
                 grep -c vendor",
                "0\n",
            ),
        ],
    )
    .await;
}
