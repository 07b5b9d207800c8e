//! A phone behind its server, and the port to it.

use adb::Command;
use adb::{AdbPhone, AdbServer, Device, Link};
use agent::lease::Lease;
use agent::ports::{Effect, Phone, PhoneError};
use protocol::PhoneId;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::net::TcpListener;
use virtual_phone::system::{System, SystemOptions};
use virtual_phone::{Entry, Fault, Host, Options, PhoneHandle, Received, Speed};

/// The serial of the first demo phone.
pub(crate) const SERIAL: &str = "37181FDJH004A1";

/// What a phone is like.
#[derive(Clone)]
pub(crate) struct Setup {
    pub(crate) options: SystemOptions,
    pub(crate) faults: Vec<Fault>,
    pub(crate) speed: Speed,
    /// Its date and time of day; none: the morning its screens show.
    pub(crate) born: Option<SystemTime>,
}

/// A phone with a small display (nothing else about it is small): its pictures cost little.
pub(crate) fn small() -> SystemOptions {
    let mut options = SystemOptions::default();
    options.profile.phone.size = (360, 800);
    options.profile.phone.density = 140;
    options
}

impl Setup {
    /// The small phone with an activity in front; at home when it is empty.
    pub(crate) fn at(start: &str) -> Self {
        let start = (!start.is_empty()).then(|| start.to_owned());
        Self {
            options: SystemOptions { start, ..small() },
            faults: Vec::new(),
            speed: Speed::Instant,
            born: None,
        }
    }

    pub(crate) fn with(mut self, faults: &[Fault]) -> Self {
        self.faults.extend(faults);
        self
    }

    /// Takes a phone's time for everything; its trees come by the plain dump alone.
    pub(crate) fn slow(mut self) -> Self {
        self.faults.push(Fault::ReaderMissing);
        self.with_reader()
    }

    /// Takes a phone's time for everything, so that a reader that stays is started on it.
    pub(crate) fn with_reader(mut self) -> Self {
        self.speed = Speed::Phone;
        self
    }
}

/// A phone, its server, and the port.
pub(crate) struct Rig {
    host: Arc<Host>,
    pub(crate) handle: PhoneHandle,
    pub(crate) server: AdbServer,
    pub(crate) phone: Arc<AdbPhone>,
    pub(crate) lease: Lease,
}

fn host(setup: Setup) -> (Arc<Host>, PhoneHandle) {
    let host = Host::new();
    let usual = Options::default();
    let options = Options {
        speed: setup.speed,
        faults: setup.faults,
        born: setup.born.unwrap_or(usual.born),
        ..usual
    };
    let handle = host.add(Box::new(System::try_new(setup.options).unwrap()), options);
    (Arc::new(host), handle)
}

impl Rig {
    /// Over TCP.
    pub(crate) async fn socket(setup: Setup) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self::listening(setup, listener)
    }

    /// Over TCP, where a listener is already.
    pub(crate) fn listening(setup: Setup, listener: TcpListener) -> Self {
        let (host, handle) = host(setup);
        let address = host.serve(listener).unwrap();
        Self::over(host, handle, Link::Tcp(address.to_string()))
    }

    /// Over a pipe.
    pub(crate) fn pipe(setup: Setup) -> Self {
        let (host, handle) = host(setup);
        let to = Arc::clone(&host);
        let link = Link::Memory(adb::connector(move || to.open()));
        Self::over(host, handle, link)
    }

    fn over(host: Arc<Host>, handle: PhoneHandle, link: Link) -> Self {
        let server = AdbServer::new(link);
        let device = Device::new(server.clone(), handle.serial());
        Self {
            host,
            handle,
            server,
            phone: Arc::new(AdbPhone::new(PhoneId::from(SERIAL), device)),
            lease: Lease::new(),
        }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.server.link().address().parse().unwrap()
    }

    /// Ends the server, and the phone with it.
    pub(crate) async fn stop(self) -> Arc<AdbPhone> {
        let Self { host, phone, .. } = self;
        Arc::into_inner(host).unwrap().stop().await;
        phone
    }

    /// Does one thing under a lease of its own, and sees to it that no pass is kept.
    pub(crate) async fn by_hand(&self, command: Command) -> Result<Effect, PhoneError> {
        let done = self.phone.by_hand(&command, &self.lease.take()).await;
        assert!(
            self.lease.drained(Duration::from_secs(60)).await,
            "a pass is kept after {command:?}"
        );
        done
    }

    /// The middle of the first node that has such an attribute (`text="Next"`).
    pub(crate) async fn find(&self, attribute: &str) -> (i32, i32) {
        let tree = self.phone.read().await.unwrap();
        middle(&tree, attribute)
    }

    /// Taps it.
    pub(crate) async fn tap(&self, attribute: &str) {
        let (x, y) = self.find(attribute).await;
        self.by_hand(Command::Tap { x, y }).await.unwrap();
    }

    /// What reached the screen and the apps so far.
    pub(crate) fn effects(&self) -> Vec<Entry> {
        effects(self.handle.record().entries())
    }

    /// Waits for the phone's record to hold something, event by event.
    pub(crate) async fn until(&self, mut is: impl FnMut(&[Entry]) -> bool) {
        let record = self.handle.record();
        let mut changes = record.changes();
        let waiting = async {
            while !is(&record.entries()) {
                changes.changed().await.unwrap();
            }
        };
        tokio::time::timeout(Duration::from_secs(60), waiting)
            .await
            .expect("it never reached the phone");
    }
}

