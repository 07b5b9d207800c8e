//! Opinions on pages: recorded ones (`PART.opinions.jsonl` beside a part), and two that are made up to measure by.

use crate::case::{self, Label, Labelled, folder};
use judge::guard::{self, Opinion, Question};
use protocol::Screen;
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

/// What somebody answered to the question about a screen, word for word.
#[derive(Debug, Deserialize)]
struct Recorded {
    /// As in [`screen_of`].
    screen: String,
    reply: String,
}

/// The screen of a case: its id up to its last dot.
pub(crate) fn screen_of(case: &Labelled) -> &str {
    case.id.rsplit_once('.').map_or(&*case.id, |(screen, _)| screen)
}

/// The replies recorded beside a part, by screen. Empty where nothing is.
pub(crate) fn recorded(part: &str) -> HashMap<String, String> {
    let file = folder().join(format!("{part}.opinions.jsonl"));
    let read = |line: &str| {
        let one: Recorded = serde_json::from_str(line).unwrap();
        (one.screen, one.reply)
    };
    std::fs::read_to_string(file)
        .unwrap_or_default()
        .lines()
        .map(read)
        .collect()
}

/// The opinion in the reply that was recorded for this screen.
pub(crate) fn of(screen: &Screen, task: &str, reply: &str) -> Option<Opinion> {
    question(screen, task)?.read(reply)
}

/// Writes the questions of a part, a line a screen: `{screen, system, text, elements: [{number, element, label, id}]}`.
/// Gives how many.
pub(crate) fn write_questions(part: &str, into: &Path) -> usize {
    let mut lines: Vec<String> = Vec::new();
    let mut seen: HashMap<String, String> = HashMap::new();
    for case in case::read(part) {
        let Some(question) = question(&case.screen(), case.facts.task.as_deref().unwrap_or_default()) else {
            continue;
        };
        let name = screen_of(&case);
        if let Some(text) = seen.insert(name.to_owned(), question.text().to_owned()) {
            assert_eq!(text, question.text(), "{name}: one screen, one question");
            continue;
        }
        let element = |(number, asked): (usize, &guard::Asked)| json!({"number": number, "element": asked.index, "label": asked.label, "id": asked.id});
        let elements: Vec<_> = (1..).zip(question.asked()).map(element).collect();
        let line = json!({"screen": name, "system": question.system(), "text": question.text(), "elements": elements});
        lines.push(format!("{line}\n"));
    }
    std::fs::create_dir_all(into).unwrap();
    let name = Path::new(part).file_name().unwrap().to_str().unwrap();
    std::fs::write(into.join(format!("{name}.questions.jsonl")), lines.concat()).unwrap();
    lines.len()
}

/// It says that everything moves: what a lying guard could let through.
pub(crate) fn lying(screen: &Screen) -> Option<Opinion> {
    opinion(screen, |_| "moves".to_owned())
}

/// It knows the label: what even the best guard could not clear.
pub(crate) fn knowing(screen: &Screen, case: &Labelled) -> Option<Opinion> {
    let says = if case.label == Label::Allow {
        "moves"
    } else {
        "unclear"
    };
    opinion(screen, |_| says.to_owned())
}

/// As a run asks it, but for the app's name, which no case tells.
fn question(screen: &Screen, task: &str) -> Option<Question> {
    Question::of(&guard::Page {
        screen,
        task,
        app: "",
        site: None,
        version: "",
        signers: &[],
        eyes: false,
    })
}

/// One that says this of each element, by its index; none where there is nothing to ask about.
pub(crate) fn opinion(screen: &Screen, says: impl Fn(u32) -> String) -> Option<Opinion> {
    let question = question(screen, "")?;
    let mut reply = String::new();
    for (n, asked) in (1..).zip(question.asked()) {
        let _ = writeln!(reply, "{n} {}", says(asked.index));
    }
    question.read(&reply)
}
