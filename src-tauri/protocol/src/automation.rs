//! Automations: tasks that are kept, when each begins, and what became of each time it was due.

use crate::ending::{Ending, RunEndKind};
use crate::failure::FailureCode;
use crate::id::{AutomationId, PhoneId, RunId};
use crate::time::Millis;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A task that is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Automation {
    /// Its id.
    pub id: AutomationId,
    /// When it was made.
    pub made_at: Millis,
    /// What the person says of it.
    #[serde(flatten)]
    pub plan: AutomationPlan,
    /// It does not begin by itself until the person says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub held: Option<AutomationHold>,
    /// Replays in a row that ended well without the AI, counted up to three; from then on it may run quietly.
    #[serde(default)]
    pub clean_replays: u32,
    /// The person lets it run quietly: possible once three replays in a row were clean, and over with one that was not.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub quiet: bool,
}

/// What a person says of an automation: all that is edited, imported and exported. Nothing in it can hold a secret:
/// what is to be secret is a variable of kind [`VariableKind::Secret`], which has no value here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct AutomationPlan {
    /// What it is called; unique, up to 80 characters.
    pub name: String,
    /// The task in the person's words, a variable as `{name}`: `Text {who} that I am late`.
    pub task: String,
    /// What stands for the names in braces, in the order of the task.
    #[serde(default)]
    pub variables: Vec<Variable>,
    /// Where it runs.
    pub phones: AutomationPhones,
    /// By itself at these times; absent where only the person begins it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub schedule: Option<Schedule>,
    /// By itself when this happens on a phone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub trigger: Option<Trigger>,
    /// What becomes of a time the computer slept through.
    #[serde(default)]
    pub missed: MissedRun,
    /// The run whose steps are repeated without the AI; absent where the AI does it anew each time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub recorded: Option<RunId>,
}

/// A name in braces of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Variable {
    /// Letters, digits and `_`, as in the task.
    pub name: String,
    /// What it holds.
    #[serde(default)]
    pub kind: VariableKind,
    /// What stands for it where nobody says another; empty where it has to be asked for. Always empty for a secret.
    #[serde(default)]
    pub value: String,
    /// The person is asked for it before each run they begin by hand.
    #[serde(default)]
    pub ask: bool,
}

/// What a variable holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum VariableKind {
    /// A text of any words.
    #[default]
    Text,
    /// A number.
    Number,
    /// A code or a password: never kept; the phone's own question asks for it, or a saved password is used.
    Secret,
}

/// The phones an automation runs on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "on", rename_all = "snake_case")]
pub enum AutomationPhones {
    /// Every phone that is connected then.
    All,
    /// The phones that are named.
    These {
        /// In the person's order; not empty.
        phones: Vec<PhoneId>,
    },
}

/// When an automation begins by itself. Times are those of the computer's own clock and zone: a time that is skipped when the
/// clocks go forward is the next minute there is, one that comes twice is used once, the first time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "every", rename_all = "snake_case")]
pub enum Schedule {
    /// One time, and no other.
    Once {
        /// `2026-12-24`.
        date: String,
        /// The time of day it begins at.
        at: ClockTime,
    },
    /// On these days of each week.
    Week {
        /// At least one; all seven are every day.
        days: Vec<Weekday>,
        /// The time of day it begins at.
        at: ClockTime,
    },
    /// On a day of each month.
    Month {
        /// 1…31; the month's last where it has no such day.
        day: u8,
        /// The time of day it begins at.
        at: ClockTime,
    },
    /// On a weekday of each month: the first Sunday.
    MonthWeekday {
        /// Which of them.
        which: Nth,
        /// Which weekday.
        day: Weekday,
        /// The time of day it begins at.
        at: ClockTime,
    },
    /// Again after so many hours, from midnight on.
    Hours {
        /// 1, 2, 3, 4, 6, 8 or 12.
        hours: u8,
    },
}

/// A time of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
pub struct ClockTime {
    /// 0…23.
    pub hour: u8,
    /// 0…59.
    pub minute: u8,
}

/// A day of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the days' own names")]
pub enum Weekday {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

/// Which one of a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "their own names")]
pub enum Nth {
    First,
    Second,
    Third,
    Fourth,
    Last,
}

/// What on a phone begins an automation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "when", rename_all = "snake_case")]
pub enum Trigger {
    /// The phone is connected and ready.
    Connected,
    /// A notification of this app whose title or text holds these words.
    Notification {
        /// The app's package.
        app: String,
        /// The app's name, as the person knows it.
        label: String,
        /// In any case; empty for every notification of the app.
        words: String,
    },
}

/// What becomes of a time that was slept through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum MissedRun {
    /// It is done late, once, whatever the number of times that were missed.
    #[default]
    Late,
    /// It is left out.
    Skip,
}

