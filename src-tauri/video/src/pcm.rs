//! The phone's sound made audible: packets of AAC → samples. For who listens at once; a clip keeps the packets.
//!
//! Not left to the web view: in WebKitGTK 2.50 two of four ways to read what its own decoder made end the page's process.

use crate::VideoError;
use crate::sound::{SoundCodec, SoundConfiguration};
use symphonia_codec_aac::AacDecoder;
use symphonia_core::codecs::audio::well_known::CODEC_ID_AAC;
use symphonia_core::codecs::audio::{AudioCodecParameters, AudioDecoder, AudioDecoderOptions};
use symphonia_core::packet::PacketRef;
use symphonia_core::units::{Duration, Timestamp};

/// Makes packets audible, one after the other.
pub struct SoundDecoder {
    aac: AacDecoder,
    channels: u8,
    samples: Vec<i16>,
}

impl SoundDecoder {
    /// For packets that are read so.
    ///
    /// # Errors
    /// [`VideoError::Undecodable`]: Opus, and AAC that no phone's encoder makes.
    pub fn new(configuration: &SoundConfiguration) -> Result<Self, VideoError> {
        if configuration.codec != SoundCodec::Aac {
            return Err(VideoError::Undecodable("sound that is not AAC".to_owned()));
        }
        let mut parameters = AudioCodecParameters::new();
        parameters
            .for_codec(CODEC_ID_AAC)
            .with_extra_data(configuration.record.to_vec().into_boxed_slice());
        let aac = AacDecoder::try_new(&parameters, &AudioDecoderOptions::default()).map_err(undecodable)?;
        Ok(Self {
            aac,
            channels: configuration.channels,
            samples: Vec::new(),
        })
    }

    /// What a packet sounds like: samples of 16 bits, little endian, those of one moment beside each other. After
    /// one that is broken the next may be whole.
    ///
    /// # Errors
    /// [`VideoError::Undecodable`].
    pub fn decode(&mut self, packet: &[u8]) -> Result<Vec<u8>, VideoError> {
        let packet = PacketRef::new(0, Timestamp::ZERO, Duration::ZERO, packet);
        let heard = self.aac.decode_ref(&packet).map_err(undecodable)?;
        if heard.num_planes() != usize::from(self.channels) {
            return Err(VideoError::Undecodable("another number of channels".to_owned()));
        }
        heard.copy_to_vec_interleaved(&mut self.samples);
        Ok(self
            .samples
            .iter()
            .flat_map(|sample| sample.to_le_bytes())
            .collect())
    }
}

fn undecodable(error: symphonia_core::errors::Error) -> VideoError {
    VideoError::Undecodable(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use proptest::prelude::*;

    fn decoder(codec: SoundCodec, record: &'static [u8]) -> Result<SoundDecoder, VideoError> {
        SoundDecoder::new(&SoundConfiguration::read(codec, Bytes::from_static(record)).unwrap())
    }

    #[test]
    fn only_what_phones_make_is_decoded() {
        decoder(SoundCodec::Aac, &[0x11, 0x90]).unwrap();
        decoder(SoundCodec::Aac, &[0x12, 0x08]).unwrap();
        let opus = decoder(SoundCodec::Opus, b"OpusHead\x01\x02\x38\x01\x80\xbb\0\0\0\0\0");
        assert!(matches!(opus.err(), Some(VideoError::Undecodable(_))));
        // Packets of 960 samples.
        assert!(matches!(
            decoder(SoundCodec::Aac, &[0x11, 0x94]).err(),
            Some(VideoError::Undecodable(_))
        ));
    }

    proptest! {
        #[test]
        fn any_bytes_are_borne(packets in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..400), 1..6)) {
            let mut decoder = decoder(SoundCodec::Aac, &[0x11, 0x90]).unwrap();
            for packet in packets {
                if let Ok(heard) = decoder.decode(&packet) {
                    prop_assert!(heard.len() % 4 == 0);
                }
            }
        }
    }
}
