//! What the person said before and what answers a question now: things they always allow, and deeds their task names.

use super::halt::Halt;
use super::observation::Observation;
use super::state::Run;
use judge::{Case, Input, Verdict, judge};
use protocol::{
    AnswerLifetime, Ask, AskReason, Choice, Element, Mandate, Rule, Screen, Settings, StandingAnswer, What,
};
use std::sync::Arc;

/// So often the person said Yes to the very same thing before it is offered to allow it always.
const OFTEN: u32 = 2;

impl Run {
    /// "Always here": offered once the person said Yes to the very same thing twice, and never for what may not be bound. The
    /// question keeps what it was about, so that the next one finds it.
    pub(super) async fn offer_always(
        &mut self,
        ask: &mut Ask,
        target: Option<&Element>,
        (screen, site): (&Screen, Option<&str>),
    ) -> Result<(), Halt> {
        let by_rule = matches!(ask.reason, AskReason::Rule { .. });
        let yes = ask.choices.iter().position(|choice| *choice == Choice::Approve);
        let (Some(target), Some(yes)) = (target, yes) else {
            return Ok(());
        };
        if !by_rule || !judge::may_bind(ask.kind) || ask.evidence.maybe_done {
            return Ok(());
        }
        let now = self.ports.clock.now();
        let app = &screen.current_app;
        self.know_app(app).await?;
        let (signers, version) = (
            self.matching_credentials.signers_of(app),
            self.matching_credentials.version_of(app),
        );
        let Some(element) = judge::bind(ask.kind, screen, site, signers, version, target, now) else {
            return Ok(());
        };
        ask.element = Some(element.clone());
        let journal = Arc::clone(&self.ports.journal);
        let phone = self.task.phone.clone();
        let before = self
            .race(async move { journal.approved_before(&phone, &element).await })
            .await?;
        // Where nobody knows, nothing is offered.
        let before = before.unwrap_or_else(|failure| {
            tracing::warn!(?failure, "earlier answers could not be read");
            0
        });
        if before >= OFTEN {
            ask.choices.insert(yes + 1, Choice::ApproveAlways);
        }
        Ok(())
    }

    /// A Yes that holds from now on, for the one thing the question was about. It is looked at again all the same.
    pub(super) async fn allow_always(&mut self, ask: &Ask) -> Result<(), Halt> {
        let Some(element) = ask.element.clone() else {
            return Ok(());
        };
        let rule = Rule {
            kind: ask.kind,
            app: Some(ask.app.clone()),
            app_label: ask.app_label.clone(),
            phone: Some(ask.phone.clone()),
            since: ask.asked_at,
            element: Some(element),
        };
        // It is kept by the room above, and taken back through there.
        self.task.settings.rules.allowed.push(rule.clone());
        let ask = ask.id.clone();
        let reach = AnswerLifetime::Always;
        self.record(What::Allowed { ask, rule, reach }).await
    }

    /// Something in this app is always allowed.
    pub(super) fn allows_in(&self, app: &str) -> bool {
        let mut rules = self.task.settings.rules.allowed.iter();
        rules.any(|rule| rule.element.is_some() && rule.app.as_deref() == Some(app))
    }

    /// Tells which word of the person's it was that made a question needless, where one did, and takes a use of it off.
    pub(super) async fn tell_unasked(&mut self, inputs: &[Input], now: &Observation) -> Result<(), Halt> {
        let Some(standing) = self.standing_for(inputs, now) else {
            return Ok(());
        };
        let standing = match standing {
            StandingAnswerIndex::Rule(at) => {
                let used = self.ports.clock.now();
                let Some(rule) = self.task.settings.rules.allowed.get_mut(at) else {
                    return Ok(());
                };
                if let Some(element) = &mut rule.element {
                    element.used = used;
                }
                StandingAnswer::Rule { rule: rule.clone() }
            }
            StandingAnswerIndex::Mandate(at) => {
                let Some(deed) = self.permissions.use_mandate(at) else {
                    return Ok(());
                };
                StandingAnswer::Mandate { deed }
            }
        };
        let step = self.budget.step();
        self.record(What::Unasked { step, standing }).await
    }

    /// The one word without which it would have been asked.
    fn standing_for(&self, inputs: &[Input], now: &Observation) -> Option<StandingAnswerIndex> {
        let rules = &self.task.settings.rules.allowed;
        if self.permissions.mandates().is_empty() && !self.allows_in(&now.screen.current_app) {
            return None;
        }
        let without = |allowed: Vec<Rule>| {
            let mut settings: Settings = self.task.settings.clone();
            settings.rules.allowed = allowed;
            settings
        };
        let bare = without(Vec::new());
        let case = self.case(inputs, now);
        let passes = |settings: &Settings, mandates: &[Mandate]| {
            let case = Case {
                settings,
                mandates,
                ..case.clone()
            };
            matches!(judge(&case), Verdict::Allow(_))
        };
        if passes(&bare, &[]) {
            return None;
        }
        let rule = rules
            .iter()
            .position(|rule| passes(&without(vec![rule.clone()]), &[]));
        let mandate = || {
            self.permissions
                .mandates()
                .iter()
                .position(|deed| passes(&bare, std::slice::from_ref(deed)))
        };
        rule.map(StandingAnswerIndex::Rule)
            .or_else(|| mandate().map(StandingAnswerIndex::Mandate))
    }
}

/// Which of the person's words.
enum StandingAnswerIndex {
    Rule(usize),
    Mandate(usize),
}
