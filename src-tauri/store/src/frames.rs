//! Pictures: as small as serves who looks at them.
//!
//! A step's picture is shown beside its sentence and as large as a window; a question's is read letter by letter. Which of
//! them becomes a question's is known only when it is asked: until then the full-size one of a run's newest screen is held in
//! memory (`full_size_frames.rs`), and put in the small one's place with the question, in one transaction.

use crate::{Store, StoreError, event_log, frame_id};
use agent::ports::KeptScreen;
use protocol::{Frame, FrameId, RunId};
use rusqlite::{Connection, OptionalExtension, params};
use screen::picture::{decode_jpeg, decode_png, encode_jpeg, scale};
use sha2::{Digest, Sha256};

/// The longer side of a step's picture, in pixels: more than twice what a window gives it.
const STEP_SIDE: u32 = 1280;
/// JPEG quality of a step's picture.
const STEP_QUALITY: u8 = 75;
/// JPEG quality of a question's picture, in its screen's own size.
const SHARP_QUALITY: u8 = 90;

/// How a PNG begins.
const PNG: &[u8] = b"\x89PNG";

/// A stored picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels of its screen. The picture itself may be smaller.
    pub width: u32,
    /// Pixels of its screen.
    pub height: u32,
    /// A JPEG file; a PNG where an earlier version kept it.
    pub bytes: Vec<u8>,
}

impl Picture {
    /// The ending of its file's name.
    #[must_use]
    pub fn ending(&self) -> &'static str {
        if self.bytes.starts_with(PNG) { "png" } else { "jpg" }
    }

    /// Its pixels, in the picture's own size.
    ///
    /// # Errors
    /// [`StoreError::BadPicture`] where it is damaged.
    pub fn decode(&self) -> Result<Frame, StoreError> {
        let decoded = if self.bytes.starts_with(PNG) {
            decode_png(&self.bytes)
        } else {
            decode_jpeg(&self.bytes)
        };
        decoded.map_err(|_| StoreError::BadPicture)
    }
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
                let (run, n) = frame_id::run_and_number(&frame).ok_or_else(missing)?;
                connection
                    .query_row(
                        "SELECT width, height, bytes FROM frames WHERE run = ?1 AND n = ?2",
                        params![run, n],
                        |row| {
                            Ok(Picture {
                                width: row.get(0)?,
                                height: row.get(1)?,
                                bytes: row.get(2)?,
                            })
                        },
                    )
                    .optional()?
                    .ok_or_else(missing)
            })
            .await
    }

    pub(crate) async fn keep_frame(
        &self,
        run: &RunId,
        screen: KeptScreen<'_>,
    ) -> Result<FrameId, StoreError> {
        let (run, frame) = (run.clone(), screen.picture.clone());
        let size = (screen.width, screen.height);
        // They were read from a phone and serialize as what they are: there is nothing in them that could fail.
        let elements = serde_json::to_string(screen.elements).ok();
        // Packing takes longer than writing: it is done before the database is held.
        let digest = on_a_blocking_thread({
            let frame = frame.clone();
            move || digest(&frame)
        })
        .await?;
        let known = self
            .database()
            .read({
                let (run, digest) = (run.clone(), digest.clone());
                move |connection| kept(connection, &run, &digest)
            })
            .await?;
        if let Some(n) = known
            && self.full_size_frames().holds(&run, n)
        {
            return Ok(frame_id::of(&run, n));
        }
        let is_new = known.is_none();
        let (small, sharp) = on_a_blocking_thread(move || pack(&frame, is_new)).await?;
        let n = match (known, small) {
            (Some(n), _) => n,
            (None, small) => {
                let new = NewPicture {
                    digest,
                    size,
                    bytes: small.unwrap_or_default(),
                    elements,
                };
                self.insert(&run, new).await?
            }
        };
        self.full_size_frames().hold(&run, n, sharp);
        Ok(frame_id::of(&run, n))
    }

    async fn insert(&self, run: &RunId, new: NewPicture) -> Result<u32, StoreError> {
        let run = run.clone();
        let NewPicture {
            digest,
            size: (width, height),
            bytes,
            elements,
        } = new;
        self.database()
            .write(move |transaction| {
                event_log::run_state(transaction, &run)?;
                if let Some(n) = kept(transaction, &run, &digest)? {
                    return Ok(n);
                }
                Ok(transaction.query_row(
                    "INSERT INTO frames (run, n, digest, width, height, bytes, elements)
                     SELECT ?1, 1 + coalesce(max(n), 0), ?2, ?3, ?4, ?5, ?6 FROM frames WHERE run = ?1 RETURNING n",
                    params![run.0, digest, width, height, bytes, elements],
                    |row| row.get(0),
                )?)
            })
            .await
    }
}

/// A picture that is not kept yet.
struct NewPicture {
    digest: Vec<u8>,
    size: (u32, u32),
    bytes: Vec<u8>,
    /// What stands on it, as JSON.
    elements: Option<String>,
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

async fn on_a_blocking_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| StoreError::Broken)?
}

/// What tells one screen from another: its size and its pixels.
fn digest(frame: &Frame) -> Result<Vec<u8>, StoreError> {
    let bytes = u64::from(frame.width) * u64::from(frame.height) * 4;
    if bytes == 0 || bytes != frame.rgba.len() as u64 {
        return Err(StoreError::BadPicture);
    }
    let mut digest = Sha256::new();
    digest.update(frame.width.to_be_bytes());
    digest.update(frame.height.to_be_bytes());
    digest.update(&frame.rgba);
    Ok(digest.finalize().to_vec())
}

/// The small picture, where it is wanted, and the sharp one.
fn pack(frame: &Frame, is_new: bool) -> Result<(Option<Vec<u8>>, Vec<u8>), StoreError> {
    let bad = |_| StoreError::BadPicture;
    let small = if is_new {
        let small = scale(frame, STEP_SIDE).map_err(bad)?;
        Some(encode_jpeg(&small, STEP_QUALITY).map_err(bad)?)
    } else {
        None
    };
    Ok((small, encode_jpeg(frame, SHARP_QUALITY).map_err(bad)?))
}
