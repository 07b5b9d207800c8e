use super::*;
use h264_reader::nal::sps::SeqParameterSet;
use h264_reader::nal::{Nal, RefNal};
use proptest::prelude::*;

/// Sets as encoders wrote them: profile and level, size, the unit. Each has three reference frames and a VUI.
type Seen = (&'static str, (u8, u8), (u16, u16), &'static [u8]);
const SEEN: [Seen; 2] = [
    (
        "x264, Baseline, cropped",
        (66, 11),
        (100, 206),
        b"\x67\x42\xc0\x0b\xd9\x07\x1b\xe7\xac\x04\x40\0\0\x03\0\x40\0\0\x0f\x03\xc5\x0a\x92",
    ),
    (
        "x264, High, cropped",
        (100, 11),
        (100, 206),
        b"\x67\x64\0\x0b\xac\xb2\x0e\x37\xcf\x58\x08\x80\0\0\x03\0\x80\0\0\x1e\x07\x8a\x15\x24",
    ),
];

#[test]
fn sets_are_read_as_another_reader_reads_them() {
    for (name, (profile, level), size, unit) in SEEN {
        let sps = Sps::read(unit).unwrap();
        assert_eq!((sps.profile, sps.level), (profile, level), "{name}");
        assert_eq!((sps.width, sps.height), size, "{name}");
        assert_eq!((sps.reference_frames, sps.vui.is_some()), (3, true), "{name}");
        assert!(sps.frames_only, "{name}");
        agree(unit, &sps);
    }
}

#[test]
fn the_codecs_name_is_its_first_three_bytes() {
    let sps = Sps::read(SEEN[0].3).unwrap();
    assert_eq!(sps.codec(), "42C00B");
}

#[test]
fn what_is_no_set_is_named() {
    let high = SEEN[1].3;
    for (unit, why) in [
        (&b""[..], "it is empty"),
        (b"\x68\xce", "it is something else"),
        (&high[..8], "it ends early"),
        (&[high, &[0x55; 5000]].concat(), "it is too long"),
    ] {
        assert_eq!(Sps::read(unit), Err(VideoError::Sps(why)));
    }
    let mut narrow = Fields {
        crop: Some([0, 50, 0, 0]),
        ..Fields::default()
    };
    narrow.across = 5;
    let why = VideoError::Sps("a size that cannot be");
    assert_eq!(Sps::read(&narrow.unit()), Err(why.clone()));
    let wide = Fields {
        across: 5000,
        ..Fields::default()
    };
    assert_eq!(Sps::read(&wide.unit()), Err(why));
}

/// A VUI that ends early is left out of the set that is sent on, and the picture keeps its size.
#[test]
fn a_broken_vui_is_replaced() {
    let mut writer = Fields::default().body();
    writer.flag(true);
    // aspect_ratio_info, extended: 32 bits should follow.
    writer.number(0x1ff, 9);
    let unit = [&[0x67][..], &nal::escape(&writer.finish())].concat();
    let sps = Sps::read(&unit).unwrap();
    assert_eq!(sps.vui, None);
    let again = Sps::read(&sps.prompt()).unwrap();
    assert_eq!((again.width, again.height), (sps.width, sps.height));
    assert_eq!(again.vui.unwrap().restriction.unwrap().reorder_frames, 0);
}

/// What may stand in a set, for making any.
#[derive(Clone, Debug)]
struct Fields {
    profile: u8,
    level: u8,
    chroma: u32,
    scaling: bool,
    order_type: u32,
    cycle: Vec<i8>,
    references: u32,
    across: u32,
    down: u32,
    fields: bool,
    crop: Option<[u32; 4]>,
    vui: Option<VuiFields>,
}

#[derive(Clone, Debug)]
struct VuiFields {
    aspect: Option<u8>,
    overscan: Option<bool>,
    signal: Option<Option<[u8; 3]>>,
    chroma: Option<(u32, u32)>,
    timing: Option<(u32, u32)>,
    nal_hrd: Option<Vec<u32>>,
    vcl_hrd: Option<Vec<u32>>,
    restriction: Option<(u32, u32)>,
}

