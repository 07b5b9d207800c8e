//! Android's own `screenrecord` as a session.
//!
//! It writes H.264 without any framing, so the last picture of a screen that stays as it is has no end: it is taken as whole
//! after a short silence. It ends by itself after three minutes, and shows a turned screen inside the size it began with:
//! in both cases another session is asked for while this one goes on.
//!
//! Source: AOSP `frameworks/av/cmds/screenrecord/screenrecord.cpp` (`--output-format=h264` since Android 5.0, hidden in its
//! help; three minutes are the longest time up to Android 13).

use super::heartbeat::Heartbeat;
use super::outlet::{FIRST, PIECE, PictureSink, STALLED, SessionEnd, SessionEvent, SessionStart};
use super::packet::FallbackReason;
use super::pieces::{Piece, Pieces};
use super::request;
use super::screen::{self, Screen};
use crate::connect::command_line::CommandLine;
use crate::connect::leftover::Leftover;
use crate::connect::link::Stream;
use crate::connect::server::Device;
use crate::error::{AdbError, clip};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::time::{Instant, sleep_until};
use tokio_util::task::AbortOnDropHandle;
use video::annex_b::{Part, Splitter};

/// So long before its three minutes are over another session is asked for.
const RENEW_AFTER: Duration = Duration::from_secs(165);
/// A session that ended later than this did so because its time was over.
const TIME_OVER: Duration = Duration::from_secs(120);
/// How often it is asked whether the screen was turned, while it moves.
const TURNS_EVERY: Duration = Duration::from_secs(1);
/// Android 11: since then it takes `--display-id`.
const NAMES_PANELS: u32 = 30;
/// How much of what is no picture is kept for its words.
const WORDS: usize = 2000;

/// Runs one to its end.
pub(super) async fn run(start: SessionStart, mut out: PictureSink) -> (PictureSink, SessionEnd) {
    let end = pictures(&start, &mut out).await;
    (out, end)
}

async fn pictures(start: &SessionStart, out: &mut PictureSink) -> SessionEnd {
    let (screen, panel) = tokio::join!(screen::look(&start.device), panel(&start.device));
    let panel = panel.map_or_else(String::new, |panel| format!(" --display-id {panel}"));
    if let Some(screen) = screen
        && let Err(end) = out.tell(SessionEvent::Screen(screen.turned())).await
    {
        return end;
    }
    let shown = screen.map(Screen::turned).or(start.screen);
    let size = shown.map(|shown| request::fit(shown, start.request.longest_side));
    let bits = request::bits(
        &start.device,
        size.unwrap_or((720, 1280)),
        start.request.fps,
        start.exact,
    );
    let mut end = None;
    // An encoder that does not take this size may take the screen's own.
    for size in [
        size.map(|(width, height)| format!(" --size {width}x{height}")),
        None,
    ] {
        if size.is_none() && end.as_ref().is_some_and(|end| !was_refused(end)) {
            break;
        }
        let options = format!(
            "--output-format=h264 --bit-rate {bits}{panel}{}",
            size.unwrap_or_default()
        );
        let Err(ended) = Recording::run(start, screen, out, &options).await else {
            continue;
        };
        end = Some(ended);
    }
    end.unwrap_or_else(|| {
        SessionEnd::new(
            FallbackReason::NoScreenrecord,
            AdbError::NotSupported("screenrecord".to_owned()),
        )
    })
}

/// The panel to name: of a folded phone the first one, which is recorded where none is named, is off.
async fn panel(device: &Device) -> Option<u64> {
    if device.sdk().await? < NAMES_PANELS {
        return None;
    }
    screen::of_several(device).await.ok().flatten()?.physical
}

/// Whether it complained, rather than being cut off.
fn was_refused(end: &SessionEnd) -> bool {
    matches!(end.error, AdbError::NotSupported(_))
}

/// One `screenrecord` that runs.
struct Recording<'a> {
    start: &'a SessionStart,
    out: &'a mut PictureSink,
    pieces: Pieces,
    splitter: Splitter,
    /// Its number among the phone's processes, once it told.
    leftover: Option<Leftover>,
    /// What it said that is no picture.
    said: Vec<u8>,
    complained: Vec<u8>,
    began: Instant,
    /// When a picture, or a piece of one, came last.
    last: Instant,
    /// Between what came last and what came before.
    gap: Duration,
    /// The picture that is on its way came in several pieces.
    in_pieces: bool,
    seen: bool,
    /// Pictures came since the screen was last asked how it is turned.
    moved: bool,
    renewing: bool,
}

