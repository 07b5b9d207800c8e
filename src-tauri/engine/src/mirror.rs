//! The live picture of a phone, for one window: its stream as it came where the window decodes video, else decoded here
//! and packed as pictures; and captures where the phone gives no stream.

mod message;
mod pack;

use crate::Engine;
use adb::stream::{Content, NewestPicture, Packet, Reader, StreamEvent, StreamStatus};
pub use adb::stream::{FallbackReason, StreamRequest, StreamSource};
use adb::{AdbPhone, CaptureFeed, Picture};
pub use message::{MirrorContent, MirrorMessage};
use protocol::{CaptureResult, Failure, PhoneId};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};
use tokio_util::task::AbortOnDropHandle;

/// Something is said this often, so that a still screen and a dead one differ.
const STILL: Duration = Duration::from_secs(1);
/// A screen that stirred is asked whether it is hidden once it has been still for so long.
const STILL_AGAIN: Duration = Duration::from_millis(700);
/// A unit smaller than this changes nothing anybody sees.
const NOTHING_NEW: usize = 200;

/// One phone's live picture, for one reader. Dropping it ends the stream and the captures when nobody else looks.
pub struct Mirror {
    phone: Arc<AdbPhone>,
    request: StreamRequest,
    consumer: StreamConsumer,
    status: StreamStatus,
    /// Captures, while there is no stream.
    captures: Option<watch::Receiver<Option<Arc<Picture>>>>,
    packing: Option<AbortOnDropHandle<Option<MirrorMessage>>>,
    /// The last capture was black.
    dark: bool,
    /// There is a newer picture than the one packed last.
    stale: bool,
    /// No picture is packed before this moment.
    rests_until: Instant,
    /// What was given out last, without its payload.
    last: Option<MirrorMessage>,
    given: Instant,
    hiding: Hiding,
}

/// How the stream is read.
enum StreamConsumer {
    /// As it came.
    Encoded(Reader),
    /// Decoded here.
    Decoded(NewestPicture),
}

/// Whether the app in front hides its screen from the stream, which shows black instead.
struct Hiding {
    hidden: bool,
    stirred: Option<Instant>,
    asking: Option<AbortOnDropHandle<Option<bool>>>,
}

/// What `next` waits for.
enum MirrorEvent {
    StreamEvent(StreamEvent),
    Decoded,
    Captured(bool),
    Packed(Option<MirrorMessage>),
    Hidden(Option<bool>),
    Time,
}

impl Engine {
    /// Begins to look at a phone. `video`: the window decodes H.264.
    ///
    /// # Errors
    /// When there is no such phone.
    pub fn mirror(&self, phone: &PhoneId, request: StreamRequest, video: bool) -> Result<Mirror, Failure> {
        Ok(Mirror::of(self.phone(phone)?, request, video))
    }
}

impl Mirror {
    fn of(phone: Arc<AdbPhone>, request: StreamRequest, video: bool) -> Self {
        let feed = phone.feed();
        let consumer = if video {
            StreamConsumer::Encoded(feed.watch(request))
        } else {
            StreamConsumer::Decoded(NewestPicture::of(&feed, request))
        };
        let now = Instant::now();
        Self {
            phone,
            request,
            consumer,
            status: StreamStatus::default(),
            captures: None,
            packing: None,
            dark: false,
            stale: false,
            rests_until: now,
            last: None,
            given: now,
            hiding: Hiding {
                hidden: false,
                stirred: None,
                asking: None,
            },
        }
    }

    /// The window wants another size or rate.
    pub fn aim(&mut self, request: StreamRequest) {
        self.request = request;
        match &self.consumer {
            StreamConsumer::Encoded(reader) => reader.aim(request),
            StreamConsumer::Decoded(newest) => newest.aim(request),
        }
    }

    /// The window's decoder lost its way: a key frame is next, and what decoders need before it.
    pub fn begin_again(&mut self) {
        if let StreamConsumer::Encoded(reader) = &mut self.consumer {
            reader.begin_again();
        }
        self.stale = true;
    }

