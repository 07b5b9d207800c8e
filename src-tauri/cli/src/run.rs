//! `deck run`: a whole task, an automation, or what is left of a task, an event a line; answers and steering as JSON lines on standard input.

use crate::answering::{is_allowed, yes};
use crate::args::{Answers, Run};
use crate::interrupts::Interrupts;
use crate::keyboard::{InputLine, TypedAnswer};
use crate::opening::{LOCKED, open};
use crate::say::{self, CommandResult};
use crate::telling::{UnknownOutcomes, tell_end, tell_note, tell_pause};
use crate::timing::Timings;
use crate::{automations, history, keyboard, provider, sentences};
use engine::{Engine, ModelChoice, words};
use protocol::{Answer, Ask, AskId, Ending, Event, Failure, FailureCode, News, Op, PauseReason, RunId, What};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader, Stdin};
use tokio::time::{Instant, sleep};

/// How long the end of a run may take to be on the disk; the next to open the data says that it was interrupted.
const WRITING: Duration = Duration::from_secs(5);
/// To read a question that took another's place while somebody typed.
const READING: Duration = Duration::from_secs(1);
const LOOK_AGAIN: Duration = Duration::from_millis(100);

pub(crate) async fn run(data: Option<PathBuf>, mut args: Run) -> CommandResult {
    let goal = args.goal.take().unwrap_or_default();
    let is_kept = args.automation.is_some() || args.broken_off.is_some();
    if !is_kept && goal.trim().is_empty() {
        return Ok(say::usage(
            "--goal is empty: say in plain words what should be done",
        ));
    }
    let choice = match provider::choice(args.provider.take(), args.model.take(), args.schema) {
        Ok(choice) => choice,
        Err(wrong) => return Ok(say::usage(&wrong)),
    };
    let mut interrupts = Interrupts::listen().map_err(no_interrupts)?;
    let (engine, runs) = if let Some(name) = &args.automation {
        let engine = crate::opening::engine(data).await?;
        let values = args.values.iter().cloned().collect();
        let runs = automations::begin(&engine, name, &values, &choice).await?;
        (engine, runs)
    } else if let Some(run) = args.broken_off.take() {
        let engine = crate::opening::engine(data).await?;
        let note = args.note.as_deref().unwrap_or_default();
        let run = history::go_on(&engine, &RunId(run), note, &choice).await?;
        (engine, vec![run])
    } else {
        begin(data, args.device.as_deref().unwrap_or_default(), &goal, &choice).await?
    };
    // Whoever listens is told each phone's latest run from its beginning.
    let mut news = engine.listen();
    let timed = runs.first().filter(|_| args.timing);
    let mut timings = Timings::of(timed.and_then(|run| engine.timings(run)));
    let asks = args.answer == Answers::Ask;
    let mut task = WatchedRuns {
        engine,
        runs: runs.clone(),
        answers: args.answer,
        lines: asks.then(|| BufReader::new(tokio::io::stdin()).lines()),
        keyboard: asks && std::io::stdin().is_terminal(),
        nobody: !asks,
        read_last: None,
        waits: BTreeMap::new(),
        closed: BTreeMap::new(),
        stopped: false,
        printing: true,
        needed: false,
        unknown: UnknownOutcomes::default(),
    };
    let mut code = say::FINE;
    while !task.runs.is_empty() {
        let gives_up = task.gives_up();
        tokio::select! {
            () = timings.tell_next(), if timings.are_told() => {}
            one = news.recv() => match one {
                Some(News::Run { event }) if task.runs.contains(&event.run) => {
                    task.print(&event).await?;
                    let run = event.run.clone();
                    if let Some(ended) = task.hear(event).await? {
                        task.runs.retain(|one| *one != run);
                        code = code.max(ended);
                    }
                }
                Some(_) => {}
                None => return Ok(say::FAILED),
            },
            line = next_line(&mut task.lines), if task.lines.is_some() => task.read(line).await?,
            run = given_up(gives_up) => steer(&task.engine, &run, Op::Stop).await?,
            () = interrupts.next() => {
                task.stopped = true;
                task.steer_all(Op::Stop).await?;
            }
        }
    }
    timings.tell_rest();
    for run in &runs {
        written(&task.engine, run, &mut interrupts).await;
    }
    Ok(code)
}

