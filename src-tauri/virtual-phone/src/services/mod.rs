//! What can be opened over a connection (AOSP `adb/SERVICES.TXT`, `daemon/services.cpp`): one name, one stream of bytes.

mod capture;
mod environment;
mod faulty_stream;
mod packet;
mod reboot;
mod shell;
mod shell_mode;
mod sync;
mod terminal;

pub(crate) use environment::environment;
pub(crate) use reboot::switch_off_and_on;

use crate::fault::Fault;
use crate::phone::{Link, Phone};
use crate::record::Received;
use std::sync::Arc;
use tokio::io::{AsyncWriteExt, DuplexStream};

/// What this phone's daemon can do, of what Android 14's can (`adb/transport.cpp`: `supported_features`): each is
/// modelled, the rest (`apex`, `abb`, `sendrecv_v2_*`, `delayed_ack`, …) is not claimed.
const FEATURES: [&str; 7] = [
    "shell_v2",
    "cmd",
    "stat_v2",
    "ls_v2",
    "fixed_push_mkdir",
    "fixed_push_symlink_timestamp",
    "sendrecv_v2",
];

/// The features as the banner and `host:features` tell them.
pub(crate) fn features(phone: &Phone) -> Vec<&'static str> {
    if phone.has(Fault::NoShellV2) {
        Vec::new()
    } else {
        FEATURES.to_vec()
    }
}

/// Opens a service over `link`. None: the daemon refuses (`CLSE`, "closed").
pub(crate) fn open(phone: &Arc<Phone>, link: &Arc<Link>, name: &str) -> Option<DuplexStream> {
    let service = open_whole(phone, link, name)?;
    Some(faulty_stream::befall(phone, link, service, name))
}

fn open_whole(phone: &Arc<Phone>, link: &Arc<Link>, name: &str) -> Option<DuplexStream> {
    // A bootloader, a recovery and their like run another daemon (or none): nothing a phone's does is offered.
    if phone.standing().is_some() {
        return None;
    }
    if let Some((service, line)) = shell_mode::command(phone, name) {
        if !phone.take_command() {
            return None;
        }
        return shell::open(phone, link, service, line);
    }
    phone.record(Received::Service {
        name: name.to_owned(),
    });
    if let Some(socket) = name.strip_prefix("localabstract:") {
        return phone.sockets.connect(socket);
    }
    let (near, far) = tokio::io::duplex(shell_mode::BUFFER);
    let streams = link.streams();
    let owner = Arc::clone(phone);
    let serve: futures::future::BoxFuture<'static, ()> = match name.split_once(':').unwrap_or((name, "")) {
        ("sync", _) => Box::pin(sync::serve(owner, far)),
        ("framebuffer", _) => Box::pin(capture::framebuffer(owner, far)),
        ("reboot", _) => Box::pin(reboot::reboot(owner, far)),
        // `daemon/restart_service.cpp`.
        ("root", _) => Box::pin(say(
            far,
            "adbd cannot run as root in production builds\n".to_owned(),
        )),
        ("unroot", _) => Box::pin(say(far, "adbd not running as root\n".to_owned())),
        ("remount", _) => Box::pin(say(
            far,
            "Not running as root. Try \"adb root\" first.\n".to_owned(),
        )),
        ("tcpip", port) => match port.parse::<u16>() {
            Ok(port) if port > 0 => Box::pin(reboot::restart(
                owner,
                far,
                format!("restarting in TCP mode port: {port}\n"),
            )),
            _ => Box::pin(say(far, format!("invalid port {port}\n"))),
        },
        ("usb", _) => Box::pin(reboot::restart(owner, far, "restarting in USB mode\n".to_owned())),
        ("reconnect", _) => Box::pin(reboot::restart(owner, far, "done".to_owned())),
        _ => return None,
    };
    phone.tasks.spawn(async move {
        tokio::select! {
            () = streams.cancelled() => {}
            () = serve => {}
        }
    });
    Some(near)
}

/// Says one text and closes.
async fn say(mut stream: DuplexStream, text: String) {
    // Whoever asked may be gone: then nobody hears it.
    let _ = stream.write_all(text.as_bytes()).await;
    let _ = stream.shutdown().await;
}
