//! The log: to standard error, `POCKETDECK_LOG` says how much (`info` where it says nothing).
//!
//! Nothing secret is ever given to it: keys, codes and passwords have types that cannot be written.

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

/// Starts the log. A second start changes nothing.
pub(crate) fn start() {
    let filter = EnvFilter::builder()
        .with_env_var("POCKETDECK_LOG")
        .with_default_directive(LevelFilter::INFO.into())
        .from_env_lossy();
    let writer = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(false);
    // A test that starts the app twice in one process has a log already.
    let _ = writer.try_init();
}