/// Begins a task on one phone.
async fn begin(
    data: Option<PathBuf>,
    device: &str,
    goal: &str,
    choice: &ModelChoice,
) -> Result<(Engine, Vec<RunId>), Failure> {
    let (engine, phone) = open(data, device).await?;
    let model = engine.model(choice).await?;
    // Whatever else is wrong with the phone is said by what comes next.
    if let Err(failure) = engine.can_type(std::slice::from_ref(&phone), goal).await
        && failure.code == FailureCode::NeedsTyping
    {
        // Said, and no more: who calls a program has nobody to press a button.
        say::note(&words::failed(&failure));
        say::note("(deck fetch scrcpy)");
    }
    let run = engine.run_with(&phone, goal, model, engine.settings())?;
    Ok((engine, vec![run]))
}

type Lines = tokio::io::Lines<BufReader<Stdin>>;

async fn next_line(lines: &mut Option<Lines>) -> Option<String> {
    match lines {
        Some(lines) => lines.next_line().await.ok().flatten(),
        None => None,
    }
}

/// Runs that are being watched.
struct WatchedRuns {
    engine: Engine,
    /// Those that go on.
    runs: Vec<RunId>,
    answers: Answers,
    lines: Option<Lines>,
    /// A person sits at the terminal that the lines come from.
    keyboard: bool,
    /// Nobody is there to answer.
    nobody: bool,
    /// The question the person can have read last, and since when.
    read_last: Option<(AskId, Instant)>,
    /// Runs that wait; whether for a person.
    waits: BTreeMap<RunId, bool>,
    /// Runs of which nothing was written down since.
    closed: BTreeMap<RunId, Instant>,
    /// The person stopped it.
    stopped: bool,
    /// Somebody reads the events.
    printing: bool,
    /// A person would have been needed.
    needed: bool,
    unknown: UnknownOutcomes,
}

impl WatchedRuns {
    /// A line an event. When nobody reads them any more, nobody watches the run: it ends.
    async fn print(&mut self, event: &Event) -> Result<(), Failure> {
        if self.printing && !say::tell(event) {
            self.printing = false;
            self.steer_all(Op::Stop).await?;
        }
        Ok(())
    }

    async fn steer_all(&self, op: Op) -> Result<(), Failure> {
        for run in &self.runs {
            steer(&self.engine, run, op.clone()).await?;
        }
        Ok(())
    }

    /// When a run that nobody watches is stopped, because it cannot be written down.
    fn gives_up(&self) -> Option<(Instant, RunId)> {
        let closed = self.closed.iter().filter(|_| self.nobody);
        let first = closed.min_by_key(|(_, since)| **since);
        first.map(|(run, since)| (*since + LOCKED, run.clone()))
    }

