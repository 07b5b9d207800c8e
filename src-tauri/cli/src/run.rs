//! `deck run`: a whole task, an event a line; answers and steering as JSON lines on standard input.

use crate::args::{Answers, Run};
use crate::say::{self, Done};
use desk::{Desk, MODEL_KEY, Options, Voice};
use protocol::{
    Answer, Ask, AskId, Choice, Ending, Event, Failure, News, Op, PauseReason, PhoneId, Provider, RunId, What,
};
use secrecy::SecretString;
use serde::Deserialize;
use std::path::PathBuf;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader, Stdin};

/// How long a phone has to show up.
const PATIENCE: Duration = Duration::from_secs(15);

/// One line of standard input.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Answer {
        ask: AskId,
        digest: String,
        choice: Choice,
        /// The code or password of `supply`.
        #[serde(default)]
        value: Option<SecretString>,
    },
    Op(Op),
}

/// Opens the desk and finds a phone on it.
pub(crate) async fn open(data: Option<PathBuf>, serial: &str) -> Result<(Desk, PhoneId), Failure> {
    let folder = match data {
        Some(folder) => folder,
        None => desk::usual_folder()?,
    };
    let mut options = Options::usual(folder)?;
    options.demo = false;
    options.key = std::env::var(MODEL_KEY)
        .ok()
        .filter(|key| !key.is_empty())
        .map(SecretString::from);
    let desk = Desk::open(options).await?;
    let phone = desk.phone_by_serial(serial, PATIENCE).await;
    match phone {
        Ok(phone) => Ok((desk, phone)),
        Err(error) => {
            let trouble = desk
                .listing()
                .borrow()
                .troubles
                .first()
                .map(|(_, failure)| failure.clone());
            Err(trouble.unwrap_or_else(|| error.into()))
        }
    }
}

pub(crate) async fn run(data: Option<PathBuf>, args: Run) -> Done {
    let (desk, phone) = open(data, &args.device).await?;
    let voice = match args.provider.zip(args.model) {
        Some((base_url, model)) => Voice::Provider(Provider::OpenaiCompatible {
            base_url,
            model,
            input_price: None,
            output_price: None,
        }),
        None => Voice::Settings,
    };
    let model = desk.voice(&voice).await?;
    let mut news = desk.listen();
    let run = desk.run_with(&phone, &args.goal, model, desk.settings())?;
    let lines = (args.answer == Answers::Ask).then(|| BufReader::new(tokio::io::stdin()).lines());
    let mut task = Watched {
        desk,
        run,
        answers: args.answer,
        lines,
        nobody: args.answer != Answers::Ask,
        needed: false,
    };
    loop {
        tokio::select! {
            one = news.recv() => match one {
                Some(News::Run { event }) if event.run == task.run => {
                    say::line(&event);
                    if let Some(code) = task.hear(event).await? {
                        return Ok(code);
                    }
                }
                Some(_) => {}
                None => return Ok(say::FAILED),
            },
            line = next_line(&mut task.lines), if task.lines.is_some() => task.read(line).await?,
            _ = tokio::signal::ctrl_c() => {
                task.desk.steer(&task.run, Op::Stop).await?;
            }
        }
    }
}

type Lines = tokio::io::Lines<BufReader<Stdin>>;

async fn next_line(lines: &mut Option<Lines>) -> Option<String> {
    match lines {
        Some(lines) => lines.next_line().await.ok().flatten(),
        None => None,
    }
}

/// A run that is being watched.
struct Watched {
    desk: Desk,
    run: RunId,
    answers: Answers,
    lines: Option<Lines>,
    /// Nobody is there to answer.
    nobody: bool,
    /// A person would have been needed.
    needed: bool,
}

impl Watched {
    /// One event; an exit code when it was the last.
    async fn hear(&mut self, event: Event) -> Result<Option<u8>, Failure> {
        match event.what {
            What::Asked { ask, .. } if self.nobody => self.answer_by_itself(&ask)?,
            What::Paused { reason } if self.nobody => {
                self.needed |= wants_person(&reason);
                self.desk.steer(&self.run, Op::Stop).await?;
            }
            What::Ended { ending, .. } => {
                return Ok(Some(match ending {
                    _ if self.needed => say::NEEDED,
                    Ending::Finished { .. } => say::FINE,
                    _ => say::FAILED,
                }));
            }
            _ => {}
        }
        Ok(None)
    }

    /// No, or what the person allowed beforehand on the command line.
    fn answer_by_itself(&mut self, ask: &Ask) -> Result<(), Failure> {
        let allowed = self.answers == Answers::Allow
            && desk::may_be_switched_off(ask.kind)
            && ask.choices.contains(&Choice::Approve);
        let choice = if allowed { Choice::Approve } else { Choice::Deny };
        if self.answers == Answers::Ask {
            self.needed = true;
        }
        // The run may have withdrawn the question meanwhile; then there is nothing to answer.
        match self.desk.answer(Answer {
            choice,
            ..desk::no(ask)
        }) {
            Err(failure) if failure.code != protocol::FailureCode::NotFound => Err(failure),
            _ => Ok(()),
        }
    }

    /// One line of standard input, or its end.
    async fn read(&mut self, line: Option<String>) -> Result<(), Failure> {
        let Some(line) = line else {
            self.lines = None;
            self.nobody = true;
            let mut open = self.desk.open_asks().borrow().asks.clone();
            open.retain(|ask| ask.run == self.run);
            for ask in &open {
                self.answer_by_itself(ask)?;
            }
            return Ok(());
        };
        if line.trim().is_empty() {
            return Ok(());
        }
        let done = match serde_json::from_str::<Line>(&line) {
            Ok(Line::Answer {
                ask,
                digest,
                value: Some(value),
                ..
            }) => self.desk.supply(ask, digest, value),
            Ok(Line::Answer {
                ask,
                digest,
                choice,
                value: None,
            }) => self.desk.answer(Answer { ask, digest, choice }),
            Ok(Line::Op(op)) => self.desk.steer(&self.run, op).await,
            Err(_) => {
                // The line may hold a code: it is not shown.
                say::usage("a line of standard input is neither an answer nor an op");
                Ok(())
            }
        };
        if let Err(failure) = done {
            say::failure(&failure);
        }
        Ok(())
    }
}

/// Whether a pause waits for a decision, and not for a phone, a server or a disk.
fn wants_person(reason: &PauseReason) -> bool {
    match reason {
        PauseReason::Person
        | PauseReason::TimedOut { .. }
        | PauseReason::Unclear
        | PauseReason::Repeating
        | PauseReason::Limit { .. }
        | PauseReason::Protected => true,
        PauseReason::PhoneGone
        | PauseReason::Model { .. }
        | PauseReason::Journal { .. }
        | PauseReason::Look { .. } => false,
    }
}
