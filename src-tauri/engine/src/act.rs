//! One action, done as a run of one step: the same judge, journal, lease and lock as everything else.

use agent::ports::{Model, ModelCapabilities, Reply, Retrying};
use agent::prompt::Prompt;
use async_trait::async_trait;
use protocol::{Action, Failure, FailureCode, Usage};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use tokio::sync::watch;

/// A model that knows one action, and then ends with what is told of it. What the action itself asks a model is asked of
/// another.
pub struct OneAction {
    wanted: Mutex<Option<String>>,
    came: watch::Receiver<Option<String>>,
    aside: Option<Arc<dyn Model>>,
}

impl OneAction {
    /// Wants this done. `came` tells what came of it, in the sentence that the run ends with. `aside` answers what is asked
    /// beside the task; the demo AI answers nothing there.
    ///
    /// # Errors
    /// When the action cannot be written as JSON.
    pub fn new(
        action: &Action,
        came: watch::Receiver<Option<String>>,
        aside: Option<Arc<dyn Model>>,
    ) -> Result<Self, serde_json::Error> {
        Ok(Self {
            wanted: Mutex::new(Some(serde_json::to_string(action)?)),
            came,
            aside: aside.filter(|model| !model.is_demo()),
        })
    }

    async fn finish(&self) -> Result<String, Failure> {
        let mut came = self.came.clone();
        let message = came.wait_for(Option::is_some).await;
        let message = message.ok().and_then(|message| message.clone());
        let message = message.ok_or_else(|| Failure {
            code: FailureCode::NotNow,
            values: BTreeMap::new(),
            detail: Some("there was one action, and it was tried".into()),
        })?;
        Ok(serde_json::json!({"type": "finish", "message": message}).to_string())
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
        let wanted = self
            .wanted
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .take();
        let text = match wanted {
            Some(action) => action,
            None => self.finish().await?,
        };
        Ok(Reply {
            text,
            usage: Usage::default(),
        })
    }
}