/// The middle of the first node that has such an attribute.
pub(crate) fn middle(tree: &str, attribute: &str) -> (i32, i32) {
    let bounds = value(node(tree, attribute), "bounds").unwrap();
    let numbers: Vec<i32> = bounds
        .split(['[', ']', ','])
        .filter_map(|number| number.parse().ok())
        .collect();
    ((numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2)
}

/// The first node that has such an attribute.
pub(crate) fn node<'a>(tree: &'a str, attribute: &str) -> &'a str {
    tree.split("<node ")
        .find(|node| node.contains(attribute))
        .unwrap_or_else(|| panic!("no {attribute} in {tree}"))
}

/// One attribute's value, its entities read.
pub(crate) fn value(node: &str, name: &str) -> Option<String> {
    let start = node.find(&format!("{name}=\""))? + name.len() + 2;
    let raw = node[start..].split('"').next()?;
    let mut read = String::new();
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once('&') {
        let (entity, after) = after.split_once(';').unwrap();
        read.push_str(before);
        read.push(match entity {
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            "amp" => '&',
            number => char::from_u32(number.strip_prefix('#').unwrap().parse().unwrap()).unwrap(),
        });
        rest = after;
    }
    Some(read + rest)
}

/// Whether an entry is something a person would see happen.
fn is_effect(what: &Received) -> bool {
    matches!(
        what,
        Received::Finger { .. }
            | Received::Key { .. }
            | Received::Text { .. }
            | Received::Activity { .. }
            | Received::ForceStop { .. }
            | Received::Setting { .. }
            | Received::Push { .. }
    )
}

pub(crate) fn effects(entries: Vec<Entry>) -> Vec<Entry> {
    entries
        .into_iter()
        .filter(|entry| is_effect(&entry.what))
        .collect()
}

/// Whether the last that was seen of a finger is its leaving.
pub(crate) fn no_finger_is_down(entries: &[Entry]) -> bool {
    let last = entries.iter().rev().find_map(|entry| match entry.what {
        Received::Finger { action, .. } => Some(action),
        _ => None,
    });
    !matches!(last, Some("down" | "move"))
}

/// Effects in a line a person can read: `down 10,20 move 10,20 … up 30,40`; moves are one word, text is joined.
pub(crate) fn told(entries: &[Entry]) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut text = String::new();
    for entry in entries {
        if let Received::Text { character } = &entry.what {
            text.push(*character);
            continue;
        }
        if !text.is_empty() {
            words.push(format!("text {:?}", std::mem::take(&mut text)));
        }
        let word = match &entry.what {
            Received::Finger { action: "move", .. } => "~".to_owned(),
            Received::Finger { action, x, y } => format!("{action} {x},{y}"),
            Received::Key {
                code,
                meta: 0,
                long: false,
            } => format!("key {code}"),
            Received::Key { code, meta, long } => format!("key {code} meta {meta:#x} long {long}"),
            Received::Activity { component } => format!("start {component}"),
            Received::ForceStop { package } => format!("stop {package}"),
            Received::Setting { name, value, .. } => format!("set {name} {value:?}"),
            Received::Push { path, size } => format!("push {path} {size}"),
            other => panic!("no effect: {other:?}"),
        };
        if word != "~" || words.last().is_none_or(|last| last != "~") {
            words.push(word);
        }
    }
    if !text.is_empty() {
        words.push(format!("text {text:?}"));
    }
    words.join(" ")
}
