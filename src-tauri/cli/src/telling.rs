//! What is said of a run on standard error: why it waits, how it ended.

use crate::{say, sentences};
use engine::{MODEL_KEY, words};
use protocol::{AskOutcome, Ending, FailureCode, PauseReason, RunId, What};
use std::collections::BTreeSet;

/// Why a run waits, in a sentence and its detail.
pub(crate) fn tell_pause(reason: &PauseReason) {
    match sentences::behind(reason) {
        Some(failure) => {
            say::failure(failure);
            let for_a_key = matches!(
                failure.code,
                FailureCode::ModelKeyMissing | FailureCode::KeychainMissing | FailureCode::KeychainRefused
            );
            if for_a_key {
                say::note(&format!("(deck takes a key from {MODEL_KEY} too)"));
            }
        }
        None => say::note(&sentences::paused(reason)),
    }
}

/// How a run ended, where that was not said yet.
pub(crate) fn tell_end(ending: &Ending, by_person: bool, maybe_running: bool) {
    match ending {
        // Stopped for a reason that was told.
        Ending::Stopped if !by_person => {}
        Ending::Failed { failure } => {
            say::failure(failure);
        }
        ending => {
            if let Some(sentence) = sentences::ended(ending) {
                say::note(&sentence);
            }
        }
    }
    if maybe_running {
        say::note(&words::get("ended.maybe_running"));
    }
}

/// Runs whose last act mattered and may have been done, and nobody knows.
#[derive(Default)]
pub(crate) struct UnknownOutcomes {
    /// Runs whose act at hand was asked about, or allowed before.
    matters: BTreeSet<RunId>,
    begun: BTreeSet<RunId>,
}

impl UnknownOutcomes {
    /// Something happened in a run.
    pub(crate) fn hear(&mut self, run: &RunId, what: &What) {
        let is_set = match what {
            What::Decided { .. } => {
                self.matters.remove(run);
                return;
            }
            What::Unasked { .. }
            | What::Answered {
                outcome: AskOutcome::Allowed | AskOutcome::Supplied { .. },
                ..
            } => {
                self.matters.insert(run.clone());
                return;
            }
            What::Acting { .. } => self.matters.contains(run),
            What::Acted { outcome, .. } => outcome.may_be_done() && self.begun.contains(run),
            _ => return,
        };
        self.begun.remove(run);
        if is_set {
            self.begun.insert(run.clone());
        }
    }

    /// The run is over.
    pub(crate) fn tell(&mut self, run: &RunId) {
        if self.begun.remove(run) {
            say::note(&words::get("ended.unknown_effect"));
        }
    }
}

/// What the AI would have the person remember, as it wrote it, and the command that keeps it.
pub(crate) fn tell_note(run: &RunId, text: &str, from_screen: bool) {
    let quoted = serde_json::Value::from(text);
    say::note(&format!("{} {quoted}", words::get("result.note_title")));
    if from_screen {
        say::note(&words::get("result.note_from_screen"));
    }
    say::note(&format!("(deck keep {run})"));
}
