//! One running stream, whatever its source: what it tells, and what it can be asked for.

use super::outlet::{PictureSink, SessionEvent, SessionStart};
use super::packet::{StreamRequest, StreamSource};
use super::{record, server};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::task::AbortOnDropHandle;

/// Pictures on their way to the runner.
const ON_THE_WAY: usize = 32;

/// One running stream. Dropping it ends it, on the phone too.
pub(super) struct Session {
    pub(super) source: StreamSource,
    pub(super) request: StreamRequest,
    pub(super) exact: bool,
    pub(super) since: Instant,
    pub(super) events: mpsc::Receiver<SessionEvent>,
    keys: mpsc::Sender<()>,
    _task: AbortOnDropHandle<()>,
}

impl Session {
    /// Starts one; what becomes of it is told by its events.
    pub(super) fn start(source: StreamSource, start: SessionStart) -> Self {
        let (out, events) = mpsc::channel(ON_THE_WAY);
        let (keys, asked) = mpsc::channel(1);
        let (request, exact) = (start.request, start.exact);
        let task = tokio::spawn(async move {
            let (out, end) = match source {
                StreamSource::Scrcpy => server::run(start, PictureSink::new(out), asked).await,
                StreamSource::Screenrecord | StreamSource::Captures => {
                    record::run(start, PictureSink::new(out)).await
                }
            };
            let _ = out.tell(SessionEvent::Ended(end)).await;
        });
        Self {
            source,
            request,
            exact,
            since: Instant::now(),
            events,
            keys,
            _task: AbortOnDropHandle::new(task),
        }
    }

    /// Asks for a key frame; false where that is not possible without a new session.
    pub(super) fn ask_for_key(&self) -> bool {
        if self.source != StreamSource::Scrcpy {
            return false;
        }
        // One that is asked for already will do.
        let _ = self.keys.try_send(());
        true
    }
}
