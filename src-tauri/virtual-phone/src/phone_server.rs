//! `deck phone`: one phone on two loopback ports, told about in JSON lines.

use crate::android::Android;
use crate::fault::Fault;
use crate::host::{Host, Options, Pairing, PhoneHandle, Transport};
use crate::record::Received;
use serde_json::{Value, json};
use std::future::Future;
use std::io;
use std::net::Ipv4Addr;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite, AsyncWriteExt, Lines};
use tokio::net::TcpListener;

/// What `deck phone` is started with.
#[derive(Clone, Debug, Default)]
pub struct PhoneServerOptions {
    /// The daemon's port (`adb connect 127.0.0.1:PORT`), which a phone with test support alone has; `None`: a free one.
    pub port: Option<u16>,
    /// The smart socket's port; `None`: a free one.
    pub server_port: Option<u16>,
    /// What is wrong from the start, and how fast it is.
    pub options: Options,
}

/// Why there is no phone.
#[derive(Debug, thiserror::Error)]
pub enum PhoneServerError {
    /// A port that belongs to a real adb server (5037) or to emulators (5554…5585).
    #[error("port {0} belongs to adb itself (5037, 5554-5585)")]
    Reserved(u16),
    /// The port cannot be had.
    #[error("port {0} cannot be used: {1}")]
    Port(u16, #[source] io::Error),
    /// Nobody reads what is told.
    #[error("the output is closed: {0}")]
    Output(#[from] io::Error),
}

/// A real adb server looks for its own at these ports.
fn is_reserved(port: u16) -> bool {
    port == 5037 || (5554..=5585).contains(&port)
}

async fn bind(port: Option<u16>) -> Result<TcpListener, PhoneServerError> {
    /// So many free ports are asked for before giving up: one of the 33 reserved ones is a rare draw.
    const DRAWS: usize = 16;
    if let Some(port) = port.filter(|port| is_reserved(*port)) {
        return Err(PhoneServerError::Reserved(port));
    }
    let wanted = port.unwrap_or(0);
    let mut drawn = 0;
    for _ in 0..DRAWS {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, wanted))
            .await
            .map_err(|problem| PhoneServerError::Port(wanted, problem))?;
        drawn = listener
            .local_addr()
            .map_err(|problem| PhoneServerError::Port(wanted, problem))?
            .port();
        if !is_reserved(drawn) {
            return Ok(listener);
        }
    }
    Err(PhoneServerError::Reserved(drawn))
}

/// Serves one phone and tells, a JSON object a line:
/// `{"event":"ready","serial","adbd","server"}` first, then every command line, opened service and file as it reaches
/// the phone. Words on `input`: `state` (the apps' state), `unplug`, `replug`, `down` and `up` (the server); with
/// test support also `record` (everything that reached the phone), `fault NAME`, `clear NAME`, `pair CODE ADDRESS` (the
/// pairing page is open), `attach SERIAL` (the same phone over the network too). Ends when `ended` does; the end of `input` ends nothing.
///
/// Without test support there is no `adbd`, and what reaches the phone is not told.
///
/// # Errors
/// When a port cannot be had, or nobody reads the output.
pub async fn serve(
    android: Box<dyn Android>,
    asked: PhoneServerOptions,
    input: impl AsyncBufRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
    ended: impl Future<Output = ()>,
) -> Result<(), PhoneServerError> {
    #[cfg(feature = "test-support")]
    let daemon = bind(asked.port).await?;
    let server = bind(asked.server_port).await?;
    let host = Host::new();
    let phone = host.add(
        android,
        Options {
            transport: Transport::Usb("1-1".to_owned()),
            ..asked.options
        },
    );
    let server = host.serve(server)?;
    let mut ready = json!({ "event": "ready", "serial": phone.serial() });
    #[cfg(feature = "test-support")]
    {
        ready["adbd"] = json!(phone.serve_adbd(daemon)?.to_string());
    }
    ready["server"] = json!(server.to_string());
    tell(&mut output, &ready).await?;
    let told = tokio::select! {
        told = converse(&host, &phone, input.lines(), &mut output) => told,
        () = ended => Ok(()),
    };
    host.stop().await;
    told
}

