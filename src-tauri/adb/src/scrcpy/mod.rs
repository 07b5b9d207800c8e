//! scrcpy's server on the phone: keys, text, touches and the clipboard over one socket, the screen's video over another, the
//! phone's sound ([`sound`]) over a third.
//!
//! The jar is the maker's own, found on this computer and known by its hash ([`jar`]); it is carried to the phone,
//! started ([`launch`]), and spoken with on the abstract socket it listens on. One session for input is kept open and
//! shared ([`session`], [`shared`]). The protocol is scrcpy's internal one and changes between versions: what is sent here
//! ([`message`]) is the same in every version in the table of known jars.
//!
//! The video ([`video`]) has a server of its own, for three reasons. A server lives as long as its shortest-lived socket:
//! the video is started anew whenever somebody wants it larger, and a text half typed must not end with it. Input works
//! under the lease, whoever looks has none. And a server that sends video takes touches in the video's pixels, and leaves
//! out without a word those that were aimed at another size.
//!
//! Source: scrcpy `doc/develop.md` ("Protocol") and its unit tests `test_control_msg_serialize.c`,
//! `test_device_msg_deserialize.c`, at the tags 3.2 to 4.1.

pub mod jar;
mod launch;
mod message;
mod session;
mod shared;
pub mod sound;
mod sound_feed;
mod video;

pub use jar::Jar;
pub(crate) use jar::newest;
pub(crate) use message::EventAction;
pub(crate) use session::{META_NONE, Session};
pub use shared::FetchedServer;
pub(crate) use shared::{OpenSession, SharedSession};
pub(crate) use sound_feed::SoundFeed;
pub use sound_feed::SoundListener;
pub(crate) use video::{Quality, Video};
