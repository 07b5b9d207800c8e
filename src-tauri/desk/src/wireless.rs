//! Phones over Wi-Fi: paired while a page is open, connected again whenever they are there. And other computers' servers.

use crate::{Desk, DeskError, ProgramChoice};
use adb::link::tcp_address;
use adb::wireless::{self, Discovery, Kind, Offer, Paired};
use adb::{AdbError, AdbServer, Listing, Place, Roster};
use futures::future::join_all;
use protocol::{
    Failure, FailureCode, Nearby, Pairing, PairingOffer, PhoneId, PhoneState, Server, SettingsPatch,
    WirelessPhone,
};
use secrecy::SecretString;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use store::Store;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::task::AbortOnDropHandle;

/// Before a remembered phone is tried again, doubled to the last.
const SOONEST: Duration = Duration::from_secs(5);
const LATEST: Duration = Duration::from_secs(120);
/// How long a phone that was just connected may take to say what it is called.
const NAMED: Duration = Duration::from_secs(15);

/// A pairing page that is open: phones on this network are searched for until it is dropped.
pub struct PairingPage {
    desk: Desk,
    server: AdbServer,
    discovery: Discovery,
    waiting: Mutex<Option<AbortOnDropHandle<()>>>,
}

impl Desk {
    /// Opens a pairing page.
    ///
    /// # Errors
    /// When no adb server of this computer is followed, or this computer lets nobody search.
    pub fn open_pairing(&self) -> Result<PairingPage, Failure> {
        self.open_pairing_over(Discovery::begin().map_err(DeskError::from)?)
    }

    pub(crate) fn open_pairing_over(&self, discovery: Discovery) -> Result<PairingPage, Failure> {
        Ok(PairingPage {
            desk: self.clone(),
            server: self.local_server()?,
            discovery,
            waiting: Mutex::default(),
        })
    }

    fn local_server(&self) -> Result<AdbServer, Failure> {
        let server = self.inner.roster.local_server();
        server.ok_or_else(|| DeskError::from(AdbError::NoProgram).into())
    }

    /// Whether the adb server that runs can pair. One that is too old is only replaced by whoever started it.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub async fn can_pair(&self) -> Result<bool, Failure> {
        let asked = self.local_server()?.can_pair().await;
        asked.map_err(|error| DeskError::from(error).into())
    }

    /// Connects a phone by `host:port` or by its name on the network, and remembers it.
    ///
    /// # Errors
    /// Why not.
    pub async fn connect_phone(&self, address: &str) -> Result<(), Failure> {
        let connected = self.local_server()?.connect_phone(address).await;
        connected.map_err(DeskError::from)?;
        let (service, address) = match address.split_once("._adb") {
            Some((service, _)) => (service.to_owned(), address.to_owned()),
            None => (String::new(), address.trim().to_owned()),
        };
        self.remember(Paired {
            service,
            serial: address,
        })
        .await
    }

    /// Forgets a phone over Wi-Fi, and lets go of it. The phone itself still knows this computer.
    ///
    /// # Errors
    /// When it cannot be written down.
    pub async fn forget_phone(&self, phone: &WirelessPhone) -> Result<(), Failure> {
        let mut wireless = self.settings().wireless;
        wireless.retain(|one| one != phone);
        self.patch_wireless(wireless).await?;
        for serial in serials(phone) {
            if let Err(error) = self.local_server()?.disconnect_phone(&serial).await {
                tracing::debug!(%error, "nothing to let go of");
            }
        }
        Ok(())
    }

    /// Lets a phone on a cable be reached over Wi-Fi too, until it starts anew. Only when the person asks.
    ///
    /// # Errors
    /// When a run holds the phone, or it is on no Wi-Fi or another one.
    pub async fn to_wifi(&self, phone: &PhoneId) -> Result<(), Failure> {
        if self.live_run(phone).is_some() {
            return Err(DeskError::RunLives.into());
        }
        let device = self.phone(phone)?.device();
        let (serial, _) = wireless::to_wifi(&device).await.map_err(DeskError::from)?;
        self.remember(Paired {
            service: String::new(),
            serial,
        })
        .await
    }

    /// Writes a phone down, under the name it tells.
    async fn remember(&self, paired: Paired) -> Result<(), Failure> {
        let mut listing = self.listing();
        let is_it = |listing: &Listing| {
            let line = listing
                .connections
                .iter()
                .find(|line| line.serial == paired.serial);
            line.filter(|line| line.state == PhoneState::Device)
                .map(|line| line.name.clone())
        };
        let named = timeout(NAMED, listing.wait_for(|listing| is_it(listing).is_some())).await;
        let name = named
            .ok()
            .and_then(Result::ok)
            .and_then(|listing| is_it(&listing));
        let phone = WirelessPhone {
            name: name.unwrap_or_else(|| paired.serial.clone()),
            address: paired.serial,
            service: paired.service,
        };
        let mut wireless = self.settings().wireless;
        wireless.retain(|one| {
            one.address != phone.address && (phone.service.is_empty() || one.service != phone.service)
        });
        wireless.push(phone);
        self.patch_wireless(wireless).await
    }

    async fn patch_wireless(&self, wireless: Vec<WirelessPhone>) -> Result<(), Failure> {
        let patch = SettingsPatch {
            wireless: Some(wireless),
            ..SettingsPatch::default()
        };
        self.patch_settings(patch).await.map(drop)
    }
}

