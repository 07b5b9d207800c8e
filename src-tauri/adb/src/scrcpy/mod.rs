//! scrcpy's server on the phone: keys, text, touches and the clipboard over one socket, without its video.
//!
//! The jar is the maker's own, found on this computer and known by its hash ([`jar`]); it is carried to the phone,
//! started, and spoken with on the abstract socket it listens on ([`session`]). One session a phone is kept open and
//! shared ([`shared`]). The protocol is scrcpy's internal one and changes between versions: what is sent here
//! ([`message`]) is the same in every version in the table of known jars.
//!
//! Source: scrcpy `doc/develop.md` ("Protocol") and its unit tests `test_control_msg_serialize.c`,
//! `test_device_msg_deserialize.c`, at the tags 3.2 to 4.1.

pub mod jar;
mod message;
mod push;
mod session;
mod shared;

pub use jar::Jar;
pub(crate) use session::{META_NONE, Session};
pub(crate) use shared::Shared;
