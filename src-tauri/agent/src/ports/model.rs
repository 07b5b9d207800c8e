//! The model that thinks, and what it is told of how it wants to be asked. Implemented by room `model`.

use super::guard::{Guard, NoGuard};
use super::reply::Reply;
use crate::pointing::Pointing;
use crate::request::Prompt;
use async_trait::async_trait;
use protocol::{Failure, Usage};
use std::sync::Arc;
use std::time::Duration;

/// A model that thinks. Implemented by room `model`.
#[async_trait]
pub trait Model: Send + Sync {
    /// Its name, as the person chose it.
    fn name(&self) -> String;

    /// The built-in demo AI.
    fn is_demo(&self) -> bool;

    /// Whether it may be asked what a task itself names, before the first step.
    fn reads_tasks(&self) -> bool {
        false
    }

    /// What it wants to be sent with each step.
    fn capabilities(&self) -> ModelCapabilities;

    /// Who gives the second opinion where this one acts: another conversation, of the same maker's. Without one, what the
    /// rules do not know is asked.
    fn guard(&self) -> Arc<dyn Guard> {
        Arc::new(NoGuard)
    }

    /// What the numbers of its points count: known by its name, unless it knows better.
    fn pointing(&self) -> Pointing {
        if self.is_demo() {
            Pointing::SCREEN
        } else {
            Pointing::of(&self.name())
        }
    }

    /// What was paid for and brought no answer, since this was asked last.
    fn take_unanswered(&self) -> Vec<Usage> {
        Vec::new()
    }

    /// One answer. Dropping the future gives the request up at once.
    ///
    /// `retrying` is called before each wait for another try.
    ///
    /// # Errors
    /// When no answer came, after the retries its kind of trouble deserves. An empty or cut answer is an error.
    async fn think(&self, prompt: &Prompt, retrying: &Retrying<'_>) -> Result<Reply, Failure>;
}

/// Told before each wait for another try: what went wrong, and how long the wait is.
pub type Retrying<'a> = dyn Fn(&Failure, Duration) + Send + Sync + 'a;

/// What a model wants to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelCapabilities {
    /// Pictures.
    pub picture: bool,
    /// The element list; its tree is waited for before thinking. Without, it is read meanwhile.
    pub elements: bool,
    /// The numbers of the elements, drawn on the picture.
    pub marks: bool,
    /// The longer side of the picture at most, in pixels.
    pub longest_side: u32,
    /// The same for a picture that goes beside the list of elements: what stands on it is told in words then.
    pub longest_beside: u32,
}
