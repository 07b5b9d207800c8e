//! The newest picture of a phone's stream as pixels: a decoder kept fed, and a picture made of it when somebody asks.

use super::packet::{Content, Packet, StreamRequest, StreamSource, StreamStatus};
use super::reader::{Feed, Reader, RequestHandle, StreamEvent};
use protocol::{Frame, Millis};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::task::AbortOnDropHandle;
use video::decode::Decoder;

/// What is known of the newest picture without looking at it.
#[derive(Clone, Debug)]
pub struct PictureInfo {
    /// Counts the pictures decoded here, from 1.
    pub seq: u64,
    /// When it arrived at this computer.
    pub at: Millis,
    /// The same, for comparing with what was done.
    pub arrived: Instant,
    /// Pixels of the picture.
    pub picture: (u16, u16),
    /// Pixels of the phone's screen as it is turned; (0, 0) where not known.
    pub screen: (u16, u16),
    /// The source it came by.
    pub source: StreamSource,
    /// When the last key frame arrived, this one or one before it.
    pub keyed: Option<Instant>,
}

/// A way to the newest picture, to be taken where waiting is allowed.
#[derive(Clone)]
pub struct PictureHandle {
    decoder: Arc<Mutex<Decoder>>,
    seen: watch::Receiver<Option<PictureInfo>>,
}

impl PictureHandle {
    /// The newest picture as pixels. Takes milliseconds.
    #[must_use]
    pub fn take(&self) -> Option<(PictureInfo, Frame)> {
        // While the decoder is held, what is known of its picture does not change.
        let decoder = self.decoder.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = self.seen.borrow().clone()?;
        let picture = decoder.picture()?;
        let frame = Frame {
            width: picture.width,
            height: picture.height,
            rgba: picture.rgba,
        };
        Some((seen, frame))
    }

    /// The same for whoever cannot wait there.
    pub(crate) async fn taken(&self) -> Option<(PictureInfo, Frame)> {
        let glance = self.clone();
        let taken = tokio::task::spawn_blocking(move || glance.take()).await;
        taken.ok().flatten()
    }

    /// Returns when there is a newer picture than the one waited for before; false when there will be none.
    pub(crate) async fn changed(&mut self) -> bool {
        self.seen.changed().await.is_ok()
    }
}

/// Keeps a decoder fed with a phone's stream for as long as it lives. Decoding goes on in the background; a picture is
/// made of what was decoded last only when it is asked for.
pub struct NewestPicture {
    glance: PictureHandle,
    status: watch::Receiver<StreamStatus>,
    request: RequestHandle,
    made: Option<(u64, Frame)>,
    _task: AbortOnDropHandle<()>,
}

impl NewestPicture {
    /// Begins to look. Must be called within a tokio runtime.
    #[must_use]
    pub fn of(feed: &Feed, request: StreamRequest) -> Self {
        Self::reading(feed, feed.watch(request))
    }

    /// The same for whoever compares its pictures with one another.
    #[must_use]
    pub(crate) fn exact(feed: &Feed, request: StreamRequest) -> Self {
        Self::reading(feed, feed.look(request, true))
    }

    fn reading(feed: &Feed, reader: Reader) -> Self {
        let decoder = Arc::new(Mutex::new(Decoder::default()));
        let (seen, see) = watch::channel(None);
        let (status, stands) = watch::channel(feed.status());
        let request = reader.request_handle();
        let task = tokio::spawn(follow(reader, Arc::clone(&decoder), seen, status));
        Self {
            glance: PictureHandle { decoder, seen: see },
            status: stands,
            request,
            made: None,
            _task: AbortOnDropHandle::new(task),
        }
    }

    /// It wants something else from now on.
    pub fn aim(&self, request: StreamRequest) {
        self.request.change(request);
    }

    /// Asks for a key frame, which a living stream sends although nothing changed; false where it cannot be asked for one.
    #[must_use]
    pub fn ask_for_key(&self) -> bool {
        let can = self
            .seen()
            .is_some_and(|seen| seen.source == StreamSource::Scrcpy);
        if can {
            self.request.want_key();
        }
        can
    }

