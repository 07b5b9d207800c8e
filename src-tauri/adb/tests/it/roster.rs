//! Several servers, one list.

use crate::support::{Fake, Fault, Reply, until};
use adb::{AdbError, AdbPhone, Device, FollowedServer, Listing, Roster};
use agent::ports::Phone;
use protocol::{FailureCode, PhoneId, PhoneState, Server, Transport};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::watch;

/// A phone that introduces itself.
fn named(number: &str, name: &str) -> Fake {
    let fake = Fake::new();
    says_it_is(&fake, number, name, 0);
    fake
}

/// Who it says it is from now on, after so many milliseconds.
fn says_it_is(fake: &Fake, number: &str, name: &str, after: u64) {
    let (number, name) = (number.to_owned(), name.to_owned());
    fake.on(move |line| {
        let parts: Vec<&str> = line.split("; ").collect();
        if let ["getprop", rule, "settings get global device_name", _, "wm size", _, "dumpsys battery"] = parts[..] {
            let rule = rule.strip_prefix("echo ")?;
            let said = Reply::says(format!(
                "[ro.serialno]: [{number}]\n[ro.product.model]: [Pixel 8]\n[ro.product.manufacturer]: [Google]\n\
                 [ro.build.version.release]: [15]\n{rule}\n{name}\n{rule}\nPhysical size: 1080x2400\n{rule}\n  level: 80\n  \
                 status: 2\n"
            ));
            return Some(said.after(after));
        }
        (line == "dumpsys battery").then(|| Reply::says("  level: 79\n  status: 3\n"))
    });
}

fn remote(fake: &Fake, address: &str) -> FollowedServer {
    FollowedServer::remote(address).unwrap().over(fake.link())
}

fn local(fake: &Fake) -> FollowedServer {
    let starter: adb::roster::Starter = Arc::new(|| Box::pin(async { Err(AdbError::NoProgram) }));
    FollowedServer::started_by("127.0.0.1:5037", starter).over(fake.link())
}

/// The first list that is as wished, within some virtual minutes.
async fn wait(listing: &mut watch::Receiver<Listing>, wish: impl FnMut(&Listing) -> bool) -> Listing {
    let wished = tokio::time::timeout(Duration::from_secs(300), listing.wait_for(wish)).await;
    wished.expect("it never came").unwrap().clone()
}

