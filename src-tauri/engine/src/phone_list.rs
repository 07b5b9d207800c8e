//! Phones listed and looked at by themselves: nothing is kept, nothing is touched, and nobody else who has the phone is in the way.

use crate::wireless;
use adb::{AdbPhone, Listing, Roster};
use agent::ports::{Phone, RawObservation};
use protocol::{
    CaptureMode, CaptureResult, Connection, Element, Failure, FailureCode, Frame, Millis, Totals,
};
use screen::picture::{PictureError, Scale};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Elements of a screen, as many as a run looks at.
const ALL: u16 = 1000;

/// The phones of the adb servers, followed until it is dropped.
pub struct PhoneList {
    roster: Roster,
}

/// One look at a phone.
pub struct PhoneSnapshot {
    /// Package of the app in front, or `unknown`.
    pub app: String,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// When the picture was taken.
    pub at: Millis,
    /// Whether there is a picture, and if not why.
    pub capture: CaptureResult,
    /// The picture that was asked for, as a PNG.
    pub png: Option<Vec<u8>>,
    /// What stands on the screen, by the numbers and ids a run that starts here gives it; none in [`CaptureMode::Vision`].
    pub elements: Vec<Element>,
    /// How many there were.
    pub totals: Totals,
    /// Why the tree could not be read, in a short English line.
    pub tree_error: Option<String>,
    /// What the picture took.
    pub see_took: Duration,
    /// What the tree took, where it was read.
    pub read_took: Option<Duration>,
    /// What all of it took.
    pub took: Duration,
}

impl PhoneList {
    /// Follows the adb servers that are used with this folder; `None` is the usual one ([`crate::usual_folder`]).
    ///
    /// # Errors
    /// When there is no usual folder, the environment names an adb server that is no address, or what is kept cannot be read.
    pub async fn follow(folder: Option<PathBuf>) -> Result<Self, Failure> {
        Ok(Self {
            roster: Roster::follow(wireless::places(folder).await?),
        })
    }

    /// The list once every server has answered and every usable phone has said who it is, or the bound is over.
    pub async fn settled(&self, bound: Duration) -> Listing {
        let mut listing = self.roster.listing();
        let _ = tokio::time::timeout(bound, listing.wait_for(|listing| !listing.looking)).await;
        listing.borrow().clone()
    }

    /// Looks once at the phone that is listed under a serial when the list has settled.
    ///
    /// # Errors
    /// When it is not listed or cannot be used, or no picture can be had.
    pub async fn look(
        &self,
        serial: &str,
        bound: Duration,
        mode: CaptureMode,
        most: u16,
    ) -> Result<PhoneSnapshot, Failure> {
        let phone = self.find(serial, bound).await?;
        let began = Instant::now();
        let see = async {
            let seen = phone.see().await;
            (seen, began.elapsed())
        };
        let read = async {
            if mode == CaptureMode::Vision {
                return None;
            }
            let tree = phone.read().await;
            Some((tree, began.elapsed()))
        };
        let ((seen, see_took), read) = tokio::join!(see, read);
        let seen = seen.map_err(|trouble| agent::failure_of(&trouble))?;
        let (tree, read_took) = read.unzip();
        let tree = tree.map(|tree| match tree {
            Ok(tree) => elements(&tree.xml, &seen, most),
            Err(trouble) => Err(trouble.to_string()),
        });
        let (tree, tree_error) = match tree.transpose() {
            Ok(tree) => (tree, None),
            Err(error) => (None, Some(error)),
        };
        let (elements, totals) = tree.unwrap_or_default();
        let picture = match (mode, &seen.frame) {
            (CaptureMode::Vision, Some(frame)) => Some(frame.clone()),
            (CaptureMode::Som, Some(frame)) => mark(frame, &seen, &elements)?,
            _ => None,
        };
        let png = picture.as_ref().map(screen::picture::encode_png).transpose();
        Ok(PhoneSnapshot {
            png: png.map_err(|error| bad_picture(&error))?,
            app: seen.app,
            width: seen.width,
            height: seen.height,
            at: seen.at,
            capture: seen.capture,
            elements,
            totals,
            tree_error,
            see_took,
            read_took,
            took: began.elapsed(),
        })
    }

    async fn find(&self, serial: &str, bound: Duration) -> Result<Arc<AdbPhone>, Failure> {
        let listing = self.settled(bound).await;
        match self.roster.phone_by_serial(serial) {
            Some(phone) => Ok(phone),
            None => Err(not_found(serial, &listing)),
        }
    }
}

/// Why no phone of the list can be used under this serial: a server's trouble, else what is listed.
#[must_use]
pub fn not_found(serial: &str, listing: &Listing) -> Failure {
    match listing.troubles.first() {
        Some((_, failure)) => failure.clone(),
        None => not_listed(serial, &listing.connections),
    }
}

/// No phone can be used under this serial.
#[must_use]
pub fn not_listed(serial: &str, connections: &[Connection]) -> Failure {
    let (code, detail) = match connections.iter().find(|line| line.serial == serial) {
        Some(line) => (
            agent::code_of_state(line.state),
            format!("{serial}: {:?}", line.state),
        ),
        None if connections.is_empty() => (FailureCode::PhoneGone, "no phone is listed".to_owned()),
        None => {
            let listed: Vec<&str> = connections.iter().map(|line| line.serial.as_str()).collect();
            let listed = listed.join(", ");
            (
                FailureCode::PhoneGone,
                format!("no phone is listed as {serial}; listed: {listed}"),
            )
        }
    };
    failure(code, detail)
}

/// The first elements of a tree.
fn elements(xml: &str, seen: &RawObservation, most: u16) -> Result<(Vec<Element>, Totals), String> {
    let (width, height) = (seen.width, seen.height);
    let read = |most: u16| {
        screen::Tree::read(xml, width, height, usize::from(most)).map_err(|error| error.to_string())
    };
    let (mut tree, mut whole) = (read(most)?, read(ALL)?);
    screen::Tracker::new().follow(&mut whole.elements, width, height);
    for element in &mut tree.elements {
        if let Some(same) = whole.elements.iter().find(|same| same.index == element.index) {
            element.track_id.clone_from(&same.track_id);
        }
    }
    Ok((tree.elements, tree.totals))
}

/// Numbered, and flat where a password stands.
fn mark(frame: &Frame, seen: &RawObservation, elements: &[Element]) -> Result<Option<Frame>, Failure> {
    let scale = Scale::of((seen.width, seen.height), frame);
    screen::picture::captured(CaptureMode::Som, frame, elements, &[], scale)
        .map_err(|error| bad_picture(&error))
}

fn bad_picture(error: &PictureError) -> Failure {
    failure(FailureCode::CaptureFailed, error.to_string())
}

fn failure(code: FailureCode, detail: String) -> Failure {
    Failure {
        code,
        values: BTreeMap::new(),
        detail: Some(detail),
    }
}
