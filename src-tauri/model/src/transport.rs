//! The seam between what is said and how it gets there: the real one is `http`, tests have one in virtual time.

use crate::error::ModelError;
use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;
use reqwest::Url;
use reqwest::header::HeaderMap;

/// One request.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) url: Url,
    /// The key's header is marked sensitive: `Debug` does not show it.
    pub(crate) headers: HeaderMap,
    /// What is posted; without, it is asked for.
    pub(crate) body: Option<Bytes>,
}

/// What comes, piece by piece.
pub(crate) type Body = BoxStream<'static, Result<Bytes, ModelError>>;

/// The head of an answer, and its body as it comes.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    /// Dropping it closes the connection.
    pub(crate) body: Body,
}

#[async_trait]
pub(crate) trait Transport: Send + Sync {
    /// Sends, and returns when the head of the answer is there. Has no time limit but for connecting.
    ///
    /// # Errors
    /// [`ModelError::Offline`] or [`ModelError::Slow`] when there is no head.
    async fn send(&self, request: Request) -> Result<Response, ModelError>;
}
