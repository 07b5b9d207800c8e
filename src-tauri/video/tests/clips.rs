//! Clips, read by another program.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test"
)]

#[path = "../../../tests/shared/skipped.rs"]
mod skipped;

use bytes::Bytes;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use video::annex_b::{Part, Splitter};
use video::avcc::{Packed, Packer};
use video::clip::{Clip, Ending};
use video::sound::{SoundCodec, SoundConfiguration};

const PICTURES: &[u8] = include_bytes!("data/high.h264");

/// Which boxes stand in a file, one inside the other; not what is in them.
fn boxes(bytes: &[u8], depth: usize, out: &mut String) {
    let mut rest = bytes;
    while let Some((length, _)) = rest.split_first_chunk::<4>() {
        let length = u32::from_be_bytes(*length) as usize;
        let (whole, after) = rest.split_at(length);
        let kind = std::str::from_utf8(&whole[4..8]).unwrap();
        writeln!(out, "{:depth$}{kind} {length}", "", depth = depth * 2).unwrap();
        if matches!(
            kind,
            "moov" | "trak" | "mdia" | "minf" | "stbl" | "mvex" | "moof" | "traf"
        ) {
            boxes(&whole[8..], depth + 1, out);
        }
        rest = after;
    }
}

/// A clip of the twelve pictures.
struct Made {
    /// Microseconds of the pictures.
    pictures: [u64; 12],
    /// Packets of sound, and when they are heard.
    sound: Option<(SoundCodec, &'static [u8], Vec<u64>)>,
    end: u64,
}

/// One silent packet of each.
fn silence(codec: SoundCodec) -> Bytes {
    Bytes::from_static(match codec {
        SoundCodec::Aac => b"\x21\x10\x04\x60\x8c\x1c",
        SoundCodec::Opus => b"\xfc\xff\xfe",
    })
}

impl Made {
    /// What was written, a piece after every four pictures, and how it ends.
    fn write(&self) -> (Vec<u8>, Ending) {
        let told = self.sound.as_ref().map(|(codec, record, times)| {
            let told = SoundConfiguration::read(*codec, Bytes::from_static(record)).unwrap();
            (told, *codec, times)
        });
        let mut splitter = Splitter::default();
        splitter.push(PICTURES);
        let mut units: Vec<Bytes> = std::iter::from_fn(|| splitter.pop())
            .map(|part| match part {
                Part::Unit(unit) => unit,
                Part::Gap => panic!("a gap"),
            })
            .collect();
        units.extend(splitter.flush());
        assert_eq!(units.len(), 12);
        let mut packer = Packer::default();
        let packed: Vec<Packed> = units.iter().map(|unit| packer.pack(unit).unwrap()).collect();
        let configuration = packed[0].configuration.clone().unwrap();
        let created = Duration::from_secs(1_790_000_000);
        let mut clip = Clip::new(&configuration, told.as_ref().map(|(told, ..)| told), created);
        let mut written = clip.beginning().unwrap();
        let mut heard = told
            .iter()
            .flat_map(|(_, codec, times)| times.iter().map(|time| (*codec, *time)))
            .peekable();
        for (number, (packed, time)) in packed.into_iter().zip(self.pictures).enumerate() {
            while let Some((codec, at)) = heard.next_if(|(_, at)| *at <= time) {
                clip.sound(at, silence(codec));
            }
            clip.picture(time, packed.sample.unwrap());
            if number % 4 == 3 {
                written.extend(clip.fragment().unwrap().unwrap());
            }
        }
        for (codec, at) in heard {
            clip.sound(at, silence(codec));
        }
        (written, clip.finish(self.end).unwrap())
    }

    fn whole(&self) -> Vec<u8> {
        let (mut written, ending) = self.write();
        written.extend(ending.fragment.unwrap());
        written[..ending.beginning.len()].copy_from_slice(&ending.beginning);
        written
    }
}

/// Every thirtieth of a second.
fn thirtieths() -> [u64; 12] {
    std::array::from_fn(|number| number as u64 * 33_333)
}

/// What ffprobe reads of a file: the time of each packet, then its streams and how long it is.
fn read(file: &Path) -> String {
    let asked = Command::new("ffprobe")
        .args(["-v", "error", "-count_packets", "-of", "compact=nk=1:p=0"])
        .args(["-show_entries", "stream=codec_name,width,height,sample_rate,channels,nb_read_packets:packet=stream_index,pts_time,flags:format=duration"])
        .arg(file)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&asked.stderr), "", "ffprobe complains");
    String::from_utf8(asked.stdout).unwrap()
}

fn has_ffprobe() -> bool {
    Command::new("ffprobe").arg("-version").output().is_ok()
}

fn check(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("clip.mp4");
    std::fs::write(&file, bytes).unwrap();
    read(&file)
}

#[test]
fn a_clip_is_made_of_boxes_that_are_told_by_the_standard() {
    let made = Made {
        pictures: thirtieths(),
        sound: Some((SoundCodec::Aac, b"\x11\x90", vec![0, 21_333, 42_667])),
        end: 400_000,
    };
    let mut shown = String::new();
    boxes(&made.whole(), 0, &mut shown);
    insta::assert_snapshot!(shown);
    // How long it is stands in the beginning, which keeps its length.
    let (written, ending) = made.write();
    let changed = written
        .iter()
        .zip(&ending.beginning)
        .filter(|(one, other)| one != other)
        .count();
    assert_eq!(changed, 2, "400 milliseconds");
}

#[test]
fn another_program_reads_each_picture_and_packet_at_its_time() {
    if !has_ffprobe() {
        return skipped::skipped("ffprobe is missing");
    }
    let regular: Vec<u64> = (0..19).map(|number| number * 1_024_000 / 48).collect();
    let aac = (SoundCodec::Aac, &b"\x11\x90"[..], regular);
    let uneven = [
        0, 40_000, 41_000, 500_000, 500_000, 499_000, 600_000, 700_000, 800_000, 900_000, 2_900_000,
        3_000_000,
    ];
    // It begins late, jitters, and is interrupted.
    let broken = vec![100_000, 121_000, 139_000, 1_000_000, 1_020_000];
    let opus = (
        SoundCodec::Opus,
        &b"OpusHead\x01\x02\x38\x01\x80\xbb\0\0\0\0\0"[..],
        broken,
    );
    let mut shown = String::new();
    for (name, made) in [
        (
            "silent, regular",
            Made {
                pictures: thirtieths(),
                sound: None,
                end: 433_333,
            },
        ),
        (
            "AAC",
            Made {
                pictures: thirtieths(),
                sound: Some(aac),
                end: 400_000,
            },
        ),
        (
            "Opus, uneven",
            Made {
                pictures: uneven,
                sound: Some(opus),
                end: 3_050_000,
            },
        ),
    ] {
        writeln!(shown, "# {name}\n{}", check(&made.whole())).unwrap();
    }
    insta::assert_snapshot!(shown);
}

/// The program is gone in the middle of it: what was written can be read.
#[test]
fn what_was_written_before_the_end_is_read_up_to_its_last_piece() {
    if !has_ffprobe() {
        return skipped::skipped("ffprobe is missing");
    }
    let made = Made {
        pictures: thirtieths(),
        sound: None,
        end: 400_000,
    };
    let (written, _) = made.write();
    insta::assert_snapshot!(check(&written));
}
