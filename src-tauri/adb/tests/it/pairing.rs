//! Phones over Wi-Fi, against a scripted server and announcements of our own.

use crate::support::Fake;
use adb::AdbError;
use adb::wireless::{
    Announcement, AnnouncementKind, ConnectResult, Discovery, Offer, pair_by_code, pair_by_offer, to_wifi,
};
use mdns_sd::{IfKind, ServiceDaemon, ServiceInfo};
use protocol::Pairing;
use secrecy::SecretString;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;

const PAIRED: &str = "Successfully paired to 127.0.0.1:37123 [guid=adb-R58M-x7Yz1Q]";

/// A text as a service says it: that it began, then the text with its length.
fn says(text: &str) -> Vec<u8> {
    format!("OKAY{:04x}{text}", text.len()).into_bytes()
}

fn fails(text: &str) -> Vec<u8> {
    format!("OKAYFAIL{:04x}{text}", text.len()).into_bytes()
}

fn six(code: &str) -> SecretString {
    SecretString::from(code)
}

/// A server that answers every request for pairing so.
fn pairing(answer: Vec<u8>) -> Fake {
    let fake = Fake::new();
    fake.host(move |request| request.starts_with("host:pair:").then(|| answer.clone()));
    fake
}

#[test]
fn the_picture_says_what_a_phone_expects() {
    let offer = Offer::new().unwrap();
    let text = offer.text();
    let password = text
        .strip_prefix(&format!("WIFI:T:ADB;S:{};P:", offer.service()))
        .and_then(|rest| rest.strip_suffix(";;"))
        .unwrap();
    assert!(offer.service().starts_with("studio-") && offer.service().len() == 17);
    assert!(password.len() == 12 && password.chars().all(|c| c.is_ascii_alphanumeric()));
    assert_eq!(read_picture(&offer.svg().unwrap()), *text);
    assert!(!format!("{offer:?}").contains(password));
    let other = Offer::new().unwrap();
    assert!(other.service() != offer.service() && *other.text() != *text);
}

/// Draws the SVG's one path (`M{x} {y}h{w}v{h}H{x}V{y}`, one rectangle after another) and reads it as a camera would.
fn read_picture(svg: &str) -> String {
    let path = svg.rsplit_once(r#"d=""#).unwrap().1.split('"').next().unwrap();
    let numbers = |text: &str| -> Vec<usize> {
        text.split(|c: char| !c.is_ascii_digit())
            .filter(|part| !part.is_empty())
            .map(|part| part.parse().unwrap())
            .collect()
    };
    let side = numbers(svg.split_once("viewBox=\"").unwrap().1.split('"').next().unwrap())[2];
    let mut dark = vec![false; side * side];
    for rectangle in path.split('M').skip(1) {
        let [x, y, w, h, ..] = numbers(rectangle)[..] else {
            panic!("{rectangle}")
        };
        for row in y..y + h {
            dark[row * side + x..row * side + x + w].fill(true);
        }
    }
    assert!(dark.iter().any(|one| *one));
    decode(side, |x, y| dark[y * side + x])
}

fn decode(side: usize, dark: impl Fn(usize, usize) -> bool) -> String {
    let mut image =
        rqrr::PreparedImage::prepare_from_greyscale(side, side, |x, y| if dark(x, y) { 0 } else { 255 });
    let grids = image.detect_grids();
    assert_eq!(grids.len(), 1, "one code is seen");
    grids[0].decode().unwrap().1
}

/// What the server says, and who is at the address, together tell what was wrong.
#[tokio::test]
async fn failures_are_told_apart() {
    let listens = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let there = listens.local_addr().unwrap().to_string();
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let shut = closed.local_addr().unwrap().to_string();
    drop(closed);
    let wrong = fails("Failed: Wrong password or connection was dropped.");
    let unclear = fails("protocol fault (couldn't read status message): Success");
    let old = b"FAIL0014unknown host service".to_vec();
    for (answer, address, expected) in [
        (says(PAIRED), &there, "paired"),
        (wrong.clone(), &there, "code"),
        (unclear.clone(), &there, "code"),
        (
            says("Failed: Wrong password or connection was dropped."),
            &there,
            "code",
        ),
        (b"OKAY".to_vec(), &there, "code"),
        (wrong, &shut, "closed"),
        (unclear, &shut, "closed"),
        (b"OKAY".to_vec(), &shut, "closed"),
        (old.clone(), &there, "old"),
        (old, &shut, "old"),
    ] {
        let fake = pairing(answer.clone());
        let told = match fake.server().pair(&six("123456"), address).await {
            Ok(guid) => {
                assert_eq!(guid.as_deref(), Some("adb-R58M-x7Yz1Q"));
                "paired"
            }
            Err(AdbError::PairingCode(_)) => "code",
            Err(AdbError::PairingClosed(_)) => "closed",
            Err(AdbError::Unreached(_)) => "unreached",
            Err(AdbError::TooOld) => "old",
            Err(other) => panic!("{other:?}"),
        };
        assert_eq!(told, expected, "{:?} {address}", String::from_utf8_lossy(&answer));
        assert_eq!(fake.asked(), [format!("host:pair:123456:{address}")]);
    }
    // Nothing is asked for with what is no code or no address.
    let fake = pairing(says(PAIRED));
    for (code, address) in [
        ("12:34", there.as_str()),
        ("", &there),
        ("123456", "192.168.1.20"),
        ("123456", "a b:1"),
    ] {
        assert!(
            fake.server().pair(&six(code), address).await.is_err(),
            "{code} {address}"
        );
    }
    assert_eq!(fake.asked(), [""; 0]);
}

fn found(list: &[(AnnouncementKind, &str, &str)]) -> Vec<Announcement> {
    list.iter()
        .map(|(kind, service, address)| Announcement {
            kind: *kind,
            service: (*service).to_owned(),
            addresses: vec![address.parse().unwrap()],
        })
        .collect()
}

fn stages() -> (Arc<Mutex<Vec<Pairing>>>, impl Fn(Pairing) + Send + Sync) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let teller = Arc::clone(&told);
    (told, move |stage| teller.lock().unwrap().push(stage))
}

