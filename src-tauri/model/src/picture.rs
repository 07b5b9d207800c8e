//! The picture, as requests carry it.

use crate::trouble::Trouble;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use protocol::Frame;
use screen::picture::{encode_jpeg, encode_png};

/// Legible text at a fraction of PNG's size.
const QUALITY: u8 = 80;

/// How a picture is packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Packing {
    /// Small; every maker takes it.
    #[default]
    Jpeg,
    /// Every pixel as it was, for models trained on such.
    Png,
}

/// One picture, packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) media_type: &'static str,
    pub(crate) base64: String,
}

impl Picture {
    /// `frame`, packed off the async threads: a large picture takes some milliseconds.
    ///
    /// # Errors
    /// When the frame is not what it says it is.
    pub(crate) async fn pack(frame: Frame, packing: Packing) -> Result<Self, Trouble> {
        let packed = tokio::task::spawn_blocking(move || match packing {
            Packing::Jpeg => encode_jpeg(&frame, QUALITY),
            Packing::Png => encode_png(&frame),
        });
        let bytes = packed
            .await
            .map_err(|e| Trouble::Internal(e.to_string()))?
            .map_err(|e| Trouble::Internal(e.to_string()))?;
        Ok(Self {
            media_type: match packing {
                Packing::Jpeg => "image/jpeg",
                Packing::Png => "image/png",
            },
            base64: STANDARD.encode(bytes),
        })
    }

    /// As a data URL.
    pub(crate) fn url(&self) -> String {
        format!("data:{};base64,{}", self.media_type, self.base64)
    }
}
