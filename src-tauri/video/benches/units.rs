//! `cargo bench -p video`: from bytes off a socket to an access unit ready to be sent, against a copy of the same bytes in
//! the same run; and what decoding costs. The streams are made here, of random payload: what is measured does not look
//! into it.
//!
//! No framework: the shortest of several rounds.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark")]
#![allow(clippy::disallowed_methods, reason = "a measurement")]

use openh264::OpenH264API;
use openh264::encoder::{Encoder, EncoderConfig, RateControlMode};
use openh264::formats::{RgbaSliceU8, YUVBuffer};
use std::hint::black_box;
use std::time::Instant;
use video::annex_b::{Part, Splitter};
use video::avcc::Packer;
use video::decode::Decoder;
use video::scrcpy::{Demuxer, Event, Framing};

const UNITS: usize = 300;
const ROUNDS: usize = 15;
/// What one read of a socket gives at most.
const PIECE: usize = 64 * 1024;

/// Seconds of one call.
fn time(mut call: impl FnMut()) -> f64 {
    let rounds = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        call();
        start.elapsed()
    });
    rounds.min().unwrap().as_secs_f64()
}

/// The parameter sets of a real encoder, and units of so many bytes behind a slice's first bytes.
fn units(size: usize) -> Vec<Vec<u8>> {
    let mut encoder = Encoder::new().unwrap();
    let picture = YUVBuffer::new(576, 1280);
    let first = encoder.encode(&picture).unwrap().to_vec();
    let mut seed = 1_u64;
    let mut noise = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // As in a coded picture, zeros are no more frequent than anything else, and never two in a row.
        u8::try_from(seed >> 56).unwrap() | 1
    };
    let mut all = vec![first];
    for _ in 1..UNITS {
        let mut unit = b"\0\0\0\x01\x41\x9a".to_vec();
        unit.extend(std::iter::repeat_with(&mut noise).take(size));
        all.push(unit);
    }
    all
}

fn framed(units: &[Vec<u8>]) -> Vec<u8> {
    let mut stream = b"h264\0\0\x02\x40\0\0\x05\0".to_vec();
    for (at, unit) in units.iter().enumerate() {
        let flags: u64 = if at == 0 { 1 << 62 } else { 0 };
        stream.extend((flags | at as u64).to_be_bytes());
        stream.extend(u32::try_from(unit.len()).unwrap().to_be_bytes());
        stream.extend(unit);
    }
    stream
}

fn main() {
    println!(
        "{:22}{:>12}{:>12}{:>12}{:>10}",
        "access units of", "copy µs", "Annex B µs", "scrcpy µs", "ratios"
    );
    for size in [1_500, 15_000, 50_000] {
        let units = units(size);
        let plain = units.concat();
        let framed = framed(&units);
        let per = |seconds: f64| seconds * 1e6 / UNITS as f64;
        let copy = per(time(|| {
            for piece in plain.chunks(size + 6) {
                black_box(black_box(piece).to_vec());
            }
        }));
        let annex_b = per(time(|| {
            let (mut splitter, mut packer, mut count) = (Splitter::default(), Packer::default(), 0);
            for piece in plain.chunks(PIECE) {
                splitter.push(piece);
                while let Some(Part::Unit(unit)) = splitter.pop() {
                    count += usize::from(black_box(packer.pack(&unit).unwrap()).sample.is_some());
                }
            }
            assert_eq!(count, UNITS - 1);
        }));
        let scrcpy = per(time(|| {
            let (mut demuxer, mut packer, mut count) = (Demuxer::new(Framing::Header), Packer::default(), 0);
            for piece in framed.chunks(PIECE) {
                demuxer.push(piece);
                while let Some(event) = demuxer.pop().unwrap() {
                    if let Event::Picture { unit, .. } = event {
                        count += usize::from(black_box(packer.pack(&unit).unwrap()).sample.is_some());
                    }
                }
            }
            assert_eq!(count, UNITS);
        }));
        println!(
            "{size:>16} bytes{copy:>12.2}{annex_b:>12.2}{scrcpy:>12.2}{:>6.1}{:>6.1}",
            annex_b / copy,
            scrcpy / copy
        );
    }
    println!("\n{:22}{:>12}{:>12}", "ms a picture", "decoded", "into RGBA");
    for (width, height) in [(216, 480), (576, 1280), (1080, 2400)] {
        let (decoded, shown) = decoding(width, height);
        println!("{width:>10} × {height:<9}{decoded:>12.2}{shown:>12.2}");
    }
}

/// Milliseconds to decode a picture whose upper half moves, and to turn it into RGBA.
fn decoding(width: usize, height: usize) -> (f64, f64) {
    const PICTURES: usize = 30;
    let config = EncoderConfig::new()
        .rate_control_mode(RateControlMode::Off)
        .skip_frames(false);
    let mut encoder = Encoder::with_api_config(OpenH264API::from_source(), config).unwrap();
    let mut packer = Packer::default();
    let mut configuration = None;
    let mut samples = Vec::new();
    for at in 0..PICTURES {
        let mut rgba = vec![255; width * height * 4];
        for (index, pixel) in rgba.chunks_exact_mut(4).enumerate() {
            let (x, y) = (index % width, index / width);
            let moved = if y < height / 2 { x + at * 4 } else { x };
            pixel[0] = u8::try_from((moved ^ y) & 0xff).unwrap();
            pixel[1] = u8::try_from((moved / 8 + y / 8) % 256).unwrap();
        }
        let picture = YUVBuffer::from_rgba8_source(RgbaSliceU8::new(&rgba, (width, height)));
        let packed = packer.pack(&encoder.encode(&picture).unwrap().to_vec()).unwrap();
        configuration = configuration.or(packed.configuration);
        samples.extend(packed.sample);
    }
    let configuration = configuration.unwrap();
    let mut decoder = Decoder::default();
    let decoded = time(|| {
        decoder.configure(&configuration);
        for sample in &samples {
            assert!(decoder.decode(sample).unwrap());
        }
    });
    let shown = time(|| drop(black_box(decoder.picture())));
    (decoded * 1e3 / PICTURES as f64, shown * 1e3)
}
