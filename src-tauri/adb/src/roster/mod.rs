//! Every phone of every adb server, as one list.
//!
//! One task per server follows its list and comes back when it dies; one task per usable phone asks it who it is, and
//! later how it is charged. A phone that tells its own serial number is one phone over all its cables and networks.

mod followed_server;
mod merge;
mod phone_details;
mod routes;

pub use followed_server::{Finder, FollowedServer, Starter};
pub use phone_details::{Details, read as read_details};

use crate::connect::devices::DeviceLine;
use crate::connect::link::Link;
use crate::connect::server::{AdbServer, Device, Tracker};
use crate::error::AdbError;
use crate::phone::AdbPhone;
use crate::scrcpy::FetchedServer;
use merge::{DetailsState, Entry};
use protocol::{Connection, Failure, Phone, PhoneId, PhoneState, Server, Transport};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;

/// Waits before a server is tried again: doubled from the first to the second.
const SOONEST: Duration = Duration::from_millis(500);
const LATEST: Duration = Duration::from_secs(10);
/// How often a server that only keeps a list open is asked whether it still answers, and how long it has. One that hangs
/// closes nothing.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// How often a phone that does not say who it is is asked, and how long between.
const ASKED: usize = 3;
const ASK_AGAIN: Duration = Duration::from_secs(2);
/// How often a phone's charge is read.
const CHARGE: Duration = Duration::from_secs(60);

/// All that is known now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// A line per serial, server by server, as the servers list them.
    pub connections: Vec<Connection>,
    /// Each phone once.
    pub phones: Vec<Phone>,
    /// Some server has not answered yet, or some phone has not said who it is: an empty list may still fill.
    pub looking: bool,
    /// Servers that cannot be asked now, and why.
    pub troubles: Vec<(Server, Failure)>,
}

/// Follows any number of adb servers. Dropping it ends that; phones handed out go on working.
pub struct Roster {
    shared: Arc<Shared>,
    followers: Mutex<Vec<(Server, AbortOnDropHandle<()>)>>,
}

struct Shared {
    state: Mutex<State>,
    listing: watch::Sender<Listing>,
    /// Servers that are missing are tried now, not later.
    again: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    servers: Vec<ServerState>,
    phones: HashMap<PhoneId, Arc<AdbPhone>>,
    /// Serials and numbers that were several phones' at once. For as long as this roster lives none of these goes by it: the
    /// one that stays would be taken for the one that left, with all that was begun on that.
    shared: HashSet<String>,
    /// How many lines were met.
    met: u64,
    fetched: FetchedServer,
}

struct ServerState {
    server: Server,
    /// Who hung on which serial: a phone that is back after a pulled cable or a restarted server is known at once.
    remembered: HashMap<String, Details>,
    link: Link,
    answered: bool,
    trouble: Option<Failure>,
    lines: Vec<ListedDevice>,
    /// How often its list ended: then it may number its lines anew.
    age: u64,
}

struct ListedDevice {
    line: DeviceLine,
    known: DetailsState,
    device: Device,
    age: u64,
    /// Asks the phone; ends with the line.
    _asking: Option<AbortOnDropHandle<()>>,
}

impl Roster {
    /// Begins to follow. Must be called within a tokio runtime.
    #[must_use]
    pub fn follow(places: Vec<FollowedServer>) -> Self {
        let roster = Self {
            shared: Arc::new(Shared {
                state: Mutex::default(),
                listing: watch::Sender::default(),
                again: watch::Sender::default(),
            }),
            followers: Mutex::default(),
        };
        for place in places {
            roster.add(place);
        }
        roster
    }

    /// Follows one more server; one that is followed already is left as it is.
    pub fn add(&self, place: FollowedServer) {
        let mut followers = lock(&self.followers);
        if followers.iter().any(|(server, _)| *server == place.server) {
            return;
        }
        self.shared.change(|state| {
            state.servers.push(ServerState {
                server: place.server.clone(),
                remembered: HashMap::new(),
                link: place.link.clone(),
                answered: false,
                trouble: None,
                lines: Vec::new(),
                age: 0,
            });
        });
        let server = place.server.clone();
        let task = tokio::spawn(follow(Arc::clone(&self.shared), place));
        followers.push((server, AbortOnDropHandle::new(task)));
    }

    /// Follows a server no more; its phones leave the list.
    pub fn remove(&self, server: &Server) {
        lock(&self.followers).retain(|(followed, _)| followed != server);
        self.shared
            .change(|state| state.servers.retain(|followed| followed.server != *server));
    }

    /// Tries servers that are missing at once, and starts this computer's again: something changed about the adb program.
    pub fn look_again(&self) {
        self.shared.again.send_modify(|age| *age += 1);
    }

    /// Where a scrcpy server is fetched to, for all its phones.
    #[must_use]
    pub fn fetched_scrcpy(&self) -> FetchedServer {
        lock(&self.shared.state).fetched.clone()
    }

