//! A run and the parts it owns, each with a state of its own.

use super::budget::Budget;
use super::conversation::Conversation;
use super::handle::{EventListener, Message, Ports, Task};
use super::inbox::Inbox;
use super::matching_credentials::MatchingCredentials;
use super::observation_cache::ObservationCache;
use super::permissions::Permissions;
use super::playback::Playback;
use super::questions::Questions;
use super::read_texts::ReadTexts;
use super::record::Recorder;
use super::repeats::Repeats;
use super::timeline::Timeline;
use super::torn_read::TornReadCheck;
use super::unconfirmed_actions::UnconfirmedActions;
use crate::guard::Opinions;
use crate::lease::{Grip, Lease};
use crate::plan::FollowUp;
use crate::secrets::Secrets;
use crate::timing::StepTiming;
use tokio::sync::{broadcast, mpsc};

/// One run. What it does is in the files beside this one, each an `impl` of one matter; what it knows is in its parts.
pub(super) struct Run {
    pub(super) task: Task,
    pub(super) ports: Ports,
    pub(super) lease: Lease,
    pub(super) grip: Grip,
    pub(super) inbox: Inbox,
    pub(super) recorder: Recorder,
    pub(super) budget: Budget,
    pub(super) conversation: Conversation,
    pub(super) permissions: Permissions,
    /// What may have been done already, before this run.
    pub(super) unconfirmed: UnconfirmedActions,
    pub(super) questions: Questions,
    pub(super) observation_cache: ObservationCache,
    pub(super) torn_read: TornReadCheck,
    pub(super) repeats: Repeats,
    /// The recorded run that is repeated, as long as it is.
    pub(super) replay: Option<Playback>,
    pub(super) timeline: Timeline,
    /// Who listens to where the time goes.
    pub(super) timings: broadcast::Sender<StepTiming>,
    pub(super) secrets: Secrets,
    /// Saved passwords the model hears of.
    pub(super) matching_credentials: MatchingCredentials,
    /// Texts read on the phone: no link carries them away.
    pub(super) read: ReadTexts,
    /// Texts written on the phone that were not read there before: the run may take them back.
    pub(super) written: ReadTexts,
    /// What somebody else thinks of the pages seen.
    pub(super) opinions: Opinions,
    /// What the last action has still to do.
    pub(super) follow: Option<Box<FollowUp>>,
    /// The last action was a scroll that found the end of its list.
    pub(super) at_end: bool,
    /// Something may still be running on the phone.
    pub(super) maybe_running: bool,
}

impl Run {
    /// A run that has not begun; it has the phone from now on.
    pub(super) fn new(
        task: Task,
        ports: Ports,
        lease: &Lease,
        inbox: mpsc::UnboundedReceiver<Message>,
        tell: EventListener,
        timings: broadcast::Sender<StepTiming>,
    ) -> Self {
        let prior = task.earlier.as_ref();
        let mut conversation = prior.map_or_else(Conversation::default, Conversation::going_on);
        conversation.keep_notes(crate::notes::told(&task.settings.notes, &task.phone));
        let unconfirmed =
            UnconfirmedActions::new(prior.map(|prior| prior.unconfirmed.clone()).unwrap_or_default());
        Self {
            lease: lease.clone(),
            grip: lease.take(),
            inbox: Inbox::new(inbox),
            recorder: Recorder::new(&task, &ports, tell),
            budget: Budget::new(task.settings.limits),
            conversation,
            permissions: Permissions::default(),
            unconfirmed,
            questions: Questions::of(task.run.clone()),
            observation_cache: ObservationCache::new(ports.phone.tree_takes()),
            torn_read: TornReadCheck::default(),
            repeats: Repeats::default(),
            replay: ports.replayer.clone().map(Playback::new),
            timeline: Timeline::new(),
            timings,
            secrets: Secrets::default(),
            matching_credentials: MatchingCredentials::default(),
            read: ReadTexts::default(),
            written: ReadTexts::default(),
            opinions: Opinions::new(ports.model.guard()),
            follow: None,
            at_end: false,
            maybe_running: false,
            task,
            ports,
        }
    }
}
