//! `reboot:`, and the daemon starting again (`tcpip:`, `usb:`, `reconnect`).

use crate::phone::Phone;
use std::sync::Arc;
use tokio::io::{AsyncWriteExt, DuplexStream};

/// A phone is away so long when it starts anew.
const BOOT_MILLIS: u64 = 20_000;
const KEYCODE_HOME: u32 = 3;

/// `reboot:[bootloader|recovery|…]`: everything closes, the phone goes away and comes back at home.
pub(super) async fn reboot(phone: Arc<Phone>, mut stream: DuplexStream) {
    let _ = stream.shutdown().await;
    switch_off_and_on(&phone);
}

/// Switches the phone off and on again. (In a task of its own: whoever asked ends with the cable.)
pub(crate) fn switch_off_and_on(phone: &Arc<Phone>) {
    let owner = Arc::clone(phone);
    phone.tasks.spawn(async move {
        owner.unplug();
        let packages: Vec<String> = owner.with(|android| {
            android
                .windows()
                .into_iter()
                .map(|window| window.package)
                .collect()
        });
        owner.with(|android| packages.iter().for_each(|package| android.force_stop(package)));
        let stopped = owner.stopped.clone();
        tokio::select! {
            () = stopped.cancelled() => return,
            () = owner.clock.work(BOOT_MILLIS) => {}
        }
        owner.with(|android| android.key(KEYCODE_HOME, 0, false));
        owner.replug();
    });
}

/// Says a text; then the daemon starts again, and every stream closes.
pub(super) async fn restart(phone: Arc<Phone>, mut stream: DuplexStream, text: String) {
    let _ = stream.write_all(text.as_bytes()).await;
    let _ = stream.shutdown().await;
    let owner = Arc::clone(&phone);
    phone.tasks.spawn(async move {
        // The answer is given time to leave (`daemon/services.cpp`: `restart_tcp_service` runs after the reply).
        owner.clock.work(100).await;
        owner.link.reset();
    });
}
