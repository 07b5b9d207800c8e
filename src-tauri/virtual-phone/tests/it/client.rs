//! A client of the smart socket, as small as can be: written from `OVERVIEW.TXT` and `shell_protocol.h`.

use crate::fake::Fake;
use std::time::{Duration, UNIX_EPOCH};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use virtual_phone::{Host, Options, PhoneHandle, Speed};

/// 2023-11-05 08:12:31 UTC.
pub(crate) fn options(speed: Speed) -> Options {
    Options {
        speed,
        born: UNIX_EPOCH + Duration::from_secs(1_699_171_951),
        ..Options::default()
    }
}

/// A host with one phone.
pub(crate) fn one(speed: Speed) -> (Host, PhoneHandle) {
    let host = Host::new();
    let phone = host.add(Fake::boxed(), options(speed));
    (host, phone)
}

/// A host with the demo phone itself, at a phone's speed.
pub(crate) fn one_system() -> (Host, PhoneHandle) {
    let host = Host::new();
    let system = virtual_phone::system::System::new(virtual_phone::system::SystemOptions::default());
    let phone = host.add(Box::new(system), Options::default());
    (host, phone)
}

/// Everything the server says to a request until it hangs up.
pub(crate) async fn raw(host: &Host, request: &str) -> String {
    let mut stream = host.open();
    // A server that is down hears nothing.
    let _ = stream
        .write_all(format!("{:04x}{request}", request.len()).as_bytes())
        .await;
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all).await;
    String::from_utf8_lossy(&all).into_owned()
}

pub(crate) async fn send(stream: &mut DuplexStream, request: &str) {
    stream
        .write_all(format!("{:04x}{request}", request.len()).as_bytes())
        .await
        .unwrap();
}

/// `OKAY`, or why not.
pub(crate) async fn answer(stream: &mut DuplexStream) -> Result<(), String> {
    let mut word = [0; 4];
    stream.read_exact(&mut word).await.unwrap();
    match &word {
        b"OKAY" => Ok(()),
        b"FAIL" => Err(text(stream).await),
        other => panic!("neither OKAY nor FAIL: {other:?}"),
    }
}

/// A text with its length before it.
pub(crate) async fn text(stream: &mut DuplexStream) -> String {
    let mut digits = [0; 4];
    stream.read_exact(&mut digits).await.unwrap();
    let length = usize::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap();
    let mut text = vec![0; length];
    stream.read_exact(&mut text).await.unwrap();
    String::from_utf8(text).unwrap()
}

/// Asks the server something whose answer is a text.
pub(crate) async fn ask(host: &Host, request: &str) -> Result<String, String> {
    let mut stream = host.open();
    send(&mut stream, request).await;
    answer(&mut stream).await?;
    Ok(text(&mut stream).await)
}

/// Opens a service on the one phone there is.
pub(crate) async fn open(host: &Host, service: &str) -> Result<DuplexStream, String> {
    let mut stream = host.open();
    send(&mut stream, "host:transport-any").await;
    answer(&mut stream).await?;
    send(&mut stream, service).await;
    answer(&mut stream).await?;
    Ok(stream)
}

/// Everything a service says until it closes.
pub(crate) async fn all(host: &Host, service: &str) -> Vec<u8> {
    let mut stream = open(host, service).await.unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    bytes
}

/// What a command came to over `shell,v2,raw:`. No status: the stream ended without an exit packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) status: Option<u8>,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl Outcome {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }
}

pub(crate) async fn shell(host: &Host, line: &str) -> Outcome {
    let stream = open(host, &format!("shell,v2,raw:{line}")).await.unwrap();
    finish(stream).await
}

/// Reads packets to the end.
pub(crate) async fn finish(mut stream: DuplexStream) -> Outcome {
    let mut outcome = Outcome {
        status: None,
        out: Vec::new(),
        err: String::new(),
    };
    loop {
        let mut header = [0; 5];
        if stream.read_exact(&mut header).await.is_err() {
            return outcome;
        }
        let length = u32::from_le_bytes([header[1], header[2], header[3], header[4]]);
        let mut body = vec![0; length as usize];
        if stream.read_exact(&mut body).await.is_err() {
            return outcome;
        }
        match header[0] {
            1 => outcome.out.extend(body),
            2 => outcome.err.push_str(std::str::from_utf8(&body).unwrap()),
            3 => outcome.status = body.first().copied(),
            other => panic!("packet {other}"),
        }
    }
}

/// One packet to the shell.
pub(crate) async fn packet(stream: &mut DuplexStream, id: u8, body: &[u8]) {
    stream.write_u8(id).await.unwrap();
    stream
        .write_u32_le(u32::try_from(body.len()).unwrap())
        .await
        .unwrap();
    stream.write_all(body).await.unwrap();
}
