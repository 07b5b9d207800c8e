//! Opening the engine and finding a phone on it, for `deck act` and `deck run`.

use crate::say;
use engine::{Engine, ExponentialBackoff, MODEL_KEY, Options, words};
use protocol::{Failure, FailureCode, PhoneId};
use secrecy::SecretString;
use std::path::PathBuf;
use std::time::Duration;
use tokio::time::Instant;

/// How long phones have to show up and say who they are.
pub(crate) const PHONES_TIMEOUT: Duration = Duration::from_secs(15);
/// How long another program's lock is waited for.
pub(crate) const LOCKED: Duration = Duration::from_secs(15);

/// The engine, and the phone listed under a serial.
pub(crate) async fn open(data: Option<PathBuf>, serial: &str) -> Result<(Engine, PhoneId), Failure> {
    let engine = engine(data).await?;
    if let Ok(phone) = engine.phone_by_serial(serial, PHONES_TIMEOUT).await {
        return Ok((engine, phone));
    }
    let listing = engine.listing().borrow().clone();
    Err(engine::not_found(serial, &listing))
}

/// The engine. Where another program holds what is kept, that is said, and waited for.
pub(crate) async fn engine(data: Option<PathBuf>) -> Result<Engine, Failure> {
    let folder = match data {
        Some(folder) => folder,
        None => engine::usual_folder()?,
    };
    let (began, mut backoff, mut told) = (Instant::now(), ExponentialBackoff::default(), false);
    loop {
        let mut options = Options::usual(folder.clone())?;
        options.demo = false;
        options.key = std::env::var(MODEL_KEY)
            .ok()
            .filter(|key| !key.is_empty())
            .map(SecretString::from);
        let failure = match Engine::open(options).await {
            Ok(engine) => return Ok(engine),
            Err(error) => Failure::from(error),
        };
        if failure.code != FailureCode::JournalLocked || began.elapsed() > LOCKED {
            return Err(failure);
        }
        if !told {
            told = true;
            say::note(&words::failed(&failure));
        }
        tokio::time::sleep(backoff.next_pause()).await;
    }
}