#[tokio::test(start_paused = true)]
async fn phones_of_all_servers_stand_in_one_list() {
    let (here, there, demo) = (
        named("R58M", "Anna's Pixel"),
        named("X1", "null"),
        named("DEMO1", "Shop phone"),
    );
    here.lists(
        "FAKE 1 device usb:1-1 model:Pixel_8 transport_id:1\nR9 unauthorized usb:1-2 transport_id:2\n",
    );
    there.lists("FAKE 1 device usb:3-1 model:Pixel_8 transport_id:1\n");
    demo.lists("FAKE 1 device model:Demo transport_id:1\n");
    let roster = Roster::follow(vec![
        local(&here),
        remote(&there, "192.168.1.7"),
        FollowedServer::demo(demo.connector()),
    ]);
    let mut listing = roster.listing();
    let all = wait(&mut listing, |list| !list.looking).await;
    let shown: Vec<_> = all
        .phones
        .iter()
        .map(|phone| {
            (
                phone.id.0.as_str(),
                phone.name.as_str(),
                phone.state,
                phone.transport,
                phone.demo,
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("R58M", "Anna's Pixel", PhoneState::Device, Transport::Usb, false),
            (
                "127.0.0.1:5037/R9",
                "R9",
                PhoneState::Unauthorized,
                Transport::Usb,
                false
            ),
            ("X1", "Google Pixel 8", PhoneState::Device, Transport::Usb, false),
            ("DEMO1", "Shop phone", PhoneState::Device, Transport::Demo, true),
        ]
    );
    assert_eq!(all.phones[2].remote.as_deref(), Some("192.168.1.7:5037"));
    let first = &all.phones[0];
    assert_eq!(
        (first.android.as_deref(), first.size),
        (Some("15"), Some((1080, 2400)))
    );
    assert_eq!(
        first.battery.map(|battery| (battery.percent, battery.charging)),
        Some((80, true))
    );
    assert_eq!(all.connections[0].model, "Pixel_8");
    assert_eq!(all.troubles, []);

    let later = wait(&mut listing, |list| list.phones[0].battery.unwrap().percent == 79).await;
    assert!(!later.phones[0].battery.unwrap().charging);
    assert_eq!(here.commands_like("getprop").len(), 1, "who it is, is asked once");
}

#[tokio::test(start_paused = true)]
async fn one_phone_over_two_ways_is_one_and_stays_itself() {
    let fake = named("R58M", "Anna's Pixel");
    let air = named("R58M", "Anna's Pixel");
    fake.lists("FAKE 1 device usb:1-1 transport_id:1\n");
    air.lists("FAKE 1 device transport_id:9\n");
    let roster = Roster::follow(vec![local(&fake), remote(&air, "desk.local")]);
    let mut listing = roster.listing();
    let both = wait(&mut listing, |list| list.connections.len() == 2 && !list.looking).await;
    assert_eq!(both.phones.len(), 1);
    assert_eq!(both.phones[0].remote, None, "the cable is the better way");
    let phone = roster.phone(&PhoneId::from("R58M")).unwrap();
    assert!(Arc::ptr_eq(&phone, &roster.phone_by_serial("FAKE 1").unwrap()));

    fake.lists("");
    wait(&mut listing, |list| list.connections.len() == 1).await;
    assert!(Arc::ptr_eq(
        &phone,
        &roster.phone(&PhoneId::from("R58M")).unwrap()
    ));
    air.answers("pm list packages", Reply::says("package:com.a\n"));
    assert_eq!(
        phone.apps().await.unwrap()[0].package,
        "com.a",
        "reached the other way"
    );
    let serial_now = phone.device().serial().to_owned();
    assert_eq!(serial_now, "FAKE 1");
}

#[tokio::test(start_paused = true)]
async fn a_phone_that_does_not_say_who_it_is_keeps_server_and_serial() {
    let fake = Fake::new();
    fake.lists("FAKE 1 device usb:1-1 model:Odd_One transport_id:1\n");
    let roster = Roster::follow(vec![local(&fake)]);
    let mut listing = roster.listing();
    let list = wait(&mut listing, |list| !list.looking).await;
    assert_eq!(list.phones[0].id, PhoneId::from("127.0.0.1:5037/FAKE 1"));
    assert_eq!(list.phones[0].name, "Odd One");
    assert!(roster.phone(&list.phones[0].id).is_some());
}

#[tokio::test(start_paused = true)]
async fn a_server_that_dies_is_told_and_followed_again() {
    let fake = named("R58M", "Anna's Pixel");
    fake.lists("FAKE 1 device usb:1-1 transport_id:1\n");
    let roster = Roster::follow(vec![local(&fake)]);
    let mut listing = roster.listing();
    wait(&mut listing, |list| list.phones.len() == 1).await;
    fake.fault(Fault::Absent).restarts();
    let gone = wait(&mut listing, |list| {
        list.phones.is_empty() && !list.troubles.is_empty()
    })
    .await;
    assert_eq!(
        gone.troubles[0].0,
        Server::Local {
            address: "127.0.0.1:5037".to_owned()
        }
    );
    tokio::time::sleep(Duration::from_secs(120)).await;
    fake.fault(Fault::None);
    let back = wait(&mut listing, |list| list.phones.len() == 1).await;
    assert_eq!((back.troubles, back.phones[0].id.0.as_str()), (vec![], "R58M"));
}

#[tokio::test(start_paused = true)]
async fn nobody_listening_starts_the_program_once() {
    let fake = named("R58M", "Anna's Pixel");
    fake.lists("FAKE 1 device usb:1-1 transport_id:1\n")
        .fault(Fault::Absent);
    let started = Arc::new(AtomicUsize::new(0));
    let starter: adb::roster::Starter = {
        let (fake, started) = (fake.clone(), Arc::clone(&started));
        Arc::new(move || {
            let (fake, started) = (fake.clone(), Arc::clone(&started));
            Box::pin(async move {
                if started.fetch_add(1, Ordering::Relaxed) == 0 {
                    fake.fault(Fault::None);
                }
                Ok(())
            })
        })
    };
    let roster = Roster::follow(vec![
        FollowedServer::started_by("127.0.0.1:5037", starter).over(fake.link()),
    ]);
    let mut listing = roster.listing();
    wait(&mut listing, |list| list.phones.len() == 1).await;
    assert_eq!(started.load(Ordering::Relaxed), 1);
    // It was there and is missing: once more, and then never in a loop.
    fake.fault(Fault::Absent).restarts();
    tokio::time::sleep(Duration::from_secs(600)).await;
    assert_eq!(started.load(Ordering::Relaxed), 2);
}

#[tokio::test(start_paused = true)]
async fn no_program_and_a_wedged_server_are_two_troubles() {
    for (fault, code) in [
        (Fault::Absent, FailureCode::AdbMissing),
        (Fault::Wedged, FailureCode::AdbSilent),
    ] {
        let fake = Fake::new();
        fake.fault(fault);
        let roster = Roster::follow(vec![local(&fake)]);
        let told = wait(&mut roster.listing(), |list| !list.troubles.is_empty()).await;
        assert_eq!(told.troubles[0].1.code, code);
        assert!(!told.looking);
    }
}

/// A server that hangs closes nothing: it is noticed by asking.
#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_while_it_is_followed_is_told() {
    let fake = named("R58M", "Anna's Pixel");
    fake.lists("FAKE 1 device usb:1-1 transport_id:1\n");
    let roster = Roster::follow(vec![local(&fake)]);
    let mut listing = roster.listing();
    wait(&mut listing, |list| list.phones.len() == 1).await;
    fake.fault(Fault::Wedged);
    let began = tokio::time::Instant::now();
    let told = wait(&mut listing, |list| !list.troubles.is_empty()).await;
    assert_eq!(
        (told.troubles[0].1.code, told.phones.len()),
        (FailureCode::AdbSilent, 0)
    );
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    fake.fault(Fault::None);
    let back = wait(&mut listing, |list| list.troubles.is_empty()).await;
    assert!(roster_has(&back, "R58M"), "known at once: {back:?}");
}

