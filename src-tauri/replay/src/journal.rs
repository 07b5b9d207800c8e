//! A run's events, as far as they tell what was done.

use protocol::{
    Action, Ask, AskId, AskOutcome, Bounds, Ending, Event, FrameId, Outcome, Role, StandingAnswer, What,
};

/// A question, and how it ended.
pub(crate) struct RecordedQuestion {
    pub(crate) ask: Ask,
    pub(crate) outcome: Option<AskOutcome>,
    pub(crate) picked: Option<String>,
}

/// What was sent to the phone.
pub(crate) struct SentAction {
    pub(crate) step: u32,
    pub(crate) action: Action,
    pub(crate) label: Option<String>,
    pub(crate) role: Option<Role>,
    pub(crate) ring: Option<Bounds>,
    pub(crate) is_secret: bool,
    pub(crate) outcome: Option<Outcome>,
}

/// One decision, and what came of it; or that the person's hand was there.
#[derive(Default)]
pub(crate) struct Decision {
    pub(crate) step: u32,
    pub(crate) frame: Option<FrameId>,
    /// As the model said it; none: the person's own hand.
    pub(crate) said: Option<Action>,
    pub(crate) asked: Vec<RecordedQuestion>,
    pub(crate) standing: Option<StandingAnswer>,
    pub(crate) sent: Option<SentAction>,
}

/// What was decided, in order.
#[derive(Default)]
pub(crate) struct DecisionLog {
    pub(crate) all: Vec<Decision>,
    pub(crate) is_finished: bool,
    pub(crate) is_unreadable: bool,
    frame: Option<FrameId>,
}

impl DecisionLog {
    pub(crate) fn of(events: &[Event]) -> Self {
        let mut log = Self::default();
        for event in events {
            log.hear(&event.what);
        }
        log
    }

    fn hear(&mut self, what: &What) {
        match what {
            What::Looked { frame, .. } => self.frame.clone_from(frame),
            What::Decided { step, action, .. } => self.all.push(Decision {
                step: *step,
                frame: self.frame.clone(),
                said: Some(action.clone()),
                ..Decision::default()
            }),
            What::TakenOver => self.all.push(Decision {
                step: self.all.last().map_or(0, |past| past.step),
                frame: self.frame.clone(),
                ..Decision::default()
            }),
            What::Asked { ask, .. } => {
                if let Some(past) = self.all.last_mut() {
                    past.asked.push(RecordedQuestion {
                        ask: ask.clone(),
                        outcome: None,
                        picked: None,
                    });
                }
            }
            What::Answered { ask, outcome } => {
                if let Some(asked) = self.asked(ask) {
                    asked.outcome = Some(outcome.clone());
                }
            }
            What::Picked { ask, amount } => {
                if let Some(asked) = self.asked(ask) {
                    asked.picked = Some(amount.clone());
                }
            }
            What::Unasked { standing, .. } => {
                if let Some(past) = self.all.last_mut() {
                    past.standing = Some(standing.clone());
                }
            }
            What::Acting { .. } => self.sent(what),
            What::Acted { step, outcome, .. } => {
                let mut sent = self.all.iter_mut().rev().filter_map(|past| past.sent.as_mut());
                if let Some(sent) = sent.find(|sent| sent.step == *step && sent.outcome.is_none()) {
                    sent.outcome = Some(outcome.clone());
                }
            }
            What::Ended { ending, .. } => self.is_finished = matches!(ending, Ending::Finished { .. }),
            What::Unreadable { .. } => self.is_unreadable = true,
            _ => {}
        }
    }

    /// What is sent without a decision of its own is what the last decision could not do yet (its question ran out of time), or
    /// the rest of one that was begun: that comes by itself where the beginning is done again.
    fn sent(&mut self, what: &What) {
        let What::Acting {
            step,
            action,
            label,
            role,
            ring,
            secret_characters,
            ..
        } = what
        else {
            return;
        };
        if let Some(past) = self.all.last_mut().filter(|past| past.sent.is_none()) {
            past.sent = Some(SentAction {
                step: *step,
                action: action.clone(),
                label: label.clone(),
                role: *role,
                ring: *ring,
                is_secret: secret_characters.is_some(),
                outcome: None,
            });
        }
    }

    fn asked(&mut self, id: &AskId) -> Option<&mut RecordedQuestion> {
        let asked = self.all.iter_mut().rev().flat_map(|past| &mut past.asked);
        asked.into_iter().find(|one| one.ask.id == *id)
    }
}
