//! What watches a phone's video: clients of `screenrecord` and of scrcpy's server, and a decoder.

use crate::client::{all, answer, open, send};
use openh264::decoder::Decoder;
use openh264::formats::YUVSource;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::time::{sleep, timeout};
use virtual_phone::system::{System, SystemOptions};
use virtual_phone::{Host, Options, PhoneHandle, Speed};

pub(crate) const JAR: &str = "/data/local/tmp/x.jar";

/// The demo phone, as fast as can be, with a screen in front.
pub(crate) fn demo(start: &str) -> (Host, PhoneHandle) {
    let host = Host::new();
    let system = System::new(SystemOptions {
        start: (!start.is_empty()).then(|| start.to_owned()),
        ..SystemOptions::default()
    });
    let options = Options {
        speed: Speed::Instant,
        ..Options::default()
    };
    let phone = host.add(Box::new(system), options);
    (host, phone)
}

/// Starts scrcpy's server of a version; its words come out of the stream.
pub(crate) async fn start_scrcpy(host: &Host, version: &str, arguments: &str) -> DuplexStream {
    all(
        host,
        &format!("exec:echo 'virtual scrcpy-server {version}' > {JAR}"),
    )
    .await;
    let line = format!(
        "exec:CLASSPATH={JAR} app_process / com.genymobile.scrcpy.Server {version} scid=00000abc tunnel_forward=true \
         audio=false {arguments}"
    );
    open(host, &line).await.unwrap()
}

/// Connects as clients do: tried again for a second.
pub(crate) async fn connect(host: &Host) -> Option<DuplexStream> {
    for _ in 0..20 {
        let mut stream = host.open();
        send(&mut stream, "host:transport-any").await;
        answer(&mut stream).await.unwrap();
        send(&mut stream, "localabstract:scrcpy_00000abc").await;
        if answer(&mut stream).await.is_ok() {
            return Some(stream);
        }
        sleep(Duration::from_millis(50)).await;
    }
    None
}

/// Luma of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Luma {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pixels: Vec<u8>,
}

impl Luma {
    pub(crate) fn at(&self, x: usize, y: usize) -> u8 {
        self.pixels[y * self.width + x]
    }

    /// How far it is from another, pixel by pixel.
    pub(crate) fn distance(&self, other: &Self) -> f64 {
        assert_eq!((self.width, self.height), (other.width, other.height));
        let sum: u64 = self
            .pixels
            .iter()
            .zip(&other.pixels)
            .map(|(a, b)| u64::from(a.abs_diff(*b)))
            .sum();
        sum as f64 / self.pixels.len() as f64
    }

    /// The display as a capture has it, shrunk by averaging.
    pub(crate) fn captured(phone: &PhoneHandle, width: usize, height: usize) -> Self {
        let picture = phone.with(|android| android.picture());
        let (w, h) = (picture.width as usize, picture.height as usize);
        let mut pixels = Vec::new();
        for y in 0..height {
            for x in 0..width {
                let (mut sum, mut count) = (0_u32, 0);
                for sy in y * h / height..((y + 1) * h / height) {
                    for sx in x * w / width..((x + 1) * w / width) {
                        let at = (sy * w + sx) * 4;
                        let [red, green, blue] = [0, 1, 2].map(|c| u32::from(picture.rgba[at + c]));
                        sum += 16 + (66 * red + 129 * green + 25 * blue) / 256;
                        count += 1;
                    }
                }
                pixels.push(u8::try_from(sum / count).unwrap());
            }
        }
        Self {
            width,
            height,
            pixels,
        }
    }

    pub(crate) fn is_black(&self) -> bool {
        self.pixels.iter().all(|pixel| *pixel < 24)
    }
}

/// A decoder that is fed whole units.
pub(crate) struct Screen {
    decoder: Decoder,
    newest: Option<Luma>,
    pub(crate) pictures: usize,
}

impl Screen {
    pub(crate) fn new() -> Self {
        Self {
            decoder: Decoder::new().unwrap(),
            newest: None,
            pictures: 0,
        }
    }

    pub(crate) fn feed(&mut self, unit: &[u8]) {
        if let Some(picture) = self.decoder.decode(unit).unwrap() {
            let (width, height) = picture.dimensions();
            let stride = picture.strides().0;
            let rows = picture.y().chunks(stride).take(height);
            self.newest = Some(Luma {
                width,
                height,
                pixels: rows.flat_map(|row| row[..width].iter().copied()).collect(),
            });
            self.pictures += 1;
        }
    }

    pub(crate) fn newest(&self) -> &Luma {
        self.newest.as_ref().unwrap()
    }
}

