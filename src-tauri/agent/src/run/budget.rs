//! What a run may cost before the person is asked whether to go on: steps, minutes in which it was active, money of a day.

use protocol::{LimitKind, Limits};
use std::time::Duration;
use tokio::time::Instant;

/// The run's steps and its clock.
#[derive(Debug)]
pub(super) struct Budget {
    limits: Limits,
    step: u32,
    steps: u32,
    minutes: u32,
    /// Active since then; absent while it rests.
    since: Option<Instant>,
    /// Active before.
    before: Duration,
}

impl Budget {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            step: 0,
            steps: limits.steps,
            minutes: limits.minutes,
            since: Some(Instant::now()),
            before: Duration::ZERO,
        }
    }

    /// The step that is being done, from 1; 0 before the first.
    pub(super) fn step(&self) -> u32 {
        self.step
    }

    /// Steps until the person is asked.
    pub(super) fn steps(&self) -> u32 {
        self.steps
    }

    /// The next step begins.
    pub(super) fn begin_step(&mut self) {
        self.step += 1;
    }

    /// Which limit is reached, of steps and minutes.
    pub(super) fn reached(&self) -> Option<LimitKind> {
        if self.step >= self.steps {
            return Some(LimitKind::Steps);
        }
        let active = self.since.map_or(Duration::ZERO, |since| since.elapsed());
        (self.before + active >= minutes(self.minutes)).then_some(LimitKind::Minutes)
    }

    /// Whether so many dollars of one day are too many.
    pub(super) fn is_spent(&self, dollars: f64) -> bool {
        self.limits.pause_at_limit && dollars >= self.limits.dollars_a_day && dollars > 0.0
    }

    /// Other limits hold from now on; what the person let it have beyond the first ones stays.
    pub(super) fn follow(&mut self, limits: Limits) {
        let (steps, minutes) = (self.limits.steps, self.limits.minutes);
        self.steps = self.steps.saturating_sub(steps).saturating_add(limits.steps);
        self.minutes = self
            .minutes
            .saturating_sub(minutes)
            .saturating_add(limits.minutes);
        self.limits = limits;
    }

    /// The clock stands still.
    pub(super) fn rest(&mut self) {
        if let Some(since) = self.since.take() {
            self.before += since.elapsed();
        }
    }

    /// The clock goes on.
    pub(super) fn go_on(&mut self) {
        self.since = Some(Instant::now());
    }

    /// A limit that was reached begins anew: the person saw it and went on.
    pub(super) fn extend(&mut self) {
        if self.step >= self.steps {
            self.steps = self.step.saturating_add(self.limits.steps);
        }
        if self.before >= minutes(self.minutes) {
            self.minutes = self.minutes.saturating_add(self.limits.minutes);
        }
    }
}

fn minutes(n: u32) -> Duration {
    Duration::from_secs(u64::from(n) * 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn check(steps: u32, active: u64, expected: [Option<LimitKind>; 2]) {
        let mut budget = Budget::new(Limits {
            steps: 2,
            minutes: 10,
            ..Limits::default()
        });
        for _ in 0..steps {
            budget.begin_step();
        }
        tokio::time::advance(minutes(1) * u32::try_from(active).unwrap_or(0)).await;
        let before = budget.reached();
        budget.rest();
        // What is waited does not count.
        tokio::time::advance(Duration::from_secs(86_400)).await;
        budget.go_on();
        assert_eq!(budget.reached(), before, "going on alone gives nothing");
        budget.extend();
        assert_eq!(
            [before, budget.reached()],
            expected,
            "{steps} steps, {active} minutes"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_limit_is_reached_once_and_begins_anew() {
        check(1, 9, [None, None]).await;
        check(2, 0, [Some(LimitKind::Steps), None]).await;
        check(1, 10, [Some(LimitKind::Minutes), None]).await;
        check(3, 25, [Some(LimitKind::Steps), Some(LimitKind::Minutes)]).await;
    }
}
