//! `deck fetch`: what the window has a button for. A line for each tenth that is here.

use crate::args::{Fetch, Fetchable};
use crate::say::{self, CommandResult};
use protocol::Fetching;
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// Lines told on the way.
const LINES: u64 = 10;

pub(crate) async fn fetch(data: Option<PathBuf>, args: Fetch) -> CommandResult {
    let folder = match data {
        Some(folder) => folder,
        None => engine::usual_folder()?,
    };
    let told = AtomicU64::new(0);
    let tell = |now: Fetching| match now {
        Fetching::Loading { done, total } => {
            let lines = (done * LINES).checked_div(total).unwrap_or(0);
            if lines > told.swap(lines, Ordering::Relaxed) {
                say::line(&json!({"done": done, "total": total}));
            }
        }
        Fetching::Unpacking | Fetching::Done | Fetching::Failed { .. } => {}
    };
    match args.what {
        Fetchable::Scrcpy => {
            let place = engine::fetch_scrcpy(&folder, &tell).await?;
            say::line(&json!({"fetched": "scrcpy", "file": place}));
        }
    }
    Ok(say::FINE)
}
