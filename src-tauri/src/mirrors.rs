//! Live pictures on their way to the window: one task a mirror, one picture on the way at a time, newest only.
//!
//! The channel has no back-pressure of its own, so the page acknowledges each picture it drew, and the next is sent
//! only then: a page that falls behind skips pictures, it does not queue them.

use desk::{Mirror, MirrorPicture, Shown};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tauri::async_runtime::JoinHandle;
use tauri::ipc::{Channel, InvokeResponseBody};
use tokio::sync::watch;

/// A page that has not acknowledged for so long has lost a message; it gets the newest picture.
const PATIENCE: Duration = Duration::from_secs(5);

/// Every mirror of the window.
#[derive(Default)]
pub struct Mirrors {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    last: u32,
    running: BTreeMap<u32, Running>,
}

struct Running {
    acked: watch::Sender<u32>,
    task: JoinHandle<()>,
}

impl Mirrors {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a mirror's pictures through a channel until it is stopped; gives its number.
    pub fn start(&self, mut mirror: Mirror, channel: Channel<InvokeResponseBody>) -> u32 {
        let (acked, mut acks) = watch::channel(0_u32);
        let task = tauri::async_runtime::spawn(async move {
            while let Some(picture) = mirror.next().await {
                let seq = picture.seq;
                if channel.send(InvokeResponseBody::Raw(message(&picture))).is_err() {
                    return;
                }
                let drawn = acks.wait_for(|acked| *acked >= seq);
                match tokio::time::timeout(PATIENCE, drawn).await {
                    Ok(Ok(_)) | Err(_) => {}
                    Ok(Err(_)) => return,
                }
            }
        });
        let mut state = self.state();
        state.last += 1;
        let number = state.last;
        state.running.insert(number, Running { acked, task });
        number
    }

    /// The page drew a picture.
    pub fn ack(&self, mirror: u32, seq: u32) {
        if let Some(running) = self.state().running.get(&mirror) {
            running.acked.send_replace(seq);
        }
    }

    /// The page looks away.
    pub fn stop(&self, mirror: u32) {
        if let Some(running) = self.state().running.remove(&mirror) {
            running.task.abort();
        }
    }

    /// The page was loaded anew: what the last one looked at is over.
    pub fn stop_all(&self) {
        for (_, running) in std::mem::take(&mut self.state().running) {
            running.task.abort();
        }
    }
}

/// Sixteen bytes, little endian – `seq` u32, width u16, height u16, time u64 (milliseconds) –, then the JPEG. Without a
/// JPEG there is no picture, and the width says why: 1 black, 2 protected, 3 failed.
fn message(picture: &MirrorPicture) -> Vec<u8> {
    let (width, height, body): (u16, u16, &[u8]) = match &picture.shown {
        Shown::Jpeg { width, height, bytes } => (*width, *height, bytes),
        Shown::Black => (1, 0, &[]),
        Shown::Protected => (2, 0, &[]),
        Shown::Failed => (3, 0, &[]),
    };
    let mut message = Vec::with_capacity(16 + body.len());
    message.extend(picture.seq.to_le_bytes());
    message.extend(width.to_le_bytes());
    message.extend(height.to_le_bytes());
    message.extend(picture.at.to_le_bytes());
    message.extend(body);
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_a_head_of_sixteen_bytes_and_a_picture() {
        let picture = MirrorPicture {
            seq: 7,
            at: 0x0102_0304,
            shown: Shown::Jpeg {
                width: 270,
                height: 600,
                bytes: vec![0xff, 0xd8].into(),
            },
        };
        let head = [7, 0, 0, 0, 14, 1, 88, 2, 4, 3, 2, 1, 0, 0, 0, 0];
        assert_eq!(message(&picture), [&head[..], &[0xff, 0xd8]].concat());
        let hidden = MirrorPicture {
            seq: 1,
            at: 0,
            shown: Shown::Protected,
        };
        assert_eq!(message(&hidden), [1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    }
}
