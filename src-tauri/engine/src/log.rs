//! The log: one line an event, to standard error. `POCKETDECK_LOG` says how much: `off`, `error`, `warn`, `info`, `debug` or
//! `trace`.
//!
//! Nothing secret is ever given to it: keys, codes and passwords have types that cannot be written. That holds for what is
//! written here; a library may print whatever passes through it (a shell parser every word it reads, a code among them). So
//! only what these rooms say is logged.

use crate::redact::Redacted;
use tracing::Metadata;
use tracing_subscriber::filter::{LevelFilter, filter_fn};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, fmt};

/// Every crate of the product.
const ROOMS: [&str; 18] = [
    "adb",
    "agent",
    "cli",
    "deck",
    "demo_ai",
    "dialect",
    "engine",
    "judge",
    "model",
    "pocketdeck",
    "protocol",
    "replay",
    "schedule",
    "screen",
    "script",
    "store",
    "video",
    "virtual_phone",
];

/// Starts the log at `level`, or at what `POCKETDECK_LOG` says. A second start in one process changes nothing.
pub fn start_log(level: LevelFilter) {
    let said = std::env::var("POCKETDECK_LOG").ok();
    let level = said.and_then(|word| word.trim().parse().ok()).unwrap_or(level);
    let lines = fmt::layer()
        .with_writer(|| Redacted)
        .with_ansi(false)
        // Where standard error is closed there is nowhere to complain either.
        .log_internal_errors(false)
        .with_filter(filter_fn(|event: &Metadata<'_>| is_ours(event.target())))
        .with_filter(level);
    let _ = tracing_subscriber::registry().with(lines).try_init();
}

/// Whether a line comes from one of the rooms. The whole name counts: `adb_client` is not `adb`.
fn is_ours(target: &str) -> bool {
    ROOMS.contains(&target.split("::").next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::is_ours;

    #[test]
    fn only_what_these_rooms_say_is_logged() {
        for (target, heard) in [
            ("pocketdeck", true),
            ("pocketdeck::approval", true),
            ("adb::touch", true),
            ("virtual_phone", true),
            ("adb_client", false),
            ("tokenize", false),
            ("brush_parser::tokenizer", false),
            ("reqwest::connect", false),
            ("", false),
        ] {
            assert_eq!(is_ours(target), heard, "{target:?}");
        }
    }
}
