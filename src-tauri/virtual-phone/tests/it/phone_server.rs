//! `deck phone`: what it prints, what it hears.

use crate::client::options;
use crate::fake::Fake;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::sync::oneshot;
use virtual_phone::{Fault, Options, PhoneServerError, PhoneServerOptions, Speed, serve_phone};

#[tokio::test]
async fn it_tells_what_arrives_and_obeys_its_words() {
    let (mut to_phone, from_us) = tokio::io::duplex(4096);
    let (from_phone, to_us) = tokio::io::duplex(1 << 16);
    let (end, ended) = oneshot::channel::<()>();
    let asked = PhoneServerOptions {
        options: Options {
            faults: vec![Fault::OldInput],
            ..options(Speed::Instant)
        },
        ..PhoneServerOptions::default()
    };
    let task = tokio::spawn(serve_phone(
        Fake::boxed(),
        asked,
        BufReader::new(from_us),
        to_us,
        async {
            let _ = ended.await;
        },
    ));
    let mut lines = BufReader::new(from_phone).lines();
    let mut next =
        async || -> Value { serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap() };
    let ready = next().await;
    assert_eq!(
        (ready["event"].as_str(), ready["serial"].as_str()),
        (Some("ready"), Some("28161FDH2001A7"))
    );
    for key in ["adbd", "server"] {
        let address: std::net::SocketAddr = ready[key].as_str().unwrap().parse().unwrap();
        assert!(
            address.ip().is_loopback() && address.port() != 5037 && !(5554..=5585).contains(&address.port())
        );
    }
    let mut client = tokio::net::TcpStream::connect(ready["server"].as_str().unwrap())
        .await
        .unwrap();
    client
        .write_all(b"0012host:transport-any001aexec:input text 'geheim 1'")
        .await
        .unwrap();
    let mut answer = String::new();
    client.read_to_string(&mut answer).await.unwrap();
    assert_eq!(answer, "OKAYOKAY");
    let command = next().await;
    assert_eq!(
        (
            command["event"].as_str(),
            command["service"].as_str(),
            command["command"].as_str()
        ),
        (Some("command"), Some("exec"), Some("input text 'geheim 1'"))
    );
    to_phone.write_all(b"state\n").await.unwrap();
    let state = next().await;
    assert_eq!(
        (state["event"].as_str(), state["state"]["typed"].as_str()),
        (Some("state"), Some("geheim 1"))
    );
    to_phone
        .write_all(b"fault offline\nclear old_input\nfault nope\nunplug\n")
        .await
        .unwrap();
    assert_eq!(
        next().await["faults"],
        serde_json::json!(["old_input", "offline"])
    );
    assert_eq!(next().await["faults"], serde_json::json!(["offline"]));
    assert_eq!(next().await["event"], "refused");
    let link = next().await;
    assert_eq!(
        (link["event"].as_str(), link["plugged"].as_bool()),
        (Some("link"), Some(false))
    );
    drop(to_phone);
    end.send(()).unwrap();
    task.await.unwrap().unwrap();
}

#[tokio::test]
async fn ports_of_adbs_own_are_refused() {
    for port in [5037, 5554, 5585] {
        for asked in [
            PhoneServerOptions {
                port: Some(port),
                ..PhoneServerOptions::default()
            },
            PhoneServerOptions {
                server_port: Some(port),
                ..PhoneServerOptions::default()
            },
        ] {
            let opened = serve_phone(
                Fake::boxed(),
                asked,
                tokio::io::empty(),
                tokio::io::sink(),
                async {},
            )
            .await;
            assert!(
                matches!(opened, Err(PhoneServerError::Reserved(refused)) if refused == port),
                "{port}"
            );
        }
    }
    let taken = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let asked = PhoneServerOptions {
        port: Some(taken.local_addr().unwrap().port()),
        ..PhoneServerOptions::default()
    };
    let opened = serve_phone(
        Fake::boxed(),
        asked,
        tokio::io::empty(),
        tokio::io::sink(),
        async {},
    )
    .await;
    assert!(matches!(opened, Err(PhoneServerError::Port(..))));
}
