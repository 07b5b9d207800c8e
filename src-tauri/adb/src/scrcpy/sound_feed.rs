//! One phone's sound for all who listen: one server, however many there are, and none while nobody does.

use super::sound::{NoSound, Sound, SoundPacket};
use crate::error::AdbError;
use std::sync::{Arc, OnceLock, Weak};
use tokio::sync::broadcast::{self, Receiver, WeakSender, error::RecvError};
use tokio::sync::{Mutex, MutexGuard};
use tokio_util::task::AbortOnDropHandle;
use video::sound::SoundConfiguration;

/// Packets that wait for who listens, five seconds: who falls further behind misses the oldest.
const MOST_WAITING: usize = 256;

/// The sound of one phone. Nothing is asked of it before somebody listens.
#[derive(Default)]
pub(crate) struct SoundFeed(Mutex<Weak<Running>>);

struct Running {
    configuration: SoundConfiguration,
    silences_phone: bool,
    packets: WeakSender<SoundPacket>,
    ended: Arc<OnceLock<AdbError>>,
    _pump: AbortOnDropHandle<()>,
}

/// Somebody who hears a phone. When the last one is dropped the phone's server ends.
pub struct SoundListener {
    packets: Receiver<SoundPacket>,
    running: Arc<Running>,
}

impl SoundFeed {
    /// From now on; `start` is asked where nobody listens yet.
    pub(crate) async fn listen(
        &self,
        start: impl Future<Output = Result<Sound, NoSound>>,
    ) -> Result<SoundListener, NoSound> {
        let mut slot: MutexGuard<'_, Weak<Running>> = self.0.lock().await;
        if let Some(running) = slot.upgrade()
            && let Some(packets) = running.packets.upgrade()
        {
            let packets = packets.subscribe();
            return Ok(SoundListener { packets, running });
        }
        let sound = start.await?;
        let (sender, packets) = broadcast::channel(MOST_WAITING);
        let ended = Arc::new(OnceLock::new());
        let running = Arc::new(Running {
            configuration: sound.configuration().clone(),
            silences_phone: sound.silences_phone(),
            packets: sender.downgrade(),
            ended: Arc::clone(&ended),
            _pump: AbortOnDropHandle::new(tokio::spawn(pump(sound, sender, ended))),
        });
        *slot = Arc::downgrade(&running);
        Ok(SoundListener { packets, running })
    }
}

impl SoundListener {
    /// How to read it.
    #[must_use]
    pub fn configuration(&self) -> &SoundConfiguration {
        &self.running.configuration
    }

    /// Whether the phone itself is silent meanwhile.
    #[must_use]
    pub fn silences_phone(&self) -> bool {
        self.running.silences_phone
    }

    /// The next packet; some are left out where this is called too late. May be dropped and called again.
    ///
    /// # Errors
    /// Why there are no more: the phone is gone, or its sound is another from here on.
    pub async fn next(&mut self) -> Result<SoundPacket, AdbError> {
        loop {
            match self.packets.recv().await {
                Ok(packet) => return Ok(packet),
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => {
                    let ended = self.running.ended.get().cloned();
                    return Err(ended.unwrap_or_else(|| AdbError::Cut("scrcpy's sound ended".to_owned())));
                }
            }
        }
    }
}

/// Hands on what comes until there is no more.
async fn pump(mut sound: Sound, sender: broadcast::Sender<SoundPacket>, ended: Arc<OnceLock<AdbError>>) {
    let error = loop {
        match sound.next().await {
            // Who has just stopped listening misses nothing.
            Ok(packet) => drop(sender.send(packet)),
            Err(error) => break error,
        }
    };
    // It is read after the channel is closed, which is the next thing that happens.
    let _ = ended.set(error);
}
