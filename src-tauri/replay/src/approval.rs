//! What a person said Yes to, and whether it is still that.

use crate::journal::Decision;
use crate::template::{Template, Variables};
use crate::words::same;
use agent::evidence;
use judge::Page;
use protocol::{Action, AskKind, AskOutcome, Divergence, Element, Evidence, FrameId, Screen, StandingAnswer};
use serde::{Deserialize, Serialize};

/// What a person said Yes to, as it stood on the screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// What it was about.
    pub kind: AskKind,
    /// Letter for letter as the phone wrote it; what the person picked where several could be meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Template>,
    /// To whom money or a message went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient: Option<Template>,
    /// The text of a message, where it was typed by the step before: what the AI wrote is not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Template>,
    /// From which card or account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<Template>,
    /// The picture of the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<FrameId>,
}

impl Approval {
    /// Of a step that was asked about, or that the task's own words answered for.
    pub(crate) fn of(past: &Decision, variables: &Variables) -> Option<Self> {
        let template = |text: &String| variables.template(text);
        let yes = past.asked.iter().rev().find(|one| {
            matches!(
                one.outcome,
                Some(AskOutcome::Allowed | AskOutcome::Supplied { .. })
            )
        });
        if let Some(asked) = yes {
            let evidence = &asked.ask.evidence;
            let amount = asked
                .picked
                .as_ref()
                .or(evidence.amount.as_ref().map(|a| &a.text));
            return Some(Self {
                kind: asked.ask.kind,
                amount: amount.map(template),
                recipient: evidence::recipient(evidence).as_ref().map(template),
                text: written(asked.ask.kind, evidence).map(template),
                account: evidence.account.as_ref().map(template),
                frame: evidence.frame.clone(),
            });
        }
        let Some(StandingAnswer::Mandate { deed }) = &past.standing else {
            return None;
        };
        Some(Self {
            kind: deed.kind,
            amount: None,
            recipient: deed.recipient.as_ref().map(template),
            text: deed
                .text
                .as_ref()
                .filter(|_| deed.kind == AskKind::Send)
                .map(template),
            account: None,
            frame: past.frame.clone(),
        })
    }

    /// The same as it stands on a screen now: the person saw it, and let it go on. `shown` is the picture they saw.
    #[must_use]
    pub(crate) fn renewed(
        &self,
        screen: &Screen,
        target: Option<&Element>,
        action: &Action,
        shown: Option<FrameId>,
        variables: &Variables,
    ) -> Self {
        let now = evidence::gather(self.kind, &Page::new(screen), target, Some(action));
        let template = |text: &String| variables.template(text);
        let amount = now.amount.as_ref().map(|amount| template(&amount.text));
        Self {
            kind: self.kind,
            amount: amount.or_else(|| self.amount.clone()),
            recipient: evidence::recipient(&now)
                .as_ref()
                .map(template)
                .or_else(|| self.recipient.clone()),
            text: self.text.clone(),
            account: now
                .account
                .as_ref()
                .map(template)
                .or_else(|| self.account.clone()),
            frame: shown.or_else(|| self.frame.clone()),
        }
    }

    /// A message whose text was typed as it was approved, and does not stand there so: it was not typed, it is not there yet, or
    /// something else stood there before. A text that the AI wrote is another each time, and is asked about as any is.
    pub(crate) fn lacks_text(&self, screen: &Screen, typed: Option<&Template>, values: &Variables) -> bool {
        let Some(text) = self.text.as_ref().filter(|text| typed == Some(*text)) else {
            return false;
        };
        let now = evidence::gather(self.kind, &Page::new(screen), None, None);
        let spaced = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown = written(self.kind, &now).map(|text| spaced(text));
        text.fill(values).map(|text| spaced(&text)) != shown
    }

    /// What of it is another now, read from the screen as the question itself will read it. An amount that was approved must
    /// be seen; so must the recipient of a message. A payee or an account that this screen has no room for is no other one:
    /// paying is asked about in any case.
    #[must_use]
    pub fn differs(
        &self,
        screen: &Screen,
        target: Option<&Element>,
        action: &Action,
        values: &Variables,
    ) -> Option<Divergence> {
        let now = evidence::gather(self.kind, &Page::new(screen), target, Some(action));
        let is_shown = |amount: &Template| amount.fill(values).is_some_and(|amount| shows(&now, &amount));
        if self.amount.as_ref().is_some_and(|amount| !is_shown(amount)) {
            return Some(Divergence::OtherAmount);
        }
        let is_other = |recorded: &Option<Template>, shown: Option<&str>, must_be_seen: bool| {
            let Some(recorded) = recorded else {
                return false;
            };
            match (recorded.fill(values), shown) {
                (Some(recorded), Some(shown)) => !same(recorded.trim(), shown.trim()),
                (Some(_), None) => must_be_seen,
                (None, _) => true,
            }
        };
        let recipient = evidence::recipient(&now);
        let is_message = self.kind == AskKind::Send;
        let is_other = is_other(&self.recipient, recipient.as_deref(), is_message)
            || is_other(&self.account, now.account.as_deref(), false);
        is_other.then_some(Divergence::OtherRecipient)
    }
}

/// What a question about a message shows of its text.
fn written(kind: AskKind, evidence: &Evidence) -> Option<&String> {
    evidence.text.as_ref().filter(|_| kind == AskKind::Send)
}

/// Whether an amount is the one that is meant on a screen, or one of those that may be.
fn shows(now: &Evidence, recorded: &str) -> bool {
    let mut shown = now.amount.iter().chain(&now.other_amounts);
    let recorded_amounts = screen::amounts(recorded);
    let Some(wanted) = recorded_amounts.first() else {
        return shown.any(|amount| amount.text == recorded);
    };
    shown.any(|amount| evidence::same_amount(amount, wanted))
}
