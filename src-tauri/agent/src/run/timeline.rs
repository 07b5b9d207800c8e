//! The clock of a step: what it waited for is noted as it goes.

use crate::timing::{Span, StepTiming, Waited};
use std::time::Duration;
use tokio::time::Instant;

/// The step that is going on.
#[derive(Debug)]
pub(super) struct Timeline {
    began: Instant,
    timing: StepTiming,
}

impl Timeline {
    pub(super) fn new() -> Self {
        Self {
            began: Instant::now(),
            timing: StepTiming::default(),
        }
    }

    /// A step begins.
    pub(super) fn begin(&mut self, step: u32) {
        self.began = Instant::now();
        self.timing = StepTiming {
            step,
            ..StepTiming::default()
        };
    }

    /// Something was waited for since then, until now.
    pub(super) fn waited(&mut self, waited: Waited, since: Instant) {
        self.spent(waited, since, since.elapsed());
    }

    /// The same, for so long.
    pub(super) fn spent(&mut self, waited: Waited, since: Instant, took: Duration) {
        let from = since.saturating_duration_since(self.began);
        self.timing.spans.push(Span {
            waited,
            from_ms: milliseconds(from),
            took_ms: milliseconds(took),
        });
    }

    /// A verdict was found now.
    pub(super) fn judged(&mut self) {
        self.timing.judged_ms = Some(milliseconds(self.began.elapsed()));
    }

    /// The step is over; none where none had begun.
    pub(super) fn end(&mut self) -> Option<StepTiming> {
        let mut timing = std::mem::take(&mut self.timing);
        timing.took_ms = milliseconds(self.began.elapsed());
        (timing.step > 0).then_some(timing)
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_step_tells_its_moments_in_order() {
        let mut timeline = Timeline::new();
        assert_eq!(timeline.end(), None, "no step had begun");
        timeline.begin(3);
        let began = Instant::now();
        let after = |ms| began + Duration::from_millis(ms);
        timeline.spent(Waited::Picture, began, Duration::from_millis(300));
        timeline.spent(Waited::Tree, after(300), Duration::from_millis(2000));
        timeline.spent(Waited::Model, after(300), Duration::from_millis(3000));
        timeline.spent(Waited::Input, after(3300), Duration::from_millis(60));
        timeline.spent(Waited::Rest, after(3360), Duration::from_millis(400));
        tokio::time::advance(Duration::from_millis(3800)).await;
        let timing = timeline.end().unwrap_or_default();
        let expected = [
            ("looked", 300),
            ("sent", 300),
            ("answered", 3300),
            ("acted", 3360),
            ("rested", 3760),
        ];
        assert_eq!((timing.step, timing.took_ms), (3, 3800));
        assert_eq!(timing.moments(), expected);
    }
}
