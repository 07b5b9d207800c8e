//! The second opinion on the pages of a run: asked for when a page is first seen, heard before it is judged.

use super::halt::Halt;
use super::observation::Observation;
use super::observation_cache::is_fresh;
use super::state::Run;
use super::still::LookRequirement;
use crate::guard::{NoGuard, Opinions};
use crate::timing::Waited;
use judge::Input;
use judge::guard::{Page, Question};
use protocol::{Screen, Usage};
use std::sync::Arc;
use tokio::time::Instant;

impl Run {
    /// Puts the question about a page on its way; it is answered while the model thinks.
    pub(super) fn ask_opinion(&mut self, seen: &Observation) {
        if let Some(question) = self.question_on(seen, None) {
            self.opinions.begin(&question, seen.shown.picture.as_ref());
        }
    }

    /// What is thought of the page, where one of the inputs presses something on it.
    pub(super) async fn hear_opinion(
        &mut self,
        seen: &mut Observation,
        inputs: &[Input],
    ) -> Result<(), Halt> {
        self.spend_opinions();
        let Some(question) = self.question_about(seen, inputs) else {
            return Ok(());
        };
        self.opinions.begin(&question, seen.shown.picture.as_ref());
        let mut opinions = std::mem::replace(&mut self.opinions, Opinions::new(Arc::new(NoGuard)));
        let since = Instant::now();
        let heard = self
            .race(opinions.opinion(&question, seen.shown.picture.as_ref()))
            .await;
        self.timeline.waited(Waited::Opinion, since);
        self.opinions = opinions;
        self.spend_opinions();
        seen.opinion = heard?;
        Ok(())
    }

    /// The same, and the screen that took the place of that one where the answer took so long that one may have, and did.
    pub(super) async fn changed_while_heard(
        &mut self,
        now: &mut Observation,
        inputs: &[Input],
        wants: LookRequirement,
    ) -> Result<Option<Observation>, Halt> {
        let since = Instant::now();
        self.hear_opinion(now, inputs).await?;
        if is_fresh(since) {
            return Ok(None);
        }
        self.changed_since(now, wants).await
    }

    /// The same, for inputs that are judged on whatever is there then. Nobody is waited for any more: what is not known of
    /// another screen is not known.
    pub(super) async fn hear_opinion_of_now(
        &mut self,
        now: &mut Observation,
        inputs: &[Input],
        wants: LookRequirement,
    ) -> Result<(), Halt> {
        if let Some(other) = self.changed_while_heard(now, inputs, wants).await? {
            *now = other;
            self.know_opinion(now, inputs);
        }
        Ok(())
    }

    /// What is thought of a page, as far as that is known already.
    pub(super) fn know_opinion(&self, seen: &mut Observation, inputs: &[Input]) {
        let question = self.question_about(seen, inputs);
        let picture = seen.shown.picture.as_ref();
        seen.opinion = question.and_then(|question| self.opinions.known(&question, picture));
    }

    fn question_about(&self, seen: &Observation, inputs: &[Input]) -> Option<Question> {
        self.question_on(seen, pressed(inputs, &seen.screen)?)
    }

    /// What the answers so far cost, and the questions without one, for whoever tells next.
    pub(super) fn spend_opinions(&mut self) {
        let unanswered = self.ports.model.take_unanswered();
        let spent = self.opinions.spent().into_iter().chain(unanswered);
        for usage in spent.filter(|usage| *usage != Usage::default()) {
            self.conversation.spend(usage);
        }
    }

    /// The question about the page, or about the part of it where this element stands.
    fn question_on(&self, seen: &Observation, element: Option<u32>) -> Option<Question> {
        let app = self.conversation.app_label(&seen.screen.current_app);
        let page = Page {
            screen: &seen.shown.screen,
            task: &self.task.goal,
            app: &app,
            site: seen.address.as_deref(),
            version: self.matching_credentials.version_of(&seen.screen.current_app),
            signers: self.matching_credentials.signers_of(&seen.screen.current_app),
            eyes: self.opinions.has_eyes() && seen.shown.picture.is_some(),
        };
        element
            .and_then(|element| Question::about(&page, element))
            .or_else(|| Question::of(&page))
    }
}

/// Whether one of the inputs presses something, and which element lies under it. The outer `None`: nothing is pressed.
fn pressed(inputs: &[Input], screen: &Screen) -> Option<Option<u32>> {
    let at = inputs.iter().find_map(|input| match input {
        Input::Tap { at } | Input::DoubleTap { at } | Input::Hold { at, .. } => Some(Some(*at)),
        Input::Swipe { from, .. } | Input::Drag { from, .. } => Some(Some(*from)),
        Input::Key(_) | Input::Chord(_) => Some(None),
        _ => None,
    })?;
    let under = |(x, y): (i32, i32)| {
        let mut holds = screen.elements.iter().filter(|element| {
            let b = element.bounds;
            screen::is_actionable(element) && x >= b.left && x < b.right && y >= b.top && y < b.bottom
        });
        holds.next_back().map(|element| element.index)
    };
    Some(at.and_then(under))
}
