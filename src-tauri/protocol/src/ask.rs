//! Questions to the person, and answers.

use crate::action::{Action, Capability};
use crate::ask_kind::AskKind;
use crate::change::SettingsChange;
use crate::id::{AskId, FrameId, PhoneId, RunId};
use crate::rule::{AnswerLifetime, ElementBinding, Mandate};
use crate::rule_name::RuleName;
use crate::screen::Bounds;
use crate::time::Millis;
use crate::word_set::MaybeKnown;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One question. Registered before it is announced; ends in exactly one [`AskOutcome`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Ask {
    /// Answers name it; an answer to any other id is ignored.
    pub id: AskId,
    /// The run that waits.
    pub run: RunId,
    /// The phone it is about.
    pub phone: PhoneId,
    /// That phone's name.
    pub phone_name: String,
    /// The person's own words for the task.
    pub goal: String,
    /// What it is about: it chooses the wording.
    pub kind: AskKind,
    /// Who asks, and why.
    pub reason: AskReason,
    /// Package of the app in front.
    pub app: String,
    /// That app's name as a person knows it.
    pub app_label: String,
    /// What is done on a Yes; absent when the model only asked for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub action: Option<Action>,
    /// What we saw ourselves.
    pub evidence: Evidence,
    /// What the model says.
    pub claim: Claim,
    /// The one thing it is about, as it is found again; absent where nothing may ever be bound to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub element: Option<ElementBinding>,
    /// The answers that will be taken, in the order to show them.
    pub choices: Vec<Choice>,
    /// Binds an answer to this very action on this very screen: answers must carry it.
    pub digest: String,
    /// When it was asked.
    pub asked_at: Millis,
    /// When it is answered No by itself.
    pub deadline: Millis,
}

/// Who asks, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case", tag = "by")]
pub enum AskReason {
    /// We do: a rule matched what we see.
    Rule {
        /// The name of the rule.
        #[ts(as = "RuleName")]
        rule: MaybeKnown<RuleName>,
    },
    /// The model does.
    Model {
        /// The capability it named.
        capability: Capability,
    },
    /// The person's own task names what is to be done.
    Task {
        /// What it names.
        deeds: Vec<Mandate>,
    },
}

/// What we saw ourselves, apart from anything the model says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// Our own full-size screenshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub frame: Option<FrameId>,
    /// The picture of the time that is repeated, where what the person said Yes to then is another now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub recorded: Option<FrameId>,
    /// Its size in pixels.
    pub width: u32,
    /// Its size in pixels.
    pub height: u32,
    /// The element that would be touched, to be ringed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ring: Option<Bounds>,
    /// What stands on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub label: Option<String>,
    /// The amount read from the phone's accessibility text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub amount: Option<Amount>,
    /// Every amount on the screen that could be meant, where that is not certain; not empty means: the person picks one with
    /// their Yes, or takes over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_amounts: Vec<Amount>,
    /// To whom, as read from the screen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub payee: Option<String>,
    /// From which card or account, as read from the screen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub account: Option<String>,
    /// To whom a message goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub recipient: Option<String>,
    /// The message, command or script, word for word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub text: Option<String>,
    /// A sentence from the screen that says where the code went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hint: Option<String>,
    /// How far Android's own dialog would go with a Yes: what the button says that is pressed for the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub allows: Option<Allows>,
    /// How many characters the code has, where the screen says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub code_length: Option<u8>,
    /// The last time the person approved the same kind in the same app.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub last_time: Option<LastTime>,
    /// The task was broken off in the middle of this, or of one like it: it may be done already.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub maybe_done: bool,
}

/// How long a permission holds that Android's own dialog gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum Allows {
    /// Only this time.
    Once,
    /// While the app is used.
    InUse,
    /// Until it is taken back on the phone.
    Always,
}

/// Money, as the phone writes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Amount {
    /// Letter for letter, for example `$23.40`, `1.234,50 €`.
    pub text: String,
    /// Hundredths of the unit, to compare; absent when the text allows two readings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub minor: Option<i64>,
    /// `$`, `€`, `USD`, … as written.
    pub currency: String,
}

/// An earlier approval to compare with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct LastTime {
    /// What it was.
    pub amount: String,
    /// When it was approved.
    pub at: Millis,
}

/// What the model says: shown as its words, never as fact.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Claim {
    /// Its words.
    pub says: String,
    /// The amount in its words, when there is exactly one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub amount: Option<Amount>,
}

/// An answer that may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// No: it is not done.
    Deny,
    /// Yes, this once.
    Approve,
    /// Yes, and to this kind of action in this app until the task is over. Not offered any more.
    ApproveTask,
    /// Yes, and to this one thing on this page of this app on this phone, until it is taken back in Settings.
    ApproveAlways,
    /// Here is a picture or a file: it is put on the phone.
    Give,
    /// Here is the code or password: it goes straight to the phone.
    Supply,
    /// I do it myself on the mirror.
    TakeOver,
    /// Give me five minutes more.
    MoreTime,
}

/// An answer. A code or password is never in it: that travels alone, as a secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// Which question.
    pub ask: AskId,
    /// The digest the question carried.
    pub digest: String,
    /// The answer.
    pub choice: Choice,
    /// The amount the person picked where several could be meant, letter for letter as the phone shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub amount: Option<String>,
    /// What the person adds to an answer, in their own words: the AI reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub words: Option<String>,
}

/// How a question ended. Exactly one of these, everywhere at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum AskOutcome {
    /// The person said Yes.
    Allowed,
    /// The person said No.
    Denied,
    /// A secret was given.
    Supplied {
        /// How long it was; never what it was.
        characters: u32,
    },
    /// Nobody answered in time: No.
    TimedOut,
    /// The question no longer stands: the run stopped, the person took over, the program ended.
    Withdrawn,
}

/// One question of the past or present, and what came of it: who was asked what, with which picture, answered how, when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct AskRecord {
    /// The question.
    pub ask: Ask,
    /// Its end; absent while it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub end: Option<AskEnd>,
    /// The Yes was void: the screen had changed.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub voided: bool,
    /// This version cannot read the question: what of `ask` could not be read is empty.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub unreadable: bool,
}

/// How and when a question ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct AskEnd {
    /// When the question ended.
    pub at: Millis,
    /// How the question ended.
    #[serde(flatten)]
    pub outcome: AskOutcome,
    /// How far the Yes reached.
    pub reach: AnswerLifetime,
    /// The amount the person picked where several could be meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub amount: Option<String>,
}

/// Every question that waits for an answer, oldest first: what the approval window is told, anew at each change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct OpenAsks {
    /// The first one is shown; the rest wait behind it ("1 of 2").
    pub asks: Vec<Ask>,
    /// Questions whose supplied value did not work, and who ask again: "That code didn't work."
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<AskId>,
    /// Questions about a phone at another computer: whoever listens on the way sees what is answered there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remote: Vec<AskId>,
    /// Settings the person just changed, where that loosens something. They come before every question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<SettingsChange>>", optional)]
    pub changes: Vec<SettingsChange>,
}
