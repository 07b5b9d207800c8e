//! A model that says what the test wrote, and remembers what it was shown.

use agent::pointing::Pointing;
use agent::ports::{Model, Reply, Retrying, Taste};
use agent::prompt::Prompt;
use async_trait::async_trait;
use protocol::{Failure, FailureCode, Usage};
use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

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

pub(crate) struct ScriptedModel {
    script: Mutex<VecDeque<Turn>>,
    shown: Mutex<Vec<Prompt>>,
    pointing: Mutex<Pointing>,
}

impl ScriptedModel {
    pub(crate) fn new(turns: impl IntoIterator<Item = Turn>) -> Self {
        Self {
            script: Mutex::new(turns.into_iter().collect()),
            shown: Mutex::default(),
            pointing: Mutex::new(Pointing::SCREEN),
        }
    }

    /// Points like another model from now on.
    pub(crate) fn points(&self, pointing: Pointing) {
        *self.pointing.lock().unwrap() = pointing;
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

    fn taste(&self) -> Taste {
        Taste {
            picture: true,
            elements: true,
            longest_side: 400,
        }
    }

    fn pointing(&self) -> Pointing {
        *self.pointing.lock().unwrap()
    }

    async fn think(&self, prompt: &Prompt, _retrying: &Retrying<'_>) -> Result<Reply, Failure> {
        self.shown.lock().unwrap().push(prompt.clone());
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
            },
        })
    }
}