    /// The servers that are followed.
    #[must_use]
    pub fn servers(&self) -> Vec<Server> {
        lock(&self.followers)
            .iter()
            .map(|(server, _)| server.clone())
            .collect()
    }

    /// This computer's own server, which pairs and connects phones over Wi-Fi.
    #[must_use]
    pub fn local_server(&self) -> Option<AdbServer> {
        let state = lock(&self.shared.state);
        let local = state
            .servers
            .iter()
            .find(|one| matches!(one.server, Server::Local { .. }))?;
        Some(AdbServer::new(local.link.clone()))
    }

    /// The list, now and whenever it changes.
    #[must_use]
    pub fn listing(&self) -> watch::Receiver<Listing> {
        self.shared.listing.subscribe()
    }

    /// A phone on the list that can be used, or could before: the same object for as long as this roster lives,
    /// whatever it is reached over.
    #[must_use]
    pub fn phone(&self, id: &PhoneId) -> Option<Arc<AdbPhone>> {
        lock(&self.shared.state).phones.get(id).cloned()
    }

    /// The phone behind a serial, as a person or a script names one: of several servers, the first that lists it.
    #[must_use]
    pub fn phone_by_serial(&self, serial: &str) -> Option<Arc<AdbPhone>> {
        let id = {
            let listing = self.shared.listing.borrow();
            let named = listing.connections.iter().find(|one| one.serial == serial);
            named.map(|one| one.phone.clone())?
        };
        self.phone(&id)
    }
}

/// The tasks that ask phones hold on to what they write into: they are ended here.
impl Drop for Roster {
    fn drop(&mut self) {
        lock(&self.followers).clear();
        lock(&self.shared.state).servers.clear();
    }
}

impl Shared {
    /// Changes the state and publishes what follows from it.
    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = lock(&self.state);
        change(&mut state);
        let listing = state.publish();
        self.listing.send_if_modified(|before| {
            let news = *before != listing;
            if news {
                *before = listing;
            }
            news
        });
    }

    fn on_server(&self, server: &Server, change: impl FnOnce(&mut ServerState)) {
        self.change(|state| {
            if let Some(followed) = state.servers.iter_mut().find(|one| one.server == *server) {
                change(followed);
            }
        });
    }

    /// A server told its list: phones that stayed keep what is known of them.
    fn told(self: &Arc<Self>, server: &Server, lines: Vec<DeviceLine>) {
        self.change(|state| {
            let repeated = merge::repeated(&lines).into_iter().map(str::to_owned);
            state.shared.extend(repeated);
            let Some(followed) = state.servers.iter_mut().find(|one| one.server == *server) else {
                return;
            };
            followed.answered = true;
            followed.trouble = None;
            let mut before = std::mem::take(&mut followed.lines);
            for line in lines {
                let shared = state.shared.contains(&line.serial);
                let numbered = shared && line.transport_id.is_some();
                // Who was asked by the serial alone may have been either.
                let stays = |old: &ListedDevice| old.line == line && old.device.has_own_serial() != numbered;
                let kept = before.iter().position(stays);
                followed.lines.push(match kept {
                    Some(at) => before.swap_remove(at),
                    None => {
                        state.met += 1;
                        self.meet(followed, line, shared, state.met)
                    }
                });
            }
        });
    }

    /// A new line: a usable phone is asked who it is.
    fn meet(
        self: &Arc<Self>,
        followed: &ServerState,
        line: DeviceLine,
        shared: bool,
        met: u64,
    ) -> ListedDevice {
        let server = AdbServer::new(followed.link.clone());
        let device = match line.transport_id.filter(|_| shared) {
            Some(number) => Device::of_line(server, &line.serial, number),
            None => Device::new(server, &line.serial),
        };
        let usable = line.state == PhoneState::Device;
        let asking = usable.then(|| {
            let task = ask_details(
                Arc::clone(self),
                followed.server.clone(),
                line.clone(),
                device.clone(),
            );
            AbortOnDropHandle::new(tokio::spawn(task))
        });
        // A network address may be another phone's by now, a serial of several any of theirs: who answers there says so
        // first.
        let wired = line.transport() == Transport::Usb || line.serial.starts_with("adb-");
        let same = usable && wired && !shared;
        let known = match followed.remembered.get(&line.serial).filter(|_| same) {
            Some(details) => DetailsState::Known(details.clone()),
            None if usable => DetailsState::Asking,
            None => DetailsState::Unknown,
        };
        ListedDevice {
            // A line without a number is another whenever it is met.
            age: if line.transport_id.is_some() {
                followed.age
            } else {
                met
            },
            line,
            known,
            device,
            _asking: asking,
        }
    }

    fn learnt(&self, server: &Server, line: &DeviceLine, known: impl FnOnce(&mut DetailsState)) {
        self.on_server(server, |followed| {
            if let Some(found) = followed.lines.iter_mut().find(|one| one.line == *line) {
                known(&mut found.known);
                if let DetailsState::Known(details) = &found.known {
                    followed.remembered.insert(line.serial.clone(), details.clone());
                }
            }
        });
    }
}

