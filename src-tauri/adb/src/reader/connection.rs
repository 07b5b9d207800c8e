//! One reader that runs: a task of its own speaks with it, so that whoever stops waiting for an answer leaves nothing half read.

use super::error::ReaderError;
use super::protocol::{Answer, Freshness, Inbox, ReaderMessage, Request};
use crate::connect::link::Stream;
use crate::connect::shell::Framing;
use crate::error::clip;
use secrecy::zeroize::Zeroizing;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

/// How long a request may take to be written.
const WRITES: Duration = Duration::from_secs(2);
/// How long it may take to go after *quit*.
const GOES: Duration = Duration::from_secs(1);
/// After so long without a request it is let go: while it is there, nobody else can read this phone's screen.
const IDLE: Duration = Duration::from_secs(30);
/// So much of its complaints is held.
const MOST_WORDS: usize = 4096;
/// More than this in one packet of the shell's no daemon sends.
const MOST_PACKET: usize = 1 << 24;

/// The connection is gone.
const CUT: &str = "the stream ended";

/// A request on its way.
struct Job {
    frame: Zeroizing<Vec<u8>>,
    id: u32,
    reply: oneshot::Sender<Result<Answer, ReaderError>>,
}

/// A reader that runs. Dropped, it is told to quit.
pub(super) struct Connection {
    jobs: mpsc::UnboundedSender<Job>,
    fresh: Freshness,
    last: u32,
    /// The process group of all that was started, where the phone told.
    pub(super) group: Option<u32>,
    task: JoinHandle<ReaderEnd>,
}

/// How it ended.
#[derive(Debug)]
pub(super) enum ReaderEnd {
    /// As it was told to.
    Quit,
    /// By itself.
    Early(ReaderError),
    /// Not yet, as far as is known.
    Hangs,
}

impl Connection {
    /// Takes over a stream on which a reader starts, and waits for its greeting.
    ///
    /// # Errors
    /// [`ReaderError::Unwilling`] in its own words; [`ReaderError::Slow`] after `limit`; [`ReaderError::Garbled`]. With it the
    /// process group, where that was told.
    pub(super) async fn greet(
        stream: Box<dyn Stream>,
        framing: Framing,
        limit: Duration,
    ) -> Result<Self, (ReaderError, Option<u32>)> {
        let (from, to) = tokio::io::split(stream);
        let mut line = FramedStream {
            from,
            to,
            framing,
            bytes: Vec::new(),
            inbox: Inbox::default(),
            words: String::new(),
            abandoned: Vec::new(),
        };
        let greeted = timeout(limit, line.hear()).await;
        let group = group(&line.inbox.noise());
        let why = match greeted {
            Ok(Ok(ReaderMessage::Ready)) => {
                let (jobs, waiting) = mpsc::unbounded_channel();
                return Ok(Self {
                    jobs,
                    fresh: Freshness::default(),
                    last: 0,
                    group,
                    task: tokio::spawn(serve(line, waiting)),
                });
            }
            Ok(Ok(ReaderMessage::Unwilling(why))) => ReaderError::Unwilling(why),
            Ok(Ok(ReaderMessage::Answer(_))) => {
                ReaderError::Garbled("an answer before its greeting".to_owned())
            }
            Ok(Err(ReaderError::Ended(why))) if !is_cut(&why) => ReaderError::Unwilling(why),
            Ok(Err(error)) => error,
            Err(_) => ReaderError::Slow,
        };
        Err((why, group))
    }

    /// Whether it is gone.
    pub(super) fn is_over(&self) -> bool {
        self.jobs.is_closed()
    }

    /// Asks, and sees to it that the answer is this request's, and new. May be dropped: then the answer is nobody's.
    ///
    /// # Errors
    /// [`ReaderError::Slow`] after `limit`, [`ReaderError::Stale`]; how the stream ended. After each it is of no more use.
    pub(super) async fn ask(
        &mut self,
        request: impl FnOnce(u32) -> Request,
        limit: Duration,
    ) -> Result<Answer, ReaderError> {
        self.last += 1;
        let request = request(self.last);
        let (reply, answered) = oneshot::channel();
        let job = Job {
            frame: request.frame(),
            id: request.id,
            reply,
        };
        let ended = || ReaderError::Ended("it is gone".to_owned());
        self.jobs.send(job).map_err(|_| ended())?;
        let answer = match timeout(limit, answered).await {
            Ok(Ok(answer)) => answer?,
            Ok(Err(_)) => return Err(ended()),
            Err(_) => return Err(ReaderError::Slow),
        };
        self.fresh.check(&request, &answer)?;
        Ok(answer)
    }

    /// Has it go, and waits for that.
    pub(super) async fn quit(self) -> ReaderEnd {
        let Self { jobs, task, .. } = self;
        drop(jobs);
        match timeout(GOES * 2, task).await {
            Ok(Ok(end)) => end,
            Ok(Err(_)) | Err(_) => ReaderEnd::Hangs,
        }
    }
}

/// What ended it came from outside: killed, or the connection is gone.
fn is_cut(why: &str) -> bool {
    why == CUT || why.contains("Killed") || why.ends_with("code 137")
}

