//! A pipe inside the phone: bounded, many writers, ends when the last of either side is gone.

use bytes::{Bytes, BytesMut};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// As Linux has it (`/proc/sys/fs/pipe-max-size` aside).
const CAPACITY: usize = 64 * 1024;

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug)]
struct State {
    chunks: VecDeque<Bytes>,
    length: usize,
    readers: usize,
    writers: usize,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end that is read.
#[derive(Debug)]
pub(crate) struct Reader(Arc<Shared>);

/// The end that is written.
#[derive(Debug)]
pub(crate) struct Writer(Arc<Shared>);

/// Nobody reads any more (`EPIPE`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BrokenPipe;

/// A new pipe.
pub(crate) fn pipe() -> (Reader, Writer) {
    let shared = Arc::new(Shared {
        state: Mutex::new(State {
            chunks: VecDeque::new(),
            length: 0,
            readers: 1,
            writers: 1,
        }),
        changed: Notify::new(),
    });
    (Reader(Arc::clone(&shared)), Writer(shared))
}

impl Reader {
    /// The next bytes, at most `most`; none at the end.
    pub(crate) async fn read(&self, most: usize) -> Option<Bytes> {
        loop {
            let changed = self.0.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            {
                let mut state = self.0.state();
                if let Some(mut chunk) = state.chunks.pop_front() {
                    if chunk.len() > most {
                        let rest = chunk.split_off(most);
                        state.chunks.push_front(rest);
                    }
                    state.length -= chunk.len();
                    drop(state);
                    self.0.changed.notify_waiters();
                    return Some(chunk);
                }
                if state.writers == 0 {
                    return None;
                }
            }
            changed.await;
        }
    }

    /// Everything to the end, at most `most` bytes.
    pub(crate) async fn read_all(&self, most: usize) -> Bytes {
        let mut all = BytesMut::new();
        while all.len() < most {
            match self.read(most - all.len()).await {
                Some(chunk) => all.extend_from_slice(&chunk),
                None => break,
            }
        }
        all.freeze()
    }
}

impl Writer {
    /// Writes everything, waiting for room.
    ///
    /// # Errors
    /// When the last reader is gone.
    pub(crate) async fn write(&self, mut bytes: Bytes) -> Result<(), BrokenPipe> {
        while !bytes.is_empty() {
            let changed = self.0.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            {
                let mut state = self.0.state();
                if state.readers == 0 {
                    return Err(BrokenPipe);
                }
                let room = CAPACITY.saturating_sub(state.length);
                if room > 0 {
                    let part = bytes.split_to(room.min(bytes.len()));
                    state.length += part.len();
                    state.chunks.push_back(part);
                    drop(state);
                    self.0.changed.notify_waiters();
                    continue;
                }
            }
            changed.await;
        }
        Ok(())
    }

    /// Another holder of the same end.
    pub(crate) fn duplicate(&self) -> Self {
        self.0.state().writers += 1;
        Self(Arc::clone(&self.0))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        {
            let mut state = self.0.state();
            state.readers -= 1;
            state.chunks.clear();
            state.length = 0;
        }
        self.0.changed.notify_waiters();
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.0.state().writers -= 1;
        self.0.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn everything_written_is_read_in_order_and_then_it_ends() {
        let (reader, writer) = pipe();
        let sent: Vec<u8> = (0..300_000_u32).map(|n| n.to_le_bytes()[0]).collect();
        let bytes = Bytes::from(sent.clone());
        let task = tokio::spawn(async move { writer.write(bytes).await });
        assert_eq!(reader.read_all(usize::MAX).await, sent);
        assert_eq!(task.await.unwrap(), Ok(()));
    }

    #[tokio::test]
    async fn it_ends_with_the_last_writer_and_breaks_with_the_reader() {
        let (reader, writer) = pipe();
        let second = writer.duplicate();
        drop(writer);
        second.write(Bytes::from_static(b"abc")).await.unwrap();
        assert_eq!(reader.read(2).await.unwrap(), "ab");
        assert_eq!(reader.read(2).await.unwrap(), "c");
        drop(reader);
        assert_eq!(second.write(Bytes::from_static(b"x")).await, Err(BrokenPipe));
    }

    #[tokio::test]
    async fn a_writer_waits_for_room() {
        let (reader, writer) = pipe();
        writer.write(Bytes::from(vec![0; CAPACITY])).await.unwrap();
        let more = writer.write(Bytes::from_static(b"x"));
        tokio::pin!(more);
        assert!(futures::poll!(more.as_mut()).is_pending());
        reader.read(10).await;
        assert_eq!(more.await, Ok(()));
    }
}