/// What asks how the screen is turned, and since when.
type RotationQuery = AbortOnDropHandle<Option<Screen>>;

impl<'a> Recording<'a> {
    async fn run(
        start: &'a SessionStart,
        screen: Option<Screen>,
        out: &'a mut PictureSink,
        options: &str,
    ) -> Result<(), SessionEnd> {
        // Its number first, to end it by; then itself in the shell's place.
        let line = CommandLine::plain(&format!("echo $$; exec screenrecord {options} -"));
        let unreached = |error| SessionEnd::new(FallbackReason::NoScreenrecord, error);
        let device = &start.device;
        let stream = device.connect().await.map_err(unreached)?;
        let running = device.start(stream, &line, "exec:").await.map_err(unreached)?;
        let (from, framing) = running.into_stream();
        let now = Instant::now();
        let recording = Self {
            start,
            out,
            pieces: Pieces::new(framing),
            splitter: Splitter::default(),
            leftover: None,
            said: Vec::new(),
            complained: Vec::new(),
            began: now,
            last: now,
            gap: Duration::ZERO,
            in_pieces: false,
            seen: false,
            moved: false,
            renewing: false,
        };
        recording.read(from, screen).await
    }

    async fn read(mut self, mut from: Box<dyn Stream>, screen: Option<Screen>) -> Result<(), SessionEnd> {
        let mut heartbeat = Heartbeat::new(&self.start.device);
        let mut turning: Option<RotationQuery> = None;
        let mut asked = Instant::now();
        loop {
            let silent_until = self.silent_until();
            let turns_at = asked + TURNS_EVERY;
            let asks_turns = self.moved && turning.is_none() && screen.is_some() && !self.renewing;
            let buffer = self.pieces.buffer();
            buffer.reserve(PIECE);
            tokio::select! {
                read = from.read_buf(buffer) => {
                    match read {
                        Ok(0) => return Err(self.over(None)),
                        Ok(_) => {}
                        Err(error) => return Err(self.over(Some(error.to_string()))),
                    }
                    let now = Instant::now();
                    self.gap = now - self.last;
                    self.last = now;
                    heartbeat.beat();
                    self.take().await?;
                }
                () = sleep_until(silent_until) => self.silent().await?,
                () = sleep_until(self.began + RENEW_AFTER), if !self.renewing => self.renew().await?,
                () = sleep_until(turns_at), if asks_turns => {
                    self.moved = false;
                    asked = Instant::now();
                    let device = self.start.device.clone();
                    turning = Some(AbortOnDropHandle::new(tokio::spawn(async move {
                        screen::look(&device).await
                    })));
                }
                now = answered(&mut turning) => {
                    if now.is_some_and(|now| Some(now) != screen) {
                        self.renew().await?;
                    }
                }
                error = heartbeat.lost() => return Err(SessionEnd::new(FallbackReason::Ended, error)),
            }
        }
    }

    /// Until when the silence that is now is nothing to act on.
    fn silent_until(&self) -> Instant {
        if self.pieces.is_within() {
            return self.last + STALLED;
        }
        if self.splitter.holds_picture() {
            return self.last + self.start.silence.enough(self.in_pieces);
        }
        if self.seen {
            // Nothing moves. Whether the phone is still there is the heartbeat's to say.
            return self.last + Duration::from_secs(3600);
        }
        self.began + FIRST
    }

    /// It has been silent for long enough.
    async fn silent(&mut self) -> Result<(), SessionEnd> {
        if self.pieces.is_within() {
            return Err(SessionEnd::new(
                FallbackReason::Ended,
                AdbError::Slow("the rest of a picture".to_owned()),
            ));
        }
        if let Some(unit) = self.splitter.flush() {
            self.start.silence.kept();
            self.unit(&unit).await?;
        } else if !self.seen {
            let error = AdbError::Slow("screenrecord's first picture".to_owned());
            return Err(SessionEnd::new(FallbackReason::NoStream, error));
        } else {
            self.last = Instant::now();
        }
        Ok(())
    }