#[tokio::test(start_paused = true)]
async fn a_phone_that_read_the_picture_is_paired_and_connected() {
    let offer = Offer::new().unwrap();
    let fake = pairing(says(PAIRED));
    fake.host(|request| {
        request
            .starts_with("host:connect:")
            .then(|| says("connected to 192.168.1.20:41234"))
    });
    let (sender, receiver) = watch::channel(found(&[(
        AnnouncementKind::Pairs,
        "studio-another",
        "192.168.1.9:1",
    )]));
    let (told, tell) = stages();
    // mDNS renames what there are two of.
    let name = format!("{} (2)", offer.service());
    let announcing = async {
        tokio::time::sleep(Duration::from_secs(60)).await;
        assert_eq!(fake.asked(), [""; 0], "nobody else is paired with");
        sender.send_replace(found(&[
            (AnnouncementKind::Pairs, "studio-another", "192.168.1.9:1"),
            (AnnouncementKind::Pairs, &name, "192.168.1.20:37123"),
        ]));
        tokio::time::sleep(Duration::from_secs(3)).await;
        sender.send_replace(found(&[
            (AnnouncementKind::Connects, "adb-OTHER-abc", "192.168.1.9:2"),
            (
                AnnouncementKind::Connects,
                "adb-R58M-x7Yz1Q",
                "192.168.1.20:41234",
            ),
        ]));
    };
    let server = fake.server();
    let (paired, ()) = tokio::join!(pair_by_offer(&server, &offer, receiver, &tell), announcing);
    let paired = paired.unwrap();
    assert_eq!(
        (paired.serial.as_str(), paired.service.as_str()),
        ("192.168.1.20:41234", "adb-R58M-x7Yz1Q")
    );
    let password = offer
        .text()
        .split("P:")
        .nth(1)
        .unwrap()
        .trim_end_matches(';')
        .to_owned();
    assert_eq!(
        fake.asked(),
        [
            format!("host:pair:{password}:192.168.1.20:37123"),
            "host:connect:192.168.1.20:41234".to_owned()
        ]
    );
    assert_eq!(
        *told.lock().unwrap(),
        [Pairing::Waiting, Pairing::Pairing, Pairing::Connecting]
    );
}

