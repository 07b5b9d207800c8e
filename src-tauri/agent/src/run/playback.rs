//! The recorded run that is repeated, and what came of the act it answered last: read off what the run tells. What is not told
//! for certain is unknown, and nothing unknown is repeated.

use crate::ports::{LastActResult, ReplayStep, ReplayView, SharedReplayer, never_sent};
use protocol::{Act, Action, AskOutcome, Bounds, FrameId, Millis, RefusalCode, RefusedBy, Screen, What};
use std::collections::BTreeMap;
use std::sync::PoisonError;
use std::time::Duration;
use tokio::time::Instant;

/// How often the AI may look, wait or be misunderstood before its one step counts as not done.
const TRIES: u32 = 5;

/// A recorded run on its way.
pub(super) struct Playback {
    replayer: SharedReplayer,
    began: Instant,
    at_hand: Option<AtHand>,
    /// Who signed the apps seen so far.
    pub(super) signers: BTreeMap<String, Option<String>>,
}

/// The act that was answered last.
struct AtHand {
    came: ActProgress,
    /// A part of it was done.
    is_begun: bool,
    /// It asks the person, and nothing else: their Yes is the whole of it.
    asks: bool,
    /// The AI does it.
    ai: Option<AiStep>,
}

/// What came of it so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ActProgress {
    Nothing,
    /// It is promised, and not yet told of.
    Promised,
    Done,
    NotDone,
    Refused,
    Unknown,
}

/// One step of the AI's.
#[derive(Default)]
struct AiStep {
    tries: u32,
    said: Option<Action>,
    /// What was sent, on which screen, and what it touched.
    acted: Option<(Screen, Action, Option<Bounds>)>,
}

impl Playback {
    pub(super) fn new(replayer: SharedReplayer) -> Self {
        Self {
            replayer,
            began: Instant::now(),
            at_hand: None,
            signers: BTreeMap::new(),
        }
    }

    /// What is to be done on this screen.
    pub(super) fn next(&mut self, screen: &Screen, signer: Option<&str>) -> ReplayStep {
        let at = self.now();
        let mut replayer = self.replayer.lock().unwrap_or_else(PoisonError::into_inner);
        let last = self.at_hand.as_ref().map_or(LastActResult::Nothing, AtHand::last);
        let ai = self.at_hand.take().and_then(|at_hand| at_hand.ai);
        if let Some(AiStep {
            said: Some(said),
            acted: Some((on, sent, ring)),
            ..
        }) = ai
            && last == LastActResult::Done
        {
            let signer = self.signers.get(&on.current_app).cloned().flatten();
            let seen = ReplayView {
                screen: &on,
                signer: signer.as_deref(),
                at,
            };
            replayer.ai_did(&seen, &said, &sent, ring);
        }
        let next = replayer.next(&ReplayView { screen, signer, at }, last);
        self.at_hand = match &next {
            ReplayStep::Act { action, .. } => Some(AtHand::of(action)),
            ReplayStep::Heal(heal) => Some(AtHand::of(&heal.action)),
            ReplayStep::AskAi { .. } => Some(AtHand::by_ai()),
            _ => None,
        };
        next
    }

    /// The person lets go on what is another.
    pub(super) fn accept(&mut self, shown: Option<FrameId>) {
        let mut replayer = self.replayer.lock().unwrap_or_else(PoisonError::into_inner);
        replayer.accept(shown);
    }

    /// The AI is to do this step, and did not do it yet: it is asked, or asked again.
    pub(super) fn is_with_ai(&mut self) -> bool {
        let Some(at_hand) = &mut self.at_hand else {
            return false;
        };
        let is_open = matches!(at_hand.came, ActProgress::Nothing | ActProgress::NotDone);
        let Some(ai) = at_hand.ai.as_mut().filter(|ai| is_open && ai.tries < TRIES) else {
            return false;
        };
        ai.tries += 1;
        at_hand.came = ActProgress::Nothing;
        true
    }

