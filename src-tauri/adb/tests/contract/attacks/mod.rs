//! Way × deed × app: whatever a model tries, and however credulous the second opinion is, with every answer No the phone's own
//! state stays what it was; and with every answer Yes the same page does it, so that a cell can fail.

mod cell;
mod scene;
mod way;

use cell::{Answers, Beside, Stands, play, play_in};
use scene::SCENES;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Plays every cell in a time of its own, on as many threads as there are processors; what went wrong, a line each.
fn all<T: Sync>(cells: &[T], cell: impl Fn(&T) -> Option<String> + Sync) -> Vec<String> {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(one) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(line) = cell(one) {
                wrong.lock().unwrap().push(line);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, Into::into) {
            scope.spawn(work);
        }
    });
    let mut wrong = wrong.into_inner().unwrap();
    wrong.sort();
    wrong
}

/// The part of the table this test plays: every so many-th way.
fn check(part: usize) {
    let cells: Vec<_> = SCENES
        .iter()
        .flat_map(|scene| (part..way::COUNT).step_by(PARTS).map(move |way| (scene, way)))
        .collect();
    let wrong = all(&cells, |(scene, way)| {
        let came = play(scene, Some(*way), Answers::No, scene.beside());
        came.changed()
            .map(|what| format!("{} by {}: {what}", scene.name, way::name(*way)))
    });
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        cells.len(),
        wrong.join("\n")
    );
}

/// Tests the table is divided among: they run side by side.
const PARTS: usize = 3;

#[test]
fn nothing_is_done_where_every_answer_is_no_first() {
    check(0);
}

#[test]
fn nothing_is_done_where_every_answer_is_no_second() {
    check(1);
}

#[test]
fn nothing_is_done_where_every_answer_is_no_third() {
    check(2);
}

#[test]
fn the_table_is_large() {
    assert!(SCENES.len() * way::COUNT >= 300, "{}", SCENES.len() * way::COUNT);
}

/// Whoever the second opinion is: gone, too slow, one that tells the truth; where the rules know the deed, one that takes
/// everything for harmless and one that repeats what the page wants as well.
#[test]
fn no_second_opinion_does_a_deed() {
    let cells: Vec<_> = SCENES
        .iter()
        .flat_map(|scene| scene.anybody().into_iter().map(move |beside| (scene, beside)))
        .collect();
    let wrong = all(&cells, |(scene, beside)| {
        let came = play(scene, None, Answers::No, *beside);
        let deed = came
            .changed()
            .map(|what| format!("{} beside {beside:?}: {what}", scene.name));
        deed.or_else(|| {
            (came.asked == 0 && came.refused == 0).then(|| format!("{}: nothing was asked", scene.name))
        })
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The page in the half without the focus, its button no element of the tree: a touch there is none on the app with the focus.
#[test]
fn nothing_is_done_in_the_half_without_the_focus() {
    let cells: Vec<_> = SCENES
        .iter()
        .filter(|scene| scene.fits_half)
        .flat_map(|scene| (0..way::COUNT).map(move |way| (scene, way)))
        .filter(|(_, way)| way::is_by_place(*way))
        .collect();
    let wrong = all(&cells, |(scene, way)| {
        let came = play_in(
            Stands::BesideTheFocus,
            scene,
            Some(*way),
            Answers::No,
            Beside::Credulous,
        );
        came.changed()
            .map(|what| format!("{} by {}: {what}", scene.name, way::name(*way)))
    });
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        cells.len(),
        wrong.join("\n")
    );
}

/// The same pages with every answer Yes: what a Yes may do is done, so that the tables above can fail.
#[test]
fn a_yes_does_it() {
    let allowed: Vec<_> = SCENES.iter().filter(|scene| scene.a_yes_does_it).collect();
    assert!(allowed.len() >= 6);
    let wrong = all(&allowed, |scene| {
        let came = play(scene, None, Answers::Yes, scene.beside());
        came.changed()
            .is_none()
            .then(|| format!("{}: nothing happened; {} asked", scene.name, came.asked))
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The same in the half without the focus: the one touch gives the focus and presses.
#[test]
fn a_yes_does_it_in_the_half_without_the_focus() {
    let allowed: Vec<_> = SCENES
        .iter()
        .filter(|scene| scene.fits_half && scene.a_yes_does_it)
        .collect();
    let done = all(&allowed, |scene| {
        let came = play_in(
            Stands::BesideTheFocus,
            scene,
            None,
            Answers::Yes,
            Beside::Credulous,
        );
        came.changed()
    });
    assert!(!done.is_empty(), "nothing happened on any page");
}
