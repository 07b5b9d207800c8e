//! The video socket (`server/…/video/SurfaceEncoder.java`, `ScreenCapture.java`, `device/Streamer.java`, `Size.java`; tags
//! v2.0 to v4.1).
//!
//! A session is one run of the encoder: parameter sets, a key frame, pictures. A display that turns, or a client's
//! `RESET_VIDEO`, ends it and begins the next. Up to 3.x the sizes of later sessions stand in their parameter sets alone;
//! from 4.0 a packet of its own tells each session's.

use super::message::{Dialect, Position};
use super::{Options, server_error};
use crate::fault::Fault;
use crate::phone::Phone;
use crate::process::Call;
use crate::video::{Fit, NoEncoder, Recording, RecordingOptions, RecordingOutput, Source};
use bytes::BufMut;
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf};
use tokio::sync::Notify;

/// `h264`.
const CODEC: u32 = 0x6832_3634;
/// `REPEAT_FRAME_DELAY_US`.
const REPEAT: Duration = Duration::from_millis(100);
/// `MAX_SIZE_FALLBACK`.
const SMALLER: [u32; 6] = [2560, 1920, 1600, 1280, 1024, 800];
const MOST_ERRORS: u32 = 3;
/// What the encoder takes, as its capabilities tell it (see [`Encoder::takes`]).
const CODEC_LONG: u32 = 3840;
const CODEC_SHORT: u32 = 2160;
const CODEC_LEAST: u32 = 32;
const CODEC_ALIGNMENT: u32 = 2;
/// What a phone's codec says when it cannot.
const ERROR: &str = "android.media.MediaCodec$CodecException: Error 0xfffffc0e";

/// Width and height of a session's picture, and of the display.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    picture: (u32, u32),
    display: (u32, u32),
}

/// What the video and the control thread share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// The newest session's.
    sizes: Mutex<Option<Sizes>>,
    /// A client asks for a new session.
    pub(super) reset: Notify,
}

impl Shared {
    fn show(&self, picture: (u32, u32), display: (u32, u32)) {
        *self.sizes.lock().unwrap_or_else(PoisonError::into_inner) = Some(Sizes { picture, display });
    }

    /// Where on the display a position is (`PositionMapper`). None: it was meant for a picture of another size.
    pub(super) fn place(&self, at: &Position) -> Option<(f32, f32)> {
        let sizes = *self.sizes.lock().unwrap_or_else(PoisonError::into_inner);
        let (x, y) = (at.x as f32, at.y as f32);
        // Without video a position is one of the display.
        let Some(Sizes { picture, display }) = sizes else {
            return Some((x, y));
        };
        if (u32::from(at.width), u32::from(at.height)) != picture {
            return None;
        }
        let (across, down) = (
            display.0 as f32 / picture.0 as f32,
            display.1 as f32 / picture.1 as f32,
        );
        Some((x * across, y * down))
    }
}

/// How the video thread ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreamEnd {
    /// The client is gone, or the encoder has failed for good: the server goes.
    Over,
    /// The process was killed.
    Killed,
}

/// The size of a stream, from a display's.
pub(super) fn video_size(
    display: (u32, u32),
    most: u32,
    least_alignment: u32,
    dialect: Dialect,
) -> (u32, u32) {
    if dialect.major >= 4 {
        constrained(display, most, least_alignment.max(CODEC_ALIGNMENT))
    } else {
        limited(display, most & !7)
    }
}

/// `Size.limit` and `Size.round8` (up to 3.x): a multiple of 8, the longer side rounded down.
fn limited((width, height): (u32, u32), most: u32) -> (u32, u32) {
    let portrait = height > width;
    let (major, minor) = if portrait {
        (height, width)
    } else {
        (width, height)
    };
    let (major, minor) = if most > 0 && major > most {
        (most, most * minor / major)
    } else {
        (major, minor)
    };
    let (major, minor) = if major % 8 == 0 && minor % 8 == 0 {
        (major, minor)
    } else {
        (major & !7, ((minor + 4) & !7).min(major & !7))
    };
    if portrait { (minor, major) } else { (major, minor) }
}

