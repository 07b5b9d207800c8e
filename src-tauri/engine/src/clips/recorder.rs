//! Recording one clip: from the phone's stream and its sound to files.

use super::file::ClipFile;
use crate::sound;
use adb::AdbPhone;
use adb::scrcpy::SoundListener;
use adb::scrcpy::sound::SoundPacket;
use adb::stream::{Content, Packet, StreamEvent, StreamRequest, StreamSource};
use protocol::{ClipSound, ClipState, Failure, FailureCode, NoSound};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};
use tokio_util::sync::CancellationToken;
use video::avcc::Configuration;
use video::sound::SoundConfiguration;

/// As large as any window asks for, so that a window that becomes larger needs no other stream, and the clip no other file.
const WISH: StreamRequest = StreamRequest {
    longest_side: 1920,
    fps: 60,
};
/// What was recorded is in the file after so long, whatever becomes of this program.
const PIECE: Duration = Duration::from_secs(1);
/// How long the first picture may take.
const FIRST: Duration = Duration::from_secs(15);
/// How long a stream that was lost is waited for.
const LOST: Duration = Duration::from_secs(6);

/// A clip on its way.
pub(super) struct ClipRecorder {
    phone: Arc<AdbPhone>,
    place: ClipPlace,
    /// A task runs on the phone: nothing may come in front there.
    task_runs: bool,
    is_there: Box<dyn Fn() -> bool + Send + Sync>,
    tell: Box<dyn Fn(ClipState) + Send + Sync>,
    stop: CancellationToken,
    sound: ClipSound,
    sound_told: Option<SoundConfiguration>,
    configuration: Option<Arc<Configuration>>,
    file: Option<ClipFile>,
    paths: Vec<PathBuf>,
}

/// Where its files go.
pub(super) struct ClipPlace {
    pub(super) folder: PathBuf,
    /// Without what ends it.
    pub(super) name: String,
}

impl ClipRecorder {
    pub(super) fn new(
        phone: Arc<AdbPhone>,
        place: ClipPlace,
        task_runs: bool,
        is_there: impl Fn() -> bool + Send + Sync + 'static,
        tell: impl Fn(ClipState) + Send + Sync + 'static,
        stop: CancellationToken,
    ) -> Self {
        Self {
            phone,
            place,
            task_runs,
            is_there: Box::new(is_there),
            tell: Box::new(tell),
            stop,
            sound: ClipSound::Without(NoSound::Refused),
            sound_told: None,
            configuration: None,
            file: None,
            paths: Vec::new(),
        }
    }

    /// Records until it is stopped or cannot go on: how it stands then, and the files.
    pub(super) async fn run(mut self) -> (ClipState, Vec<PathBuf>) {
        (self.tell)(ClipState::Starting);
        let stop = self.stop.clone();
        let started = tokio::select! {
            biased;
            () = stop.cancelled() => None,
            started = self.start_sound() => started,
        };
        let mut ended = self.record(started).await;
        let until = ended.is_ok().then(Instant::now);
        let closed = self.close(until).await;
        ended = ended.and(closed);
        let paths = self.paths.iter().map(|path| path.display().to_string());
        let state = match (self.paths.is_empty(), ended.err()) {
            (false, failure) => ClipState::Saved {
                paths: paths.collect(),
                sound: self.sound,
                failure,
            },
            (true, Some(failure)) => ClipState::Failed { failure },
            (true, None) => ClipState::Stopped,
        };
        (state, self.paths)
    }

    /// The phone's sound, where it gives it.
    async fn start_sound(&mut self) -> Option<SoundListener> {
        match sound::listen(&self.phone, self.task_runs).await {
            Ok(sound) => {
                self.sound = ClipSound::Recorded;
                self.sound_told = Some(sound.configuration().clone());
                Some(sound)
            }
            Err(why) => {
                self.sound = ClipSound::Without(why);
                None
            }
        }
    }

    async fn record(&mut self, mut sound: Option<SoundListener>) -> Result<(), Failure> {
        if self.stop.is_cancelled() {
            return Ok(());
        }
        let stop = self.stop.clone();
        let mut reader = self.phone.feed().record(WISH);
        // Until when a picture must have come.
        let mut waits_until = Some(Instant::now() + FIRST);
        let mut pieces = interval(PIECE);
        pieces.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return Ok(()),
                event = reader.next() => match event {
                    StreamEvent::Packet(packet) => {
                        waits_until = None;
                        self.packet(&packet).await?;
                    }
                    StreamEvent::Status(now) if now.source.is_none_or(|source| source == StreamSource::Captures) => {
                        waits_until.get_or_insert_with(|| Instant::now() + LOST);
                        if !(self.is_there)() {
                            return Err(FailureCode::PhoneGone.into());
                        }
                    }
                    StreamEvent::Status(_) => {}
                },
                heard = next(&mut sound) => match heard {
                    Some(packet) => if let Some(file) = &mut self.file {
                        file.sound(packet);
                    },
                    None => sound = None,
                },
                _ = pieces.tick() => if let Some(file) = &mut self.file {
                    file.write().await?;
                },
                () = sleep_until(waits_until.unwrap_or_else(Instant::now)), if waits_until.is_some() => {
                    let code = if (self.is_there)() { FailureCode::NoVideo } else { FailureCode::PhoneGone };
                    return Err(code.into());
                }
            }
        }
    }

    async fn packet(&mut self, packet: &Packet) -> Result<(), Failure> {
        let sample = match &packet.content {
            Content::Configuration(told) => {
                self.configuration = Some(Arc::clone(told));
                return Ok(());
            }
            Content::Unit(sample) => sample,
        };
        let Some(told) = self.configuration.clone() else {
            return Ok(());
        };
        if self.file.as_ref().is_some_and(|file| !file.takes(&told)) {
            self.close(Some(packet.arrived)).await?;
        }
        if self.file.is_none() {
            if !sample.key {
                return Ok(());
            }
            let place = (self.place.folder.as_path(), self.place.name.as_str());
            let file = ClipFile::create(place, &told, self.sound_told.as_ref(), packet).await?;
            if self.paths.is_empty() {
                (self.tell)(ClipState::Recording {
                    since: packet.at,
                    sound: self.sound,
                });
            }
            self.paths.push(file.path().to_path_buf());
            self.file = Some(file);
        }
        if let Some(file) = &mut self.file {
            file.picture(packet, sample);
        }
        Ok(())
    }

    async fn close(&mut self, until: Option<Instant>) -> Result<(), Failure> {
        match self.file.take() {
            Some(file) => file.close(until).await,
            None => Ok(()),
        }
    }
}

/// The next packet of the sound, or that it is over; never anything where there is none.
async fn next(sound: &mut Option<SoundListener>) -> Option<SoundPacket> {
    let Some(running) = sound else {
        return std::future::pending().await;
    };
    match running.next().await {
        Ok(packet) => Some(packet),
        Err(error) => {
            tracing::info!(%error, "a clip goes on without sound");
            None
        }
    }
}
