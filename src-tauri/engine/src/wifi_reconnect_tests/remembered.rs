//! Phones that are remembered over Wi-Fi.

use super::{Table, table};
use adb::wireless::{Announcement, AnnouncementKind};
use protocol::{Failure, FailureCode, Phone, PhoneState, SettingsPatch, WirelessPhone};
use std::time::Duration;
use virtual_phone::{Fault, Transport};

#[tokio::test(start_paused = true)]
async fn a_remembered_phone_is_connected_again_by_itself() {
    let address = "192.168.1.20:5555";
    let table = table(
        false,
        virtual_phone::Options {
            serial: Some(address.to_owned()),
            transport: Transport::Network,
            ..virtual_phone::Options::default()
        },
    )
    .await;
    table.listed(|phones| phones.len() == 1).await;
    table.engine.connect_phone(&at(address)).await.unwrap();
    let remembered = table.engine.settings().wireless;
    assert_eq!(remembered.len(), 1);
    assert_eq!(
        (remembered[0].address.as_str(), remembered[0].service.as_str()),
        (address, "")
    );
    assert_ne!(remembered[0].name, address, "it has a name of its own");
    let phone = table.listed(|phones| phones.len() == 1).await[0].id.clone();
    assert_eq!(remembered[0].phone, Some(phone));
    // Gone with its Wi-Fi, and there again.
    let server = table.engine.inner.roster.local_server().unwrap();
    let mut listing = table.engine.listing();
    listing.borrow_and_update();
    server.disconnect_phone(address).await.unwrap();
    // It may be back before anybody sees it gone.
    let changed = tokio::time::timeout(Duration::from_secs(900), listing.changed()).await;
    changed.expect("it went").unwrap();
    table.listed(|phones| phones.len() == 1).await;
    // Forgotten, it stays away.
    table.engine.forget_phone(&remembered[0]).await.unwrap();
    assert_eq!(table.engine.settings().wireless, []);
    table.listed(<[Phone]>::is_empty).await;
    tokio::time::sleep(Duration::from_secs(600)).await;
    table.listed(<[Phone]>::is_empty).await;
}

fn at(address: &str) -> WirelessPhone {
    WirelessPhone {
        address: address.to_owned(),
        ..WirelessPhone::default()
    }
}

const PAIRED_AT: &str = "192.168.1.20:37242";
const SERVICE: &str = "adb-37181FDJH004A1-vWgJpq";

/// A phone that was paired, connected by its address, and taken off its cable.
async fn paired(faults: &[Fault]) -> Table {
    let table = table(false, virtual_phone::Options::default()).await;
    table.listed(|phones| phones.len() == 1).await;
    let server = table.engine.inner.roster.local_server().unwrap();
    table.phone.offer_pairing(virtual_phone::Pairing {
        code: "123456".to_owned(),
        address: "192.168.1.20:37241".to_owned(),
        service: None,
        lasts: None,
    });
    let code = secrecy::SecretString::from("123456");
    server.pair(&code, "192.168.1.20:37241").await.unwrap();
    table.engine.connect_phone(&at(PAIRED_AT)).await.unwrap();
    table.phone.unplug();
    for fault in faults {
        table.phone.set_fault(*fault);
    }
    table
}

impl Table {
    /// The phone is connected there, within some virtual minutes.
    async fn connected(&self, serial: &str) {
        let mut listing = self.engine.listing();
        let wished = listing.wait_for(|list| {
            let mut lines = list.connections.iter();
            lines.any(|line| line.serial == serial && line.state == PhoneState::Device)
        });
        let wished = tokio::time::timeout(Duration::from_secs(900), wished).await;
        wished.expect("it never came").unwrap();
    }

