//! Actions put together, and what every dialect asks of them.

use crate::notes::{Notes, Refusal, cut, nearest};
use protocol::{Act, Action, Capability, Target, UnclearCode, WarningCode};

/// Whether the target says anything by which a thing can be found. Role and label are claims: they find nothing.
pub(crate) fn finds_something(target: &Target) -> bool {
    target.track_id.is_some() || target.element.is_some() || target.text.is_some() || target.region.is_some()
}

/// A place on the screen belongs to it.
pub(crate) fn is_pointing(act: &Act) -> bool {
    matches!(
        act,
        Act::Tap { .. }
            | Act::Swipe { .. }
            | Act::DoubleTap { .. }
            | Act::LongPress { .. }
            | Act::Drag { .. }
            | Act::Scroll { .. }
            | Act::Hover { .. }
            | Act::SetValue { .. }
    )
}

/// The run ends with it.
pub(crate) fn ends_the_run(action: &Action) -> bool {
    action.then_finish || matches!(action.act, Act::Finish { .. })
}

/// One of Android's keys.
pub(crate) fn key(code: &str) -> Act {
    Act::Keyevent { keycode: code.into() }
}

/// An app by its name, which the action carries beside the act.
pub(crate) fn launch() -> Act {
    Act::LaunchApp {
        package_name: String::new(),
    }
}

/// The end of the run, with the schema page's message where there is none.
pub(crate) fn finish(message: Option<String>, notes: &mut Notes) -> Act {
    Act::Finish {
        message: message.unwrap_or_else(|| {
            notes.defaulted("message");
            "Task finished.".into()
        }),
    }
}

/// A question to the person, of no particular kind: the take-over words of models that were trained with some.
pub(crate) fn ask(instruction: Option<String>, notes: &mut Notes) -> Act {
    notes.defaulted("capability");
    notes.defaulted("timeoutSec");
    Act::RequestHumanAuth {
        capability: Capability::Unknown,
        instruction: instruction.unwrap_or_else(|| {
            notes.defaulted("instruction");
            "Human authorization is required to continue.".into()
        }),
        timeout_sec: 300.0,
    }
}

/// The model gave the task up: the person is asked; the task is not finished.
pub(crate) fn gave_up(why: Option<String>, notes: &mut Notes) -> Act {
    notes.warn(
        WarningCode::GaveUp,
        None,
        "the model gave the task up; the person is asked",
    );
    ask(why, notes)
}

/// A wait or press given in seconds; the default, in milliseconds, is noted.
pub(crate) fn milliseconds(seconds: Option<f64>, default: f64, notes: &mut Notes) -> f64 {
    match seconds.filter(|seconds| *seconds >= 0.0) {
        Some(seconds) => from_seconds(seconds),
        None => {
            notes.defaulted("durationMs");
            default
        }
    }
}

/// Seconds → milliseconds, to a microsecond: 0.069 s are 69 ms, not 69.00000000000001.
pub(crate) fn from_seconds(seconds: f64) -> f64 {
    let exact = (seconds * 1_000_000.0).round() / 1000.0;
    if exact.is_finite() { exact } else { f64::MAX }
}

/// A finger held down for as long as the schemas' right click means.
pub(crate) fn long_press(
    notes: &mut Notes,
) -> impl Fn(Option<f64>, Option<f64>, Option<Target>) -> Act + use<> {
    notes.defaulted("durationMs");
    |x, y, target| Act::LongPress {
        x,
        y,
        target,
        duration_ms: 800.0,
    }
}

/// There is no action of that name; the nearest one is named.
pub(crate) fn unknown(name: &str, known: &[&str]) -> Refusal {
    let nearest = nearest(name, known).filter(|known| *known != name);
    let hint = nearest
        .map(|known| format!("; the nearest is `{known}`"))
        .unwrap_or_default();
    Refusal::new(
        UnclearCode::UnknownAction,
        format!("there is no action `{}`{hint}", cut(name)),
    )
}
