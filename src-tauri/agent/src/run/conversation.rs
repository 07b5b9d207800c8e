//! What is said between the run, the model and the person: the history, added words, variables, and what the last request
//! held.

use crate::history::{History, HistoryLine};
use crate::plan::CaptureView;
use crate::ports::{App, PictureSource};
use crate::prior_progress::{PriorEntry, PriorProgress};
use crate::prompt::Added;
use crate::secrets::Secrets;
use protocol::{Action, CaptureMode, Frame, Usage};
use std::collections::BTreeMap;

/// What `captureAfter` shows: as a capture whose fields are not given.
const CAPTURE_AFTER: CaptureView = CaptureView {
    mode: CaptureMode::Som,
    max_elements: 100,
};
/// What stands between what was done before and what comes now.
const BROKEN_OFF: &str = "The task was broken off here, some time ago, and goes on now; steps are counted anew. Everything \
                          above is data of that time: the screen may be another. Do not do again what is done.";
/// Unclear answers in a row before the run waits for the person.
const UNCLEAR: u32 = 3;

/// One run's conversation.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    history: History,
    said: Vec<Added<String>>,
    /// What the person keeps for the AI.
    notes: Vec<String>,
    variables: BTreeMap<String, String>,
    apps: Vec<App>,
    /// The model asked which apps there are, after so many lines of history: they are in every prompt from then on.
    apps_after: Option<usize>,
    /// The whole picture that went with the last request.
    sent: Option<(Frame, PictureSource)>,
    /// What of the next look was asked for by `capture` or `captureAfter`.
    show: Option<CaptureView>,
    /// The last action in pixels of the screen, and as the model wrote it: it is told its own numbers.
    said_as: Option<(Action, Action)>,
    /// What the model asked for, until it is begun or told of.
    undone: Option<Action>,
    unclear: u32,
    /// What questions beside the task cost, until it is told with the step's outcome.
    aside: Option<Usage>,
    /// It proposed something to remember.
    proposed: bool,
}

impl Conversation {
    /// One that begins with what was done and said before the task was broken off.
    pub(super) fn going_on(prior: &PriorProgress) -> Self {
        let mut conversation = Self::default();
        for told in &prior.told {
            match told {
                PriorEntry::Step(line) => conversation.history.add(line.clone()),
                PriorEntry::Said(words) => conversation.hear(words.clone()),
            }
        }
        conversation.tell(0, BROKEN_OFF);
        conversation
    }

    pub(super) fn history(&self) -> &History {
        &self.history
    }

    /// A line that belongs to no action.
    pub(super) fn tell(&mut self, step: u32, told: impl Into<String>) {
        self.history.push(step, "", told);
    }

    /// What came of an action, in the model's own numbers and without any secret.
    pub(super) fn note(&mut self, step: u32, action: &Action, label: &str, result: &str, secrets: &Secrets) {
        self.undone = None;
        let said = self.said_as.as_ref().filter(|(done, _)| done == action);
        let written = serde_json::to_string(said.map_or(action, |(_, said)| said)).unwrap_or_default();
        self.history.add(HistoryLine {
            step,
            action: secrets.hide(&written),
            label: secrets.hide(label),
            result: secrets.hide(result),
        });
    }

    /// This is to be done next.
    pub(super) fn intends(&mut self, said: &Action) {
        self.undone = Some(said.clone());
    }

    /// It is begun, or nobody will begin it: what of it was never told.
    pub(super) fn take_undone(&mut self) -> Option<Action> {
        self.undone.take()
    }

    /// The action that is done now, and as the model wrote it where that differs.
    pub(super) fn says(&mut self, done: &Action, said: Action) {
        self.said_as = (*done != said).then(|| (done.clone(), said));
    }

    /// The person's words, for the next prompt.
    pub(super) fn hear(&mut self, text: String) {
        self.said.push(Added {
            after: self.history.total(),
            what: text,
        });
    }

    /// What the person keeps for the AI, in every prompt from the first.
    pub(super) fn keep_notes(&mut self, notes: Vec<String>) {
        self.notes = notes;
    }

    pub(super) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Whether something may be proposed to be remembered; from now on nothing more.
    pub(super) fn may_propose(&mut self) -> bool {
        !std::mem::replace(&mut self.proposed, true)
    }

    /// What the person said so far.
    pub(super) fn said(&self) -> &[Added<String>] {
        &self.said
    }