/// A phone that is not seen again is connected by its name: the server searches by itself.
#[tokio::test(start_paused = true)]
async fn what_is_not_seen_again_is_left_to_the_server() {
    let fake = pairing(says(PAIRED));
    fake.host(|request| {
        request
            .starts_with("host:connect:")
            .then(|| says("failed to connect to 'x': No route to host"))
    });
    let (_sender, receiver) = watch::channel(Vec::new());
    let told = pair_by_code(
        &fake.server(),
        &six("123456"),
        "192.168.1.20:37123",
        receiver,
        &|_| (),
    )
    .await;
    assert!(matches!(told, Err(AdbError::Unreached(_))), "{told:?}");
    assert_eq!(
        fake.asked()[1],
        "host:connect:adb-R58M-x7Yz1Q._adb-tls-connect._tcp"
    );
}

#[tokio::test(start_paused = true)]
async fn from_the_cable_to_wifi_when_asked() {
    let fake = Fake::new();
    fake.answers(
        "ip route",
        crate::support::Reply::says("192.168.1.0/24 dev wlan0 proto kernel scope link src 192.168.1.20\n"),
    );
    let tries = Arc::new(Mutex::new(0));
    fake.host(move |request| match request {
        "tcpip:5555" => Some(b"OKAYrestarting in TCP mode port: 5555\n".to_vec()),
        "host:connect:192.168.1.20:5555" => {
            let mut tries = tries.lock().unwrap();
            *tries += 1;
            // The daemon starts anew: at first nobody listens.
            Some(says(if *tries < 3 {
                "failed to connect to '192.168.1.20:5555': Connection refused"
            } else {
                "connected to 192.168.1.20:5555"
            }))
        }
        _ => None,
    });
    let connected = to_wifi(&fake.device()).await.unwrap();
    assert_eq!(connected, ("192.168.1.20:5555".to_owned(), ConnectResult::Now));
    let nowhere = Fake::new();
    nowhere.answers("ip route", crate::support::Reply::says(""));
    nowhere.host(|request| (request == "tcpip:5555").then(|| b"OKAY".to_vec()));
    let told = to_wifi(&nowhere.device()).await;
    assert!(matches!(told, Err(AdbError::NotSupported(_))), "{told:?}");
    assert_eq!(nowhere.asked(), [""; 0], "a phone without Wi-Fi is left alone");
}

/// Our own announcement, our own search, on this computer's own loop.
#[tokio::test]
async fn announcements_are_found_and_leave() {
    // A port nobody uses for this: whatever is announced on the real one is none of this test's.
    let port = {
        let socket = tokio::net::UdpSocket::bind("127.0.0.1:0").await.unwrap();
        socket.local_addr().unwrap().port()
    };
    let phone = ServiceDaemon::new_with_port(port).unwrap();
    phone.disable_interface(IfKind::All).unwrap();
    phone.enable_interface(IfKind::LoopbackV4).unwrap();
    let discovery = Discovery::on_loopback(port).unwrap();
    let announce = |kind: &str, name: &str, port: u16| {
        let mut info = ServiceInfo::new(kind, name, "phone.local.", "127.0.0.1", port, None).unwrap();
        info.set_interfaces(vec![IfKind::LoopbackV4]);
        let full = info.get_fullname().to_owned();
        phone.register(info).unwrap();
        full
    };
    let pairs = announce("_adb-tls-pairing._tcp.local.", "studio-AbC", 37123);
    announce("_adb-tls-connect._tcp.local.", "adb-R58M-x7Yz1Q", 41234);
    let mut list = discovery.found();
    let patience = Duration::from_secs(30);
    let both = tokio::time::timeout(patience, list.wait_for(|list| list.len() == 2));
    let both = both.await.expect("announced and not found").unwrap().clone();
    assert_eq!(
        both,
        found(&[
            (AnnouncementKind::Pairs, "studio-AbC", "127.0.0.1:37123"),
            (AnnouncementKind::Connects, "adb-R58M-x7Yz1Q", "127.0.0.1:41234"),
        ])
    );
    phone.unregister(&pairs).unwrap();
    let left = tokio::time::timeout(patience, list.wait_for(|list| list.len() == 1));
    let left = left.await.expect("taken back and still found").unwrap().clone();
    assert_eq!(left[0].kind, AnnouncementKind::Connects);
    drop(discovery);
    let ended = tokio::time::timeout(patience, async { while list.changed().await.is_ok() {} });
    assert!(ended.await.is_ok(), "a dropped search ends");
    let _ = phone.shutdown();
}
