//! One decision: the first task that is not over, one step further.

use super::goal::{self, Task};
use super::memory::{Deed, Memory, OVER};
use super::moves::{Move, Next, Note};
use super::scene::Scene;
use super::view::View;
use super::wishes::Wishes;
use super::{obstacles, skills};
use agent::prompt::Facts;

/// The goal is read so far, in characters.
const GOAL: usize = 1000;
/// Tasks in one goal at most.
const TASKS: usize = 8;
/// Steps on one task at most: whatever takes more goes in circles.
const STEPS: usize = 38;

/// Decides the next step and writes it as a model does.
pub(super) fn decide(facts: &Facts) -> String {
    let goal: String = facts.goal.chars().take(GOAL).collect();
    let wishes = Wishes::read(&goal, &facts.said);
    let mut tasks = goal::read(&goal);
    tasks.extend(wishes.more.iter().cloned());
    tasks.truncate(TASKS);
    let mut memory = Memory::read(&facts.history);
    let mut over: Vec<String> = std::mem::take(&mut memory.done);
    for task in tasks.iter().skip(over.len()) {
        let scene = Scene { view: View::new(&facts.screen), memory: &memory, wishes: &wishes, apps: &facts.apps };
        match guarded(&scene, task) {
            Next::Do(step) => return step.reply(&carried(&over)),
            Next::Done(message) | Next::Left(message) => over.push(message),
            Next::Stop(message) => {
                over.push(message);
                break;
            }
        }
        // What the next task does is its own beginning.
        memory = Memory::default();
    }
    finish(&over, &wishes).reply(&[])
}

/// One task, with what may be in its way, and never in circles.
fn guarded(scene: &Scene<'_>, task: &Task) -> Next {
    if !skills::needs_phone(scene, task) {
        return skills::next(scene, task);
    }
    if scene.memory.deeds.len() >= STEPS {
        return Next::Stop("This is taking me too many steps, so I stopped before going in circles.".to_owned());
    }
    let next = obstacles::clear(scene).unwrap_or_else(|| skills::next(scene, task));
    let Next::Do(step) = next else { return next };
    match times_in_vain(scene.memory, &step) {
        0 | 1 => Next::Do(step),
        2 => Next::Do(Move::key("BACK", "That changed nothing, twice. I’ll go back and try from there.")),
        _ => Next::Stop(match step.label() {
            Some(label) => format!("I tried “{label}” several times and nothing changed, so I stopped."),
            None => "I tried the same step several times and nothing changed, so I stopped.".to_owned(),
        }),
    }
}

/// How often this very step was tried lately without any effect.
fn times_in_vain(memory: &Memory, step: &Move) -> usize {
    let same = |deed: &&Deed| {
        let alike = deed.act.as_ref().is_some_and(|act| std::mem::discriminant(act) == std::mem::discriminant(&step.act));
        alike && deed.label() == step.label() && deed.text() == text(step)
    };
    let vain = |deed: &&Deed| !matches!(deed.end, super::memory::End::Done) && !deed.waits();
    let lately = memory.deeds.iter().rev().take(8);
    lately.filter(|deed| same(deed) && vain(deed) && step.label().is_some()).count()
}

fn text(step: &Move) -> Option<&str> {
    super::memory::text_of(&step.act)
}

/// What is over goes along with every step: the history keeps it.
fn carried(over: &[String]) -> Vec<Note> {
    over.iter().map(|message| Note::new(OVER, message.clone())).collect()
}

fn finish(over: &[String], wishes: &Wishes) -> Move {
    let mut message = over.join(" ");
    message.push_str(&wishes.excuse());
    let thought = if over.len() > 1 { "That is all you asked for." } else { "That is it." };
    Move::finish(message.trim(), thought)
}
