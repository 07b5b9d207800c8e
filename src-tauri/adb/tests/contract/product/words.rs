//! What the person reads of a code: the sentences of the window.

use protocol::PauseReason;
use serde_json::Value;
use std::sync::LazyLock;

static ENGLISH: LazyLock<Value> = LazyLock::new(|| {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ui/words/en.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
});

fn sentence(path: &[&str]) -> Option<&'static str> {
    let mut at = &*ENGLISH;
    for name in path {
        at = at.get(name)?;
    }
    at.as_str().filter(|sentence| !sentence.trim().is_empty())
}

/// What stands under a step that did not come out well, or did.
pub(super) fn outcome(code: &str) -> Option<&'static str> {
    sentence(&["outcomes", code])
}

/// What the run says while it waits.
pub(super) fn pause(reason: &PauseReason) -> Option<&'static str> {
    let written = serde_json::to_value(reason).unwrap();
    let why = written["why"].as_str()?;
    sentence(&["paused", why, "short"])?;
    match reason {
        PauseReason::Limit { limit } => sentence(&["paused", why, limit.known()?.as_str()]),
        PauseReason::Look { .. } | PauseReason::Model { .. } | PauseReason::Journal { .. } => {
            sentence(&["paused", why, "title"])?;
            sentence(&["failures", written["failure"]["code"].as_str()?])
        }
        _ => sentence(&["paused", why, "title"]),
    }
}

/// Why it waits, in one word.
pub(super) fn code(reason: &PauseReason) -> String {
    let written = serde_json::to_value(reason).unwrap();
    let code = written["failure"]["code"].as_str().or(written["why"].as_str());
    code.unwrap().to_owned()
}
