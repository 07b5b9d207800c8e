//! One request under its time limits: what every wire shape does the same way.

use crate::error::{ModelError, Phase};
use crate::error_parse;
use crate::timeouts::Timeouts;
use crate::transport::{Body, Request, Transport};
use futures::StreamExt;
use jiff::Timestamp;
use reqwest::Url;
use reqwest::header::{HeaderMap, LOCATION};
use std::pin::pin;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Bytes of an error body that are read.
const COMPLAINT: usize = 64 * 1024;
/// After the server said that the answer is whole: long enough to see the stream end, so that the connection can
/// be used again; too short to be felt.
const CLOSING: Duration = Duration::from_millis(100);

/// Folds an answer as it comes.
pub(crate) trait Answer {
    /// Takes the next piece.
    ///
    /// # Errors
    /// When the server complains in the middle, or this is no answer.
    fn feed(&mut self, piece: &[u8]) -> Result<(), ModelError>;

    /// How far it is.
    fn progress(&self) -> Progress;

    /// How much of substance came so far, words or thoughts: what only says that the server is there adds nothing.
    fn heard(&self) -> usize;
}

/// How long an answer is waited for, and who is told that it is late.
pub(crate) struct WaitOptions<'a> {
    pub(crate) timeouts: Timeouts,
    /// Told once, with what is left of the wait.
    pub(crate) slow: Option<&'a (dyn Fn(Duration) + Send + Sync)>,
}

impl WaitOptions<'_> {
    /// Nobody is told.
    pub(crate) fn quietly(timeouts: Timeouts) -> Self {
        Self { timeouts, slow: None }
    }
}

/// The moments of one request.
struct Clock<'a> {
    waiting: &'a WaitOptions<'a>,
    whole: Instant,
    /// Nothing of substance since then.
    quiet_since: Instant,
    is_told: bool,
}

impl Clock<'_> {
    /// What `coming` gives, if it does so within `limit` of the quiet; else whose limit it was. Says meanwhile that it
    /// takes long.
    async fn wait<T>(&mut self, limit: Duration, coming: impl Future<Output = T>) -> Result<T, bool> {
        let mut coming = pin!(coming);
        let quiet = self.quiet_since + limit;
        let until = quiet.min(self.whole);
        let say = self.quiet_since + self.waiting.timeouts.say;
        if let Some(slow) = self.waiting.slow.filter(|_| !self.is_told && say < until) {
            match timeout_at(say, &mut coming).await {
                Ok(came) => return Ok(came),
                Err(_) => {
                    self.is_told = true;
                    slow(until.saturating_duration_since(Instant::now()));
                }
            }
        }
        timeout_at(until, coming).await.map_err(|_| quiet < self.whole)
    }
}

/// How far an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// No word yet.
    Waiting,
    /// Words are coming.
    Begun,
    /// The last word is there; the token count may follow.
    Finished,
    /// The server said that nothing follows.
    Closed,
}

/// Sends `request` and feeds what comes to `answer`, until the stream ends or the answer is finished.
/// A broken or stalled stream after the last word is no trouble.
///
/// # Errors
/// When there is no whole answer. `has_picture` says whether the server may be complaining of one.
pub(crate) async fn exchange(
    transport: &dyn Transport,
    request: Request,
    waiting: &WaitOptions<'_>,
    has_picture: bool,
    answer: &mut (dyn Answer + Send),
) -> Result<(), ModelError> {
    let timeouts = &waiting.timeouts;
    let began = Instant::now();
    let mut clock = Clock {
        waiting,
        whole: began + timeouts.whole,
        quiet_since: began,
        is_told: false,
    };
    let url = request.url.clone();
    let response = clock
        .wait(timeouts.first, transport.send(request))
        .await
        .map_err(|_| ModelError::Slow(Phase::First))??;
    let status = response.status;
    let mut body = response.body;

    if (300..400).contains(&status) {
        let to = target(&url, &response.headers);
        return Err(ModelError::Redirect { status, to });
    }
    if !(200..300).contains(&status) {
        let said = error_of(&mut body, timeouts.tail).await;
        return Err(error_parse::read(
            status,
            &response.headers,
            &said,
            has_picture,
            Timestamp::now(),
        ));
    }

    loop {
        let progress = answer.progress();
        let (limit, phase) = match progress {
            Progress::Waiting => (timeouts.first, Phase::First),
            Progress::Begun => (timeouts.stall, Phase::Stall),
            Progress::Finished => (timeouts.tail, Phase::Stall),
            Progress::Closed => (CLOSING, Phase::Stall),
        };
        let is_over = matches!(progress, Progress::Finished | Progress::Closed);
        if is_over {
            // Its last word is there: what follows is not waited for by whoever waits for it.
            clock.is_told = true;
            clock.quiet_since = Instant::now();
        }
        match clock.wait(limit, body.next()).await {
            Ok(Some(Ok(piece))) => {
                let heard = answer.heard();
                answer.feed(&piece)?;
                if answer.heard() > heard {
                    clock.quiet_since = Instant::now();
                }
            }
            Ok(None) => return Ok(()),
            Ok(Some(Err(_))) | Err(_) if is_over => return Ok(()),
            Ok(Some(Err(trouble))) => return Err(trouble),
            Err(true) => return Err(ModelError::Slow(phase)),
            Err(false) => return Err(ModelError::Slow(Phase::Whole)),
        }
        // A server that never stops talking after its last word.
        if is_over && Instant::now() >= clock.whole {
            return Ok(());
        }
    }
}

/// What a server says of its refusal. It may be cut short or slow: then what is there has to do.
async fn error_of(body: &mut Body, tail: Duration) -> Vec<u8> {
    let mut said = Vec::new();
    let until = Instant::now() + tail;
    while said.len() < COMPLAINT
        && let Ok(Some(Ok(piece))) = timeout_at(until, body.next()).await
    {
        said.extend_from_slice(&piece);
    }
    said.truncate(COMPLAINT);
    said
}

/// The host a redirect points to.
fn target(from: &Url, headers: &HeaderMap) -> String {
    headers
        .get(LOCATION)
        .and_then(|to| to.to_str().ok())
        .and_then(|to| from.join(to).ok())
        .and_then(|to| to.host_str().map(str::to_owned))
        .unwrap_or_default()
}
