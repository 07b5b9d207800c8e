//! Another maker's client (`adb_client`) against the smart socket over TCP, and directly against the daemon.

use crate::fake::Fake;
use adb_client::{ADBDeviceExt, ADBListItemType, server_device::ADBServerDevice, tcp::ADBTcpDevice};
use std::io::Cursor;
use std::net::{SocketAddr, SocketAddrV4};
use virtual_phone::{Host, Speed};

async fn loopback() -> tokio::net::TcpListener {
    tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap()
}

fn v4(address: SocketAddr) -> SocketAddrV4 {
    match address {
        SocketAddr::V4(address) => address,
        SocketAddr::V6(address) => panic!("{address}"),
    }
}

fn picture() -> Vec<u8> {
    (0..500_000_u32)
        .map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes()[3])
        .collect()
}

/// What any of its devices must be able to do here.
fn carry(device: &mut dyn ADBDeviceExt) {
    let sent = picture();
    device
        .push(&mut Cursor::new(&sent), &"/sdcard/Download/p.png")
        .unwrap();
    let stat = device.stat(&"/sdcard/Download/p.png").unwrap();
    assert_eq!(stat.file_size, 500_000);
    let mut fetched = Vec::new();
    device.pull(&"/sdcard/Download/p.png", &mut fetched).unwrap();
    assert_eq!(fetched, sent);
    let names: Vec<String> = device
        .list(&"/sdcard/Download")
        .unwrap()
        .into_iter()
        .filter_map(|item| match item {
            ADBListItemType::File(file) => Some(file.name),
            _ => None,
        })
        .collect();
    assert_eq!(names, ["p.png"]);
    device.pull(&"/nope", &mut Vec::new()).unwrap_err();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    device
        .shell_command(&"wm size", Some(&mut out), Some(&mut err))
        .unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "Physical size: 1080x2400\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn through_the_server_files_go_there_and_back() {
    let host = Host::new();
    let phone = host.add(Fake::boxed(), crate::client::options(Speed::Instant));
    let address = v4(host.serve(loopback().await).unwrap());
    let serial = phone.serial().to_owned();
    tokio::task::spawn_blocking(move || carry(&mut ADBServerDevice::new(serial, Some(address))))
        .await
        .unwrap();
    assert!(phone.record().contains("/sdcard/Download/p.png"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn directly_to_the_daemon_files_go_there_and_back() {
    let host = Host::new();
    let phone = host.add(Fake::boxed(), crate::client::options(Speed::Instant));
    let address = phone.serve_adbd(loopback().await).unwrap();
    // It keeps (or makes) its key in a file: this test's own.
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("adbkey");
    tokio::task::spawn_blocking(move || {
        let mut device = ADBTcpDevice::new_with_custom_private_key(address, key).unwrap();
        carry(&mut device);
    })
    .await
    .unwrap();
}