/// Why an automation does not begin by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum AutomationHold {
    /// The person switched it off.
    Person,
    /// It failed three times in a row.
    Failures,
    /// It was imported, and not yet begun once by hand.
    Imported,
}

/// What began a run of an automation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum StartedBy {
    /// The person, in the window or in `deck`.
    Person,
    /// Its schedule.
    Schedule,
    /// Its trigger.
    Trigger,
}

/// Of which automation a run is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct AutomationRun {
    /// The id of the automation it was of.
    pub id: AutomationId,
    /// What it was called then.
    pub name: String,
    /// What began it.
    pub by: StartedBy,
    /// It repeats a recorded run without the AI.
    #[serde(default)]
    pub replay: bool,
    /// How much of the person's attention it wants.
    #[serde(default, skip_serializing_if = "is_usual")]
    #[ts(as = "Option<Attention>", optional)]
    pub attention: Attention,
}

/// How much of the person's attention a run of an automation wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum Attention {
    /// As any task.
    #[default]
    Usual,
    /// Nobody saw these steps repeated yet: the person is asked to watch.
    Watched,
    /// Told only where it fails or asks.
    Quiet,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape serde asks for")]
fn is_usual(attention: &Attention) -> bool {
    *attention == Attention::Usual
}

/// One time that an automation was due on one phone. Written down before the phone is touched, and never begun twice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Occurrence {
    /// Of which automation.
    pub automation: AutomationId,
    /// On which phone.
    pub phone: PhoneId,
    /// What the phone was called then.
    pub phone_name: String,
    /// When it was due; with the automation and the phone its identity.
    pub due: Millis,
    /// What began it.
    pub by: StartedBy,
    /// How far it is.
    pub state: OccurrenceState,
    /// When that was last so.
    pub at: Millis,
}

/// How far one time is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "state", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum OccurrenceState {
    /// It waits for the phone: another task, or what is missing.
    Waiting {
        /// What it waits for.
        because: WaitReason,
    },
    /// It runs.
    Running {
        /// Which run.
        run: RunId,
    },
    /// Its run is over.
    Ended {
        /// Which run.
        run: RunId,
        /// How, by its code.
        end: RunEndKind,
        /// How, in full, where this version can read it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        ending: Option<Ending>,
        /// Milliseconds it took.
        took: Millis,
    },
    /// It was not done.
    Skipped {
        /// Why it was left out.
        because: SkipReason,
        /// What was in the way, where it has a sentence.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        failure: Option<FailureCode>,
    },
}

/// What an automation waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum WaitReason {
    /// Another task has the phone.
    Busy,
    /// The phone is not connected.
    Missing,
    /// The phone is locked.
    Locked,
    /// Its battery is nearly empty, and it is not charged.
    LowBattery,
}

/// Why one time was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// The computer was asleep or the program closed, and so it was chosen.
    Asleep,
    /// The phone did not come in time.
    PhoneMissing,
    /// The phone stayed locked.
    PhoneLocked,
    /// Its battery stayed nearly empty.
    LowBattery,
    /// The same automation still waited or ran there.
    StillRunning,
    /// The program ended after this was written down and before its run began: nobody knows how far it came.
    Interrupted,
    /// It could not begin.
    CouldNotBegin,
}

/// An automation as its page shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct AutomationCard {
    /// The automation.
    pub automation: Automation,
    /// When it begins by itself next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub next: Option<Millis>,
    /// The newest time on each of its phones, newest first.
    pub latest: Vec<Occurrence>,
}

/// What an automation may be made of: a task that was done, with names in the place of the words that may be other ones next
/// time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
pub struct AutomationProposal {
    /// The task, a variable as `{name}`.
    pub task: String,
    /// What stood for the names.
    pub variables: Vec<Variable>,
}

/// Why a plan cannot be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum PlanFault {
    /// It has no name, or one of more than 80 characters.
    Name,
    /// Another has this name.
    NameTaken,
    /// It has no task.
    Task,
    /// A name in braces of the task stands in no variable, or a variable in no brace, or one twice.
    Variables,
    /// A secret has a value.
    SecretValue,
    /// No phone was chosen.
    Phones,
    /// The schedule has no day, or a date, an hour or a number that does not exist.
    Schedule,
    /// It begins by itself, and a variable has no value.
    ValueMissing,
}
