//! A stream that was encoded beforehand: a phone that plays one needs no time for drawing and encoding.

use super::encoder::{Encoder, NoEncoder, Settings, Vui};
use super::planes::{Planes, Projection};
use crate::android::Android;
use bytes::Bytes;
use std::time::Duration;

/// How a clip is to be made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipOptions {
    /// Pixels, even.
    pub size: (u32, u32),
    /// Pictures a second.
    pub fps: u32,
    /// How long it is.
    pub seconds: u32,
    /// Bits a second.
    pub bit_rate: u32,
}

/// Why no clip was made.
#[derive(Debug, thiserror::Error)]
#[error("no clip: {0}")]
pub struct NoClip(String);

impl From<NoEncoder> for NoClip {
    fn from(why: NoEncoder) -> Self {
        Self(why.to_string())
    }
}

/// A stream that was encoded beforehand; it begins with its only key frame.
#[derive(Clone, Debug)]
pub struct Clip {
    options: ClipOptions,
    pub(super) config: Bytes,
    pub(super) pictures: Vec<Bytes>,
}

impl Clip {
    /// Records what a system shows, in the system's own time: it is born at the beginning of 1970, and its clock stands at
    /// the clip's time, so that a counter on its screen ([`crate::timecode`]) counts milliseconds from the clip's begin.
    ///
    /// # Errors
    /// When no encoder takes pictures of that size.
    pub fn record(android: &mut dyn Android, options: ClipOptions) -> Result<Self, NoClip> {
        let (width, height) = options.size;
        let count = options.fps.saturating_mul(options.seconds).max(1);
        let mut encoder = Encoder::new(&Settings {
            width,
            height,
            bit_rate: options.bit_rate,
            interval: count,
            vui: Vui::None,
        })?;
        let mut planes = Planes::new(width, height);
        let mut clip = Self {
            options,
            config: Bytes::new(),
            pictures: Vec::new(),
        };
        let mut seen = 0;
        android.set_born(Duration::ZERO);
        for picture in 0..count {
            android.tick(clip.due(picture));
            android.show(seen, &mut |sight| {
                let display = (sight.width, sight.height);
                planes.take(sight, &Projection::stretched(display, options.size));
                seen = sight.generation;
            });
            let coded = encoder.encode(&planes)?;
            if let Some(config) = coded.config {
                clip.config = config;
            }
            clip.pictures.push(coded.frame);
        }
        Ok(clip)
    }

    /// How it was made.
    #[must_use]
    pub fn options(&self) -> &ClipOptions {
        &self.options
    }

    /// The whole stream (Annex B).
    #[must_use]
    pub fn annex_b(&self) -> Vec<u8> {
        let mut bytes = self.config.to_vec();
        self.pictures
            .iter()
            .for_each(|picture| bytes.extend_from_slice(picture));
        bytes
    }

    /// Its pictures, each with start codes, after the parameter sets.
    #[must_use]
    pub fn pictures(&self) -> (&Bytes, &[Bytes]) {
        (&self.config, &self.pictures)
    }

    /// When a picture is shown, from the begin; it goes on beyond the clip's end.
    pub(super) fn due(&self, picture: u32) -> Duration {
        // Not a part of a nanosecond early: then a screen of the same rate would still show the picture before.
        let nanos = u64::from(picture) * 1_000_000_000;
        Duration::from_nanos(nanos.div_ceil(u64::from(self.options.fps.max(1))))
    }

    /// The first key frame that is due at a time or later: its number, counted on beyond the clip's end.
    pub(super) fn key_after(&self, time: Duration) -> u32 {
        let number = time.as_nanos() * u128::from(self.options.fps.max(1)) / 1_000_000_000;
        let length = u128::try_from(self.pictures.len().max(1)).unwrap_or(1);
        u32::try_from((number + 1).div_ceil(length) * length).unwrap_or(u32::MAX)
    }
}
