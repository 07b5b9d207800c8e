//! Saved passwords: told by name where they fit, typed by reference into a password field of their own place, and
//! everywhere else asked for.

use super::allow::Approved;
use super::deliver::SecretSource;
use super::halt::Halt;
use super::observation::Observation;
use super::question::{PersonAnswer, Question};
use super::state::Run;
use crate::credential::{CurrentPlace, Reference, fits, secret_into, written};
use crate::evidence;
use crate::plan::Plan;
use judge::{Case, Page, Verdict, any_rule, judge};
use protocol::{
    Act, Action, AskKind, Credential, CredentialPlace, Element, ElementState, RefusalCode, RuleName,
};
use std::sync::Arc;

impl Run {
    /// Which saved passwords the model hears of, on the screen that was just seen.
    pub(super) async fn find_fitting(&mut self, app: &str, address: Option<&str>) -> Result<(), Halt> {
        if self.bound_to(app) {
            self.know_app(app).await?;
        }
        self.matching_credentials
            .find(&self.task.settings.credentials, app, address);
        Ok(())
    }

    /// Some saved password is for this app, or something in it is always allowed.
    fn bound_to(&self, app: &str) -> bool {
        let mut places = self.task.settings.credentials.iter().map(|one| &one.place);
        places.any(|place| matches!(place, CredentialPlace::App { package, .. } if package == app))
            || self.allows_in(app)
    }

    /// Who signed an app and which version it is, asked once in a run.
    pub(super) async fn know_app(&mut self, app: &str) -> Result<(), Halt> {
        if !self.matching_credentials.knows(app) {
            let signers = self.signers(app).await?;
            let phone = Arc::clone(&self.ports.phone);
            let package = app.to_owned();
            let version = self
                .race(async move { phone.app_version(&package).await })
                .await?;
            self.matching_credentials
                .know(app, signers, version.unwrap_or_default());
        }
        Ok(())
    }

    /// Who signed an app, by the phone's word of now; nobody where it says nothing.
    pub(super) async fn signers(&mut self, app: &str) -> Result<Vec<String>, Halt> {
        let phone = Arc::clone(&self.ports.phone);
        let package = app.to_owned();
        let told = self.race(async move { phone.signers(&package).await }).await?;
        Ok(told.unwrap_or_else(|trouble| {
            tracing::info!(%trouble, "who signed the app was not told");
            Vec::new()
        }))
    }

    /// Whether what is saved for `place` may be typed into this field now: the phone is asked anew.
    pub(super) async fn may_type(
        &mut self,
        place: &CredentialPlace,
        field: &Element,
        now: &Observation,
    ) -> Result<bool, Halt> {
        let app = now.screen.current_app.as_str();
        let hides =
            field.states.contains(&ElementState::Password) && field.states.contains(&ElementState::Editable);
        // A window of another app may lie over the one in front.
        if !hides || field.package != app {
            return Ok(false);
        }
        let signers = match place {
            CredentialPlace::App { package, .. } if package == app => self.signers(app).await?,
            _ => Vec::new(),
        };
        let spot = CurrentPlace {
            app,
            signers: &signers,
            address: now.address.as_deref(),
        };
        Ok(fits(place, &spot))
    }

