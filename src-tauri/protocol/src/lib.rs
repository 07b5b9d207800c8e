//! The words every room speaks.
//!
//! Plain data with public fields: actions, screens, events, asks, answers, settings, failures.
//! Nothing here opens, waits or decides; serde and ts-rs derives, and the words of a set, are nearly all the code
//! there is.
//! Absent on purpose: sentences for people (they live in `ui/words/`), pixels' meaning (room `screen`),
//! the reading of a model's reply (room `dialect`).
//!
//! The TypeScript side of these words is `ui/src/protocol.ts`, written by `cargo test -p protocol` and
//! proved fresh by the same command.
//!
//! Start reading at [`action::Action`], then [`event::Event`], then [`ask::Ask`].

mod act_method;
pub mod action;
pub mod ask;
pub mod ask_kind;
pub mod automation;
pub mod change;
pub mod clip;
pub mod credential;
pub mod doctor;
pub mod ending;
pub mod event;
pub mod failure;
pub mod file;
pub mod history;
pub mod id;
mod limit_kind;
mod locator_strategy;
pub mod maker;
pub mod news;
pub mod number;
pub mod op;
pub mod opening;
pub mod outcome_code;
pub mod phone;
pub mod refusal_code;
mod refused_by;
pub mod replayed;
pub mod rule;
pub mod rule_name;
pub mod screen;
pub mod settings;
pub mod space;
mod step;
mod time;
mod warning_code;
pub mod wireless;
mod word_set;

pub use act_method::ActMethod;
pub use action::{Act, Action, Capability, CaptureMode, Direction, Target};
pub use ask::{
    Allows, Amount, Answer, Ask, AskEnd, AskOutcome, AskReason, AskRecord, Choice, Claim, Evidence, LastTime,
    OpenAsks,
};
pub use ask_kind::AskKind;
pub use automation::{
    Attention, Automation, AutomationCard, AutomationHold, AutomationPhones, AutomationPlan,
    AutomationProposal, AutomationRun, ClockTime, MissedRun, Nth, Occurrence, OccurrenceState, PlanFault,
    Schedule, SkipReason, StartedBy, Trigger, Variable, VariableKind, WaitReason, Weekday,
};
pub use change::{AskSwitch, Loosening, SettingsChange};
pub use clip::{ClipSound, ClipState, NoSound, SoundStart};
pub use credential::{Credential, CredentialKind, CredentialPlace, CredentialWish, InstalledApp};
pub use doctor::{Advice, Check, Examining, Finding, Verdict};
pub use ending::{Ending, RunEndKind};
pub use event::{Event, Outcome, PauseReason, Stream, Usage, What};
pub use failure::{Failure, FailureCode};
pub use file::{Dropped, DroppedFile, FileKind};
pub use history::{
    EraseAlso, ExportForm, HistoryPage, HistoryPhone, HistoryQuery, PastRun, RunStory, SpaceUsed,
};
pub use id::{AskId, AutomationId, FrameId, PhoneId, RunId};
pub use limit_kind::LimitKind;
pub use locator_strategy::LocatorStrategy;
pub use maker::{
    Acting, ChosenModel, Maker, MakerCard, NearbyServer, OfferedModel, PointingTest, Price, SpendingState,
    TrainedWords, Tried, WireShape,
};
pub use news::News;
pub use op::{Hand, Key, Op, Phase};
pub use opening::{Opening, Remedy};
pub use outcome_code::OutcomeCode;
pub use phone::{Battery, Connection, Phone, PhoneState, Server, Transport};
pub use refusal_code::RefusalCode;
pub use refused_by::RefusedBy;
pub use replayed::{Divergence, ReplayedBy};
pub use rule::{AnswerLifetime, ElementBinding, Mandate, Rule, Rules, StandingAnswer};
pub use rule_name::RuleName;
pub use screen::{
    Bounds, CaptureResult, Element, ElementState, Frame, Place, Role, Screen, ScreenSnapshot, Totals,
};
pub use settings::{
    AskBefore, Closing, KeepSettings, KeyStatus, Language, Level, Limits, Note, NoteAbout, NoticeSettings,
    PhoneLabel, Provider, ScriptSettings, Settings, SettingsPatch, WhenClosed,
};
pub use space::Space;
pub use step::{ModelStepOutput, Sensitivity, Unclear, UnclearCode, Warning};
pub use time::Millis;
pub use warning_code::WarningCode;
pub use wireless::{AdbProgram, Fetching, MirrorServer, Nearby, Pairing, PairingOffer, WirelessPhone};
pub use word_set::MaybeKnown;
