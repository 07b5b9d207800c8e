//! The server: lists, trackers, choosing a phone, cables. (Words compared with adb 29's own are in `real_adb`.)

use crate::client::{answer, ask, one, open, options, send, shell, text};
use crate::fake::Fake;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::time::{sleep, timeout};
use virtual_phone::{Fault, Host, Options, PhoneHandle, Speed, Transport};

fn five() -> (Host, Vec<PhoneHandle>) {
    let host = Host::new();
    let phones = [
        ("PIXEL1", Transport::Usb("1-1".into())),
        ("SHOP2", Transport::Usb("1-2".into())),
        ("10.0.0.7:5555", Transport::Network),
    ];
    let phones = phones
        .into_iter()
        .map(|(serial, transport)| {
            host.add(
                Fake::boxed(),
                Options {
                    serial: Some(serial.into()),
                    transport,
                    ..options(Speed::Instant)
                },
            )
        })
        .collect();
    (host, phones)
}

#[tokio::test]
async fn lists_stand_as_a_server_writes_them() {
    let (host, phones) = five();
    assert_eq!(
        ask(&host, "host:devices").await.unwrap(),
        "PIXEL1\tdevice\nSHOP2\tdevice\n10.0.0.7:5555\tdevice\n"
    );
    phones[0].set_fault(Fault::Unauthorized);
    phones[1].set_fault(Fault::Offline);
    let list = ask(&host, "host:devices-l").await.unwrap();
    let lines: Vec<&str> = list.lines().collect();
    assert_eq!(
        lines,
        [
            "PIXEL1                 unauthorized usb:1-1 transport_id:4",
            "SHOP2                  offline usb:1-2 transport_id:5",
            "10.0.0.7:5555          device product:panther model:Pixel_7 device:panther transport_id:3",
        ]
    );
}

#[tokio::test]
async fn one_of_several_phones_must_be_named() {
    let (host, phones) = five();
    assert_eq!(
        open(&host, "shell:echo").await.unwrap_err(),
        "more than one device/emulator"
    );
    for (request, expected) in [
        ("host:get-state", Err("more than one device/emulator")),
        ("host-usb:get-state", Err("more than one device")),
        ("host-local:get-serialno", Ok("10.0.0.7:5555")),
        ("host-serial:10.0.0.7:5555:get-state", Ok("device")),
        ("host-serial:SHOP2:get-devpath", Ok("usb:1-2")),
        ("host-serial:usb:1-2:get-serialno", Ok("SHOP2")),
        (
            "host-serial:model:Nope:get-state",
            Err("device 'model:Nope' not found"),
        ),
        ("host-transport-id:2:get-serialno", Ok("SHOP2")),
        ("host-serial:NOPE:get-state", Err("device 'NOPE' not found")),
        ("host:kill", Err("this server does not end on request")),
        ("host:nope", Err("unknown host service 'nope'")),
    ] {
        assert_eq!(
            ask(&host, request).await,
            expected.map(str::to_owned).map_err(str::to_owned),
            "{request}"
        );
    }
    let mut stream = host.open();
    send(&mut stream, "host:tport:serial:SHOP2").await;
    answer(&mut stream).await.unwrap();
    assert_eq!(stream.read_u64_le().await.unwrap(), 2);
    send(&mut stream, "exec:getprop ro.serialno").await;
    answer(&mut stream).await.unwrap();
    let mut out = String::new();
    stream.read_to_string(&mut out).await.unwrap();
    assert_eq!(
        out, "28161FDH2001A7\n",
        "the phone's own number is not its place in the list"
    );
    assert_eq!(phones[1].record().commands(), ["getprop ro.serialno"]);
    assert!(phones[0].record().is_empty());
}

