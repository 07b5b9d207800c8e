//! A judge that fails asks: rules whose own examples do not hold, and a judgement that breaks down, end in a question.

use super::{Verdict, lexicon, vocabulary};
use protocol::AskKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

/// Every rule finds what it says it finds, and leaves what it says it leaves. Looked at once, when the rules load.
static SOUND: LazyLock<bool> = LazyLock::new(|| {
    let broken = broken_rules();
    for what in &broken {
        tracing::error!(
            what,
            "a rule of the judge does not hold; everything is asked about"
        );
    }
    broken.is_empty()
});

/// The examples that do not hold, each with its rule. Empty in a judge that judges.
#[must_use]
pub fn broken_rules() -> Vec<String> {
    vocabulary::broken()
        .into_iter()
        .chain(lexicon::broken())
        .collect()
}

/// The verdict, or a question where there is none to be had.
pub(super) fn guarded(judgement: impl FnOnce() -> Verdict) -> Verdict {
    let asks = |rule| Verdict::Ask {
        kind: AskKind::Unknown,
        rule,
    };
    let sound = || *SOUND;
    match catch_unwind(AssertUnwindSafe(|| sound().then(judgement))) {
        Ok(Some(verdict)) => verdict,
        Ok(None) => asks("rules_broken"),
        Err(_) => asks("judge_failed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judge_that_fails_asks() {
        let verdict = guarded(|| panic!("a rule that breaks down"));
        assert_eq!(
            verdict,
            Verdict::Ask {
                kind: AskKind::Unknown,
                rule: "judge_failed"
            }
        );
        assert_eq!(guarded(|| Verdict::Allow), Verdict::Allow);
    }
}
