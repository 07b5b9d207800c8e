//! Live pictures on their way to the window: one task a mirror, little on the way at a time, newest only.
//!
//! The channel has no back-pressure of its own, so the page acknowledges what it drew or dropped, and no more is sent than
//! it can have in hand: one picture, or a few units of a stream. A page that falls behind skips, it does not queue.

mod message;

use crate::page_streams::PageStreams;
use engine::{Mirror, MirrorContent, StreamRequest};
use std::collections::VecDeque;
use std::time::Duration;
use tauri::ipc::{Channel, InvokeResponseBody};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

/// A page that has not acknowledged for so long has lost a message: it begins again.
const ACK_TIMEOUT: Duration = Duration::from_secs(5);
/// Units of a stream on the way at most, and for how long.
const UNITS: usize = 8;
const LONGEST: Duration = Duration::from_secs(1);

/// Every mirror of every window.
#[derive(Default)]
pub struct Mirrors(PageStreams<mpsc::UnboundedSender<MirrorCommand>>);

/// What the page wants of a mirror that runs.
enum MirrorCommand {
    Key,
    Aim(StreamRequest),
}

impl Mirrors {
    /// Sends a mirror's pictures through a channel until it is stopped; gives its number.
    pub fn start(&self, window: &str, mirror: Mirror, channel: Channel<InvokeResponseBody>) -> u32 {
        let (commands, received) = mpsc::unbounded_channel();
        self.0
            .start(window, commands, |acks| send(mirror, channel, acks, received))
    }

    /// The page drew a picture, or dropped it on purpose.
    pub fn ack(&self, mirror: u32, seq: u32) {
        self.0.ack(mirror, seq);
    }

    /// The page's decoder lost its way.
    pub fn key(&self, mirror: u32) {
        self.send_command(mirror, MirrorCommand::Key);
    }

    /// The page wants another size or rate.
    pub fn aim(&self, mirror: u32, wish: StreamRequest) {
        self.send_command(mirror, MirrorCommand::Aim(wish));
    }

    fn send_command(&self, mirror: u32, command: MirrorCommand) {
        // A mirror that is over has nothing to begin again.
        self.0.with(mirror, |commands| drop(commands.send(command)));
    }

    /// The page looks away.
    pub fn stop(&self, mirror: u32) {
        self.0.stop(mirror);
    }

    /// A window's page was loaded anew, or is gone: what it looked at is over.
    pub fn stop_of(&self, window: &str) {
        self.0.stop_of(window);
    }
}

/// Sends until the page or the phone is gone.
async fn send(
    mut mirror: Mirror,
    channel: Channel<InvokeResponseBody>,
    mut acks: watch::Receiver<u32>,
    mut received: mpsc::UnboundedReceiver<MirrorCommand>,
) {
    let mut seq = 0_u32;
    let mut in_flight = InFlightMessages::default();
    loop {
        in_flight.acknowledged(*acks.borrow_and_update());
        let room = in_flight.has_room(Instant::now());
        tokio::select! {
            biased;
            command = received.recv() => match command {
                Some(MirrorCommand::Key) => {
                    in_flight = InFlightMessages::default();
                    mirror.begin_again();
                }
                Some(MirrorCommand::Aim(wish)) => mirror.aim(wish),
                None => return,
            },
            acked = acks.changed() => if acked.is_err() { return },
            message = mirror.next(), if room => {
                let Some(message) = message else { return };
                seq = seq.wrapping_add(1);
                in_flight.sent(seq, &message.shown, Instant::now());
                if channel.send(InvokeResponseBody::Raw(message::bytes(seq, &message))).is_err() {
                    return;
                }
            }
            () = sleep_until(in_flight.given_up()), if !room => {
                tracing::debug!("a mirror's page lost a message");
                in_flight = InFlightMessages::default();
                mirror.begin_again();
            }
        }
    }
}

/// What was sent and not acknowledged.
#[derive(Debug, Default)]
struct InFlightMessages {
    units: VecDeque<(u32, Instant)>,
    picture: Option<(u32, Instant)>,
}

impl InFlightMessages {
    fn sent(&mut self, seq: u32, shown: &MirrorContent, now: Instant) {
        match shown {
            MirrorContent::Unit { .. } => self.units.push_back((seq, now)),
            // What says in words what there is to see is small, but is acknowledged like a picture.
            MirrorContent::Jpeg(_) => self.picture = Some((seq, now)),
            MirrorContent::Configuration(_)
            | MirrorContent::Still
            | MirrorContent::Black
            | MirrorContent::Protected
            | MirrorContent::Failed => {}
        }
    }

    /// Everything up to this one is done with.
    fn acknowledged(&mut self, acked: u32) {
        while self.units.front().is_some_and(|(seq, _)| *seq <= acked) {
            self.units.pop_front();
        }
        self.picture = self.picture.filter(|(seq, _)| *seq > acked);
    }

    /// Whether more may be sent.
    fn has_room(&self, now: Instant) -> bool {
        let quick = |since: Instant| now.duration_since(since) < LONGEST;
        self.picture.is_none()
            && self.units.len() < UNITS
            && self.units.front().is_none_or(|(_, since)| quick(*since))
    }

    /// When it is no use to wait any longer.
    fn given_up(&self) -> Instant {
        let oldest = self.units.front().copied().into_iter().chain(self.picture);
        oldest.map(|(_, since)| since).min().unwrap_or_else(Instant::now) + ACK_TIMEOUT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit() -> MirrorContent {
        MirrorContent::Unit {
            key: false,
            data: Default::default(),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn eight_units_are_on_the_way_at_most() {
        let mut in_flight = InFlightMessages::default();
        let now = Instant::now();
        for seq in 1..=8 {
            assert!(in_flight.has_room(now), "{seq}");
            in_flight.sent(seq, &unit(), now);
        }
        assert!(!in_flight.has_room(now));
        assert_eq!(in_flight.given_up(), now + ACK_TIMEOUT);
        in_flight.acknowledged(2);
        assert!(in_flight.has_room(now));
        in_flight.acknowledged(8);
        assert!(in_flight.units.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn none_is_on_the_way_longer_than_a_second() {
        let mut in_flight = InFlightMessages::default();
        let start = Instant::now();
        in_flight.sent(1, &unit(), start);
        assert!(in_flight.has_room(start + LONGEST / 2));
        assert!(!in_flight.has_room(start + LONGEST));
        in_flight.sent(2, &unit(), start + LONGEST / 2);
        in_flight.acknowledged(1);
        assert!(in_flight.has_room(start + LONGEST));
    }

    #[tokio::test(start_paused = true)]
    async fn one_picture_is_on_the_way_at_a_time() {
        let mut in_flight = InFlightMessages::default();
        let now = Instant::now();
        in_flight.sent(1, &MirrorContent::Jpeg(Default::default()), now);
        assert!(!in_flight.has_room(now));
        in_flight.acknowledged(1);
        assert!(in_flight.has_room(now));
        // What has no picture needs no room.
        for (seq, shown) in [
            (2, MirrorContent::Black),
            (3, MirrorContent::Still),
            (4, MirrorContent::Failed),
        ] {
            in_flight.sent(seq, &shown, now);
            assert!(in_flight.has_room(now));
        }
    }
}
