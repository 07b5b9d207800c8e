//! Taking connections while the server is up.

use super::shared::Shared;
use crate::server;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// Between two tries to have the port again.
const AGAIN: Duration = Duration::from_millis(50);

/// Takes connections at `address` while the server is up.
pub(super) async fn listen(shared: Arc<Shared>, listener: TcpListener, address: SocketAddr) {
    let stopped = shared.stopped.clone();
    let mut listener = Some(listener);
    let listening = async {
        loop {
            let (Some(running), Some(open)) = (shared.running(), &listener) else {
                // Down: the port is given back, and asked for again.
                drop(listener.take());
                shared.up().await;
                listener = TcpListener::bind(address).await.ok();
                if listener.is_none() {
                    tokio::time::sleep(AGAIN).await;
                }
                continue;
            };
            let accepted = tokio::select! {
                () = running.cancelled() => {
                    // With everything else: nothing comes up again.
                    if shared.stopped.is_cancelled() {
                        return;
                    }
                    continue;
                }
                accepted = open.accept() => accepted,
            };
            match accepted {
                Ok((stream, _)) => {
                    // Small answers must not wait for each other.
                    let _ = stream.set_nodelay(true);
                    shared.tasks.spawn(server::serve(Arc::clone(&shared), stream));
                }
                // Out of descriptors: somebody will close one.
                Err(_) => tokio::time::sleep(AGAIN).await,
            }
        }
    };
    tokio::select! {
        () = stopped.cancelled() => {}
        () = listening => {}
    }
}