/// `Size.constrain` (from 4.0): as the codec's capabilities have it.
fn constrained((width, height): (u32, u32), most: u32, alignment: u32) -> (u32, u32) {
    let most = if most == 0 { u32::MAX } else { most };
    let (wide, high) = if width < height {
        (CODEC_SHORT, CODEC_LONG)
    } else {
        (CODEC_LONG, CODEC_SHORT)
    };
    let align = |value: u32| value / alignment * alignment;
    let round = |value: u64| {
        let alignment = u64::from(alignment);
        u32::try_from((value + alignment / 2) / alignment * alignment).unwrap_or(u32::MAX)
    };
    let (most_wide, most_high) = (align(wide.min(most)), align(high.min(most)));
    let (w, h) = (u64::from(width), u64::from(height));
    let (mw, mh) = (u64::from(most_wide), u64::from(most_high));
    let (w, h) = if width <= most_wide && height <= most_high {
        (round(w), round(h))
    } else if w * mh > h * mw {
        (most_wide, round(h * mw / w))
    } else {
        (round(w * mh / h), most_high)
    };
    (w.max(CODEC_LEAST), h.max(CODEC_LEAST))
}

/// What a packet holds (`MediaCodec.BUFFER_FLAG_…`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PacketKind {
    Config,
    Key,
    Other,
}

/// The head of a packet (`Streamer.writeFrameMeta`).
fn head(dialect: Dialect, kind: PacketKind, micros: u64, length: usize) -> [u8; 12] {
    // From 4.0 the highest bit is the session's.
    let down = u32::from(dialect.major >= 4);
    let flags = match kind {
        PacketKind::Config => 1_u64 << (63 - down),
        PacketKind::Key => micros | 1 << (62 - down),
        PacketKind::Other => micros,
    };
    let mut bytes = [0; 12];
    let mut out = &mut bytes[..];
    out.put_u64(flags);
    out.put_u32(u32::try_from(length).unwrap_or(u32::MAX));
    bytes
}

/// One client's video.
pub(super) struct Video<'a> {
    call: &'a Call,
    options: &'a Options,
    dialect: Dialect,
    shared: &'a Shared,
    most: u32,
    errors: u32,
    sent: u32,
}

/// Why a session ended.
enum SessionEnd {
    /// The next one begins.
    Again,
    Failed,
    Gone,
    Killed,
}

impl<'a> Video<'a> {
    pub(super) fn new(call: &'a Call, options: &'a Options, dialect: Dialect, shared: &'a Shared) -> Self {
        Self {
            call,
            options,
            dialect,
            shared,
            most: options.max_size,
            errors: 0,
            sent: 0,
        }
    }

    /// Streams until the client hangs up or the encoder fails for good.
    pub(super) async fn run(mut self, socket: DuplexStream) -> StreamEnd {
        let (mut reader, mut writer) = tokio::io::split(socket);
        if self.options.codec != "h264" {
            // `createMediaCodec` comes before the header.
            let codec = &self.options.codec;
            self.err(format!("Could not create default video encoder for {codec}"))
                .await;
            return StreamEnd::Over;
        }
        if self.options.display != 0 {
            let display = self.options.display;
            self.err(format!("Display {display} not found")).await;
            return StreamEnd::Over;
        }
        let size = self.size();
        if self.begin(&mut writer, size).await.is_err() {
            return StreamEnd::Over;
        }
        loop {
            match self.session(&mut reader, &mut writer).await {
                SessionEnd::Again => {}
                SessionEnd::Failed => {
                    self.err(format!("Capture/encoding error: {ERROR}")).await;
                    if !self.prepare_retry().await {
                        let line = format!("Exception on thread Thread[video,5,main]\n{ERROR}");
                        self.err(line).await;
                        return StreamEnd::Over;
                    }
                }
                SessionEnd::Gone => return StreamEnd::Over,
                SessionEnd::Killed => return StreamEnd::Killed,
            }
        }
    }

