//! What is said of a run on standard error: why it waits, how it ended.

use crate::{say, sentences};
use engine::{MODEL_KEY, words};
use protocol::{Ending, FailureCode, PauseReason, RunId};

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

/// What the AI would have the person remember, as it wrote it, and the command that keeps it.
pub(crate) fn tell_note(run: &RunId, text: &str, from_screen: bool) {
    let quoted = serde_json::Value::from(text);
    say::note(&format!("{} {quoted}", words::get("result.note_title")));
    if from_screen {
        say::note(&words::get("result.note_from_screen"));
    }
    say::note(&format!("(deck keep {run})"));
}
