//! `deck act`: one action, judged and journalled like every other.

use crate::args::{self, Answers};
use crate::interrupts::Interrupts;
use crate::opening::open;
use crate::say::{self, CommandResult};
use crate::{answering, run, sentences, telling};
use engine::{Engine, ModelChoice, OneAction, words};
use protocol::{Act, Action, Ending, Failure, FailureCode, News, Op, OutcomeCode, RunId, What};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::watch;

pub(crate) async fn act(data: Option<PathBuf>, args: args::Act) -> CommandResult {
    let action: Action = match serde_json::from_str(&args.action) {
        Ok(action) => action,
        Err(error) => return Ok(say::usage(&format!("the action cannot be read: {error}"))),
    };
    let (engine, phone) = open(data, &args.device).await?;
    let asks = matches!(action.act, Act::AskModel { .. } | Act::ReadText { .. });
    let aside = if asks {
        Some(engine.model(&ModelChoice::Settings).await?)
    } else {
        None
    };
    let (came, told) = watch::channel(None);
    let one = OneAction::new(&action, told, aside).map_err(|error| Failure {
        code: FailureCode::BadInput,
        values: BTreeMap::new(),
        detail: Some(error.to_string()),
    })?;
    let mut news = engine.listen();
    let mut interrupts = Interrupts::listen().map_err(run::no_interrupts)?;
    let run = engine.run_with(&phone, &title(&action), Arc::new(one), engine.settings())?;
    let mut pending = PendingAction {
        engine,
        run,
        answers: args.answer,
        finish: matches!(action.act, Act::Finish { .. }),
        interrupted: false,
        came,
        unsaid: None,
        code: say::FAILED,
    };
    loop {
        tokio::select! {
            one = news.recv() => match one {
                Some(News::Run { event }) if event.run == pending.run => {
                    if let Some(code) = pending.hear(event.what).await? {
                        run::written(&pending.engine, &pending.run, &mut interrupts).await;
                        return Ok(code);
                    }
                }
                Some(_) => {}
                None => return Ok(say::FAILED),
            },
            () = interrupts.next() => {
                pending.interrupted = true;
                pending.stop().await?;
            }
        }
    }
}

/// What History calls it: by its kind alone, for what it says is no task of the person's that could allow anything.
fn title(action: &Action) -> String {
    let written = serde_json::to_value(&action.act).unwrap_or_default();
    format!("deck act: {}", written["type"].as_str().unwrap_or_default())
}

/// An action on its way.
struct PendingAction {
    engine: Engine,
    run: RunId,
    answers: Answers,
    /// The action is `finish`: it reaches no phone and has no outcome of its own.
    finish: bool,
    /// The person pressed Ctrl-C.
    interrupted: bool,
    /// What came of it, for the run's own end.
    came: watch::Sender<Option<String>>,
    /// Why it was not done. A pause for the same reason says more of it.
    unsaid: Option<String>,
    code: u8,
}

impl PendingAction {
    /// One thing that happened; an exit code when it was the last.
    async fn hear(&mut self, what: What) -> Result<Option<u8>, Failure> {
        let line = match what {
            What::Acted { outcome, took_ms, .. } => {
                self.code = if outcome.ok { say::FINE } else { say::FAILED };
                let sentence = words::of("outcomes", &outcome.code.to_string());
                self.came.send_replace(Some(sentence.clone()));
                self.unsaid = (!outcome.ok).then_some(sentence);
                json!({"outcome": outcome, "tookMs": took_ms})
            }
            What::Refused { code, action, .. } => {
                let message = words::of("refusals", &code.to_string());
                say::note(&message);
                self.came.send_replace(Some(message.clone()));
                json!({"error": {"code": code, "message": message}, "action": action})
            }
            What::Unclear { code, message, .. } => {
                let sentence = words::of("unclear", &words::tag(&code));
                say::note(&sentence);
                self.came.send_replace(Some(sentence));
                json!({"error": {"code": code, "message": message}})
            }
            What::Asked { ask, .. } if answering::is_allowed(self.answers, &ask) => {
                run::answer(&self.engine, answering::yes(&ask))?;
                return Ok(None);
            }
            What::Asked { ask, .. } => {
                self.code = say::NEEDED;
                say::note(&sentences::question(&ask));
                say::note(&words::get("deck.nobody"));
                self.came.send_replace(Some(words::get("deck.not_done")));
                run::answer(&self.engine, engine::no(&ask))?;
                json!({"ask": ask})
            }
            What::Paused { reason } => {
                self.unsaid = None;
                telling::tell_pause(&reason);
                self.stop().await?;
                json!({"paused": reason})
            }
            What::Ended {
                ending,
                maybe_running,
            } => {
                if self.finish && matches!(ending, Ending::Finished { .. }) {
                    say::line(&json!({"outcome": {"ok": true, "code": OutcomeCode::Done}, "tookMs": 0}));
                    self.code = say::FINE;
                }
                if let Some(sentence) = self.unsaid.take() {
                    say::note(&sentence);
                }
                if self.interrupted {
                    self.code = say::FAILED;
                }
                telling::tell_end(&ending, self.interrupted, maybe_running);
                return Ok(Some(self.code));
            }
            _ => return Ok(None),
        };
        self.tell(&line).await
    }

    async fn tell(&mut self, line: &Value) -> Result<Option<u8>, Failure> {
        if !say::tell(line) {
            self.code = say::FAILED;
            self.stop().await?;
        }
        Ok(None)
    }

    async fn stop(&self) -> Result<(), Failure> {
        run::steer(&self.engine, &self.run, Op::Stop).await
    }
}
