//! One decision: the first task that is not over, one step further.

use super::decision_context::DecisionContext;
use super::goal::{self, Task};
use super::memory::{Memory, OVER, PastStep, StepOutcome};
use super::moves::{Move, NextMove, Note};
use super::preferences::Preferences;
use super::view::{View, is_way_back};
use super::{memory, obstacles, skills};
use agent::prompt::{Facts, cut};
use protocol::Act;

/// The goal is read so far, in characters.
const GOAL: usize = 1000;
/// Tasks in one goal at most.
const TASKS: usize = 8;
/// Steps on one task at most: whatever takes more goes in circles.
const STEPS: usize = 38;
/// What is noted of a task that another took the place of.
const REPLACED: &str = "-";
/// Steps that are *lately*.
const LATELY: usize = 8;
/// How often the same thing is pressed with other steps between: more is going round in circles.
const ROUNDS: usize = 3;

/// Decides the next step and writes it as a model does.
pub(crate) fn decide(facts: &Facts) -> String {
    let goal: String = facts.goal.chars().take(GOAL).collect();
    let preferences = Preferences::read(&goal, &facts.said);
    let mut memory = Memory::read(&facts.history);
    let mut over: Vec<String> = std::mem::take(&mut memory.done);
    let (tasks, turned) = tasks(&goal, &preferences);
    if over.len() < turned {
        // What was begun is left as it is.
        over.resize(turned, REPLACED.to_owned());
        memory = Memory::default();
    }
    if preferences.stop {
        over.push("You told me to stop, so I stopped.".to_owned());
        return finish(&over, &preferences).reply(&[]);
    }
    for task in tasks.iter().skip(over.len()) {
        let scene = DecisionContext {
            view: View::new(&facts.screen),
            memory: &memory,
            preferences: &preferences,
            apps: &facts.apps,
        };
        match guarded(&scene, task) {
            NextMove::Do(step) => return step.reply(&carried(&over)),
            NextMove::Done(message) | NextMove::Left(message) => over.push(message),
            NextMove::Stop(message) => {
                over.push(message);
                break;
            }
        }
        // What the next task does is its own beginning.
        memory = Memory::default();
    }
    finish(&over, &preferences).reply(&[])
}

/// Everything to do in order, and how many of the first were replaced by something else.
fn tasks(goal: &str, preferences: &Preferences) -> (Vec<Task>, usize) {
    let mut tasks = goal::read(goal);
    let turned = preferences.instead.map_or(0, |place| tasks.len() + place);
    let text = tasks.iter().rev().find_map(|task| match task {
        Task::Message { text, .. } => text.clone(),
        _ => None,
    });
    tasks.extend(preferences.more.iter().cloned());
    // `No, text Mum instead`: the words stay.
    if let Some(Task::Message {
        text: none @ None, ..
    }) = tasks.get_mut(turned).filter(|_| turned > 0)
    {
        *none = text;
    }
    tasks.truncate(TASKS);
    (tasks, turned.min(TASKS))
}

/// One task, with what may be in its way, and never in circles.
fn guarded(scene: &DecisionContext<'_>, task: &Task) -> NextMove {
    if !skills::needs_phone(scene, task) {
        return skills::next(scene, task);
    }
    if scene.memory.deeds.len() >= STEPS {
        return NextMove::Stop(
            "This is taking me too many steps, so I stopped before going in circles.".to_owned(),
        );
    }
    let next = obstacles::clear(scene).unwrap_or_else(|| skills::next(scene, task));
    let NextMove::Do(step) = next else { return next };
    if is_under_keyboard(scene, &step) {
        return NextMove::Do(Move::key(
            "BACK",
            "The keyboard may lie over that. I’m putting it away first.",
        ));
    }
    if scene
        .memory
        .deeds
        .iter()
        .any(|deed| deed.end == StepOutcome::Denied && is_same(deed, &step))
    {
        return NextMove::Left(format!("You said no to {}, so I left it.", what(&step)));
    }
    if rounds(scene.memory, &step) >= ROUNDS {
        let what = what(&step);
        return NextMove::Stop(format!(
            "I came back to {what} again and again without getting further, so I stopped."
        ));
    }
    let vain = in_vain(scene.memory, &step);
    match vain.len() {
        0 | 1 => NextMove::Do(step),
        2 if !went_back_since(scene.memory, vain[0]) => NextMove::Do(Move::key(
            "BACK",
            "That changed nothing, twice. I’ll go back and try from there.",
        )),
        2 => NextMove::Do(step),
        _ => NextMove::Stop(format!(
            "I tried {} several times and nothing changed, so I stopped.",
            what(&step)
        )),
    }
}