    /// The next message, once there is one; what this reader came too late for is left out. May be dropped and called
    /// again. `None` when the phone is gone for good.
    pub async fn next(&mut self) -> Option<MirrorMessage> {
        loop {
            self.pack();
            let given = match self.happens().await {
                MirrorEvent::StreamEvent(StreamEvent::Status(now)) => {
                    self.stands(now);
                    None
                }
                MirrorEvent::StreamEvent(StreamEvent::Packet(packet)) => self.streamed(&packet),
                MirrorEvent::Decoded => {
                    self.decoded();
                    None
                }
                MirrorEvent::Captured(true) => self.captured(),
                MirrorEvent::Captured(false) => return None,
                MirrorEvent::Packed(message) => message,
                MirrorEvent::Hidden(hidden) => self.hides(hidden),
                MirrorEvent::Time => self.time(),
            };
            if let Some(message) = given {
                self.given = Instant::now();
                // What is said again needs no payload.
                self.last = Some(MirrorMessage {
                    shown: MirrorContent::Still,
                    picture: (0, 0),
                    ..message
                });
                return Some(message);
            }
        }
    }

    async fn happens(&mut self) -> MirrorEvent {
        let now = Instant::now();
        let asks_at = self.hiding.asks_at();
        let wakes = [
            (self.is_streaming() && self.last.is_some()).then_some(self.given + STILL),
            (self.stale && self.packing.is_none() && !self.hiding.hidden).then_some(self.rests_until),
            asks_at,
        ];
        let wakes = wakes.into_iter().flatten().min();
        tokio::select! {
            biased;
            packed = finished(&mut self.packing) => MirrorEvent::Packed(packed.flatten()),
            hidden = finished(&mut self.hiding.asking) => MirrorEvent::Hidden(hidden.flatten()),
            happened = self.consumer.happens() => happened,
            there = changed(&mut self.captures) => MirrorEvent::Captured(there),
            () = sleep_until(wakes.unwrap_or(now)), if wakes.is_some() => MirrorEvent::Time,
        }
    }

    fn is_streaming(&self) -> bool {
        self.status
            .source
            .is_some_and(|source| source != StreamSource::Captures)
    }

    fn stands(&mut self, now: StreamStatus) {
        self.status = now;
        let captures = now.source == Some(StreamSource::Captures);
        if captures && self.captures.is_none() {
            self.captures = Some(CaptureFeed::watch(&self.phone.captures()));
        } else if !captures && self.captures.take().is_some() {
            self.packing = None;
            self.stale = false;
        }
        if captures {
            self.hiding = Hiding {
                hidden: false,
                stirred: None,
                asking: None,
            };
        }
    }

    /// A piece of the stream, for a window that decodes.
    fn streamed(&mut self, packet: &Packet) -> Option<MirrorMessage> {
        let shown = match &packet.content {
            Content::Configuration(configuration) => {
                MirrorContent::Configuration(configuration.record.clone())
            }
            Content::Unit(sample) => {
                if sample.data.len() >= NOTHING_NEW {
                    self.hiding.stirred = Some(Instant::now());
                }
                MirrorContent::Unit {
                    key: sample.key,
                    data: sample.data.clone(),
                }
            }
        };
        // What is hidden is black: the window says so instead.
        if self.hiding.hidden {
            return None;
        }
        Some(MirrorMessage {
            shown,
            source: packet.source,
            why: packet.why,
            decoded_here: false,
            picture: packet.picture,
            screen: packet.screen,
            at: packet.at,
            time: packet.time,
        })
    }

    /// There is a newer picture, or another way.
    fn decoded(&mut self) {
        let StreamConsumer::Decoded(newest) = &self.consumer else {
            return;
        };
        let status = newest.status();
        if status != self.status {
            self.stands(status);
        }
        if self.is_streaming() {
            self.stale = true;
            self.hiding.stirred = Some(Instant::now());
        }
    }

