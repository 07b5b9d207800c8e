//! What the run needs from outside. The rooms above implement these; the tests here fake them.
//!
//! Nothing in this room opens a socket, a file, a process or a clock: it calls these traits.

mod credentials;
mod guard;
mod journal;
mod model;
mod phone;
mod replayer;
mod reply;
mod scripts;

pub use credentials::{Credentials, NoCredentials};
pub use guard::{Guard, NoGuard};
pub use journal::{Clock, Journal, KeptScreen};
pub use model::{Model, ModelCapabilities, Retrying};
pub use phone::{
    App, Effect, Phone, PhoneError, PickedFile, PictureSource, RawObservation, RawTree, ScreenMark, TreeMark,
};
pub use replayer::{
    Heal, LastActResult, NotRepeatable, ReplayStep, ReplayView, Replayer, SharedReplayer, StepRecorder,
    WhyAi, certificate, never_sent,
};
pub use reply::Reply;
pub use scripts::{Hide, Job, Objection, Printed, ScriptEnd, Scripts};