/// After a restart every line has another number; who hangs on the same cable is known without being asked again first.
#[tokio::test(start_paused = true)]
async fn a_restarted_server_loses_nobody() {
    let fake = named("R58M", "Anna's Pixel");
    fake.lists("FAKE 1 device usb:1-1 transport_id:1\n");
    let roster = Roster::follow(vec![local(&fake)]);
    let mut listing = roster.listing();
    wait(&mut listing, |list| list.phones.len() == 1).await;
    fake.answers("getprop", support_hangs());
    fake.lists("FAKE 1 device usb:1-1 transport_id:7\n").restarts();
    tokio::time::sleep(Duration::from_secs(5)).await;
    let list = listing.borrow().clone();
    assert!(roster_has(&list, "R58M") && !list.looking, "{list:?}");
    assert_eq!(list.phones[0].name, "Anna's Pixel");
}

/// A network address may be another phone's after a while.
#[tokio::test(start_paused = true)]
async fn an_address_is_asked_anew() {
    let fake = named("R58M", "Anna's Pixel");
    let link = fake.link();
    fake.lists("FAKE 1 device transport_id:1\n192.168.1.20:5555 offline transport_id:2\n");
    let roster = Roster::follow(vec![local(&fake).over(link)]);
    let list = wait(&mut roster.listing(), |list| !list.looking).await;
    assert_eq!(list.connections[1].phone.0, "127.0.0.1:5037/192.168.1.20:5555");
    assert_eq!(list.connections[1].state, PhoneState::Offline);
}

/// What is asked of a phone, also by what was begun while it was there, and how that ends.
async fn reaches(phone: &AdbPhone, begun: &Device) -> [Result<(), AdbError>; 2] {
    let asks = |device: Device| async move {
        let asked = device.look("pm list packages", Duration::from_secs(5)).await;
        asked.map(drop)
    };
    [asks(phone.device()).await, asks(begun.clone()).await]
}

/// An address that is another phone's by now is no way to the one that had it: neither while that other is asked who it is,
/// nor after; it is one again when the phone itself answers there.
#[tokio::test(start_paused = true)]
async fn an_address_that_is_anothers_leads_to_nobody_else() {
    const AT: &str = "192.168.1.20:5555";
    let fake = named("R58M", "Anna's Pixel");
    fake.answers("pm list packages", Reply::says("package:com.a\n"));
    fake.lists(&format!("{AT} device transport_id:1\n"));
    let roster = Roster::follow(vec![local(&fake)]);
    let mut listing = roster.listing();
    wait(&mut listing, |list| roster_has(list, "R58M")).await;
    let phone = roster.phone(&PhoneId::from("R58M")).unwrap();
    let begun = phone.device();
    assert_eq!(reaches(&phone, &begun).await, [Ok(()), Ok(())]);

    let is_gone = |told: [Result<(), AdbError>; 2]| {
        let gone = |one: &Result<(), AdbError>| matches!(one, Err(AdbError::Gone(_)));
        assert!(told.iter().all(gone), "{told:?}");
    };
    says_it_is(&fake, "X1", "Bert's Pixel", 3000);
    fake.lists(&format!("{AT} device transport_id:2\n"));
    wait(&mut listing, |list| list.looking).await;
    is_gone(reaches(&phone, &begun).await);
    let list = wait(&mut listing, |list| roster_has(list, "X1")).await;
    assert!(!roster_has(&list, "R58M"), "{list:?}");
    is_gone(reaches(&phone, &begun).await);
    assert_eq!(
        fake.commands_like("pm list").len(),
        2,
        "nothing reached the other phone"
    );
    let other = roster.phone(&PhoneId::from("X1")).unwrap();
    assert_eq!(reaches(&other, &other.device()).await, [Ok(()), Ok(())]);

    says_it_is(&fake, "R58M", "Anna's Pixel", 0);
    fake.lists(&format!("{AT} device transport_id:3\n"));
    wait(&mut listing, |list| roster_has(list, "R58M")).await;
    assert_eq!(reaches(&phone, &begun).await, [Ok(()), Ok(())]);
}

