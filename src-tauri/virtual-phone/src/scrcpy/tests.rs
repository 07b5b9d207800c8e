//! A client's talk with the server, from the pushed jar to the text in the field.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use super::version_of;
use crate::host::{Host, Options, PhoneHandle};
use crate::system::{System, SystemOptions};
use crate::{Fault, Speed};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

async fn send(stream: &mut DuplexStream, request: &str) -> bool {
    stream
        .write_all(format!("{:04x}{request}", request.len()).as_bytes())
        .await
        .unwrap();
    let mut word = [0; 4];
    stream.read_exact(&mut word).await.unwrap();
    word == *b"OKAY"
}

async fn open(host: &Host, service: &str) -> Option<DuplexStream> {
    let mut stream = host.open();
    assert!(send(&mut stream, "host:transport-any").await);
    send(&mut stream, service).await.then_some(stream)
}

async fn said(host: &Host, line: &str) -> String {
    let mut stream = open(host, &format!("exec:{line}")).await.unwrap();
    let mut all = String::new();
    stream.read_to_string(&mut all).await.unwrap();
    all
}

/// The demo phone with a note open, a jar of `version` on it, and its server started with `arguments`.
struct ScrcpySession {
    host: Host,
    phone: PhoneHandle,
    server: DuplexStream,
}

const JAR: &str = "/data/local/tmp/x.jar";

async fn start(version: &str, arguments: &str) -> ScrcpySession {
    start_on(version, arguments, 34).await
}

async fn start_on(version: &str, arguments: &str, sdk: u32) -> ScrcpySession {
    let host = Host::new();
    let mut options = SystemOptions {
        start: Some("com.android.notes/.EditorActivity".to_owned()),
        ..SystemOptions::default()
    };
    options.profile.phone.sdk = sdk;
    let phone = host.add(
        Box::new(System::new(options)),
        Options {
            speed: Speed::Instant,
            ..Options::default()
        },
    );
    said(&host, &format!("echo 'virtual scrcpy-server {version}' > {JAR}")).await;
    let line = format!(
        "exec:CLASSPATH={JAR} app_process / com.genymobile.scrcpy.Server {version} scid=0012abcd tunnel_forward=true \
         {arguments}"
    );
    let server = open(&host, &line).await.unwrap();
    ScrcpySession { host, phone, server }
}

/// Connects as clients do: tried again until the server listens.
async fn connect(host: &Host) -> DuplexStream {
    for _ in 0..500 {
        if let Some(socket) = open(host, "localabstract:scrcpy_0012abcd").await {
            return socket;
        }
        tokio::task::yield_now().await;
    }
    panic!("nobody listens");
}

async fn control(session: &ScrcpySession) -> DuplexStream {
    let mut socket = connect(&session.host).await;
    assert_eq!(socket.read_u8().await.unwrap(), 0, "the dummy byte");
    let mut name = [1; 64];
    socket.read_exact(&mut name).await.unwrap();
    assert!(name.starts_with(b"Pixel 8\0\0"));
    socket
}

fn set(sequence: u64, paste: bool, text: &str) -> Vec<u8> {
    let mut bytes = vec![9];
    bytes.extend(sequence.to_be_bytes());
    bytes.push(u8::from(paste));
    bytes.extend(u32::try_from(text.len()).unwrap().to_be_bytes());
    bytes.extend(text.as_bytes());
    bytes
}

#[test]
fn jars_are_known_by_their_bytes() {
    assert_eq!(
        version_of(b"virtual scrcpy-server 3.3.4\n..."),
        Some("3.3.4".into())
    );
    assert_eq!(version_of(b"PK\x03\x04"), None);
}

#[tokio::test]
async fn any_text_is_pasted_acknowledged_and_copied_back() {
    for version in ["3.3.4", "4.1"] {
        let session = start(version, "audio=false video=false clipboard_autosync=false").await;
        let mut socket = control(&session).await;
        let text = "Aé漢🙂 %s \"'$() שלום";
        let before = session.phone.state()["notes"].clone();
        socket.write_all(&set(77, true, text)).await.unwrap();
        assert_eq!(
            (socket.read_u8().await.unwrap(), socket.read_u64().await.unwrap()),
            (1, 77)
        );
        let notes = session.phone.state()["notes"].clone();
        assert_ne!(notes, before, "{version}");
        assert!(notes.to_string().contains("漢🙂 %s"), "{notes}");
        // Asked for, it comes whole.
        socket.write_all(&[8, 0]).await.unwrap();
        assert_eq!(socket.read_u8().await.unwrap(), 0);
        let length = socket.read_u32().await.unwrap();
        let mut back = vec![0; length as usize];
        socket.read_exact(&mut back).await.unwrap();
        assert_eq!(String::from_utf8(back).unwrap(), text);
        // A message in pieces, then keys and text.
        for byte in b"\x01\x00\x00\x00\x04Zo\xc3\xab" {
            socket.write_all(&[*byte]).await.unwrap();
        }
        socket.write_all(&set(0, false, "")).await.unwrap();
        socket.write_all(&set(78, false, "x")).await.unwrap();
        assert_eq!(
            (socket.read_u8().await.unwrap(), socket.read_u64().await.unwrap()),
            (1, 78)
        );
        assert!(session.phone.state()["notes"].to_string().contains("Zoë"));
        // The jar is gone, and with the socket the server.
        assert!(
            said(&session.host, &format!("ls {JAR}"))
                .await
                .contains("No such file")
        );
        drop(socket);
        let mut session = session;
        let mut words = String::new();
        session.server.read_to_string(&mut words).await.unwrap();
        assert!(
            words.starts_with("[server] INFO: Device: [Google] google Pixel 8 (Android 14)\n"),
            "{words}"
        );
    }
}