impl Default for Fields {
    fn default() -> Self {
        Self {
            profile: 66,
            level: 40,
            chroma: 1,
            scaling: false,
            order_type: 2,
            cycle: vec![],
            references: 1,
            across: 36,
            down: 80,
            fields: false,
            crop: None,
            vui: None,
        }
    }
}

fn signed(writer: &mut Writer, value: i8) {
    let value = i32::from(value);
    let code = if value > 0 { 2 * value - 1 } else { -2 * value };
    writer.unsigned(u32::try_from(code).unwrap());
}

impl Fields {
    /// Everything before `vui_parameters_present_flag`.
    fn body(&self) -> Writer {
        let mut w = Writer::default();
        w.number(u32::from(self.profile), 8);
        w.number(0, 8);
        w.number(u32::from(self.level), 8);
        w.unsigned(0);
        if self.profile >= 100 {
            w.unsigned(self.chroma);
            if self.chroma == 3 {
                w.flag(false);
            }
            w.unsigned(0);
            w.unsigned(0);
            w.flag(false);
            w.flag(self.scaling);
            if self.scaling {
                for list in 0..if self.chroma == 3 { 12 } else { 8 } {
                    w.flag(list % 2 == 0);
                    if list % 2 == 0 {
                        for step in 0..if list < 6 { 16 } else { 64 } {
                            signed(&mut w, if step == 0 { 8 } else { 0 });
                        }
                    }
                }
            }
        }
        w.unsigned(0);
        w.unsigned(self.order_type);
        match self.order_type {
            0 => w.unsigned(4),
            1 => {
                w.flag(false);
                signed(&mut w, -3);
                signed(&mut w, 5);
                w.unsigned(u32::try_from(self.cycle.len()).unwrap());
                for offset in &self.cycle {
                    signed(&mut w, *offset);
                }
            }
            _ => {}
        }
        w.unsigned(self.references);
        w.flag(false);
        w.unsigned(self.across - 1);
        w.unsigned(self.down - 1);
        w.flag(!self.fields);
        if self.fields {
            w.flag(true);
        }
        w.flag(true);
        w.flag(self.crop.is_some());
        for offset in self.crop.iter().flatten() {
            w.unsigned(*offset);
        }
        w
    }

    fn unit(&self) -> Vec<u8> {
        let mut w = self.body();
        w.flag(self.vui.is_some());
        if let Some(vui) = &self.vui {
            vui.write(&mut w);
        }
        [&[0x67][..], &nal::escape(&w.finish())].concat()
    }
}

impl VuiFields {
    fn write(&self, w: &mut Writer) {
        w.flag(self.aspect.is_some());
        if let Some(aspect) = self.aspect {
            w.number(u32::from(aspect), 8);
            if aspect == 255 {
                w.number(4, 16);
                w.number(3, 16);
            }
        }
        w.flag(self.overscan.is_some());
        self.overscan.iter().for_each(|flag| w.flag(*flag));
        w.flag(self.signal.is_some());
        if let Some(colour) = self.signal {
            w.number(5, 3);
            w.flag(true);
            w.flag(colour.is_some());
            for value in colour.iter().flatten() {
                w.number(u32::from(*value), 8);
            }
        }
        w.flag(self.chroma.is_some());
        if let Some((top, bottom)) = self.chroma {
            w.unsigned(top);
            w.unsigned(bottom);
        }
        w.flag(self.timing.is_some());
        if let Some((units, scale)) = self.timing {
            w.number(units, 32);
            w.number(scale, 32);
            w.flag(true);
        }
        for hrd in [&self.nal_hrd, &self.vcl_hrd] {
            w.flag(hrd.is_some());
            if let Some(buffers) = hrd {
                w.unsigned(u32::try_from(buffers.len()).unwrap() - 1);
                w.number(0x12, 8);
                for rate in buffers {
                    w.unsigned(*rate);
                    w.unsigned(rate / 2);
                    w.flag(false);
                }
                w.number(0x5_4321, 20);
            }
        }
        if self.nal_hrd.is_some() || self.vcl_hrd.is_some() {
            w.flag(false);
        }
        w.flag(true);
        match self.restriction {
            None => w.flag(false),
            Some((reorder, buffered)) => Restriction {
                reorder_frames: reorder,
                buffered_frames: buffered,
                ..Restriction::default()
            }
            .write(w),
        }
    }
}

