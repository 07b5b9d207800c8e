//! The run's journal: events in, in order, on the disk before anybody is told.

use crate::{Store, asks, clock, event_log, payments};
use agent::ports::{Journal, KeptScreen};
use async_trait::async_trait;
use protocol::{ElementBinding, Event, Failure, FrameId, LastTime, PhoneId, RunId, Usage, What};

#[async_trait]
impl Journal for Store {
    /// The first event of a run must be [`What::Started`], with `seq` 1; after [`What::Ended`] nothing more is taken.
    /// A failed call may be made again with the same event: a number is taken only once. A call whose future is
    /// dropped half-way may still write.
    async fn append(&self, event: &Event) -> Result<(), Failure> {
        let (event, origin) = (event.clone(), self.origin(&event.phone));
        let (pictures, run) = (self.full_size_frames().clone(), event.run.clone());
        let ends = matches!(event.what, What::Ended { .. });
        self.database()
            .write(move |transaction| {
                event_log::write(transaction, &event, &origin)?;
                pictures.keep_evidence(transaction, &event)
            })
            .await
            .map_err(Failure::from)?;
        if ends {
            self.full_size_frames().forget(&run);
        }
        Ok(())
    }

    /// As JPEG, small: see [`crate::Picture`]. The one a question shows is kept sharp. The same picture twice in one run is
    /// kept once, has one name, and keeps the elements it was first kept with. The run must have begun.
    async fn keep(&self, run: &RunId, screen: KeptScreen<'_>) -> Result<FrameId, Failure> {
        self.keep_frame(run, screen).await.map_err(Failure::from)
    }

    async fn last_payment(&self, phone: &PhoneId, app: &str) -> Result<Option<LastTime>, Failure> {
        let (phone, app) = (phone.clone(), app.to_owned());
        self.database()
            .read(move |connection| payments::last(connection, &phone, &app))
            .await
            .map_err(Failure::from)
    }

    async fn approved_before(&self, phone: &PhoneId, element: &ElementBinding) -> Result<u32, Failure> {
        let (phone, element) = (phone.clone(), element.clone());
        self.database()
            .read(move |connection| asks::approved_before(connection, &phone, &element))
            .await
            .map_err(Failure::from)
    }

    async fn spend(&self, usage: Usage) -> Result<(), Failure> {
        self.database()
            .write(move |transaction| event_log::spend(transaction, clock::now(), &usage))
            .await
            .map_err(Failure::from)
    }

    /// Midnight is that of the system's time zone. Spending outlives the erasing of its run. Where the price of a model is
    /// not known, an estimate counts: see [`crate::Spending`].
    async fn spent_today(&self) -> Result<f64, Failure> {
        let spending = self.spending_today().await?;
        Ok(spending.total())
    }
}
