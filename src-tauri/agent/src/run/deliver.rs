//! Delivering a code or password: person → here → phone, and nowhere else.

use super::allow::Approved;
use super::halt::Halt;
use super::observation::Observation;
use super::outcome::failed;
use super::state::Run;
use crate::credential::secret_into;
use crate::ports::PhoneError;
use crate::timing::Waited;
use judge::{Input, Judged, Verdict, Yes};
use protocol::{
    Act, Action, CredentialPlace, Element, ElementState, Outcome, OutcomeCode, RefusalCode, Screen, What,
};
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;
use tokio::time::Instant;

/// Whose secret it is.
#[derive(Clone, Copy)]
pub(super) enum SecretSource<'a> {
    /// The person typed it just now: that was their Yes.
    Person(&'a Yes),
    /// It was saved for this place, and the model referred to it.
    Saved {
        action: &'a Action,
        place: &'a CredentialPlace,
        /// The Yes that was asked for beside.
        by: Option<&'a Approved>,
    },
}

impl Run {
    /// Types a supplied secret into the field that was ringed, if it still is there.
    pub(super) async fn deliver(
        &mut self,
        secret: SecretString,
        ringed: Option<&Element>,
        asked: &Observation,
        source: SecretSource<'_>,
    ) -> Result<(), Halt> {
        let action = match source {
            SecretSource::Person(_) => typing_nothing(),
            SecretSource::Saved { action, .. } => action.clone(),
        };
        let wanted = asked
            .as_it_is(ringed)
            .filter(|field| field.states.contains(&ElementState::Editable))
            .cloned();
        let Some(wanted) = wanted else {
            self.note(
                &action,
                "There was no field to type it into; nothing was typed. Look again.",
            );
            return Ok(());
        };
        // From here on it is replaced in every tree and flat in every picture, the very next look included.
        self.secrets.add(secret.clone(), &asked.screen, &wanted);
        let now = self.glance().await?;
        // The field may stand on a page that has become another matter.
        let change = asked.voided_for(&now, &wanted);
        let field = same_field(&wanted, &asked.screen, &now.screen).filter(|_| change.is_none());
        let Some(field) = field else {
            tracing::info!(?change, "the screen changed before the secret was typed");
            return match source {
                SecretSource::Person(_) => self.void(&action).await,
                SecretSource::Saved { .. } => self.refuse(&action, RefusalCode::ScreenChanged, CHANGED).await,
            };
        };
        if let SecretSource::Saved { place, .. } = source
            && !self.may_type(place, &field, &now).await?
        {
            return self.refuse(&action, RefusalCode::ScreenChanged, CHANGED).await;
        }
        let Some(judged) = self.admit_secret(&field, &now, source) else {
            return self.refuse(&action, RefusalCode::ScreenChanged, CHANGED).await;
        };
        let characters = u32::try_from(secret.expose_secret().chars().count()).unwrap_or(u32::MAX);
        let began = Instant::now();
        self.record(What::Acting {
            step: self.budget.step(),
            action: action.clone(),
            label: None,
            role: Some(field.role),
            place: None,
            app_label: None,
            ring: Some(field.bounds),
            secret_characters: Some(characters),
        })
        .await?;
        self.keep_step(&action, Some(field.bounds), &now);
        let (outcome, told) = self
            .type_it(judged, secret, (&field, &now), source, began)
            .await?;
        let told = match source {
            _ if !outcome.ok => told,
            SecretSource::Person(_) => {
                // With another code the same button is another try.
                self.repeats.forget();
                format!(
                    "The person typed it straight into the phone ({characters} characters). You do not see it. {told}. Go \
                     on from the screen as it is now."
                )
            }
            SecretSource::Saved { .. } => {
                "The saved password was typed into the field. You do not see it. Go on from the screen as it is now."
                    .to_owned()
            }
        };
        self.tell_acted(outcome, began).await?;
        self.note(&action, &told);
        Ok(())
    }

    /// The focus and the secret, judged: by the person's own Yes, or by the place it was saved for.
    fn admit_secret(
        &self,
        field: &Element,
        now: &Observation,
        source: SecretSource<'_>,
    ) -> Option<Vec<Judged>> {
        let inputs = secret_into(field);
        let case = judge::Case {
            saved_fits: matches!(source, SecretSource::Saved { .. }),
            ..self.case(&inputs, now)
        };
        match (judge::judge(&case), source) {
            (Verdict::Allow(judged), _) => Some(judged),
            (Verdict::Ask(pending), SecretSource::Person(yes)) => {
                let by = Approved::new(pending, yes.clone(), now);
                judge::after_yes(&case, &by.pending, &by.yes)
            }
            (Verdict::Ask(_), SecretSource::Saved { by: Some(by), .. }) => {
                judge::after_yes(&case, &by.pending, &by.yes)
            }
            _ => None,
        }
    }