#[tokio::test]
async fn trackers_hear_every_change() {
    let (host, phones) = five();
    let mut stream = host.open();
    send(&mut stream, "host:track-devices").await;
    answer(&mut stream).await.unwrap();
    assert_eq!(text(&mut stream).await.lines().count(), 3);
    phones[1].unplug();
    assert_eq!(text(&mut stream).await, "PIXEL1\tdevice\n10.0.0.7:5555\tdevice\n");
    phones[0].set_fault(Fault::Unauthorized);
    assert_eq!(
        text(&mut stream).await,
        "PIXEL1\tunauthorized\n10.0.0.7:5555\tdevice\n"
    );
    phones[0].clear_fault(Fault::Unauthorized);
    assert_eq!(text(&mut stream).await, "PIXEL1\tdevice\n10.0.0.7:5555\tdevice\n");
    assert_eq!(
        ask(&host, "host:disconnect:10.0.0.7").await.unwrap(),
        "disconnected 10.0.0.7"
    );
    assert_eq!(text(&mut stream).await, "PIXEL1\tdevice\n");
    phones[0].unplug();
    assert_eq!(text(&mut stream).await, "", "the last one's going is told too");
    assert_eq!(
        ask(&host, "host:connect:10.0.0.7").await.unwrap(),
        "connected to 10.0.0.7:5555"
    );
    assert_eq!(text(&mut stream).await, "10.0.0.7:5555\tdevice\n");
    assert_eq!(
        ask(&host, "host:connect:10.0.0.7:5555").await.unwrap(),
        "already connected to 10.0.0.7:5555"
    );
    let late = host.add(
        Fake::boxed(),
        Options {
            serial: Some("LATE".into()),
            ..options(Speed::Instant)
        },
    );
    assert_eq!(text(&mut stream).await, "LATE\tdevice\n10.0.0.7:5555\tdevice\n");
    drop(late);
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_phone_ends_when_it_comes() {
    let (host, phone) = one(Speed::Phone);
    phone.unplug();
    let mut stream = host.open();
    send(&mut stream, "host:wait-for-any-device").await;
    answer(&mut stream).await.unwrap();
    let mut word = [0; 4];
    assert!(
        timeout(Duration::from_secs(60), stream.read_exact(&mut word))
            .await
            .is_err()
    );
    phone.replug();
    answer(&mut stream).await.unwrap();
    let mut stream = host.open();
    send(&mut stream, "host:wait-for-usb-disconnect").await;
    answer(&mut stream).await.unwrap();
    phone.unplug();
    answer(&mut stream).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_pulled_cable_ends_everything_that_ran_over_it() {
    let (host, phone) = one(Speed::Phone);
    let mut running = open(&host, "shell,v2,raw:sleep 60; input tap 1 1").await.unwrap();
    sleep(Duration::from_secs(1)).await;
    phone.unplug();
    assert_eq!(running.read(&mut [0; 8]).await.unwrap(), 0);
    assert_eq!(
        open(&host, "shell:echo").await.unwrap_err(),
        "no devices/emulators found"
    );
    sleep(Duration::from_secs(120)).await;
    assert_eq!(phone.state()["fingers"], 0);
    phone.replug();
    assert_eq!(shell(&host, "echo back").await.text(), "back\n");
    let list = ask(&host, "host:devices-l").await.unwrap();
    assert!(list.ends_with("transport_id:2\n"), "{list}");
}

#[tokio::test(start_paused = true)]
async fn a_rebooted_phone_comes_back_at_home() {
    let (host, phone) = one(Speed::Phone);
    shell(&host, "am start -n com.android.settings/.Settings").await;
    assert_eq!(phone.state()["focus"], "com.android.settings");
    assert_eq!(crate::client::all(&host, "reboot:").await, b"");
    sleep(Duration::from_secs(5)).await;
    assert!(!phone.is_plugged());
    sleep(Duration::from_secs(30)).await;
    assert!(phone.is_plugged());
    assert_eq!(phone.state()["focus"], "com.android.launcher3");
}

#[tokio::test]
async fn a_host_that_is_dropped_hangs_up_on_everybody() {
    let (host, phone) = one(Speed::Instant);
    let mut idle = host.open();
    let mut busy = open(&host, "shell,v2,raw:sleep 1000").await.unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = host.serve(listener).unwrap();
    let mut remote = tokio::net::TcpStream::connect(address).await.unwrap();
    tokio::task::yield_now().await;
    drop(host);
    assert_eq!(idle.read(&mut [0; 1]).await.unwrap(), 0);
    assert_eq!(busy.read(&mut [0; 1]).await.unwrap(), 0);
    assert!(matches!(remote.read(&mut [0; 1]).await, Ok(0) | Err(_)));
    // Processes end too: their tasks were cancelled.
    while !phone.processes().is_empty() {
        tokio::task::yield_now().await;
    }
    let (host, _phone) = one(Speed::Instant);
    let stream = open(&host, "shell,v2,raw:sleep 1000").await.unwrap();
    timeout(Duration::from_secs(20), host.stop())
        .await
        .expect("stopping waits for nothing but its own tasks");
    drop(stream);
}

#[tokio::test(start_paused = true)]
async fn the_system_hears_the_time_while_somebody_is_connected() {
    let (host, phone) = one(Speed::Phone);
    let seen = |phone: &PhoneHandle| phone.with(|android| android.state());
    let _ = seen(&phone);
    let stream = open(&host, "shell,v2,raw:sleep 10").await.unwrap();
    let ticks = phone.with(|android| android.generation());
    sleep(Duration::from_secs(1)).await;
    drop(stream);
    assert_eq!(
        phone.with(|android| android.generation()),
        ticks,
        "a tick alone changes no picture"
    );
}
