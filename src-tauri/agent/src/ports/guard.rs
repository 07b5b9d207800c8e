//! Who gives the second opinion. Implemented by room `model`.

use super::reply::Reply;
use async_trait::async_trait;
use judge::guard::Question;
use protocol::{Failure, FailureCode, Frame, Usage};

/// A second model, in a conversation of its own. Implemented by room `model`.
#[async_trait]
pub trait Guard: Send + Sync {
    /// Whether it looks at pictures.
    fn has_eyes(&self) -> bool {
        false
    }

    /// What was paid for and brought no answer, since this was asked last.
    fn take_unanswered(&self) -> Vec<Usage> {
        Vec::new()
    }

    /// Its answer to one question, word for word, and what that cost. Dropping the future gives the request up.
    ///
    /// # Errors
    /// When no answer came.
    async fn opinion(&self, question: &Question, picture: Option<&Frame>) -> Result<Reply, Failure>;
}

/// Nobody is asked, and nobody answers.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoGuard;

#[async_trait]
impl Guard for NoGuard {
    async fn opinion(&self, _question: &Question, _picture: Option<&Frame>) -> Result<Reply, Failure> {
        Err(FailureCode::ModelMissing.into())
    }
}
