//! Two phones that are listed under one serial number, as cheap ones are: each is itself, and never takes the other's place.

use crate::rig::{small, told};
use adb::{AdbPhone, Command, FollowedServer, Link, Listing, Roster};
use agent::lease::Lease;
use agent::ports::PhoneError;
use protocol::PhoneId;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use virtual_phone::system::System;
use virtual_phone::{Host, Options, PhoneHandle, Received, Speed};

const SERIAL: &str = "20080411";

struct Desk {
    host: Arc<Host>,
    roster: Roster,
    listing: watch::Receiver<Listing>,
}

impl Desk {
    fn new() -> Self {
        let host = Arc::new(Host::new());
        let to = Arc::clone(&host);
        let link = Link::Memory(adb::connector(move || to.open()));
        let roster = Roster::follow(vec![FollowedServer::remote("desk.local").unwrap().over(link)]);
        let listing = roster.listing();
        Self {
            host,
            roster,
            listing,
        }
    }

    fn plug_in(&self) -> PhoneHandle {
        let mut options = small();
        options.profile.phone.serial = SERIAL.to_owned();
        let how = Options {
            speed: Speed::Instant,
            ..Options::default()
        };
        self.host.add(Box::new(System::try_new(options).unwrap()), how)
    }

    /// The phones that are listed once so many are.
    async fn phones(&mut self, many: usize) -> Vec<PhoneId> {
        let listed = self
            .listing
            .wait_for(|list| !list.looking && list.phones.len() == many);
        let listed = tokio::time::timeout(Duration::from_secs(60), listed).await;
        let listed = listed.expect("it never came").unwrap();
        listed.phones.iter().map(|phone| phone.id.clone()).collect()
    }

    fn phone(&self, id: &PhoneId) -> Arc<AdbPhone> {
        self.roster.phone(id).unwrap()
    }
}

/// Taps, and says which of the phones that reached.
async fn tap(phone: &AdbPhone, handles: &[&PhoneHandle]) -> Result<Vec<usize>, PhoneError> {
    let touches = |handle: &PhoneHandle| {
        let mut entries = handle.record().entries();
        entries.retain(|entry| matches!(entry.what, Received::Finger { .. }));
        told(&entries)
    };
    let before: Vec<String> = handles.iter().map(|handle| touches(handle)).collect();
    let tapped = phone
        .by_hand(&Command::Tap { x: 11, y: 12 }, &Lease::new().take())
        .await;
    let changed = |at: &usize| touches(handles[*at]) != before[*at];
    let reached = (0..handles.len()).filter(changed).collect();
    tapped.map(|_| reached)
}

fn is_gone(told: &Result<Vec<usize>, PhoneError>) -> bool {
    matches!(told, Err(PhoneError::Gone(_)))
}

#[tokio::test(start_paused = true)]
async fn two_phones_of_one_serial_are_two_and_none_takes_the_others_place() {
    let mut desk = Desk::new();
    let first = desk.plug_in();
    assert_eq!(desk.phones(1).await, [PhoneId::from(SERIAL)]);
    let alone = desk.phone(&PhoneId::from(SERIAL));
    assert_eq!(tap(&alone, &[&first]).await, Ok(vec![0]));

    let second = desk.plug_in();
    let ids = desk.phones(2).await;
    let both = [&first, &second];
    assert!(
        is_gone(&tap(&alone, &both).await),
        "nobody knows which of them it is"
    );
    let mut reached = Vec::new();
    for id in &ids {
        reached.push(tap(&desk.phone(id), &both).await);
    }
    assert_eq!(reached, [Ok(vec![0]), Ok(vec![1])]);

    // Who stays keeps its own name; what was the other's is nobody's.
    let (one, other) = (desk.phone(&ids[0]), desk.phone(&ids[1]));
    first.unplug();
    assert_eq!(desk.phones(1).await, ids[1..]);
    assert!(is_gone(&tap(&alone, &both).await));
    assert!(is_gone(&tap(&one, &both).await));
    assert_eq!(tap(&other, &both).await, Ok(vec![1]));

    // Nor does one that is plugged in later become any of them.
    second.unplug();
    desk.phones(0).await;
    second.replug();
    let back = desk.phones(1).await;
    assert!(
        !ids.contains(&back[0]) && back[0] != PhoneId::from(SERIAL),
        "{back:?}"
    );
    for earlier in [&alone, &one, &other] {
        assert!(is_gone(&tap(earlier, &both).await));
    }
    assert_eq!(tap(&desk.phone(&back[0]), &both).await, Ok(vec![1]));
}

/// The server is started again, and numbers its phones anew.
#[tokio::test(start_paused = true)]
async fn no_twin_becomes_the_other_when_the_server_starts_again() {
    let mut desk = Desk::new();
    let (first, second) = (desk.plug_in(), desk.plug_in());
    let ids = desk.phones(2).await;
    let before: Vec<_> = ids.iter().map(|id| desk.phone(id)).collect();
    desk.host.stop_server();
    desk.phones(0).await;
    desk.host.start_server();
    let after = desk.phones(2).await;
    assert!(after.iter().all(|id| !ids.contains(id)), "{ids:?}, {after:?}");
    for phone in &before {
        assert!(is_gone(&tap(phone, &[&first, &second]).await));
    }
}
