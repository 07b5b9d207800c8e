//! `deck devices`: a line per serial, as the adb servers list them.

use crate::say::{self, Done};
use adb::{Listing, Place, Roster};
use desk::words;
use protocol::{Failure, Server};
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

/// How long phones have to say who they are.
const PATIENCE: Duration = Duration::from_secs(15);

pub(crate) async fn devices(_data: Option<PathBuf>) -> Done {
    let place = Place::local(None).map_err(Failure::from)?;
    let roster = Roster::follow(vec![place]);
    let listing = settled(&roster).await;
    for line in &listing.connections {
        let mut out = json!({
            "serial": line.serial,
            "phone": line.phone,
            "state": line.state,
            "transport": line.transport,
            "model": line.model,
            "name": line.name,
            "server": address(&line.server),
        });
        if let (Some(reason), Some(object)) = (&line.reason, out.as_object_mut()) {
            object.insert("reason".into(), json!(reason));
        }
        say::line(&out);
    }
    match listing.troubles.first() {
        Some((_, failure)) => Err(failure.clone()),
        None => {
            if listing.connections.is_empty() {
                say::note(&format!("{}.", words::get("empty.title")));
            }
            Ok(say::FINE)
        }
    }
}

/// The list once every server has answered and every usable phone has said who it is, or time is up.
pub(crate) async fn settled(roster: &Roster) -> Listing {
    let mut listing = roster.listing();
    let _ = tokio::time::timeout(PATIENCE, listing.wait_for(|listing| !listing.looking)).await;
    listing.borrow().clone()
}

fn address(server: &Server) -> &str {
    match server {
        Server::Local { address } | Server::Remote { address } => address,
        Server::Demo => "demo",
    }
}
