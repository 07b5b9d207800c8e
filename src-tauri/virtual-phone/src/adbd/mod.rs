//! The phone's daemon over TCP: what `adb connect` reaches (AOSP `adb/protocol.txt`, `adb.cpp`, `sockets.cpp`).

mod connection;
mod key;
mod message;
mod stream;

use crate::phone::Phone;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// Takes connections until the phone ends.
pub(crate) async fn listen(phone: Arc<Phone>, listener: TcpListener) {
    loop {
        let accepted = tokio::select! {
            () = phone.stopped.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            // With the cable out there is no such machine: the connection ends at once.
            Ok(_) if !phone.link.is_plugged() => {}
            Ok((stream, _)) => {
                let _ = stream.set_nodelay(true);
                phone.tasks.spawn(connection::serve(Arc::clone(&phone), stream));
            }
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}