    fn phone(&self) -> &Phone {
        &self.call.phone
    }

    async fn err(&self, text: String) {
        // Its words may be heard by nobody.
        let _ = self.call.err(server_error(&text)).await;
    }

    fn display(&self) -> (u32, u32) {
        let display = self.phone().with(|android| android.display());
        (display.width, display.height)
    }

    fn size(&self) -> (u32, u32) {
        if let Some(clip) = self.phone().clip() {
            return clip.options().size;
        }
        video_size(self.display(), self.most, self.options.alignment, self.dialect)
    }

    /// The codec's header; up to 3.x with the first session's size.
    async fn begin(
        &self,
        writer: &mut WriteHalf<DuplexStream>,
        (width, height): (u32, u32),
    ) -> io::Result<()> {
        if !self.options.codec_meta {
            return Ok(());
        }
        let mut header = CODEC.to_be_bytes().to_vec();
        if self.dialect.major < 4 {
            header.put_u32(width);
            header.put_u32(height);
        }
        writer.write_all(&header).await
    }

    async fn session(
        &mut self,
        reader: &mut ReadHalf<DuplexStream>,
        writer: &mut WriteHalf<DuplexStream>,
    ) -> SessionEnd {
        let (display, size) = (self.display(), self.size());
        let wanted = RecordingOptions {
            size,
            bit_rate: self.options.bit_rate,
            max_fps: self.options.max_fps,
            interval: self.options.interval,
            repeat: Some(REPEAT),
            source: Source::Windows,
            fit: Fit::Stretched,
        };
        let started: Result<Recording, NoEncoder> = Recording::start(&self.call.phone, wanted);
        let mut recording = match started {
            Ok(recording) => recording,
            Err(why) => {
                tracing::debug!("scrcpy: {why}");
                return SessionEnd::Failed;
            }
        };
        self.shared.show(size, display);
        if self.dialect.major >= 4 && self.options.codec_meta {
            let mut packet = 0x8000_0000_u32.to_be_bytes().to_vec();
            packet.put_u32(size.0);
            packet.put_u32(size.1);
            if writer.write_all(&packet).await.is_err() {
                return SessionEnd::Gone;
            }
        }
        loop {
            let step = tokio::select! {
                biased;
                () = self.shared.reset.notified() => return SessionEnd::Again,
                () = hangs_up(reader) => return SessionEnd::Gone,
                step = recording.next() => step,
            };
            let (kind, micros, bytes) = match step {
                Ok(RecordingOutput::Config(bytes)) => (PacketKind::Config, 0, bytes),
                Ok(RecordingOutput::Picture(picture)) => {
                    let kind = if picture.key {
                        PacketKind::Key
                    } else {
                        PacketKind::Other
                    };
                    self.errors = 0;
                    self.sent = self.sent.saturating_add(1);
                    (kind, picture.micros, picture.bytes)
                }
                Ok(RecordingOutput::Turned) => return SessionEnd::Again,
                Err(why) => {
                    tracing::debug!("scrcpy: {why}");
                    return SessionEnd::Failed;
                }
            };
            let mut packet = Vec::with_capacity(bytes.len() + 12);
            if self.options.frame_meta {
                packet.extend(head(self.dialect, kind, micros, bytes.len()));
            }
            packet.extend_from_slice(&bytes);
            let dies = kind != PacketKind::Config && self.dies();
            if dies {
                packet.truncate(packet.len() / 2);
            }
            if writer.write_all(&packet).await.is_err() {
                return SessionEnd::Gone;
            }
            if dies {
                return SessionEnd::Killed;
            }
        }
    }

    /// `scrcpy_dies`: in the middle of the packet after so many pictures.
    fn dies(&self) -> bool {
        let faults = self.phone().all_faults();
        let dies = |fault: &&Fault| matches!(fault, Fault::ScrcpyDies(pictures) if self.sent > *pictures);
        let dying = faults.iter().find(dies);
        if let Some(fault) = dying {
            self.phone().meets(*fault);
        }
        dying.is_some()
    }

