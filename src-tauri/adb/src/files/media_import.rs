//! A picture or file the person picked, put where the phone's own apps look for it.
//!
//! Nothing on the phone is written over. The gallery is told by the scan every Android since 1.0 answers; one that does not
//! finds the picture at its next own scan.

use crate::connect::server::Device;
use crate::connect::shell::Output;
use crate::error::AdbError;
use crate::exec::cancel_guard::CancelGuard;
use crate::exec::quote::quote;
use crate::exec::remote_command::brief;
use crate::files::push::{push, seconds};
use agent::ports::PickedFile;
use std::time::{Duration, SystemTime};
use tokio::time::timeout;

const GALLERY: &str = "/sdcard/Pictures/PocketDeck";
pub(crate) const DOWNLOADS: &str = "/sdcard/Download";
const LIMIT: Duration = Duration::from_secs(120);
/// A name that is taken so often is taken.
const TRIES: u32 = 50;
/// Letters of a name, its ending aside.
const LONGEST: usize = 60;

/// Puts it there, tells the gallery, and gives where it is.
///
/// # Errors
/// [`AdbError::LeaseLost`], or what the phone said.
pub(crate) async fn give(
    device: &Device,
    guard: &CancelGuard,
    gift: &PickedFile,
) -> Result<String, AdbError> {
    let folder = if gift.picture { GALLERY } else { DOWNLOADS };
    let path = place(device, guard, folder, &gift.name).await?;
    {
        let _pass = guard.pass()?;
        // Galleries stand in the order of their files' times: what was just put there is the newest.
        let put = seconds(SystemTime::now());
        let pushing = timeout(LIMIT, push(device, &*gift.bytes, &path, put, |_| {}));
        guard
            .unless_lost(async {
                let pushed = pushing.await;
                pushed.unwrap_or_else(|_| Err(AdbError::Slow("a file".to_owned())))
            })
            .await?;
    }
    announce(device, guard, &path).await?;
    Ok(path)
}

/// A place for a file of this name that nothing is at yet.
///
/// # Errors
/// As [`give`].
pub(crate) async fn place(
    device: &Device,
    guard: &CancelGuard,
    folder: &str,
    name: &str,
) -> Result<String, AdbError> {
    let made = brief(device, guard, &format!("mkdir -p {}", quote(folder)?)).await?;
    if made.failed() {
        return Err(AdbError::Refused(made.all()));
    }
    free(device, guard, folder, name).await
}

/// Tells the phone's gallery and file pages of a new file.
///
/// # Errors
/// [`AdbError::LeaseLost`]; a phone that does not listen finds it later.
pub(crate) async fn announce(device: &Device, guard: &CancelGuard, path: &str) -> Result<(), AdbError> {
    let uri = quote(&format!("file://{}", encoded(path)))?;
    let scan = format!("am broadcast -a android.intent.action.MEDIA_SCANNER_SCAN_FILE -d {uri}");
    match brief(device, guard, &scan).await {
        Ok(said) if said.failed() => tracing::info!("the gallery was not told of a new file"),
        Ok(_) => {}
        Err(AdbError::LeaseLost) => return Err(AdbError::LeaseLost),
        Err(error) => tracing::info!(%error, "the gallery was not told of a new file"),
    }
    Ok(())
}

async fn free(device: &Device, guard: &CancelGuard, folder: &str, name: &str) -> Result<String, AdbError> {
    let (stem, ending) = safe(name);
    for n in 1..=TRIES {
        let path = match n {
            1 => format!("{folder}/{stem}{ending}"),
            n => format!("{folder}/{stem} {n}{ending}"),
        };
        let found = brief(device, guard, &format!("ls -d {}", quote(&path)?)).await?;
        if finds_nothing(&found, &path) {
            return Ok(path);
        }
    }
    Err(AdbError::Refused(format!(
        "{folder} is full of files of this name"
    )))
}

/// Whether `ls` failed; where the shell tells no codes (Android 6 and older), as it says itself.
fn finds_nothing(found: &Output, path: &str) -> bool {
    match found.exit {
        Some(code) => code != 0,
        None => found.answer() != path && found.all().contains("No such file"),
    }
}

/// A name every phone takes, in two parts: no folders, no hidden files, nothing a card's file system refuses.
fn safe(name: &str) -> (String, String) {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let clean = |part: &str| -> String {
        let kept = part.chars().map(|c| {
            if c.is_alphanumeric() || " ._-()".contains(c) {
                c
            } else {
                '_'
            }
        });
        kept.collect()
    };
    let (stem, ending) = match last.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && ending.len() <= 8 && !ending.is_empty() => (
            clean(stem),
            format!(".{}", clean(ending).replace(['.', ' '], "_")),
        ),
        _ => (clean(last), String::new()),
    };
    let stem = stem.trim_start_matches(['.', ' ']);
    let kept: String = stem.chars().take(LONGEST).collect();
    // The cut may leave one at the end.
    let stem = match kept.trim_end_matches(['.', ' ']) {
        "" => "file",
        stem => stem,
    };
    (stem.to_owned(), ending)
}

/// A path in a `file:` address.
fn encoded(path: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_becomes_a_files_name() {
        for (name, stem, ending) in [
            ("holiday.jpg", "holiday", ".jpg"),
            ("Mum’s cat (2).png", "Mum_s cat (2)", ".png"),
            ("../../etc/passwd", "passwd", ""),
            (r"C:\pictures\a.b.jpeg", "a.b", ".jpeg"),
            (".hidden", "hidden", ""),
            ("a\nb;rm -rf $HOME.txt", "a_b_rm -rf _HOME", ".txt"),
            ("写真.jpg", "写真", ".jpg"),
            ("", "file", ""),
            ("...", "file", ""),
            ("x.averylongending", "x.averylongending", ""),
            (&format!("{} b.jpg", "a".repeat(59)), &"a".repeat(59), ".jpg"),
            (&format!("{}..b.jpg", "a".repeat(58)), &"a".repeat(58), ".jpg"),
        ] {
            assert_eq!(safe(name), (stem.to_owned(), ending.to_owned()), "{name:?}");
        }
    }

    #[test]
    fn an_address_holds_no_blanks() {
        assert_eq!(encoded("/sdcard/a b.jpg"), "/sdcard/a%20b.jpg");
        assert_eq!(encoded("/写"), "/%E5%86%99");
    }
}