    /// There is a newer capture.
    fn captured(&mut self) -> Option<MirrorMessage> {
        let newest = self.captures.as_mut()?.borrow_and_update().clone()?;
        let last = self.last.as_ref();
        // One from before the stream ended shows less than what was seen since.
        if last.is_some_and(|last| newest.at < last.at) {
            return None;
        }
        if !newest.changed
            && let Some(last) = last.filter(|last| last.source == StreamSource::Captures)
        {
            let again = MirrorMessage {
                at: newest.at,
                why: self.status.why,
                ..last.clone()
            };
            return (self.given.elapsed() >= STILL).then_some(again);
        }
        if newest.capture == CaptureResult::Ok && self.dark {
            // A screen that was off shows something again: a stream may, too.
            self.phone.feed().nudge();
        }
        self.dark = newest.capture == CaptureResult::Black;
        self.stale = true;
        None
    }

    /// Packs the newest picture, where that is needed and its time has come.
    fn pack(&mut self) {
        if !self.stale || self.packing.is_some() || self.hiding.hidden || Instant::now() < self.rests_until {
            return;
        }
        self.stale = false;
        self.rests_until = Instant::now() + Duration::from_secs(1) / u32::from(self.request.fps.max(1));
        let (longest_side, why) = (u32::from(self.request.longest_side), self.status.why);
        if let Some(captures) = &self.captures {
            let Some(picture) = captures.borrow().clone() else {
                return;
            };
            self.packing = Some(AbortOnDropHandle::new(tokio::task::spawn_blocking(move || {
                Some(pack::captured(&picture, longest_side, why))
            })));
        } else if let StreamConsumer::Decoded(newest) = &self.consumer {
            let glance = newest.glance();
            self.packing = Some(AbortOnDropHandle::new(tokio::task::spawn_blocking(move || {
                let (seen, frame) = glance.take()?;
                Some(pack::decoded(&seen, &frame, longest_side, why))
            })));
        }
    }

    fn time(&mut self) -> Option<MirrorMessage> {
        if self.hiding.asks_at().is_some_and(|at| at <= Instant::now()) {
            let phone = Arc::clone(&self.phone);
            self.hiding.stirred = None;
            self.hiding.asking = Some(AbortOnDropHandle::new(tokio::spawn(async move {
                phone.hides_screen().await
            })));
        }
        if !self.is_streaming() || self.given.elapsed() < STILL {
            return None;
        }
        self.last.clone()
    }

    /// The app in front hides its screen, or does no more.
    fn hides(&mut self, hidden: Option<bool>) -> Option<MirrorMessage> {
        let hidden = hidden?;
        if hidden == self.hiding.hidden || !self.is_streaming() {
            return None;
        }
        self.hiding.hidden = hidden;
        if !hidden {
            self.begin_again();
            return None;
        }
        self.packing = None;
        let last = self.last.clone()?;
        Some(MirrorMessage {
            shown: MirrorContent::Protected,
            picture: (0, 0),
            time: 0,
            ..last
        })
    }
}

impl StreamConsumer {
    async fn happens(&mut self) -> MirrorEvent {
        match self {
            Self::Encoded(reader) => MirrorEvent::StreamEvent(reader.next().await),
            Self::Decoded(newest) => {
                newest.changed().await;
                MirrorEvent::Decoded
            }
        }
    }
}

impl Hiding {
    /// When to ask next.
    fn asks_at(&self) -> Option<Instant> {
        if self.asking.is_some() {
            return None;
        }
        self.stirred.map(|at| at + STILL_AGAIN)
    }
}

/// What a task that runs came to; never when none runs.
async fn finished<T>(task: &mut Option<AbortOnDropHandle<T>>) -> Option<T> {
    let Some(running) = task else {
        return std::future::pending().await;
    };
    let done = running.await;
    *task = None;
    if let Err(error) = &done {
        tracing::error!(%error, "a mirror's task did not end well");
    }
    done.ok()
}

/// Whether there are captures still; never when there are none.
async fn changed(captures: &mut Option<watch::Receiver<Option<Arc<Picture>>>>) -> bool {
    match captures {
        Some(captures) => captures.changed().await.is_ok(),
        None => std::future::pending().await,
    }
}