impl PairingPage {
    /// What is seen on this network, now and at every change.
    #[must_use]
    pub fn nearby(&self) -> (Vec<Nearby>, Watch) {
        let mut watch = Watch(self.discovery.found());
        (watch.now(), watch)
    }

    /// A picture for the phone's camera, and how far it has come with it. An earlier picture is void.
    ///
    /// # Errors
    /// When there is no randomness.
    pub fn offer(&self) -> Result<(PairingOffer, watch::Receiver<Pairing>), Failure> {
        let offer = Offer::new().map_err(DeskError::from)?;
        let svg = offer.svg().map_err(DeskError::from)?;
        let (sender, stage) = watch::channel(Pairing::Waiting);
        let (desk, server, found) = (self.desk.clone(), self.server.clone(), self.discovery.found());
        let task = AbortOnDropHandle::new(tokio::spawn(async move {
            let tell = |stage| {
                sender.send_replace(stage);
            };
            let paired = wireless::pair_by_offer(&server, &offer, found, &tell).await;
            desk.finish(paired, &tell).await;
        }));
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = Some(task);
        Ok((PairingOffer { svg }, stage))
    }

    /// Pairs with the phone that shows six digits, at the address it shows with them.
    ///
    /// # Errors
    /// Why not.
    pub async fn pair(&self, address: &str, code: SecretString) -> Result<String, Failure> {
        let found = self.discovery.found();
        let paired = wireless::pair_by_code(&self.server, &code, address, found, &|_| ()).await;
        match self.desk.finish(paired, &|_| ()).await {
            Pairing::Done { serial } => Ok(serial),
            Pairing::Failed { failure } => Err(failure),
            other => Err(DeskError::from(AdbError::Internal(format!("{other:?}"))).into()),
        }
    }
}

impl Desk {
    async fn finish(
        &self,
        paired: Result<Paired, AdbError>,
        tell: &(dyn Fn(Pairing) + Send + Sync),
    ) -> Pairing {
        let done = match paired {
            Ok(paired) => {
                let serial = paired.serial.clone();
                self.remember(paired).await.map(|()| serial)
            }
            Err(error) => Err(DeskError::from(error).into()),
        };
        let stage = match done {
            Ok(serial) => Pairing::Done { serial },
            Err(failure) => Pairing::Failed { failure },
        };
        tell(stage.clone());
        stage
    }
}

/// The phones on this network, as they come and go.
pub struct Watch(watch::Receiver<Vec<wireless::Found>>);

impl Watch {
    fn now(&mut self) -> Vec<Nearby> {
        let found = self.0.borrow_and_update();
        let with_address = found.iter().filter_map(|one| Some((one, one.addresses.first()?)));
        with_address
            .map(|(one, address)| Nearby {
                service: one.service.clone(),
                address: address.to_string(),
                pairs: one.kind == Kind::Pairs,
            })
            .collect()
    }

    /// The next list; `None` when the page is closed.
    pub async fn next(&mut self) -> Option<Vec<Nearby>> {
        self.0.changed().await.ok()?;
        Some(self.now())
    }
}

/// What a remembered phone may be listed under.
fn serials(phone: &WirelessPhone) -> Vec<String> {
    let mut all = vec![phone.address.clone()];
    if !phone.service.is_empty() {
        all.push(format!("{}._adb-tls-connect._tcp", phone.service));
    }
    all.retain(|one| !one.is_empty());
    all.dedup();
    all
}

/// How a remembered phone stands on the list: `None` when it is not on it.
fn listed(listing: &Listing, phone: &WirelessPhone) -> Option<PhoneState> {
    let ours = listing.connections.iter().filter(|line| {
        matches!(line.server, Server::Local { .. })
            && (line.serial == phone.address
                || !phone.service.is_empty() && line.serial.starts_with(phone.service.as_str()))
    });
    ours.map(|line| line.state)
        .min_by_key(|state| u8::from(*state == PhoneState::Offline))
}

