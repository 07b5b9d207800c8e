//! The people of a phone (`UserManagerService`): its owner and, where there is one, user 10.

use super::name::{uid, user};
use crate::fault::Fault;
use crate::phone::Phone;
use std::fmt::Write as _;

/// The first user beside the owner (`UserManagerService.MIN_USER_ID`), a work profile or a person.
const SECOND: u32 = 10;
/// `UserHandle.PER_USER_RANGE`.
const RANGE: u32 = 100_000;

/// Whose screen it is. A work profile's apps stand on its owner's.
pub(super) fn current(phone: &Phone) -> u32 {
    if phone.has(Fault::SecondUser) { SECOND } else { 0 }
}

/// Whether there is such a user.
pub(super) fn exists(phone: &Phone, id: u32) -> bool {
    id == 0 || id == SECOND && (phone.has(Fault::SecondUser) || phone.has(Fault::WorkProfile))
}

/// `pm list users` (`UserInfo.toString`: number, name, flags).
pub(super) fn list(phone: &Phone) -> String {
    let mut out = "Users:\n\tUserInfo{0:Owner:4c13} running\n".to_owned();
    if phone.has(Fault::SecondUser) {
        let _ = writeln!(out, "\tUserInfo{{{SECOND}:Second:410}} running");
    } else if phone.has(Fault::WorkProfile) {
        let _ = writeln!(out, "\tUserInfo{{{SECOND}:Work profile:1030}} running");
    }
    out
}

/// A package's uid as a user has it.
pub(super) fn uid_of(package: &str, id: u32) -> u32 {
    id * RANGE + uid(package)
}

/// The apps of user 10 that a dump may tell of: the one in front where it is a profile, all where it is a person; the
/// system's own bars stay its owner's.
pub(super) fn packages(phone: &Phone) -> Vec<String> {
    if phone.has(Fault::SecondUser) {
        let all = phone.with(|android| android.packages());
        let names = all.into_iter().map(|package| package.name);
        return names.filter(|name| name != "com.android.systemui").collect();
    }
    if phone.has(Fault::WorkProfile) {
        let front = phone.with(|android| android.focused_app());
        return front.map(|app| app.package).into_iter().collect();
    }
    Vec::new()
}

/// A dump in which a package is user 10's: `u10`, and the uids of user 10.
pub(super) fn of_second(text: &str, package: &str) -> String {
    // `UserHandle.formatUid`.
    let word = match user(package) {
        word if word.starts_with("u0") => format!("u{SECOND}{}", word.trim_start_matches("u0")),
        number => format!("u{SECOND}s{number}"),
    };
    text.replace(&format!(" u0 {package}/"), &format!(" u{SECOND} {package}/"))
        .replace(
            &format!(":{package}/{}", user(package)),
            &format!(":{package}/{word}"),
        )
        .replace(
            &format!("A={}:{package} U=0", uid(package)),
            &format!("A={}:{package} U={SECOND}", uid_of(package, SECOND)),
        )
}
