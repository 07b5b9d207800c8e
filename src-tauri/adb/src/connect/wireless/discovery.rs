//! Which phones announce themselves on this network. Begun when a pairing page opens, ended when it closes.

use crate::error::AdbError;
use futures::future::{Either, select};
use mdns_sd::{IfKind, Receiver, ResolvedService, ServiceDaemon, ServiceEvent};
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use tokio::sync::watch;
use tokio_util::task::AbortOnDropHandle;

/// What stands behind a phone's name where the server is asked to connect it by that (`adb-…._adb-tls-connect._tcp`).
pub const BY_NAME: &str = "_adb-tls-connect._tcp";

const PAIRING: &str = "_adb-tls-pairing._tcp.local.";
const CONNECT: &str = "_adb-tls-connect._tcp.local.";
/// More is a network that makes things up.
const MOST: usize = 200;

/// What a phone announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnnouncementKind {
    /// It shows a pairing code.
    Pairs,
    /// It waits to be connected.
    Connects,
}

/// One announcement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// What for.
    pub kind: AnnouncementKind,
    /// The name the phone goes by (`adb-R58M-abcdef`, `studio-…`), without the service's own.
    pub service: String,
    /// Where, the likeliest first: IPv4 before IPv6.
    pub addresses: Vec<SocketAddr>,
}

/// The search. Dropping it ends it.
pub struct Discovery {
    daemon: ServiceDaemon,
    found: watch::Receiver<Vec<Announcement>>,
    _following: AbortOnDropHandle<()>,
}

impl Discovery {
    /// Begins to search. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// [`AdbError::Unreached`] when this computer lets nobody listen for announcements.
    pub fn begin() -> Result<Self, AdbError> {
        Self::over(ServiceDaemon::new().map_err(no_search)?)
    }

    /// The same on this computer's own loop, at a port of its own: how tests announce and search without a network.
    ///
    /// # Errors
    /// As [`Discovery::begin`].
    pub fn on_loopback(port: u16) -> Result<Self, AdbError> {
        let daemon = ServiceDaemon::new_with_port(port).map_err(no_search)?;
        daemon.disable_interface(IfKind::All).map_err(no_search)?;
        daemon.enable_interface(IfKind::LoopbackV4).map_err(no_search)?;
        Self::over(daemon)
    }

    fn over(daemon: ServiceDaemon) -> Result<Self, AdbError> {
        let pairing = daemon.browse(PAIRING).map_err(no_search)?;
        let connect = daemon.browse(CONNECT).map_err(no_search)?;
        let (sender, found) = watch::channel(Vec::new());
        let following = tokio::spawn(follow(pairing, connect, sender));
        Ok(Self {
            daemon,
            found,
            _following: AbortOnDropHandle::new(following),
        })
    }

    /// What is announced, now and at every change.
    #[must_use]
    pub fn found(&self) -> watch::Receiver<Vec<Announcement>> {
        self.found.clone()
    }
}

impl Drop for Discovery {
    fn drop(&mut self) {
        // Its thread says good-bye and ends; nobody waits for the word.
        let _ = self.daemon.shutdown();
    }
}

fn no_search(error: mdns_sd::Error) -> AdbError {
    AdbError::Unreached(format!("phones on this network cannot be searched for: {error}"))
}

async fn follow(
    pairing: Receiver<ServiceEvent>,
    connect: Receiver<ServiceEvent>,
    sender: watch::Sender<Vec<Announcement>>,
) {
    let mut all: BTreeMap<(AnnouncementKind, String), Vec<SocketAddr>> = BTreeMap::new();
    loop {
        let (kind, event) = {
            let (one, other) = (pin!(pairing.recv_async()), pin!(connect.recv_async()));
            match select(one, other).await {
                Either::Left((event, _)) => (AnnouncementKind::Pairs, event),
                Either::Right((event, _)) => (AnnouncementKind::Connects, event),
            }
        };
        match event {
            Ok(ServiceEvent::ServiceResolved(service)) => {
                let addresses = addresses(&service);
                let name = plain(kind, service.get_fullname());
                if !addresses.is_empty() && (all.len() < MOST || all.contains_key(&(kind, name.clone()))) {
                    all.insert((kind, name), addresses);
                }
            }
            Ok(ServiceEvent::ServiceRemoved(_, name)) => {
                all.remove(&(kind, plain(kind, &name)));
            }
            Ok(_) => continue,
            Err(_) => return,
        }
        let list = all.iter().map(|((kind, service), addresses)| Announcement {
            kind: *kind,
            service: service.clone(),
            addresses: addresses.clone(),
        });
        sender.send_replace(list.collect());
    }
}

fn plain(kind: AnnouncementKind, fullname: &str) -> String {
    let ending = match kind {
        AnnouncementKind::Pairs => PAIRING,
        AnnouncementKind::Connects => CONNECT,
    };
    let name = fullname.strip_suffix(ending).unwrap_or(fullname);
    name.trim_end_matches('.').to_owned()
}

fn addresses(service: &ResolvedService) -> Vec<SocketAddr> {
    let mut all: Vec<IpAddr> = service
        .get_addresses()
        .iter()
        .map(|one| one.to_ip_addr())
        .collect();
    // A link's own IPv6 address means nothing without its interface, which the server is not told.
    all.retain(|one| !matches!(one, IpAddr::V6(v6) if v6.is_unicast_link_local()));
    all.sort_by_key(|one| (one.is_ipv6(), *one));
    all.dedup();
    all.into_iter()
        .map(|one| SocketAddr::new(one, service.get_port()))
        .collect()
}
