//! A model that says what the test wrote, and remembers what it was shown.

use super::guard::Credulous;
use agent::guard::Guard;
use agent::pointing::Pointing;
use agent::ports::{Model, ModelCapabilities, Reply, Retrying};
use agent::prompt::Prompt;
use async_trait::async_trait;
use judge::guard::Question;
use protocol::{Failure, FailureCode, Frame, Usage};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

/// One answer of the script.
pub(crate) enum Turn {
    /// Says this.
    Says(String),
    /// Thinks this long, then says this.
    After(Duration, String),
    /// Fails.
    Fails(FailureCode),
}

impl From<&str> for Turn {
    fn from(text: &str) -> Self {
        Self::Says(text.to_owned())
    }
}

/// The same opinions, after so long.
struct Late(Duration);

#[async_trait]
impl Guard for Late {
    async fn opinion(&self, question: &Question, picture: Option<&Frame>) -> Result<Reply, Failure> {
        tokio::time::sleep(self.0).await;
        Credulous.opinion(question, picture).await
    }
}

pub(crate) struct ScriptedModel {
    script: Mutex<VecDeque<Turn>>,
    shown: Mutex<Vec<Prompt>>,
    asked_at: Mutex<Vec<Instant>>,
    pointing: Mutex<Pointing>,
    pictures_only: AtomicBool,
    longest_beside: AtomicU32,
    reads_tasks: AtomicBool,
    opinion_takes: Duration,
    unanswered: Mutex<Vec<Usage>>,
}

impl ScriptedModel {
    pub(crate) fn new(turns: impl IntoIterator<Item = Turn>) -> Self {
        Self {
            script: Mutex::new(turns.into_iter().collect()),
            shown: Mutex::default(),
            asked_at: Mutex::default(),
            pointing: Mutex::new(Pointing::SCREEN),
            pictures_only: AtomicBool::new(false),
            longest_beside: AtomicU32::new(400),
            reads_tasks: AtomicBool::new(false),
            opinion_takes: Duration::ZERO,
            unanswered: Mutex::default(),
        }
    }

    /// The second opinion comes so late.
    pub(crate) fn opinion_takes(mut self, time: Duration) -> Self {
        self.opinion_takes = time;
        self
    }

    /// It is asked what a task names, before the first step.
    pub(crate) fn reads_tasks(self) -> Self {
        self.reads_tasks.store(true, Ordering::Relaxed);
        self
    }

    /// Points like another model from now on.
    pub(crate) fn points(&self, pointing: Pointing) {
        *self.pointing.lock().unwrap() = pointing;
    }

    /// It goes by pictures from now on, and wants no elements.
    pub(crate) fn goes_by_pictures(&self) {
        self.pictures_only.store(true, Ordering::Relaxed);
    }

    /// It wants smaller pictures beside the elements from now on.
    pub(crate) fn wants_beside(&self, longest: u32) {
        self.longest_beside.store(longest, Ordering::Relaxed);
    }

    /// When it was given each prompt.
    pub(crate) fn asked_at(&self) -> Vec<Instant> {
        self.asked_at.lock().unwrap().clone()
    }

    /// Every prompt it was given.
    pub(crate) fn shown(&self) -> Vec<Prompt> {
        self.shown.lock().unwrap().clone()
    }

    pub(crate) fn push(&self, turn: impl Into<Turn>) {
        self.script.lock().unwrap().push_back(turn.into());
    }

    pub(crate) fn assert_used_up(&self) {
        let left = self.script.lock().unwrap().len();
        assert_eq!(left, 0, "the run ended with {left} answers unasked for");
    }
}

#[async_trait]
impl Model for ScriptedModel {
    fn name(&self) -> String {
        "scripted".into()
    }

    fn is_demo(&self) -> bool {
        false
    }

    fn reads_tasks(&self) -> bool {
        self.reads_tasks.load(Ordering::Relaxed)
    }

    fn capabilities(&self) -> ModelCapabilities {
        ModelCapabilities {
            picture: true,
            elements: !self.pictures_only.load(Ordering::Relaxed),
            marks: false,
            longest_side: 400,
            longest_beside: self.longest_beside.load(Ordering::Relaxed),
        }
    }

    fn guard(&self) -> Arc<dyn Guard> {
        Arc::new(Late(self.opinion_takes))
    }

    fn take_unanswered(&self) -> Vec<Usage> {
        std::mem::take(&mut *self.unanswered.lock().unwrap())
    }

    fn pointing(&self) -> Pointing {
        *self.pointing.lock().unwrap()
    }

    async fn think(&self, prompt: &Prompt, _retrying: &Retrying<'_>) -> Result<Reply, Failure> {
        self.shown.lock().unwrap().push(prompt.clone());
        self.asked_at.lock().unwrap().push(Instant::now());
        let turn = self
            .script
            .lock()
            .unwrap()
            .pop_front()
            .expect("the script has an answer for this step");
        let text = match turn {
            Turn::Says(text) => text,
            Turn::After(time, text) => {
                tokio::time::sleep(time).await;
                text
            }
            Turn::Fails(code) => {
                self.unanswered.lock().unwrap().push(Usage {
                    input_tokens: 100,
                    ..Usage::default()
                });
                return Err(code.into());
            }
        };
        Ok(Reply {
            text,
            usage: Usage {
                cached_tokens: 0,
                input_tokens: 100,
                output_tokens: 10,
                dollars: None,
                is_estimate: false,
            },
        })
    }
}
