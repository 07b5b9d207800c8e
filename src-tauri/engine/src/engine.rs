//! What everything that is asked of this room shares: the store, the phones, who uses which, what listeners are told.
//!
//! What can be asked of it stands in the files beside this one, a subject a file.

use crate::automations::Automations;
use crate::clips::Clips;
use crate::demo::Demo;
use crate::event_hub::EventHub;
use crate::fetch::Fetch;
use crate::icon_cache::AppIcons;
use crate::models::Models;
use crate::phone_session::PhoneSessions;
use crate::{EngineError, ProgramChoice, phones};
use adb::Roster;
use adb::wireless::Announcement;
use protocol::{AskId, News, OpenAsks, Phone, PhoneId, Server, WirelessPhone};
use secrecy::SecretString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use store::Store;
use store::keychain::Keychain;
use tokio::sync::{mpsc, watch};
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

/// Everything together. Clones are the same engine.
#[derive(Clone)]
pub struct Engine {
    pub(crate) inner: Arc<Inner>,
}

/// What the clones share.
pub(crate) struct Inner {
    pub(crate) folder: PathBuf,
    pub(crate) store: Store,
    pub(crate) keychain: Keychain,
    pub(crate) key: Option<SecretString>,
    pub(crate) roster: Roster,
    pub(crate) demo: Option<Demo>,
    pub(crate) hub: EventHub,
    /// One change of the settings at a time.
    pub(crate) changing: tokio::sync::Mutex<()>,
    /// One tidying at a time.
    pub(crate) tidying: tokio::sync::Mutex<()>,
    /// What is being written down although its run is over.
    pub(crate) writing: TaskTracker,
    pub(crate) sessions: PhoneSessions,
    pub(crate) clips: Clips,
    pub(crate) icons: AppIcons,
    pub(crate) automations: Automations,
    pub(crate) models: Models,
    pub(crate) program: ProgramChoice,
    /// The servers it was opened with: no setting takes them away.
    pub(crate) given: Vec<Server>,
    pub(crate) fetch: Fetch,
    pub(crate) fetch_server: Fetch,
    /// The remembered phones, to be kept connected.
    pub(crate) wanted: watch::Sender<Vec<WirelessPhone>>,
    /// What an open pairing page sees; nothing while none is open.
    pub(crate) around: watch::Sender<Vec<Announcement>>,
    pub(crate) _wifi_reconnect: Option<AbortOnDropHandle<()>>,
    pub(crate) _following: AbortOnDropHandle<()>,
    /// Which tells of the new day's spending.
    pub(crate) days: OnceLock<AbortOnDropHandle<()>>,
}

impl Engine {
    /// Where everything is kept.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.inner.folder
    }

    /// Everything from the beginning, then as it happens.
    #[must_use]
    pub fn listen(&self) -> mpsc::UnboundedReceiver<News> {
        self.inner.hub.listen()
    }

    /// The open questions, anew at each change.
    #[must_use]
    pub fn open_asks(&self) -> watch::Receiver<OpenAsks> {
        self.inner.hub.open_asks()
    }

    /// Puts an open question before the others. False where it is over.
    #[must_use]
    pub fn bring_forward(&self, ask: &AskId) -> bool {
        self.inner.hub.bring_forward(ask)
    }

    /// The store, for looking things up.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    /// A phone that is listed.
    ///
    /// # Errors
    /// When there is none of this name.
    pub(crate) fn phone(&self, id: &PhoneId) -> Result<Arc<adb::AdbPhone>, EngineError> {
        self.inner.roster.phone(id).ok_or(EngineError::NoPhone)
    }

    /// What is known of a phone, by the name the person gave it.
    ///
    /// # Errors
    /// When there is none of this name.
    pub(crate) fn known(&self, id: &PhoneId) -> Result<Phone, EngineError> {
        let listing = self.inner.roster.listing();
        let listing = listing.borrow();
        let phone = listing.phones.iter().find(|phone| phone.id == *id);
        let mut phone = phone.cloned().ok_or(EngineError::NoPhone)?;
        phones::call(&mut phone, &self.inner.hub.settings().borrow().phones);
        Ok(phone)
    }

    /// The phone listed under a serial, once the servers have answered or the bound is over.
    ///
    /// # Errors
    /// When no server lists it.
    pub async fn phone_by_serial(
        &self,
        serial: &str,
        bound: std::time::Duration,
    ) -> Result<PhoneId, EngineError> {
        let mut listing = self.inner.roster.listing();
        let found = listing.wait_for(|listing| {
            let line = listing.connections.iter().find(|line| line.serial == serial);
            match line {
                Some(line) => line.state != protocol::PhoneState::Device || !listing.looking,
                None => !listing.looking,
            }
        });
        let _ = tokio::time::timeout(bound, found).await;
        let listing = self.inner.roster.listing();
        let listing = listing.borrow();
        let line = listing
            .connections
            .iter()
            .find(|line| line.serial == serial)
            .ok_or(EngineError::NoPhone)?;
        Ok(line.phone.clone())
    }

    /// All that is known of phones and servers.
    #[must_use]
    pub fn listing(&self) -> watch::Receiver<adb::Listing> {
        self.inner.roster.listing()
    }
}
