//! `deck look`: one look at a phone.

use crate::args::{self, Mode};
use crate::opening::PHONES_TIMEOUT;
use crate::say::{self, CommandResult};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use engine::{PhoneList, PhoneSnapshot, words};
use protocol::{Failure, FailureCode, OutcomeCode, ScreenSnapshot};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

pub(crate) async fn look(data: Option<PathBuf>, args: args::Look) -> CommandResult {
    if args.mode == Mode::Ax && (args.out.is_some() || args.base64) {
        return Ok(say::usage(
            "--mode ax reads the elements alone: there is no picture for --out or --base64",
        ));
    }
    let phones = PhoneList::follow(data).await?;
    let seen = phones
        .look(&args.device, PHONES_TIMEOUT, args.mode.into(), args.max_elements)
        .await?;
    if let (Some(path), Some(png)) = (&args.out, &seen.png) {
        std::fs::write(path, png).map_err(|error| cannot_write(path, &error))?;
    }
    say::line(&told(&seen, &args));
    let without_tree = seen.tree_error.is_some();
    if without_tree {
        say::note(&words::of("outcomes", OutcomeCode::NoElements.as_str()));
    }
    let nothing = match args.mode {
        Mode::Ax => without_tree,
        Mode::Som | Mode::Vision => seen.png.is_none(),
    };
    if nothing && args.mode != Mode::Ax {
        say::note(&words::failed(&FailureCode::CaptureFailed.into()));
    }
    Ok(if nothing { say::FAILED } else { say::FINE })
}

fn told(seen: &PhoneSnapshot, args: &args::Look) -> Value {
    let snapshot = ScreenSnapshot {
        device_id: args.device.clone(),
        current_app: seen.app.clone(),
        width: seen.width,
        height: seen.height,
        screenshot_base64: seen
            .png
            .as_ref()
            .filter(|_| args.base64)
            .map(|png| STANDARD.encode(png))
            .unwrap_or_default(),
        captured_at: iso(seen.at),
    };
    let mut out = json!(snapshot);
    if let Some(object) = out.as_object_mut() {
        object.insert("capture".into(), json!(seen.capture));
        object.insert("elements".into(), json!(seen.elements));
        object.insert("totals".into(), json!(seen.totals));
        let mut timings = json!({"seeMs": seen.see_took.as_millis(), "totalMs": seen.took.as_millis()});
        if let (Some(took), Some(timings)) = (seen.read_took, timings.as_object_mut()) {
            timings.insert("readMs".into(), json!(took.as_millis()));
        }
        object.insert("timings".into(), timings);
        if let Some(error) = &seen.tree_error {
            object.insert("treeError".into(), json!(error));
        }
    }
    out
}

fn cannot_write(path: &std::path::Path, error: &std::io::Error) -> Failure {
    let detail = Some(format!("{}: {error}", path.display()));
    Failure {
        code: FailureCode::BadInput,
        values: BTreeMap::new(),
        detail,
    }
}

fn iso(at: protocol::Millis) -> String {
    let at = i64::try_from(at)
        .ok()
        .and_then(|at| jiff::Timestamp::from_millisecond(at).ok());
    at.unwrap_or_default().to_string()
}
