//! `deck look`: one look at a phone.

use crate::args::{Look, Mode};
use crate::devices::settled;
use crate::opening::not_listed;
use crate::say::{self, Done};
use adb::{AdbPhone, Roster};
use agent::ports::{Phone, RawObservation};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use engine::words;
use protocol::{CaptureMode, Element, Failure, FailureCode, Frame, ScreenSnapshot, Totals};
use screen::picture::{PictureError, Scale};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::time::Instant;

pub(crate) async fn look(data: Option<PathBuf>, args: Look) -> Done {
    if args.mode == Mode::Ax && (args.out.is_some() || args.base64) {
        return Ok(say::usage(
            "--mode ax reads the elements alone: there is no picture for --out or --base64",
        ));
    }
    let roster = Roster::follow(engine::places(data).await?);
    let phone = find(&roster, &args.device).await?;
    let began = Instant::now();
    let wants_tree = args.mode != Mode::Vision;
    let see = async {
        let sight = phone.see().await;
        (sight, began.elapsed())
    };
    let read = async {
        if !wants_tree {
            return (None, None);
        }
        let tree = phone.read().await;
        (Some(tree), Some(began.elapsed()))
    };
    let ((sight, see_took), (tree, read_took)) = tokio::join!(see, read);
    let sight = sight.map_err(|trouble| agent::failure_of(&trouble))?;
    let mut tree_error = None;
    let (elements, totals) = match tree {
        None => (Vec::new(), Totals::default()),
        Some(tree) => match elements(
            tree.map(|tree| tree.xml).map_err(|trouble| trouble.to_string()),
            &sight,
            args.max_elements,
        ) {
            Ok(found) => found,
            Err(error) => {
                tree_error = Some(error);
                (Vec::new(), Totals::default())
            }
        },
    };
    let picture = match args.mode {
        Mode::Ax => None,
        Mode::Vision => sight.frame.clone(),
        Mode::Som => match &sight.frame {
            Some(frame) => mark(frame, &sight, &elements)?,
            None => None,
        },
    };
    let png = picture.as_ref().map(encode).transpose()?;
    if let (Some(path), Some(png)) = (&args.out, &png) {
        std::fs::write(path, png).map_err(|error| cannot_write(path, &error))?;
    }
    let snapshot = ScreenSnapshot {
        device_id: args.device.clone(),
        current_app: sight.app.clone(),
        width: sight.width,
        height: sight.height,
        screenshot_base64: png
            .filter(|_| args.base64)
            .map(|png| STANDARD.encode(png))
            .unwrap_or_default(),
        captured_at: iso(sight.at),
    };
    let without_tree = tree_error.is_some();
    let mut out = json!(snapshot);
    if let Some(object) = out.as_object_mut() {
        object.insert("capture".into(), json!(sight.capture));
        object.insert("elements".into(), json!(elements));
        object.insert("totals".into(), json!(totals));
        let mut timings = json!({"seeMs": see_took.as_millis(), "totalMs": began.elapsed().as_millis()});
        if let (Some(took), Some(timings)) = (read_took, timings.as_object_mut()) {
            timings.insert("readMs".into(), json!(took.as_millis()));
        }
        object.insert("timings".into(), timings);
        if let Some(error) = tree_error {
            object.insert("treeError".into(), Value::String(error));
        }
    }
    say::line(&out);
    if without_tree {
        say::note(&words::of("outcomes", "no_elements"));
    }
    let nothing = match args.mode {
        Mode::Ax => without_tree,
        Mode::Som | Mode::Vision => sight.frame.is_none(),
    };
    if nothing && args.mode != Mode::Ax {
        say::note(&words::failed(&Failure {
            code: FailureCode::CaptureFailed,
            values: BTreeMap::new(),
            detail: None,
        }));
    }
    Ok(if nothing { say::FAILED } else { say::FINE })
}

/// The phone listed under a serial.
pub(crate) async fn find(roster: &Roster, serial: &str) -> Result<Arc<AdbPhone>, Failure> {
    let listing = settled(roster).await;
    if let Some(phone) = roster.phone_by_serial(serial) {
        return Ok(phone);
    }
    match listing.troubles.first() {
        Some((_, failure)) => Err(failure.clone()),
        None => Err(not_listed(serial, &listing.connections)),
    }
}

/// As many as a run looks at.
const ALL: u16 = 1000;

fn elements(
    tree: Result<String, String>,
    sight: &RawObservation,
    most: u16,
) -> Result<(Vec<Element>, Totals), String> {
    let (xml, width, height) = (tree?, sight.width, sight.height);
    let read = |most: u16| {
        screen::Tree::read(&xml, width, height, usize::from(most)).map_err(|error| error.to_string())
    };
    let (mut tree, mut whole) = (read(most)?, read(ALL)?);
    // By the ids a run that starts here gives them: `deck act` takes what is printed here.
    screen::Tracker::new().follow(&mut whole.elements, width, height);
    for element in &mut tree.elements {
        if let Some(same) = whole.elements.iter().find(|same| same.index == element.index) {
            element.track_id.clone_from(&same.track_id);
        }
    }
    Ok((tree.elements, tree.totals))
}

/// Numbered, and flat where a password stands.
fn mark(frame: &Frame, sight: &RawObservation, elements: &[Element]) -> Result<Option<Frame>, Failure> {
    let scale = Scale::of((sight.width, sight.height), frame);
    screen::picture::captured(CaptureMode::Som, frame, elements, &[], scale)
        .map_err(|error| bad_picture(&error))
}

fn encode(frame: &Frame) -> Result<Vec<u8>, Failure> {
    screen::picture::encode_png(frame).map_err(|error| bad_picture(&error))
}

fn bad_picture(error: &PictureError) -> Failure {
    let detail = Some(error.to_string());
    Failure {
        code: FailureCode::CaptureFailed,
        values: BTreeMap::new(),
        detail,
    }
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
