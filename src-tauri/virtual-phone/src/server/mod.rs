//! The adb server's smart socket (AOSP `adb/OVERVIEW.TXT`, `SERVICES.TXT`; `adb.cpp`, `sockets.cpp`, `transport.cpp`
//! of adb 36, whose words these are, or of adb 29 with [`crate::Fault::OldServer`]): a length of four hex digits, a request;
//! `OKAY` or `FAIL` and why.

mod listing;
mod network;
mod request;
mod session;
mod target;
mod wait;

pub(crate) use target::word;

use crate::host::Shared;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};

/// Serves one client until it goes away.
pub(crate) async fn serve(shared: Arc<Shared>, stream: impl AsyncRead + AsyncWrite + Unpin + Send) {
    // Ended with everything else, and whenever the server goes down.
    let Some(running) = shared.running() else { return };
    tokio::select! {
        () = running.cancelled() => {}
        () = session::run(&shared, stream) => {}
    }
}
