//! The page a person reads: one file of HTML that needs nothing but the pictures beside it.

use super::sentence;
use super::step::{ExportedQuestion, ExportedStep, StepPicture};
use crate::approvals::moment;
use crate::{redact, words};
use protocol::{AskOutcome, Bounds, Ending, FrameId, RunStory, What};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const STYLE: &str = include_str!("page.css");

/// The whole page.
pub(super) fn page(story: &RunStory, steps: &[ExportedStep], pictures: &BTreeMap<FrameId, String>) -> String {
    let run = &story.run;
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{}\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{goal}</title>\n<style>\n{STYLE}</style>\n<main>\n<h1>{goal}</h1>\n",
        words::get("export.task.language"),
        goal = text(&run.goal),
    );
    let phone = if run.phone_name.is_empty() {
        run.phone.0.clone()
    } else {
        run.phone_name.clone()
    };
    for (name, value) in [
        ("phone", phone),
        ("began", moment(run.started_at)),
        ("ended", run.ended_at.map(moment).unwrap_or_default()),
        ("model", run.model.clone()),
    ] {
        if !value.is_empty() {
            let name = words::get(&format!("export.task.{name}"));
            let _ = writeln!(
                out,
                "<p class=\"fact\"><b>{}</b> {}</p>",
                text(&name),
                text(&value)
            );
        }
    }
    let _ = writeln!(out, "<p class=\"end\">{}</p>", text(&end(run.ending.as_ref())));
    out.push_str("<ol>\n");
    for step in steps {
        write_step(&mut out, step, pictures);
    }
    out.push_str("</ol>\n");
    let said: Vec<&str> = story
        .events
        .iter()
        .filter_map(|event| match &event.what {
            What::Said { text } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    if !said.is_empty() {
        let _ = writeln!(out, "<h2>{}</h2>", text(&words::get("rows.said")));
        for one in said {
            let _ = writeln!(out, "<p class=\"words\">{}</p>", text(one));
        }
    }
    out.push_str("</main>\n</html>\n");
    out
}

fn write_step(out: &mut String, step: &ExportedStep, pictures: &BTreeMap<FrameId, String>) {
    let _ = writeln!(out, "<li value=\"{}\">\n<div>", step.step);
    let _ = writeln!(
        out,
        "<h3>{}</h3>\n<p class=\"time\">{}</p>",
        text(&sentence::of(step)),
        text(&moment(step.at))
    );
    if let Some(thought) = step
        .decision
        .as_ref()
        .map(|one| one.thought.as_str())
        .filter(|thought| !thought.is_empty())
    {
        let why = words::get("task.why_this");
        let _ = writeln!(
            out,
            "<p class=\"words\"><b>{}</b> {}</p>",
            text(&why),
            text(thought)
        );
    }
    for question in &step.questions {
        let _ = writeln!(out, "<p class=\"asked\">{}</p>", text(&asked(question)));
    }
    if let Some(refused) = &step.refused {
        let _ = writeln!(
            out,
            "<p class=\"no\">{}</p>",
            text(&words::of("refusals", &refused.code.to_string()))
        );
    }
    if let Some(outcome) = step.outcome.as_ref().filter(|outcome| !outcome.ok) {
        let _ = writeln!(
            out,
            "<p class=\"no\">{}</p>",
            text(&words::of("outcomes", &outcome.code.to_string()))
        );
    }
    out.push_str("</div>\n");
    let picture = step.frame().and_then(|frame| pictures.get(frame));
    if let (Some(picture), Some(look)) = (picture, &step.look) {
        let ring = step
            .deed
            .as_ref()
            .and_then(|deed| deed.ring)
            .map(|ring| marked(ring, look));
        let alt = words::fill("task.step_picture", &[("step", &step.step.to_string())]);
        let _ = writeln!(
            out,
            "<a class=\"picture\" href=\"{picture}\"><img src=\"{picture}\" alt=\"{}\">{}</a>",
            text(&alt),
            ring.unwrap_or_default()
        );
    }
    out.push_str("</li>\n");
}

/// A ring where it was touched, in hundredths of the picture.
fn marked(ring: Bounds, look: &StepPicture) -> String {
    let share = |at: i32, whole: u32| f64::from(at) * 50.0 / f64::from(whole.max(1));
    let (across, down) = (
        share(ring.left + ring.right, look.width),
        share(ring.top + ring.bottom, look.height),
    );
    format!("<i style=\"left:{across:.1}%;top:{down:.1}%\"></i>")
}

/// What was asked, and what was answered when.
fn asked(question: &ExportedQuestion) -> String {
    let ask = &question.ask;
    let name = words::words_of(ask);
    let values = [("app", words::app_of(ask)), ("phone", ask.phone_name.as_str())];
    let asked = words::closed(&words::fill(&format!("ask.{name}.question"), &values));
    let amount = ask
        .evidence
        .amount
        .as_ref()
        .map(|amount| format!(" {}.", amount.text));
    let answer = match &question.end {
        None | Some((_, AskOutcome::Withdrawn)) => words::get("rows.withdrawn"),
        Some((_, AskOutcome::Allowed | AskOutcome::Supplied { .. })) => {
            words::fill(&format!("ask.{name}.allowed"), &values)
        }
        Some((_, AskOutcome::Denied)) => words::fill(&format!("ask.{name}.denied"), &values),
        Some((_, AskOutcome::TimedOut)) => words::get("answers.timed_out"),
    };
    let when = question
        .end
        .as_ref()
        .map(|(at, _)| moment(*at))
        .unwrap_or_default();
    format!("{asked}{} {answer}. {when}", amount.unwrap_or_default())
}

fn end(ending: Option<&Ending>) -> String {
    match ending {
        Some(Ending::Finished { message, .. }) if !message.is_empty() => message.clone(),
        Some(Ending::Finished { declined: true, .. }) => words::get("ended.declined"),
        Some(Ending::Finished { .. }) => words::get("ended.finished"),
        Some(Ending::Stopped) => words::get("ended.stopped"),
        Some(Ending::Failed { failure }) => words::failed(failure),
        Some(Ending::Interrupted { .. }) => words::get("ended.interrupted"),
        None => words::get("export.task.no_end"),
    }
}

/// A text as a part of the page, without what must not be in it.
fn text(raw: &str) -> String {
    redact::clean(raw)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
