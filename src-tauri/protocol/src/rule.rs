//! What the person decided once for more than one action.

use crate::Millis;
use crate::ask::AskKind;
use crate::id::PhoneId;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The person's own rules. The judge goes through them in this order, after the hard rules: what is never done, what is
/// always asked (with the switches of [`AskBefore`](crate::AskBefore)), what is allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct Rules {
    /// Never done, and not asked about either.
    pub never: Vec<Rule>,
    /// Asked every time, whatever the switches and the level say.
    pub ask: Vec<Rule>,
    /// Done without asking, where nothing above asks. Never payments, codes, passwords, commands or scripts.
    pub allowed: Vec<Rule>,
}

/// One decision: a kind of action, in an app, on a phone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// Which kind; [`AskKind::Act`] is whatever changes something.
    pub kind: AskKind,
    /// Package of the app; absent: every app. A rule that allows always names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub app: Option<String>,
    /// That app's name as a person knows it.
    #[serde(default)]
    pub app_label: String,
    /// On which phone; absent: on every phone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub phone: Option<PhoneId>,
    /// When it was decided.
    #[serde(default)]
    pub since: Millis,
}

/// How far a Yes reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// This action.
    Once,
    /// This kind of action in this app, until the task is over.
    Task,
    /// This kind of action in this app on this phone, until it is taken back in Settings.
    Always,
}
