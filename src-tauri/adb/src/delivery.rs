//! What a person hands to a phone: a file into its downloads, an app to be installed.

use crate::AdbPhone;
use crate::cancel_guard::{self, CancelGuard};
use crate::command_line::CommandLine;
use crate::device_control::mark;
use crate::error::{AdbError, clip};
use crate::media_import;
use crate::push::push;
use crate::remote_command;
use crate::server::Device;
use crate::termination::Termination;
use agent::lease::Grip;
use protocol::FailureCode;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};
use tokio::fs::File;

const LOOK: Duration = Duration::from_secs(4);
/// How long the phone may take to install an app that is there: it is checked, and compiled.
const INSTALL: Duration = Duration::from_secs(300);

impl AdbPhone {
    /// Carries a file to the phone's downloads, and says what it is called there: a file of that name stays as it is.
    /// `told` hears how many bytes went.
    ///
    /// # Errors
    /// [`AdbError::Unreadable`], [`AdbError::Full`], [`AdbError::LeaseLost`], or what the phone said; what came of it
    /// until then is gone from the phone.
    pub async fn send(
        &self,
        file: &Path,
        grip: &Grip,
        told: impl FnMut(u64) + Send + 'static,
    ) -> Result<String, AdbError> {
        let (control, file) = (self.control(), file.to_owned());
        cancel_guard::held(grip, move |guard| async move {
            let name = file
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let source = open(&file).await?;
            let path = media_import::place(&control, &guard, media_import::DOWNLOADS, &name).await?;
            carry(&control.device, &guard, source, &path, told).await?;
            media_import::announce(&control, &guard, &path).await?;
            Ok(path.rsplit('/').next().unwrap_or_default().to_owned())
        })
        .await
    }

    /// Installs an app, over an older one of its maker where that is there. `told` hears how many bytes went.
    ///
    /// # Errors
    /// As [`AdbPhone::send`]; [`AdbError::NotInstalled`].
    pub async fn install(
        &self,
        file: &Path,
        grip: &Grip,
        told: impl FnMut(u64) + Send + 'static,
    ) -> Result<(), AdbError> {
        let (device, file) = (self.device(), file.to_owned());
        cancel_guard::held(grip, move |guard| async move {
            let source = open(&file).await?;
            let path = format!("/data/local/tmp/pocketdeck-{}.apk", mark());
            let done = match carry(&device, &guard, source, &path, told).await {
                Ok(()) => install(&device, &guard, &path).await,
                Err(error) => Err(error),
            };
            // Also when the lease is lost: ending what was begun.
            if let Err(error) = device.look(&format!("rm -f {path}"), LOOK).await {
                tracing::info!(%error, "an app's file stays on the phone");
            }
            done
        })
        .await
    }
}

/// A file to be read, and when it was written, in seconds since 1970.
async fn open(from: &Path) -> Result<(File, u32), AdbError> {
    let unreadable = |error: std::io::Error| AdbError::Unreadable(error.to_string());
    let file = File::open(from).await.map_err(unreadable)?;
    let about = file.metadata().await.map_err(unreadable)?;
    if !about.is_file() {
        return Err(AdbError::Unreadable("not a file".to_owned()));
    }
    let since = about
        .modified()
        .ok()
        .and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let modified = since.map_or(0, |since| u32::try_from(since.as_secs()).unwrap_or(u32::MAX));
    Ok((file, modified))
}

async fn carry(
    device: &Device,
    guard: &CancelGuard,
    (file, modified): (File, u32),
    to: &str,
    told: impl FnMut(u64),
) -> Result<(), AdbError> {
    let _pass = guard.pass()?;
    let pushed = guard.unless_lost(push(device, file, to, modified, told)).await;
    pushed.map_err(|error| match error {
        AdbError::Refused(said) if said.contains("No space left") => AdbError::Full(said),
        error => error,
    })
}

async fn install(device: &Device, guard: &CancelGuard, path: &str) -> Result<(), AdbError> {
    let line = CommandLine::plain(&format!("pm install -r {path}"));
    let ending = Termination::Kill {
        mark: mark(),
        gestures: false,
    };
    let output = remote_command::run(device, guard, line, INSTALL, ending).await?;
    let said = output.all();
    // Older phones fail with 0.
    if said.lines().any(|line| line.trim() == "Success") {
        return Ok(());
    }
    let failure = said
        .lines()
        .map(str::trim)
        .find(|line| line.starts_with("Failure"));
    Err(AdbError::NotInstalled(clip(
        failure.unwrap_or_else(|| said.trim()),
    )))
}

/// What a person can do about it. The names are Android's `PackageManager.INSTALL_…`.
pub(crate) fn why_not(said: &str) -> FailureCode {
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
