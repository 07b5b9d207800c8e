//! TLS and proxies over real sockets. Where the environment decides, the test runs itself again in a child that has it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod server;

use agent::ports::Model;
use model::{FixedKey, Remote, Timeouts};
use protocol::{Acting, ChosenModel, Failure, FailureCode};
use server::{Do, EVENTS, Seen, Server, chunked, prompt};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// Where the child is to ask.
const URL: &str = "POCKETDECK_TEST_URL";
const HOST: &str = "model.invalid";
const ASKS: &str = "child::asks_where_it_is_told";

fn chat(url: &str) -> Remote {
    let endpoint = ChosenModel {
        base_url: Some(url.to_owned()),
        model: "some-model".to_owned(),
        acting: Some(Acting::Text),
        ..ChosenModel::default()
    };
    let timeouts = Timeouts {
        backoff: Duration::ZERO,
        ..Timeouts::REMOTE
    };
    let key = FixedKey("MARKER-key-1234567890".into());
    Remote::open(endpoint, Arc::new(key))
        .unwrap()
        .with_timeouts(timeouts)
}

fn reason(failure: &Failure) -> (FailureCode, &str) {
    (
        failure.code,
        failure.values.get("reason").map_or("", String::as_str),
    )
}

/// A server with a certificate nobody knows, and the certificate.
async fn start_tls() -> (Server, String) {
    let names = [HOST.to_owned(), "localhost".to_owned(), "127.0.0.1".to_owned()];
    let signed = rcgen::generate_simple_self_signed(names).unwrap();
    let key = PrivateKeyDer::try_from(signed.signing_key.serialize_der()).unwrap();
    let ring = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(ring)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![signed.cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let server = Server::start_with([vec![Do::Send(chunked(EVENTS))]], move |stream| {
        let acceptor = acceptor.clone();
        async move { acceptor.accept(stream).await.ok() }
    })
    .await;
    (server, signed.cert.pem())
}

#[tokio::test]
async fn a_certificate_nobody_knows_is_refused_and_not_tried_again() {
    let (mut server, _) = start_tls().await;
    let url = format!("https://{}/v1", server.address);
    let told = std::sync::Mutex::new(0);
    let retrying = |_: &Failure, _| *told.lock().unwrap() += 1;
    let failure = chat(&url).think(&prompt(), &retrying).await.unwrap_err();
    assert_eq!(reason(&failure), (FailureCode::ModelOffline, "certificate"));
    assert_eq!(told.into_inner().unwrap(), 0);
    assert_eq!(server.requests(), 0);
}

#[tokio::test]
async fn https_to_a_server_that_speaks_plain_is_told() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut hello = [0; 512];
            let _ = stream.read(&mut hello).await;
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let failure = chat(&url).think(&prompt(), &|_, _| {}).await.unwrap_err();
    assert_eq!(reason(&failure), (FailureCode::ModelOffline, "tls"));
}

mod child {
    use super::*;

    #[tokio::test]
    #[ignore = "run by the tests below, in a process with an environment of its own"]
    async fn asks_where_it_is_told() {
        let url = std::env::var(URL).unwrap();
        let reply = chat(&url).think(&prompt(), &|_, _| {}).await.unwrap();
        assert_eq!(reply.text, "ok");
    }

    /// As the one above, on a computer that trusts no certificate.
    #[tokio::test]
    #[ignore = "run by a test below, in a process with an environment of its own"]
    async fn trusts_nobody() {
        let endpoint = ChosenModel {
            base_url: Some(format!("https://{HOST}/v1")),
            model: "some-model".to_owned(),
            acting: Some(Acting::Text),
            ..ChosenModel::default()
        };
        let failure = Remote::open(endpoint, Arc::new(FixedKey("k".into()))).unwrap_err();
        assert_eq!(reason(&failure), (FailureCode::ModelOffline, "roots"));
        let here = std::env::var(URL).unwrap();
        let reply = chat(&here).think(&prompt(), &|_, _| {}).await.unwrap();
        assert_eq!(reply.text, "ok");
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test cannot change its own environment, only a child's"
)]
async fn run_child(test: &str, url: &str, environment: &[(&str, &str)]) {
    let mut child = tokio::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test, "--ignored", "--nocapture"]);
    for name in [
        "http_proxy",
        "https_proxy",
        "all_proxy",
        "no_proxy",
        "ssl_cert_file",
        "ssl_cert_dir",
    ] {
        child.env_remove(name).env_remove(name.to_uppercase());
    }
    child
        .env(URL, url)
        .envs(environment.iter().copied())
        .kill_on_drop(true);
    let output = child.output().await.unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}{errors}"
    );
}

#[tokio::test]
async fn this_computer_is_not_looked_for_behind_a_proxy() {
    let mut server = Server::start([vec![Do::Send(chunked(EVENTS))]]).await;
    let dead = "http://127.0.0.1:9";
    run_child(
        ASKS,
        &server.url(),
        &[("HTTP_PROXY", dead), ("HTTPS_PROXY", dead), ("ALL_PROXY", dead)],
    )
    .await;
    assert!(matches!(server.see().await, Seen::Request { .. }));
}

/// Elsewhere the trusted certificates do not come from the environment.
#[cfg(target_os = "linux")]
mod linux {
    use super::*;
    use tokio::io::copy_bidirectional;
    use tokio::net::TcpStream;

    /// A proxy that takes every tunnel to one place, and says which was asked for.
    async fn start_proxy(to: std::net::SocketAddr) -> (String, tokio::sync::mpsc::UnboundedReceiver<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (asked, seen) = tokio::sync::mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") {
                    head.push(stream.read_u8().await.unwrap());
                }
                let head = String::from_utf8(head).unwrap();
                asked.send(head.lines().next().unwrap().to_owned()).unwrap();
                let mut target = TcpStream::connect(to).await.unwrap();
                stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
                tokio::spawn(async move { copy_bidirectional(&mut stream, &mut target).await });
            }
        });
        (url, seen)
    }

    #[tokio::test]
    async fn a_trusted_server_is_reached_through_the_systems_proxy() {
        let (mut server, pem) = start_tls().await;
        let (proxy, mut asked) = start_proxy(server.address).await;
        let folder = tempfile::tempdir().unwrap();
        let roots = folder.path().join("roots.pem");
        std::fs::write(&roots, pem).unwrap();
        let roots = roots.to_str().unwrap();

        // The name does not exist: only the proxy knows where it leads.
        let url = format!("https://{HOST}/v1");
        run_child(ASKS, &url, &[("SSL_CERT_FILE", roots), ("HTTPS_PROXY", &proxy)]).await;
        assert_eq!(
            asked.recv().await.as_deref(),
            Some("CONNECT model.invalid:443 HTTP/1.1")
        );
        assert!(matches!(server.see().await, Seen::Request { .. }));
    }

    #[tokio::test]
    async fn a_computer_that_trusts_nobody_still_reaches_itself() {
        let mut server = Server::start([vec![Do::Send(chunked(EVENTS))]]).await;
        let folder = tempfile::tempdir().unwrap();
        let none = folder.path().join("none.pem");
        std::fs::write(&none, "").unwrap();
        let none = none.to_str().unwrap();
        run_child("child::trusts_nobody", &server.url(), &[("SSL_CERT_FILE", none)]).await;
        assert!(matches!(server.see().await, Seen::Request { .. }));
    }
}
