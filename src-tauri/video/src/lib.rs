//! H.264 as phones send it: taken apart into access units, made quick to decode, packed for a decoder, decoded; and kept
//! as a clip, with the sound beside it.
//!
//! Pure functions and small state machines over bytes: nothing here opens a socket, file, process or clock. What a phone
//! sends broken is a [`VideoError`] or a [`annex_b::Part::Gap`], never a panic.
//!
//! - [`annex_b`]: a byte stream in any cuts (`screenrecord`) → access units.
//! - [`scrcpy`]: scrcpy's video socket in any cuts, of both framings → sizes, configurations, access units.
//! - [`sps`]: what a sequence parameter set says, and the same one rewritten so that no decoder holds frames back.
//! - [`avcc`]: access units → what decoders of the web take: a configuration record, then length-prefixed NAL units.
//! - [`decode`]: the same units → pictures, for whoever has no such decoder.
//! - [`sound_socket`]: scrcpy's audio socket in any cuts → packets of AAC or Opus; [`sound`]: what those say of themselves;
//!   [`pcm`]: AAC → samples, for who listens at once.
//! - [`clip`]: units and packets → a file that can be played up to its last piece.
//!
//! Absent on purpose: where the bytes come from (room `adb`), B-frames (no phone's screen encoder makes them). Start reading at [`annex_b`], then [`avcc`].
//!
//! Source: ITU-T H.264 (08/2021) and ISO/IEC 14496-15; section numbers below are of the first.

pub mod annex_b;
pub mod avcc;
mod bits;
pub mod clip;
pub mod decode;
mod error;
mod mp4;
pub mod nal;
pub mod pcm;
mod rgba;
pub mod scrcpy;
pub mod sound;
pub mod sound_socket;
pub mod sps;

pub use error::VideoError;
