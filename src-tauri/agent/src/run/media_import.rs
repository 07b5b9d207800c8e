//! A picture or file the person picked: from this computer to the phone. Its name is told, its content is not.

use super::halt::Halt;
use super::state::Run;
use crate::ports::PickedFile;
use judge::{Input, Yes};
use protocol::{Action, Outcome, OutcomeCode};
use std::sync::Arc;
use tokio::time::Instant;

impl Run {
    /// Puts it on the phone and tells the model where it is.
    pub(super) async fn give(&mut self, file: PickedFile, action: &Action, yes: Yes) -> Result<(), Halt> {
        let now = self.glance().await?;
        let name = file.name.clone();
        let agreed = self.agreed(&[Input::File { name }], yes, &now);
        let Some(judged) = agreed.and_then(|allowed| allowed.judged.into_iter().next()) else {
            return self.void(action).await;
        };
        let began = Instant::now();
        let name = self.secrets.hide(&file.name);
        self.begin(action, Some(name.clone())).await?;
        let phone = Arc::clone(&self.ports.phone);
        let grip = self.grip.clone();
        let picture = file.picture;
        if self.observation_cache.touch_with([&judged]).is_none() {
            return self.void(action).await;
        }
        let put = self
            .finish_first(async move { phone.give(&file, &judged, &grip).await }, began)
            .await?;
        let (outcome, told) = match put {
            Ok(path) => {
                let path = self.secrets.hide(&path);
                let place = if picture {
                    "It is in the phone's gallery: choose it there"
                } else {
                    "It is among the phone's downloads: choose it there"
                };
                let told = format!(
                    "The person gave you {name:?}, now at {path}. {place}. Nothing else was allowed."
                );
                let outcome = Outcome {
                    ok: true,
                    code: OutcomeCode::Given.into(),
                    output: Some(path),
                    ..Outcome::default()
                };
                (outcome, told)
            }
            Err(trouble) => self.trouble(&trouble, began).await?,
        };
        self.tell_acted(outcome, began).await?;
        self.note(action, &told);
        Ok(())
    }
}
