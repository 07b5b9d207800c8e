//! A phone that streams its screen, on the scripted server: scrcpy's video as its documentation has it, and
//! `screenrecord` as AOSP's source has it. The screen is a number, drawn as a white stripe.

use super::{Fake, Reply};
use openh264::OpenH264API;
use openh264::encoder::{Encoder, EncoderConfig, RateControlMode, SpsPpsStrategy, VuiConfig};
use openh264::formats::{RgbaSliceU8, YUVBuffer};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

/// Stripes of the screen.
pub(crate) const STRIPES: usize = 16;
const NATURAL: (u16, u16) = (540, 1200);

/// What a way of streaming does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    Plays,
    /// It ends at once with these words.
    Fails(&'static str),
    /// It runs and sends nothing.
    Mute,
}

/// The screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) stripe: usize,
    pub(crate) across: bool,
}

pub(crate) struct State {
    pub(crate) version: String,
    pub(crate) scrcpy: Manner,
    pub(crate) record: Manner,
    /// Everything that ever ran, and when: options of servers and recordings.
    pub(crate) started: Vec<(Duration, String)>,
    pub(crate) running: usize,
    pub(crate) resets: usize,
    /// Nothing is sent any more, whatever happens.
    pub(crate) frozen: bool,
    /// How long a server takes to listen.
    pub(crate) starts_in: Duration,
    /// Recordings send a picture in two pieces with so long between.
    pub(crate) torn: Option<Duration>,
    /// The encoder of recordings takes the screen's own size only.
    pub(crate) refuses_sizes: bool,
    servers: Vec<Arc<Running>>,
}

struct Running {
    scid: String,
    size: u16,
    listens: Instant,
    sockets: Mutex<usize>,
    control: Notify,
    reset: Notify,
    life: CancellationToken,
}

#[derive(Clone)]
pub(crate) struct Streams {
    pub(crate) state: Arc<Mutex<State>>,
    pub(crate) screen: watch::Sender<Shown>,
    life: Arc<Mutex<CancellationToken>>,
    born: Instant,
}

impl Streams {
    /// Puts both ways on a phone.
    pub(crate) fn on(fake: &Fake, version: &str) -> Self {
        let streams = Self {
            state: Arc::new(Mutex::new(State {
                version: version.to_owned(),
                scrcpy: Manner::Plays,
                record: Manner::Plays,
                started: Vec::new(),
                running: 0,
                resets: 0,
                frozen: false,
                starts_in: Duration::from_millis(600),
                torn: None,
                refuses_sizes: false,
                servers: Vec::new(),
            })),
            screen: watch::Sender::new(Shown::default()),
            life: Arc::default(),
            born: Instant::now(),
        };
        let screen = streams.screen.clone();
        fake.on(move |line| {
            (line == "wm size; dumpsys input").then(|| {
                let turns = u8::from(screen.borrow().across);
                Reply::says(format!(
                    "Physical size: {}x{}\n  SurfaceOrientation: {turns}\n",
                    NATURAL.0, NATURAL.1
                ))
            })
        });
        fake.answers(":", Reply::default());
        fake.answers("rm -f ", Reply::default());
        fake.answers("kill -2 ", Reply::default());
        fake.streams(streams.clone());
        streams
    }

    pub(crate) fn draw(&self, stripe: usize) {
        self.screen.send_modify(|shown| shown.stripe = stripe);
    }

    pub(crate) fn turn(&self, across: bool) {
        self.screen.send_modify(|shown| shown.across = across);
    }