fn vui() -> impl Strategy<Value = VuiFields> {
    let hrd = || prop::option::of(prop::collection::vec(0..100_000_u32, 1..4));
    // Rising, as the standard has it.
    let rising = |hrd: Option<Vec<u32>>| {
        hrd.map(|mut rates| {
            rates.sort_unstable();
            rates.dedup();
            rates
        })
    };
    (
        prop::option::of(prop_oneof![0..17_u8, Just(255)]),
        prop::option::of(any::<bool>()),
        prop::option::of(prop::option::of(any::<[u8; 3]>())),
        prop::option::of((0..6_u32, 0..6_u32)),
        prop::option::of((1..u32::MAX, 1..u32::MAX)),
        hrd().prop_map(rising),
        hrd().prop_map(rising),
        prop::option::of((0..2_u32, 2..5_u32)),
    )
        .prop_map(
            |(aspect, overscan, signal, chroma, timing, nal_hrd, vcl_hrd, restriction)| VuiFields {
                aspect,
                overscan,
                signal,
                chroma,
                timing,
                nal_hrd,
                vcl_hrd,
                restriction,
            },
        )
}

fn fields() -> impl Strategy<Value = Fields> {
    let first = (
        prop::sample::select(vec![66_u8, 77, 100, 110]),
        0..4_u32,
        any::<bool>(),
        0..3_u32,
        prop::collection::vec(any::<i8>(), 0..8),
        0..3_u32,
    );
    let second = (
        4..80_u32,
        4..80_u32,
        any::<bool>(),
        prop::option::of(any::<[u8; 4]>()),
        prop::option::of(vui()),
    );
    (first, second).prop_map(
        |((profile, chroma, scaling, order_type, cycle, references), (across, down, fields, crop, vui))| {
            Fields {
                profile,
                level: 51,
                chroma: if profile >= 100 { chroma } else { 1 },
                scaling,
                order_type,
                cycle,
                references,
                across,
                down,
                fields,
                // At most 60 of 64 samples, and twice that of a side with fields.
                crop: crop.map(|crop| crop.map(|offset| u32::from(offset % 8))),
                vui,
            }
        },
    )
}