/// What a step is about, in words.
fn what(step: &Move) -> String {
    if let Some(text) = memory::text_of(&step.act) {
        return format!("writing “{}”", cut(text, 40));
    }
    match (step.label(), &step.app) {
        (Some(label), _) => format!("“{label}”"),
        (None, Some(app)) => format!("opening {app}"),
        (None, None) => "the same step".to_owned(),
    }
}

/// The same kind of step at the same thing with the same words. Scrolling counts its own strokes.
fn is_same(deed: &PastStep, step: &Move) -> bool {
    let alike = |act: &Act| std::mem::discriminant(act) == std::mem::discriminant(&step.act);
    !matches!(step.act, Act::Scroll { .. })
        && deed.act.as_ref().is_some_and(alike)
        && step.label().is_some()
        && deed.label() == step.label()
        && deed.text() == memory::text_of(&step.act)
}

/// When this very step was tried lately without any effect: the places of the deeds, newest first.
fn in_vain(memory: &Memory, step: &Move) -> Vec<usize> {
    let vain = |deed: &PastStep| deed.end != StepOutcome::Done && is_same(deed, step);
    let lately = memory.deeds.iter().enumerate().rev().take(LATELY);
    lately.filter(|(_, deed)| vain(deed)).map(|(at, _)| at).collect()
}

/// The Back key was pressed after a deed.
fn went_back_since(memory: &Memory, at: usize) -> bool {
    let back =
        |deed: &PastStep| matches!(&deed.act, Some(Act::Keyevent { keycode }) if keycode.ends_with("BACK"));
    memory.deeds[at..].iter().any(back)
}

/// How often something was pressed, opened or written since the person last did something. Pressing the same thing several
/// times in a row counts as one: there is more of something each time.
fn rounds(memory: &Memory, step: &Move) -> usize {
    let person = |deed: &&PastStep| {
        matches!(
            deed.end,
            StepOutcome::Supplied | StepOutcome::Yes | StepOutcome::ByHand
        )
    };
    let deeds = memory.deeds.iter().rev().take_while(|deed| !person(deed));
    let times = |same: &dyn Fn(&PastStep) -> bool| deeds.clone().filter(|deed| same(deed)).count();
    let text = memory::text_of(&step.act).filter(|text| !text.is_empty());
    match step.act {
        Act::Tap { .. } if step.label().is_some_and(|label| !is_way_back(label)) => {
            let same: Vec<bool> = deeds.map(|deed| deed.act.as_ref() == Some(&step.act)).collect();
            same.chunk_by(|a, b| a == b).filter(|row| row[0]).count()
        }
        Act::LaunchApp { .. } => times(&|deed| deed.act.as_ref() == Some(&step.act)),
        Act::Type { .. } | Act::SetValue { .. } if text.is_some() => times(&|deed| deed.text() == text),
        _ => 0,
    }
}

/// Whether the keyboard may cover what is to be pressed. On a display that is wider than tall it takes more than half of
/// it, and the elements do not tell where it begins.
fn is_under_keyboard(scene: &DecisionContext<'_>, step: &Move) -> bool {
    let Act::Tap {
        target: Some(target), ..
    } = &step.act
    else {
        return false;
    };
    let tried = scene
        .memory
        .last()
        .is_some_and(|deed| matches!(deed.act, Some(Act::Keyevent { .. })));
    scene.view.has_keyboard() && !tried && target.element.is_some_and(|index| scene.view.is_low(index))
}

/// What is over goes along with every step: the history keeps it.
fn carried(over: &[String]) -> Vec<Note> {
    over.iter()
        .map(|message| Note::new(OVER, message.clone()))
        .collect()
}

fn finish(over: &[String], preferences: &Preferences) -> Move {
    let said: Vec<&str> = over
        .iter()
        .map(String::as_str)
        .filter(|message| *message != REPLACED)
        .collect();
    let mut message = said.join(" ");
    message.push_str(&preferences.excuse());
    let thought = if said.len() > 1 {
        "That is all you asked for."
    } else {
        "That is it."
    };
    Move::finish(message.trim(), thought)
}