/// Connects remembered phones whenever they are missing. The adb server asks the network for a name by itself; nothing is
/// searched for here.
pub(crate) async fn keep(
    server: AdbServer,
    mut wanted: watch::Receiver<Vec<WirelessPhone>>,
    mut listing: watch::Receiver<Listing>,
) {
    let mut due: BTreeMap<String, (Instant, Duration)> = BTreeMap::new();
    loop {
        let list = listing.borrow_and_update().clone();
        let phones = wanted.borrow_and_update().clone();
        // A server that cannot be asked cannot connect; when it is back, the list changes.
        let deaf = list.looking
            || list
                .troubles
                .iter()
                .any(|(server, _)| matches!(server, Server::Local { .. }));
        let now = Instant::now();
        let mut tries = Vec::new();
        for phone in phones.iter().filter(|_| !deaf) {
            let state = listed(&list, phone);
            if state.is_some_and(|state| state != PhoneState::Offline) {
                due.remove(&phone.address);
                continue;
            }
            let (at, wait) = due.entry(phone.address.clone()).or_insert((now, SOONEST));
            if *at <= now {
                *at = now + *wait;
                *wait = (*wait * 2).min(LATEST);
                tries.push(connect(&server, phone, state.is_some()));
            }
        }
        due.retain(|address, _| phones.iter().any(|phone| phone.address == *address));
        join_all(tries).await;
        let soonest = due.values().map(|(at, _)| *at).min().filter(|_| !deaf);
        let later = async {
            match soonest {
                Some(at) => sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            changed = listing.changed() => if changed.is_err() { return },
            changed = wanted.changed() => if changed.is_err() { return },
            () = later => {}
        }
    }
}

async fn connect(server: &AdbServer, phone: &WirelessPhone, hangs: bool) {
    for serial in serials(phone) {
        if hangs {
            // A connection that hangs is kept by the server until it is told to let go.
            let _ = server.disconnect_phone(&serial).await;
        }
        match server.connect_phone(&serial).await {
            Ok(_) => return,
            Err(error) => tracing::debug!(%error, "a remembered phone is not there"),
        }
    }
}

/// The addresses of other computers' servers, completed; one that is none is refused.
pub(crate) fn checked(servers: &[String]) -> Result<Vec<String>, Failure> {
    let mut all: Vec<String> = Vec::new();
    for written in servers {
        let address = tcp_address(written).ok_or_else(|| Failure {
            code: FailureCode::BadInput,
            values: BTreeMap::from([("address".to_owned(), written.clone())]),
            detail: None,
        })?;
        if !all.contains(&address) {
            all.push(address);
        }
    }
    Ok(all)
}

/// Follows these other computers' servers, and besides them only those the desk was opened with.
pub(crate) fn follow_servers(roster: &Roster, given: &[Server], servers: &[String]) {
    let followed = roster.servers();
    let ours = |address: &str| {
        let same = |server: &Server| matches!(server, Server::Local { address: local } if local == address);
        followed.iter().any(same)
    };
    let places: Vec<Place> = servers
        .iter()
        .filter(|address| !ours(address))
        .filter_map(|address| Place::remote(address).ok())
        .collect();
    for server in followed
        .iter()
        .filter(|server| matches!(server, Server::Remote { .. }))
    {
        if !given.contains(server) && !places.iter().any(|place| place.server() == server) {
            roster.remove(server);
        }
    }
    for place in places {
        roster.add(place);
    }
}

/// What [`keep`] is told: the phones to keep connected.
pub(crate) type Wanted = Arc<watch::Sender<Vec<WirelessPhone>>>;

/// The adb servers there are for whoever opens no desk: this computer's, and those the settings in `folder` name.
///
/// # Errors
/// When the environment names a server that is no address.
pub async fn places(folder: Option<PathBuf>) -> Result<Vec<Place>, Failure> {
    let folder = match folder {
        Some(folder) => folder,
        None => crate::usual_folder()?,
    };
    let program = ProgramChoice::new(&folder);
    let mut places = vec![program.place().map_err(DeskError::from)?];
    // A look at the list is no reason to begin a store.
    if store::exists(&folder) {
        let opened = tokio::task::spawn_blocking(move || Store::open(&folder)).await;
        let store = opened.map_err(DeskError::Broken)?.map_err(DeskError::from)?;
        let settings = store.settings().await.map_err(DeskError::from)?;
        program.set(&settings.adb_program);
        let others = settings
            .adb_servers
            .iter()
            .filter_map(|one| Place::remote(one).ok());
        let local = places[0].server().clone();
        places.extend(others.filter(|place| address(place.server()) != address(&local)));
    }
    Ok(places)
}

fn address(server: &Server) -> &str {
    match server {
        Server::Local { address } | Server::Remote { address } => address,
        Server::Demo => "",
    }
}
