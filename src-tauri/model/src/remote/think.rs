//! How a model behind a server thinks: the port [`Model`], with its tries, and the history shortened where too much was sent.

use super::Remote;
use super::usage_meter::UsageMeter;
use crate::backoff::Backoff;
use crate::error::{ModelError, Phase};
use crate::exchange::WaitOptions;
use crate::guard::GuardModel;
use agent::guard::{Guard, NoGuard};
use agent::pointing::Pointing;
use agent::ports::{Model, ModelCapabilities, Reply, Retrying};
use agent::prompt::{self, Prompt};
use async_trait::async_trait;
use protocol::{Failure, Usage};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;
use tracing::debug;

/// How often the history is shortened when too much was sent.
const SHORTENINGS: usize = 4;

#[async_trait]
impl Model for Remote {
    fn name(&self) -> String {
        self.chosen.model.clone()
    }

    fn is_demo(&self) -> bool {
        false
    }

    fn reads_tasks(&self) -> bool {
        true
    }

    fn capabilities(&self) -> ModelCapabilities {
        self.capabilities
    }

    fn guard(&self) -> Arc<dyn Guard> {
        let open = || match GuardModel::open(self.chosen.clone(), Arc::clone(&self.keys)) {
            Ok(second) => Arc::new(second) as Arc<dyn Guard>,
            Err(_) => Arc::new(NoGuard),
        };
        Arc::clone(self.second.get_or_init(open))
    }

    fn pointing(&self) -> Pointing {
        self.pointing
    }

    fn take_unanswered(&self) -> Vec<Usage> {
        Self::take_unanswered(self)
    }

    async fn think(&self, prompt: &Prompt, retrying: &Retrying<'_>) -> Result<Reply, Failure> {
        let key = self.key().await.map_err(|trouble| self.failure(&trouble, None))?;
        let key = key.as_ref();
        let picture = self
            .pack(prompt.picture.as_ref())
            .await
            .map_err(|trouble| self.failure(&trouble, key))?;
        // Tokens of tries that failed were paid for too.
        let size = prompt
            .picture
            .as_ref()
            .map(|picture| (picture.width, picture.height));
        let mut meter = UsageMeter::new(self, characters(prompt), size);
        let mut backoff = Backoff::new(self.timeouts.backoff, &self.jitter);
        let mut prompt = Cow::Borrowed(prompt);
        let mut shortenings = 0;
        loop {
            // Whoever waits for a slow answer is told, where another try follows.
            let slow = |left: Duration| {
                retrying(&self.failure(&ModelError::Slow(Phase::First), key), left);
            };
            let waiting = WaitOptions {
                timeouts: self.timeouts.of_try(backoff.made()),
                slow: backoff
                    .has_another(&ModelError::Slow(Phase::First))
                    .then_some(&slow),
            };
            meter.begin_try();
            let asked = self.once(&prompt, picture.as_ref(), key, &mut meter.tokens, &waiting);
            let trouble = match asked.await {
                Ok(text) => {
                    let usage = meter.answered(&text);
                    return Ok(Reply { text, usage });
                }
                Err(trouble) => trouble,
            };
            meter.failed(&trouble);
            // Too much was sent: less of what was done long ago will do, and takes no wait.
            if matches!(trouble, ModelError::Context(_))
                && shortenings < SHORTENINGS
                && let Some(shorter) = prompt::shorter(&prompt)
            {
                debug!(host = self.address.host(), "shortened");
                shortenings += 1;
                meter.characters = characters(&shorter);
                prompt = Cow::Owned(shorter);
                continue;
            }
            let failure = self.failure(&trouble, key);
            let Some(wait) = backoff.next(&trouble) else {
                return Err(failure);
            };
            retrying(&failure, wait);
            sleep(wait).await;
        }
    }
}

fn characters(prompt: &Prompt) -> usize {
    let texts = [&prompt.system, &prompt.now].into_iter().chain(&prompt.past);
    texts.map(|text| text.chars().count()).sum()
}
