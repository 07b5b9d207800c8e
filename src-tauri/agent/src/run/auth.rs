//! `request_human_auth`: the model wants a person. The capability it names chooses the wording, never the permission.

use super::allow::ApprovedInputs;
use super::biometric::BiometricPrompt;
use super::deliver::SecretSource;
use super::halt::Halt;
use super::observation::Observation;
use super::permissions::Grant;
use super::question::{PersonAnswer, Question};
use super::state::Run;
use crate::evidence;
use crate::permission;
use crate::plan::{Plan, PlannedEffect, bare};
use judge::{Input, Page, Yes};
use protocol::{Act, Action, AskKind, AskReason, Capability, Element, Evidence, RefusalCode};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// How long a Yes in advance is good for.
const GRANT: Duration = Duration::from_secs(60);
/// Bounds of the time a model may ask for.
const SHORTEST_SEC: f64 = 30.0;
const LONGEST_SEC: f64 = 1800.0;

impl Run {
    pub(super) async fn human_auth(
        &mut self,
        capability: Capability,
        instruction: &str,
        timeout_sec: f64,
        action: &Action,
        seen: &Observation,
    ) -> Result<(), Halt> {
        let kind = kind_of(capability);
        if kind == AskKind::Code {
            self.secrets.expect_code();
        }
        let told = self.told(kind, seen);
        let page = Page::new(&told);
        let target = target_of(kind, &page);
        let evidence = evidence::gather(kind, &page, target, None);
        let key = format!(
            "auth {kind:?} {} {}",
            seen.screen.current_app,
            amount_text(&evidence)
        );
        if self.permissions.was_denied(&key) {
            return self
                .refuse(action, RefusalCode::DeniedBefore, super::outcome::DENIED)
                .await;
        }
        let certain = kind == AskKind::Payment && evidence.other_amounts.is_empty();
        let amount = evidence.amount.clone().filter(|_| certain);
        let recipient = evidence::recipient(&evidence);
        let takes_files = self.ports.phone.takes_files();
        let placed = self.ports.phone.can_be_placed();
        let said = self.conversation.said().len();
        let has_button = evidence.allows.is_some();
        let question = Question {
            kind,
            reason: AskReason::Model { capability },
            action: None,
            target,
            screen: &seen.screen,
            frame: seen.frame.clone(),
            about: seen.about(target),
            site: seen.address.as_deref(),
            says: instruction,
            wait: wait_of(timeout_sec),
            choices: evidence::choices_in_person(kind, &evidence, takes_files, placed),
            evidence,
        };
        match self.ask(question).await? {
            PersonAnswer::No if kind == AskKind::Permission => {
                self.permissions.deny(key);
                self.press_deny(action, seen).await
            }
            PersonAnswer::No => {
                self.permissions.deny(key);
                self.note(action, NO);
                Ok(())
            }
            PersonAnswer::Secret(secret, yes) => {
                self.deliver(secret, target, seen, SecretSource::Person(&yes))
                    .await
            }
            PersonAnswer::File(file, yes) => self.give(file, action, yes).await,
            // Whoever asks in person is not asked about what cannot be read.
            PersonAnswer::Readable => Ok(()),
            PersonAnswer::Yes(yes) => match kind {
                // Where the phone shows no dialog that is known, its button is asked about when it is pressed.
                AskKind::Permission if has_button => self.press_allow(action, seen, target, yes).await,
                AskKind::Location if placed && self.conversation.said().len() > said => {
                    self.place_emulator(action, yes).await
                }
                AskKind::Biometric => self.note_prompt(action, seen).await,
                _ => {
                    // A Yes to an amount is a Yes to that payment; any other in advance is for nothing in particular.
                    // It is for the button that was ringed, and no other that names the amount.
                    if let Some((amount, ringed)) = amount.zip(seen.as_it_is(target).cloned()) {
                        self.permissions.grant(Grant {
                            yes,
                            asked: seen.clone(),
                            ringed,
                            amount,
                            recipient,
                            until: Instant::now() + GRANT,
                        });
                    }
                    self.note(action, told_yes(kind));
                    Ok(())
                }
            },
        }
    }