    /// The act at hand is about to be sent.
    pub(super) fn acts_on(&mut self, shown: &Screen, action: &Action, ring: Option<Bounds>) {
        if let Some(ai) = self.at_hand.as_mut().and_then(|at_hand| at_hand.ai.as_mut()) {
            // What follows from one action is told with its first touch.
            ai.acted
                .get_or_insert_with(|| (shown.clone(), action.clone(), ring));
        }
    }

    /// The rest of what was begun will not be done.
    pub(super) fn was_broken_off(&mut self) {
        if let Some(at_hand) = &mut self.at_hand {
            at_hand.came = ActProgress::Unknown;
        }
    }

    pub(super) fn hear(&mut self, what: &What) {
        if let Some(at_hand) = &mut self.at_hand {
            at_hand.hear(what);
        }
    }

    /// How long it is until then, by the recording's clock; none where it is over.
    pub(super) fn left(&self, until: Millis) -> Option<Duration> {
        let left = until.saturating_sub(self.now());
        (left > 0).then(|| Duration::from_millis(left))
    }

    fn now(&self) -> Millis {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl AtHand {
    fn of(action: &Action) -> Self {
        Self {
            came: ActProgress::Nothing,
            is_begun: false,
            asks: matches!(action.act, Act::RequestHumanAuth { .. }),
            ai: None,
        }
    }

    fn by_ai() -> Self {
        Self {
            came: ActProgress::Nothing,
            is_begun: false,
            asks: false,
            ai: Some(AiStep::default()),
        }
    }

    fn last(&self) -> LastActResult {
        match self.came {
            ActProgress::Done => LastActResult::Done,
            // It was withdrawn before it was promised.
            ActProgress::Nothing | ActProgress::NotDone => LastActResult::NotDone,
            ActProgress::Refused => LastActResult::Refused,
            ActProgress::Promised | ActProgress::Unknown => LastActResult::Unknown,
        }
    }

    fn hear(&mut self, what: &What) {
        let came = match what {
            What::Decided { action, .. } => {
                self.asks = matches!(action.act, Act::RequestHumanAuth { .. });
                if let Some(ai) = &mut self.ai {
                    (ai.said, ai.acted) = (Some(action.clone()), None);
                }
                return;
            }
            What::Acting { .. } if self.came == ActProgress::Refused => return,
            What::Acting { .. } => ActProgress::Promised,
            What::Acted { .. } if self.is_idle() => ActProgress::Nothing,
            What::Acted { outcome, .. } if outcome.ok => {
                self.is_begun = true;
                // The phone's own dialog was told No.
                if self.came == ActProgress::Refused {
                    ActProgress::Refused
                } else {
                    ActProgress::Done
                }
            }
            What::Acted { outcome, .. } if never_sent(outcome) => ActProgress::NotDone,
            What::Acted { .. } => ActProgress::Unknown,
            What::Voided { .. } => ActProgress::NotDone,
            // The AI reads why, and may do it in another way.
            What::Refused { code, .. }
                if *code == RefusedBy::Code(RefusalCode::ScreenChanged) || self.ai.is_some() =>
            {
                ActProgress::NotDone
            }
            What::Refused { .. } => ActProgress::Refused,
            What::Answered { outcome, .. } => match outcome {
                AskOutcome::Denied => ActProgress::Refused,
                AskOutcome::Allowed if self.asks && self.came == ActProgress::Nothing => ActProgress::Done,
                _ => return,
            },
            // Their hand may have done it.
            What::TakenOver if self.came != ActProgress::Done => ActProgress::Unknown,
            _ => return,
        };
        let is_half = self.is_begun && matches!(came, ActProgress::NotDone | ActProgress::Refused);
        self.came = match self.came {
            ActProgress::Unknown => ActProgress::Unknown,
            ActProgress::Done if is_half => ActProgress::Unknown,
            ActProgress::Promised if is_half => ActProgress::Unknown,
            _ => came,
        };
    }

    /// The AI looked, waited or pointed: that is no step of a recording.
    fn is_idle(&self) -> bool {
        let said = self.ai.as_ref().and_then(|ai| ai.said.as_ref());
        said.is_some_and(|said| {
            matches!(
                said.act,
                Act::Wait { .. } | Act::Capture { .. } | Act::ListApps | Act::Hover { .. }
            )
        })
    }
}
