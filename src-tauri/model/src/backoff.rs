//! Whether and when to try again. Pure: the jitter comes from outside.

use crate::error::ModelError;
use std::time::Duration;

/// A server that wants to be left alone longer than this is not waited for: the person is told when.
pub(crate) const LONGEST: Duration = Duration::from_secs(60);

/// A number from 0 to 1, so that many phones on one key do not try again in step.
pub(crate) type Jitter = Box<dyn Fn() -> f64 + Send + Sync>;

/// The tries of one request.
pub(crate) struct Backoff<'a> {
    base: Duration,
    jitter: &'a Jitter,
    made: u32,
}

impl<'a> Backoff<'a> {
    pub(crate) fn new(base: Duration, jitter: &'a Jitter) -> Self {
        Self {
            base,
            jitter,
            made: 0,
        }
    }

    /// How many tries followed the first.
    pub(crate) fn made(&self) -> u32 {
        self.made
    }

    /// Another try would follow this trouble.
    pub(crate) fn has_another(&self, trouble: &ModelError) -> bool {
        self.made < trouble.retries()
    }

    /// How long to wait before the next try, or `None` to give up. Doubling, between half and all of it by the
    /// jitter, never less than the server asked for, never more than [`LONGEST`].
    pub(crate) fn next(&mut self, trouble: &ModelError) -> Option<Duration> {
        let asked = trouble.after().unwrap_or_default();
        if self.made >= trouble.retries() || asked > LONGEST {
            return None;
        }
        let doubled = self
            .base
            .saturating_mul(2_u32.saturating_pow(self.made))
            .min(LONGEST);
        self.made += 1;
        let own = doubled.mul_f64(0.5 + (self.jitter)().clamp(0.0, 1.0) / 2.0);
        Some(own.max(asked))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{ConnectionFailure, Phase, ServerMessage};

    fn check(trouble: &ModelError, jitter: f64, expected_ms: &[u64]) {
        let jitter: Jitter = Box::new(move || jitter);
        let mut backoff = Backoff::new(Duration::from_secs(1), &jitter);
        let waits: Vec<u64> = std::iter::from_fn(|| backoff.next(trouble))
            .take(20)
            .map(|wait| u64::try_from(wait.as_millis()).unwrap())
            .collect();
        assert_eq!(waits, expected_ms, "{trouble:?}");
    }

    fn busy(seconds: Option<u64>) -> ModelError {
        ModelError::Busy {
            said: ServerMessage::default(),
            after: seconds.map(Duration::from_secs),
        }
    }

    fn offline(why: ConnectionFailure) -> ModelError {
        ModelError::Offline {
            why,
            text: String::new(),
        }
    }

    #[test]
    fn waits_double_and_end() {
        check(&busy(None), 1.0, &[1_000, 2_000, 4_000, 8_000]);
        check(&busy(None), 0.0, &[500, 1_000, 2_000, 4_000]);
        check(
            &offline(ConnectionFailure::Name),
            1.0,
            &[1_000, 2_000, 4_000, 8_000],
        );
        check(
            &ModelError::Cut(String::new()),
            1.0,
            &[1_000, 2_000, 4_000, 8_000],
        );
    }

    #[test]
    fn the_server_is_heard_up_to_a_minute() {
        check(&busy(Some(3)), 1.0, &[3_000, 3_000, 4_000, 8_000]);
        check(&busy(Some(60)), 1.0, &[60_000; 4]);
        check(&busy(Some(61)), 1.0, &[]);
    }

    #[test]
    fn what_must_fail_again_is_not_tried_again() {
        let said = ServerMessage::default;
        for trouble in [
            ModelError::KeyMissing,
            ModelError::KeyCharacters,
            ModelError::KeyRefused(said()),
            ModelError::KeyForbidden(said()),
            ModelError::Quota(said()),
            ModelError::ModelMissing(said()),
            ModelError::Picture(said()),
            ModelError::Context(said()),
            ModelError::Refused(said()),
            ModelError::Length,
            ModelError::Declined(said()),
            ModelError::Filtered(said()),
            ModelError::WrongPath(said()),
            ModelError::Page(said()),
            offline(ConnectionFailure::Certificate),
            offline(ConnectionFailure::Tls),
            offline(ConnectionFailure::Roots),
        ] {
            check(&trouble, 1.0, &[]);
        }
        check(&ModelError::Slow(Phase::First), 1.0, &[1_000]);
        check(&ModelError::Empty, 1.0, &[1_000]);
    }
}
