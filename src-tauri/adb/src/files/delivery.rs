//! What a person hands to a phone: a file into its downloads, an app to be installed.

use crate::connect::command_line::CommandLine;
use crate::connect::server::Device;
use crate::error::{AdbError, clip};
use crate::exec::cancel_guard::CancelGuard;
use crate::exec::nonce::nonce;
use crate::exec::quote::quote;
use crate::exec::remote_command;
use crate::exec::termination::Termination;
use crate::files::media_import;
use crate::files::push::{push, seconds};
use std::path::Path;
use std::time::{Duration, SystemTime};
use tokio::fs::File;

const LOOK: Duration = Duration::from_secs(4);
/// How long the phone may take to install an app that is there: it is checked, and compiled.
const INSTALL: Duration = Duration::from_secs(300);

/// Carries a file to the phone's downloads, and says what it is called there: a file of that name stays as it is. `told`
/// hears how many bytes went.
///
/// # Errors
/// [`AdbError::Unreadable`], [`AdbError::Full`], [`AdbError::LeaseLost`], or what the phone said; what came of it until
/// then is gone from the phone.
pub(crate) async fn send(
    device: &Device,
    guard: &CancelGuard,
    file: &Path,
    told: impl FnMut(u64),
) -> Result<String, AdbError> {
    let name = file
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let source = open(file).await?;
    let path = media_import::place(device, guard, media_import::DOWNLOADS, &name).await?;
    carry(device, guard, source, &path, told).await?;
    media_import::announce(device, guard, &path).await?;
    Ok(path.rsplit('/').next().unwrap_or_default().to_owned())
}

/// Installs an app, over an older one of its maker where that is there. `told` hears how many bytes went.
///
/// # Errors
/// As [`send`]; [`AdbError::NotInstalled`].
pub(crate) async fn install(
    device: &Device,
    guard: &CancelGuard,
    file: &Path,
    told: impl FnMut(u64),
) -> Result<(), AdbError> {
    let source = open(file).await?;
    let path = format!("/data/local/tmp/pocketdeck-{}.apk", nonce());
    let done = match carry(device, guard, source, &path, told).await {
        Ok(()) => have_installed(device, guard, &path).await,
        Err(error) => Err(error),
    };
    // Also when the lease is lost: what was begun was ended before it could take its file away.
    if let Err(error) = device.look(&format!("rm -f {path}"), LOOK).await {
        tracing::info!(%error, "an app's file stays on the phone");
    }
    done
}

/// A file to be read, and when it was written, in seconds since 1970.
async fn open(from: &Path) -> Result<(File, u32), AdbError> {
    let unreadable = |error: std::io::Error| AdbError::Unreadable(error.to_string());
    let file = File::open(from).await.map_err(unreadable)?;
    let about = file.metadata().await.map_err(unreadable)?;
    if !about.is_file() {
        return Err(AdbError::Unreadable("not a file".to_owned()));
    }
    let modified = about.modified().unwrap_or_else(|_| SystemTime::now());
    Ok((file, seconds(modified)))
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

async fn have_installed(device: &Device, guard: &CancelGuard, path: &str) -> Result<(), AdbError> {
    let file = quote(path)?;
    // One line, which the phone brings to its end alone where the cable comes out: nobody could take the file away then.
    let line = CommandLine::plain(&format!(
        "trap '' HUP PIPE; pm install -r {file}; c=$?; rm -f {file}; exit $c"
    ))
    .called("pm install");
    let ending = Termination::Kill {
        mark: nonce(),
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
