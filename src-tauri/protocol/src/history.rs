//! Runs of the past: what is looked for among them, what is found, and what is kept of them.

use crate::ending::{Ending, RunEndKind};
use crate::event::Event;
use crate::id::{PhoneId, RunId};
use crate::time::Millis;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What is looked for. Absent fields leave nothing out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct HistoryQuery {
    /// Words of the task, its apps, its phone's name or the AI's answer; every one of them must be there, the last may be the
    /// beginning of a word.
    pub text: String,
    /// Runs on this phone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub phone: Option<PhoneId>,
    /// Runs that ended so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub end: Option<RunEndKind>,
    /// Runs that began at this moment or later.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub from: Option<Millis>,
    /// Runs that began before this moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub until: Option<Millis>,
    /// Runs that began before this one: the last of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub before: Option<RunId>,
    /// Runs on a page, 1…500; 50 where nobody says.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub limit: Option<u32>,
}

/// One run, in short.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct PastRun {
    /// Which run.
    pub run: RunId,
    /// On which phone.
    pub phone: PhoneId,
    /// What the phone was called then; empty where an earlier version did not write it down.
    pub phone_name: String,
    /// The person's words.
    pub goal: String,
    /// The model's name.
    pub model: String,
    /// The built-in demo AI.
    pub demo_ai: bool,
    /// When it began.
    pub started_at: Millis,
    /// When it ended; absent while it goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ended_at: Option<Millis>,
    /// How it ended, by its code.
    pub end: RunEndKind,
    /// How it ended, in full; absent while it goes on, and where this version cannot read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ending: Option<Ending>,
    /// How many steps it took.
    pub steps: u32,
}

/// A phone that has runs of the past.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
pub struct HistoryPhone {
    /// The phone.
    pub id: PhoneId,
    /// What it was called last; empty where nobody wrote it down.
    pub name: String,
}

/// A page of runs, newest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
pub struct HistoryPage {
    /// At most as many as were asked for.
    pub runs: Vec<PastRun>,
    /// There are older ones.
    pub more: bool,
    /// Every phone that has runs, whatever was looked for, by the newest run.
    pub phones: Vec<HistoryPhone>,
}

/// One run with everything that happened in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
pub struct RunStory {
    /// In short.
    pub run: PastRun,
    /// In order.
    pub events: Vec<Event>,
}

/// The room that runs of the past take on this computer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
pub struct SpaceUsed {
    /// How many runs there are.
    pub runs: u64,
    /// Their pictures.
    pub pictures: u64,
    /// Bytes on the disk: the database with its log, and the folders of scripts.
    pub bytes: u64,
}

/// What goes with *Erase tasks and automations* beside these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(default)]
pub struct EraseAlso {
    /// Keys of AI providers, out of the keychain.
    pub keys: bool,
    /// Saved passwords, out of the keychain.
    pub passwords: bool,
}

/// What is written of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum ExportForm {
    /// A page to read, with its pictures.
    Page,
    /// One JSON line a step, with its pictures, to train a model with.
    Training,
}
