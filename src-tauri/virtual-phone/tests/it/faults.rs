//! Faults that show on the wire.

use crate::client::{all, ask, one, open, shell};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::time::sleep;
use virtual_phone::{Fault, Speed};

#[tokio::test(start_paused = true)]
async fn a_daemon_that_dies_in_a_capture_leaves_half_a_picture() {
    let (host, phone) = one(Speed::Phone);
    phone.set_fault(Fault::HalfCapture);
    let whole = 16 + 1080 * 2400 * 4;
    for service in ["exec:screencap", "exec:screencap -p"] {
        let mut other = open(&host, "shell,v2,raw:sleep 100").await.unwrap();
        let bytes = all(&host, service).await;
        assert!(
            bytes.len() > 1000 && bytes.len() < whole / 2,
            "{service}: {}",
            bytes.len()
        );
        assert_eq!(
            other.read(&mut [0; 1]).await.unwrap(),
            0,
            "every stream of the daemon closed"
        );
    }
    let outcome = shell(&host, "screencap").await;
    assert_eq!(outcome.status, None, "no exit packet");
    assert_eq!((outcome.err.as_str(), outcome.out.len() > 1000), ("", true));
    assert_eq!(
        ask(&host, "host:get-state").await.unwrap(),
        "device",
        "the daemon is started again"
    );
    phone.clear_fault(Fault::HalfCapture);
    assert_eq!(all(&host, "exec:screencap").await.len(), whole);
}

#[tokio::test(start_paused = true)]
async fn the_cable_comes_out_as_a_command_arrives() {
    let (host, phone) = one(Speed::Phone);
    phone.set_fault(Fault::UnplugAfter(2));
    assert_eq!(shell(&host, "echo 1").await.text(), "1\n");
    assert_eq!(shell(&host, "echo 2").await.text(), "2\n");
    assert!(open(&host, "shell,v2,raw:echo 3").await.is_err());
    assert_eq!(ask(&host, "host:devices").await.unwrap(), "");
    assert_eq!(phone.record().commands(), ["echo 1", "echo 2"]);
    phone.replug();
    assert_eq!(shell(&host, "echo 4").await.text(), "4\n");
}

#[tokio::test]
async fn a_phone_that_was_not_allowed_says_so_until_it_is() {
    let (host, phone) = one(Speed::Instant);
    phone.set_fault(Fault::Unauthorized);
    let refused = open(&host, "shell:echo").await.unwrap_err();
    assert!(
        refused.starts_with("device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set\n"),
        "{refused}"
    );
    phone.clear_fault(Fault::Unauthorized);
    assert_eq!(shell(&host, "echo in").await.text(), "in\n");
    phone.set_fault(Fault::Offline);
    assert_eq!(open(&host, "shell:echo").await.unwrap_err(), "device offline");
}

#[tokio::test(start_paused = true)]
async fn a_fault_can_begin_while_something_runs() {
    let (host, phone) = one(Speed::Phone);
    let mut running = open(&host, "shell,v2,raw:sleep 60").await.unwrap();
    sleep(Duration::from_secs(1)).await;
    phone.set_fault(Fault::Offline);
    assert_eq!(running.read(&mut [0; 1]).await.unwrap(), 0);
    phone.clear_fault(Fault::Offline);
    phone.set_fault(Fault::Slow(10.0));
    let before = tokio::time::Instant::now();
    shell(&host, "input tap 1 1").await;
    assert!(before.elapsed() > Duration::from_millis(700));
    assert_eq!(phone.faults(), [Fault::Slow(10.0)]);
}
