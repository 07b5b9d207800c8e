//! What a run can be done again by, written down beside it: the screens its steps act on, and the one it ends on. The run does not wait for it.

use crate::Engine;
use adb::AdbPhone;
use agent::ports::{Phone, StepRecorder, certificate};
use protocol::{Bounds, RunId, Screen};
use replay::RecordedStep;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::task::JoinHandle;

/// Who signed an app is asked no longer than this: a recording does without.
const ASK: Duration = Duration::from_secs(2);

/// One run's.
struct RunRecorder(UnboundedSender<RecordedStep>);

impl StepRecorder for RunRecorder {
    fn screen(&self, _: &RunId, step: u32, shown: &Screen, ring: Option<Bounds>) {
        // Where nobody writes any more, the program ends.
        let _ = self.0.send(RecordedStep::of(step, shown, None, ring));
    }
}

impl Engine {
    /// A recorder for a run on this phone, and its writing: over once the run has let go of it and all is written.
    pub(crate) fn record(
        &self,
        run: &RunId,
        phone: Arc<AdbPhone>,
    ) -> (Arc<dyn StepRecorder>, JoinHandle<()>) {
        let (sender, steps) = tokio::sync::mpsc::unbounded_channel();
        let (engine, run) = (self.clone(), run.clone());
        let writing = self.inner.writing.spawn(async move {
            engine.write_steps(&run, &phone, steps).await;
        });
        (Arc::new(RunRecorder(sender)), writing)
    }

    async fn write_steps(&self, run: &RunId, phone: &AdbPhone, mut steps: UnboundedReceiver<RecordedStep>) {
        let mut signers: BTreeMap<String, Option<String>> = BTreeMap::new();
        while let Some(mut step) = steps.recv().await {
            let known = signers.get(&step.app).cloned();
            step.signer = match known {
                Some(signer) => signer,
                None => {
                    let told = tokio::time::timeout(ASK, phone.signers(&step.app)).await;
                    let signer = told.ok().and_then(Result::ok).as_deref().and_then(certificate);
                    signers.insert(step.app.clone(), signer.clone());
                    signer
                }
            };
            // Numbers and words from a phone: there is nothing in them that could fail.
            let Ok(json) = serde_json::to_string(&step) else {
                continue;
            };
            if let Err(error) = self.inner.store.keep_step(run, step.step, json).await {
                tracing::warn!(%error, step = step.step, "a step cannot be repeated: it was not written down");
            }
        }
    }
}
