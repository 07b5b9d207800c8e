//! What an action comes down to, and why one cannot be done.

use super::follow::FollowUp;
pub use crate::request::CaptureView;
use judge::Input;
use protocol::{
    ActMethod, Bounds, Element, LocatorStrategy, OutcomeCode, Place, RefusalCode, Warning, WarningCode,
};
use std::time::Duration;

/// What an action comes down to.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// What is done.
    pub doing: PlannedEffect,
    /// The pixels it touches, in order, for the judge.
    pub touches: Vec<(i32, i32)>,
    /// What it touches, where that is known.
    pub element: Option<Element>,
    /// What found each place it touches, in order.
    pub found_by: Vec<LocatorStrategy>,
    /// Where to ring the picture.
    pub ring: Option<Bounds>,
    /// Roughly where, for a sentence without a label.
    pub place: Option<Place>,
    /// The app that is opened, by name.
    pub app_label: Option<String>,
    /// What is done otherwise than it was asked for.
    pub warnings: Vec<Warning>,
    /// What it has to do on the screens that come after.
    pub follow: Option<FollowUp>,
}

/// What is done.
#[derive(Clone, Debug, PartialEq)]
pub enum PlannedEffect {
    /// What the phone receives, in order.
    Phone(Vec<Input>),
    /// Strokes of a finger over a region, as long as it moves.
    Scroll {
        /// The strokes, in order.
        strokes: Vec<Input>,
        /// What should move.
        region: Bounds,
    },
    /// Nothing for a while.
    Wait(Duration),
    /// A script, on the phone or on this computer.
    Script {
        /// Its text.
        script: String,
        /// How long it may take.
        limit: Duration,
    },
    /// The next look is all that was asked for: what of it is shown.
    Look(CaptureView),
    /// The apps that can be opened are told.
    Apps,
    /// The text of a region goes into a variable.
    Read {
        /// The region.
        region: Bounds,
        /// The variable.
        output: String,
        /// Page after page to the end of the list.
        scrolls: bool,
    },
    /// Text that is known goes into a variable.
    Keep {
        /// The variable.
        output: String,
        /// The text.
        text: String,
        /// Who knew it, where that is worth telling.
        via: Option<ActMethod>,
    },
    /// What the phone has copied goes into a variable, once somebody has told it.
    Clipboard {
        /// The variable.
        output: String,
    },
    /// A question to the model, its answer into a variable.
    AskModel {
        /// The question.
        prompt: String,
        /// The variable.
        output: String,
    },
    /// Nothing needs to be done, and that is told.
    Nothing {
        /// Why nothing needs to be done.
        code: OutcomeCode,
    },
}

/// Why an action cannot be done. The words are for the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// Its kind.
    pub code: RefusalCode,
    /// The reason, in a short English line.
    pub message: String,
}

/// A plan that touches nothing the judge would have to look at.
pub(crate) fn bare(doing: PlannedEffect) -> Plan {
    Plan {
        doing,
        touches: Vec::new(),
        element: None,
        found_by: Vec::new(),
        ring: None,
        place: None,
        app_label: None,
        warnings: Vec::new(),
        follow: None,
    }
}

pub(super) fn refusal(code: RefusalCode, message: &str) -> Refusal {
    Refusal {
        code,
        message: message.to_owned(),
    }
}

/// What is told beside what came of an act.
pub(crate) fn warning(code: WarningCode, field: Option<&str>, message: impl Into<String>) -> Warning {
    Warning {
        code: code.into(),
        field: field.map(str::to_owned),
        message: message.into(),
    }
}
