//! What can stand in the way of any task: a screen that cannot be read, a lock, a permission dialog, the notifications.

use super::decision_context::DecisionContext;
use super::memory::{PastStep, StepOutcome};
use super::moves::{Move, NextMove};
use super::view::id;
use protocol::{Act, Capability, Element};

/// How often an unreadable screen is waited for.
const WAITS: usize = 3;
/// How often the person is asked to unlock the phone.
const ASKS: usize = 2;

/// What must be done before the task can go on. `None`: nothing is in the way.
pub(crate) fn clear(scene: &DecisionContext<'_>) -> Option<NextMove> {
    if !scene.view.is_read() {
        return Some(unread(scene));
    }
    if scene.view.is_locked() {
        return Some(locked(scene));
    }
    if let Some(question) = scene.view.permission_question() {
        // At the very beginning it is another app's business: the task's own app is opened over it.
        return (!scene.memory.deeds.is_empty()).then(|| permission(scene, question));
    }
    if scene.view.says("Allow USB debugging") {
        return Some(debugging(scene));
    }
    scene.view.is_system().then(|| system(scene))
}

fn unread(scene: &DecisionContext<'_>) -> NextMove {
    let wakes =
        |deed: &PastStep| matches!(&deed.act, Some(Act::Keyevent { keycode }) if keycode.ends_with("WAKEUP"));
    if scene.view.is_black()
        && scene.memory.lately(PastStep::waits) == 0
        && !scene.memory.last().is_some_and(wakes)
    {
        return NextMove::Do(Move::key("WAKEUP", "The screen is dark. I’m waking the phone."));
    }
    if scene.memory.lately(PastStep::waits) < WAITS {
        return NextMove::Do(Move::wait(
            1500,
            "I can’t read this screen yet. I’ll wait a moment.",
        ));
    }
    NextMove::Stop("I could not read what is on the screen, also not after waiting, so I stopped.".to_owned())
}

fn locked(scene: &DecisionContext<'_>) -> NextMove {
    let asked = scene.memory.times_asked(Capability::Unknown);
    let denied = scene
        .memory
        .asked(Capability::Unknown)
        .is_some_and(|deed| deed.end == StepOutcome::Denied);
    if denied || asked >= ASKS {
        return NextMove::Stop("The phone is locked, so I could not do anything on it.".to_owned());
    }
    let instruction = "The phone is locked. Unlock it, then say yes and I’ll go on.";
    NextMove::Do(Move::ask(
        Capability::Unknown,
        instruction,
        "The phone is locked. Only you can unlock it.",
    ))
}

/// Android asks the person something for an app: so do we, and press what they said, allowing as little as will do.
fn permission(scene: &DecisionContext<'_>, question: &Element) -> NextMove {
    let view = scene.view;
    let button = |ids: &[&str], words: &[&str]| {
        let by_id = ids
            .iter()
            .find_map(|name| view.elements().find(|e| id(e) == *name));
        by_id.or_else(|| words.iter().find_map(|words| view.button(words)))
    };
    let allow = button(
        &[
            "permission_allow_one_time_button",
            "permission_allow_foreground_only_button",
            "permission_allow_button",
        ],
        &["Only this time", "While using the app", "Allow"],
    );
    let deny = button(
        &[
            "permission_deny_button",
            "permission_deny_and_dont_ask_again_button",
        ],
        &["Don't allow", "Deny"],
    );
    // The answer counts for this dialog: nothing was pressed on one since.
    let answer = scene.memory.deeds.iter().rev().find(|deed| {
        deed.asks(Capability::Permission)
            || deed.presses("Only this time")
            || deed.presses("While using the app")
    });
    match (
        answer
            .filter(|deed| deed.asks(Capability::Permission))
            .map(|deed| deed.end),
        allow,
        deny,
    ) {
        (Some(StepOutcome::Yes), Some(allow), _) => NextMove::Do(Move::tap(
            allow,
            format!("You said yes, so I’m choosing “{}”.", allow.label),
        )),
        (Some(StepOutcome::Denied), _, Some(deny)) => NextMove::Do(Move::tap(
            deny,
            format!("You said no, so I’m choosing “{}”.", deny.label),
        )),
        (Some(StepOutcome::Yes | StepOutcome::Denied), _, _) => NextMove::Stop(format!(
            "The phone asks “{}” and I found no button for your answer.",
            question.label
        )),
        _ => NextMove::Do(Move::ask(
            Capability::Permission,
            format!("The phone asks: “{}” I’ll press what you decide.", question.label),
            format!("The phone asks “{}” That is for you to decide.", question.label),
        )),
    }
}

/// Whether a computer may debug the phone is never the planner's to answer.
fn debugging(scene: &DecisionContext<'_>) -> NextMove {
    if scene.memory.times_asked(Capability::Unknown) >= ASKS {
        return NextMove::Stop("The phone still asks about USB debugging, so I could not go on.".to_owned());
    }
    NextMove::Do(Move::ask(
        Capability::Unknown,
        "The phone asks whether to allow USB debugging. Answer it on the phone, then say yes and I’ll go on.",
        "The phone asks about USB debugging. That is for you to answer.",
    ))
}

/// The notifications, the power menu: a window of the system over the app.
fn system(scene: &DecisionContext<'_>) -> NextMove {
    let keys = scene
        .memory
        .lately(|deed| matches!(deed.act, Some(Act::Keyevent { .. })));
    match keys {
        0 | 1 => NextMove::Do(Move::key(
            "BACK",
            "Something of the system lies over the screen. I’m closing it.",
        )),
        2 => NextMove::Do(Move::key(
            "HOME",
            "Back did not close it. I’m going to the home screen.",
        )),
        _ => NextMove::Stop("Something lies over the screen and does not go away, so I stopped.".to_owned()),
    }
}