    /// One event; an exit code when it was the last.
    async fn hear(&mut self, event: Event) -> Result<Option<u8>, Failure> {
        let is_try = matches!(
            event.what,
            What::Paused { .. } | What::Resumed | What::Answered { .. } | What::Ended { .. }
        );
        if !is_try {
            self.closed.remove(&event.run);
        }
        let run = event.run;
        self.unknown.hear(&run, &event.what);
        match event.what {
            What::Asked { ask, .. } => self.asked(&ask)?,
            What::Paused { reason } => {
                let is_closed = matches!(
                    &reason,
                    PauseReason::Journal { failure } if failure.code == FailureCode::JournalLocked
                );
                // It is tried again and again: said once.
                if !is_closed || !self.closed.contains_key(&run) {
                    tell_pause(&reason);
                    if self.keyboard {
                        say::note(r#"({"op": "resume"} or {"op": "stop"})"#);
                    }
                }
                if is_closed {
                    self.closed.entry(run.clone()).or_insert_with(Instant::now);
                    self.waits.insert(run, false);
                } else {
                    self.wait(&run, wants_person(&reason)).await?;
                }
            }
            What::Voided { .. } => say::note(&words::get("rows.voided")),
            What::TakenOver => self.wait(&run, true).await?,
            What::Resumed | What::HandedBack => {
                self.waits.remove(&run);
            }
            What::NoteProposed { text, from_screen } => tell_note(&run, &text, from_screen),
            What::Ended {
                ending,
                maybe_running,
            } => {
                self.waits.remove(&run);
                self.closed.remove(&run);
                tell_end(&ending, self.stopped, maybe_running);
                self.unknown.tell(&run);
                return Ok(Some(match ending {
                    _ if self.needed => say::NEEDED,
                    Ending::Finished { .. } if self.printing => say::FINE,
                    _ => say::FAILED,
                }));
            }
            _ => {}
        }
        Ok(None)
    }

    fn asked(&mut self, ask: &Ask) -> Result<(), Failure> {
        say::note(&sentences::question(ask));
        if self.nobody {
            return self.answer_by_itself(ask);
        }
        self.invite(ask);
        Ok(())
    }

    /// A word answers what was read last, and nothing else.
    fn invite(&mut self, ask: &Ask) {
        let follows = matches!(&self.read_last, Some((last, _)) if *last != ask.id);
        let since = Instant::now() + if follows { READING } else { Duration::ZERO };
        self.read_last = Some((ask.id.clone(), since));
        if self.keyboard {
            say::note("(y/n)");
        }
    }

    /// The run waits. With nobody there, that is its end.
    async fn wait(&mut self, run: &RunId, for_a_person: bool) -> Result<(), Failure> {
        self.waits.insert(run.clone(), for_a_person);
        if self.nobody {
            self.needed |= for_a_person;
            steer(&self.engine, run, Op::Stop).await?;
        }
        Ok(())
    }

    /// No, or what the person allowed beforehand on the command line.
    fn answer_by_itself(&mut self, ask: &Ask) -> Result<(), Failure> {
        let allowed = is_allowed(self.answers, ask);
        if allowed || self.answers == Answers::Deny {
            let said = if allowed { "allowed" } else { "denied" };
            say::note(&words::closed(&sentences::ask_words(ask, said)));
        } else {
            // Also where what the command line allows is less than this.
            self.needed = true;
            say::note(&words::get("deck.nobody"));
        }
        let answer = if allowed { yes(ask) } else { engine::no(ask) };
        self::answer(&self.engine, answer)
    }

    /// Whether an answer is to a question as it stands: another digest is of another text of it.
    fn is_of_another(&self, ask: &AskId, digest: &str) -> bool {
        let open = self.open_asks();
        open.iter().any(|one| one.id == *ask && one.digest != digest)
    }

    /// One line of standard input, or its end.
    async fn read(&mut self, line: Option<String>) -> Result<(), Failure> {
        let Some(line) = line else {
            return self.left_alone().await;
        };
        if line.trim().is_empty() {
            return Ok(());
        }
        if let Some(word) = keyboard::word(&line).filter(|_| self.keyboard) {
            return self.answer_in_a_word(word);
        }
        let done = match serde_json::from_str::<InputLine>(&line) {
            Ok(InputLine::Answer { ask, digest, .. }) if self.is_of_another(&ask, &digest) => Err(Failure {
                detail: Some("the digest is not the open question's".to_owned()),
                ..FailureCode::BadInput.into()
            }),
            Ok(InputLine::Answer {
                ask,
                digest,
                value: Some(value),
                ..
            }) => self.engine.supply(ask, digest, value),
            Ok(InputLine::Answer {
                ask,
                digest,
                file: Some(file),
                ..
            }) => give(&self.engine, ask, digest, &file),
            Ok(InputLine::Answer {
                ask,
                digest,
                choice,
                value: None,
                words,
                amount,
                file: None,
            }) => self.engine.answer(Answer {
                ask,
                digest,
                choice,
                words,
                amount,
            }),
            Ok(InputLine::Op(op)) => {
                self.stopped |= op == Op::Stop;
                let mut done = Ok(());
                for run in &self.runs {
                    done = done.and(self.engine.steer(run, op.clone()).await);
                }
                done
            }
            Err(_) => {
                // The line may hold a code: it is not shown.
                say::usage(keyboard::USAGE);
                Ok(())
            }
        };
        if let Err(failure) = done {
            say::failure(&failure);
        }
        Ok(())
    }

    /// Standard input ended: what is asked is answered No, and what waits for somebody ends.
    async fn left_alone(&mut self) -> Result<(), Failure> {
        self.lines = None;
        self.keyboard = false;
        self.nobody = true;
        for ask in self.open_asks() {
            self.answer_by_itself(&ask)?;
        }
        for (run, for_a_person) in self.waits.clone() {
            // The journal may open yet.
            if !self.closed.contains_key(&run) {
                self.wait(&run, for_a_person).await?;
            }
        }
        Ok(())
    }

    fn open_asks(&self) -> Vec<Ask> {
        let mut open = self.engine.open_asks().borrow().asks.clone();
        open.retain(|ask| self.runs.contains(&ask.run));
        open
    }

    /// `y` or `n` from the keyboard, to the one question that is open, where it was read last; else it is told again.
    fn answer_in_a_word(&mut self, word: TypedAnswer) -> Result<(), Failure> {
        let open = self.open_asks();
        let [ask] = open.as_slice() else {
            say::note(&words::closed(&words::get("approval.nothing_waits")));
            return Ok(());
        };
        let was_read = |(last, since): &(AskId, Instant)| *last == ask.id && *since <= Instant::now();
        if !self.read_last.as_ref().is_some_and(was_read) {
            say::note(&sentences::question(ask));
            self.invite(ask);
            return Ok(());
        }
        let answer = match word {
            TypedAnswer::Yes => yes(ask),
            TypedAnswer::No => engine::no(ask),
        };
        if !ask.choices.contains(&answer.choice) {
            say::note(&words::get("approval.not_offered"));
            return Ok(());
        }
        self::answer(&self.engine, answer)
    }
}

/// Answers; a question that was withdrawn meanwhile needs none.
pub(crate) fn answer(engine: &Engine, answer: Answer) -> Result<(), Failure> {
    unless_over(engine.answer(answer))
}

/// Steers; a run that is over meanwhile needs none of it.
pub(crate) async fn steer(engine: &Engine, run: &RunId, op: Op) -> Result<(), Failure> {
    unless_over(engine.steer(run, op).await)
}

fn unless_over(done: Result<(), Failure>) -> Result<(), Failure> {
    match done {
        Err(failure) if failure.code != FailureCode::NotFound => Err(failure),
        _ => Ok(()),
    }
}

/// Whether a pause waits for a decision, and not for a phone, a server or a disk.
fn wants_person(reason: &PauseReason) -> bool {
    match reason {
        PauseReason::Person
        | PauseReason::TimedOut { .. }
        | PauseReason::Unclear
        | PauseReason::Repeating
        | PauseReason::Denied
        | PauseReason::ManyQuestions
        | PauseReason::Unapproved { .. }
        | PauseReason::Limit { .. }
        | PauseReason::Protected => true,
        PauseReason::PhoneGone
        | PauseReason::Model { .. }
        | PauseReason::Journal { .. }
        | PauseReason::Look { .. } => false,
    }
}

/// The system does not let us hear Ctrl-C: then nothing is begun that could not be stopped.
#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
pub(crate) fn no_interrupts(error: std::io::Error) -> Failure {
    Failure {
        code: FailureCode::Internal,
        values: BTreeMap::new(),
        detail: Some(format!("no signals: {error}")),
    }
}

/// Waits until a run's end is on the disk, and what the run left to be written with it: where the journal is closed it is told
/// first and written when it can be. Bounded; Ctrl-C ends the wait.
pub(crate) async fn written(engine: &Engine, run: &RunId, interrupts: &mut Interrupts) {
    let began = Instant::now();
    let look = async {
        while began.elapsed() < WRITING {
            let known = engine.store().run(run).await;
            if known.is_ok_and(|summary| summary.end.is_some()) {
                return engine.written(WRITING.saturating_sub(began.elapsed())).await;
            }
            sleep(LOOK_AGAIN).await;
        }
        false
    };
    tokio::select! {
        is_written = look => {
            if !is_written {
                say::note(&words::get("notices.unwritten"));
            }
        }
        () = interrupts.next() => {}
    }
}

/// Comes when this moment does; gives the run.
async fn given_up(at: Option<(Instant, RunId)>) -> RunId {
    match at {
        Some((at, run)) => {
            tokio::time::sleep_until(at).await;
            run
        }
        None => std::future::pending().await,
    }
}

/// Carries a picture or file of this computer to the phone that asks for one.
fn give(engine: &Engine, ask: AskId, digest: String, file: &Path) -> Result<(), Failure> {
    let bytes = std::fs::read(file).map_err(|error| Failure {
        code: FailureCode::BadInput,
        values: BTreeMap::new(),
        detail: Some(format!("{}: {error}", file.display())),
    })?;
    let name = file
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    engine.give(ask, digest, name, &bytes)
}
