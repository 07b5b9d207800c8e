//! Actions put together, and what every dialect asks of them.

use protocol::{Act, Action, Target};

/// An action that carries nothing but what it does.
pub(crate) fn bare(act: Act) -> Action {
    Action {
        act,
        reason: None,
        app: None,
        capture_after: false,
        then_finish: false,
        modifiers: Vec::new(),
    }
}

/// Whether the target says anything by which a thing can be found. Role and label are claims: they find nothing.
pub(crate) fn finds_something(target: &Target) -> bool {
    target.track_id.is_some() || target.element.is_some() || target.text.is_some() || target.region.is_some()
}

/// The run ends with it.
pub(crate) fn ends_the_run(action: &Action) -> bool {
    action.then_finish || matches!(action.act, Act::Finish { .. })
}
