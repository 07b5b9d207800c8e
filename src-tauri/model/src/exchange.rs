//! One request under its time limits: what every wire shape does the same way.

use crate::complaint;
use crate::patience::Patience;
use crate::transport::{Request, Transport};
use crate::trouble::{Phase, Said, Trouble};
use futures::StreamExt;
use jiff::Timestamp;
use reqwest::Url;
use reqwest::header::{HeaderMap, LOCATION};
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
    fn feed(&mut self, piece: &[u8]) -> Result<(), Trouble>;

    /// How far it is.
    fn progress(&self) -> Progress;
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
    patience: &Patience,
    has_picture: bool,
    answer: &mut (dyn Answer + Send),
) -> Result<(), Trouble> {
    let whole = Instant::now() + patience.whole;
    let url = request.url.clone();
    let first = Instant::now() + patience.first;
    let response = timeout_at(first.min(whole), transport.send(request))
        .await
        .map_err(|_| Trouble::Slow(Phase::First))??;
    let status = response.status;
    let mut body = response.body;

    if (300..400).contains(&status) {
        let to = target(&url, &response.headers);
        return Err(Trouble::Redirect { status, to });
    }
    if !(200..300).contains(&status) {
        let mut said = Vec::new();
        // What it said may be cut short or slow: then what is there has to do.
        let until = Instant::now() + patience.tail;
        while said.len() < COMPLAINT
            && let Ok(Some(Ok(piece))) = timeout_at(until, body.next()).await
        {
            said.extend_from_slice(&piece);
        }
        said.truncate(COMPLAINT);
        return Err(complaint::read(
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
            Progress::Waiting => (patience.first, Phase::First),
            Progress::Begun => (patience.stall, Phase::Stall),
            Progress::Finished => (patience.tail, Phase::Stall),
            Progress::Closed => (CLOSING, Phase::Stall),
        };
        let is_over = matches!(progress, Progress::Finished | Progress::Closed);
        let quiet = Instant::now() + limit;
        match timeout_at(quiet.min(whole), body.next()).await {
            Ok(Some(Ok(piece))) => answer.feed(&piece)?,
            Ok(None) => return Ok(()),
            Ok(Some(Err(_))) | Err(_) if is_over => return Ok(()),
            Ok(Some(Err(trouble))) => return Err(trouble),
            Err(_) if quiet < whole => return Err(Trouble::Slow(phase)),
            Err(_) => return Err(Trouble::Slow(Phase::Whole)),
        }
        // A server that never stops talking after its last word.
        if is_over && Instant::now() >= whole {
            return Ok(());
        }
    }
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

/// What the server said inside an answer.
pub(crate) fn said(text: impl Into<String>) -> Said {
    Said {
        status: None,
        text: text.into(),
    }
}
