//! A phone's time.
//!
//! Everything a phone does takes its time, counted in tokio's clock (so a paused clock works). At [`Speed::Instant`]
//! nobody waits: the phone's own clock jumps over what the work would have taken, so gestures keep their speed and
//! animations their end.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::Instant;

/// How long a phone takes for what it does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speed {
    /// As long as a real one: [`Times`].
    #[default]
    Phone,
    /// No time at all: for tests and benchmarks. What is asked for in so many words (`sleep 5`) still takes its time.
    Instant,
}

/// What a phone's larger pieces of work take at [`Speed::Phone`] with Android 14, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// A raw capture.
    pub capture: u64,
    /// A capture packed as PNG.
    pub png: u64,
    /// `input`: to the system server, until it has delivered the event, and back; its shell's own start comes on top.
    pub input: u64,
    /// `uiautomator dump`: most of it is starting a virtual machine, and a second without a change.
    pub dump: u64,
    /// One tree of a reader that stays.
    pub tree: u64,
}

impl Default for Times {
    fn default() -> Self {
        Self {
            capture: 400,
            png: 700,
            input: 68,
            dump: 2150,
            tree: 200,
        }
    }
}

/// The phone was switched on this long before anybody met it.
const BOOT: Duration = Duration::from_secs(2 * 3600 + 17 * 60);

/// How many times as long work takes as with Android 14: with an older Android the phone around it is older, too. Estimated.
fn pace(sdk: u32) -> f64 {
    match sdk {
        ..=27 => 2.0,
        28 => 1.8,
        29 => 1.6,
        30 => 1.4,
        31..=32 => 1.2,
        33 => 1.1,
        34 => 1.0,
        35 => 0.95,
        _ => 0.9,
    }
}

/// One phone's clock.
#[derive(Debug)]
pub(crate) struct Clock {
    start: Instant,
    born: Duration,
    speed: Speed,
    times: Times,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    skipped: Duration,
    slowness: f64,
    /// How many times as long work takes on this phone, whatever is wrong with it.
    pace: f64,
    /// Seconds the time of day is wrong by.
    skew: i32,
}

impl Clock {
    /// A clock that starts now, at the time of day `born`, in a phone with such an API level.
    pub(crate) fn new(speed: Speed, times: Times, born: SystemTime, sdk: u32) -> Self {
        Self {
            start: Instant::now(),
            born: born.duration_since(UNIX_EPOCH).unwrap_or_default(),
            speed,
            times,
            state: Mutex::new(State {
                skipped: Duration::ZERO,
                slowness: 1.0,
                pace: pace(sdk),
                skew: 0,
            }),
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What its larger pieces of work take.
    pub(crate) fn times(&self) -> Times {
        self.times
    }

    /// Time since the clock was made.
    pub(crate) fn now(&self) -> Duration {
        self.start.elapsed() + self.state().skipped
    }

    /// Time since the phone was switched on.
    pub(crate) fn uptime(&self) -> Duration {
        self.now() + BOOT
    }

    /// Time since 1970 (UTC).
    pub(crate) fn wall(&self) -> Duration {
        let right = self.born + self.now();
        let skew = self.state().skew;
        let by = Duration::from_secs(u64::from(skew.unsigned_abs()));
        if skew < 0 {
            right.saturating_sub(by)
        } else {
            right + by
        }
    }

    /// Makes the time of day wrong by so many seconds.
    pub(crate) fn set_skew(&self, seconds: i32) {
        self.state().skew = seconds;
    }

    /// Makes every piece of work take `factor` times as long.
    pub(crate) fn set_slowness(&self, factor: f64) {
        self.state().slowness = factor.clamp(0.01, 1000.0);
    }

    /// Spends the time a piece of the phone's own work takes.
    pub(crate) async fn work(&self, millis: u64) {
        let factor = {
            let state = self.state();
            state.slowness * state.pace
        };
        self.spend(Duration::from_millis(millis).mul_f64(factor)).await;
    }

    /// Spends the time of a gesture: as long as was asked for, at any slowness.
    pub(crate) async fn spend(&self, time: Duration) {
        match self.speed {
            Speed::Phone => tokio::time::sleep(time).await,
            Speed::Instant => {
                self.state().skipped += time;
                tokio::task::yield_now().await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn work_takes_its_time_and_slowness_multiplies_it() {
        let clock = Clock::new(Speed::Phone, Times::default(), UNIX_EPOCH, 34);
        clock.work(80).await;
        assert_eq!(clock.now(), Duration::from_millis(80));
        clock.set_slowness(2.0);
        clock.work(80).await;
        assert_eq!(clock.now(), Duration::from_millis(240));
    }

    #[tokio::test(start_paused = true)]
    async fn the_older_the_android_the_longer_the_same_takes() {
        let mut before = Duration::MAX;
        for sdk in [26, 28, 29, 30, 31, 33, 34, 35, 36] {
            let clock = Clock::new(Speed::Phone, Times::default(), UNIX_EPOCH, sdk);
            clock.work(400).await;
            let took = clock.now();
            assert!(took < before, "{sdk}: {took:?}");
            before = took;
            // A gesture takes as long as it was asked to.
            clock.spend(Duration::from_millis(300)).await;
            assert_eq!(clock.now(), took + Duration::from_millis(300));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_instant_phone_jumps_over_the_time_without_waiting() {
        let clock = Clock::new(Speed::Instant, Times::default(), UNIX_EPOCH, 34);
        let before = Instant::now();
        clock.work(2200).await;
        clock.spend(Duration::from_millis(300)).await;
        assert_eq!(before.elapsed(), Duration::ZERO);
        assert_eq!(clock.now(), Duration::from_millis(2500));
        assert_eq!(clock.wall(), Duration::from_millis(2500));
    }
}
