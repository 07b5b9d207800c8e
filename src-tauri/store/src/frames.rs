//! Pictures, lossless.

use crate::{Store, StoreError, journal};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use protocol::{Frame, FrameId, RunId};
use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest, Sha256};

/// A stored picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// A PNG file.
    pub png: Vec<u8>,
}

impl Store {
    /// One stored picture.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is none of this name.
    pub async fn frame(&self, frame: &FrameId) -> Result<Picture, StoreError> {
        let frame = frame.clone();
        self.database()
            .read(move |connection| {
                let missing = || StoreError::NotFound(format!("picture {frame}"));
                let (run, n) = frame.0.rsplit_once('/').ok_or_else(missing)?;
                let n: u32 = n.parse().map_err(|_| missing())?;
                connection
                    .query_row(
                        "SELECT width, height, png FROM frames WHERE run = ?1 AND n = ?2",
                        params![run, n],
                        |row| {
                            Ok(Picture {
                                width: row.get(0)?,
                                height: row.get(1)?,
                                png: row.get(2)?,
                            })
                        },
                    )
                    .optional()?
                    .ok_or_else(missing)
            })
            .await
    }

    pub(crate) async fn keep_frame(&self, run: &RunId, frame: &Frame) -> Result<FrameId, StoreError> {
        let (run, frame) = (run.clone(), frame.clone());
        // Packing takes longer than writing: it is done before the database is held.
        let packing = tokio::task::spawn_blocking({
            let frame = frame.clone();
            move || pack(&frame)
        });
        let (digest, png) = packing.await.map_err(|_| StoreError::Broken)??;
        self.database()
            .write(move |transaction| {
                journal::known(transaction, &run)?;
                if let Some(n) = kept(transaction, &run, &digest)? {
                    return Ok(name(&run, n));
                }
                let n: u32 = transaction.query_row(
                    "INSERT INTO frames (run, n, digest, width, height, png)
                     SELECT ?1, 1 + coalesce(max(n), 0), ?2, ?3, ?4, ?5 FROM frames WHERE run = ?1 RETURNING n",
                    params![run.0, digest, frame.width, frame.height, png],
                    |row| row.get(0),
                )?;
                Ok(name(&run, n))
            })
            .await
    }
}

fn name(run: &RunId, n: u32) -> FrameId {
    FrameId(format!("{run}/{n}"))
}

fn kept(connection: &Connection, run: &RunId, digest: &[u8]) -> Result<Option<u32>, StoreError> {
    Ok(connection
        .query_row(
            "SELECT n FROM frames WHERE run = ?1 AND digest = ?2",
            params![run.0, digest],
            |row| row.get(0),
        )
        .optional()?)
}

/// The digest of a picture, and the picture as PNG. The alpha of a screen says nothing and costs a tenth; to leave it
/// out would take longer than to pack it.
fn pack(frame: &Frame) -> Result<(Vec<u8>, Vec<u8>), StoreError> {
    let bytes = u64::from(frame.width) * u64::from(frame.height) * 4;
    if bytes == 0 || bytes != frame.rgba.len() as u64 {
        return Err(StoreError::BadPicture);
    }
    let mut digest = Sha256::new();
    digest.update(frame.width.to_be_bytes());
    digest.update(frame.height.to_be_bytes());
    digest.update(&frame.rgba);
    let mut png = Vec::new();
    PngEncoder::new_with_quality(&mut png, CompressionType::Fast, FilterType::Adaptive)
        .write_image(&frame.rgba, frame.width, frame.height, ExtendedColorType::Rgba8)
        .map_err(|_| StoreError::BadPicture)?;
    Ok((digest.finalize().to_vec(), png))
}
