//! One run: one task on one phone, from the first look to the end.
//!
//! A single task owns all of a run's state and does everything in order. It is spoken to through one inbox (what the
//! person wants, answers, supplied secrets) and speaks through one list of events. Every wait is raced against the
//! inbox. Stop, Pause and Take over reach the phone before they reach the run: [`Handle`] revokes the lease first.

mod ahead;
mod allow;
mod auth;
mod biometric;
mod budget;
mod circuit_breaker;
mod clipboard;
mod comment;
mod computer_script;
mod conversation;
mod deliver;
mod effect;
mod execute;
mod follow;
mod halt;
mod handle;
mod hear;
mod inbox;
mod likeness;
mod limits;
mod live;
mod loading;
mod look;
mod mandate;
mod matching_credentials;
mod media_import;
mod observation;
mod observation_cache;
mod outcome;
mod permissions;
mod phone_error;
mod playback;
mod question;
mod questions;
mod read_texts;
mod record;
mod remember;
mod repeats;
mod replay;
mod rest;
mod saved;
mod scroll;
mod second_opinion;
mod side_request;
mod standing_answers;
mod state;
mod step;
mod still;
mod subject;
mod think;
mod timeline;
mod torn_read;
mod unconfirmed_actions;
mod unlock;
mod wait;

use crate::lease::Lease;
pub use handle::{EventListener, Handle, Ports, Task};
pub use inbox::STOP_BOUND;
pub use phone_error::{code_of_state, failure_of, is_unusable, waits_for_phone};
use state::Run;
use tokio::sync::{broadcast, mpsc, watch};

/// Steps whose timing is kept for whoever listens.
const TIMINGS: usize = 64;

/// Makes a run. Spawn the future; the handle speaks to it.
pub fn start(
    task: Task,
    ports: Ports,
    lease: &Lease,
    tell: EventListener,
) -> (Handle, impl Future<Output = ()> + Send + use<>) {
    let (sender, inbox) = mpsc::unbounded_channel();
    let (over_sender, over) = watch::channel(false);
    let (written_sender, written) = watch::channel(false);
    let (timings, _) = broadcast::channel(TIMINGS);
    let handle = Handle {
        run: task.run.clone(),
        phone: task.phone.clone(),
        lease: lease.clone(),
        inbox: sender,
        over,
        written,
        timings: timings.clone(),
    };
    let run = Run::new(task, ports, lease, inbox, tell, timings);
    (handle, async move {
        let recorder = run.live().await;
        over_sender.send_replace(true);
        recorder.finish().await;
        written_sender.send_replace(true);
    })
}