#[tokio::test(start_paused = true)]
async fn a_program_that_was_just_fetched_is_started_at_once() {
    let fake = named("R58M", "Anna's Pixel");
    fake.lists("FAKE 1 device usb:1-1 transport_id:1\n")
        .fault(Fault::Absent);
    let there = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let starter: adb::roster::Starter = {
        let (fake, there) = (fake.clone(), Arc::clone(&there));
        Arc::new(move || {
            let (fake, there) = (fake.clone(), Arc::clone(&there));
            Box::pin(async move {
                if !there.load(Ordering::Relaxed) {
                    return Err(AdbError::NoProgram);
                }
                fake.fault(Fault::None);
                Ok(())
            })
        })
    };
    let place = FollowedServer::started_by("127.0.0.1:5037", starter).over(fake.link());
    let roster = Roster::follow(vec![place]);
    let mut listing = roster.listing();
    let told = wait(&mut listing, |list| !list.troubles.is_empty()).await;
    assert_eq!(told.troubles[0].1.code, FailureCode::AdbMissing);
    tokio::time::sleep(Duration::from_secs(300)).await;
    assert_eq!(listing.borrow().phones.len(), 0);
    there.store(true, Ordering::Relaxed);
    let began = tokio::time::Instant::now();
    roster.look_again();
    wait(&mut listing, |list| list.phones.len() == 1).await;
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
}

fn support_hangs() -> Reply {
    Reply {
        hangs: true,
        ..Reply::default()
    }
}

#[tokio::test(start_paused = true)]
async fn servers_come_and_go() {
    let fake = named("R58M", "Anna's Pixel");
    fake.lists("FAKE 1 device usb:1-1 transport_id:1\n");
    let roster = Roster::follow(vec![]);
    let mut listing = roster.listing();
    assert!(!listing.borrow().looking);
    roster.add(remote(&fake, "desk.local:5038"));
    roster.add(remote(&fake, "desk.local:5038"));
    let list = wait(&mut listing, |list| list.phones.len() == 1).await;
    assert_eq!(list.connections.len(), 1, "followed once");
    roster.remove(&list.connections[0].server);
    wait(&mut listing, |list| list.phones.is_empty()).await;
}

/// A dropped roster asks nobody anything any more.
#[tokio::test(start_paused = true)]
async fn a_dropped_roster_is_still() {
    let fake = named("R58M", "Anna's Pixel");
    fake.lists("FAKE 1 device usb:1-1 transport_id:1\n");
    let roster = Roster::follow(vec![local(&fake)]);
    wait(&mut roster.listing(), |list| list.phones.len() == 1).await;
    drop(roster);
    let before = fake.commands().len();
    tokio::time::sleep(Duration::from_secs(600)).await;
    assert_eq!(fake.commands().len(), before);
}

#[tokio::test(start_paused = true)]
async fn a_phone_that_is_plugged_in_again_is_the_same() {
    let fake = named("R58M", "Anna's Pixel");
    fake.lists("FAKE 1 unauthorized usb:1-1 transport_id:1\n");
    let roster = Roster::follow(vec![local(&fake)]);
    let mut listing = roster.listing();
    let asked = wait(&mut listing, |list| list.phones.len() == 1).await;
    assert_eq!(asked.phones[0].state, PhoneState::Unauthorized);
    fake.lists("FAKE 1 device usb:1-1 transport_id:1\n");
    wait(&mut listing, |list| roster_has(list, "R58M")).await;
    let phone = roster.phone(&PhoneId::from("R58M")).unwrap();
    fake.lists("");
    wait(&mut listing, |list| list.phones.is_empty()).await;
    fake.lists("FAKE 1 device usb:1-4 transport_id:2\n");
    wait(&mut listing, |list| roster_has(list, "R58M")).await;
    assert!(Arc::ptr_eq(
        &phone,
        &roster.phone(&PhoneId::from("R58M")).unwrap()
    ));
    until(|| fake.commands_like("getprop").len() == 2).await;
}

fn roster_has(list: &Listing, id: &str) -> bool {
    list.phones.iter().any(|phone| phone.id.0 == id)
}
