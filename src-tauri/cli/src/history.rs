//! `deck history`, `show`, `export`, `erase`, `keep`, `run --continue`: runs of the past, as the window has them.

use crate::args::{Erase, Export, History, ShowRun};
use crate::opening::PHONES_TIMEOUT;
use crate::say::{self, CommandResult};
use crate::sentences;
use crate::telling::UnknownOutcomes;
use engine::{Engine, ModelChoice, words};
use protocol::{Ending, EraseAlso, ExportForm, Failure, HistoryQuery, PastRun, PhoneId, PhoneState, RunId};
use serde_json::json;
use std::path::PathBuf;

/// Runs read in one go.
const PAGE: u32 = 200;

/// A line a run, newest first.
pub(crate) async fn history(data: Option<PathBuf>, args: History) -> CommandResult {
    let engine = crate::opening::engine(data).await?;
    let day = match args.day.as_deref().map(day).transpose() {
        Ok(day) => day,
        Err(why) => return Ok(say::usage(&why)),
    };
    let mut query = HistoryQuery {
        text: args.search.unwrap_or_default(),
        end: args.end.map(Into::into),
        from: day.map(|day| day.0),
        until: day.map(|day| day.1),
        ..HistoryQuery::default()
    };
    if let Some(named) = &args.phone {
        // A phone is named as the window names it, or by its id.
        let all = engine.history(&HistoryQuery::default()).await?.phones;
        let known = all
            .iter()
            .find(|phone| phone.id.0 == *named || phone.name == *named);
        query.phone = Some(known.map_or_else(|| PhoneId(named.clone()), |phone| phone.id.clone()));
    }
    let (mut left, mut has_more) = (args.limit, false);
    while left > 0 {
        query.limit = Some(left.min(PAGE));
        let page = engine.history(&query).await?;
        for run in &page.runs {
            say::line(run);
        }
        left = left.saturating_sub(u32::try_from(page.runs.len()).unwrap_or(u32::MAX));
        query.before = page.runs.last().map(|run| run.run.clone());
        has_more = page.more;
        if !has_more {
            break;
        }
    }
    if has_more {
        say::note("(deck history --limit N tells more)");
    }
    Ok(say::FINE)
}

/// The run in short, then its events, a line each.
pub(crate) async fn show(data: Option<PathBuf>, args: ShowRun) -> CommandResult {
    let engine = crate::opening::engine(data).await?;
    let story = engine.run_story(&RunId(args.run)).await?;
    say::line(&json!({"run": story.run}));
    let mut unknown = UnknownOutcomes::default();
    for event in &story.events {
        say::line(event);
        unknown.hear(&event.run, &event.what);
    }
    say::note(&end(&story.run));
    // An interruption says so itself.
    if !matches!(story.run.ending, Some(Ending::Interrupted { .. })) {
        unknown.tell(&story.run.run);
    }
    Ok(say::FINE)
}

pub(crate) async fn export(data: Option<PathBuf>, args: Export) -> CommandResult {
    // Whatever is called alike would be lost, also where a link leads.
    if std::fs::read_dir(&args.folder).is_ok_and(|mut files| files.next().is_some()) {
        return Ok(say::usage(
            "the folder has files in it: name an empty one, or one that is not there yet",
        ));
    }
    let engine = crate::opening::engine(data).await?;
    let run = RunId(args.run);
    let forms: &[ExportForm] = match (args.training, args.page) {
        (true, false) => &[ExportForm::Training],
        (false, true) => &[ExportForm::Page],
        _ => &[ExportForm::Page, ExportForm::Training],
    };
    for form in forms {
        engine.export_run_to(&run, *form, &args.folder).await?;
    }
    say::line(&json!({"run": run, "folder": args.folder}));
    Ok(say::FINE)
}

pub(crate) async fn erase(data: Option<PathBuf>, args: Erase) -> CommandResult {
    let engine = crate::opening::engine(data).await?;
    if let Some(run) = args.run {
        let run = RunId(run);
        engine.erase_run(&run).await?;
        say::line(&json!({"erased": run}));
        return Ok(say::FINE);
    }
    let also = EraseAlso {
        keys: args.keys,
        passwords: args.passwords,
    };
    let left = engine.erase_everything(also).await?;
    say::line(&json!({"erased": "all", "left": left}));
    if left == 0 {
        return Ok(say::FINE);
    }
    // What goes on is not erased, and whoever wanted all of it gone hears so.
    say::note(&words::get("deck.kept"));
    Ok(say::FAILED)
}

/// Keeps what a task's AI would have the person remember.
pub(crate) async fn keep(data: Option<PathBuf>, args: ShowRun) -> CommandResult {
    let engine = crate::opening::engine(data).await?;
    let note = engine.keep_proposed(&RunId(args.run)).await?;
    say::line(&json!({"kept": note}));
    Ok(say::FINE)
}

/// Goes on with a task that was broken off, on its own phone; gives the new run.
///
/// # Errors
/// When it is gone, done or going on, or its phone cannot be used.
pub(crate) async fn go_on(
    engine: &Engine,
    run: &RunId,
    note: &str,
    choice: &ModelChoice,
) -> Result<RunId, Failure> {
    let phone = engine.broken_off(run).await?;
    let model = engine.model(choice).await?;
    let mut listing = engine.listing();
    let there = listing.wait_for(|listing| {
        let mut phones = listing.phones.iter();
        phones.any(|one| one.id == phone && one.state == PhoneState::Device)
    });
    // What is not there by then is said by whoever begins.
    let _ = tokio::time::timeout(PHONES_TIMEOUT, there).await;
    engine.go_on_with(run, note, model).await
}

/// How a run ended, in a sentence.
fn end(run: &PastRun) -> String {
    match &run.ending {
        Some(Ending::Finished { message, .. }) => sentences::plain(message),
        Some(ending) => sentences::ended(ending).unwrap_or_default(),
        None => words::get("export.task.no_end"),
    }
}

/// The first moment of a day and of the next, where the person is.
fn day(text: &str) -> Result<(u64, u64), String> {
    let wrong = |_| "a day is written like 2026-05-07".to_owned();
    let day: jiff::civil::Date = text.parse().map_err(wrong)?;
    let begin = |day: jiff::civil::Date| -> Result<u64, String> {
        let start = day.to_zoned(jiff::tz::TimeZone::system()).map_err(wrong)?;
        Ok(u64::try_from(start.timestamp().as_millisecond()).unwrap_or(0))
    };
    Ok((begin(day)?, begin(day.tomorrow().map_err(wrong)?)?))
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn a_day_is_from_midnight_to_midnight() {
        let (from, until) = day("2026-05-07").unwrap();
        assert!(
            (82_800_000..=90_000_000).contains(&(until - from)),
            "{from} {until}"
        );
        assert!(day("yesterday").is_err());
        assert!(day("2026-13-01").is_err());
    }
}
