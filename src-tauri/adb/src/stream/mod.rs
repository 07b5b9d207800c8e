//! One H.264 stream per phone, shared by all who look: the window's mirror, the agent's look, and "has it settled".
//!
//! It is started when somebody looks and stopped shortly after nobody does; nothing of it stays on the phone. It comes by
//! the best source that works ([`StreamSource`]): scrcpy's server, else Android's `screenrecord`, else there is none and captures
//! ([`crate::CaptureFeed`]) are what there is. A source that fails is left alone for a while and tried again, a better one is climbed
//! back to; a session that must be replaced (somebody wants it larger, its time is over, the screen was turned) goes on
//! until its successor has a key frame, so that the old picture stays until there is a new one.
//!
//! A reader ([`Reader`]) that comes late begins with the key frame that is kept, one that falls behind goes on with the next.
//! Whoever wants pixels has them from [`NewestPicture`], which keeps a decoder fed.
//!
//! Start reading at [`Feed`], then `runner`: it decides; a `session` does.

mod backlog;
mod heartbeat;
mod newest;
mod outlet;
mod packet;
mod pieces;
mod reader;
mod record;
mod request;
mod runner;
mod screen;
mod screen_watch;
mod server;
mod session;
mod shared;
mod silence;
mod source_fallback;

pub use newest::{NewestPicture, PictureHandle, PictureInfo};
pub use packet::{Content, FallbackReason, Packet, StreamRequest, StreamSource, StreamStatus};
pub use reader::{Feed, Reader, StreamEvent};
pub(crate) use screen::of_several;
