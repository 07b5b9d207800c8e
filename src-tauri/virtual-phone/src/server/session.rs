//! One client's talk with the server.

use super::request::{counted, fail, okay, okay_with, read};
use super::target::{ListedState, Target, split};
use super::wait::WaitRequest;
use super::{listing, network, request, target};
use crate::fault::Fault;
use crate::host::{AttachedPhone, RequestFate, Shared};
use crate::services;
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// `ADB_SERVER_VERSION` of adb 29 (and 36): 41.
const VERSION: &str = "0029";
/// What the server itself can do (`host-features`), as adb 36.0.0 lists it.
const FEATURES: &str = "shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir,apex,abb,fixed_push_symlink_timestamp,abb_exec,\
     remount_shell,track_app,sendrecv_v2,sendrecv_v2_brotli,sendrecv_v2_lz4,sendrecv_v2_zstd,sendrecv_v2_dry_run_send,\
     openscreen_mdns,devicetracker_proto_format,devraw,app_info,server_status,libusb,push_sync";
/// The same, as adb 29 lists it.
const OLD_FEATURES: &str = "push_sync,remount_shell,abb_exec,abb,apex,fixed_push_mkdir,ls_v2,stat_v2,fixed_push_symlink_timestamp,cmd,shell_v2";

/// What becomes of the talk after a request.
enum Next {
    /// Another request may follow on the same connection.
    Goes,
    /// The server hangs up.
    Ends,
}

/// Answers requests until the talk ends.
pub(super) async fn run<S: AsyncRead + AsyncWrite + Unpin + Send>(shared: &Arc<Shared>, mut stream: S) {
    let mut chosen: Option<AttachedPhone> = None;
    loop {
        let Some(request) = read(&mut stream).await else {
            break;
        };
        match shared.admit_request() {
            RequestFate::Answer => {}
            RequestFate::Wedged => {
                // Nothing is said; the client may wait, or go.
                while matches!(stream.read(&mut [0; 64]).await, Ok(1..)) {}
                break;
            }
            RequestFate::Restarts => break,
        }
        let next = match split(shared, &request) {
            Some((target, command)) if !command.is_empty() => {
                host(shared, &mut stream, target, command, &mut chosen).await
            }
            // `adb.cpp`, `send_packet`: a check ends the program.
            _ if is_oversized(chosen.as_ref(), &request) => {
                shared.restart();
                break;
            }
            _ => device(&mut stream, chosen.as_ref(), &request)
                .await
                .map(|()| Next::Ends),
        };
        match next {
            Ok(Next::Goes) => {}
            Ok(Next::Ends) | Err(_) => break,
        }
    }
    let _ = stream.shutdown().await;
}

async fn host<S: AsyncRead + AsyncWrite + Unpin + Send>(
    shared: &Shared,
    stream: &mut S,
    target: Target,
    command: &str,
    chosen: &mut Option<AttachedPhone>,
) -> io::Result<Next> {
    if let Some(target) = transport(command) {
        return match target.find(shared, false) {
            Ok(slot) => {
                okay(stream).await?;
                if command.starts_with("tport:") {
                    stream.write_all(&slot.link.transport().to_le_bytes()).await?;
                    stream.flush().await?;
                }
                *chosen = Some(slot);
                Ok(Next::Goes)
            }
            Err(why) => fail(stream, &why).await.map(|()| Next::Ends),
        };
    }
    if command.starts_with("wait-for-") {
        return wait(shared, stream, &target, command).await.map(|()| Next::Ends);
    }
    if let Some(rest) = command.strip_prefix("pair:").filter(|_| !shared.is_old()) {
        // `adb_wifi.cpp` is heard of only after the request itself was understood: OKAY, then the outcome.
        return match network::pair(shared, rest) {
            Some(Ok(text)) => {
                okay(stream).await?;
                stream.write_all(&counted(&text)).await
            }
            Some(Err(why)) => {
                okay(stream).await?;
                fail(stream, &why).await
            }
            None => fail(stream, &unknown(shared, command)).await,
        }
        .map(|()| Next::Ends);
    }
    match command {
        "track-devices" | "track-devices-l" => {
            track(shared, stream, command.ends_with("-l")).await?;
            return Ok(Next::Ends);
        }
        // An emulator's console knocks: nothing is said (`adb.cpp`: `handle_host_request`).
        _ if command.starts_with("emulator:") => return Ok(Next::Ends),
        // `killforward-all` answers twice: heard, and done.
        "killforward-all" => {
            okay(stream).await?;
            okay(stream).await?;
            return Ok(Next::Ends);
        }
        _ => {}
    }
    if command == "server-status" && !shared.is_old() {
        stream.write_all(&network::status()).await?;
        stream.flush().await?;
        return Ok(Next::Ends);
    }
    match answer(shared, &target, chosen.as_ref(), command) {
        Ok(text) => okay_with(stream, &text).await?,
        Err(why) => fail(stream, &why).await?,
    }
    Ok(Next::Ends)
}

