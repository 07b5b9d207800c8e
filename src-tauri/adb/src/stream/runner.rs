//! The one task of a phone's stream: which source, when another session, what is told to all.

use super::outlet::{SessionEnd, SessionEvent, SessionStart};
use super::packet::{Content, FallbackReason, Packet, StreamRequest, StreamSource, StreamStatus};
use super::request::RestartPolicy;
use super::screen;
use super::session::Session;
use super::shared::Shared;
use super::source_fallback::SourceFallback;
use crate::error::AdbError;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};
use tokio_util::task::AbortOnDropHandle;

/// How long after the last reader the stream goes on: whoever looks again soon finds it running.
const LINGER: Duration = Duration::from_secs(3);
/// How long no stream may be running before captures are told to be the source.
const NO_STREAM_TIMEOUT: Duration = Duration::from_millis(1500);
/// A phone that is not there is tried again after so long, then after twice as long each time.
const SOONEST: Duration = Duration::from_millis(500);
const LATEST: Duration = Duration::from_secs(2);
/// Between two sessions that only replace one that still runs: where it asks for that, and where readers do.
const RENEWALS_APART: Duration = Duration::from_secs(1);
const WISHES_APART: Duration = Duration::from_secs(3);
/// A successor that sends nothing for so long is given up. Longer than any session takes for its own troubles.
const SUCCEEDS: Duration = Duration::from_secs(25);

/// Follows one phone's stream until nobody looks any more.
pub(super) struct Runner {
    shared: Arc<Shared>,
    fallback: SourceFallback,
    restart_policy: RestartPolicy,
    /// The session whose pictures are shown.
    current: Option<Session>,
    /// The one that is to take its place.
    successor: Option<Session>,
    /// The current session said that it needs one.
    renew: bool,
    /// A reader needs a key frame, which the current session cannot be asked for.
    key_missing: bool,
    renewed: Option<Instant>,
    /// Since when there is no current session.
    without: Instant,
    /// Since when nobody looks.
    unwanted: Option<Instant>,
    /// The phone cannot be reached: not before this moment; and how often it could not.
    away: Option<(Instant, u32)>,
    /// Pixels of the current session's picture.
    picture: (u16, u16),
    screen: Option<(u16, u16)>,
    looking: Option<AbortOnDropHandle<Option<screen::Screen>>>,
}

/// Which session an event is of.
enum RunnerEvent {
    Current(SessionEvent),
    Successor(SessionEvent),
    Screen(Option<screen::Screen>),
    Asked,
    Time,
}

/// However it ends, the next reader must find that it did.
struct Stopped(Option<Arc<Shared>>);

impl Drop for Stopped {
    fn drop(&mut self) {
        if let Some(shared) = &self.0 {
            shared.stopped();
        }
    }
}

