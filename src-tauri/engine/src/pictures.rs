//! Stored pictures, and the person's own screenshots.

use crate::{Engine, EngineError};
use agent::ports::Phone;
use protocol::{Bounds, Failure, FrameId, PhoneId};
use screen::picture::Scale;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// JPEG quality of stored pictures as they are shown.
const QUALITY: u8 = 88;
/// More of one name in one second than anybody makes.
const MOST: u32 = 1000;

impl Engine {
    /// A stored picture as JPEG, cropped and scaled down where asked.
    ///
    /// # Errors
    /// When there is no such picture.
    pub async fn picture(
        &self,
        frame: &FrameId,
        longest_side: Option<u32>,
        crop: Option<Bounds>,
    ) -> Result<Vec<u8>, Failure> {
        let stored = self.inner.store.frame(frame).await.map_err(EngineError::from)?;
        let packed = tokio::task::spawn_blocking(move || -> Result<Vec<u8>, EngineError> {
            let mut frame = stored.decode()?;
            if let Some(bounds) = crop {
                // In the screen's own pixels, of which the picture may have fewer.
                let scale = Scale::of((stored.width, stored.height), &frame);
                frame = screen::picture::crop(&frame, scale.on_picture(bounds))?;
            }
            if let Some(longest_side) = longest_side {
                frame = screen::picture::scale(&frame, longest_side.clamp(16, 4096))?;
            }
            Ok(screen::picture::encode_jpeg(&frame, QUALITY)?)
        });
        Ok(packed.await.map_err(EngineError::Broken)??)
    }

    /// The phone's screen as a PNG file, with a name for it.
    ///
    /// # Errors
    /// When there is no picture.
    pub async fn screenshot(&self, phone: &PhoneId) -> Result<Screenshot, Failure> {
        let sight = self.phone(phone)?.see().await.map_err(EngineError::from)?;
        let frame = sight.frame.ok_or(EngineError::Failure(no_picture()))?;
        let name = file_name(&self.known(phone)?.name, &stamp());
        let packed = tokio::task::spawn_blocking(move || screen::picture::encode_png(&frame));
        let png = packed
            .await
            .map_err(EngineError::Broken)?
            .map_err(EngineError::from)?;
        Ok(Screenshot { name, png })
    }
}

/// A screenshot that is not a file yet.
pub struct Screenshot {
    /// What it may be called.
    pub name: String,
    png: Vec<u8>,
}

impl Screenshot {
    /// Writes it where the person chose.
    ///
    /// # Errors
    /// [`protocol::FailureCode::FileUnwritable`].
    pub async fn save(self, to: &Path) -> Result<(), Failure> {
        write_file(to, self.png).await
    }
}

/// Writes a file where the person chose.
///
/// # Errors
/// [`protocol::FailureCode::FileUnwritable`].
pub async fn write_file(to: &Path, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
    let written = tokio::fs::write(to, bytes).await;
    written.map_err(|error| EngineError::Unwritable(error).into())
}

/// Where a person's pictures are; their own folder where the system does not say.
#[must_use]
pub fn pictures_folder() -> Option<PathBuf> {
    dirs::picture_dir().or_else(dirs::home_dir)
}

/// Where a person's documents are; their own folder where the system does not say.
#[must_use]
pub fn documents_folder() -> Option<PathBuf> {
    dirs::document_dir().or_else(dirs::home_dir)
}

fn no_picture() -> Failure {
    Failure {
        code: protocol::FailureCode::CaptureFailed,
        values: std::collections::BTreeMap::new(),
        detail: None,
    }
}

/// The person's own date and time: `2026-05-14 09.41.00`.
pub(crate) fn stamp() -> String {
    jiff::Zoned::now().strftime("%Y-%m-%d %H.%M.%S").to_string()
}

/// What every system takes as a file's name.
fn file_name(phone: &str, stamp: &str) -> String {
    format!("{}.png", file_stem(phone, stamp))
}

/// The same without what ends it.
pub(crate) fn file_stem(phone: &str, stamp: &str) -> String {
    let phone: String = phone
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_’'".contains(*c))
        .collect();
    format!("{} {stamp}", phone.trim()).trim_start().to_owned()
}

/// What was made by the first name in this folder that was free, and where. `make` makes it only where nothing is.
///
/// # Errors
/// Why it could not be made; [`ErrorKind::AlreadyExists`] where every name is taken.
pub(crate) async fn first_free<T>(
    folder: &Path,
    (stem, ending): (&str, &str),
    make: impl AsyncFn(&Path) -> std::io::Result<T>,
) -> std::io::Result<(T, PathBuf)> {
    tokio::fs::create_dir_all(folder).await?;
    for number in 1..MOST {
        let path = folder.join(match number {
            1 => format!("{stem}{ending}"),
            number => format!("{stem} {number}{ending}"),
        });
        match make(&path).await {
            Ok(made) => return Ok((made, path)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// A new folder by the first name that is free.
///
/// # Errors
/// As [`first_free`].
pub(crate) async fn fresh_folder(within: &Path, name: &str) -> std::io::Result<PathBuf> {
    let made = first_free(within, (name, ""), async |path| tokio::fs::create_dir(path).await);
    Ok(made.await?.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_screenshot_is_written_where_it_was_told_or_says_that_it_was_not() {
        let folder = tempfile::tempdir().unwrap();
        let screenshot = || Screenshot {
            name: "a.png".to_owned(),
            png: b"a picture".to_vec(),
        };
        let to = folder.path().join("mine.png");
        screenshot().save(&to).await.unwrap();
        assert_eq!(std::fs::read(&to).unwrap(), b"a picture");
        let failed = screenshot().save(&folder.path().join("none/a.png")).await;
        assert_eq!(failed.unwrap_err().code, protocol::FailureCode::FileUnwritable);
    }

    /// However many begin at once: each has its own, and none is written over.
    #[tokio::test]
    async fn the_first_free_name_is_given_once() {
        let folder = tempfile::tempdir().unwrap();
        let within = folder.path().join("Documents");
        let many = futures::future::join_all((0..4).map(|_| fresh_folder(&within, "Mum")));
        let mut made: Vec<PathBuf> = many.await.into_iter().map(Result::unwrap).collect();
        made.sort();
        let names: Vec<_> = made
            .iter()
            .map(|path| path.file_name().unwrap().to_str().unwrap())
            .collect();
        assert_eq!(names, ["Mum", "Mum 2", "Mum 3", "Mum 4"]);
        let blocked = fresh_folder(&within.join("Mum"), "inside").await.unwrap();
        assert_eq!(blocked, within.join("Mum/inside"));
        std::fs::write(within.join("file"), b"").unwrap();
        assert!(fresh_folder(&within.join("file"), "inside").await.is_err());
    }

    #[test]
    fn names_are_files_everywhere() {
        assert_eq!(
            file_name("Mum’s Galaxy", "2026-05-14 09.41.00"),
            "Mum’s Galaxy 2026-05-14 09.41.00.png"
        );
        assert_eq!(file_name("a/b:c*", "x"), "abc x.png");
        assert_eq!(file_name("", "x"), "x.png");
    }
}