    pub(crate) fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap())
    }

    /// Everything that runs dies.
    pub(crate) fn dies(&self) {
        let mut life = self.life.lock().unwrap();
        life.cancel();
        *life = CancellationToken::new();
    }

    /// What was started of this kind (`scrcpy`, `screenrecord`), and when.
    pub(crate) fn started(&self, kind: &str) -> Vec<String> {
        let started = self.with(|state| state.started.clone());
        let of = started.into_iter().filter(|(_, what)| what.starts_with(kind));
        of.map(|(_, what)| what).collect()
    }

    fn start(&self, what: String) -> CancellationToken {
        self.with(|state| {
            state.running += 1;
            state.started.push((self.born.elapsed(), what));
        });
        self.life.lock().unwrap().child_token()
    }

    fn ended(&self) {
        self.with(|state| state.running -= 1);
    }

    /// Whether a line of the shell is one of these ways.
    pub(super) fn is_one(line: &str) -> bool {
        line.contains("com.genymobile.scrcpy.Server") || line.contains("exec screenrecord")
    }

    /// The shell's side of it.
    pub(super) async fn shell(&self, stream: &mut DuplexStream, v2: bool, line: &str) -> Option<()> {
        let mut out = Printer { stream, v2 };
        if let Some((_, options)) = line.split_once("exec screenrecord ") {
            assert!(options.ends_with(" -") && options.contains("--output-format=h264"));
            let life = self.start(format!("screenrecord {options}"));
            let done = tokio::select! {
                done = self.record(&mut out, options) => done,
                () = life.cancelled() => None,
            };
            self.ended();
            return done;
        }
        let (_, words) = line.split_once("com.genymobile.scrcpy.Server ")?;
        let (version, options) = words.split_once(' ')?;
        let (own, manner) = self.with(|state| (state.version.clone(), state.scrcpy.clone()));
        if let Manner::Fails(words) = manner {
            self.start(format!("scrcpy {options}"));
            self.ended();
            return out.ends(words, 1).await;
        }
        if version != own {
            let words = format!(
                "java.lang.IllegalArgumentException: The server version ({own}) does not match the client ({version})"
            );
            self.start(format!("scrcpy {options}"));
            self.ended();
            return out.ends(&words, 1).await;
        }
        for needed in ["tunnel_forward=true", "video=true", "audio=false", "control=true"] {
            assert!(options.contains(needed), "{needed} in {options}");
        }
        let option = |name: &str| {
            options
                .split(' ')
                .find_map(|one| one.strip_prefix(name)?.strip_prefix('='))
        };
        let life = self.start(format!("scrcpy {options}"));
        let running = Arc::new(Running {
            scid: option("scid")?.to_owned(),
            size: option("max_size")?.parse().unwrap(),
            listens: Instant::now() + self.with(|state| state.starts_in),
            sockets: Mutex::default(),
            control: Notify::new(),
            reset: Notify::new(),
            life: life.clone(),
        });
        self.with(|state| state.servers.push(Arc::clone(&running)));
        out.prints(b"[server] INFO: Device: [Fake] FAKE 1 (Android 14)\n")
            .await;
        life.cancelled().await;
        self.with(|state| state.servers.retain(|one| one.scid != running.scid));
        self.ended();
        Some(())
    }

    /// A connection to its abstract socket; nothing when nobody listens there.
    pub(super) fn socket(&self, name: &str) -> Option<Socket> {
        let running = self.with(|state| {
            let found = state
                .servers
                .iter()
                .find(|one| name == format!("scrcpy_{}", one.scid));
            found.filter(|one| Instant::now() >= one.listens).cloned()
        })?;
        let number = {
            let mut sockets = running.sockets.lock().unwrap();
            *sockets += 1;
            *sockets
        };
        Some(Socket {
            streams: self.clone(),
            running,
            number,
        })
    }

    async fn control(&self, stream: &mut DuplexStream, running: &Running) -> Option<()> {
        running.control.notify_one();
        loop {
            match stream.read_u8().await.ok()? {
                17 => {
                    self.with(|state| state.resets += 1);
                    running.reset.notify_one();
                }
                other => panic!("a message of kind {other}"),
            }
        }
    }

    async fn video(&self, stream: &mut DuplexStream, running: &Running) -> Option<()> {
        stream.write_all(&[0]).await.ok()?;
        running.control.notified().await;
        stream.write_all(&[b'F'; 64]).await.ok()?;
        let sessions = self.with(|state| state.version.starts_with('4'));
        let mut screen = self.screen.subscribe();
        let mut shown = *screen.borrow_and_update();
        let mut encoder = Screen::new(fit(running.size, shown.across));
        let size = |encoder: &Screen| {
            let sides = [encoder.size.0, encoder.size.1];
            sides
                .into_iter()
                .flat_map(|side| u32::from(side).to_be_bytes())
                .collect::<Vec<u8>>()
        };
        let mut head = b"h264".to_vec();
        if sessions {
            head.extend([0x80, 0, 0, 0]);
        }
        head.extend(size(&encoder));
        stream.write_all(&head).await.ok()?;
        if self.with(|state| state.scrcpy == Manner::Mute) {
            closed(stream).await;
            return None;
        }
        let (config_flag, key_flag) = if sessions {
            (1_u64 << 62, 1_u64 << 61)
        } else {
            (1 << 63, 1 << 62)
        };
        loop {
            let (sets, picture) = encoder.encode(shown);
            let time = u64::try_from(self.born.elapsed().as_micros()).unwrap();
            let mut bytes = Vec::new();
            if let Some(sets) = &sets {
                bytes.extend(config_flag.to_be_bytes());
                bytes.extend(u32::try_from(sets.len()).unwrap().to_be_bytes());
                bytes.extend(sets);
            }
            // Of a screen that is drawn anew and the same the encoder makes nothing.
            if !picture.is_empty() {
                bytes.extend((if sets.is_some() { key_flag } else { 0 } | time).to_be_bytes());
                bytes.extend(u32::try_from(picture.len()).unwrap().to_be_bytes());
                bytes.extend(&picture);
            }
            self.frozen(stream).await?;
            // In pieces of any size.
            for piece in bytes.chunks(1000) {
                stream.write_all(piece).await.ok()?;
            }
            tokio::select! {
                changed = screen.changed() => changed.ok()?,
                () = running.reset.notified() => encoder = Screen::new(encoder.size),
                () = closed(stream) => return None,
            }
            let now = *screen.borrow_and_update();
            if now.across != shown.across {
                encoder = Screen::new(fit(running.size, now.across));
                if sessions {
                    let packet = [vec![0x80, 0, 0, 0], size(&encoder)].concat();
                    stream.write_all(&packet).await.ok()?;
                }
            }
            shown = now;
        }
    }

    /// Waits while nothing is sent.
    async fn frozen(&self, stream: &mut DuplexStream) -> Option<()> {
        while self.with(|state| state.frozen) {
            tokio::select! {
                () = sleep(Duration::from_secs(1)) => {}
                () = closed(stream) => return None,
            }
        }
        Some(())
    }

    async fn record(&self, out: &mut Printer<'_>, options: &str) -> Option<()> {
        match self.with(|state| state.record.clone()) {
            Manner::Fails(words) => return out.ends(words, 1).await,
            Manner::Mute => {
                out.prints(b"4242\n").await?;
                closed(out.stream).await;
                return None;
            }
            Manner::Plays => out.prints(b"4242\n").await?,
        }
        let size = options
            .split_once("--size ")
            .map(|(_, size)| size.split(' ').next().unwrap());
        let size = match size.map(|size| size.split_once('x').unwrap()) {
            Some(_) if self.with(|state| state.refuses_sizes) => {
                let words = "ERROR: unable to configure video/avc codec at 216x480 (err=-1010)\n";
                return out.ends(words, 1).await;
            }
            Some((width, height)) => (width.parse().unwrap(), height.parse().unwrap()),
            None => NATURAL,
        };
        let mut screen = self.screen.subscribe();
        let mut encoder = Screen::new(size);
        let over = sleep(Duration::from_secs(180));
        tokio::pin!(over);
        loop {
            let shown = *screen.borrow_and_update();
            let (sets, picture) = encoder.encode(shown);
            self.frozen(out.stream).await?;
            if let Some(sets) = sets {
                out.prints(&sets).await?;
            }
            match self.with(|state| state.torn) {
                Some(gap) => {
                    let (one, other) = picture.split_at(picture.len() / 2);
                    out.prints(one).await?;
                    sleep(gap).await;
                    out.prints(other).await?;
                }
                None => out.prints(&picture).await?,
            }
            tokio::select! {
                changed = screen.changed() => changed.ok()?,
                () = &mut over => return out.ends("", 0).await,
                () = closed(out.stream) => return None,
            }
        }
    }
}

