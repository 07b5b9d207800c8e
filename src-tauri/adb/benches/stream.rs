//! From bytes off a socket to an access unit in a reader's hand, through the whole of a phone's stream: an adb server in
//! this process plays scrcpy's part with units made beforehand. Printed are what all of it costs against merely reading
//! the same bytes from the same kind of pipe in the same run, and how long a unit takes when units come at a screen's
//! pace. Then what a look at a virtual phone's stream costs, as pixels, against one raw capture of the same screen.
//! `cargo bench -p adb --bench stream`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark"
)]

use adb::scrcpy::Jar;
use adb::stream::{Content, NewestPicture, StreamEvent, StreamRequest};
use adb::{AdbPhone, AdbServer, Device, Link, Stream};
use openh264::encoder::Encoder;
use openh264::formats::YUVBuffer;
use protocol::PhoneId;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use virtual_phone::system::{System, SystemOptions};
use virtual_phone::{Host, Options};

const PIPE: usize = 256 * 1024;
/// As large as a unit of a moving screen at 1280 pixels and 4 Mbit/s.
const UNIT: usize = 15_000;

/// How the units come.
#[derive(Clone, Copy)]
enum Pace {
    /// As fast as they are read.
    Flat(usize),
    /// One every so often; each carries the moment it was sent.
    Every(Duration, usize),
}

/// An adb server with one phone, whose scrcpy server sends units.
struct Server {
    key: Vec<u8>,
    pace: Pace,
    born: Instant,
    sockets: AtomicU64,
}

impl Server {
    fn new(pace: Pace, born: Instant) -> Arc<Self> {
        let key = Encoder::new()
            .unwrap()
            .encode(&YUVBuffer::new(576, 1280))
            .unwrap()
            .to_vec();
        Arc::new(Self {
            key,
            pace,
            born,
            sockets: AtomicU64::new(0),
        })
    }

    fn phone(self: &Arc<Self>) -> AdbPhone {
        let server = Arc::clone(self);
        let link = Link::Memory(Arc::new(move || {
            let server = Arc::clone(&server);
            Box::pin(async move {
                let (near, far) = tokio::io::duplex(PIPE);
                tokio::spawn(async move { server.talk(far).await });
                Ok(Box::new(near) as Box<dyn Stream>)
            })
        }));
        let phone = AdbPhone::new(PhoneId::from("BENCH"), Device::new(AdbServer::new(link), "BENCH"));
        phone.use_scrcpy(Some(Jar::unchecked("3.3.4", vec![0; 1000])));
        phone
    }

    async fn talk(&self, mut stream: DuplexStream) -> Option<()> {
        loop {
            let mut length = [0; 4];
            stream.read_exact(&mut length).await.ok()?;
            let length = usize::from_str_radix(std::str::from_utf8(&length).ok()?, 16).ok()?;
            let mut request = vec![0; length];
            stream.read_exact(&mut request).await.ok()?;
            let request = String::from_utf8(request).ok()?;
            stream.write_all(b"OKAY").await.ok()?;
            if request.ends_with("features") {
                stream.write_all(b"0008shell_v2").await.ok()?;
            } else if request == "sync:" {
                let mut all = [0; 4096];
                // The jar is small: its last packet is DONE.
                loop {
                    let read = stream.read(&mut all).await.ok()?;
                    if all[..read].ends_with(b"DONE\0\0\0\0") {
                        break;
                    }
                }
                stream.write_all(b"OKAY\0\0\0\0").await.ok()?;
            } else if request.contains("com.genymobile") {
                std::future::pending::<()>().await;
            } else if request.starts_with("shell") {
                stream.write_all(b"\x03\x01\0\0\0\0").await.ok()?;
                return None;
            } else if request.starts_with("localabstract:") {
                if self.sockets.fetch_add(1, Ordering::Relaxed) % 2 == 1 {
                    std::future::pending::<()>().await;
                }
                return self.video(&mut stream).await;
            }
        }
    }

    async fn video(&self, stream: &mut DuplexStream) -> Option<()> {
        stream.write_all(&[0; 65]).await.ok()?;
        stream.write_all(b"h264\0\0\x02\x40\0\0\x05\0").await.ok()?;
        stream.write_all(&frame(1 << 62, &self.key)).await.ok()?;
        let unit = unit();
        match self.pace {
            Pace::Flat(count) => {
                let bytes = frame(0, &unit);
                for at in 0..count {
                    if at % 50 == 49 {
                        stream.write_all(&frame(1 << 62, &self.key)).await.ok()?;
                    }
                    stream.write_all(&bytes).await.ok()?;
                }
            }
            Pace::Every(pause, count) => {
                let mut ticks = tokio::time::interval(pause);
                for _ in 0..count {
                    ticks.tick().await;
                    let now = u64::try_from(self.born.elapsed().as_micros()).unwrap();
                    stream.write_all(&frame(now, &unit)).await.ok()?;
                }
            }
        }
        std::future::pending().await
    }
}

/// A slice's first bytes, and what looks like one's rest.
fn unit() -> Vec<u8> {
    let mut seed = 1_u64;
    let mut unit = b"\0\0\0\x01\x41\x9a".to_vec();
    unit.extend((0..UNIT).map(|_| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        u8::try_from(seed >> 56).unwrap() | 1
    }));
    unit
}