#[tokio::test]
async fn what_is_copied_is_told_where_it_was_asked_for() {
    let session = start("3.3.3", "audio=false video=false").await;
    let mut socket = control(&session).await;
    socket.write_all(b"\x01\x00\x00\x00\x03abc").await.unwrap();
    // Ctrl+A, then copy.
    socket
        .write_all(&[0, 0, 0, 0, 0, 29, 0, 0, 0, 0, 0, 0, 0x10, 0])
        .await
        .unwrap();
    socket.write_all(&[8, 1]).await.unwrap();
    assert_eq!(socket.read_u8().await.unwrap(), 0);
    let length = socket.read_u32().await.unwrap();
    let mut text = vec![0; length as usize];
    socket.read_exact(&mut text).await.unwrap();
    assert!(String::from_utf8(text).unwrap().contains("abc"));
}

#[tokio::test]
async fn another_version_is_refused_by_both_names() {
    let host = Host::new();
    let _phone = host.add(
        Box::new(System::new(SystemOptions::default())),
        Options {
            speed: Speed::Instant,
            ..Options::default()
        },
    );
    said(&host, &format!("echo 'virtual scrcpy-server 3.3.4' > {JAR}")).await;
    let line = format!(
        "CLASSPATH={JAR} app_process / com.genymobile.scrcpy.Server 2.7 tunnel_forward=true; echo $?"
    );
    let words = said(&host, &line).await;
    assert!(
        words.starts_with(
            "[server] ERROR: The server version (3.3.4) does not match the client (2.7)\n\
             java.lang.IllegalArgumentException: The server version (3.3.4) does not match the client (2.7)\n"
        ),
        "{words}"
    );
    assert!(words.ends_with("\n1\n"), "{words}");
    let none = said(
        &host,
        "CLASSPATH=/sdcard/no.jar app_process / com.genymobile.scrcpy.Server 2.7; echo $?",
    )
    .await;
    assert_eq!(none, "Aborted \n134\n");
}

#[tokio::test]
async fn without_the_permission_nothing_is_touched() {
    let mut session = start("3.3.4", "audio=false video=false").await;
    session.phone.set_fault(Fault::InjectEvents);
    let mut socket = control(&session).await;
    let before = session.phone.state();
    socket.write_all(b"\x01\x00\x00\x00\x03abc").await.unwrap();
    socket.write_all(&set(5, true, "pasted")).await.unwrap();
    assert_eq!(
        (socket.read_u8().await.unwrap(), socket.read_u64().await.unwrap()),
        (1, 5)
    );
    assert_eq!(session.phone.state(), before);
    drop(socket);
    let mut words = String::new();
    session.server.read_to_string(&mut words).await.unwrap();
    assert!(words.contains("INJECT_EVENTS permission."), "{words}");
}

/// The packets of a phone's sound, as each version frames them.
async fn heard(version: &str, codec: &str, sdk: u32, count: usize) -> Result<Vec<(u64, u64, Vec<u8>)>, u32> {
    let arguments = format!("video=false control=false audio_codec={codec}");
    let session = start_on(version, &arguments, sdk).await;
    let mut socket = control(&session).await;
    let id = socket.read_u32().await.unwrap();
    if id <= 1 {
        return Err(id);
    }
    assert_eq!(id.to_be_bytes(), *format!("{codec:\0>4}").as_bytes());
    let mut packets = Vec::new();
    while packets.len() < count {
        let word = socket.read_u64().await.unwrap();
        let mut bytes = vec![0; socket.read_u32().await.unwrap() as usize];
        socket.read_exact(&mut bytes).await.unwrap();
        let flags = word >> 61 << 61;
        packets.push((flags, word & !flags, bytes));
    }
    Ok(packets)
}

#[tokio::test(start_paused = true)]
async fn its_sound_is_framed_as_each_version_frames_it() {
    for (version, down) in [("3.3.4", 0), ("4.1", 1)] {
        for (codec, config, packet) in [("aac", &b"\x11\x90"[..], 21_333), ("opus", b"OpusHead", 20_000)] {
            let packets = heard(version, codec, 34, 100).await.unwrap();
            assert_eq!(packets[0].0, 1 << (63 - down), "{version} {codec}");
            assert!(packets[0].2.starts_with(config));
            assert!(packets[1..].iter().all(|(flags, ..)| *flags == 1 << (62 - down)));
            let apart = (packets[99].1 - packets[1].1) / 98;
            assert!(apart.abs_diff(packet) <= 20, "{version} {codec}: {apart} µs");
        }
    }
    assert_eq!(heard("4.1", "aac", 29, 1).await, Err(0), "before Android 11");
    assert_eq!(heard("4.1", "flac", 34, 1).await, Err(1), "not here");
}