    /// The person says that the phone's prompt was answered: whether it is gone.
    async fn note_prompt(&mut self, action: &Action, seen: &Observation) -> Result<(), Halt> {
        let told = match self.watch_prompt(seen).await? {
            BiometricPrompt::Gone => {
                "The person says it is done, and the phone's prompt has left the screen. Go on."
            }
            BiometricPrompt::Stays => {
                "The person says it is done, but the phone's prompt is still on the screen. Ask once more, \
                 or finish and say what was left undone."
            }
            BiometricPrompt::None => {
                "The person says it is done. Look at the screen to see whether it worked."
            }
        };
        self.note(action, told);
        Ok(())
    }

    /// Where the person's last words are a place, the emulator is told that it is there.
    async fn place_emulator(&mut self, action: &Action, yes: Yes) -> Result<(), Halt> {
        let words = self
            .conversation
            .said()
            .last()
            .map(|said| said.what.as_str())
            .unwrap_or_default();
        let Some((latitude, longitude)) = crate::geo_point::read(words) else {
            self.note(action, told_yes(AskKind::Location));
            return Ok(());
        };
        let now = self.glance().await?;
        let place = format!("{latitude}, {longitude}");
        let agreed = self.agreed(&[Input::Location { place }], yes, &now);
        let Some(judged) = agreed.and_then(|allowed| allowed.judged.into_iter().next()) else {
            return self.void(action).await;
        };
        let began = Instant::now();
        self.begin(action, None).await?;
        let phone = Arc::clone(&self.ports.phone);
        let grip = self.grip.clone();
        self.observation_cache.touch();
        let placed = self
            .finish_first(
                async move { phone.place(latitude, longitude, &judged, &grip).await },
                began,
            )
            .await?;
        let (outcome, told) = match placed {
            Ok(()) => (
                super::outcome::done(protocol::OutcomeCode::Placed),
                format!(
                    "{} The phone was told that it is at {latitude}, {longitude}.",
                    told_yes(AskKind::Location)
                ),
            ),
            Err(trouble) => self.trouble(&trouble, began).await?,
        };
        self.tell_acted(outcome, began).await?;
        self.note(action, &told);
        Ok(())
    }

    /// The person allowed it: the dialog's own Yes is pressed for them, if the very same dialog still stands.
    async fn press_allow(
        &mut self,
        action: &Action,
        asked: &Observation,
        ringed: Option<&Element>,
        yes: Yes,
    ) -> Result<(), Halt> {
        let now = self.glance().await?;
        if asked.voided_by(&now, ringed).is_some() {
            return self.void(action).await;
        }
        let found = permission::dialog(&now.screen).and_then(|dialog| dialog.allow);
        let Some((button, _)) = found.filter(|(button, _)| Some(button.bounds) == ringed.map(|e| e.bounds))
        else {
            return self.void(action).await;
        };
        let button = button.clone();
        if !self.press(&button, &now, Some(yes)).await? {
            return self.void(action).await;
        }
        let told = format!(
            "The person allowed it, and {:?} was pressed for them. Go on from the screen as it is now.",
            button.label
        );
        self.note(action, &told);
        Ok(())
    }

    /// The person said no: so is the dialog told, where it is certain which button that is.
    async fn press_deny(&mut self, action: &Action, asked: &Observation) -> Result<(), Halt> {
        let now = self.glance().await?;
        let same = asked.voided_by(&now, None).is_none();
        let deny = permission::dialog(&now.screen).and_then(|dialog| dialog.deny.cloned());
        let Some(button) = deny.filter(|_| same) else {
            self.note(action, NO);
            return Ok(());
        };
        if !self.press(&button, &now, None).await? {
            self.note(action, NO);
            return Ok(());
        }
        let told = format!("{NO} {:?} was pressed for them.", button.label);
        self.note(action, &told);
        Ok(())
    }

