//! What the person decided once for more than one action.

use crate::ask_kind::AskKind;
use crate::id::PhoneId;
use crate::screen::Role;
use crate::time::Millis;
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
    /// Done without asking, where nothing above asks, on the one element each names. Never payments, codes, passwords,
    /// permissions, installs, commands or scripts.
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
    /// The one thing it is about. A rule that allows always names one; an older one that names none allows nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub element: Option<ElementBinding>,
}

/// One element of one page of one app, as it is found again: everything in it must be the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct ElementBinding {
    /// Who signed the app, SHA-256 in hex: another signer is another app.
    pub signer: String,
    /// The app's version (`versionCode`): with an update it is another element. Empty in what was kept before versions were,
    /// which answers nothing.
    #[serde(default)]
    pub version: String,
    /// Its page, by what stands on it and does not change.
    pub page: String,
    /// Android's resource id, empty where there is none.
    #[serde(default)]
    pub resource_id: String,
    /// What it is.
    pub role: Role,
    /// What stands on it, digits left out.
    pub label: String,
    /// When it last answered a question; unused for 30 days it answers none.
    #[serde(default)]
    pub used: Millis,
}

/// One deed the person said Yes to before the task began. Never about money, codes, passwords, permissions or installs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Mandate {
    /// What is done: [`AskKind::Send`] or [`AskKind::Delete`].
    pub kind: AskKind,
    /// Package of the app it is done in.
    pub app: String,
    /// That app's name as a person knows it.
    #[serde(default)]
    pub app_label: String,
    /// To whom, as the phone writes it; absent for what goes to nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub recipient: Option<String>,
    /// The message word for word, or what the thing is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub text: Option<String>,
    /// How many times it may still be done, or how many things at once.
    pub count: u32,
}

/// What the person said before, and what answered a question now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum StandingAnswer {
    /// They always allow this one thing.
    Rule {
        /// The standing rule that allows it.
        rule: Rule,
    },
    /// The task itself names it, and they said Yes to that before it began.
    Mandate {
        /// What was done, with as much of it as is left.
        deed: Mandate,
    },
}

/// How far a Yes reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum AnswerLifetime {
    /// This action.
    Once,
    /// This kind of action in this app, until the task is over.
    Task,
    /// This one thing in this app on this phone, until it is taken back in Settings.
    Always,
}
