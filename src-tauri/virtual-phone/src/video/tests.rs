//! An encoder's stream, read back by a decoder.

#![allow(clippy::unwrap_used, reason = "a test")]

use super::encoder::{Encoder, Settings, Vui};
use super::planes::{Planes, Projection};
use crate::android::PixelView;
use openh264::decoder::Decoder;
use openh264::formats::YUVSource;

fn settings(width: u32, height: u32) -> Settings {
    Settings {
        width,
        height,
        bit_rate: 4_000_000,
        interval: 600,
        vui: Vui::None,
    }
}

/// A display of one shade, with a lighter square somewhere.
fn shown(planes: &mut Planes, (width, height): (u32, u32), at: u32) {
    let square = |x: u32, y: u32| (at..at + 24).contains(&x) && (at..at + 24).contains(&y);
    let rgba: Vec<u8> = (0..height)
        .flat_map(|y| (0..width).map(move |x| (x, y)))
        .flat_map(|(x, y)| {
            if square(x, y) {
                [220, 220, 220, 255]
            } else {
                [40, 40, 40, 255]
            }
        })
        .collect();
    let all = (0, 0, width, height);
    let sight = PixelView {
        width,
        height,
        rgba: &rgba,
        generation: 1,
        changed: all,
    };
    planes.take(&sight, &Projection::stretched((width, height), (width, height)));
}

#[test]
fn pictures_are_decoded_as_they_were_taken() {
    let size = (96, 160);
    let mut encoder = Encoder::new(&settings(size.0, size.1)).unwrap();
    let mut planes = Planes::new(size.0, size.1);
    let mut decoder = Decoder::new().unwrap();
    for frame in 0..8_u32 {
        shown(&mut planes, size, 8 + frame * 5);
        let coded = encoder.encode(&planes).unwrap();
        assert_eq!(coded.key, frame == 0);
        assert_eq!(coded.config.is_some(), frame == 0, "the sets come once");
        let mut unit = coded.config.unwrap_or_default().to_vec();
        unit.extend_from_slice(&coded.frame);
        let picture = decoder.decode(&unit).unwrap().unwrap();
        assert_eq!(picture.dimensions(), (96, 160));
        let stride = picture.strides().0;
        let luma = |x: usize, y: usize| picture.y()[y * stride + x];
        let middle = 20 + frame as usize * 5;
        assert!(luma(middle, middle).abs_diff(205) < 8, "{}", luma(middle, middle));
        assert!(luma(4, 150).abs_diff(50) < 8, "{}", luma(4, 150));
    }
}

#[test]
fn a_key_frame_comes_after_so_many_pictures_without_sets() {
    let mut encoder = Encoder::new(&Settings {
        interval: 5,
        ..settings(64, 64)
    })
    .unwrap();
    let mut planes = Planes::new(64, 64);
    let keys: Vec<u32> = (0..12)
        .filter(|at| {
            shown(&mut planes, (64, 64), *at);
            let coded = encoder.encode(&planes).unwrap();
            // One slice, nothing else: 5 is a key frame, 1 none.
            assert_eq!(coded.frame[..4], [0, 0, 0, 1]);
            assert_eq!(coded.frame[4] & 0x1f, if coded.key { 5 } else { 1 });
            assert_eq!(
                coded
                    .frame
                    .windows(4)
                    .filter(|four| *four == [0, 0, 0, 1])
                    .count(),
                1
            );
            coded.key
        })
        .collect();
    assert_eq!(keys, [0, 5, 10]);
}

#[test]
fn fewer_bits_asked_for_are_fewer_bytes() {
    let length = |bit_rate| {
        let mut encoder = Encoder::new(&Settings {
            bit_rate,
            ..settings(96, 160)
        })
        .unwrap();
        let mut planes = Planes::new(96, 160);
        shown(&mut planes, (96, 160), 30);
        encoder.encode(&planes).unwrap().frame.len()
    };
    assert!(length(8_000_000) > length(20_000));
}

#[test]
fn only_sizes_an_encoder_takes_are_taken() {
    for (width, height, takes) in [
        (576, 1280, true),
        (1080, 2400, true),
        (2400, 1080, true),
        (3840, 2160, true),
        (577, 1280, false),
        (16, 64, false),
        (4096, 2304, false),
        (2400, 2400, false),
    ] {
        assert_eq!(Encoder::takes(width, height), takes, "{width}x{height}");
        assert_eq!(
            Encoder::new(&settings(width, height)).is_ok(),
            takes,
            "{width}x{height}"
        );
    }
}

#[test]
fn the_set_is_a_phones() {
    for (vui, length) in [(Vui::None, 10), (Vui::Colours, 15)] {
        let mut encoder = Encoder::new(&Settings {
            vui,
            ..settings(576, 1280)
        })
        .unwrap();
        let coded = encoder.encode(&Planes::new(576, 1280)).unwrap();
        let config = coded.config.unwrap();
        let second = config[4..]
            .windows(4)
            .position(|four| four == [0, 0, 0, 1])
            .unwrap();
        let (set, rest) = config[4..].split_at(second);
        assert_eq!(set[..3], [0x67, 0x42, 0xc0], "Constrained Baseline");
        // Nothing but the colours follows what the size needs.
        assert_eq!(set.len(), length, "{set:02x?}");
        assert_eq!(rest[4] & 0x1f, 8, "the picture parameter set");
        let mut decoder = Decoder::new().unwrap();
        let mut unit = config.to_vec();
        unit.extend_from_slice(&coded.frame);
        assert_eq!(decoder.decode(&unit).unwrap().unwrap().dimensions(), (576, 1280));
    }
}
