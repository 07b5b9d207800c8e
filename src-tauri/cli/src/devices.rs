//! `deck devices`: a line per serial, as the adb servers list them.

use crate::opening::PHONES_TIMEOUT;
use crate::say::{self, CommandResult};
use engine::{PhoneList, words};
use protocol::Server;
use serde_json::json;
use std::path::PathBuf;

pub(crate) async fn devices(data: Option<PathBuf>) -> CommandResult {
    let listing = PhoneList::follow(data).await?.settled(PHONES_TIMEOUT).await;
    for line in &listing.connections {
        let mut out = json!({
            "serial": line.serial,
            "phone": line.phone,
            "state": line.state,
            "transport": line.transport,
            "model": line.model,
            "name": line.name,
            "server": line.server.address(),
        });
        if let (Some(reason), Some(object)) = (&line.reason, out.as_object_mut()) {
            object.insert("reason".into(), json!(reason));
        }
        if let (Server::Remote { .. }, Some(object)) = (&line.server, out.as_object_mut()) {
            // Over the network, in the open.
            object.insert("private".into(), json!(false));
        }
        say::line(&out);
    }
    match listing.troubles.first() {
        Some((_, failure)) => Err(failure.clone()),
        None => {
            if listing.connections.is_empty() {
                say::note(&words::closed(&words::get("empty.title")));
            }
            Ok(say::FINE)
        }
    }
}