impl Runner {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self {
            shared,
            fallback: SourceFallback::default(),
            restart_policy: RestartPolicy::default(),
            current: None,
            successor: None,
            renew: false,
            key_missing: false,
            renewed: None,
            without: Instant::now(),
            unwanted: None,
            away: None,
            picture: (0, 0),
            screen: None,
            looking: None,
        }
    }

    pub(super) async fn run(mut self) {
        let mut stopped = Stopped(Some(Arc::clone(&self.shared)));
        loop {
            let wanted = self.shared.wanted();
            if wanted.is_none() {
                let since = *self.unwanted.get_or_insert_with(Instant::now);
                if since.elapsed() >= LINGER && self.shared.stop_if_unwanted() {
                    // Another may be running by now.
                    stopped.0 = None;
                    return;
                }
            } else {
                self.unwanted = None;
            }
            if self.shared.takes_nudge() && self.current.is_none() {
                self.fallback.forget();
                self.away = None;
            }
            let wakes = self.decide(wanted);
            self.stand();
            match self.happens(wakes).await {
                RunnerEvent::Current(event) => self.current_says(event),
                RunnerEvent::Successor(event) => self.successor_says(event),
                RunnerEvent::Screen(looked) => {
                    self.screen = looked.map(screen::Screen::turned).or(self.screen);
                }
                RunnerEvent::Asked | RunnerEvent::Time => {}
            }
        }
    }

    /// Starts what is to be started; when to look again although nothing happens.
    fn decide(&mut self, wanted: Option<StreamRequest>) -> Option<Instant> {
        let now = Instant::now();
        let key_wanted = self.shared.takes_key_wanted();
        let Some(wanted) = wanted else {
            return self.unwanted.map(|since| since + LINGER);
        };
        if key_wanted {
            self.key_missing |= self
                .current
                .as_ref()
                .is_some_and(|current| !current.ask_for_key());
        }
        if let Some(successor) = &self.successor {
            return Some(successor.since + SUCCEEDS);
        }
        if let Some((until, _)) = self.away
            && now < until
        {
            return Some(until);
        }
        let best = self.fallback.best(now);
        let Some(current) = &self.current else {
            let Some(source) = best else {
                return self.fallback.next(None, now);
            };
            self.succeed(source, wanted);
            return Some(self.without + NO_STREAM_TIMEOUT).filter(|at| *at > now);
        };
        let source = current.source;
        if let Some(better) = best.filter(|best| *best > source) {
            self.succeed(better, wanted);
            return None;
        }
        let coarse = !current.exact && self.shared.is_compared() && self.shared.route.device().has_cable();
        let other = coarse
            || self
                .restart_policy
                .needs_another(current.request, wanted, self.screen, now);
        // What readers want may change from moment to moment; what a session says of itself does not.
        let apart = if self.renew { RENEWALS_APART } else { WISHES_APART };
        let wanted_anew = self.renew || self.key_missing || other;
        let rested = self.renewed.map_or(now, |last| last + apart);
        if wanted_anew && rested <= now {
            self.renewed = Some(now);
            self.succeed(source, wanted);
            return None;
        }
        [
            wanted_anew.then_some(rested),
            self.restart_policy.next(),
            self.fallback.next(Some(source), now),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    fn succeed(&mut self, source: StreamSource, request: StreamRequest) {
        self.renew = false;
        self.key_missing = false;
        tracing::debug!(?source, ?request, "a stream is started");
        self.successor = Some(Session::start(
            source,
            SessionStart {
                device: self.shared.route.device(),
                request,
                exact: self.shared.is_compared(),
                screen: self.screen,
                scrcpy: Arc::clone(&self.shared.scrcpy),
                silence: Arc::clone(&self.shared.silence),
            },
        ));
    }

    /// Tells how the stream is.
    fn stand(&self) {
        let status = match &self.current {
            Some(current) => StreamStatus {
                source: Some(current.source),
                why: self.fallback.why(current.source),
            },
            // One that was there may be back before anybody misses it.
            None if self.successor.is_some() && self.without.elapsed() < NO_STREAM_TIMEOUT => return,
            None => StreamStatus {
                source: Some(StreamSource::Captures),
                why: self.fallback.why(StreamSource::Captures),
            },
        };
        self.shared.stand(status);
    }

    async fn happens(&mut self, wakes: Option<Instant>) -> RunnerEvent {
        let waits_for_captures = self.current.is_none() && self.without.elapsed() < NO_STREAM_TIMEOUT;
        let told = waits_for_captures.then(|| self.without + NO_STREAM_TIMEOUT);
        let wakes = [wakes, told, self.unwanted.map(|since| since + LINGER)]
            .into_iter()
            .flatten()
            .min();
        tokio::select! {
            biased;
            event = next(&mut self.current) => RunnerEvent::Current(event),
            event = next(&mut self.successor) => RunnerEvent::Successor(event),
            looked = looked(&mut self.looking) => RunnerEvent::Screen(looked),
            () = self.shared.asked() => RunnerEvent::Asked,
            () = sleep_until(wakes.unwrap_or_else(Instant::now)), if wakes.is_some() => {
                if self.successor.as_ref().is_some_and(|one| one.since.elapsed() >= SUCCEEDS) {
                    let error = AdbError::Slow("a stream".to_owned());
                    let end = SessionEnd::new(FallbackReason::NoStream, error);
                    return RunnerEvent::Successor(SessionEvent::Ended(end));
                }
                RunnerEvent::Time
            }
        }
    }

    fn current_says(&mut self, event: SessionEvent) {
        let Some(current) = &self.current else { return };
        let (source, lived) = (current.source, current.since.elapsed());
        match event {
            SessionEvent::Picture { .. } => self.show(source, event),
            SessionEvent::Screen(size) => self.screen = Some(size),
            SessionEvent::Renew => self.renew = true,
            SessionEvent::Ended(end) => {
                self.current = None;
                self.renewed = None;
                self.without = Instant::now();
                self.shared.clear();
                self.failed(source, &end, lived);
            }
        }
    }

    fn successor_says(&mut self, event: SessionEvent) {
        let Some(successor) = &self.successor else { return };
        let (source, lived) = (successor.source, successor.since.elapsed());
        match event {
            // Sessions give nothing out before their first key frame.
            SessionEvent::Picture { .. } => {
                self.current = self.successor.take();
                // Whatever was wanted of the one before it.
                self.renew = false;
                self.key_missing = false;
                self.away = None;
                self.fallback.stood(source);
                self.shared.clear();
                // First how the stream is, then what it shows.
                self.stand();
                self.show(source, event);
            }
            SessionEvent::Screen(size) => self.screen = Some(size),
            SessionEvent::Renew => {
                self.successor = None;
                self.renew |= self.current.is_some();
            }
            SessionEvent::Ended(end) => {
                self.successor = None;
                if self
                    .current
                    .as_ref()
                    .is_some_and(|current| current.source == source)
                {
                    // What runs, runs; it will be tried again when it is asked for again.
                    tracing::debug!(?source, error = %end.error, "no stream to go on with");
                    self.renewed = Some(Instant::now() + WISHES_APART);
                    self.renew = true;
                    return;
                }
                self.failed(source, &end, lived);
            }
        }
    }

    fn failed(&mut self, source: StreamSource, end: &SessionEnd, lived: Duration) {
        let now = Instant::now();
        tracing::info!(?source, why = ?end.why, error = %end.error, "a stream ended");
        if end.error.is_unreachable() {
            // The phone, not the source. When it is back it may be another one.
            let times = self.away.map_or(0, |(_, times)| times + 1);
            let wait = (SOONEST * 2_u32.saturating_pow(times)).min(LATEST);
            self.away = Some((now + wait, times));
            self.fallback.forget();
            return;
        }
        self.fallback.failed(source, end.why, lived, now);
    }

    /// Shows a picture to all.
    fn show(&mut self, source: StreamSource, event: SessionEvent) {
        let SessionEvent::Picture {
            configuration,
            sample,
            time,
            at,
            arrived,
        } = event
        else {
            return;
        };
        if let Some(told) = &configuration {
            self.picture = (told.width, told.height);
        }
        let picture = self.picture;
        if configuration.is_some() && self.screen.is_none_or(|screen| !screen::is_of(screen, picture)) {
            // A foldable was opened, or nobody has asked yet.
            let device = self.shared.route.device();
            self.looking = Some(AbortOnDropHandle::new(tokio::spawn(async move {
                screen::look(&device).await
            })));
        }
        let packet = |content| Packet {
            content,
            time,
            at,
            arrived,
            picture,
            screen: self
                .screen
                .map(|screen| screen::turned_as(screen, picture))
                .unwrap_or_default(),
            source,
            why: self.fallback.why(source),
        };
        let configuration = configuration.map(|told| packet(Content::Configuration(told)));
        let unit = packet(Content::Unit(sample));
        self.shared.push(configuration, unit);
    }
}

/// What a session says next; never anything when there is none.
async fn next(session: &mut Option<Session>) -> SessionEvent {
    let Some(session) = session else {
        return std::future::pending().await;
    };
    session.events.recv().await.unwrap_or_else(|| {
        let error = AdbError::Internal("a stream ended without a word".to_owned());
        SessionEvent::Ended(SessionEnd::new(FallbackReason::Ended, error))
    })
}

async fn looked(looking: &mut Option<AbortOnDropHandle<Option<screen::Screen>>>) -> Option<screen::Screen> {
    let Some(handle) = looking else {
        return std::future::pending().await;
    };
    let found = handle.await;
    *looking = None;
    found.ok().flatten()
}
