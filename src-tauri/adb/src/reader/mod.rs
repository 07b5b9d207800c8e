//! The reader that stays: a phone's screen read by a small program of ours on it (`adb/reader`), asked over one shell stream, in
//! the time the tree itself takes. It is begun once a plain dump took long, as it does on phones. Where it will not start, is killed again and again or says what cannot be, the plain dump is used, and
//! that is remembered for as long as this program runs.
//!
//! One program at a time can read a phone's screen so: whoever wants the plain dump has this one go first
//! ([`ResidentReader::hand_over`]). Start reading at [`ResidentReader::tree`]; what makes a tree count as new is `Freshness` in `protocol`.

mod connection;
mod error;
#[cfg(test)]
mod java_test;
mod launch;
mod protocol;

use crate::connect::server::Device;
use crate::error::AdbError;
use agent::ports::{RawTree, TreeMark};
use connection::{Connection, ReaderEnd};
use error::ReaderError;
use protocol::{Answer, Outcome, Request};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// A phone whose plain dump took so long is given a reader.
const SLOW: Duration = Duration::from_millis(400);
/// How long one tree may take: a large one some 1 s.
const TREE: Duration = Duration::from_secs(3);
/// Before a tree is read nothing may have changed for so long …
pub(crate) const QUIET: Duration = Duration::from_millis(100);
/// … but no longer is waited for that.
const RESTS: Duration = Duration::from_millis(600);
/// The same for a tree that is read while the screen comes to rest.
const BRIEF: Duration = Duration::from_millis(40);
/// What a touch changes has begun to by then …
const BEGINS: Duration = Duration::from_millis(250);
/// … and is asked for so often.
const AGAIN: Duration = Duration::from_millis(15);
/// How long a text may take to stand in its field.
const TEXT: Duration = Duration::from_secs(6);
/// How long an icon may take: the reader itself says so after 0.8 s.
pub(crate) const ICON: Duration = Duration::from_secs(1);
/// So often in a row it may fail.
const IN_A_ROW: u32 = 3;
/// So often within [`WHILE`].
const IN_ALL: u32 = 8;
const WHILE: Duration = Duration::from_secs(600);
/// Where another program reads the screen, it is left alone for so long.
const TAKEN: Duration = Duration::from_secs(30);

/// What became of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextResult {
    /// It stands in the field.
    Shown,
    /// The field took it, and shows something else.
    Otherwise,
}

/// The reader of one phone, or the lack of one.
#[derive(Default)]
pub(crate) struct ResidentReader {
    running: Option<Running>,
    /// How many were started; the running one is the last of them.
    started: u64,
    /// The plain dump takes its time here: what is quick without it is left alone.
    wanted: bool,
    /// It is of no use on this phone.
    given_up: bool,
    /// Nobody else is to be disturbed before then.
    not_before: Option<Instant>,
    in_a_row: u32,
    in_all: u32,
    /// When the first of them was.
    since: Option<Instant>,
}

struct Running {
    /// The serial it was started over: another way to the phone needs another.
    over: String,
    connection: Connection,
}

impl std::fmt::Debug for ResidentReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Resident")
            .field("runs", &self.running.is_some())
            .field("given_up", &self.given_up)
            .finish_non_exhaustive()
    }
}

impl ResidentReader {
    /// A plain dump took so long.
    pub(crate) fn dump_took(&mut self, time: Duration) {
        self.wanted |= time >= SLOW;
    }