    /// The settings are so, within some virtual minutes.
    async fn remembers(&self, wish: impl Fn(&[WirelessPhone]) -> bool) {
        let until = tokio::time::Instant::now() + Duration::from_secs(900);
        while !wish(&self.engine.settings().wireless) {
            assert!(
                tokio::time::Instant::now() < until,
                "{:?}",
                self.engine.settings()
            );
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
}

/// Connected by its address, a phone is remembered by the name it announces there, too.
#[tokio::test(start_paused = true)]
async fn a_phone_that_comes_back_elsewhere_is_known_by_its_name() {
    let table = paired(&[]).await;
    let remembered = table.engine.settings().wireless;
    assert_eq!(remembered.len(), 1, "{remembered:?}");
    let first = remembered[0].clone();
    assert_eq!(
        (first.address.as_str(), first.service.as_str()),
        (PAIRED_AT, SERVICE)
    );
    assert_ne!(first.name, PAIRED_AT);
    // Its wireless debugging was turned off and on: another port, found where the adb server sees it announced.
    let moved = "192.168.1.77:40001";
    table.phone.move_wireless(moved);
    table.connected(moved).await;
    let expected = WirelessPhone {
        address: moved.to_owned(),
        ..first
    };
    table.remembers(|all| all == [expected.clone()]).await;
    // The button does the same: nothing that is known of it is lost.
    table.engine.connect_phone(&expected).await.unwrap();
    assert_eq!(table.engine.settings().wireless, [expected]);
}

/// An adb server that searches for nothing: what an open pairing page sees is enough.
#[tokio::test(start_paused = true)]
async fn a_phone_that_is_seen_from_a_pairing_page_is_connected() {
    let table = paired(&[Fault::NoMdns]).await;
    let moved = "192.168.1.77:40001";
    table.phone.move_wireless(moved);
    let gone = |list: &adb::Listing| list.phones.is_empty();
    let mut listing = table.engine.listing();
    let away = tokio::time::timeout(Duration::from_secs(900), listing.wait_for(gone)).await;
    away.expect("it went").unwrap();
    tokio::time::sleep(Duration::from_secs(3600)).await;
    assert!(gone(&table.engine.listing().borrow()), "nobody told where it is");
    table.engine.inner.around.send_replace(vec![Announcement {
        kind: AnnouncementKind::Connects,
        service: SERVICE.to_owned(),
        addresses: vec![moved.parse().unwrap()],
    }]);
    table.connected(moved).await;
    table
        .remembers(|all| all.len() == 1 && all[0].address == moved)
        .await;
    assert_eq!(table.engine.settings().wireless[0].service, SERVICE);
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_connected_is_not_remembered() {
    let table = table(false, virtual_phone::Options::default()).await;
    for (address, code) in [
        ("192.168.1.21:5555", FailureCode::WirelessUnreachable),
        ("nowhere", FailureCode::BadInput),
    ] {
        let told: Failure = table.engine.connect_phone(&at(address)).await.unwrap_err();
        assert_eq!(told.code, code, "{address}: {told:?}");
    }
    assert_eq!(table.engine.settings().wireless, [] as [WirelessPhone; 0]);
}

/// What an earlier version wrote down says nothing of which phone it is, and what was at its address before may be another.
#[tokio::test(start_paused = true)]
async fn which_phone_it_is_is_learned_where_it_is_connected() {
    let table = paired(&[]).await;
    let [known] = table.engine.settings().wireless.try_into().unwrap();
    let older = WirelessPhone {
        phone: None,
        ..known.clone()
    };
    let elsewhere = WirelessPhone {
        service: "adb-other-AbCdEf".to_owned(),
        phone: Some("another".into()),
        ..older.clone()
    };
    let patch = SettingsPatch {
        wireless: Some(vec![older.clone(), elsewhere.clone()]),
        ..SettingsPatch::default()
    };
    table.engine.patch_settings(patch).await.unwrap();
    let expected = [known, elsewhere];
    table.remembers(|all| *all == expected).await;
    // Forgotten as it was known before.
    table.engine.forget_phone(&older).await.unwrap();
    assert_eq!(table.engine.settings().wireless, expected[1..]);
}
