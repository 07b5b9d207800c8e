//! The adb server and the phones behind it: its smart socket, its list, a phone's shell, phones over Wi-Fi.
//!
//! Start reading at [`server`].

pub(crate) mod command_line;
pub(crate) mod console;
pub mod devices;
pub(crate) mod leftover;
pub mod link;
pub mod program;
pub(crate) mod route;
pub mod server;
pub mod shell;
pub(crate) mod wire;
pub mod wireless;