/// `transport:S`, `transport-any`, `tport:serial:S`, … : the phone what follows is for.
fn transport(command: &str) -> Option<Target> {
    let tport = command.strip_prefix("tport:");
    Some(match tport.or(command.strip_prefix("transport-")).unwrap_or("") {
        "any" => Target::Any,
        "usb" => Target::Usb,
        "local" => Target::Local,
        other => {
            if let Some(serial) = command
                .strip_prefix("transport:")
                .or(tport.and(other.strip_prefix("serial:")))
            {
                Target::Serial(serial.to_owned())
            } else if tport.is_some() {
                Target::Any
            } else {
                Target::Id(command.strip_prefix("transport-id:")?.parse().ok()?)
            }
        }
    })
}

/// The answer to a request that is one text.
fn answer(
    shared: &Shared,
    target: &Target,
    chosen: Option<&AttachedPhone>,
    command: &str,
) -> Result<String, String> {
    let find = |any_state| match (chosen, target) {
        (Some(slot), Target::Any) => Ok(slot.clone()),
        _ => target.find(shared, any_state),
    };
    match command {
        "version" => Ok(VERSION.to_owned()),
        "host-features" => Ok(if shared.is_old() { OLD_FEATURES } else { FEATURES }.to_owned()),
        "mdns:check" if !shared.is_old() => Ok(network::check(shared)),
        "mdns:services" if !shared.is_old() => Ok(network::services(shared)),
        "devices" => Ok(listing::list(&shared.slots(), false)),
        "devices-l" => Ok(listing::list(&shared.slots(), true)),
        "features" => find(false).map(|slot| services::features(&slot.phone).join(",")),
        "get-serialno" => find(false).map(|slot| slot.serial),
        "get-devpath" => find(false).map(|slot| target::path(&slot).unwrap_or_else(|| "unknown".to_owned())),
        "get-state" => find(false).map(|slot| ListedState::of(&slot).name()),
        "list-forward" => Ok(String::new()),
        "reconnect-offline" => Ok(network::reconnect_offline(shared)),
        "reconnect" => find(true).map(|slot| {
            slot.link.reset();
            format!(
                "reconnecting {} [{}]\n",
                slot.serial,
                ListedState::of(&slot).name()
            )
        }),
        // This server belongs to somebody: it is not ended from outside. Words invented.
        "kill" => Err("this server does not end on request".to_owned()),
        _ => {
            if let Some(address) = command.strip_prefix("connect:") {
                Ok(network::connect(shared, address))
            } else if let Some(address) = command.strip_prefix("disconnect:") {
                network::disconnect(shared, address)
            } else if let Some(listener) = command.strip_prefix("killforward:") {
                Err(format!("listener '{listener}' not found"))
            } else if command.starts_with("forward:") {
                // No port is opened on anybody's computer. Words invented.
                Err("cannot bind listener: forwarding is not offered".to_owned())
            } else {
                Err(unknown(shared, command))
            }
        }
    }
}

fn unknown(shared: &Shared, command: &str) -> String {
    if shared.is_old() {
        "unknown host service".to_owned()
    } else {
        format!("unknown host service '{command}'")
    }
}

