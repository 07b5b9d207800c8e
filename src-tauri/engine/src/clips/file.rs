//! A clip's file as it grows.

use super::timeline::Timeline;
use crate::EngineError;
use crate::pictures::first_free;
use adb::stream::Packet;
use protocol::{Failure, FailureCode};
use std::io::{ErrorKind, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::fs::File;
use tokio::io::{AsyncSeekExt, AsyncWriteExt};
use tokio::time::Instant;
use video::avcc::{Configuration, Sample};
use video::clip::Clip;
use video::sound::SoundConfiguration;

/// How long the last picture is shown where the stream was lost after it.
const LAST: u64 = 33_333;

/// A file that is being written.
pub(super) struct ClipFile {
    file: File,
    path: PathBuf,
    clip: Clip,
    configuration: Arc<Configuration>,
    timeline: Timeline,
}

impl ClipFile {
    /// Begins one with this picture, by the first free name.
    ///
    /// # Errors
    /// Why it cannot be written there.
    pub(super) async fn create(
        (folder, name): (&Path, &str),
        configuration: &Arc<Configuration>,
        sound: Option<&SoundConfiguration>,
        first: &Packet,
    ) -> Result<Self, Failure> {
        let new = async |path: &Path| File::options().write(true).create_new(true).open(path).await;
        let (file, path) = first_free(folder, (name, ".mp4"), new).await.map_err(unwritten)?;
        let mut made = Self {
            clip: Clip::new(configuration, sound, Duration::from_millis(first.at)),
            timeline: Timeline::new(first.time, first.arrived),
            configuration: Arc::clone(configuration),
            file,
            path,
        };
        let beginning = made.clip.beginning().map_err(unmade)?;
        made.put(&beginning).await?;
        Ok(made)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether pictures that are read with this go on in it.
    pub(super) fn takes(&self, configuration: &Configuration) -> bool {
        *self.configuration == *configuration
    }

    pub(super) fn picture(&mut self, packet: &Packet, sample: &Sample) {
        let time = self.timeline.picture(packet.time, packet.arrived);
        self.clip.picture(time, sample.clone());
    }

    pub(super) fn sound(&mut self, packet: adb::scrcpy::sound::SoundPacket) {
        if let Some(time) = self.timeline.sound(packet.time, packet.arrived) {
            self.clip.sound(time, packet.data);
        }
    }

    /// Writes what there is.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub(super) async fn write(&mut self) -> Result<(), Failure> {
        let Some(fragment) = self.clip.fragment().map_err(unmade)? else {
            return Ok(());
        };
        self.put(&fragment).await
    }

    /// Ends it; its last picture is shown until then, or for a moment.
    ///
    /// # Errors
    /// Why it cannot be written. What was written before can be played.
    pub(super) async fn close(self, until: Option<Instant>) -> Result<(), Failure> {
        let end = until.map_or(self.timeline.last() + LAST, |until| self.timeline.at(until));
        let mut file = self.file;
        let ending = self.clip.finish(end).map_err(unmade)?;
        let closing = async {
            file.write_all(&ending.fragment.unwrap_or_default()).await?;
            file.seek(SeekFrom::Start(0)).await?;
            file.write_all(&ending.beginning).await?;
            file.sync_all().await
        };
        closing.await.map_err(unwritten)
    }

    async fn put(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let writing = async {
            self.file.write_all(bytes).await?;
            self.file.flush().await
        };
        writing.await.map_err(unwritten)
    }
}

fn unwritten(error: std::io::Error) -> Failure {
    if matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) {
        return FailureCode::DiskFull.into();
    }
    EngineError::Unwritable(error).into()
}

fn unmade(error: video::VideoError) -> Failure {
    Failure {
        detail: Some(error.to_string()),
        ..FailureCode::Internal.into()
    }
}
