//! The demo AI: a plain planner that needs no key, no network and no model.
//!
//! It is a [`Model`] like any other. Each answer is worked out anew from what it is sent – the elements of the screen,
//! the history, the person's words – and written as JSON in the OpenPocket dialect, so the same reader, judge and phone
//! serve it. Equal prompts get equal answers; it keeps nothing between two of them.
//!
//! `goal` reads the person's words into tasks, `memory` the history, `view` the screen; `planner` takes the first task
//! that is not over and asks its skill (`skills`) for one move. Words on the screen are only ever compared with what a
//! skill looks for: nothing there can become a task.
//!
//! Absent on purpose: pictures, pixel positions, and any knowledge that is not on the screen. What it does not know it
//! says ([`DemoAi`] finishes with a sentence and does not pretend).

mod apps;
mod clause;
mod decision_context;
mod goal;
mod guard;
mod memory;
mod moves;
mod obstacles;
mod planner;
mod preferences;
mod skills;
mod view;
mod words;

pub use guard::DemoGuard;

use agent::guard::Guard;
use agent::ports::{Model, ModelCapabilities, Reply, Retrying};
use agent::prompt::Prompt;
use async_trait::async_trait;
use protocol::{Failure, Usage};
use std::sync::Arc;

/// The built-in planner for the demo phone.
#[derive(Clone, Copy, Debug, Default)]
pub struct DemoAi;

impl DemoAi {
    /// The demo AI. It has no settings.
    #[must_use]
    pub fn new() -> Self {
        Self
    }
}

#[async_trait]
impl Model for DemoAi {
    fn name(&self) -> String {
        "Demo AI".to_owned()
    }

    fn is_demo(&self) -> bool {
        true
    }

    /// Elements, no pictures.
    fn capabilities(&self) -> ModelCapabilities {
        ModelCapabilities {
            picture: false,
            elements: true,
            marks: false,
            longest_side: 0,
            longest_beside: 0,
        }
    }

    fn guard(&self) -> Arc<dyn Guard> {
        Arc::new(DemoGuard)
    }

    /// One move, at once and for nothing.
    ///
    /// # Errors
    /// Never.
    async fn think(&self, prompt: &Prompt, _retrying: &Retrying<'_>) -> Result<Reply, Failure> {
        Ok(Reply {
            text: planner::decide(&prompt.facts),
            usage: Usage::default(),
        })
    }
}