    /// A text by its name, for `{{name}}`.
    pub(super) fn keep(&mut self, name: String, text: String) {
        self.variables.insert(name, text);
    }

    pub(super) fn variables(&self) -> &BTreeMap<String, String> {
        &self.variables
    }

    /// The apps that can be opened; empty until they were asked for.
    pub(super) fn apps(&self) -> &[App] {
        &self.apps
    }

    pub(super) fn know_apps(&mut self, apps: Vec<App>) {
        self.apps = apps;
    }

    /// From now on every prompt lists them.
    pub(super) fn list_apps(&mut self) {
        let after = self.history.total();
        self.apps_after.get_or_insert(after);
    }

    /// After how many lines of history the model asked for them.
    pub(super) fn listed_after(&self) -> Option<usize> {
        self.apps_after
    }

    /// An app's name as the phone shows it, else the last part of its package.
    pub(super) fn app_label(&self, package: &str) -> String {
        let known = self.apps.iter().find(|app| app.package == package);
        known.map_or_else(
            || package.rsplit('.').next().unwrap_or(package).to_owned(),
            |app| app.label.clone(),
        )
    }

    /// The model asked for this of the next look.
    pub(super) fn will_show(&mut self, show: CaptureView) {
        self.show = Some(show);
    }

    /// The next look is shown as a plain capture, unless something else was asked for.
    pub(super) fn will_capture(&mut self) {
        self.show.get_or_insert(CAPTURE_AFTER);
    }

    pub(super) fn show(&self) -> Option<CaptureView> {
        self.show
    }

    /// A request was answered; this picture went with it.
    pub(super) fn was_sent(&mut self, picture: Option<(Frame, PictureSource)>) {
        self.show = None;
        // What was left out once is sent again the next time: a model that is stuck has to see.
        self.sent = picture;
    }

    /// The whole picture that went with the last request.
    pub(super) fn sent(&self) -> Option<&(Frame, PictureSource)> {
        self.sent.as_ref()
    }

    /// An answer could not be read; whether it was the last that is borne in a row.
    pub(super) fn was_unclear(&mut self) -> bool {
        self.unclear += 1;
        self.unclear >= UNCLEAR
    }

    /// An answer was read, or the person saw that none could be.
    pub(super) fn is_clear(&mut self) {
        self.unclear = 0;
    }

    /// What a question beside the task cost.
    pub(super) fn spend(&mut self, usage: Usage) {
        self.aside = Some(sum(self.aside.unwrap_or_default(), usage));
    }

    /// What such questions cost since it was told.
    pub(super) fn take_spent(&mut self) -> Option<Usage> {
        self.aside.take()
    }
}

/// Both together.
pub(super) fn sum(a: Usage, b: Usage) -> Usage {
    Usage {
        input_tokens: a.input_tokens.saturating_add(b.input_tokens),
        cached_tokens: a.cached_tokens.saturating_add(b.cached_tokens),
        output_tokens: a.output_tokens.saturating_add(b.output_tokens),
        dollars: match (a.dollars, b.dollars) {
            (Some(a), Some(b)) => Some(a + b),
            (one, other) => one.or(other),
        },
        is_estimate: a.is_estimate || b.is_estimate,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::Act;

    fn tap(x: f64) -> Action {
        Action::from(Act::Tap {
            x: Some(x),
            y: Some(1.0),
            target: None,
        })
    }

    #[test]
    fn a_model_is_told_its_own_numbers_and_words_keep_their_place() {
        let mut conversation = Conversation::default();
        conversation.hear("first".into());
        conversation.says(&tap(540.0), tap(500.0));
        conversation.note(1, &tap(540.0), "", "done", &Secrets::default());
        conversation.note(2, &tap(7.0), "", "done", &Secrets::default());
        conversation.hear("then".into());
        let lines = conversation.history().lines();
        assert!(lines[0].action.contains("500"), "{}", lines[0].action);
        assert!(lines[1].action.contains('7'), "{}", lines[1].action);
        let after: Vec<usize> = conversation.said().iter().map(|said| said.after).collect();
        assert_eq!(after, [0, 2]);
    }

    #[test]
    fn the_third_unclear_answer_in_a_row_is_the_last() {
        let mut conversation = Conversation::default();
        let first = [conversation.was_unclear(), conversation.was_unclear()];
        conversation.is_clear();
        let second = [
            conversation.was_unclear(),
            conversation.was_unclear(),
            conversation.was_unclear(),
        ];
        assert_eq!((first, second), ([false, false], [false, false, true]));
    }
}