    /// One tap on a button of Android's own dialog, judged and written down like any other; whether it was sent.
    async fn press(&mut self, button: &Element, now: &Observation, yes: Option<Yes>) -> Result<bool, Halt> {
        let b = button.bounds;
        let (x, y) = (i32::midpoint(b.left, b.right), i32::midpoint(b.top, b.bottom));
        let tap = Action::from(Act::Tap {
            x: Some(f64::from(x)),
            y: Some(f64::from(y)),
            target: None,
        });
        let plan = Plan {
            touches: vec![(x, y)],
            element: Some(button.clone()),
            ring: Some(b),
            ..bare(PlannedEffect::Phone(vec![Input::Tap { at: (x, y) }]))
        };
        let inputs = self.inputs(&plan, now);
        let allowed = match yes {
            Some(yes) => self.agreed(&inputs, yes, now),
            None => self
                .remaining(&inputs, None, now)
                .map(|judged| ApprovedInputs { judged, by: None }),
        };
        let Some(allowed) = allowed else {
            return Ok(false);
        };
        self.do_it(&tap, plan, allowed, now).await?;
        Ok(true)
    }
}

/// What the model hears of a No.
const NO: &str = "The person said no. Do not try this in another way. Find something the person would agree to, or finish \
                  and say what was left undone.";

/// The model's thirteen words in ours.
fn kind_of(capability: Capability) -> AskKind {
    match capability {
        Capability::Camera => AskKind::Camera,
        Capability::Sms | Capability::TwoFactor => AskKind::Code,
        Capability::Location => AskKind::Location,
        Capability::Biometric => AskKind::Biometric,
        Capability::Notification => AskKind::Notification,
        Capability::Contacts => AskKind::Contacts,
        Capability::Calendar => AskKind::Calendar,
        Capability::Files => AskKind::Files,
        Capability::Oauth => AskKind::Oauth,
        Capability::Payment => AskKind::Payment,
        Capability::Permission => AskKind::Permission,
        Capability::Unknown => AskKind::Unknown,
    }
}

/// What the question is about on this screen: the code's field, the pay button, the dialog's Yes.
fn target_of<'a>(kind: AskKind, page: &Page<'a>) -> Option<&'a Element> {
    match kind {
        AskKind::Code => page.code_field().or_else(|| page.focused_field()),
        AskKind::Payment | AskKind::Oauth => page.element_for(kind),
        AskKind::Permission => permission::dialog(page.screen)
            .and_then(|dialog| dialog.allow)
            .map(|(button, _)| button),
        _ => None,
    }
}

fn wait_of(timeout_sec: f64) -> Duration {
    let seconds = if timeout_sec.is_finite() {
        timeout_sec.clamp(SHORTEST_SEC, LONGEST_SEC)
    } else {
        LONGEST_SEC
    };
    Duration::from_secs_f64(seconds)
}

fn amount_text(evidence: &Evidence) -> String {
    evidence
        .amount
        .as_ref()
        .map(|amount| amount.text.clone())
        .unwrap_or_default()
}

/// What the model hears of a Yes.
fn told_yes(kind: AskKind) -> &'static str {
    match kind {
        AskKind::Payment => {
            "The person approved this payment as it stands on the screen. Press the button for it now; any other amount \
             or recipient is asked about again."
        }
        AskKind::Oauth => {
            "The person lets you sign in here. Passwords and codes are still typed by them: ask where one is wanted."
        }
        AskKind::Camera => "The person lets you use the camera for this, once.",
        AskKind::Files => "The person lets you look at the files for this, once.",
        AskKind::Location => {
            "The person lets you share where this phone is, once. Android's own question about it is asked apart."
        }
        AskKind::Contacts => "The person lets you look at the contacts on the phone for this, once.",
        AskKind::Calendar => "The person lets you look at the calendar on the phone for this, once.",
        AskKind::Notification => "The person lets you read the notifications on the phone for this, once.",
        _ => "The person said yes to this. Go on; anything else that matters is asked about again.",
    }
}
