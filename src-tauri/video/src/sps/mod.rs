//! Sequence parameter sets: what one says (7.3.2.1.1), and the same one rewritten so that no decoder holds frames back.
//!
//! A decoder that is not told how many frames may come out of order waits for as many as could: six to nine frames of a
//! phone's stream. Screen encoders never reorder. [`Sps::prompt`] therefore says so, in the place the standard has for it
//! (`bitstream_restriction` of the VUI, E.1.1); everything else stays bit for bit.
//!
//! Read here and not by a library because it must bear what phones write: levels too low for the picture, VUIs that end
//! early. What cannot be read of a VUI is left out of the rewritten set.

mod vui;

pub use vui::{Aspect, Colour, Hrd, Restriction, Signal, Timing, Vui};

use crate::VideoError;
use crate::bits::{Reader, Writer};
use crate::nal;

/// No parameter set is longer; what is has been garbled on the way.
const LONGEST: usize = 4096;
/// Pixels on a side that no phone has.
const LARGEST: u32 = 16_384;

/// One sequence parameter set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sps {
    /// `profile_idc`: 66 Baseline, 77 Main, 100 High.
    pub profile: u8,
    /// The six constraint flags, from the top bit, and two zeros.
    pub constraints: u8,
    /// `level_idc`: ten times the level.
    pub level: u8,
    /// `seq_parameter_set_id`.
    pub id: u32,
    /// `chroma_format_idc`: 0 grey, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    pub chroma_format: u32,
    /// Bits of a sample, luma.
    pub luma_depth: u32,
    /// Bits of a sample, chroma.
    pub chroma_depth: u32,
    /// `pic_order_cnt_type`.
    pub order_type: u32,
    /// `max_num_ref_frames`.
    pub reference_frames: u32,
    /// Pixels that are shown.
    pub width: u16,
    /// Pixels that are shown.
    pub height: u16,
    /// Pixels that are coded: whole macroblocks.
    pub coded: (u32, u32),
    /// No fields: every picture is a whole frame.
    pub frames_only: bool,
    /// What else it tells; nothing when it has none, or one that cannot be read.
    pub vui: Option<Vui>,
    /// The first byte of the NAL unit.
    header: u8,
    payload: Vec<u8>,
    /// Bits of the payload before `chroma_format_idc`, or where it would stand.
    head: usize,
    /// Bits of the payload before `vui_parameters_present_flag`.
    body: usize,
    /// Bits of the payload before `log2_max_frame_num_minus4`.
    middle: usize,
}

impl Sps {
    /// Reads a NAL unit, its first byte included.
    ///
    /// # Errors
    /// [`VideoError::Sps`] when it is none, ends early, or has a size that cannot be.
    pub fn read(unit: &[u8]) -> Result<Self, VideoError> {
        let (header, rest) = unit.split_first().ok_or(VideoError::Sps("it is empty"))?;
        if nal::kind(*header) != nal::Kind::Sps {
            return Err(VideoError::Sps("it is something else"));
        }
        if rest.len() > LONGEST {
            return Err(VideoError::Sps("it is too long"));
        }
        let payload = nal::unescape(rest);
        let mut sps = read(&payload)?;
        sps.header = *header;
        sps.payload = payload;
        Ok(sps)
    }

    /// Three bytes in hexadecimal: profile, constraints, level. `avc1.` and this name the codec (RFC 6381).
    #[must_use]
    pub fn codec(&self) -> String {
        format!("{:02X}{:02X}{:02X}", self.profile, self.constraints, self.level)
    }

    /// The same set as a NAL unit that makes decoders show every frame at once: no frame is reordered
    /// (`max_num_reorder_frames` 0), and no more are kept than are referred to.
    #[must_use]
    pub fn prompt(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.copy(&self.payload, 0, self.body);
        writer.flag(true);
        match &self.vui {
            Some(vui) => writer.copy(&self.payload, self.body + 1, self.body + 1 + vui.bits),
            // aspect_ratio, overscan, video_signal, chroma_loc, timing, nal_hrd, vcl_hrd, pic_struct: none.
            None => writer.number(0, 8),
        }
        let told = self.vui.as_ref().and_then(|vui| vui.restriction);
        let restriction = Restriction {
            reorder_frames: 0,
            buffered_frames: self.reference_frames,
            ..told.unwrap_or_default()
        };
        restriction.write(&mut writer);
        self.unit(writer)
    }

    /// The same set for openh264, which knows no HRD, and which gives every frame at once of a *Scalable Baseline* stream
    /// (83) but keeps the last back of a Main or High one, whatever the VUI says. The picture is decoded the same way: the
    /// profile only says which tools may occur.
    pub(crate) fn plain(&self) -> Vec<u8> {
        const SCALABLE_BASELINE: u32 = 83;
        if matches!(self.profile, 66 | 83) {
            let mut writer = Writer::default();
            writer.copy(&self.payload, 0, self.body);
            writer.flag(false);
            return self.unit(writer);
        }
        let mut writer = Writer::default();
        writer.number(SCALABLE_BASELINE, 8);
        writer.copy(&self.payload, 8, self.head);
        if self.head == self.middle {
            // Main says nothing of these: 4:2:0, 8 bits, 8 bits, no bypass, no scaling matrix.
            writer.unsigned(1);
            writer.unsigned(0);
            writer.unsigned(0);
            writer.flag(false);
            writer.flag(false);
        }
        writer.copy(&self.payload, self.head, self.body);
        writer.flag(false);
        self.unit(writer)
    }

