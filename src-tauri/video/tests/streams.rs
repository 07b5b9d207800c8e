//! Whole streams: encoded here by openh264, or beforehand by x264, and through the room to a decoder's pictures.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

#[path = "../../../tests/shared/long.rs"]
mod long;

use bytes::Bytes;
use openh264::OpenH264API;
use openh264::encoder::{
    Encoder, EncoderConfig, IntraFramePeriod, RateControlMode, SpsPpsStrategy, UsageType, VuiConfig,
};
use openh264::formats::{RgbaSliceU8, YUVBuffer};
use proptest::prelude::*;
use std::sync::Arc;
use video::annex_b::{Part, Splitter};
use video::avcc::{Configuration, Packer, Sample};
use video::decode::Decoder;
use video::{VideoError, nal};

/// Streams of x264: the same twelve pictures of 100 × 206, a key frame every six, none reordered. And the Adler-32 of each
/// picture's planes as ffmpeg decodes them.
const BEFOREHAND: [(&str, &[u8], [u32; 12]); 4] = [
    (
        "avc1.42C00B",
        include_bytes!("data/baseline.h264"),
        [
            0xc776_4e32,
            0x5cf8_40bd,
            0x3048_500e,
            0xde81_5e19,
            0xd27a_5b23,
            0x0f05_60fd,
            0x0251_6991,
            0xffb0_5e90,
            0xc6b8_6f3b,
            0x5d64_7b3b,
            0x68fa_7787,
            0xd8da_7347,
        ],
    ),
    (
        "avc1.4D400B",
        include_bytes!("data/main.h264"),
        [
            0xcf62_54e6,
            0x6bef_478b,
            0x2b3b_5107,
            0xc082_62b8,
            0x4156_5ac5,
            0x8a46_603d,
            0x7dbf_726f,
            0xa0c6_676b,
            0x90d5_6feb,
            0x0d23_76ff,
            0x259e_75c1,
            0xa9b3_6e63,
        ],
    ),
    (
        "avc1.64000B",
        include_bytes!("data/high.h264"),
        [
            0x285b_531d,
            0x249b_4452,
            0x4bea_4b0a,
            0xf3c2_5ac3,
            0x3c19_51b3,
            0x5b4d_5da8,
            0xa22b_7243,
            0xbf92_6530,
            0x4c4f_6dc8,
            0x964b_777f,
            0x7f0f_7468,
            0x42c3_7099,
        ],
    ),
    (
        // With a reference decoder in the VUI, delimiters, and three slices a picture.
        "avc1.64000C",
        include_bytes!("data/hrd.h264"),
        [
            0xe943_4980,
            0xc7d5_3e7b,
            0xf143_4b84,
            0xc76f_5c50,
            0x7ff7_58d8,
            0x3092_5d5f,
            0x81ec_707d,
            0x6569_6546,
            0x2680_6fac,
            0xf6ed_76a1,
            0x1093_781e,
            0x26b7_7279,
        ],
    ),
];

/// A picture of one colour with a stripe at `at`.
fn drawing(width: usize, height: usize, at: usize, colour: [u8; 3]) -> Vec<u8> {
    let mut rgba = Vec::with_capacity(width * height * 4);
    for row in 0..height {
        let [r, g, b] = if row / 8 == at { [255, 255, 255] } else { colour };
        rgba.extend([r, g, b, 255].repeat(width));
    }
    rgba
}

/// Encodes drawings; each access unit on its own.
fn encode(width: usize, height: usize, count: usize, colour: [u8; 3]) -> Vec<Vec<u8>> {
    let config = EncoderConfig::new()
        .vui(VuiConfig::bt601())
        .usage_type(UsageType::ScreenContentRealTime)
        .sps_pps_strategy(SpsPpsStrategy::ConstantId)
        .intra_frame_period(IntraFramePeriod::from_num_frames(8))
        .rate_control_mode(RateControlMode::Off)
        .skip_frames(false);
    let mut encoder = Encoder::with_api_config(OpenH264API::from_source(), config).unwrap();
    (0..count)
        .map(|at| {
            let rgba = drawing(width, height, at, colour);
            let picture = YUVBuffer::from_rgba8_source(RgbaSliceU8::new(&rgba, (width, height)));
            encoder.encode(&picture).unwrap().to_vec()
        })
        .collect()
}

fn split<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Bytes> {
    let mut splitter = Splitter::default();
    let mut units = Vec::new();
    for piece in pieces {
        splitter.push(piece);
        while let Some(part) = splitter.pop() {
            match part {
                Part::Unit(unit) => units.push(unit),
                Part::Gap => panic!("nothing is missing"),
            }
        }
    }
    units.extend(splitter.flush());
    units
}

