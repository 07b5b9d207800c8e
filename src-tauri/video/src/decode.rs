//! The same units → pictures, by openh264: for a window without a decoder, and for whoever wants pixels here.
//!
//! Its C code is not memory safe by construction; it is fed only what a phone sent that a person attached.

use crate::VideoError;
use crate::avcc::{self, Configuration, Sample};
use crate::rgba::{self, Colours, Matrix, Plane};
use openh264::OpenH264API;
use openh264::decoder::{DecoderConfig, Flush};
use openh264::formats::YUVSource;
use std::sync::Arc;

/// One picture: 8-bit RGBA, opaque.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// `width × height × 4` bytes.
    pub rgba: Arc<[u8]>,
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture({}×{})", self.width, self.height)
    }
}

/// Decodes one stream, unit by unit. It keeps the newest picture as it was coded, so that only pictures somebody wants to
/// see are turned into RGBA.
#[derive(Default)]
pub struct Decoder {
    /// Made anew with each configuration, and after whatever it could not read.
    inner: Option<openh264::decoder::Decoder>,
    configuration: Option<Arc<Configuration>>,
    newest: Planes,
    /// A unit as openh264 wants it.
    unit: Vec<u8>,
}

/// A picture as it is coded: 4:2:0.
#[derive(Default)]
struct Planes {
    size: (usize, usize),
    strides: (usize, usize, usize),
    y: Vec<u8>,
    u: Vec<u8>,
    v: Vec<u8>,
}

impl Decoder {
    /// What comes from here on is to be read so. It begins with a key frame.
    pub fn configure(&mut self, configuration: &Arc<Configuration>) {
        self.configuration = Some(Arc::clone(configuration));
        self.inner = None;
    }

    /// Decodes one unit; true when there is a new picture. After an error it waits for a key frame: units before it are
    /// no error and give no picture.
    ///
    /// # Errors
    /// [`VideoError::NoParameterSets`], [`VideoError::Undecodable`].
    pub fn decode(&mut self, sample: &Sample) -> Result<bool, VideoError> {
        let configuration = self.configuration.as_ref().ok_or(VideoError::NoParameterSets)?;
        self.unit.clear();
        if self.inner.is_none() {
            if !sample.key {
                return Ok(false);
            }
            // It would flush after each unit, which loses track of its pictures on streams that could reorder.
            let config = DecoderConfig::new().flush_after_decode(Flush::NoFlush);
            let made = openh264::decoder::Decoder::with_api_config(OpenH264API::from_source(), config);
            self.inner = Some(made.map_err(|error| VideoError::Undecodable(error.to_string()))?);
            self.unit.extend_from_slice(&configuration.plain);
        }
        let Some(inner) = &mut self.inner else {
            return Ok(false);
        };
        avcc::annex_b(&sample.data, &mut self.unit);
        match inner.decode(&self.unit) {
            Ok(Some(picture)) => {
                self.newest.take(&picture);
                Ok(true)
            }
            Ok(None) => Ok(false),
            Err(error) => {
                self.inner = None;
                Err(VideoError::Undecodable(error.to_string()))
            }
        }
    }

    /// The newest picture.
    #[must_use]
    pub fn picture(&self) -> Option<Picture> {
        let size = self.newest.size;
        let colours = self.configuration.as_deref().map(colours)?;
        let side = |pixels: usize| u32::try_from(pixels).ok().filter(|pixels| *pixels > 0);
        let (width, height) = (side(size.0)?, side(size.1)?);
        let mut rgba: Arc<[u8]> = std::iter::repeat_n(0, size.0 * size.1 * 4).collect();
        if !rgba::write(Arc::get_mut(&mut rgba)?, size, self.newest.planes(), colours) {
            return None;
        }
        Some(Picture { width, height, rgba })
    }
}

impl Decoder {
    /// The Adler-32 of the newest picture's samples, row by row, plane by plane: to compare decoders by.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        const MODULUS: u32 = 65_521;
        let (width, height) = self.newest.size;
        let (mut a, mut b) = (1, 0);
        for (plane, stride, columns, rows) in [
            (&self.newest.y, self.newest.strides.0, width, height),
            (&self.newest.u, self.newest.strides.1, width / 2, height / 2),
            (&self.newest.v, self.newest.strides.2, width / 2, height / 2),
        ] {
            for row in plane.chunks(stride.max(1)).take(rows) {
                for byte in row.iter().take(columns) {
                    a = (a + u32::from(*byte)) % MODULUS;
                    b = (b + a) % MODULUS;
                }
            }
        }
        b << 16 | a
    }
}

impl Planes {
    fn planes(&self) -> [Plane<'_>; 3] {
        let plane = |samples, stride| Plane { samples, stride };
        [
            plane(&self.y, self.strides.0),
            plane(&self.u, self.strides.1),
            plane(&self.v, self.strides.2),
        ]
    }

    fn take(&mut self, picture: &impl YUVSource) {
        self.size = picture.dimensions();
        self.strides = picture.strides();
        for (plane, bytes) in [
            (&mut self.y, picture.y()),
            (&mut self.u, picture.u()),
            (&mut self.v, picture.v()),
        ] {
            plane.clear();
            plane.extend_from_slice(bytes);
        }
    }
}

/// What the samples mean: as the stream says, else as Android has it by the size
/// (`ColorUtils::setDefaultCodecColorAspectsIfNeeded`).
fn colours(configuration: &Configuration) -> Colours {
    let signal = configuration.sps.vui.as_ref().and_then(|vui| vui.signal);
    let full = signal.is_some_and(|signal| signal.full_range);
    let (width, height) = (configuration.width, configuration.height);
    let small = width.max(height) <= 720 && width.min(height) <= 576;
    let matrix = match signal
        .and_then(|signal| signal.colour)
        .map(|colour| colour.matrix)
    {
        Some(1) => Matrix::Bt709,
        Some(4) => Matrix::Fcc,
        Some(5 | 6) => Matrix::Bt601,
        Some(7) => Matrix::Smpte240,
        Some(9 | 10) => Matrix::Bt2020,
        _ if small => Matrix::Bt601,
        _ => Matrix::Bt709,
    };
    Colours { matrix, full }
}
