//! scrcpy's server as a session.

use super::heartbeat::Heartbeat;
use super::outlet::{FIRST, PIECE, PictureSink, STALLED, SessionEnd, SessionEvent, SessionStart};
use super::packet::FallbackReason;
use super::screen_watch::ScreenWatch;
use super::{request, screen};
use crate::error::AdbError;
use crate::scrcpy::{Quality, Video};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use video::scrcpy::{self, Demuxer};

/// On a screen that stays as it is the server sends nothing. After so much silence it is asked for a key frame, to see
/// whether it would.
const ASK_AFTER: Duration = Duration::from_secs(10);
/// How long it may take for that.
const ANSWERS: Duration = Duration::from_secs(4);
/// Between two key frames that somebody asks for.
const KEYS_APART: Duration = Duration::from_millis(500);

/// Runs one to its end.
pub(super) async fn run(
    start: SessionStart,
    out: PictureSink,
    asked: mpsc::Receiver<()>,
) -> (PictureSink, SessionEnd) {
    let mut out = out;
    let end = pictures(&start, &mut out, asked).await;
    (
        out,
        end.err().unwrap_or_else(|| {
            SessionEnd::new(FallbackReason::Ended, AdbError::Cut("scrcpy ended".to_owned()))
        }),
    )
}

async fn pictures(
    start: &SessionStart,
    out: &mut PictureSink,
    mut asked: mpsc::Receiver<()>,
) -> Result<(), SessionEnd> {
    let missing = || AdbError::NotSupported("no scrcpy server on this computer".to_owned());
    let jar = start
        .scrcpy
        .jar()
        .await
        .ok_or_else(|| SessionEnd::new(FallbackReason::NoServer, missing()))?;
    let size = start
        .screen
        .unwrap_or((start.request.longest_side, start.request.longest_side / 2));
    let wanted = Quality {
        longest_side: start.request.longest_side,
        fps: start.request.fps,
        bits: request::bits(
            &start.device,
            request::fit(size, start.request.longest_side),
            start.request.fps,
            start.exact,
        ),
    };
    let starting = Video::start(&start.device, &jar, wanted);
    let (video, screen) = tokio::join!(starting, screen::look(&start.device));
    let mut video = video.map_err(|error| SessionEnd::new(FallbackReason::NotStarted, error))?;
    if let Some(screen) = screen {
        out.tell(SessionEvent::Screen(screen.turned())).await?;
    }
    let mut natural = screen.map(|screen| screen.natural);
    let mut watch = ScreenWatch::new(&start.device);
    let mut demuxer = Demuxer::new(video.framing);
    let mut heartbeat = Heartbeat::new(&start.device);
    let first_until = Instant::now() + FIRST;
    let mut seen = false;
    let mut last = Instant::now();
    // When a key frame was asked for, until something comes.
    let mut waiting: Option<Instant> = None;
    let mut last_key: Option<Instant> = None;
    loop {
        let silent_until = if !seen {
            first_until
        } else if demuxer.is_within() {
            last + STALLED
        } else {
            waiting.map_or(last + ASK_AFTER, |since| since + ANSWERS)
        };
        let wants_key = waiting.is_none() && last_key.is_none_or(|last| last.elapsed() >= KEYS_APART);
        let buffer = demuxer.buffer();
        buffer.reserve(PIECE);
        tokio::select! {
            read = video.from.read_buf(buffer) => {
                let ended = |said: String| SessionEnd::new(FallbackReason::Ended, AdbError::Cut(format!("scrcpy: {said}")));
                match read {
                    Ok(0) => return Err(ended(video.log())),
                    Ok(_) => {}
                    Err(error) => return Err(ended(error.to_string())),
                }
                last = Instant::now();
                waiting = None;
                heartbeat.beat();
                seen |= take(&mut demuxer, &mut watch, out, last).await?;
            }
            Some(()) = asked.recv(), if wants_key => {
                last_key = Some(Instant::now());
                ask(&mut video, &mut watch).await?;
            }
            screen = watch.next() => {
                out.tell(SessionEvent::Screen(screen.turned())).await?;
                // What was shown meanwhile went with the size before, and on a still screen nothing would follow it.
                if natural.replace(screen.natural) != Some(screen.natural) {
                    ask(&mut video, &mut watch).await?;
                }
            }
            () = sleep_until(silent_until) => {
                if !seen {
                    let error = AdbError::Slow("scrcpy's first picture".to_owned());
                    return Err(SessionEnd::new(FallbackReason::NoStream, error));
                }
                if demuxer.is_within() || waiting.is_some() {
                    let error = AdbError::Slow("scrcpy's next picture".to_owned());
                    return Err(SessionEnd::new(FallbackReason::Ended, error));
                }
                waiting = Some(Instant::now());
                ask(&mut video, &mut watch).await?;
            }
            error = heartbeat.lost() => return Err(SessionEnd::new(FallbackReason::Ended, error)),
        }
    }
}

/// Passes on what is whole; true when there was a picture.
async fn take(
    demuxer: &mut Demuxer,
    watch: &mut ScreenWatch,
    out: &mut PictureSink,
    arrived: Instant,
) -> Result<bool, SessionEnd> {
    let mut seen = false;
    loop {
        let event = demuxer.pop().map_err(|error| {
            let why = match error {
                video::VideoError::Disabled(_) | video::VideoError::Codec(_) => FallbackReason::NotStarted,
                _ => FallbackReason::Ended,
            };
            SessionEnd::new(why, AdbError::Garbled(error.to_string()))
        })?;
        if let Some(event) = &event {
            watch.sees(event);
        }
        match event {
            None => return Ok(seen),
            // The parameter sets say it too, and with the picture it is for.
            Some(scrcpy::Event::Size(..)) => {}
            Some(scrcpy::Event::Configuration(sets)) => {
                out.unit(&sets, 0, arrived).await?;
            }
            Some(scrcpy::Event::Picture { time, unit, .. }) => {
                seen |= out.unit(&unit, time, arrived).await?;
            }
        }
    }
}

async fn ask(video: &mut Video, watch: &mut ScreenWatch) -> Result<(), SessionEnd> {
    watch.expects();
    video
        .reset()
        .await
        .map_err(|error| SessionEnd::new(FallbackReason::Ended, error))
}