/// Through the packer.
fn pack(units: &[Bytes]) -> (Vec<Arc<Configuration>>, Vec<Sample>) {
    let mut packer = Packer::default();
    let (mut configurations, mut samples) = (Vec::new(), Vec::new());
    for unit in units {
        let packed = packer.pack(unit).unwrap();
        configurations.extend(packed.configuration);
        samples.extend(packed.sample);
    }
    (configurations, samples)
}

/// The NAL units of a sample.
fn lengths(sample: &Sample) -> Vec<&[u8]> {
    let mut units = Vec::new();
    let mut rest = &sample.data[..];
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let (unit, after) = after.split_at(u32::from_be_bytes(*length) as usize);
        units.push(unit);
        rest = after;
    }
    assert!(rest.is_empty());
    units
}

#[test]
fn what_was_encoded_is_seen_again() {
    for (width, height) in [(64, 128), (90, 200), (576, 1280)] {
        let colour = [200, 40, 90];
        let units = encode(width, height, 12, colour);
        let whole = units.concat();
        let split = split([&whole[..]]);
        assert_eq!(split, units, "the encoder's own units");
        let (configurations, samples) = pack(&split);
        assert_eq!(samples.len(), 12);
        let keys: Vec<bool> = samples.iter().map(|sample| sample.key).collect();
        assert_eq!(keys, (0..12).map(|at| at % 8 == 0).collect::<Vec<_>>());
        assert_eq!(configurations.len(), 1, "the same sets again are not told again");
        let size = (
            usize::from(configurations[0].width),
            usize::from(configurations[0].height),
        );
        assert_eq!(size, (width, height));

        let mut decoder = Decoder::default();
        decoder.configure(&configurations[0]);
        for (at, sample) in samples.iter().enumerate() {
            assert!(
                decoder.decode(sample).unwrap(),
                "each unit gives its picture at once"
            );
            let seen = decoder.picture().unwrap();
            assert_eq!((seen.width as usize, seen.height as usize), (width, height));
            let drawn = drawing(width, height, at, colour);
            let off = |from: usize| i32::from(seen.rgba[from]).abs_diff(i32::from(drawn[from]));
            let worst = (0..drawn.len()).map(off).max().unwrap();
            let mean = (0..drawn.len()).map(off).sum::<u32>() as usize / drawn.len();
            assert!(
                mean <= 6,
                "{width}×{height}, picture {at}: off by {mean}, at worst {worst}"
            );
        }
    }
}

#[test]
fn streams_of_another_encoder_are_decoded_to_the_last_picture() {
    for (codec, stream, sums) in BEFOREHAND {
        let (configurations, samples) = pack(&split([stream]));
        assert_eq!(configurations.len(), 1, "{codec}");
        assert_eq!(configurations[0].codec, codec);
        assert_eq!((configurations[0].width, configurations[0].height), (100, 206));
        assert_eq!(samples.len(), sums.len(), "{codec}");
        let mut decoder = Decoder::default();
        decoder.configure(&configurations[0]);
        for (sample, sum) in samples.iter().zip(sums) {
            assert!(
                decoder.decode(sample).unwrap(),
                "{codec}: each unit gives its picture at once"
            );
            assert_eq!(decoder.checksum(), sum, "{codec}");
        }
    }
}

#[test]
fn a_sample_holds_pictures_and_nothing_a_record_holds() {
    for (codec, stream, _) in BEFOREHAND {
        let (configurations, samples) = pack(&split([stream]));
        for sample in &samples {
            for unit in lengths(sample) {
                let kind = nal::kind(unit[0]);
                let held = matches!(kind, nal::Kind::Slice | nal::Kind::IdrSlice | nal::Kind::Sei);
                assert!(held, "{codec}: {kind:?}");
            }
        }
        let record = &configurations[0].record;
        assert_eq!(record[0], 1);
        assert_eq!(
            format!("avc1.{:02X}{:02X}{:02X}", record[1], record[2], record[3]),
            codec
        );
        assert_eq!(record[4..6], [0xff, 0xe1], "lengths of four bytes, one set");
        let read = h264_reader::avcc::AvcDecoderConfigurationRecord::try_from(&record[..]).unwrap();
        let context = read.create_context().unwrap();
        let told = context.sps().next().unwrap().vui_parameters.clone().unwrap();
        assert_eq!(told.bitstream_restrictions.unwrap().max_num_reorder_frames, 0);
        assert_eq!(read.chroma_format().is_some(), codec.contains("64"));
    }
}

