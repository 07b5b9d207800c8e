//! The real `adb` and what a phone's own screen decides: allowed or not, and what state it stands in.

#![allow(clippy::disallowed_methods, reason = "the adb program is what is tried here")]

use crate::real_adb::Server;
use std::time::{Duration, Instant};
use virtual_phone::android::FingerAction;
use virtual_phone::system::{System, SystemOptions};
use virtual_phone::{Fault, Host, Options, PhoneHandle, Speed};

/// The demo phone with its daemon on loopback.
async fn demo(fault: Fault) -> (Host, PhoneHandle, String) {
    let host = Host::new();
    let options = Options {
        speed: Speed::Instant,
        faults: vec![fault],
        ..Options::default()
    };
    let phone = host.add(Box::new(System::new(SystemOptions::default())), options);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = phone.serve_adbd(listener).unwrap().to_string();
    (host, phone, address)
}

/// Waits until the server lists the phone so.
fn await_state(server: &Server, word: &str) {
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        let list = server.text(&["devices"]);
        if list.contains(&format!("\t{word}\n")) {
            return;
        }
        assert!(Instant::now() < until, "not {word}: {list}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Touches what the tree calls by these words; none while it is not there.
fn tap(phone: &PhoneHandle, words: &str) -> Option<()> {
    phone.with(|android| {
        let tree = android.hierarchy().ok()?;
        let (_, rest) = tree.split_once(&format!("text=\"{words}\""))?;
        let (_, rest) = rest.split_once("bounds=\"[")?;
        let numbers: Vec<f32> = rest
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|number| number.parse().ok())
            .take(4)
            .collect();
        let (x, y) = ((numbers[0] + numbers[2]) / 2.0, (numbers[1] + numbers[3]) / 2.0);
        android.finger(FingerAction::Down, x, y);
        android.finger(FingerAction::Up, x, y);
        Some(())
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn allow_on_the_screen_is_what_adb_waits_for() {
    let (_host, phone, address) = demo(Fault::Unauthorized).await;
    tokio::task::spawn_blocking(move || {
        let server = Server::start();
        assert_eq!(
            server.text(&["connect", &address]),
            format!("failed to authenticate to {address}\n")
        );
        await_state(&server, "unauthorized");
        let tree = phone.with(|android| android.hierarchy().unwrap());
        assert!(tree.contains("Allow USB debugging?"), "{tree}");
        // The fingerprint shown is that of adb's own key.
        let digits = tree.split("fingerprint is:").nth(1).unwrap();
        assert!(digits.chars().filter(|c| *c == ':').count() >= 15, "{digits}");
        tap(&phone, "Allow").unwrap();
        await_state(&server, "device");
        assert_eq!(
            server.text(&["shell", "getprop", "ro.product.model"]),
            "Pixel 8\n"
        );
        assert_eq!(phone.faults(), []);
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn adb_lists_what_the_daemon_says_it_is() {
    for word in ["recovery", "rescue", "sideload", "bootloader"] {
        let (_host, _phone, address) = demo(word.parse().unwrap()).await;
        tokio::task::spawn_blocking(move || {
            let server = Server::start();
            server.run(&["connect", &address]);
            await_state(&server, word);
            assert!(!server.run(&["shell", "echo"]).status.success());
        })
        .await
        .unwrap();
    }
}
