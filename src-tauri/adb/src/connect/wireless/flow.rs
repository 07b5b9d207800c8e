//! Pairing from beginning to end: the phone is seen, made known, seen again under its lasting name, connected.

use super::ask::ConnectResult;
use super::discovery::{Announcement, AnnouncementKind, BY_NAME};
use super::offer::Offer;
use crate::connect::server::AdbServer;
use crate::error::AdbError;
use protocol::Pairing;
use secrecy::SecretString;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::timeout;

/// How long a paired phone may take to announce that it waits to be connected.
const ANNOUNCE: Duration = Duration::from_secs(15);

/// A phone that was paired and is connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairedPhone {
    /// The name it goes by on the network, where it is known.
    pub service: String,
    /// As the adb server lists it.
    pub serial: String,
}

/// Waits for the phone whose camera read the offer, pairs and connects it. Waits for ever: whoever shows the picture
/// drops this when it is shown no more.
///
/// # Errors
/// As [`AdbServer::pair`] and [`AdbServer::connect_phone`].
pub async fn pair_by_offer(
    server: &AdbServer,
    offer: &Offer,
    mut found: watch::Receiver<Vec<Announcement>>,
    tell: &(dyn Fn(Pairing) + Send + Sync),
) -> Result<PairedPhone, AdbError> {
    tell(Pairing::Waiting);
    // mDNS makes a second one of the same name `name (2)`.
    let seen = first(&mut found, |one| {
        one.kind == AnnouncementKind::Pairs && one.service.starts_with(offer.service())
    });
    let (_, address) = seen.await?;
    tell(Pairing::Pairing);
    pair(server, offer.password(), &address, found, tell).await
}

/// Pairs the phone that shows six digits at an address (which it shows too), and connects it.
///
/// # Errors
/// As [`pair_by_offer`].
pub async fn pair_by_code(
    server: &AdbServer,
    code: &SecretString,
    address: &str,
    found: watch::Receiver<Vec<Announcement>>,
    tell: &(dyn Fn(Pairing) + Send + Sync),
) -> Result<PairedPhone, AdbError> {
    tell(Pairing::Pairing);
    pair(server, code, address, found, tell).await
}

async fn pair(
    server: &AdbServer,
    code: &SecretString,
    address: &str,
    mut found: watch::Receiver<Vec<Announcement>>,
    tell: &(dyn Fn(Pairing) + Send + Sync),
) -> Result<PairedPhone, AdbError> {
    let guid = server.pair(code, address).await?;
    tell(Pairing::Connecting);
    let host = host(address).to_owned();
    let is_it = |one: &Announcement| {
        one.kind == AnnouncementKind::Connects
            && match &guid {
                Some(guid) => one.service.starts_with(guid.as_str()),
                None => one.addresses.iter().any(|one| host == host_of(one)),
            }
    };
    let seen = timeout(ANNOUNCE, first(&mut found, is_it)).await;
    let (service, serial) = match (seen, guid.clone()) {
        (Ok(Ok((service, address))), guid) => (guid.unwrap_or(service), address),
        // Not seen from here; the server searches by itself and may know better.
        (_, Some(guid)) => {
            let serial = format!("{guid}.{BY_NAME}");
            (guid, serial)
        }
        (_, None) => return Err(AdbError::Unreached("paired, and then not seen again".to_owned())),
    };
    match server.connect_phone(&serial).await? {
        ConnectResult::Now | ConnectResult::Already | ConnectResult::WaitsForAllow => {
            Ok(PairedPhone { service, serial })
        }
    }
}

/// The name and first address under which a fitting phone is announced.
async fn first(
    found: &mut watch::Receiver<Vec<Announcement>>,
    fits: impl Fn(&Announcement) -> bool,
) -> Result<(String, String), AdbError> {
    let ended = || AdbError::Unreached("the search for phones ended".to_owned());
    let list = found
        .wait_for(|list| list.iter().any(&fits))
        .await
        .map_err(|_| ended())?;
    let one = list.iter().find(|one| fits(one)).ok_or_else(ended)?;
    let address = one.addresses.first().ok_or_else(ended)?;
    Ok((one.service.clone(), address.to_string()))
}

fn host(address: &str) -> &str {
    address.rsplit_once(':').map_or(address, |(host, _)| host)
}

fn host_of(address: &std::net::SocketAddr) -> String {
    host(&address.to_string()).to_owned()
}
