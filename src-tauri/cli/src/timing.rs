//! `deck run --timing`: where each step's time went, a line a step on standard error.

use crate::say;
use engine::timing::StepTiming;
use std::fmt::Write as _;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

/// What is told of each step's time, as long as the run tells it; nothing where nobody asked.
pub(crate) struct Timings(Option<broadcast::Receiver<StepTiming>>);

impl Timings {
    pub(crate) fn of(told: Option<broadcast::Receiver<StepTiming>>) -> Self {
        Self(told)
    }

    pub(crate) fn are_told(&self) -> bool {
        self.0.is_some()
    }

    /// Prints the next step's line once it is told. What fell behind is not missed.
    pub(crate) async fn tell_next(&mut self) {
        let Some(told) = &mut self.0 else { return };
        match told.recv().await {
            Ok(timing) => say::note(&line(&timing)),
            Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => self.0 = None,
        }
    }

    /// Prints what was told and not printed yet.
    pub(crate) fn tell_rest(&mut self) {
        let Some(told) = &mut self.0 else { return };
        while let Ok(timing) = told.try_recv() {
            say::note(&line(&timing));
        }
    }
}

/// `step 3: looked 0.31, sent 0.31, answered 3.40, judged 3.40, acted 3.46, rested 3.90 s; waited for picture 0.31, tree 1.99,
/// model 3.09, input 0.06, rest 0.44; 3.91 s in all`. Moments count from the beginning of the step; waits that went on side by
/// side overlap, and several for the same are added up.
fn line(timing: &StepTiming) -> String {
    let mut line = format!("step {}:", timing.step);
    let moments = timing.moments();
    for (n, (name, at)) in moments.iter().enumerate() {
        let comma = if n > 0 { "," } else { "" };
        let _ = write!(line, "{comma} {name} {}", seconds(*at));
    }
    if !moments.is_empty() {
        line.push_str(" s;");
    }
    let mut waits: Vec<(&'static str, u64)> = Vec::new();
    for span in timing.spans.iter().filter(|span| span.took_ms > 0) {
        let word = span.waited.word();
        match waits.iter_mut().find(|(known, _)| *known == word) {
            Some((_, took)) => *took += span.took_ms,
            None => waits.push((word, span.took_ms)),
        }
    }
    for (n, (word, took)) in waits.iter().enumerate() {
        let before = if n > 0 { "," } else { " waited for" };
        let _ = write!(line, "{before} {word} {}", seconds(*took));
    }
    if !waits.is_empty() {
        line.push(';');
    }
    let _ = write!(line, " {} s in all", seconds(timing.took_ms));
    line
}

fn seconds(ms: u64) -> String {
    format!("{}.{:02}", ms / 1000, ms % 1000 / 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::timing::{Span, Waited};

    fn check(spans: &[(Waited, u64, u64)], judged_ms: Option<u64>, took_ms: u64, expected: &str) {
        let spans = spans.iter().map(|&(waited, from_ms, took_ms)| Span {
            waited,
            from_ms,
            took_ms,
        });
        let timing = StepTiming {
            step: 3,
            spans: spans.collect(),
            judged_ms,
            took_ms,
        };
        assert_eq!(line(&timing), expected);
    }

    #[test]
    fn a_step_is_one_line() {
        check(
            &[
                (Waited::Picture, 0, 310),
                (Waited::Tree, 310, 1990),
                (Waited::Model, 310, 3090),
                (Waited::Check, 3400, 0),
                (Waited::Input, 3405, 30),
                (Waited::Input, 3440, 30),
                (Waited::Rest, 3470, 430),
            ],
            Some(3402),
            3910,
            "step 3: looked 0.31, sent 0.31, answered 3.40, judged 3.40, acted 3.47, rested 3.90 s; waited for picture 0.31, \
             tree 1.99, model 3.09, input 0.06, rest 0.43; 3.91 s in all",
        );
        check(&[], None, 0, "step 3: 0.00 s in all");
    }
}