    /// Whether it is used where it can be.
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// One tree, read now, or once something has changed since `after`, if that is soon; nothing where the plain dump is to be
    /// used: then the reader is gone from the phone.
    ///
    /// # Errors
    /// [`AdbError::Tree`] when the phone is well and its windows have no root now.
    pub(crate) async fn tree(
        &mut self,
        device: &Device,
        after: Option<TreeMark>,
    ) -> Option<Result<RawTree, AdbError>> {
        // What was killed since it was last asked is found out by asking: then, and only once, another is started.
        for _ in 0..2 {
            if !self.is_ready(device).await {
                break;
            }
            match self.ask_tree(after).await {
                Ok((answer, mark)) if answer.outcome == Outcome::Done => {
                    let Ok(xml) = String::from_utf8(answer.rest) else {
                        self.failed(device, &ReaderError::Garbled("a tree that is no text".to_owned()))
                            .await;
                        continue;
                    };
                    self.in_a_row = 0;
                    let mark = Some(mark);
                    return Some(Ok(RawTree { xml, mark }));
                }
                Ok((answer, _)) if answer.outcome == Outcome::NoRoot => {
                    self.in_a_row = 0;
                    return Some(Err(AdbError::Tree("the window has no root now".to_owned())));
                }
                Ok((answer, _)) => self.failed(device, &ReaderError::Failed(answer.words())).await,
                Err(error) => self.failed(device, &error).await,
            }
        }
        self.hand_over(device).await;
        None
    }

    /// A tree, and how many changes had been told of before it was read: what changes under its reading counts as after it.
    async fn ask_tree(&mut self, after: Option<TreeMark>) -> Result<(Answer, TreeMark), ReaderError> {
        let reader = self.started;
        let connection = self.connection()?;
        // What is read after a touch is proven once more when it is there.
        let quiet = if after.is_some() { BRIEF } else { QUIET };
        let rest = |id| Request::wait(id, quiet, RESTS);
        let until = Instant::now() + BEGINS;
        let before = loop {
            let before = connection.ask(rest, RESTS + TREE).await?;
            let events = before.events;
            if after != Some(TreeMark { reader, events }) || Instant::now() >= until {
                break before;
            }
            sleep(AGAIN).await;
        };
        let answer = connection.ask(Request::tree, TREE).await?;
        let events = before.events;
        Ok((answer, TreeMark { reader, events }))
    }

    /// Whether one was started and, as far as is known, is there.
    pub(crate) fn runs(&self) -> bool {
        let is_there = |running: &Running| !running.connection.is_over();
        self.running.as_ref().is_some_and(is_there)
    }

    /// Whether no change was told of since a mark, nor waits to be told: Android holds the news of a window back for as long as
    /// [`QUIET`] after the last. It is waited for that so long and no longer. Nothing where this is another reader, or it does not
    /// answer.
    pub(crate) async fn holds(&mut self, device: &Device, mark: TreeMark, waits: Duration) -> Option<bool> {
        let running = self.running.as_mut()?;
        if mark.reader != self.started || running.over != device.serial() || running.connection.is_over() {
            return None;
        }
        let now = |id| Request::wait(id, QUIET, waits);
        match running.connection.ask(now, TREE).await {
            Ok(answer) if answer.outcome == Outcome::Done => {
                Some(answer.events == mark.events && answer.rest == [1])
            }
            Ok(answer) => {
                self.failed(device, &ReaderError::Failed(answer.words())).await;
                None
            }
            Err(error) => {
                self.failed(device, &error).await;
                None
            }
        }
    }

    /// Puts a text where the cursor is, in the field with the input focus; nothing where that is not possible, and nothing was
    /// done. One must run ([`ResidentReader::is_ready`]); to be waited for to its end.
    ///
    /// # Errors
    /// [`AdbError::Slow`] when it may have been done.
    pub(crate) async fn put(&mut self, device: &Device, text: &str) -> Result<Option<TextResult>, AdbError> {
        let connection = match self.connection() {
            Ok(connection) if text.len() <= protocol::MOST_TEXT => connection,
            _ => return Ok(None),
        };
        let error = match connection.ask(|id| Request::text(id, text), TEXT).await {
            Ok(answer) if answer.outcome == Outcome::Done => {
                self.in_a_row = 0;
                return Ok(Some(match answer.rest.first() {
                    Some(1) => TextResult::Shown,
                    _ => TextResult::Otherwise,
                }));
            }
            Ok(answer) if answer.outcome == Outcome::Refused => {
                tracing::debug!(why = answer.words(), "the reader puts no text there");
                return Ok(None);
            }
            Ok(answer) => ReaderError::Failed(answer.words()),
            Err(error) => error,
        };
        self.failed(device, &error).await;
        Err(AdbError::Slow("a text by the reader".to_owned()))
    }

