//! What can happen to bytes between the phone and whoever asked: late, slow, cut, swallowed, torn off.

use super::shell_mode::BUFFER;
use crate::fault::Fault;
use crate::phone::{Link, Phone};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::time::Instant;

/// An answer that is to be halved is kept whole first, up to so much.
const KEPT: usize = 64 * 1024 * 1024;
/// So much is read at once.
const CHUNK: usize = 16 * 1024;
/// So much a link holds by itself.
const BUFFERED: usize = 64 * 1024;
/// And so much is under way on one that is late, but as fast as any.
const ON_THE_WAY: u64 = 16 * 1024 * 1024;

/// What befalls one stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct StreamFaults {
    late: Duration,
    /// Bytes a second.
    speed: Option<u64>,
    end: Option<StreamEnd>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StreamEnd {
    /// Half of it comes.
    Truncated,
    /// Nothing comes, and it does not end.
    Silent,
    /// The connection goes.
    Reset,
}

/// Whether a stream is one program's (or service's): `name` as it was opened, `shell,v2,raw:cd /; screencap -p`.
fn is_of(name: &str, program: Option<&str>) -> bool {
    let Some(program) = program else { return true };
    let (service, line) = name.split_once(':').unwrap_or((name, ""));
    let service = service.split(',').next().unwrap_or(service);
    if !matches!(service, "shell" | "exec") {
        return service == program;
    }
    line.split(|c: char| c.is_whitespace() || ";|&(){}'\"`".contains(c))
        .any(|word| crate::files::file_name(word) == program)
}

impl StreamFaults {
    fn of(faults: &[Fault], name: &str) -> Self {
        let mut stream = Self::default();
        for fault in faults {
            match fault {
                Fault::Latency(millis) => stream.late = Duration::from_millis(u64::from(*millis)),
                Fault::Bandwidth(kilobytes) => stream.speed = Some(u64::from(*kilobytes).max(1) * 1000),
                Fault::HalfAnswer(program) if is_of(name, *program) => {
                    stream.end = Some(StreamEnd::Truncated)
                }
                Fault::Silence(program) if is_of(name, *program) => stream.end = Some(StreamEnd::Silent),
                Fault::Disconnect(program) if is_of(name, *program) => stream.end = Some(StreamEnd::Reset),
                _ => {}
            }
        }
        stream
    }
}

/// The stream as it comes through: `service` itself where nothing is wrong.
pub(super) fn befall(
    phone: &Arc<Phone>,
    link: &Arc<Link>,
    service: DuplexStream,
    name: &str,
) -> DuplexStream {
    if !crate::test_support::TEST_SUPPORT {
        return service;
    }
    let faults = phone.all_faults();
    for fault in &faults {
        if StreamFaults::of(&[*fault], name) != StreamFaults::default() {
            phone.meets(*fault);
        }
    }
    let stream = StreamFaults::of(&faults, name);
    if stream == StreamFaults::default() {
        return service;
    }
    let (near, far) = tokio::io::duplex(BUFFER);
    let streams = link.streams();
    let link = Arc::clone(link);
    phone.tasks.spawn(async move {
        tokio::select! {
            () = streams.cancelled() => {}
            () = carry(service, far, stream, &link) => {}
        }
    });
    near
}

async fn carry(service: DuplexStream, client: DuplexStream, stream: StreamFaults, link: &Link) {
    let (mut from_service, mut to_service) = tokio::io::split(service);
    let (mut from_client, mut to_client) = tokio::io::split(client);
    let up = async {
        // A service that has ended reads no more; what it said last is still on its way down.
        if tokio::io::copy(&mut from_client, &mut to_service).await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    let down = async {
        match stream.end {
            Some(StreamEnd::Truncated) => {
                let mut all = Vec::new();
                // What was said before a broken read is all there is.
                let _ = (&mut from_service).take(KEPT as u64).read_to_end(&mut all).await;
                all.truncate(all.len() / 2);
                let _ = to_client.write_all(&all).await;
            }
            Some(StreamEnd::Silent) => {
                let _ = tokio::io::copy(&mut from_service, &mut tokio::io::sink()).await;
                std::future::pending::<()>().await;
            }
            Some(StreamEnd::Reset) => {
                let _ = from_service.read(&mut [0; 1]).await;
                link.reset();
            }
            None => pass(&mut from_service, &mut to_client, stream).await,
        }
        let _ = to_client.shutdown().await;
    };
    tokio::select! {
        biased;
        () = down => {}
        () = up => {}
    }
}

/// Passes bytes on, each so much later than it came, and no more of them a second than come through.
async fn pass(
    from: &mut (impl AsyncReadExt + Unpin),
    to: &mut (impl AsyncWriteExt + Unpin),
    stream: StreamFaults,
) {
    let mut waiting: VecDeque<(Instant, Vec<u8>)> = VecDeque::new();
    // So many bytes are on the way at most: what comes through while they are late, and a link's own buffers.
    let most = match stream.speed {
        Some(speed) => {
            speed.saturating_mul(u64::try_from(stream.late.as_millis()).unwrap_or(u64::MAX)) / 1000
        }
        None => ON_THE_WAY,
    };
    let most = usize::try_from(most)
        .unwrap_or(usize::MAX)
        .saturating_add(BUFFERED);
    let mut under_way = 0_usize;
    let mut open = true;
    let mut free = Instant::now();
    let mut buffer = vec![0; CHUNK];
    while open || !waiting.is_empty() {
        let due = waiting.front().map(|(due, _)| (*due).max(free));
        tokio::select! {
            read = from.read(&mut buffer), if open && under_way < most => match read {
                Ok(0) | Err(_) => open = false,
                Ok(count) => {
                    under_way += count;
                    let bytes = buffer.get(..count).unwrap_or_default().to_vec();
                    waiting.push_back((Instant::now() + stream.late, bytes));
                }
            },
            () = tokio::time::sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                let Some((_, bytes)) = waiting.pop_front() else { continue };
                under_way -= bytes.len();
                if let Some(speed) = stream.speed {
                    let micros = (bytes.len() as u64).saturating_mul(1_000_000) / speed;
                    free = Instant::now() + Duration::from_micros(micros);
                    tokio::time::sleep_until(free).await;
                }
                if to.write_all(&bytes).await.is_err() {
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_of;

    #[test]
    fn a_program_is_found_in_the_line_that_runs_it() {
        for (name, program, expected) in [
            ("shell,v2,raw:screencap -p", Some("screencap"), true),
            ("exec:cd /; /system/bin/screencap|gzip", Some("screencap"), true),
            ("shell:echo screencaps", Some("screencap"), false),
            ("sync:", Some("sync"), true),
            ("sync:", Some("screencap"), false),
            ("localabstract:scrcpy_1", Some("localabstract"), true),
            ("shell:", None, true),
        ] {
            assert_eq!(is_of(name, program), expected, "{name} {program:?}");
        }
    }
}
