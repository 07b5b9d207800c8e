//! Saved passwords the model hears of, and who signed the apps they are for.

use crate::credential::{CurrentPlace, fits};
use protocol::Credential;
use std::collections::BTreeMap;

/// What of the saved passwords a run knows.
#[derive(Debug, Default)]
pub(super) struct MatchingCredentials {
    /// Names that fit the screen of the last look.
    names: Vec<String>,
    /// Who signed an app, and its version, once it was asked in this run.
    known: BTreeMap<String, (Vec<String>, String)>,
}

impl MatchingCredentials {
    /// Names that fit the screen of the last look.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Which of the saved passwords fit this app, or the site in front of it.
    pub(super) fn find(&mut self, saved: &[Credential], app: &str, address: Option<&str>) {
        let spot = CurrentPlace {
            app,
            signers: self.signers_of(app),
            address,
        };
        let matching = saved.iter().filter(|credential| fits(&credential.place, &spot));
        self.names = matching.map(|credential| credential.name.clone()).collect();
    }

    /// Who signed an app, as far as it was asked.
    pub(super) fn signers_of(&self, app: &str) -> &[String] {
        self.known.get(app).map_or(&[], |(signers, _)| signers.as_slice())
    }

    /// An app's version, as far as it was asked; else empty.
    pub(super) fn version_of(&self, app: &str) -> &str {
        self.known.get(app).map_or("", |(_, version)| version.as_str())
    }

    pub(super) fn knows(&self, app: &str) -> bool {
        self.known.contains_key(app)
    }

    pub(super) fn know(&mut self, app: &str, signers: Vec<String>, version: String) {
        self.known.insert(app.to_owned(), (signers, version));
    }
}