impl State {
    fn publish(&mut self) -> Listing {
        let entries: Vec<Entry> = self
            .servers
            .iter()
            .flat_map(|followed| {
                followed.lines.iter().map(|line| Entry {
                    server: followed.server.clone(),
                    line: line.line.clone(),
                    known: line.known.clone(),
                    age: line.age,
                })
            })
            .collect();
        self.shared.extend(merge::shared(&entries).map(str::to_owned));
        let connections = merge::connections(&entries, &self.shared);
        let lines = self.servers.iter().flat_map(|followed| &followed.lines);
        let devices = lines.map(|line| &line.device);
        routes::reroute(devices, &connections, &mut self.phones, &self.fetched);
        let phones = merge::phones(&entries, &connections);
        let connections = connections.into_iter().flatten().collect();
        let asking = entries
            .iter()
            .any(|entry| matches!(entry.known, DetailsState::Asking));
        Listing {
            looking: asking
                || self
                    .servers
                    .iter()
                    .any(|one| !one.answered && one.trouble.is_none()),
            troubles: self
                .servers
                .iter()
                .filter_map(|one| Some((one.server.clone(), one.trouble.clone()?)))
                .collect(),
            phones,
            connections,
        }
    }
}

/// Follows one server for ever.
async fn follow(shared: Arc<Shared>, place: FollowedServer) {
    let server = AdbServer::new(place.link);
    // What runs in this program hangs only with it.
    let heartbeat = (place.server != Server::Demo).then_some(HEARTBEAT);
    let mut again = shared.again.subscribe();
    let mut wait = SOONEST;
    // Once for each time the server is found missing; it must have been there before it is started again.
    let mut may_start = place.starter.is_some();
    loop {
        let ended = match server.track().await {
            Ok(mut tracker) => loop {
                match next(&server, &mut tracker, heartbeat).await {
                    Ok(lines) => {
                        wait = SOONEST;
                        may_start = place.starter.is_some();
                        shared.told(&place.server, lines);
                    }
                    Err(error) => break error,
                }
            },
            Err(error) => error,
        };
        tracing::debug!(server = ?place.server, %ended, "the list of phones ended");
        let mut trouble = ended;
        if let (AdbError::NoServer { .. }, Some(starter), true) = (&trouble, &place.starter, may_start) {
            may_start = false;
            match starter().await {
                Ok(()) => continue,
                Err(error) => trouble = error,
            }
        }
        shared.on_server(&place.server, |followed| {
            followed.lines.clear();
            followed.age += 1;
            followed.trouble = Some(trouble.into());
        });
        tokio::select! {
            () = sleep(wait) => wait = (wait * 2).min(LATEST),
            _ = again.changed() => {
                wait = SOONEST;
                may_start = place.starter.is_some();
            }
        }
    }
}

/// The next list, or why there will be none: the server is gone, or does not answer any more.
async fn next(
    server: &AdbServer,
    tracker: &mut Tracker,
    heartbeat: Option<Duration>,
) -> Result<Vec<DeviceLine>, AdbError> {
    let Some(heartbeat) = heartbeat else {
        return tracker.next().await;
    };
    let dead = async {
        loop {
            sleep(heartbeat).await;
            // Twice: a computer that was asleep finds its own clock far ahead.
            if server.version().await.is_err()
                && let Err(error) = server.version().await
            {
                return error;
            }
        }
    };
    tokio::select! {
        biased;
        lines = tracker.next() => lines,
        error = dead => Err(error),
    }
}

/// Asks a phone who it is, then now and again how it is charged.
async fn ask_details(shared: Arc<Shared>, server: Server, line: DeviceLine, device: Device) {
    let mut told = None;
    for attempt in 1..=ASKED {
        match phone_details::ask(&device).await {
            Ok(details) => {
                told = Some(details);
                break;
            }
            Err(error) => tracing::debug!(serial = line.serial, %error, attempt, "it does not say who it is"),
        }
        if attempt < ASKED {
            sleep(ASK_AGAIN).await;
        }
    }
    // Who could not be asked keeps that identity for as long as it stays: a phone does not change its name under a run.
    let Some(details) = told else {
        shared.learnt(&server, &line, |known| {
            if matches!(known, DetailsState::Asking) {
                *known = DetailsState::Unknown;
            }
        });
        return;
    };
    shared.learnt(&server, &line, |known| *known = DetailsState::Known(details));
    loop {
        sleep(CHARGE).await;
        let Ok(Some(charge)) = phone_details::battery(&device).await else {
            continue;
        };
        shared.learnt(&server, &line, |known| {
            if let DetailsState::Known(details) = known {
                details.battery = Some(charge);
            }
        });
    }
}

/// A panic elsewhere leaves plain values behind: they are still true.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
