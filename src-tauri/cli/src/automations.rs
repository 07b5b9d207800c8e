//! `deck automations`, `deck run --automation`: tasks that are kept, as the window has them. Here the person begins them; by
//! themselves they begin in the window alone.

use crate::opening::PHONES_TIMEOUT;
use crate::say::{self, CommandResult};
use engine::{Engine, ModelChoice};
use protocol::{Automation, AutomationPhones, Failure, FailureCode, PhoneState, RunId};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A line an automation, by its name.
pub(crate) async fn automations(data: Option<PathBuf>) -> CommandResult {
    let engine = crate::opening::engine(data).await?;
    for card in engine.automations().await? {
        say::line(&card);
    }
    Ok(say::FINE)
}

/// Begins an automation on its phones; gives its runs.
///
/// # Errors
/// When there is none of this name, or it cannot begin on one of its phones: then it begins on none.
pub(crate) async fn begin(
    engine: &Engine,
    name: &str,
    values: &BTreeMap<String, String>,
    choice: &ModelChoice,
) -> Result<Vec<RunId>, Failure> {
    let cards = engine.automations().await?;
    let mut all = cards.into_iter().map(|card| card.automation);
    let is_it = |one: &Automation| one.id.0 == name || one.plan.name.to_lowercase() == name.to_lowercase();
    let found = all.find(is_it).ok_or_else(|| Failure {
        detail: Some(format!("there is no automation {name}")),
        ..FailureCode::NotFound.into()
    })?;
    phones_are_there(engine, &found.plan.phones).await;
    engine.run_automation(&found.id, values, choice).await
}

/// Waits until the phones are there, or have had the time to be.
async fn phones_are_there(engine: &Engine, wanted: &AutomationPhones) {
    let mut listing = engine.listing();
    let there = listing.wait_for(|listing| {
        let mut ready = listing
            .phones
            .iter()
            .filter(|phone| phone.state == PhoneState::Device)
            .map(|phone| &phone.id);
        match wanted {
            AutomationPhones::All => !listing.looking && ready.next().is_some(),
            AutomationPhones::These { phones } => {
                let ready: Vec<_> = ready.collect();
                phones.iter().all(|phone| ready.contains(&phone))
            }
        }
    });
    // What is not there by then is said by whoever begins.
    let _ = tokio::time::timeout(PHONES_TIMEOUT, there).await;
}
