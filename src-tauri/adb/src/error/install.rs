//! Why a phone did not install an app.

use protocol::FailureCode;

/// What a person can do about it. The names are Android's `PackageManager.INSTALL_…`.
pub(super) fn why_not(said: &str) -> FailureCode {
    let says = |words: &[&str]| words.iter().any(|word| said.contains(word));
    if says(&["INSUFFICIENT_STORAGE", "No space left"]) {
        FailureCode::PhoneFull
    } else if says(&[
        "UPDATE_INCOMPATIBLE",
        "VERSION_DOWNGRADE",
        "DUPLICATE",
        "SHARED_USER",
        "CONFLICTING_PROVIDER",
    ]) {
        FailureCode::AppConflict
    } else if says(&[
        "NO_MATCHING_ABIS",
        "OLDER_SDK",
        "NEWER_SDK",
        "DEPRECATED_SDK",
        "MISSING_FEATURE",
        "MISSING_SPLIT",
    ]) {
        FailureCode::AppUnfit
    } else if says(&[
        "INSTALL_PARSE_FAILED",
        "INVALID_APK",
        "BAD_DEX",
        "BAD_SIGNATURE",
        "TEST_ONLY",
    ]) {
        FailureCode::AppBroken
    } else {
        FailureCode::AppBlocked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phones_no_has_a_reason() {
        for (said, expected) in [
            (
                "Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]",
                FailureCode::AppBlocked,
            ),
            (
                "Failure [INSTALL_FAILED_VERIFICATION_FAILURE]",
                FailureCode::AppBlocked,
            ),
            (
                "Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]",
                FailureCode::PhoneFull,
            ),
            (
                "Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE: Package a.b signatures]",
                FailureCode::AppConflict,
            ),
            (
                "Failure [INSTALL_FAILED_VERSION_DOWNGRADE]",
                FailureCode::AppConflict,
            ),
            (
                "Failure [INSTALL_FAILED_NO_MATCHING_ABIS: res=-113]",
                FailureCode::AppUnfit,
            ),
            ("Failure [INSTALL_FAILED_OLDER_SDK]", FailureCode::AppUnfit),
            (
                "Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse]",
                FailureCode::AppBroken,
            ),
            ("Error: something new", FailureCode::AppBlocked),
        ] {
            assert_eq!(why_not(said), expected, "{said}");
        }
    }
}
