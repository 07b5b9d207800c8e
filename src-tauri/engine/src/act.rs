//! One action, done as a run of one step: the same judge, journal, lease and lock as everything else.

use agent::ports::{Model, ModelCapabilities, Reply, Retrying};
use agent::prompt::Prompt;
use async_trait::async_trait;
use protocol::{Action, Failure, FailureCode, Usage};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// A model that knows one action, and then that it is done. What the action itself asks a model is asked of another.
pub struct OneAction {
    replies: Mutex<Vec<String>>,
    aside: Option<Arc<dyn Model>>,
}

impl OneAction {
    /// Wants this done. `aside` answers what is asked beside the task; the demo AI answers nothing there.
    ///
    /// # Errors
    /// When the action cannot be written as JSON.
    pub fn new(action: &Action, aside: Option<Arc<dyn Model>>) -> Result<Self, serde_json::Error> {
        let wanted = serde_json::to_string(action)?;
        let done = r#"{"type":"finish","message":"Done."}"#.to_owned();
        // Taken from the end.
        Ok(Self {
            replies: Mutex::new(vec![done, wanted]),
            aside: aside.filter(|model| !model.is_demo()),
        })
    }
}

#[async_trait]
impl Model for OneAction {
    fn name(&self) -> String {
        "deck".into()
    }

    fn is_demo(&self) -> bool {
        false
    }

    fn capabilities(&self) -> ModelCapabilities {
        ModelCapabilities {
            picture: false,
            elements: true,
            marks: false,
            longest_side: 64,
            longest_beside: 64,
        }
    }

    async fn think(&self, prompt: &Prompt, retrying: &Retrying<'_>) -> Result<Reply, Failure> {
        if prompt.aside {
            return match &self.aside {
                Some(model) => model.think(prompt, retrying).await,
                None => Err(FailureCode::ModelKeyMissing.into()),
            };
        }
        let next = self
            .replies
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .pop();
        let text = next.ok_or_else(|| Failure {
            code: FailureCode::NotNow,
            values: BTreeMap::new(),
            detail: Some("there was one action, and it was tried".into()),
        })?;
        Ok(Reply {
            text,
            usage: Usage::default(),
        })
    }
}