    /// A way to the newest picture that outlives a call.
    #[must_use]
    pub fn glance(&self) -> PictureHandle {
        self.glance.clone()
    }

    /// How the stream is now.
    #[must_use]
    pub fn status(&self) -> StreamStatus {
        *self.status.borrow()
    }

    /// What is known of the newest picture; nothing before the first, and nothing while there is no stream.
    #[must_use]
    pub fn seen(&self) -> Option<PictureInfo> {
        self.glance.seen.borrow().clone()
    }

    /// Returns when there is a newer picture than the one seen before, or how the stream is has changed.
    pub async fn changed(&mut self) {
        tokio::select! {
            changed = self.glance.seen.changed() => if changed.is_err() { std::future::pending::<()>().await },
            changed = self.status.changed() => if changed.is_err() { std::future::pending::<()>().await },
        }
    }

    /// The newest picture as pixels; nothing where [`NewestPicture::seen`] gives nothing. The same picture is made once.
    pub async fn frame(&mut self) -> Option<(PictureInfo, Frame)> {
        let seen = self.seen()?;
        if let Some((seq, frame)) = &self.made
            && *seq == seen.seq
        {
            return Some((seen, frame.clone()));
        }
        let (seen, frame) = self.glance.taken().await?;
        self.made = Some((seen.seq, frame.clone()));
        Some((seen, frame))
    }
}

async fn follow(
    mut reader: Reader,
    decoder: Arc<Mutex<Decoder>>,
    seen: watch::Sender<Option<PictureInfo>>,
    status: watch::Sender<StreamStatus>,
) {
    let mut count = 0;
    loop {
        // All that is there in one go: a thread is not started for each picture of a burst.
        let mut packets = Vec::new();
        let mut told = Some(reader.next().await);
        while let Some(one) = told {
            match one {
                StreamEvent::Status(now) => {
                    status.send_replace(now);
                    if now.source == Some(StreamSource::Captures) {
                        packets.clear();
                        seen.send_replace(None);
                    }
                }
                StreamEvent::Packet(packet) => packets.push(packet),
            }
            told = reader.poll();
        }
        let feeding = Arc::clone(&decoder);
        let telling = seen.clone();
        let fed = tokio::task::spawn_blocking(move || feed(&feeding, &packets, count, &telling)).await;
        match fed {
            Ok((newest, whole)) => {
                count = newest;
                if !whole {
                    reader.begin_again();
                }
            }
            Err(error) => tracing::error!(%error, "decoding did not end well"),
        }
    }
}

/// Decodes packets; the number of the newest picture, and whether all could be read.
fn feed(
    decoder: &Mutex<Decoder>,
    packets: &[Arc<Packet>],
    count: u64,
    seen: &watch::Sender<Option<PictureInfo>>,
) -> (u64, bool) {
    let mut decoder = decoder.lock().unwrap_or_else(PoisonError::into_inner);
    let mut count = count;
    for packet in packets {
        match &packet.content {
            Content::Configuration(configuration) => decoder.configure(configuration),
            Content::Unit(sample) => match decoder.decode(sample) {
                Ok(true) => {
                    count += 1;
                    let before = || seen.borrow().as_ref().and_then(|seen| seen.keyed);
                    let keyed = if packet.is_key() {
                        Some(packet.arrived)
                    } else {
                        before()
                    };
                    // While the decoder is held, so that it and what is known of it are of one picture.
                    seen.send_replace(Some(PictureInfo {
                        seq: count,
                        at: packet.at,
                        arrived: packet.arrived,
                        picture: packet.picture,
                        screen: packet.screen,
                        source: packet.source,
                        keyed,
                    }));
                }
                Ok(false) => {}
                Err(error) => {
                    tracing::debug!(%error, "a picture of the stream could not be decoded");
                    return (count, false);
                }
            },
        }
    }
    (count, true)
}
