//! Before a task begins: can the phone be given the very characters the task names?

use crate::Engine;
use protocol::{Failure, FailureCode, PhoneId};
use std::collections::BTreeMap;

impl Engine {
    /// Says which characters of a task nothing could type on these phones: scrcpy's server is not here, and ADBKeyboard not
    /// there. A phone that does not say is no reason to hold a task up.
    ///
    /// # Errors
    /// [`FailureCode::NeedsTyping`], for the first phone that lacks some: `values.characters`, `values.phone`.
    pub async fn can_type(&self, phones: &[PhoneId], goal: &str) -> Result<(), Failure> {
        for phone in phones {
            let untypable = match self.phone(phone)?.untypable(goal).await {
                Ok(untypable) => untypable,
                Err(error) => {
                    tracing::info!(%error, "what the phone types is not known");
                    continue;
                }
            };
            if untypable.is_empty() {
                continue;
            }
            let characters = untypable.into_iter().collect::<String>();
            let name = self.known(phone)?.name;
            return Err(Failure {
                code: FailureCode::NeedsTyping,
                values: BTreeMap::from([("characters".to_owned(), characters), ("phone".to_owned(), name)]),
                detail: None,
            });
        }
        Ok(())
    }
}