    /// Takes what has come.
    async fn take(&mut self) -> Result<(), SessionEnd> {
        loop {
            let piece = self.pieces.pop().map_err(|why| {
                let error = AdbError::Garbled(format!("screenrecord: {why}"));
                SessionEnd::new(FallbackReason::Ended, error)
            })?;
            match piece {
                None => return Ok(()),
                Some(Piece::Out(bytes)) => self.bytes(&bytes).await?,
                Some(Piece::Complaint(bytes)) => keep(&mut self.complained, &bytes),
                Some(Piece::Exit(code)) => return Err(self.over(Some(format!("exit {code}")))),
            }
        }
    }

    async fn bytes(&mut self, mut bytes: &[u8]) -> Result<(), SessionEnd> {
        if self.leftover.is_none() {
            // The first line, which the shell wrote, may come in pieces too.
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let (line, rest) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
            keep(&mut self.said, line);
            bytes = rest;
            if end.is_none() {
                return Ok(());
            }
            let said = String::from_utf8_lossy(&self.said);
            let number: Option<u32> = said.trim().parse().ok().filter(|number| *number > 1);
            let ending = number.map_or_else(
                || ":".to_owned(),
                // Interrupted it gives its encoder back in order; killed it is gone for sure.
                |number| format!("kill -2 {number}; sleep 0.3; kill -9 {number}"),
            );
            self.leftover = Some(Leftover::new(&self.start.device, ending));
            self.said.clear();
        }
        if !self.seen {
            keep(&mut self.said, bytes);
        }
        self.in_pieces = self.splitter.holds_picture();
        // Pieces that came in one are not apart.
        let gap = std::mem::take(&mut self.gap);
        self.splitter.push(bytes);
        let mut ended = false;
        while let Some(part) = self.splitter.pop() {
            ended = true;
            match part {
                Part::Unit(unit) => {
                    self.unit(&unit).await?;
                    self.in_pieces = false;
                }
                Part::Gap => {
                    // Its rest came after all: what was shown is half a picture, and so is all that builds on it.
                    self.start.silence.torn(gap);
                    tracing::debug!("screenrecord was thought silent in the middle of a picture");
                    self.out.packer.skip_to_key();
                    self.renew().await?;
                }
            }
        }
        if self.in_pieces && !ended {
            self.start.silence.within(gap);
        }
        Ok(())
    }

    async fn unit(&mut self, unit: &[u8]) -> Result<(), SessionEnd> {
        // It tells no times of its own.
        let time = u64::try_from(self.last.duration_since(self.began).as_micros()).unwrap_or(u64::MAX);
        if self.out.unit(unit, time, self.last).await? {
            self.seen = true;
            self.moved = true;
            self.said.clear();
        }
        Ok(())
    }

    async fn renew(&mut self) -> Result<(), SessionEnd> {
        self.renewing = true;
        self.out.tell(SessionEvent::Renew).await
    }

    /// It ended: why.
    fn over(&mut self, how: Option<String>) -> SessionEnd {
        let words = [&self.complained[..], &self.said[..]].concat();
        let said = clip(String::from_utf8_lossy(&words).trim());
        if self.seen {
            let lived = self.began.elapsed();
            let said = if lived >= TIME_OVER {
                "its time was over".to_owned()
            } else {
                said
            };
            return SessionEnd::new(
                FallbackReason::Ended,
                AdbError::Cut(format!("screenrecord: {said}")),
            );
        }
        let how = how.unwrap_or_default();
        SessionEnd::new(
            FallbackReason::NoScreenrecord,
            AdbError::NotSupported(format!("screenrecord: {how} {said}")),
        )
    }
}

/// The answer to what was asked; never when nothing was.
async fn answered(turning: &mut Option<RotationQuery>) -> Option<Screen> {
    let Some(asking) = turning else {
        return std::future::pending().await;
    };
    let answer = asking.await;
    *turning = None;
    answer.ok().flatten()
}

fn keep(held: &mut Vec<u8>, more: &[u8]) {
    let room = WORDS.saturating_sub(held.len());
    held.extend(more.iter().take(room));
}
