//! Opening an app, whatever it is.

use crate::apps;
use crate::decision_context::DecisionContext;
use crate::memory::PastStep;
use crate::moves::{Move, NextMove};
use crate::words::{plain, sentence};
use protocol::Act;

pub(super) fn next(scene: &DecisionContext<'_>, app: &str) -> NextMove {
    let wanted = plain(app);
    if matches!(
        wanted.as_str(),
        "home" | "home screen" | "homescreen" | "launcher"
    ) {
        return home(scene);
    }
    let known = apps::find(app);
    let name = known.map_or_else(|| sentence(app), |known| known.name.to_owned());
    let launches = |deed: &&PastStep| {
        matches!(deed.act, Some(Act::LaunchApp { .. })) && deed.end.may_be_done()
            || deed.label().is_some_and(|label| plain(label) == plain(&name))
    };
    let launched = scene.memory.deeds.iter().any(|deed| launches(&deed));
    let front = scene.view.owner();
    let listed = scene
        .apps
        .iter()
        .find(|(package, _)| package == front)
        .is_some_and(|(_, label)| plain(label) == wanted);
    if known.is_some_and(|known| known.owns(front)) || listed {
        let already = if launched { "" } else { " already" };
        return NextMove::Done(format!("{name} is open{already}."));
    }
    // An app nothing is known of: opened by its own name, whatever its package is called.
    if known.is_none() && launched && !front.contains("launcher") {
        return NextMove::Done(format!("{name} is open."));
    }
    scene.open_named(&name, known, format!("I’m opening {name}."))
}

fn home(scene: &DecisionContext<'_>) -> NextMove {
    let pressed = scene
        .memory
        .deeds
        .iter()
        .any(|deed| matches!(deed.act, Some(Act::Keyevent { .. })));
    if pressed || scene.view.by_id("hotseat").is_some() && scene.view.package().contains("launcher") {
        return NextMove::Done("The home screen is open.".to_owned());
    }
    NextMove::Do(Move::key("HOME", "I’m going to the home screen."))
}