/// Another size in the middle of a stream: the sets are told with the key frame they are for, and not before.
#[test]
fn a_turned_screen_is_told_with_its_key_frame() {
    let (upright, across) = (encode(64, 128, 3, [1, 2, 3]), encode(128, 64, 2, [3, 2, 1]));
    let units = split([&upright.concat()[..], &across.concat()]);
    let mut packer = Packer::default();
    let told: Vec<Option<(u16, u16)>> = units
        .iter()
        .map(|unit| {
            packer
                .pack(unit)
                .unwrap()
                .configuration
                .map(|told| (told.width, told.height))
        })
        .collect();
    assert_eq!(told, [Some((64, 128)), None, None, Some((128, 64)), None]);
}

#[test]
fn sets_alone_are_held_back_and_pictures_before_a_key_frame_are_left_out() {
    let units = encode(64, 128, 10, [9, 9, 9]);
    let first: Vec<&[u8]> = nal::units(&units[0]).collect();
    let with_starts = |units: &[&[u8]]| -> Vec<u8> {
        units
            .iter()
            .flat_map(|unit| [b"\0\0\0\x01", *unit].concat())
            .collect()
    };
    let (sets, key) = first.split_at(first.len() - 1);
    let mut packer = Packer::default();
    assert_eq!(packer.pack(&units[1]).unwrap().sample, None);
    assert_eq!(packer.pack(&with_starts(key)), Err(VideoError::NoParameterSets));
    assert_eq!(
        packer.pack(&with_starts(sets)).unwrap(),
        video::avcc::Packed::default()
    );
    let packed = packer.pack(&with_starts(key)).unwrap();
    assert!(packed.configuration.is_some() && packed.sample.unwrap().key);
    assert!(packer.pack(&units[1]).unwrap().sample.is_some());
    packer.skip_to_key();
    assert_eq!(packer.pack(&units[2]).unwrap().sample, None);
    assert!(packer.pack(&units[8]).unwrap().sample.unwrap().key);
    assert!(packer.pack(&units[9]).unwrap().sample.is_some());
}

#[test]
fn a_decoder_that_lost_its_way_finds_it_at_a_key_frame() {
    let units: Vec<Bytes> = encode(64, 128, 12, [0, 90, 200])
        .into_iter()
        .map(Bytes::from)
        .collect();
    let (configurations, samples) = pack(&units);
    let mut decoder = Decoder::default();
    assert_eq!(decoder.decode(&samples[0]), Err(VideoError::NoParameterSets));
    decoder.configure(&configurations[0]);
    assert_eq!(decoder.decode(&samples[1]), Ok(false), "no key frame yet");
    assert_eq!(decoder.picture(), None);
    assert_eq!(decoder.decode(&samples[0]), Ok(true));
    let broken = Sample {
        key: false,
        data: Bytes::from_static(b"\0\0\0\x06\x41\x9a\xff\xff\xff\xff"),
    };
    assert!(matches!(decoder.decode(&broken), Err(VideoError::Undecodable(_))));
    assert!(decoder.picture().is_some(), "what was seen last stays");
    assert_eq!(decoder.decode(&samples[2]), Ok(false));
    assert_eq!(decoder.decode(&samples[8]), Ok(true));
    assert_eq!(decoder.decode(&samples[9]), Ok(true));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(long::times(64)))]

    /// However a stream of an encoder is cut, it has the same units.
    #[test]
    fn cuts_change_nothing(which in 0..BEFOREHAND.len(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..200)) {
        let stream = BEFOREHAND[which].1;
        let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
        at.extend([0, stream.len()]);
        at.sort_unstable();
        let pieces = at.windows(2).map(|pair| &stream[pair[0]..pair[1]]);
        prop_assert_eq!(split(pieces), split([stream]));
    }

    /// Garbled on the way: errors, gaps and wrong pictures, but no panic.
    #[test]
    fn a_garbled_stream_is_borne(
        which in 0..BEFOREHAND.len(),
        wrong in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
    ) {
        let mut stream = BEFOREHAND[which].1.to_vec();
        for (at, byte) in wrong {
            let at = at.index(stream.len());
            stream[at] = byte;
        }
        let mut splitter = Splitter::default();
        splitter.push(&stream);
        let mut packer = Packer::default();
        let mut decoder = Decoder::default();
        while let Some(part) = splitter.pop() {
            let Part::Unit(unit) = part else { continue };
            let Ok(packed) = packer.pack(&unit) else { continue };
            if let Some(configuration) = packed.configuration {
                decoder.configure(&configuration);
            }
            if let Some(sample) = packed.sample {
                let _ = decoder.decode(&sample);
            }
        }
        let _ = decoder.picture();
    }

    #[test]
    fn any_bytes_are_packed_or_refused(bytes in prop::collection::vec(prop_oneof![2 => 0..2_u8, 1 => any::<u8>()], 0..300)) {
        let _ = Packer::default().pack(&bytes);
    }
}
