//! `request_human_auth`: the model wants a person. The capability it names chooses the wording, never the permission.

use super::look::Seen;
use super::question::{Given, Question};
use super::{Grant, Halt, Run};
use crate::evidence;
use crate::judge::Page;
use protocol::{Action, AskKind, AskReason, Capability, Element, Evidence};
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
        seen: &Seen,
    ) -> Result<(), Halt> {
        let kind = kind_of(capability);
        if kind == AskKind::Code {
            self.secrets.expect_code();
        }
        let page = Page::new(&seen.shown.screen);
        let target = target_of(kind, page);
        let evidence = evidence::gather(kind, page, target, None);
        let key = format!(
            "auth {kind:?} {} {}",
            seen.screen.current_app,
            amount_text(&evidence)
        );
        if self.denied.contains(&key) {
            let message = "The person said no to this already. It is not asked again in this task.";
            return self.refuse(action, "denied_before", message).await;
        }
        let grant = Grant {
            kind,
            app: seen.screen.current_app.clone(),
            amount: evidence.amount.clone(),
            recipient: evidence.payee.clone().or_else(|| evidence.recipient.clone()),
            until: Instant::now(),
        };
        let question = Question {
            kind,
            reason: AskReason::Model { capability },
            action: None,
            target,
            screen: &seen.screen,
            frame: seen.frame.clone(),
            says: instruction,
            wait: wait_of(timeout_sec),
            evidence,
        };
        match self.ask(question).await? {
            Given::No => {
                self.denied.insert(key);
                let told = "The person said no. Do not try this in another way. Find something the person would agree \
                            to, or finish and say what was left undone.";
                self.note(action, told);
                Ok(())
            }
            Given::Secret(secret) => self.deliver(secret, target, seen).await,
            Given::Yes => {
                self.grants.push(Grant {
                    until: Instant::now() + GRANT,
                    ..grant
                });
                self.note(action, yes(kind));
                Ok(())
            }
        }
    }
}

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

/// What the question is about on this screen: the code's field, the pay button.
fn target_of(kind: AskKind, page: Page<'_>) -> Option<&Element> {
    match kind {
        AskKind::Code => page.code_field().or_else(|| page.focused_field()),
        AskKind::Payment | AskKind::Oauth => page.element_for(kind),
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
fn yes(kind: AskKind) -> &'static str {
    match kind {
        AskKind::Payment => {
            "The person approved this payment as it stands on the screen. Press the button for it now; any other amount \
             or recipient is asked about again."
        }
        AskKind::Biometric => "The person says it is done. Look at the screen to see whether it worked.",
        _ => "The person said yes to this. Go on; anything else that matters is asked about again.",
    }
}
