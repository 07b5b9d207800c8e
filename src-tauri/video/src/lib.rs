//! H.264 as phones send it: taken apart into access units, made quick to decode, packed for a decoder, decoded.
//!
//! Pure functions and small state machines over bytes: nothing here opens a socket, file, process or clock. What a phone
//! sends broken is a [`VideoError`] or a [`annex_b::Part::Gap`], never a panic.
//!
//! - [`annex_b`]: a byte stream in any cuts (`screenrecord`) → access units.
//! - [`scrcpy`]: scrcpy's video socket in any cuts, of both framings → sizes, configurations, access units.
//! - [`sps`]: what a sequence parameter set says, and the same one rewritten so that no decoder holds frames back.
//! - [`avcc`]: access units → what decoders of the web take: a configuration record, then length-prefixed NAL units.
//! - [`decode`]: the same units → pictures, for whoever has no such decoder.
//!
//! Absent on purpose: where the bytes come from (room `adb`), B-frames (no phone's screen encoder makes them), audio.
//! Start reading at [`annex_b`], then [`avcc`].
//!
//! Source: ITU-T H.264 (08/2021) and ISO/IEC 14496-15; section numbers below are of the first.

pub mod annex_b;
pub mod avcc;
mod bits;
pub mod decode;
mod error;
pub mod nal;
mod rgba;
pub mod scrcpy;
pub mod sps;

pub use error::VideoError;
