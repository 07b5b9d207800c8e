//! Phones' sound on its way to windows: one task a sound, half a second on the way at most.
//!
//! A message is its number, a little-endian u32 from 1 on, and the samples ([`engine::PhoneSound::next`]); one without samples is
//! the last. The page acknowledges what it played or left out. What it has no room for is not sent, and a page that stays
//! silent is taken for gone: the phone is not listened to for nobody.

use crate::page_streams::PageStreams;
use engine::{Engine, PhoneSound};
use protocol::{Failure, PhoneId, SoundStart};
use std::time::Duration;
use tauri::ipc::{Channel, InvokeResponseBody};
use tauri::{Manager, Runtime, State, WebviewWindow};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// Messages on the way at most: a packet of AAC is 21 ms.
const MOST: u32 = 24;
/// A page that has not acknowledged for so long what it was sent is gone.
const ACK_TIMEOUT: Duration = Duration::from_secs(5);

/// Every sound of every window.
#[derive(Default)]
pub(crate) struct Sounds(PageStreams);

impl Sounds {
    /// A window's page was loaded anew, or is gone: what it listened to is over.
    pub(crate) fn stop_of(&self, window: &str) {
        self.0.stop_of(window);
    }
}

/// Sends until the page or the phone is gone.
async fn send(mut sound: PhoneSound, channel: Channel<InvokeResponseBody>, mut acks: watch::Receiver<u32>) {
    let mut sent = 0_u32;
    let mut heard_at = Instant::now();
    loop {
        let on_the_way = sent.saturating_sub(*acks.borrow_and_update());
        let samples = tokio::select! {
            biased;
            acked = acks.changed() => {
                if acked.is_err() {
                    return;
                }
                heard_at = Instant::now();
                continue;
            }
            samples = sound.next() => samples.unwrap_or_default(),
            () = sleep_until(heard_at + ACK_TIMEOUT), if on_the_way > 0 => Vec::new(),
        };
        let is_last = samples.is_empty();
        // What would come too late is left out.
        if on_the_way >= MOST && !is_last {
            continue;
        }
        if on_the_way == 0 {
            heard_at = Instant::now();
        }
        sent += 1;
        if channel
            .send(InvokeResponseBody::Raw(message(sent, &samples)))
            .is_err()
            || is_last
        {
            return;
        }
    }
}

fn message(number: u32, samples: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(4 + samples.len());
    bytes.extend(number.to_le_bytes());
    bytes.extend(samples);
    bytes
}

/// Begins to listen to a phone. What is sent is described at [`Sounds`].
///
/// # Errors
/// As [`Engine::hear`].
#[tauri::command]
pub(crate) async fn sound_start<R: Runtime>(
    window: WebviewWindow<R>,
    engine: State<'_, Engine>,
    phone: PhoneId,
    channel: Channel<InvokeResponseBody>,
) -> Result<SoundStart, Failure> {
    let sound = match engine.hear(&phone).await? {
        Ok(sound) => sound,
        Err(why) => return Ok(SoundStart::Silent { why }),
    };
    let (rate, channels, silences_phone) = (sound.rate(), sound.channels(), sound.silences_phone());
    let sounds = window.state::<Sounds>();
    Ok(SoundStart::Playing {
        sound: sounds
            .0
            .start(window.label(), (), |acks| send(sound, channel, acks)),
        rate,
        channels,
        silences_phone,
    })
}

/// The page played everything up to this message, or left it out.
#[tauri::command]
pub(crate) fn sound_ack(sounds: State<'_, Sounds>, sound: u32, seq: u32) {
    sounds.0.ack(sound, seq);
}

/// The page listens no more.
#[tauri::command]
pub(crate) fn sound_stop(sounds: State<'_, Sounds>, sound: u32) {
    sounds.0.stop(sound);
}
