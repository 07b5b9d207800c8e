//! Video usability information: the part of a sequence parameter set that tells how to show the picture (E.1.1).

use crate::bits::{Reader, Writer};

/// What a set tells beside the picture's size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vui {
    /// How wide a pixel is.
    pub aspect: Option<Aspect>,
    /// Whether a screen may cut the edges off.
    pub overscan: Option<bool>,
    /// What the samples mean.
    pub signal: Option<Signal>,
    /// Where chroma samples lie: top field, bottom field.
    pub chroma_location: Option<(u32, u32)>,
    /// The clock.
    pub timing: Option<Timing>,
    /// The reference decoder of NAL units.
    pub nal_hrd: Option<Hrd>,
    /// The reference decoder of video data.
    pub vcl_hrd: Option<Hrd>,
    /// Told with either of the two.
    pub low_delay: Option<bool>,
    /// Timing messages say whether a picture is frame or field.
    pub picture_structure: bool,
    /// What the stream promises not to do.
    pub restriction: Option<Restriction>,
    /// How many bits of it stand before `bitstream_restriction_flag`.
    pub(super) bits: usize,
}

/// How wide a pixel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// By number (table E-1); 1 is square.
    Known(u8),
    /// Width to height.
    Ratio(u16, u16),
}

/// What the samples mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    /// `video_format`; 5 is none in particular.
    pub format: u8,
    /// Black is 0 and white 255, not 16 and 235.
    pub full_range: bool,
    /// The colours.
    pub colour: Option<Colour>,
}

/// The colours, by the numbers of tables E-3 to E-5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// `colour_primaries`.
    pub primaries: u8,
    /// `transfer_characteristics`.
    pub transfer: u8,
    /// `matrix_coefficients`; 1 is BT.709, 5 and 6 are BT.601.
    pub matrix: u8,
}

/// The clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// `num_units_in_tick`.
    pub units: u32,
    /// `time_scale`: units a second.
    pub scale: u32,
    /// Every frame lasts as long as any other.
    pub fixed: bool,
}

/// A reference decoder (E.1.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hrd {
    /// `bit_rate_scale`.
    pub rate_scale: u8,
    /// `cpb_size_scale`.
    pub size_scale: u8,
    /// Of each buffer: `bit_rate_value_minus1`, `cpb_size_value_minus1`, constant rate.
    pub buffers: Vec<(u32, u32, bool)>,
    /// Lengths in bits: initial removal delay, removal delay, output delay (each less 1), time offset.
    pub lengths: [u8; 4],
}

/// What the stream promises not to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restriction {
    /// Motion may point outside the picture.
    pub over_boundaries: bool,
    /// `max_bytes_per_pic_denom`.
    pub bytes_denominator: u32,
    /// `max_bits_per_mb_denom`.
    pub bits_denominator: u32,
    /// `log2_max_mv_length_horizontal`, `…_vertical`.
    pub motion: (u32, u32),
    /// `max_num_reorder_frames`.
    pub reorder_frames: u32,
    /// `max_dec_frame_buffering`.
    pub buffered_frames: u32,
}

impl Default for Restriction {
    /// What E.2.1 has decoders take where nothing is told.
    fn default() -> Self {
        Self {
            over_boundaries: true,
            bytes_denominator: 2,
            bits_denominator: 1,
            motion: (15, 15),
            reorder_frames: 0,
            buffered_frames: 0,
        }
    }
}

impl Restriction {
    pub(super) fn write(&self, writer: &mut Writer) {
        writer.flag(true);
        writer.flag(self.over_boundaries);
        for value in [
            self.bytes_denominator,
            self.bits_denominator,
            self.motion.0,
            self.motion.1,
            self.reorder_frames,
            self.buffered_frames,
        ] {
            writer.unsigned(value);
        }
    }

    fn read(bits: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            over_boundaries: bits.flag()?,
            bytes_denominator: bits.unsigned()?,
            bits_denominator: bits.unsigned()?,
            motion: (bits.unsigned()?, bits.unsigned()?),
            reorder_frames: bits.unsigned()?,
            buffered_frames: bits.unsigned()?,
        })
    }
}

impl Hrd {
    fn read(bits: &mut Reader<'_>) -> Option<Self> {
        let count = bits.unsigned()?;
        if count > 31 {
            return None;
        }
        let rate_scale = byte(bits, 4)?;
        let size_scale = byte(bits, 4)?;
        let mut buffers = Vec::new();
        for _ in 0..=count {
            buffers.push((bits.unsigned()?, bits.unsigned()?, bits.flag()?));
        }
        Some(Self {
            rate_scale,
            size_scale,
            buffers,
            lengths: [byte(bits, 5)?, byte(bits, 5)?, byte(bits, 5)?, byte(bits, 5)?],
        })
    }
}

fn byte(bits: &mut Reader<'_>, count: u32) -> Option<u8> {
    u8::try_from(bits.number(count)?).ok()
}

/// Reads what stands behind a flag that says whether it does. Nothing: the bits ended.
fn optional<'a, T>(
    bits: &mut Reader<'a>,
    read: impl FnOnce(&mut Reader<'a>) -> Option<T>,
) -> Option<Option<T>> {
    if bits.flag()? {
        read(bits).map(Some)
    } else {
        Some(None)
    }
}

impl Vui {
    /// Reads one; nothing when it ends early.
    pub(super) fn read(bits: &mut Reader<'_>) -> Option<Self> {
        let start = bits.position();
        let aspect = optional(bits, |bits| {
            let short = |bits: &mut Reader<'_>| u16::try_from(bits.number(16)?).ok();
            Some(match byte(bits, 8)? {
                255 => Aspect::Ratio(short(bits)?, short(bits)?),
                known => Aspect::Known(known),
            })
        })?;
        let overscan = optional(bits, Reader::flag)?;
        let signal = optional(bits, |bits| {
            Some(Signal {
                format: byte(bits, 3)?,
                full_range: bits.flag()?,
                colour: optional(bits, |bits| {
                    Some(Colour {
                        primaries: byte(bits, 8)?,
                        transfer: byte(bits, 8)?,
                        matrix: byte(bits, 8)?,
                    })
                })?,
            })
        })?;
        let chroma_location = optional(bits, |bits| Some((bits.unsigned()?, bits.unsigned()?)))?;
        let timing = optional(bits, |bits| {
            Some(Timing {
                units: bits.number(32)?,
                scale: bits.number(32)?,
                fixed: bits.flag()?,
            })
        })?;
        let nal_hrd = optional(bits, Hrd::read)?;
        let vcl_hrd = optional(bits, Hrd::read)?;
        let low_delay = if nal_hrd.is_some() || vcl_hrd.is_some() {
            Some(bits.flag()?)
        } else {
            None
        };
        let picture_structure = bits.flag()?;
        let end = bits.position();
        Some(Self {
            aspect,
            overscan,
            signal,
            chroma_location,
            timing,
            nal_hrd,
            vcl_hrd,
            low_delay,
            picture_structure,
            // It is written anew: one that cannot be read is as good as none.
            restriction: optional(bits, Restriction::read).flatten(),
            bits: end - start,
        })
    }
}
