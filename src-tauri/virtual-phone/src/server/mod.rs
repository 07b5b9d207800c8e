//! The adb server's smart socket (AOSP `adb/OVERVIEW.TXT`, `SERVICES.TXT`; `adb.cpp`, `sockets.cpp`, `transport.cpp`
//! of adb 29, whose words these are): a length of four hex digits, a request; `OKAY` or `FAIL` and why.

mod listing;
mod request;
mod session;
mod target;
mod wait;

use crate::host::Shared;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};

/// Serves one client until it goes away.
pub(crate) async fn serve(shared: Arc<Shared>, stream: impl AsyncRead + AsyncWrite + Unpin + Send) {
    let stopped = shared.stopped.clone();
    tokio::select! {
        () = stopped.cancelled() => {}
        () = session::run(&shared, stream) => {}
    }
}
