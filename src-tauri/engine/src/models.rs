//! The AI that is in use.

use agent::ports::Model;
use protocol::{Failure, Provider};
use std::sync::{Arc, Mutex, PoisonError};

/// The AI in use, kept while the settings stay the same: it holds its connection and what it learned of the server.
#[derive(Default)]
pub(crate) struct Models {
    kept: Mutex<Option<(Provider, Arc<dyn Model>)>>,
}

impl Models {
    /// The provider's AI: the one that is kept, where it is the provider's, else opened now and kept.
    ///
    /// # Errors
    /// What opening it says; then the one kept before stays.
    pub(crate) fn of(
        &self,
        provider: Provider,
        open: impl FnOnce(&Provider) -> Result<Arc<dyn Model>, Failure>,
    ) -> Result<Arc<dyn Model>, Failure> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, model)) = kept.as_ref()
            && *of == provider
        {
            return Ok(Arc::clone(model));
        }
        let model = open(&provider)?;
        *kept = Some((provider, Arc::clone(&model)));
        Ok(model)
    }
}
