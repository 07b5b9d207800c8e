//! Stored pictures, and the person's own screenshots.

use crate::{Desk, DeskError};
use agent::ports::Phone;
use protocol::{Bounds, Failure, FrameId, PhoneId};
use std::path::{Path, PathBuf};

/// JPEG quality of stored pictures as they are shown.
const QUALITY: u8 = 88;

impl Desk {
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
        let stored = self.inner.store.frame(frame).await.map_err(DeskError::from)?;
        let packed = tokio::task::spawn_blocking(move || -> Result<Vec<u8>, DeskError> {
            let mut frame = screen::picture::decode_png(&stored.png)?;
            if let Some(bounds) = crop {
                frame = screen::picture::crop(&frame, bounds)?;
            }
            if let Some(longest_side) = longest_side {
                frame = screen::picture::scale(&frame, longest_side.clamp(16, 4096))?;
            }
            Ok(screen::picture::encode_jpeg(&frame, QUALITY)?)
        });
        Ok(packed.await.map_err(DeskError::Broken)??)
    }

    /// The phone's screen as a PNG file in the person's pictures; says where.
    ///
    /// # Errors
    /// When there is no picture, or it cannot be written.
    pub async fn screenshot(&self, phone: &PhoneId) -> Result<PathBuf, Failure> {
        let sight = self.phone(phone)?.see().await.map_err(DeskError::from)?;
        let frame = sight.frame.ok_or(DeskError::Failure(no_picture()))?;
        let name = self.known(phone)?.name;
        let folder = dirs::picture_dir()
            .or_else(dirs::home_dir)
            .ok_or(DeskError::NoFolder)?;
        let written = tokio::task::spawn_blocking(move || -> Result<PathBuf, DeskError> {
            let png = screen::picture::encode_png(&frame)?;
            std::fs::create_dir_all(&folder)?;
            let path = free_name(&folder, &file_name(&name, &stamp()));
            std::fs::write(&path, png)?;
            Ok(path)
        });
        Ok(written.await.map_err(DeskError::Broken)??)
    }
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
    let phone: String = phone
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_’'".contains(*c))
        .collect();
    format!("{} {stamp}.png", phone.trim()).trim_start().to_owned()
}

/// The first name that is not taken.
pub(crate) fn free_name(folder: &Path, name: &str) -> PathBuf {
    let plain = folder.join(name);
    if !plain.exists() {
        return plain;
    }
    let (stem, ending) = name
        .strip_suffix(".png")
        .map_or((name, ""), |stem| (stem, ".png"));
    (2..1000)
        .map(|n| folder.join(format!("{stem} {n}{ending}")))
        .find(|path| !path.exists())
        .unwrap_or(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

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
