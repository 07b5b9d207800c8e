//! Second opinions of the least helpful kind.

use agent::guard::Guard;
use agent::ports::Reply;
use async_trait::async_trait;
use judge::guard::Question;
use protocol::{Failure, Frame, Usage};
use std::fmt::Write as _;

/// Says of everything on every page that it only moves: whatever a run still asks about, it asks by its own rules.
pub(crate) struct Credulous;

#[async_trait]
impl Guard for Credulous {
    async fn opinion(&self, question: &Question, _picture: Option<&Frame>) -> Result<Reply, Failure> {
        let mut text = String::new();
        for number in 1..=question.asked().len() {
            let _ = writeln!(text, "{number} moves");
        }
        let usage = Usage::default();
        Ok(Reply { text, usage })
    }
}
