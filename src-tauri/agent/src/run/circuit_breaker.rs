//! When a run asks too much, or is told No again and again, it waits for the person.

use protocol::PauseReason;
use std::collections::VecDeque;

/// No so often in a row.
const DENIED: u32 = 3;
/// So many questions in so many steps.
const QUESTIONS: usize = 10;
const STEPS: u32 = 50;

/// What was asked lately, and how it was answered.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    denied: u32,
    /// The steps in which was asked.
    asked: VecDeque<u32>,
    tripped: Option<PauseReason>,
}

impl Breaker {
    /// Why the run should wait before its next step; told once.
    pub(super) fn tripped(&mut self) -> Option<PauseReason> {
        self.tripped.take()
    }

    /// A question was answered in this step.
    pub(super) fn answered(&mut self, step: u32, yes: bool) {
        self.denied = if yes { 0 } else { self.denied + 1 };
        self.asked.push_back(step);
        while self
            .asked
            .front()
            .is_some_and(|first| step.saturating_sub(*first) >= STEPS)
        {
            self.asked.pop_front();
        }
        if self.denied >= DENIED {
            self.denied = 0;
            self.tripped = Some(PauseReason::Denied);
        } else if self.asked.len() >= QUESTIONS {
            self.asked.clear();
            self.tripped = Some(PauseReason::ManyQuestions);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(answers: &[(u32, bool)], expected: &[(u32, PauseReason)]) {
        let mut breaker = Breaker::default();
        let mut found = Vec::new();
        for &(step, yes) in answers {
            breaker.answered(step, yes);
            found.extend(breaker.tripped().map(|reason| (step, reason)));
        }
        assert_eq!(found, expected, "{answers:?}");
    }

    #[test]
    fn it_waits_after_three_no_in_a_row_and_after_ten_questions_in_fifty_steps() {
        check(&[(1, false), (2, false), (3, false)], &[(3, PauseReason::Denied)]);
        check(&[(1, false), (2, false), (3, true), (4, false), (5, false)], &[]);
        let ten: Vec<(u32, bool)> = (1..=10).map(|step| (step, true)).collect();
        check(&ten, &[(10, PauseReason::ManyQuestions)]);
        let spread: Vec<(u32, bool)> = (1..=20).map(|n| (n * 6, true)).collect();
        check(&spread, &[]);
    }
}
