//! H.264 as the encoder of a phone gives it (`MediaCodec`): the parameter sets once, in a buffer of their own, then one
//! buffer a picture; Constrained Baseline, one slice, a key frame at the start and after so many pictures.
//!
//! The bit rate asked for chooses how fine a picture is; none is left out to keep it, as with the variable rates of phones.

pub(crate) use super::parameters::Vui;
use super::parameters::with_vui;
use super::planes::Planes;
use bytes::Bytes;
use openh264::OpenH264API;
use openh264::encoder::{
    BitRate, Complexity, Encoder as Library, EncoderConfig, FrameRate, IntraFramePeriod, Profile, QpRange,
    RateControlMode, UsageType,
};

/// Sides an encoder takes, in pixels, short and long (`getSupportedWidths`, `…Heights`). Invented.
const SHORT: std::ops::RangeInclusive<u32> = 32..=2160;
const LONG: std::ops::RangeInclusive<u32> = 32..=3840;
/// What rates are counted for; the true one varies.
const RATE: f32 = 60.0;
/// NAL units (7.4.1).
const IDR: u8 = 5;
const SEQUENCE: u8 = 7;
const PICTURE: u8 = 8;

/// What an encoder is configured with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Settings {
    /// Pixels, even.
    pub(crate) width: u32,
    /// Pixels, even.
    pub(crate) height: u32,
    /// Bits a second.
    pub(crate) bit_rate: u32,
    /// Pictures from one key frame to the next.
    pub(crate) interval: u32,
    pub(crate) vui: Vui,
}

/// Why there is no encoder, or no picture of one.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoEncoder {
    #[error("no encoder takes pictures of {0}×{1}")]
    Size(u32, u32),
    #[error("the encoder failed")]
    Failed,
    #[error("the library's encoder failed")]
    Library(#[from] openh264::Error),
}

/// One picture.
#[derive(Clone, Debug)]
pub(crate) struct EncoderOutput {
    /// The parameter sets with their start codes, before the first picture.
    pub(crate) config: Option<Bytes>,
    /// The picture's NAL units with their start codes.
    pub(crate) frame: Bytes,
    /// Nothing before it is needed to show it.
    pub(crate) key: bool,
}

/// An encoder at work.
pub(crate) struct Encoder {
    library: Library,
    vui: Vui,
    told: bool,
}

impl std::fmt::Debug for Encoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Encoder")
            .field("told", &self.told)
            .finish_non_exhaustive()
    }
}

/// How coarse a picture becomes (QP) at so many bits for a pixel: 24 at what scrcpy asks for on a display of 1080×2400.
fn coarseness(bits: f32) -> u8 {
    (24.0 - 4.0 * (bits / 0.05).log2()).round().clamp(18.0, 40.0) as u8
}

impl Encoder {
    /// Whether an encoder takes pictures of a size.
    pub(crate) fn takes(width: u32, height: u32) -> bool {
        let even = width.is_multiple_of(2) && height.is_multiple_of(2);
        even && SHORT.contains(&width.min(height)) && LONG.contains(&width.max(height))
    }

    /// Configures an encoder.
    ///
    /// # Errors
    /// When it does not take such pictures.
    pub(crate) fn new(settings: &Settings) -> Result<Self, NoEncoder> {
        let Settings { width, height, .. } = *settings;
        if !Self::takes(width, height) {
            return Err(NoEncoder::Size(width, height));
        }
        let bits = settings.bit_rate as f32 / (width as f32 * height as f32 * RATE);
        let coarse = coarseness(bits);
        let config = EncoderConfig::new()
            .bitrate(BitRate::from_bps(settings.bit_rate))
            .max_frame_rate(FrameRate::from_hz(RATE))
            // Neither leaves pictures out nor speaks to standard error.
            .rate_control_mode(RateControlMode::Bufferbased)
            .skip_frames(false)
            .qp(QpRange::new(coarse, coarse))
            .usage_type(UsageType::CameraVideoRealTime)
            .profile(Profile::Baseline)
            .complexity(Complexity::Low)
            .num_threads(1)
            // Each costs as much as the rest, for what a display does not need.
            .scene_change_detect(false)
            .adaptive_quantization(false)
            .background_detection(false)
            .intra_frame_period(IntraFramePeriod::from_num_frames(settings.interval));
        Ok(Self {
            library: Library::with_api_config(OpenH264API::from_source(), config)?,
            vui: settings.vui,
            told: false,
        })
    }

    /// Encodes a picture.
    ///
    /// # Errors
    /// When the library does not.
    pub(crate) fn encode(&mut self, planes: &Planes) -> Result<EncoderOutput, NoEncoder> {
        const START: [u8; 4] = [0, 0, 0, 1];
        let stream = self.library.encode(planes)?;
        let (mut config, mut frame, mut key) = (Vec::new(), Vec::new(), false);
        for layer in (0..stream.num_layers()).filter_map(|at| stream.layer(at)) {
            for unit in (0..layer.nal_count()).filter_map(|at| layer.nal_unit(at)) {
                let zeros = unit.iter().take_while(|byte| **byte == 0).count();
                let unit = unit.get(zeros + 1..).unwrap_or_default();
                let kind = unit.first().map_or(0, |head| head & 0x1f);
                let into = match kind {
                    SEQUENCE | PICTURE => &mut config,
                    _ => &mut frame,
                };
                key |= kind == IDR;
                into.extend_from_slice(&START);
                match (kind == SEQUENCE).then(|| with_vui(unit, self.vui)).flatten() {
                    Some(set) => into.extend_from_slice(&set),
                    None => into.extend_from_slice(unit),
                }
            }
        }
        // The library repeats its sets before every key frame; a phone's encoder gives them once.
        let first = !std::mem::replace(&mut self.told, true);
        Ok(EncoderOutput {
            config: first.then(|| Bytes::from(config)),
            frame: Bytes::from(frame),
            key,
        })
    }
}
