//! The fake server's side of the smart socket, written from `SERVICES.TXT`, not from the client.

use super::{Fake, Fault};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::time::sleep;

pub(crate) async fn serve(fake: Fake, mut stream: DuplexStream) {
    let mut age = fake.0.age.subscribe();
    tokio::select! {
        _ = age.changed() => {}
        _ = talk(&fake, &mut stream) => {}
    }
}

/// One connection; ends when the other side does.
async fn talk(fake: &Fake, stream: &mut DuplexStream) -> Option<()> {
    loop {
        let request = read(stream).await?;
        sleep(fake.0.latency).await;
        match fake.current_fault() {
            Fault::Wedged => std::future::pending().await,
            Fault::Absent => return None,
            _ => {}
        }
        if let Some(answer) = fake.host_answer(&request) {
            say(stream, &answer).await?;
            return None;
        }
        match request.as_str() {
            "host:version" => say(stream, b"OKAY00040029").await?,
            "host:devices-l" => {
                let list = fake.0.list.borrow().clone();
                okay(stream, &list).await?;
            }
            "host:track-devices-l" => return track(fake, stream).await,
            other
                if other
                    .strip_prefix("host:transport:")
                    .is_some_and(|serial| fake.leads_to(serial)) =>
            {
                say(stream, b"OKAY").await?
            }
            "host-serial:FAKE 1:features" if fake.current_fault() == Fault::OldServer => {
                fail(stream, "unknown host service").await?;
                return None;
            }
            other if other.starts_with("host-serial:") || other == "host:features" => {
                let features = fake.0.features.lock().unwrap().clone();
                okay(stream, &features).await?;
            }
            "sync:" if fake.0.scrcpy.lock().unwrap().is_some() => {
                say(stream, b"OKAY").await?;
                let server = fake.0.scrcpy.lock().unwrap().clone()?;
                return server.take_file(stream).await;
            }
            "sync:" if fake.streaming().is_some() => {
                say(stream, b"OKAY").await?;
                return super::scrcpy::receive(stream).await.map(drop);
            }
            other if other.starts_with("localabstract:") => {
                if let Some(streams) = fake.streaming() {
                    let Some(socket) = streams.socket(&other["localabstract:".len()..]) else {
                        fail(stream, "closed").await?;
                        return None;
                    };
                    say(stream, b"OKAY").await?;
                    return socket.serve(stream).await;
                }
                let server = fake.0.scrcpy.lock().unwrap().clone();
                match server.filter(|server| server.listens(&other["localabstract:".len()..])) {
                    Some(server) => {
                        say(stream, b"OKAY").await?;
                        return server.control(stream).await;
                    }
                    None => {
                        fail(stream, "closed").await?;
                        return None;
                    }
                }
            }
            other => {
                let line = ["shell,v2,raw:", "shell:", "exec:"]
                    .iter()
                    .find_map(|service| Some((*service, other.strip_prefix(service)?)));
                match line {
                    Some((service, line)) => return run(fake, stream, service, line).await,
                    None if other.starts_with("host:transport:") => {
                        let named = other.trim_start_matches("host:transport:");
                        fail(stream, &format!("device '{named}' not found")).await?;
                        return None;
                    }
                    None => {
                        fail(stream, "unknown host service").await?;
                        return None;
                    }
                }
            }
        }
    }
}

async fn track(fake: &Fake, stream: &mut DuplexStream) -> Option<()> {
    let mut list = fake.0.list.subscribe();
    say(stream, b"OKAY").await?;
    loop {
        let text = list.borrow_and_update().clone();
        say(stream, format!("{:04x}{text}", text.len()).as_bytes()).await?;
        list.changed().await.ok()?;
    }
}

async fn run(fake: &Fake, stream: &mut DuplexStream, service: &str, line: &str) -> Option<()> {
    let v2 = service.contains("v2");
    if v2 && !fake.0.features.lock().unwrap().contains("shell_v2") {
        fail(stream, "closed").await?;
        return None;
    }
    if let Some(streams) = fake.streaming().filter(|_| super::video::Streams::is_one(line)) {
        say(stream, b"OKAY").await?;
        return streams.shell(stream, v2, line).await;
    }
    if super::watchdog_shell::is_one(line) {
        assert!(v2, "its lines are no terminal's");
        say(stream, b"OKAY").await?;
        return match fake.current_fault() {
            Fault::SilentService => std::future::pending().await,
            Fault::CutService => None,
            _ => super::watchdog_shell::serve(fake, stream, line).await,
        };
    }
    let (reply, process) = fake.start(line);
    say(stream, b"OKAY").await?;
    match fake.current_fault() {
        Fault::SilentService => std::future::pending().await,
        Fault::CutService => return None,
        _ => {}
    }
    // What is known at once is printed at once: the number of the process above all.
    let first_line = reply
        .stdout
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    let (early, late) = reply.stdout.split_at(first_line);
    let bytes = |kind, text: &[u8]| if v2 { packets(kind, text) } else { text.to_vec() };
    let mut room = reply.cut_after.unwrap_or(usize::MAX);
    send(stream, bytes(1, early), &mut room).await?;
    let exit = tokio::select! {
        biased;
        () = process.killed.cancelled() => 137,
        () = sleep(reply.takes), if !reply.hangs => reply.exit,
    };
    if exit != 137 || reply.exit == 137 {
        send(stream, bytes(1, late), &mut room).await?;
        send(stream, bytes(2, &reply.stderr), &mut room).await?;
    }
    if v2 {
        send(stream, packet(3, &[exit]), &mut room).await?;
    }
    Some(())
}

async fn send(stream: &mut DuplexStream, mut bytes: Vec<u8>, room: &mut usize) -> Option<()> {
    let cut = bytes.len() > *room;
    bytes.truncate(*room);
    *room -= bytes.len();
    say(stream, &bytes).await?;
    (!cut).then_some(())
}

/// Output in packets of at most 30,000 bytes, as a daemon sends it.
pub(super) fn packets(kind: u8, text: &[u8]) -> Vec<u8> {
    text.chunks(30_000).flat_map(|part| packet(kind, part)).collect()
}

fn packet(kind: u8, text: &[u8]) -> Vec<u8> {
    let mut bytes = vec![kind];
    bytes.extend_from_slice(&u32::try_from(text.len()).unwrap().to_le_bytes());
    bytes.extend_from_slice(text);
    bytes
}

async fn read(stream: &mut DuplexStream) -> Option<String> {
    let mut length = [0; 4];
    stream.read_exact(&mut length).await.ok()?;
    let length = usize::from_str_radix(std::str::from_utf8(&length).unwrap(), 16).unwrap();
    let mut text = vec![0; length];
    stream.read_exact(&mut text).await.ok()?;
    Some(String::from_utf8(text).unwrap())
}

async fn okay(stream: &mut DuplexStream, text: &str) -> Option<()> {
    say(stream, format!("OKAY{:04x}{text}", text.len()).as_bytes()).await
}

async fn fail(stream: &mut DuplexStream, text: &str) -> Option<()> {
    say(stream, format!("FAIL{:04x}{text}", text.len()).as_bytes()).await
}

pub(super) async fn say(stream: &mut DuplexStream, bytes: &[u8]) -> Option<()> {
    stream.write_all(bytes).await.ok()
}