/// The NAL units of a stream, each with its start code.
pub(crate) fn units(stream: &[u8]) -> Vec<&[u8]> {
    let starts: Vec<usize> = stream
        .windows(4)
        .enumerate()
        .filter(|(_, four)| *four == [0, 0, 0, 1])
        .map(|(at, _)| at)
        .collect();
    let ends = starts.iter().skip(1).copied().chain([stream.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(start, end)| &stream[*start..end])
        .collect()
}

pub(crate) fn kinds(stream: &[u8]) -> Vec<u8> {
    units(stream).iter().map(|unit| unit[4] & 0x1f).collect()
}

/// A `screenrecord` that runs, over the shell protocol.
pub(crate) struct Record {
    stream: DuplexStream,
    pub(crate) bytes: Vec<u8>,
    pub(crate) err: String,
    pub(crate) status: Option<u8>,
}

impl Record {
    pub(crate) async fn start(host: &Host, options: &str) -> Self {
        let line = format!("shell,v2,raw:screenrecord --output-format=h264 {options} -");
        Self {
            stream: open(host, &line).await.unwrap(),
            bytes: Vec::new(),
            err: String::new(),
            status: None,
        }
    }

    /// Reads what comes until nothing has come for so long, or it ends.
    pub(crate) async fn read(&mut self, quiet: Duration) {
        let mut header = [0; 5];
        while let Ok(Ok(_)) = timeout(quiet, self.stream.read_exact(&mut header)).await {
            let length = u32::from_le_bytes([header[1], header[2], header[3], header[4]]);
            let mut body = vec![0; length as usize];
            self.stream.read_exact(&mut body).await.unwrap();
            match header[0] {
                1 => self.bytes.extend(body),
                2 => self.err.push_str(std::str::from_utf8(&body).unwrap()),
                _ => self.status = body.first().copied(),
            }
        }
    }

    /// All that came, decoded.
    pub(crate) fn screen(&self) -> Screen {
        let mut screen = Screen::new();
        for unit in units(&self.bytes) {
            screen.feed(unit);
        }
        screen
    }
}

/// A client of scrcpy's server: its video, packet by packet.
pub(crate) struct Mirror {
    pub(crate) server: DuplexStream,
    video: DuplexStream,
    control: Option<DuplexStream>,
    new: bool,
    pub(crate) screen: Screen,
    /// What waits for the next picture.
    config: Vec<u8>,
    pub(crate) sizes: Vec<(u32, u32)>,
    /// `c` for parameter sets, `k` for a key frame, `.` for another, `s` for a session.
    pub(crate) kinds: String,
    pub(crate) pts: Vec<u64>,
}

impl Mirror {
    pub(crate) async fn start(host: &Host, version: &str, arguments: &str) -> Self {
        let server = start_scrcpy(host, version, arguments).await;
        let mut video = connect(host).await.unwrap();
        let control = if arguments.contains("control=false") {
            None
        } else {
            connect(host).await
        };
        assert_eq!(video.read_u8().await.unwrap(), 0, "the dummy byte");
        let mut name = [1; 64];
        video.read_exact(&mut name).await.unwrap();
        assert!(name.starts_with(b"Pixel 8\0\0"));
        assert_eq!(video.read_u32().await.unwrap(), 0x6832_3634, "h264");
        let new = version.starts_with('4');
        let mut sizes = Vec::new();
        if !new {
            sizes.push((video.read_u32().await.unwrap(), video.read_u32().await.unwrap()));
        }
        Self {
            server,
            video,
            control,
            new,
            screen: Screen::new(),
            config: Vec::new(),
            sizes,
            kinds: String::new(),
            pts: Vec::new(),
        }
    }

    /// Reads packets until nothing has come for so long. False: the socket was closed.
    pub(crate) async fn read(&mut self, quiet: Duration) -> bool {
        let down = u32::from(self.new);
        loop {
            let mut head = [0; 12];
            match timeout(quiet, self.video.read_exact(&mut head)).await {
                Err(_) => return true,
                Ok(Err(_)) => return false,
                Ok(Ok(_)) => {}
            }
            let number = |from: usize| u32::from_be_bytes(head[from..from + 4].try_into().unwrap());
            let flags = u64::from_be_bytes(head[..8].try_into().unwrap());
            if self.new && flags >> 63 == 1 {
                assert_eq!(number(0), 0x8000_0000);
                self.sizes.push((number(4), number(8)));
                self.kinds.push('s');
                continue;
            }
            let mut body = vec![0; number(8) as usize];
            if self.video.read_exact(&mut body).await.is_err() {
                return false;
            }
            if flags == 1 << (63 - down) {
                self.kinds.push('c');
                self.config = body;
                continue;
            }
            let key = flags >> (62 - down) & 1 == 1;
            self.kinds.push(if key { 'k' } else { '.' });
            self.pts.push(flags & ((1 << (62 - down)) - 1));
            let mut unit = std::mem::take(&mut self.config);
            unit.extend(body);
            self.screen.feed(&unit);
        }
    }

    pub(crate) async fn say(&mut self, message: &[u8]) {
        self.control.as_mut().unwrap().write_all(message).await.unwrap();
    }

    /// A tap, as meant for a picture of a size.
    pub(crate) async fn tap(&mut self, (x, y): (u32, u32), (width, height): (u32, u32)) {
        for action in [0, 1] {
            let mut message = vec![2, action];
            message.extend((-2_i64).to_be_bytes());
            message.extend(x.to_be_bytes());
            message.extend(y.to_be_bytes());
            message.extend(u16::try_from(width).unwrap().to_be_bytes());
            message.extend(u16::try_from(height).unwrap().to_be_bytes());
            message.extend([0xff, 0xff, 0, 0, 0, 1, 0, 0, 0, 1]);
            self.say(&message).await;
        }
    }
}