/// Tells the list at once and again whenever it is another, until the client goes away.
async fn track<S: AsyncRead + AsyncWrite + Unpin + Send>(
    shared: &Shared,
    stream: &mut S,
    long: bool,
) -> io::Result<()> {
    let mut changes = shared.hub.changes();
    okay(stream).await?;
    let mut last = None;
    loop {
        changes.mark_unchanged();
        let list = listing::list(&shared.slots(), long);
        if last.as_ref() != Some(&list) {
            stream.write_all(&request::counted(&list)).await?;
            stream.flush().await?;
            last = Some(list);
        }
        let mut byte = [0; 1];
        tokio::select! {
            changed = changes.changed() => if changed.is_err() { return Ok(()) },
            gone = stream.read(&mut byte) => if gone? == 0 { return Ok(()) },
        }
    }
}

async fn wait<S: AsyncRead + AsyncWrite + Unpin + Send>(
    shared: &Shared,
    stream: &mut S,
    target: &Target,
    command: &str,
) -> io::Result<()> {
    let wish = match WaitRequest::read(target, command) {
        Ok(wish) => wish,
        Err(why) if shared.is_old() => return fail(stream, &why).await,
        // `services.cpp`: `wait_service` answers in a thread of its own, after OKAY.
        Err(_) => {
            let spec = command.trim_start_matches("wait-for-");
            let why = match spec.split_once('-') {
                None => format!("short wait-for-: {spec}"),
                Some(("any" | "usb" | "local", _)) => format!("bad wait-for- state: {spec}"),
                Some(_) => format!("bad wait-for- transport: {spec}"),
            };
            okay(stream).await?;
            return fail(stream, &why).await;
        }
    };
    okay(stream).await?;
    let mut byte = [0; 1];
    tokio::select! {
        waited = wish.wait(shared) => match waited {
            Ok(()) => okay(stream).await,
            Err(why) => stream.write_all(&[b"FAIL", counted(&why).as_slice()].concat()).await,
        },
        _ = stream.read(&mut byte) => Ok(()),
    }
}

/// Whether a service's name, its NUL byte included, is more than the phone's daemon takes in one packet (`adb.h`:
/// `MAX_PAYLOAD_V1` of daemons that are as old as their shell, else `MAX_PAYLOAD`).
fn is_oversized(chosen: Option<&AttachedPhone>, name: &str) -> bool {
    const MAX_PAYLOAD_V1: usize = 4096;
    chosen.is_some_and(|slot| slot.phone.has(Fault::NoShellV2)) && name.len() + 1 > MAX_PAYLOAD_V1
}

/// Opens a service on the chosen phone and carries its bytes.
async fn device<S: AsyncRead + AsyncWrite + Unpin + Send>(
    stream: &mut S,
    chosen: Option<&AttachedPhone>,
    name: &str,
) -> io::Result<()> {
    let Some(slot) = chosen else {
        return fail(stream, "device offline (no transport)").await;
    };
    if !slot.link.is_plugged() || !ListedState::of(slot).has_banner() {
        return fail(stream, "device offline (transport offline)").await;
    }
    let streams = slot.link.streams();
    let _connected = slot.phone.connect();
    let Some(mut service) = services::open(&slot.phone, &slot.link, name) else {
        return fail(stream, "closed").await;
    };
    okay(stream).await?;
    tokio::select! {
        () = streams.cancelled() => Ok(()),
        carried = carry(stream, &mut service) => carried,
    }
}

/// Carries bytes both ways. Either end's end is the end of both, as between two sockets of a real server.
async fn carry<S: AsyncRead + AsyncWrite + Unpin + Send>(
    client: &mut S,
    service: &mut tokio::io::DuplexStream,
) -> io::Result<()> {
    let (mut from_client, mut to_client) = tokio::io::split(client);
    let (mut from_service, mut to_service) = tokio::io::split(service);
    let up = async {
        // A service that has ended reads no more; what it said last is still on its way down.
        if tokio::io::copy(&mut from_client, &mut to_service).await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    let down = async {
        let copied = tokio::io::copy(&mut from_service, &mut to_client).await;
        let _ = to_client.flush().await;
        copied.map(|_| ())
    };
    tokio::select! {
        biased;
        done = down => done,
        () = up => Ok(()),
    }
}