    fn unit(&self, writer: Writer) -> Vec<u8> {
        let mut unit = vec![self.header];
        unit.extend(nal::escape(&writer.finish()));
        unit
    }
}

/// Whether a profile's sets tell the chroma format (7.3.2.1.1).
fn tells_chroma(profile: u8) -> bool {
    matches!(
        profile,
        100 | 110 | 122 | 244 | 44 | 83 | 86 | 118 | 128 | 138 | 139 | 134 | 135
    )
}

fn read(payload: &[u8]) -> Result<Sps, VideoError> {
    let mut bits = Reader::new(payload);
    let mut sps = data(&mut bits).ok_or(VideoError::Sps("it ends early"))??;
    sps.body = bits.position();
    // A set without this flag is cut; one whose VUI cannot be read is not.
    if bits.flag().ok_or(VideoError::Sps("it ends early"))? {
        sps.vui = Vui::read(&mut bits);
    }
    Ok(sps)
}

/// Everything before the VUI. Nothing: it ended early.
fn data(bits: &mut Reader<'_>) -> Option<Result<Sps, VideoError>> {
    let small = |bits: &mut Reader<'_>, n| bits.number(n).and_then(|value| u8::try_from(value).ok());
    let profile = small(bits, 8)?;
    let constraints = small(bits, 8)?;
    let level = small(bits, 8)?;
    let id = bits.unsigned()?;
    let head = bits.position();
    let (mut chroma_format, mut luma_depth, mut chroma_depth) = (1, 8, 8);
    let mut planes_apart = false;
    if tells_chroma(profile) {
        chroma_format = bits.unsigned()?;
        if chroma_format == 3 {
            planes_apart = bits.flag()?;
        }
        luma_depth = bits.unsigned()?.saturating_add(8);
        chroma_depth = bits.unsigned()?.saturating_add(8);
        let _bypass = bits.flag()?;
        if bits.flag()? {
            scaling_lists(bits, if chroma_format == 3 { 12 } else { 8 })?;
        }
    }
    let middle = bits.position();
    let _log2_max_frame_num = bits.unsigned()?;
    let order_type = bits.unsigned()?;
    match order_type {
        0 => {
            let _log2_max_order_count = bits.unsigned()?;
        }
        1 => {
            let _always_zero = bits.flag()?;
            let _offsets = (bits.signed()?, bits.signed()?);
            let cycle = bits.unsigned()?;
            if cycle > 255 {
                return Some(Err(VideoError::Sps("a cycle of more than 255 frames")));
            }
            for _ in 0..cycle {
                bits.signed()?;
            }
        }
        _ => {}
    }
    let reference_frames = bits.unsigned()?;
    let _gaps = bits.flag()?;
    let across = bits.unsigned()?.checked_add(1);
    let down = bits.unsigned()?.checked_add(1);
    let frames_only = bits.flag()?;
    if !frames_only {
        let _adaptive = bits.flag()?;
    }
    let _direct = bits.flag()?;
    let crop = if bits.flag()? {
        [
            bits.unsigned()?,
            bits.unsigned()?,
            bits.unsigned()?,
            bits.unsigned()?,
        ]
    } else {
        [0; 4]
    };
    let fields = if frames_only { 1 } else { 2 };
    let coded = across
        .zip(down)
        .and_then(|(across, down)| Some((across.checked_mul(16)?, down.checked_mul(16 * fields)?)))
        .filter(|(width, height)| *width <= LARGEST && *height <= LARGEST);
    // Table 6-1: how many samples a chroma sample stands for.
    let unit = match chroma_format {
        1 if !planes_apart => (2, 2 * fields),
        2 if !planes_apart => (2, fields),
        _ => (1, fields),
    };
    let shown = coded.and_then(|coded| cropped(coded, crop, unit));
    if reference_frames > 16 {
        return Some(Err(VideoError::Sps("more than 16 reference frames")));
    }
    let Some((coded, (width, height))) = coded.zip(shown) else {
        return Some(Err(VideoError::Sps("a size that cannot be")));
    };
    Some(Ok(Sps {
        profile,
        constraints,
        level,
        id,
        chroma_format,
        luma_depth,
        chroma_depth,
        order_type,
        reference_frames,
        width,
        height,
        coded,
        frames_only,
        vui: None,
        header: 0,
        payload: Vec::new(),
        head,
        middle,
        body: 0,
    }))
}

fn cropped(coded: (u32, u32), [left, right, top, bottom]: [u32; 4], unit: (u32, u32)) -> Option<(u16, u16)> {
    let side = |whole: u32, one: u32, other: u32, unit: u32| {
        let cut = one.checked_add(other)?.checked_mul(unit)?;
        let left = u16::try_from(whole.checked_sub(cut)?).ok()?;
        (left > 0).then_some(left)
    };
    Some((
        side(coded.0, left, right, unit.0)?,
        side(coded.1, top, bottom, unit.1)?,
    ))
}

/// 7.3.2.1.1.1; read only to get past them.
fn scaling_lists(bits: &mut Reader<'_>, count: usize) -> Option<()> {
    for list in 0..count {
        if !bits.flag()? {
            continue;
        }
        let (mut last, mut next) = (8_i32, 8_i32);
        for _ in 0..if list < 6 { 16 } else { 64 } {
            if next != 0 {
                let delta = bits.signed()?;
                next = last.wrapping_add(delta).rem_euclid(256);
            }
            if next != 0 {
                last = next;
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests;
