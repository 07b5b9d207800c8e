//! What a phone's display becomes on its way out as video: pixels ([`Planes`]), an encoder ([`Encoder`]), and a recording
//! ([`Recording`]) that waits for the display to change. `tools::screenrecord` and `scrcpy` send what it gives.

mod clip;
mod encoder;
mod parameters;
mod planes;
mod recording;
#[cfg(test)]
mod tests;

pub use clip::{Clip, ClipOptions, NoClip};
#[cfg(test)]
pub(crate) use encoder::Encoder;
pub(crate) use encoder::NoEncoder;
pub(crate) use recording::{Fit, Recording, RecordingOptions, RecordingOutput, Source};