async fn converse(
    host: &Host,
    phone: &PhoneHandle,
    mut words: Lines<impl AsyncBufRead + Unpin>,
    output: &mut (impl AsyncWrite + Unpin),
) -> Result<(), PhoneServerError> {
    let record = phone.record();
    let mut changes = record.changes();
    let mut told = 0;
    let mut listening = true;
    loop {
        changes.mark_unchanged();
        let length = record.len();
        for entry in record.since(told) {
            if is_news(&entry.what) {
                tell(output, &json!(entry)).await?;
            }
        }
        told = length;
        tokio::select! {
            changed = changes.changed() => if changed.is_err() { return Ok(()) },
            word = words.next_line(), if listening => match word {
                Ok(Some(word)) => obey(host, phone, word.trim(), output).await?,
                Ok(None) | Err(_) => listening = false,
            },
        }
    }
}

/// Whether a thing is told as it comes: what a client asked, not every finger that came of it.
fn is_news(what: &Received) -> bool {
    matches!(
        what,
        Received::Command { .. }
            | Received::Service { .. }
            | Received::Push { .. }
            | Received::Pull { .. }
            | Received::Link { .. }
    )
}

async fn obey(
    host: &Host,
    phone: &PhoneHandle,
    word: &str,
    output: &mut (impl AsyncWrite + Unpin),
) -> Result<(), PhoneServerError> {
    let (verb, name) = word.split_once(' ').unwrap_or((word, ""));
    match verb {
        "" => {}
        "record" | "fault" | "clear" | "pair" | "attach" if !crate::test_support::TEST_SUPPORT => {
            let reason = format!("{verb} needs test support (the feature virtual-phone/test-support)");
            tell(output, &json!({"event": "refused", "reason": reason})).await?;
        }
        "state" => tell(output, &json!({"event": "state", "state": phone.state()})).await?,
        "record" => {
            for entry in phone.record().entries() {
                tell(output, &json!({"event": "record", "entry": entry})).await?;
            }
        }
        "fault" | "clear" => match name.parse::<Fault>() {
            Ok(fault) => {
                if verb == "fault" {
                    phone.set_fault(fault);
                } else {
                    phone.clear_fault(fault);
                }
                let faults: Vec<String> = phone.faults().iter().map(Fault::to_string).collect();
                tell(output, &json!({"event": "faults", "faults": faults})).await?;
            }
            Err(problem) => {
                tell(
                    output,
                    &json!({"event": "refused", "reason": problem.to_string()}),
                )
                .await?
            }
        },
        "unplug" => phone.unplug(),
        "replug" => phone.replug(),
        "down" => host.stop_server(),
        "up" => host.start_server(),
        "pair" => match name.split_once(' ') {
            Some((code, address)) => phone.offer_pairing(Pairing {
                code: code.to_owned(),
                address: address.to_owned(),
                service: None,
                lasts: None,
            }),
            None => {
                let reason = "pair CODE ADDRESS:PORT";
                tell(output, &json!({"event": "refused", "reason": reason})).await?;
            }
        },
        "attach" if !name.is_empty() => {
            // Listed as long as the host lives: nobody needs to hold it.
            let _ = phone.attach(name, Transport::Network);
        }
        other => {
            tell(
                output,
                &json!({"event": "refused", "reason": format!("no such word: {other}")}),
            )
            .await?
        }
    }
    Ok(())
}

async fn tell(output: &mut (impl AsyncWrite + Unpin), line: &Value) -> Result<(), PhoneServerError> {
    output.write_all(format!("{line}\n").as_bytes()).await?;
    Ok(output.flush().await?)
}
