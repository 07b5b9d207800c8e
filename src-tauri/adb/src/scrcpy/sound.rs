//! The phone's sound: a server of its own with one socket, so that the video and the input go on as they are.
//!
//! Its times are the video's: both are the phone's monotonic clock. From Android 13 on what apps play is captured beside the
//! speaker, which goes on; before that the phone is silent meanwhile, as there is no other way.
//!
//! Source: scrcpy `doc/audio.md` and `server/…/audio/AudioDirectCapture.java`, `AudioPlaybackCapture.java` at the tags 3.2 to
//! 4.1.

use super::jar::Jar;
use super::launch::{Launched, NAME};
use crate::connect::leftover::Leftover;
use crate::connect::link::Stream;
use crate::connect::server::Device;
use crate::error::AdbError;
use bytes::Bytes;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::time::{Instant, timeout};
use video::VideoError;
use video::scrcpy::Framing;
use video::sound::{SoundCodec, SoundConfiguration};
use video::sound_socket::{SoundDemuxer, SoundEvent};

/// How long it may take from the greeting to what tells how to read it.
const CONFIGURES: Duration = Duration::from_secs(3);
/// Android 11.
const FIRST: u32 = 30;
/// Android 13.
const BESIDE: u32 = 33;
/// What one read of the socket gives at most.
const PIECE: usize = 16 * 1024;

/// Why a phone gives no sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSound {
    /// This computer has no scrcpy server.
    NoServer,
    /// Its Android is older than 11.
    TooOld,
    /// It does not let it be captured now.
    Refused(AdbError),
}

/// A phone's sound as it comes. Dropping it ends the server.
pub struct Sound {
    from: Box<dyn Stream>,
    demuxer: SoundDemuxer,
    configuration: SoundConfiguration,
    silences_phone: bool,
    _server: Launched,
    _leftover: Leftover,
}

/// One packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoundPacket {
    /// Microseconds on the phone's clock, the same as the video's of scrcpy.
    pub time: u64,
    /// When it arrived here.
    pub arrived: Instant,
    /// As the codec made it.
    pub data: Bytes,
}

impl Sound {
    /// Carries the jar there, starts it and waits for what tells how to read it.
    pub(crate) async fn start(device: &Device, jar: &Jar, codec: SoundCodec) -> Result<Self, NoSound> {
        let refused = NoSound::Refused;
        // A phone that does not tell is tried.
        let sdk = device.sdk().await;
        if sdk.is_some_and(|sdk| sdk < FIRST) {
            return Err(NoSound::TooOld);
        }
        let framing = Framing::of(&jar.version)
            .ok_or_else(|| refused(AdbError::NotSupported(format!("scrcpy {}", jar.version))))?;
        let codec = match codec {
            SoundCodec::Aac => "aac",
            SoundCodec::Opus => "opus",
        };
        let silences_phone = sdk.is_none_or(|sdk| sdk < BESIDE);
        let source = if silences_phone {
            "audio_source=output"
        } else {
            "audio_source=playback audio_dup=true"
        };
        let options = format!("video=false audio=true control=false audio_codec={codec} {source}");
        let server = Launched::start(device, jar, &options).await.map_err(refused)?;
        let leftover = Leftover::new(device, server.ending());
        let mut from = match server.first(1 + NAME).await {
            Ok(from) => from,
            Err(error) => return Err(refused(server.explain(error))),
        };
        let mut demuxer = SoundDemuxer::new(framing);
        let configured = timeout(CONFIGURES, next(&mut demuxer, &mut from)).await;
        match configured {
            Ok(Ok((SoundEvent::Configuration(configuration), _))) => Ok(Self {
                from,
                demuxer,
                configuration,
                silences_phone,
                _server: server,
                _leftover: leftover,
            }),
            Ok(Ok((SoundEvent::Packet { .. }, _))) => Err(refused(AdbError::Garbled(
                "sound that nothing was told of".to_owned(),
            ))),
            Ok(Err(error)) => Err(refused(server.explain(error))),
            Err(_) => Err(refused(AdbError::Slow("scrcpy's sound".to_owned()))),
        }
    }

    /// How to read it.
    #[must_use]
    pub fn configuration(&self) -> &SoundConfiguration {
        &self.configuration
    }

    /// Whether the phone itself is silent meanwhile.
    #[must_use]
    pub fn silences_phone(&self) -> bool {
        self.silences_phone
    }

    /// The next packet. May be dropped and called again.
    ///
    /// # Errors
    /// Why there are no more: the phone is gone, or its sound is another from here on.
    pub async fn next(&mut self) -> Result<SoundPacket, AdbError> {
        match next(&mut self.demuxer, &mut self.from).await? {
            (SoundEvent::Packet { time, data }, arrived) => Ok(SoundPacket { time, arrived, data }),
            (SoundEvent::Configuration(_), _) => Err(AdbError::Cut("other sound".to_owned())),
        }
    }
}

/// The next thing on the socket, and when it arrived. What was read of it is kept where this is dropped.
async fn next(
    demuxer: &mut SoundDemuxer,
    from: &mut Box<dyn Stream>,
) -> Result<(SoundEvent, Instant), AdbError> {
    loop {
        let event = demuxer.pop().map_err(|error| match error {
            VideoError::Disabled(_) => AdbError::NotSupported(error.to_string()),
            _ => AdbError::Garbled(error.to_string()),
        })?;
        if let Some(event) = event {
            return Ok((event, Instant::now()));
        }
        let buffer = demuxer.buffer();
        buffer.reserve(PIECE);
        match from.read_buf(buffer).await {
            Ok(0) => return Err(AdbError::Cut("scrcpy's sound ended".to_owned())),
            Ok(_) => {}
            Err(error) => return Err(AdbError::Cut(format!("scrcpy: {error}"))),
        }
    }
}
