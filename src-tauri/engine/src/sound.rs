//! A phone's sound: for who listens at this computer, and for clips.

use crate::{Engine, EngineError};
use adb::scrcpy::SoundListener;
use adb::scrcpy::sound::NoSound as Refusal;
use adb::{AdbError, AdbPhone};
use protocol::{Failure, NoSound, PhoneId, PhoneState};
use std::time::Duration;
use tokio::time::timeout;
use video::pcm::SoundDecoder;

/// On Android 11 scrcpy puts a window of the phone's shell in front for a moment: else sound may not be captured.
const SHOWS_WINDOW: u32 = 30;
/// How long it may take to start. What waits for it goes on without.
const STARTS: Duration = Duration::from_secs(8);

/// What a phone plays, as samples. Dropping it ends that, where nobody else listens.
pub struct PhoneSound {
    packets: SoundListener,
    decoder: SoundDecoder,
}

impl Engine {
    /// Begins to listen to a phone; why it cannot be heard where it cannot.
    ///
    /// # Errors
    /// When there is no such phone, or it cannot be used.
    pub async fn hear(&self, phone: &PhoneId) -> Result<Result<PhoneSound, NoSound>, Failure> {
        let device = self.phone(phone)?;
        let state = self.known(phone)?.state;
        if state != PhoneState::Device {
            return Err(EngineError::NotUsable(state).into());
        }
        let task_runs = self.live_run(phone).is_some();
        Ok(listen(&device, task_runs).await.and_then(PhoneSound::of))
    }
}

impl PhoneSound {
    fn of(packets: SoundListener) -> Result<Self, NoSound> {
        match SoundDecoder::new(packets.configuration()) {
            Ok(decoder) => Ok(Self { packets, decoder }),
            Err(error) => {
                tracing::info!(%error, "a phone's sound cannot be decoded");
                Err(NoSound::Refused)
            }
        }
    }

    /// Moments a second.
    #[must_use]
    pub fn rate(&self) -> u32 {
        self.packets.configuration().rate
    }

    /// Samples of one moment.
    #[must_use]
    pub fn channels(&self) -> u8 {
        self.packets.configuration().channels
    }

    /// Whether the phone itself is silent meanwhile.
    #[must_use]
    pub fn silences_phone(&self) -> bool {
        self.packets.silences_phone()
    }

    /// The next samples: 16 bits, little endian, those of one moment beside each other. What this is called too late for is left
    /// out. May be dropped and called again. `None` when the phone gives no more.
    pub async fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            let packet = match self.packets.next().await {
                Ok(packet) => packet,
                Err(error) => {
                    tracing::info!(%error, "a phone's sound ended");
                    return None;
                }
            };
            match self.decoder.decode(&packet.data) {
                Ok(samples) => return Some(samples),
                Err(error) => tracing::debug!(%error, "a packet of sound is left out"),
            }
        }
    }
}

/// A phone's packets, or why there are none. A task that runs there is not to be disturbed.
pub(crate) async fn listen(phone: &AdbPhone, task_runs: bool) -> Result<SoundListener, NoSound> {
    if task_runs && phone.device().sdk().await == Some(SHOWS_WINDOW) {
        return Err(NoSound::TaskRuns);
    }
    let error = match timeout(STARTS, phone.listen()).await {
        Ok(Ok(listener)) => return Ok(listener),
        Ok(Err(Refusal::NoServer)) => return Err(NoSound::NeedsScrcpy),
        Ok(Err(Refusal::TooOld)) => return Err(NoSound::AndroidTooOld),
        Ok(Err(Refusal::Refused(error))) => error,
        Err(_) => AdbError::Slow("scrcpy's sound".to_owned()),
    };
    tracing::info!(%error, "a phone gives no sound");
    Err(NoSound::Refused)
}
