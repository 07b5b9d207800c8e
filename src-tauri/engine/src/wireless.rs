//! Phones over Wi-Fi: paired while a page is open, connected and remembered (kept connected: `wifi_reconnect`). And other
//! computers' servers.

use crate::wifi_reconnect::{self, WirelessPhoneUpdate};
use crate::{Engine, EngineError, ProgramChoice};
use adb::link::tcp_address;
use adb::wireless::{self, AnnouncementKind, Discovery, Offer, PairedPhone};
use adb::{AdbError, AdbServer, FollowedServer, Listing, Roster};
use protocol::{
    Connection, Failure, FailureCode, Nearby, Pairing, PairingOffer, PhoneId, PhoneState, Server, Settings,
    SettingsPatch, WirelessPhone,
};
use secrecy::SecretString;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use store::Store;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;

/// A port: phones are searched for on this computer's own loop there, and not on its networks. For tests of the program.
const LOOPBACK: &str = "POCKETDECK_MDNS";
/// How long a phone that was just connected may take to say what it is called.
const NAMED: Duration = Duration::from_secs(15);

/// A pairing page that is open: phones on this network are searched for until it is dropped.
pub struct PairingPage {
    engine: Engine,
    server: AdbServer,
    discovery: Discovery,
    waiting: Mutex<Option<AbortOnDropHandle<()>>>,
    telling: AbortOnDropHandle<()>,
}

impl Drop for PairingPage {
    fn drop(&mut self) {
        self.telling.abort();
        self.engine.inner.around.send_replace(Vec::new());
    }
}

impl Engine {
    /// Opens a pairing page.
    ///
    /// # Errors
    /// When no adb server of this computer is followed, or this computer lets nobody search.
    pub fn open_pairing(&self) -> Result<PairingPage, Failure> {
        let port = std::env::var(LOOPBACK).ok().and_then(|port| port.parse().ok());
        let discovery = match port {
            Some(port) => Discovery::on_loopback(port),
            None => Discovery::begin(),
        };
        self.open_pairing_over(discovery.map_err(EngineError::from)?)
    }

    pub(crate) fn open_pairing_over(&self, discovery: Discovery) -> Result<PairingPage, Failure> {
        let server = self.local_server()?;
        // What is seen while the page is open helps remembered phones as well.
        let (mut found, around) = (discovery.found(), self.inner.around.clone());
        let telling = AbortOnDropHandle::new(tokio::spawn(async move {
            loop {
                around.send_replace(found.borrow_and_update().clone());
                if found.changed().await.is_err() {
                    return;
                }
            }
        }));
        Ok(PairingPage {
            engine: self.clone(),
            server,
            discovery,
            waiting: Mutex::default(),
            telling,
        })
    }

    fn local_server(&self) -> Result<AdbServer, Failure> {
        let server = self.inner.roster.local_server();
        server.ok_or_else(|| EngineError::from(AdbError::NoProgram).into())
    }

    /// Whether the adb server that runs can pair. One that is too old is only replaced by whoever started it.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub async fn can_pair(&self) -> Result<bool, Failure> {
        let asked = self.local_server()?.can_pair().await;
        asked.map_err(|error| EngineError::from(error).into())
    }

    /// Connects a phone where it is now – at the address its name is announced at, where it was last, by its name –, and
    /// remembers it.
    ///
    /// # Errors
    /// Why not, where it was last.
    pub async fn connect_phone(&self, phone: &WirelessPhone) -> Result<(), Failure> {
        let server = self.local_server()?;
        let around = self.inner.around.borrow().clone();
        let serial = wifi_reconnect::connect(&server, phone, &around).await;
        self.remember(PairedPhone {
            service: phone.service.clone(),
            serial: serial.map_err(EngineError::from)?,
        })
        .await
    }

    /// Forgets a phone over Wi-Fi, and lets go of it. The phone itself still knows this computer.
    ///
    /// # Errors
    /// When it cannot be written down.
    pub async fn forget_phone(&self, phone: &WirelessPhone) -> Result<(), Failure> {
        // By what it is told apart by: more may have been learned of it than whoever forgets it knows.
        let gone = wifi_reconnect::key(phone);
        self.change_wireless(move |wireless| wireless.retain(|one| wifi_reconnect::key(one) != gone))
            .await?;
        for serial in wifi_reconnect::serials(phone) {
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
            return Err(EngineError::RunLives.into());
        }
        let device = self.phone(phone)?.device();
        let (serial, _) = wireless::to_wifi(&device).await.map_err(EngineError::from)?;
        self.remember(PairedPhone {
            service: String::new(),
            serial,
        })
        .await
    }

    /// Writes a phone down, under the name it tells, and the one it goes by on the network.
    async fn remember(&self, paired: PairedPhone) -> Result<(), Failure> {
        let PairedPhone { mut service, serial } = paired;
        if service.is_empty() {
            let around = self.inner.around.borrow().clone();
            service = wifi_reconnect::service_at(&self.local_server()?, &serial, &around).await;
        }
        let mut listing = self.listing();
        let is_it = |listing: &Listing| {
            let line = listing.connections.iter().find(|line| line.serial == serial);
            line.filter(|line| line.state == PhoneState::Device).cloned()
        };
        let named = timeout(NAMED, listing.wait_for(|listing| is_it(listing).is_some())).await;
        let line = named
            .ok()
            .and_then(Result::ok)
            .and_then(|listing| is_it(&listing));
        self.change_wireless(move |wireless| write_down(wireless, line, &service, &serial))
            .await
    }

    /// Something was learned of a remembered phone. Nothing is kept of one that was forgotten meanwhile.
    pub(crate) async fn update_remembered(
        &self,
        phone: &WirelessPhone,
        update: WirelessPhoneUpdate,
    ) -> Result<(), Failure> {
        let key = wifi_reconnect::key(phone);
        self.change_wireless(move |wireless| {
            let known = wireless.iter_mut().find(|one| wifi_reconnect::key(one) == key);
            match (known, update) {
                (None, _) => {}
                (Some(known), WirelessPhoneUpdate::Address(address)) => known.address = address,
                (Some(known), WirelessPhoneUpdate::Identity(phone)) => known.phone = Some(phone),
            }
        })
        .await
    }

    async fn change_wireless(
        &self,
        change: impl FnOnce(&mut Vec<WirelessPhone>) + Send + 'static,
    ) -> Result<(), Failure> {
        let wanted = move |now: &Settings| {
            let mut wireless = now.wireless.clone();
            change(&mut wireless);
            SettingsPatch {
                wireless: Some(wireless),
                ..SettingsPatch::default()
            }
        };
        self.amend_settings(wanted).await.map(drop)
    }
}