    /// An app's icon as the phone sends it, a PNG of `side` pixels; nothing where none runs, it gives none, or not soon. None is
    /// started for that, and a failure is no reader's end: whoever reads the next tree finds out what became of it.
    pub(crate) async fn icon(&mut self, device: &Device, package: &str, side: u32) -> Option<Vec<u8>> {
        let running = self.running.as_mut()?;
        if running.over != device.serial() || running.connection.is_over() {
            return None;
        }
        let request = |id| Request::icon(id, package, side);
        match running.connection.ask(request, ICON).await {
            Ok(answer) if answer.outcome == Outcome::Done => Some(answer.rest),
            Ok(answer) => {
                tracing::debug!(package, why = answer.words(), "no icon is given");
                None
            }
            Err(error) => {
                tracing::debug!(package, %error, "no icon came");
                None
            }
        }
    }

    /// Has it go, so that something else can read the screen. When this returns it is gone, as far as the phone can tell.
    pub(crate) async fn hand_over(&mut self, device: &Device) {
        if let Some(error) = self.ended(device).await {
            tracing::debug!(%error, "the reader had ended");
        }
    }

    /// The same; why it had ended before, if it had.
    async fn ended(&mut self, device: &Device) -> Option<ReaderError> {
        let running = self.running.take()?;
        let group = running.connection.group;
        match running.connection.quit().await {
            ReaderEnd::Quit => None,
            ReaderEnd::Early(error) => {
                launch::end(device, group).await;
                Some(error)
            }
            ReaderEnd::Hangs => {
                launch::end(device, group).await;
                None
            }
        }
    }

    fn connection(&mut self) -> Result<&mut Connection, ReaderError> {
        let running = self.running.as_mut();
        let running = running.ok_or_else(|| ReaderError::Ended("it is gone".to_owned()))?;
        Ok(&mut running.connection)
    }

    /// Whether one runs, started where need be.
    pub(crate) async fn is_ready(&mut self, device: &Device) -> bool {
        if !self.wanted || self.given_up || self.not_before.is_some_and(|until| Instant::now() < until) {
            return false;
        }
        if let Some(running) = &self.running {
            if running.over == device.serial() && !running.connection.is_over() {
                return true;
            }
            // It goes by itself when it was not asked for a while; otherwise it was made to.
            if let Some(error) = self.ended(device).await {
                self.failed(device, &error).await;
                if self.given_up {
                    return false;
                }
            }
        }
        match launch::start(device).await {
            Ok(connection) => {
                self.started += 1;
                self.running = Some(Running {
                    over: device.serial().to_owned(),
                    connection,
                });
                true
            }
            Err(error) => {
                self.failed(device, &error).await;
                false
            }
        }
    }

    /// Remembers what happened, and has it go.
    async fn failed(&mut self, device: &Device, error: &ReaderError) {
        self.hand_over(device).await;
        if let ReaderError::Phone(error) = error {
            // The plain dump will tell.
            tracing::debug!(%error, "the reader could not be asked for");
            return;
        }
        let now = Instant::now();
        if self.since.is_none_or(|since| now.duration_since(since) > WHILE) {
            self.since = Some(now);
            self.in_all = 0;
        }
        self.in_a_row += 1;
        self.in_all += 1;
        let for_good = match error {
            ReaderError::Phone(_) => false,
            ReaderError::Unwilling(why)
                if why.contains("already registered") || why.contains("Error while connecting") =>
            {
                self.not_before = Some(Instant::now() + TAKEN);
                false
            }
            ReaderError::Unwilling(_) | ReaderError::Stale(_) | ReaderError::Garbled(_) => true,
            ReaderError::Ended(_) | ReaderError::Slow | ReaderError::Failed(_) => {
                self.in_a_row >= IN_A_ROW || self.in_all >= IN_ALL
            }
        };
        self.given_up |= for_good;
        tracing::info!(serial = device.serial(), %error, for_good, "the phone's reader is not used");
    }
}