/// One of a server's sockets.
pub(super) struct Socket {
    streams: Streams,
    running: Arc<Running>,
    number: usize,
}

impl Socket {
    pub(super) async fn serve(self, stream: &mut DuplexStream) -> Option<()> {
        // The end of either socket ends the server.
        let _ended = self.running.life.clone().drop_guard();
        let (streams, running) = (&self.streams, &self.running);
        tokio::select! {
            done = async {
                match self.number {
                    1 => streams.video(stream, running).await,
                    _ => streams.control(stream, running).await,
                }
            } => done,
            () = running.life.cancelled() => None,
        }
    }
}

/// scrcpy's own arithmetic, roughly: the longer side at most `size`, sides of eight.
fn fit(size: u16, across: bool) -> (u16, u16) {
    let size = size.min(NATURAL.1);
    let short = u32::from(size) * u32::from(NATURAL.0) / u32::from(NATURAL.1);
    let short = u16::try_from(short).unwrap() & !7;
    if across {
        (size & !7, short)
    } else {
        (short, size & !7)
    }
}

/// An encoder of the screen.
struct Screen {
    size: (u16, u16),
    encoder: Encoder,
    begun: bool,
}

impl Screen {
    fn new(size: (u16, u16)) -> Self {
        let config = EncoderConfig::new()
            .vui(VuiConfig::bt601())
            .rate_control_mode(RateControlMode::Off)
            .sps_pps_strategy(SpsPpsStrategy::ConstantId)
            .skip_frames(false);
        Self {
            size,
            encoder: Encoder::with_api_config(OpenH264API::from_source(), config).unwrap(),
            begun: false,
        }
    }

