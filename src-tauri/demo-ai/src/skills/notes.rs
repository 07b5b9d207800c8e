//! Notes: writing a new one, deleting one.

use super::people::{self, Match};
use crate::apps::NOTES;
use crate::decision_context::DecisionContext;
use crate::memory::PastStep;
use crate::moves::{Move, NextMove};
use crate::view::{View, id, is_pressable, title_of, written};
use crate::words::{enumerate, plain, reads_as};
use agent::prompt::cut;
use protocol::{Element, Role};

const TITLE: &[&str] = &["Title"];
const BODY: &[&str] = &["Note"];
/// Notes of the planner's own: the new note is written; the question whether to delete was answered with Delete.
const WRITTEN: &str = "written";
const CONFIRMS: &str = "confirms";

/// The fields of the editor: title and body.
fn editor<'a>(view: &View<'a>) -> Option<(&'a Element, &'a Element)> {
    Some((view.by_id("title")?, view.by_id("body")?))
}

/// Writes a new note.
pub(crate) fn add(scene: &DecisionContext<'_>, title: Option<&str>, text: &str) -> NextMove {
    if !scene.is_in(&NOTES) {
        return scene.open(&NOTES, "I’m opening Notes.");
    }
    if let Some(next) = dialog(scene) {
        return next;
    }
    if scene.memory.told(WRITTEN).next().is_some() && editor(&scene.view).is_none() {
        return NextMove::Done(match title {
            Some(title) => format!("The note “{title}” is saved."),
            None => format!("The note is saved: “{}”.", cut(text, 80)),
        });
    }
    let Some((head, body)) = editor(&scene.view) else {
        return match scene.view.button("New note") {
            Some(new) => NextMove::Do(Move::tap(new, "I’m starting a new note.")),
            None => scene.back("I’m going back to the list of notes."),
        };
    };
    // Another note that stands open is never written into.
    let own = scene.memory.has_pressed_lately("New note");
    let empty = written(head, TITLE).is_empty() && written(body, BODY).is_empty();
    if !own && !empty {
        return scene.back("This is another note. I’m going back to the list.");
    }
    if scene.could_not_type() {
        return NextMove::Left(
            "This phone’s keyboard has no key for some letters of the note, so it is not written.".to_owned(),
        );
    }
    if let Some(title) = title
        && !reads_as(written(head, TITLE), title)
    {
        return scene.fill(head, title, TITLE, format!("The title is “{title}”."));
    }
    if !text.is_empty() && !reads_as(written(body, BODY), text) {
        return scene.fill(body, text, BODY, "I’m writing the note.");
    }
    match scene.back("The note is written. Leaving the page keeps it.") {
        NextMove::Do(step) => NextMove::Do(step.noting(WRITTEN, "yes")),
        other => other,
    }
}

/// Deletes a note, once the person agreed.
pub(crate) fn delete(scene: &DecisionContext<'_>, title: &str) -> NextMove {
    if !scene.is_in(&NOTES) {
        return scene.open(&NOTES, "I’m opening Notes.");
    }
    let confirmed = |deed: &PastStep| deed.told(CONFIRMS).next().is_some() && deed.end.may_be_done();
    let denied = scene.memory.denied("Delete");
    if scene.view.by_id("alertTitle").is_some() {
        let cancel = scene.view.button("Cancel");
        return match (denied, scene.view.button("Delete"), cancel) {
            (false, Some(delete), _) if scene.memory.has_pressed("Delete") => {
                let thought = format!("The phone asks whether “{title}” is to go. Next I’d tap “Delete”.");
                NextMove::Do(Move::tap(delete, thought).noting(CONFIRMS, title))
            }
            (_, _, Some(cancel)) => {
                NextMove::Do(Move::tap(cancel, "I’m closing this question without deleting."))
            }
            _ => NextMove::Do(Move::key("BACK", "I’m closing this question.")),
        };
    }
    if denied {
        return NextMove::Left(format!("You said no, so the note “{title}” is still there."));
    }
    if scene.memory.deeds.iter().any(confirmed) {
        return NextMove::Done(format!("The note “{title}” is deleted."));
    }
    if let Some((head, body)) = editor(&scene.view) {
        let name = written(head, TITLE);
        let name = if name.is_empty() {
            written(body, BODY)
        } else {
            name
        };
        return match scene.view.by_id("delete").filter(|e| is_pressable(e)) {
            Some(delete) if people::fit(title, name) >= 2 || is_chosen(scene, name) => {
                NextMove::Do(Move::tap(
                    delete,
                    format!("This is the note “{}”. Next I’d tap “Delete”.", cut(name, 60)),
                ))
            }
            _ => scene.back("This is another note. I’m going back to the list."),
        };
    }
    let rows = scene
        .view
        .elements()
        .filter(|e| is_pressable(e) && id(e) == "note");
    match people::find(title, rows.map(|row| (title_of(&row.label), row))) {
        Match::One(row) => {
            let name = title_of(&row.label);
            NextMove::Do(Move::tap(row, format!("There is “{name}”. I’m opening it.")).noting("chosen", name))
        }
        Match::Several(names) => NextMove::Left(format!(
            "Several notes fit: {}. Tell me which one; nothing was deleted.",
            enumerate(&names)
        )),
        Match::Nobody if scene.view.by_id("sort_spinner").is_none() && scene.view.way_back().is_some() => {
            scene.back("I’m going back to the list of notes.")
        }
        Match::Nobody => scene.look_further(&format!("“{title}”")).map_or_else(
            || {
                NextMove::Left(format!(
                    "I found no note called “{title}”, so nothing was deleted."
                ))
            },
            NextMove::Do,
        ),
    }
}

fn is_chosen(scene: &DecisionContext<'_>, name: &str) -> bool {
    scene
        .memory
        .told("chosen")
        .any(|chosen| plain(chosen) == plain(name))
}

/// A question or a menu over the page is closed.
fn dialog(scene: &DecisionContext<'_>) -> Option<NextMove> {
    let view = &scene.view;
    let over = view.by_id("alertTitle").is_some() || view.elements().all(|e| e.role == Role::Item);
    over.then(|| match view.button("Cancel") {
        Some(cancel) => NextMove::Do(Move::tap(
            cancel,
            "I’m closing this question without changing anything.",
        )),
        None => NextMove::Do(Move::key("BACK", "Something lies over the page. I’m closing it.")),
    })
}
