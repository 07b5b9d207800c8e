//! Sound as scrcpy's server sends it: what a decoder needs to know, and how long each packet sounds.
//!
//! Source: ISO/IEC 14496-3, 1.6.2.1 (`AudioSpecificConfig`), RFC 7845, 5.1 (`OpusHead`), RFC 6716, 3.1 (the first byte of
//! an Opus packet).

use crate::VideoError;
use crate::bits;
use bytes::Bytes;

/// Hertz of the numbers 0 to 12.
const RATES: [u32; 13] = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
];
/// Opus counts in these, whatever it was made of.
const OPUS_RATE: u32 = 48_000;

/// How sound is coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SoundCodec {
    /// AAC-LC, packets without ADTS.
    Aac,
    /// Opus.
    Opus,
}

/// What a decoder must know before the first packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoundConfiguration {
    /// How it is coded.
    pub codec: SoundCodec,
    /// As the codec has it: an `AudioSpecificConfig`, or an `OpusHead`.
    pub record: Bytes,
    /// Samples a second: what [`SoundConfiguration::samples`] counts in.
    pub rate: u32,
    /// Channels.
    pub channels: u8,
    /// Samples the decoder is to leave out at the beginning.
    pub skip: u16,
    /// Samples of each packet, where all have as many.
    packet: Option<u32>,
}

impl SoundConfiguration {
    /// Reads what the phone tells of its sound.
    ///
    /// # Errors
    /// [`VideoError::Sound`].
    pub fn read(codec: SoundCodec, record: Bytes) -> Result<Self, VideoError> {
        match codec {
            SoundCodec::Aac => Self::aac(record),
            SoundCodec::Opus => Self::opus(record),
        }
    }

    fn aac(record: Bytes) -> Result<Self, VideoError> {
        let mut bits = bits::Reader::new(&record);
        let mut read = |count| bits.number(count).ok_or(VideoError::Sound("it ends early"));
        if read(5)? != 2 {
            return Err(VideoError::Sound("not AAC-LC"));
        }
        let number = read(4)?;
        let rate = if number == 15 {
            read(24)?
        } else {
            let known = usize::try_from(number).ok().and_then(|at| RATES.get(at));
            *known.ok_or(VideoError::Sound("a rate that is reserved"))?
        };
        let channels = u8::try_from(read(4)?).unwrap_or(0);
        let packet = if read(1)? == 1 { 960 } else { 1024 };
        if rate == 0 || channels == 0 {
            return Err(VideoError::Sound("no rate, or no channels"));
        }
        Ok(Self {
            codec: SoundCodec::Aac,
            rate,
            channels,
            skip: 0,
            packet: Some(packet),
            record,
        })
    }

    fn opus(record: Bytes) -> Result<Self, VideoError> {
        let Some(
            [
                b'O',
                b'p',
                b'u',
                b's',
                b'H',
                b'e',
                b'a',
                b'd',
                _,
                channels,
                low,
                high,
            ],
        ) = record.first_chunk::<12>()
        else {
            return Err(VideoError::Sound("no OpusHead"));
        };
        let (channels, skip) = (*channels, u16::from_le_bytes([*low, *high]));
        if record.len() < 19 || !(1..=2).contains(&channels) {
            return Err(VideoError::Sound("not one channel, nor two"));
        }
        Ok(Self {
            codec: SoundCodec::Opus,
            rate: OPUS_RATE,
            channels,
            skip,
            packet: None,
            record,
        })
    }

    /// How long a packet sounds, in samples.
    #[must_use]
    pub fn samples(&self, packet: &[u8]) -> u32 {
        self.packet.unwrap_or_else(|| opus_samples(packet))
    }
}

fn opus_samples(packet: &[u8]) -> u32 {
    let first = packet.first().copied().unwrap_or(0);
    let (kind, low) = (first >> 3, usize::from(first >> 3 & 3));
    let frame = match kind {
        0..12 => [480, 960, 1920, 2880][low],
        12..16 => [480, 960][low & 1],
        _ => [120, 240, 480, 960][low],
    };
    let count = match first & 3 {
        0 => 1,
        1 | 2 => 2,
        _ => packet.get(1).map_or(1, |second| second & 0x3f).max(1),
    };
    frame * u32::from(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(codec: SoundCodec, record: &[u8]) -> Result<SoundConfiguration, VideoError> {
        SoundConfiguration::read(codec, Bytes::copy_from_slice(record))
    }

    #[test]
    fn what_the_phone_tells_of_its_sound_is_read() {
        let check = |codec, record: &[u8], expected: Result<(u32, u8, u16), VideoError>| {
            let found = read(codec, record).map(|told| (told.rate, told.channels, told.skip));
            assert_eq!(found, expected, "{record:?}");
        };
        use SoundCodec::{Aac, Opus};
        check(Aac, &[0x11, 0x90], Ok((48_000, 2, 0)));
        check(Aac, &[0x12, 0x08], Ok((44_100, 1, 0)));
        check(Aac, &[0x17, 0x80, 0x5d, 0xc0, 0x10], Ok((48_000, 2, 0)));
        check(Aac, &[0x11], Err(VideoError::Sound("it ends early")));
        check(Aac, &[0x29, 0x90], Err(VideoError::Sound("not AAC-LC")));
        check(
            Aac,
            &[0x16, 0x90],
            Err(VideoError::Sound("a rate that is reserved")),
        );
        check(
            Aac,
            &[0x11, 0x80],
            Err(VideoError::Sound("no rate, or no channels")),
        );
        let head = b"OpusHead\x01\x02\x38\x01\x80\xbb\0\0\0\0\0";
        check(Opus, head, Ok((48_000, 2, 312)));
        check(
            Opus,
            b"OpusHead\x01\x06\x38\x01\x80\xbb\0\0\0\0\0",
            Err(VideoError::Sound("not one channel, nor two")),
        );
        check(
            Opus,
            &head[..18],
            Err(VideoError::Sound("not one channel, nor two")),
        );
        check(Opus, b"Opus", Err(VideoError::Sound("no OpusHead")));
    }

    #[test]
    fn a_packet_tells_how_long_it_sounds() {
        let opus = read(SoundCodec::Opus, b"OpusHead\x01\x02\x38\x01\x80\xbb\0\0\0\0\0").unwrap();
        for (packet, samples) in [
            (&[0xfc][..], 960),
            (&[0xfd], 1920),
            (&[0xff, 0x03], 2880),
            (&[0x60], 480),
            (&[0x18], 2880),
            (&[0x80], 120),
            (&[], 480),
        ] {
            assert_eq!(opus.samples(packet), samples, "{packet:?}");
        }
        let aac = read(SoundCodec::Aac, &[0x11, 0x90]).unwrap();
        assert_eq!(aac.samples(b"anything"), 1024);
        assert_eq!(read(SoundCodec::Aac, &[0x11, 0x94]).unwrap().samples(b""), 960);
    }

    proptest! {
        #[test]
        fn any_bytes_are_borne(bytes in prop::collection::vec(any::<u8>(), 0..30)) {
            for codec in [SoundCodec::Aac, SoundCodec::Opus] {
                if let Ok(told) = read(codec, &bytes) {
                    prop_assert!(told.rate > 0 && told.channels > 0 && told.samples(&bytes) > 0);
                }
            }
        }
    }
}