/// Writes what is asked, hands on what is answered, until nobody asks any more.
async fn serve(mut line: FramedStream, mut jobs: mpsc::UnboundedReceiver<Job>) -> ReaderEnd {
    let mut last = 0;
    loop {
        let job = tokio::select! {
            job = jobs.recv() => job,
            said = line.hear() => match said {
                Ok(ReaderMessage::Answer(late)) if line.is_late(late.id) => continue,
                Ok(_) => return ReaderEnd::Early(ReaderError::Garbled("it speaks unasked".to_owned())),
                Err(error) => return ReaderEnd::Early(error),
            },
            () = sleep(IDLE) => None,
        };
        let Some(mut job) = job else { break };
        last = job.id;
        // Written whole before anybody can give up: half a request would have the phone wait for its rest.
        let answer = match line.write(&job.frame).await {
            Ok(()) => tokio::select! {
                answer = line.answer() => answer,
                () = job.reply.closed() => {
                    line.abandoned.push(job.id);
                    continue;
                }
            },
            Err(error) => Err(error),
        };
        let ended = answer.as_ref().err().cloned();
        let _ = job.reply.send(answer);
        if let Some(error) = ended {
            return ReaderEnd::Early(error);
        }
    }
    // It goes by itself also at the end of its input; asked, it gives back at once what it holds.
    jobs.close();
    if line.write(&Request::quit(last + 1).frame()).await.is_err() {
        return ReaderEnd::Hangs;
    }
    let over = async { while line.hear().await.is_ok() {} };
    match timeout(GOES, over).await {
        Ok(()) => ReaderEnd::Quit,
        Err(_) => ReaderEnd::Hangs,
    }
}

/// The stream, read in pieces.
struct FramedStream {
    from: ReadHalf<Box<dyn Stream>>,
    to: WriteHalf<Box<dyn Stream>>,
    framing: Framing,
    bytes: Vec<u8>,
    inbox: Inbox,
    words: String,
    /// Requests whose answers nobody waits for, and which may yet be answered.
    abandoned: Vec<u32>,
}

impl FramedStream {
    async fn write(&mut self, frame: &[u8]) -> Result<(), ReaderError> {
        let mut packet = Zeroizing::new(Vec::with_capacity(frame.len() + 5));
        if self.framing == Framing::V2 {
            packet.push(0);
            packet.extend(u32::try_from(frame.len()).unwrap_or(u32::MAX).to_le_bytes());
        }
        packet.extend_from_slice(frame);
        let writing = async {
            self.to.write_all(&packet).await?;
            self.to.flush().await
        };
        match timeout(WRITES, writing).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(ReaderError::Ended(error.to_string())),
            Err(_) => Err(ReaderError::Slow),
        }
    }

    /// Whether this is the answer to a request that was given up. An answer that was had already is none.
    fn is_late(&mut self, id: u32) -> bool {
        let place = self.abandoned.iter().position(|given_up| *given_up == id);
        place.map(|place| self.abandoned.swap_remove(place)).is_some()
    }

    /// Hears the next answer that somebody waits for. May be dropped.
    async fn answer(&mut self) -> Result<Answer, ReaderError> {
        loop {
            match self.hear().await? {
                ReaderMessage::Answer(late) if self.is_late(late.id) => {}
                ReaderMessage::Answer(answer) => return Ok(answer),
                _ => return Err(ReaderError::Garbled("a second greeting".to_owned())),
            }
        }
    }

    /// The next thing it says. May be dropped and called again.
    async fn hear(&mut self) -> Result<ReaderMessage, ReaderError> {
        loop {
            self.unpack()?;
            if let Some(said) = self.inbox.next()? {
                return Ok(said);
            }
            let read = self.from.read_buf(&mut self.bytes).await;
            match read {
                Ok(0) => return Err(ReaderError::Ended(self.why(CUT))),
                Ok(_) => {}
                Err(error) => return Err(ReaderError::Ended(error.to_string())),
            }
        }
    }

    /// Takes whole packets out of what came.
    fn unpack(&mut self) -> Result<(), ReaderError> {
        if self.framing == Framing::Bare {
            self.inbox.feed(&self.bytes);
            self.bytes.clear();
            return Ok(());
        }
        while let Some((&[kind, a, b, c, d], rest)) = self.bytes.split_first_chunk::<5>() {
            let length = u32::from_le_bytes([a, b, c, d]) as usize;
            if length > MOST_PACKET {
                return Err(ReaderError::Garbled(format!("a packet of {length} bytes")));
            }
            let Some(body) = rest.get(..length) else { break };
            match kind {
                1 => self.inbox.feed(body),
                2 if self.words.len() < MOST_WORDS => self.words.push_str(&String::from_utf8_lossy(body)),
                3 => {
                    let code = body.first().copied().unwrap_or_default();
                    return Err(ReaderError::Ended(
                        self.why(&format!("it ended with code {code}")),
                    ));
                }
                _ => {}
            }
            self.bytes.drain(..5 + length);
        }
        Ok(())
    }

    /// What it complained of; else this.
    fn why(&self, plain: &str) -> String {
        let noise = self.inbox.noise();
        let lines = || self.words.lines().chain(noise.lines()).map(str::trim);
        let said = lines().find(|line| {
            line.contains("Exception") || line.contains("Error") || *line == "Killed" || *line == "Aborted"
        });
        clip(said.unwrap_or(plain))
    }
}

/// The number that the shell told in front of everything.
fn group(noise: &str) -> Option<u32> {
    let number = noise
        .lines()
        .find_map(|line| line.trim().strip_prefix("PDSHELL "))?;
    // 0 and 1 would name our own group, or everybody's.
    number.trim().parse().ok().filter(|number| *number > 1)
}