    /// Types a saved password where it belongs; the person is asked for it anywhere else.
    pub(super) async fn type_saved(
        &mut self,
        reference: Reference<'_>,
        action: &Action,
        plan: Plan,
        thought: &str,
        now: Observation,
    ) -> Result<(), Halt> {
        let Reference::Alone(name) = reference else {
            let message = "A saved password stands alone in the text of type or set_value, and nowhere else.";
            return self.refuse(action, RefusalCode::SecretNotAlone, message).await;
        };
        let field = plan
            .element
            .clone()
            .filter(|field| field.states.contains(&ElementState::Editable));
        let Some(field) = field else {
            let message = "There is no field to type it into. Name the password field as the target.";
            return self.refuse(action, RuleName::NoField, message).await;
        };
        let known = &self.task.settings.credentials;
        let written_so = known.iter().find(|one| one.name == name);
        let credential = written_so.or_else(|| known.iter().find(|one| one.name.eq_ignore_ascii_case(name)));
        let inputs = secret_into(&field);
        let pending = match self.verdict(&inputs, &now) {
            Verdict::Ask(pending) => pending,
            // A secret is asked about, always; where it is not, something is amiss.
            Verdict::Allow(_) => {
                return self
                    .refuse(action, RuleName::SecretElsewhere, super::outcome::NEVER)
                    .await;
            }
            Verdict::Refuse { rule } => {
                return self.refuse(action, rule, super::outcome::NEVER).await;
            }
        };
        let Some(credential) = credential.cloned() else {
            let pending = pending.because(RuleName::SavedUnknown);
            return self.ask_then_do(pending, action, plan, thought, now).await;
        };
        if pending.kind() != AskKind::Password
            || self.asks_for_passwords(&now)
            || !self.may_type(&credential.place, &field, &now).await?
        {
            let pending = pending.because(RuleName::SavedElsewhere);
            return self.ask_then_do(pending, action, plan, thought, now).await;
        }
        let (now, by) = match self.agree(action, &field, thought, now).await? {
            Some(agreed) => agreed,
            None => return Ok(()),
        };
        let ports = Arc::clone(&self.ports.credentials);
        let wanted: Credential = credential.clone();
        let revealed = self.race(async move { ports.reveal(&wanted).await }).await?;
        let rule = match revealed {
            Ok(Some(value)) => {
                // Written down by its name, as whoever reads the steps knows it.
                let act = Act::Type {
                    text: written(&credential.name),
                    target: None,
                };
                let source = SecretSource::Saved {
                    action: &Action {
                        act,
                        ..action.clone()
                    },
                    place: &credential.place,
                    by: by.as_ref(),
                };
                return self.deliver(value, Some(&field), &now, source).await;
            }
            Ok(None) => RuleName::SavedGone,
            Err(failure) => {
                tracing::warn!(?failure, "a saved password could not be read");
                RuleName::SavedUnreadable
            }
        };
        self.ask_then_do(pending.because(rule), action, plan, thought, now)
            .await
    }

    /// The person has every password asked about here.
    fn asks_for_passwords(&self, now: &Observation) -> bool {
        let rules = &self.task.settings.rules.ask;
        any_rule(
            rules,
            AskKind::Password,
            &now.screen.current_app,
            &now.screen.phone,
        )
    }

    /// Where typing into the field would be asked about though the password belongs there (the level, the person's rules, the
    /// model's own mark), it is. None: it is not to be done.
    async fn agree(
        &mut self,
        action: &Action,
        field: &Element,
        thought: &str,
        now: Observation,
    ) -> Result<Option<(Observation, Option<Approved>)>, Halt> {
        let inputs = secret_into(field);
        let case = Case {
            saved_fits: true,
            ..self.case(&inputs, &now)
        };
        let pending = match judge(&case) {
            Verdict::Allow(_) => return Ok(Some((now, None))),
            Verdict::Refuse { rule } => {
                self.refuse(action, rule, super::outcome::NEVER).await?;
                return Ok(None);
            }
            Verdict::Ask(pending) => pending,
        };
        let (kind, rule) = (pending.kind(), pending.rule());
        let told = self.told(kind, &now);
        let target = told.elements.iter().find(|one| one.index == field.index).cloned();
        let evidence = evidence::gather(kind, &Page::new(&told), target.as_ref(), Some(action));
        let question = Question::by_rule(kind, rule, action, target.as_ref(), &now, thought, evidence);
        match self.ask(question).await? {
            PersonAnswer::Yes(yes) => {
                let again = self.glance().await?;
                if now.voided_by(&again, target.as_ref()).is_some() {
                    self.void(action).await?;
                    return Ok(None);
                }
                let by = Approved::new(pending, yes, &again);
                Ok(Some((again, Some(by))))
            }
            PersonAnswer::No | PersonAnswer::Secret(..) | PersonAnswer::File(..) | PersonAnswer::Readable => {
                let told = "The person said no. Do not try this again, also not in another way.";
                self.note(action, told);
                Ok(None)
            }
        }
    }
}