    /// `prepareRetry`: before the first picture with a smaller one, later the same again.
    async fn prepare_retry(&mut self) -> bool {
        if self.sent > 0 {
            self.errors += 1;
            if self.errors >= MOST_ERRORS {
                return false;
            }
            self.phone().clock.work(50).await;
            return true;
        }
        if !self.options.downsize {
            return false;
        }
        let (width, height) = self.size();
        let Some(smaller) = SMALLER.into_iter().find(|most| *most < width.max(height)) else {
            return false;
        };
        self.most = smaller;
        let line = format!("[server] INFO: Retrying with -m{smaller}...\n");
        let _ = self.call.out(line).await;
        true
    }
}

/// Waits until the client closes the socket. What it says there is not heard.
async fn hangs_up(reader: &mut ReadHalf<DuplexStream>) {
    let mut unheard = [0; 256];
    while let Ok(1..) = reader.read(&mut unheard).await {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::video::Encoder;

    fn dialect(version: &str) -> Dialect {
        Dialect::of(version)
    }

    #[test]
    fn sizes_are_rounded_as_each_version_rounds_them() {
        for (version, display, most, expected) in [
            ("3.3.4", (1080, 2400), 1024, (464, 1024)),
            ("3.3.4", (2400, 1080), 1024, (1024, 464)),
            ("3.3.4", (1080, 2400), 1280, (576, 1280)),
            ("3.3.4", (1080, 2340), 0, (1080, 2336)),
            ("3.3.4", (1080, 2400), 1027, (464, 1024)),
            ("2.7", (1200, 2670), 0, (1200, 2664)),
            ("4.0", (1080, 2400), 1024, (460, 1024)),
            ("4.0", (2400, 1080), 1024, (1024, 460)),
            ("4.0", (1080, 2340), 0, (1080, 2340)),
            ("4.1", (1081, 2401), 0, (1082, 2402)),
            ("4.1", (1440, 3120), 480, (222, 480)),
        ] {
            let size = video_size(display, most, 1, dialect(version));
            assert_eq!(size, expected, "{version} {display:?} {most}");
            assert!(Encoder::takes(size.0, size.1), "{size:?}");
        }
        assert_eq!(video_size((1080, 2400), 1024, 16, dialect("4.1")), (464, 1024));
    }

    #[test]
    fn heads_have_their_flags_where_each_version_has_them() {
        let flags = |version, kind, micros| {
            let bytes = head(dialect(version), kind, micros, 0x0102_0304);
            assert_eq!(bytes[8..], [1, 2, 3, 4]);
            u64::from_be_bytes(bytes[..8].try_into().unwrap())
        };
        assert_eq!(flags("3.3.4", PacketKind::Config, 7), 1 << 63);
        assert_eq!(flags("3.3.4", PacketKind::Key, 7), 1 << 62 | 7);
        assert_eq!(flags("4.0", PacketKind::Config, 7), 1 << 62);
        assert_eq!(flags("4.0", PacketKind::Key, 7), 1 << 61 | 7);
        for version in ["2.7", "3.3.4", "4.1"] {
            assert_eq!(flags(version, PacketKind::Other, 7), 7);
        }
    }

    #[test]
    fn a_touch_meant_for_another_size_is_none() {
        let shared = Shared::default();
        let at = |width, height| Position {
            x: 288,
            y: 640,
            width,
            height,
        };
        assert_eq!(shared.place(&at(1, 2)), Some((288.0, 640.0)), "without video");
        shared.show((576, 1280), (1080, 2400));
        assert_eq!(shared.place(&at(576, 1280)), Some((540.0, 1200.0)));
        assert_eq!(shared.place(&at(1080, 2400)), None);
        assert_eq!(shared.place(&at(1280, 576)), None);
    }
}
