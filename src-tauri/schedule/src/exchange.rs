//! Automations as one file a person can read.

use crate::check;
use protocol::{AutomationPlan, PlanFault};
use serde::{Deserialize, Serialize};

/// What the file says it is.
const FORMAT: &str = "PocketDeck automations";

/// The version written here, and the newest that is read.
const VERSION: u32 = 1;

/// Bytes a file may have.
pub const LARGEST: usize = 1_000_000;

/// Automations a file may hold.
const MOST: usize = 500;

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExchangeError {
    /// It is no file of automations, or a damaged one.
    #[error("this is no file of automations: {0}")]
    Unreadable(String),
    /// It is larger than any that is written, or holds more.
    #[error("the file is too large")]
    TooLarge,
    /// A newer version wrote it.
    #[error("the file has version {found}, this program knows {VERSION}")]
    Newer {
        /// The version written in it.
        found: u32,
    },
    /// One of its automations cannot be kept.
    #[error("the automation {name:?} cannot be kept: {fault:?}")]
    Plan {
        /// What it is called.
        name: String,
        /// Why not.
        fault: PlanFault,
    },
}

#[derive(Serialize)]
struct ExportFile<'a> {
    format: &'static str,
    version: u32,
    automations: &'a [AutomationPlan],
}

/// What every version's file begins with.
#[derive(Deserialize)]
struct FileHeader {
    format: String,
    version: u32,
}

#[derive(Deserialize)]
struct ImportFile {
    automations: Vec<AutomationPlan>,
}

/// The file: JSON with line breaks. Recorded runs stay on this computer, and what is secret has no value anywhere.
#[must_use]
pub fn export(plans: &[AutomationPlan]) -> String {
    let plain: Vec<AutomationPlan> = plans.iter().map(without_recording).collect();
    let file = ExportFile {
        format: FORMAT,
        version: VERSION,
        automations: &plain,
    };
    // Text, numbers and lists of them: nothing here has no JSON.
    let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
    text.push('\n');
    text
}

/// The plans in a file, in its order: all of them, each as it may be kept, or none.
///
/// # Errors
/// See [`ExchangeError`].
pub fn import(text: &str) -> Result<Vec<AutomationPlan>, ExchangeError> {
    let unreadable = |error: serde_json::Error| ExchangeError::Unreadable(error.to_string());
    if text.len() > LARGEST {
        return Err(ExchangeError::TooLarge);
    }
    let header: FileHeader = serde_json::from_str(text).map_err(unreadable)?;
    if header.format != FORMAT {
        return Err(ExchangeError::Unreadable(format!(
            "its format is {:?}",
            header.format
        )));
    }
    if header.version > VERSION {
        return Err(ExchangeError::Newer {
            found: header.version,
        });
    }
    let file: ImportFile = serde_json::from_str(text).map_err(unreadable)?;
    if file.automations.len() > MOST {
        return Err(ExchangeError::TooLarge);
    }
    for (n, plan) in file.automations.iter().enumerate() {
        let fault = |fault| ExchangeError::Plan {
            name: plan.name.clone(),
            fault,
        };
        check(plan).map_err(fault)?;
        let is_taken = |other: &AutomationPlan| is_same_name(&other.name, &plan.name);
        if file.automations[..n].iter().any(is_taken) {
            return Err(fault(PlanFault::NameTaken));
        }
    }
    Ok(file.automations.iter().map(without_recording).collect())
}

/// Whether two names are one to a person.
#[must_use]
pub fn is_same_name(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

fn without_recording(plan: &AutomationPlan) -> AutomationPlan {
    AutomationPlan {
        recorded: None,
        ..plan.clone()
    }
}
