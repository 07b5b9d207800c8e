//! The AI that is in use.

use agent::ports::Model;
use protocol::Provider;
use std::sync::{Arc, Mutex};

/// The AI in use, kept while the settings stay the same: it holds its connection and what it learned of the server.
#[derive(Default)]
pub(crate) struct Models {
    pub(crate) kept: Mutex<Option<(Provider, Arc<dyn Model>)>>,
}
