//! What is told to every listener.

use crate::automation::AutomationCard;
use crate::change::Loosening;
use crate::clip::ClipState;
use crate::event::Event;
use crate::failure::Failure;
use crate::id::{PhoneId, RunId};
use crate::maker::SpendingState;
use crate::phone::Phone;
use crate::settings::Settings;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What the window and `deck` are told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "news", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[expect(
    clippy::large_enum_variant,
    reason = "a message is made once and sent; a box would show in every reader"
)]
pub enum News {
    /// Every phone there is, in the person's order. Replaces the list before.
    Phones {
        /// All of them.
        phones: Vec<Phone>,
        /// Whether anything is being looked at yet: an empty list and an unread one differ.
        looking: bool,
    },
    /// One event of one run; on opening, the events of each phone's latest run are told again in order.
    Run {
        /// The event.
        event: Event,
    },
    /// The settings, whenever they change.
    Settings {
        /// All of them.
        settings: Settings,
        /// What would loosen them, and waits for a Yes in the approval window.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(as = "Option<Vec<Loosening>>", optional)]
        waiting: Vec<Loosening>,
    },
    /// What was spent today.
    Spent {
        /// Tokens read and written today.
        tokens: u64,
        /// Dollars today.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        dollars: Option<f64>,
        /// Some of them are an estimate: the price of a model that was asked is not known.
        #[serde(default, skip_serializing_if = "core::ops::Not::not")]
        #[ts(as = "Option<bool>", optional)]
        estimated: bool,
        /// Dollars a day that may be spent.
        limit: f64,
        /// How far it is.
        #[serde(default)]
        #[ts(as = "Option<SpendingState>", optional)]
        state: SpendingState,
    },
    /// These runs are gone, with everything in them.
    Erased {
        /// The runs that were erased.
        runs: Vec<RunId>,
    },
    /// Every automation, by its name. Replaces the list before.
    Automations {
        /// All of them.
        automations: Vec<AutomationCard>,
    },
    /// How the clip of a phone stands that the person records.
    Clip {
        /// Which phone.
        phone: PhoneId,
        /// How it stands.
        clip: ClipState,
    },
    /// Something outside a run went wrong.
    Trouble {
        /// What went wrong.
        failure: Failure,
    },
}