    /// The field is touched where it has not the focus, looked at again, and the secret typed: whatever came of the touch, it
    /// goes nowhere else.
    async fn type_it(
        &mut self,
        mut judged: Vec<Judged>,
        secret: SecretString,
        (field, before): (&Element, &Observation),
        source: SecretSource<'_>,
        began: Instant,
    ) -> Result<(Outcome, String), Halt> {
        if judged.len() > 1 {
            if let Err(trouble) = self.send(judged.remove(0), began).await? {
                return self.trouble(&trouble, began).await;
            }
            self.settle().await?;
            let now = self.glance().await?;
            let focused = focused_field(field, &now.screen);
            let fits = match source {
                SecretSource::Saved { place, .. } => self.may_type(place, field, &now).await?,
                SecretSource::Person(_) => now.screen.current_app == before.screen.current_app,
            };
            // A keyboard moves the page about, its title away, and a browser's bar with the address to where it is read; another
            // site and money that was not there are another matter all the same.
            let same_site = before.address.is_none() || now.address == before.address;
            let fits = fits && same_site && !shows_more_money(&before.screen, &now.screen);
            let again = focused
                .filter(|_| fits)
                .and_then(|field| self.admit_secret(&field, &now, source));
            let Some(again) = again else {
                return Ok((failed(OutcomeCode::ScreenChanged, CHANGED), CHANGED.to_owned()));
            };
            judged = again;
        }
        let phone = Arc::clone(&self.ports.phone);
        let grip = self.grip.clone();
        if self.observation_cache.touch_with(&judged).is_none() {
            return self.trouble(&PhoneError::Stale, began).await;
        }
        let since = Instant::now();
        let typed = self
            .finish_first(
                async move {
                    let mut last = Err(PhoneError::Stale);
                    for judged in &judged {
                        last = match judged.input() {
                            Input::Secret { .. } => phone.type_secret(&secret, judged, &grip).await,
                            _ => phone.perform(judged, &grip).await,
                        };
                        if last.is_err() {
                            break;
                        }
                    }
                    last
                },
                began,
            )
            .await?;
        self.timeline.waited(Waited::Input, since);
        match typed {
            Ok(effect) => {
                let sight = self.settle().await?;
                Ok((
                    Outcome {
                        ok: true,
                        code: OutcomeCode::Done.into(),
                        via: effect.via.map(Into::into),
                        changed: sight.and_then(|sight| before.changed(&sight)),
                        ..Outcome::default()
                    },
                    "It was typed".into(),
                ))
            }
            Err(trouble) => self.trouble(&trouble, began).await,
        }
    }
}

/// What the model hears when a saved password no longer has its place.
const CHANGED: &str = "The screen changed, so nothing was typed. Look at it again.";

/// Whether an amount stands there that did not before.
fn shows_more_money(before: &Screen, now: &Screen) -> bool {
    let amounts = |screen: &Screen| -> Vec<String> {
        let amounts = screen::amounts_on(&screen.elements).into_iter();
        amounts.map(|(_, amount)| amount.text).collect()
    };
    let known = amounts(before);
    amounts(now).iter().any(|amount| !known.contains(amount))
}

/// The field of the question, found on the screen as it is now: the same one, in the same app, in the same place.
fn same_field(wanted: &Element, before: &Screen, now: &Screen) -> Option<Element> {
    if before.current_app != now.current_app || before.window != now.window {
        return None;
    }
    let tolerance = i32::try_from(now.height / 50).unwrap_or(0);
    now.elements
        .iter()
        .find(|e| {
            e.states.contains(&ElementState::Editable)
                && e.resource_id == wanted.resource_id
                && (e.track_id == wanted.track_id || e.bounds == wanted.bounds)
                && (e.bounds.top - wanted.bounds.top).abs() <= tolerance
                && (e.bounds.left - wanted.bounds.left).abs() <= tolerance
        })
        .cloned()
}

/// The same field, wherever a keyboard moved it, once it has the focus; where it was judged to be.
fn focused_field(wanted: &Element, now: &Screen) -> Option<Element> {
    let hides = |field: &Element| field.states.contains(&ElementState::Password);
    let is = |one: &&Element| {
        one.states.contains(&ElementState::Focused)
            && one.states.contains(&ElementState::Editable)
            && one.resource_id == wanted.resource_id
            && one.package == wanted.package
            && (one.track_id == wanted.track_id || hides(one) == hides(wanted))
    };
    let found = now.elements.iter().find(is)?;
    Some(Element {
        bounds: wanted.bounds,
        ..found.clone()
    })
}

/// What is written down for it: typing, and not what.
fn typing_nothing() -> Action {
    Action::from(Act::Type {
        text: String::new(),
        target: None,
    })
}
