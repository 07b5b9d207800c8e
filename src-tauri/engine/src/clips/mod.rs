//! Clips of a phone's screen, as the person records them: what the mirror shows, with the phone's sound where it gives it.
//!
//! A clip is the stream as it came, nothing coded anew: one reader more of what the mirror reads ([`adb::stream`]), and the
//! phone's sound, shared with whoever listens ([`adb::scrcpy::sound`]). Its file can be played up to its last second
//! whatever becomes of this program. What is on it is what the person sees, as on their screenshots.
//!
//! Start reading at [`Engine::record_clip`], then `recorder`.

mod file;
mod recorder;
mod state;
#[cfg(test)]
mod tests;
mod timeline;

pub(crate) use state::Clips;

use crate::pictures::{file_stem, stamp};
use crate::{Engine, EngineError};
use protocol::{Failure, FailureCode, PhoneId, PhoneState};
use recorder::{ClipPlace, ClipRecorder};
use state::RunningClip;
use std::path::{Path, PathBuf};
use tokio_util::sync::CancellationToken;

impl Engine {
    /// Begins to record a phone's screen into a file of this folder. How it stands is told ([`protocol::News::Clip`]).
    ///
    /// # Errors
    /// When the phone cannot be used; [`FailureCode::NotNow`] while it is being recorded.
    pub fn record_clip(&self, phone: &PhoneId, folder: &Path) -> Result<(), Failure> {
        let device = self.phone(phone)?;
        let known = self.known(phone)?;
        if known.state != PhoneState::Device {
            return Err(EngineError::NotUsable(known.state).into());
        }
        let mut clips = self.inner.clips.held();
        let is_recorded =
            |running: &RunningClip| running.task.as_ref().is_some_and(|task| !task.is_finished());
        if clips.get(phone).is_some_and(is_recorded) {
            return Err(FailureCode::NotNow.into());
        }
        let stop = CancellationToken::new();
        let (listing, id) = (self.inner.roster.listing(), phone.clone());
        let is_there = move || {
            let listing = listing.borrow();
            let mut phones = listing.phones.iter();
            phones.any(|phone| phone.id == id && phone.state == PhoneState::Device)
        };
        let (hub, id) = (self.inner.hub.clone(), phone.clone());
        let tell = move |clip| hub.set_clip(&id, clip);
        let recorder = ClipRecorder::new(
            device,
            ClipPlace {
                folder: folder.to_path_buf(),
                name: file_stem(&known.name, &stamp()),
            },
            self.live_run(phone).is_some(),
            is_there,
            tell.clone(),
            stop.clone(),
        );
        let (ended, id) = (self.inner.clips.clone(), phone.clone());
        let task = tokio::spawn(async move {
            let (state, paths) = recorder.run().await;
            if let Some(running) = ended.held().get_mut(&id) {
                running.paths = paths;
            }
            // Whoever is told finds the files.
            tell(state);
        });
        let running = RunningClip {
            stop,
            task: Some(task),
            paths: Vec::new(),
        };
        clips.insert(phone.clone(), running);
        Ok(())
    }

    /// Ends the clip of a phone, where one is being recorded.
    pub fn stop_clip(&self, phone: &PhoneId) {
        if let Some(running) = self.inner.clips.held().get(phone) {
            running.stop.cancel();
        }
    }

    /// The files of a phone's newest clip, once it is over.
    #[must_use]
    pub fn clip_files(&self, phone: &PhoneId) -> Vec<PathBuf> {
        let clips = self.inner.clips.held();
        clips
            .get(phone)
            .map(|running| running.paths.clone())
            .unwrap_or_default()
    }
}

/// Where a person's videos are; their own folder where the system does not say.
#[must_use]
pub fn videos_folder() -> Option<PathBuf> {
    dirs::video_dir().or_else(dirs::home_dir)
}
