//! The picture, as requests carry it.

use crate::trouble::Trouble;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use protocol::Frame;
use screen::picture::encode_jpeg;

/// Legible text at a fraction of PNG's size.
const QUALITY: u8 = 80;

/// `frame` as a data URL. Packed off the async threads: a large picture takes some milliseconds.
///
/// # Errors
/// When the frame is not what it says it is.
pub(crate) async fn data_url(frame: Frame) -> Result<String, Trouble> {
    let packed = tokio::task::spawn_blocking(move || encode_jpeg(&frame, QUALITY)).await;
    let jpeg = packed
        .map_err(|e| Trouble::Internal(e.to_string()))?
        .map_err(|e| Trouble::Internal(e.to_string()))?;
    Ok(format!("data:image/jpeg;base64,{}", STANDARD.encode(jpeg)))
}