/// Every field of ours is the other reader's.
fn agree(unit: &[u8], ours: &Sps) {
    let theirs = SeqParameterSet::from_bits(RefNal::new(unit, &[], true).rbsp_bits()).unwrap();
    let (width, height) = theirs.pixel_dimensions().unwrap();
    assert_eq!((u32::from(ours.width), u32::from(ours.height)), (width, height));
    assert_eq!(u32::from(ours.level), u32::from(theirs.level_idc));
    assert_eq!(ours.profile, u8::from(theirs.profile_idc));
    assert_eq!(ours.reference_frames, theirs.max_num_ref_frames);
    assert_eq!(ours.vui.is_some(), theirs.vui_parameters.is_some());
    let Some((ours, theirs)) = ours.vui.as_ref().zip(theirs.vui_parameters) else {
        return;
    };
    assert_eq!(ours.aspect.is_some(), theirs.aspect_ratio_info.is_some());
    let matrix = ours
        .signal
        .map(|signal| signal.colour.map(|colour| colour.matrix));
    let other = theirs
        .video_signal_type
        .map(|signal| signal.colour_description.map(|colour| colour.matrix_coefficients));
    assert_eq!(matrix, other);
    let chroma = theirs.chroma_loc_info.map(|info| {
        (
            info.chroma_sample_loc_type_top_field,
            info.chroma_sample_loc_type_bottom_field,
        )
    });
    assert_eq!(ours.chroma_location, chroma);
    let timing = theirs.timing_info.map(|timing| Timing {
        units: timing.num_units_in_tick,
        scale: timing.time_scale,
        fixed: timing.fixed_frame_rate_flag,
    });
    assert_eq!(ours.timing, timing);
    for (ours, theirs) in [
        (&ours.nal_hrd, &theirs.nal_hrd_parameters),
        (&ours.vcl_hrd, &theirs.vcl_hrd_parameters),
    ] {
        let ours = ours
            .as_ref()
            .map(|hrd| (hrd.rate_scale, hrd.size_scale, hrd.buffers.len()));
        let theirs = theirs
            .as_ref()
            .map(|hrd| (hrd.bit_rate_scale, hrd.cpb_size_scale, hrd.cpb_specs.len()));
        assert_eq!(ours, theirs);
    }
    assert_eq!(ours.picture_structure, theirs.pic_struct_present_flag);
    let restriction = theirs.bitstream_restrictions.map(|one| Restriction {
        over_boundaries: one.motion_vectors_over_pic_boundaries_flag,
        bytes_denominator: one.max_bytes_per_pic_denom,
        bits_denominator: one.max_bits_per_mb_denom,
        motion: (one.log2_max_mv_length_horizontal, one.log2_max_mv_length_vertical),
        reorder_frames: one.max_num_reorder_frames,
        buffered_frames: one.max_dec_frame_buffering,
    });
    assert_eq!(ours.restriction, restriction);
}

proptest! {
    #[test]
    fn any_set_is_read_and_rewritten_with_its_size(fields in fields()) {
        let unit = fields.unit();
        let Ok(sps) = Sps::read(&unit) else {
            // Cropped to nothing.
            prop_assert!(fields.crop.is_some());
            return Ok(());
        };
        agree(&unit, &sps);
        let prompt = sps.prompt();
        let again = Sps::read(&prompt).unwrap();
        agree(&prompt, &again);
        prop_assert_eq!((again.width, again.height, again.codec()), (sps.width, sps.height, sps.codec()));
        let told = again.vui.unwrap();
        let restriction = told.restriction.unwrap();
        prop_assert_eq!((restriction.reorder_frames, restriction.buffered_frames), (0, sps.reference_frames));
        if let Some(vui) = &sps.vui {
            prop_assert_eq!(&told.signal, &vui.signal);
            prop_assert_eq!(&told.nal_hrd, &vui.nal_hrd);
            prop_assert_eq!(told.bits, vui.bits);
        }
        // The same once more changes nothing.
        prop_assert_eq!(Sps::read(&prompt).unwrap().prompt(), prompt);
        let plain = Sps::read(&sps.plain()).unwrap();
        prop_assert_eq!((plain.width, plain.height, plain.vui), (sps.width, sps.height, None));
    }

    #[test]
    fn any_bytes_are_borne(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let unit = [&[0x67][..], &bytes].concat();
        if let Ok(sps) = Sps::read(&unit) {
            let again = Sps::read(&sps.prompt()).unwrap();
            prop_assert_eq!((again.width, again.height), (sps.width, sps.height));
            prop_assert!(Sps::read(&sps.plain()).is_ok());
        }
    }

    #[test]
    fn a_set_with_a_bit_turned_is_borne(at in 8..180_usize, which in 0..SEEN.len()) {
        let mut unit = SEEN[which].3.to_vec();
        let at = at % (unit.len() * 8);
        unit[at / 8] ^= 1 << (at % 8);
        if let Ok(sps) = Sps::read(&unit) {
            prop_assert!(Sps::read(&sps.prompt()).is_ok());
        }
    }
}