    /// Its parameter sets, at the beginning, and the picture.
    fn encode(&mut self, shown: Shown) -> (Option<Vec<u8>>, Vec<u8>) {
        let (width, height) = (usize::from(self.size.0), usize::from(self.size.1));
        let mut rgba = vec![0; width * height * 4];
        for (row, line) in rgba.chunks_exact_mut(width * 4).enumerate() {
            let value = if row * STRIPES / height == shown.stripe {
                255
            } else {
                40
            };
            line.fill(value);
        }
        let picture = YUVBuffer::from_rgba8_source(RgbaSliceU8::new(&rgba, (width, height)));
        let unit = self.encoder.encode(&picture).unwrap().to_vec();
        if self.begun {
            return (None, unit);
        }
        self.begun = true;
        let at = unit
            .windows(5)
            .position(|five| five == [0, 0, 0, 1, 0x65])
            .unwrap();
        (Some(unit[..at].to_vec()), unit[at..].to_vec())
    }
}

/// A shell service's output.
struct Printer<'a> {
    stream: &'a mut DuplexStream,
    v2: bool,
}

impl Printer<'_> {
    async fn prints(&mut self, bytes: &[u8]) -> Option<()> {
        let packets: Vec<u8> = if self.v2 {
            bytes.chunks(30_000).flat_map(|part| packet(1, part)).collect()
        } else {
            bytes.to_vec()
        };
        self.stream.write_all(&packets).await.ok()
    }

    async fn ends(&mut self, complaint: &str, code: u8) -> Option<()> {
        let bytes = if self.v2 {
            [packet(2, complaint.as_bytes()), packet(3, &[code])].concat()
        } else {
            complaint.as_bytes().to_vec()
        };
        self.stream.write_all(&bytes).await.ok()
    }
}

/// Returns when nobody reads any more.
async fn closed(stream: &mut DuplexStream) {
    let mut nothing = [0; 16];
    while matches!(stream.read(&mut nothing).await, Ok(read) if read > 0) {}
}

fn packet(kind: u8, text: &[u8]) -> Vec<u8> {
    let mut bytes = vec![kind];
    bytes.extend_from_slice(&u32::try_from(text.len()).unwrap().to_le_bytes());
    bytes.extend_from_slice(text);
    bytes
}