fn frame(flags: u64, unit: &[u8]) -> Vec<u8> {
    let mut bytes = flags.to_be_bytes().to_vec();
    bytes.extend(u32::try_from(unit.len()).unwrap().to_be_bytes());
    bytes.extend(unit);
    bytes
}

/// Reads a phone's stream until so many units came: what each carries, and when it was had.
async fn read(phone: &AdbPhone, count: usize) -> Vec<(u64, Instant)> {
    let mut reader = phone.feed().watch(StreamRequest {
        longest_side: 1280,
        fps: 60,
    });
    let mut units = Vec::with_capacity(count);
    while units.len() < count {
        if let StreamEvent::Packet(packet) = reader.next().await
            && let Content::Unit(sample) = &packet.content
            && !sample.key
        {
            // As it goes to a window: behind a head.
            let message = [&[0; 32][..], &sample.data].concat();
            std::hint::black_box(message);
            units.push((packet.time, Instant::now()));
        }
    }
    units
}

/// Microseconds a unit, the shortest of some rounds.
async fn flat() -> f64 {
    const COUNT: usize = 2000;
    let mut best = f64::MAX;
    for _ in 0..5 {
        let phone = Server::new(Pace::Flat(COUNT), Instant::now()).phone();
        let units = read(&phone, COUNT / 2).await;
        // From the first on: starting is not what is measured.
        let (first, last) = (units[0].1, units[units.len() - 1].1);
        best = best.min((last - first).as_secs_f64() * 1e6 / (units.len() - 1) as f64);
    }
    best
}

/// The same bytes, merely read.
async fn merely_read() -> f64 {
    const COUNT: usize = 2000;
    let mut best = f64::MAX;
    for _ in 0..5 {
        let (mut near, mut far) = tokio::io::duplex(PIPE);
        let bytes = frame(0, &unit());
        let total = bytes.len() * COUNT;
        tokio::spawn(async move {
            for _ in 0..COUNT {
                far.write_all(&bytes).await.unwrap();
            }
        });
        let start = Instant::now();
        let mut buffer = vec![0; 64 * 1024];
        let mut read = 0;
        while read < total {
            read += near.read(&mut buffer).await.unwrap();
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e6 / COUNT as f64);
    }
    best
}

/// Microseconds from the phone's write to the reader's hand, sorted, of so many phones at once.
async fn paced(phones: usize) -> Vec<u64> {
    const COUNT: usize = 150;
    let born = Instant::now();
    let each = (0..phones).map(|_| async move {
        let phone = Server::new(Pace::Every(Duration::from_millis(33), COUNT), born).phone();
        read(&phone, COUNT - 10).await
    });
    let all = futures::future::join_all(each).await;
    let mut took: Vec<u64> = all
        .into_iter()
        .flatten()
        .map(|(sent, had)| u64::try_from((had - born).as_micros()).unwrap() - sent)
        .collect();
    took.sort_unstable();
    took
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// A look at the newest picture of a screen that moves, and one raw capture of it.
async fn look() -> (Duration, Duration, (u32, u32)) {
    let host = Arc::new(Host::new());
    let options = SystemOptions {
        start: Some("com.android.motiontest/.CounterActivity".to_owned()),
        ..SystemOptions::default()
    };
    let handle = host.add(Box::new(System::new(options)), Options::default());
    let to = Arc::clone(&host);
    let link = Link::Memory(adb::connector(move || to.open()));
    let device = Device::new(AdbServer::new(link), handle.serial());
    let phone = AdbPhone::new(PhoneId::from("BENCH"), device.clone());
    phone.use_scrcpy(None);
    let mut captures = Vec::new();
    for _ in 0..7 {
        let began = Instant::now();
        device
            .look_at_bytes("screencap", Duration::from_secs(20))
            .await
            .unwrap();
        captures.push(began.elapsed());
    }
    let mut newest = NewestPicture::of(
        &phone.feed(),
        StreamRequest {
            longest_side: 1280,
            fps: 60,
        },
    );
    let (mut looks, mut size) = (Vec::new(), (0, 0));
    while looks.len() < 40 {
        newest.changed().await;
        let began = Instant::now();
        if let Some((_, frame)) = newest.frame().await {
            looks.push(began.elapsed());
            size = (frame.width, frame.height);
        }
    }
    (median(looks), median(captures), size)
}

#[tokio::main]
async fn main() {
    let (through, merely) = (flat().await, merely_read().await);
    println!("a unit of {UNIT} bytes, as fast as they come");
    println!("  merely read            {merely:>8.1} µs");
    println!(
        "  through the stream     {through:>8.1} µs   {:>5.1}×",
        through / merely
    );
    for phones in [1, 6] {
        let took = paced(phones).await;
        let at = |share: usize| took[took.len() * share / 100];
        println!(
            "{phones} phone{} at 30 units a second: from the phone's write to the reader, p50 {} µs, p95 {} µs",
            if phones == 1 { "" } else { "s" },
            at(50),
            at(95)
        );
    }
    let (look, capture, (width, height)) = look().await;
    println!(
        "a look at the stream, {width}×{height} pixels: {look:.1?}; a raw capture of a phone at a phone's speed: {capture:.1?}; ratio {:.3}",
        look.as_secs_f64() / capture.as_secs_f64()
    );
}
