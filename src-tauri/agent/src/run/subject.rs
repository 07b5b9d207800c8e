//! What an action is about, as a person is told it.

use super::observation::Observation;
use crate::plan::Plan;
use protocol::{Place, Role};

/// What an action touches or opens, by what the person sees of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Subject {
    /// What stands on the element.
    pub(super) label: Option<String>,
    /// What kind of element it is.
    pub(super) role: Option<Role>,
    /// Roughly where, when there is no label.
    pub(super) place: Option<Place>,
    /// The app that is opened, by its name.
    pub(super) app_label: Option<String>,
}

impl Subject {
    /// As the screen is shown to the model: without what must not be kept.
    pub(super) fn of(plan: &Plan, now: &Observation) -> Self {
        let shown = plan
            .element
            .as_ref()
            .and_then(|e| now.shown.screen.elements.iter().find(|s| s.index == e.index));
        Self {
            label: shown
                .map(|element| element.label.clone())
                .filter(|label| !label.is_empty()),
            role: shown.map(|element| element.role),
            place: plan.place,
            app_label: plan.app_label.clone(),
        }
    }
}