/// Puts a phone on the list, in the place of what was known of it.
fn write_down(wireless: &mut Vec<WirelessPhone>, line: Option<Connection>, service: &str, serial: &str) {
    let is_same =
        |one: &WirelessPhone| one.address == serial || !service.is_empty() && one.service == service;
    let before = wireless
        .iter()
        .find(|one| is_same(one))
        .cloned()
        .unwrap_or_default();
    wireless.retain(|one| !is_same(one));
    let known = |told: Option<String>, before: String| {
        let told = told.unwrap_or(before);
        if told.is_empty() { serial.to_owned() } else { told }
    };
    let (name, phone) = line.map(|line| (line.name, line.phone)).unzip();
    let address = (!wifi_reconnect::is_name(serial)).then(|| serial.to_owned());
    wireless.push(WirelessPhone {
        name: known(name, before.name),
        address: known(address, before.address),
        service: if service.is_empty() {
            before.service
        } else {
            service.to_owned()
        },
        phone: phone.or(before.phone),
    });
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
        let offer = Offer::new().map_err(EngineError::from)?;
        let svg = offer.svg().map_err(EngineError::from)?;
        let (sender, stage) = watch::channel(Pairing::Waiting);
        let (engine, server, found) = (self.engine.clone(), self.server.clone(), self.discovery.found());
        let task = AbortOnDropHandle::new(tokio::spawn(async move {
            let tell = |stage| {
                sender.send_replace(stage);
            };
            let paired = wireless::pair_by_offer(&server, &offer, found, &tell).await;
            engine.finish(paired, &tell).await;
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
        match self.engine.finish(paired, &|_| ()).await {
            Pairing::Done { serial } => Ok(serial),
            Pairing::Failed { failure } => Err(failure),
            other => Err(EngineError::from(AdbError::Internal(format!("{other:?}"))).into()),
        }
    }
}

impl Engine {
    async fn finish(
        &self,
        paired: Result<PairedPhone, AdbError>,
        tell: &(dyn Fn(Pairing) + Send + Sync),
    ) -> Pairing {
        let done = match paired {
            Ok(paired) => {
                let serial = paired.serial.clone();
                self.remember(paired).await.map(|()| serial)
            }
            Err(error) => Err(EngineError::from(error).into()),
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
pub struct Watch(watch::Receiver<Vec<wireless::Announcement>>);

impl Watch {
    fn now(&mut self) -> Vec<Nearby> {
        let found = self.0.borrow_and_update();
        let with_address = found.iter().filter_map(|one| Some((one, one.addresses.first()?)));
        with_address
            .map(|(one, address)| Nearby {
                service: one.service.clone(),
                address: address.to_string(),
                pairs: one.kind == AnnouncementKind::Pairs,
            })
            .collect()
    }

    /// The next list; `None` when the page is closed.
    pub async fn next(&mut self) -> Option<Vec<Nearby>> {
        self.0.changed().await.ok()?;
        Some(self.now())
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

/// Follows these other computers' servers, and besides them only those the engine was opened with.
pub(crate) fn follow_servers(roster: &Roster, given: &[Server], servers: &[String]) {
    let followed = roster.servers();
    let ours = |address: &str| {
        let same = |server: &Server| matches!(server, Server::Local { address: local } if local == address);
        followed.iter().any(same)
    };
    let places: Vec<FollowedServer> = servers
        .iter()
        .filter(|address| !ours(address))
        .filter_map(|address| FollowedServer::remote(address).ok())
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

/// The adb servers there are for whoever opens no engine: this computer's, and those the settings in `folder` name.
///
/// # Errors
/// When the environment names a server that is no address.
pub(crate) async fn places(folder: Option<PathBuf>) -> Result<Vec<FollowedServer>, Failure> {
    let folder = match folder {
        Some(folder) => folder,
        None => crate::usual_folder()?,
    };
    let program = ProgramChoice::new(&folder);
    let mut places = vec![program.place().map_err(EngineError::Environment)?];
    // A look at the list is no reason to begin a store.
    if store::exists(&folder) {
        let opened = tokio::task::spawn_blocking(move || Store::open(&folder)).await;
        let store = opened.map_err(EngineError::Broken)?.map_err(EngineError::from)?;
        let settings = store.settings().await.map_err(EngineError::from)?;
        program.set(&settings.adb_program);
        let others = settings
            .adb_servers
            .iter()
            .filter_map(|one| FollowedServer::remote(one).ok());
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
