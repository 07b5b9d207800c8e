//! What goes to pages without an end – pictures, sound – through a channel each: by number, with what the page acknowledged and
//! the task that sends. Dropping one ends its task.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tauri::async_runtime::JoinHandle;
use tokio::sync::watch;

/// All of one kind, of every window. `With` is what else is kept of each.
pub(crate) struct PageStreams<With = ()> {
    state: Mutex<StreamTable<With>>,
}

struct StreamTable<With> {
    last: u32,
    running: BTreeMap<u32, PageStream<With>>,
}

struct PageStream<With> {
    /// The label of the window that it goes to.
    window: String,
    acked: watch::Sender<u32>,
    with: With,
    task: JoinHandle<()>,
}

impl<With> Default for PageStreams<With> {
    fn default() -> Self {
        Self {
            state: Mutex::new(StreamTable {
                last: 0,
                running: BTreeMap::new(),
            }),
        }
    }
}

impl<With> Drop for PageStream<With> {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl<With> PageStreams<With> {
    fn state(&self) -> MutexGuard<'_, StreamTable<With>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs what sends, which hears what the page acknowledges, until it is stopped; gives its number.
    pub(crate) fn start<Sends>(
        &self,
        window: &str,
        with: With,
        send: impl FnOnce(watch::Receiver<u32>) -> Sends,
    ) -> u32
    where
        Sends: Future<Output = ()> + Send + 'static,
    {
        let (acked, acks) = watch::channel(0);
        let task = tauri::async_runtime::spawn(send(acks));
        let mut state = self.state();
        state.last += 1;
        let number = state.last;
        let running = PageStream {
            window: window.to_owned(),
            acked,
            with,
            task,
        };
        state.running.insert(number, running);
        number
    }

    /// The page is done with every message up to `seq`. Calls of a page may come in any order.
    pub(crate) fn ack(&self, number: u32, seq: u32) {
        if let Some(running) = self.state().running.get(&number) {
            running.acked.send_if_modified(|acked| {
                let newer = seq > *acked;
                *acked = seq.max(*acked);
                newer
            });
        }
    }

    /// Does something with what is kept of one that runs.
    pub(crate) fn with(&self, number: u32, does: impl FnOnce(&With)) {
        if let Some(running) = self.state().running.get(&number) {
            does(&running.with);
        }
    }

    /// The page wants no more of it.
    pub(crate) fn stop(&self, number: u32) {
        self.state().running.remove(&number);
    }

    /// A window's page was loaded anew, or is gone: what went to it is over.
    pub(crate) fn stop_of(&self, window: &str) {
        self.state().running.retain(|_, running| running.window != window);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::pending;
    use tokio::sync::oneshot;

    /// An acknowledgement that comes late takes none back, and whatever ends a stream ends its task.
    #[tokio::test]
    async fn one_is_acknowledged_forwards_and_ends_with_its_page() {
        let streams = PageStreams::<u8>::default();
        let (told, heard) = oneshot::channel();
        let (held, gone) = oneshot::channel::<()>();
        let number = streams.start("main", 7, |mut acks| async move {
            let _held = held;
            let _ = acks.wait_for(|acked| *acked >= 5).await;
            let _ = told.send(acks);
            pending::<()>().await;
        });
        streams.ack(number, 5);
        let acks = heard.await.unwrap();
        streams.ack(number, 3);
        assert_eq!(*acks.borrow(), 5);
        let mut kept = 0;
        streams.with(number, |with| kept = *with);
        assert_eq!(kept, 7);
        streams.stop_of("another");
        streams.with(number, |_| kept = 8);
        assert_eq!(kept, 8);
        streams.stop_of("main");
        gone.await.unwrap_err();
    }
}
