//! What happens in a run.

use crate::act_method::ActMethod;
use crate::action::Action;
use crate::ask::{Ask, AskOutcome};
use crate::automation::AutomationRun;
use crate::ending::Ending;
use crate::failure::Failure;
use crate::id::{AskId, FrameId, PhoneId, RunId};
use crate::limit_kind::LimitKind;
use crate::locator_strategy::LocatorStrategy;
use crate::outcome_code::OutcomeCode;
use crate::refused_by::RefusedBy;
use crate::replayed::{Divergence, ReplayedBy};
use crate::rule::{AnswerLifetime, Rule, StandingAnswer};
use crate::screen::{Bounds, CaptureResult, Place, Role};
use crate::step::{Sensitivity, UnclearCode, Warning};
use crate::time::Millis;
use crate::word_set::MaybeKnown;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One event of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Which run.
    pub run: RunId,
    /// On which phone.
    pub phone: PhoneId,
    /// From 1, without gaps, the same for every listener.
    pub seq: u64,
    /// When it happened.
    pub at: Millis,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "what", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[expect(
    clippy::large_enum_variant,
    reason = "a message is made once and sent; a box would show in every reader"
)]
pub enum What {
    /// The run began.
    Started {
        /// The person's words.
        goal: String,
        /// The model's name.
        model: String,
        /// The built-in demo AI, not a model.
        demo_ai: bool,
        /// The automation it is a run of.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        automation: Option<AutomationRun>,
        /// The run of the same task that was broken off, and that this one goes on with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        goes_on: Option<RunId>,
    },
    /// A step was done, or mended, without asking the AI; told before the step's act.
    Replayed {
        /// Which step.
        step: u32,
        /// How its target was found, or what was done instead.
        by: ReplayedBy,
    },
    /// What was recorded does not fit what the phone shows; the AI does the rest, or the person is asked.
    Diverged {
        /// Which step.
        step: u32,
        /// What does not fit.
        why: Divergence,
        /// The picture the recording has of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        recorded: Option<FrameId>,
    },
    /// The phone was looked at.
    Looked {
        /// Steps count from 1.
        step: u32,
        /// The stored picture.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        frame: Option<FrameId>,
        /// Package in front.
        app: String,
        /// Width of the screen in pixels.
        width: u32,
        /// Height of the screen in pixels.
        height: u32,
        /// How the capture went.
        capture: CaptureResult,
        /// How many elements were read.
        elements: u32,
    },
    /// The model was asked.
    Thinking {
        /// Which step.
        step: u32,
    },
    /// The model answered, and the answer was understood.
    Decided {
        /// Which step.
        step: u32,
        /// Its reasoning.
        thought: String,
        /// What it wants, as it said it.
        action: Action,
        /// Which dialect it spoke.
        dialect: String,
        /// Its own mark.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        sensitivity: Option<Sensitivity>,
        /// Fields that came from the schema's defaults.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        defaulted: Vec<String>,
        /// What had to be mended.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<Warning>,
        /// The reply as it came, secrets taken out; absent in what earlier versions wrote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        raw: Option<String>,
        /// What it cost.
        usage: Usage,
    },
    /// The model answered, and nobody can say what it wants. It is shown its answer and asked again.
    Unclear {
        /// Which step.
        step: u32,
        /// Which kind of unclear.
        code: UnclearCode,
        /// In a short English line.
        message: String,
        /// The reply as it came, secrets taken out; absent in what earlier versions wrote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        raw: Option<String>,
        /// What it cost.
        usage: Usage,
    },
    /// The judge said never, or the action cannot be done on a phone. The model hears it.
    Refused {
        /// Which step.
        step: u32,
        /// What was wanted.
        action: Action,
        /// The rule's or refusal's name.
        #[ts(as = "RefusedBy")]
        code: MaybeKnown<RefusedBy>,
        /// What stands on the element it would have touched, where that was found.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        label: Option<String>,
        /// Roughly where, when there is no label.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        place: Option<Place>,
        /// The app that would have been opened, by its name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        app_label: Option<String>,
    },
    /// A person is asked.
    Asked {
        /// Which step.
        step: u32,
        /// The question.
        ask: Ask,
    },
    /// A question has more time.
    Extended {
        /// Which question.
        ask: AskId,
        /// The new deadline.
        deadline: Millis,
    },
    /// A question ended.
    Answered {
        /// Which question.
        ask: AskId,
        /// How it ended.
        #[serde(flatten)]
        outcome: AskOutcome,
    },
    /// Which of several amounts the Yes is to that comes next.
    Picked {
        /// To which question.
        ask: AskId,
        /// Letter for letter as the phone shows it.
        amount: String,
    },
    /// A Yes that reaches further than the one action.
    Allowed {
        /// To which question.
        ask: AskId,
        /// What it allows from now on.
        rule: Rule,
        /// For how long.
        reach: AnswerLifetime,
    },
    /// It was done without a question: the person said Yes to this very thing before.
    Unasked {
        /// Which step.
        step: u32,
        /// What they said.
        standing: StandingAnswer,
    },
    /// The Yes is void: the screen changed between question and answer.
    Voided {
        /// Which question.
        ask: AskId,
    },
    /// The intent, written down before anything reaches the phone.
    Acting {
        /// Which step.
        step: u32,
        /// What will be done, variables filled. Secrets are never in it.
        action: Action,
        /// What stands on the element it touches.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        label: Option<String>,
        /// What kind of element it touches.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        role: Option<Role>,
        /// Roughly where, when there is no label.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        place: Option<Place>,
        /// The app being opened, by its name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        app_label: Option<String>,
        /// Where to crop the picture and draw the marker.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        ring: Option<Bounds>,
        /// A secret of this many characters is typed, by the person's supply.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        secret_characters: Option<u32>,
    },
    /// A script on this computer printed whole lines: told as they come, the first 6,000 characters of each stream.
    Printed {
        /// Which step.
        step: u32,
        /// Where it printed it.
        stream: Stream,
        /// The lines, secrets taken out.
        text: String,
    },
    /// What came of it.
    Acted {
        /// Which step.
        step: u32,
        /// How it went.
        outcome: Outcome,
        /// Milliseconds from the intent to the settled screen.
        took_ms: u64,
    },
    /// The AI would have the person remember this for later tasks: told before the end, once at most, kept at their word alone.
    NoteProposed {
        /// One line, in the AI's words, secrets taken out.
        text: String,
        /// A part of it stood on the phone's screen, word for word: it may be what somebody else wants to be remembered.
        #[serde(default, skip_serializing_if = "core::ops::Not::not")]
        from_screen: bool,
    },
    /// The person told the AI something.
    Said {
        /// Word for word.
        text: String,
    },
    /// The run waits.
    Paused {
        /// For what.
        reason: PauseReason,
    },
    /// It goes on.
    Resumed,
    /// The person's hand holds the phone.
    TakenOver,
    /// The AI has it back, and looks again.
    HandedBack,
    /// The model or the phone could not be reached; it is tried again by itself.
    Retrying {
        /// What went wrong.
        failure: Failure,
        /// In how many milliseconds.
        after_ms: u64,
    },
    /// The run is over.
    Ended {
        /// How it ended.
        ending: Ending,
        /// A command may still be running on the phone.
        #[serde(default, skip_serializing_if = "core::ops::Not::not")]
        maybe_running: bool,
    },
    /// A line of the journal that this version cannot read, of a newer one or damaged. It stays, and is never written itself.
    Unreadable {
        /// What the line says it was, where it says so: the name of another `what`.
        was: String,
    },
}

/// The two things a script prints to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum Stream {
    /// Its output.
    Stdout,
    /// Its complaints.
    Stderr,
}

/// What came of an action.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// It was done, as far as the phone says.
    pub ok: bool,
    /// What came of it, in one word.
    #[ts(as = "OutcomeCode")]
    pub code: MaybeKnown<OutcomeCode>,
    /// Which way it was done, where there are several.
    #[serde(default, rename = "rung", skip_serializing_if = "Option::is_none")]
    #[ts(as = "Option<ActMethod>", optional)]
    pub via: Option<MaybeKnown<ActMethod>>,
    /// What the phone printed or what was read, cut to a readable length (`[…]` stands where).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub output: Option<String>,
    /// What a command or script wrote to its standard error, cut likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub stderr: Option<String>,
    /// The exit code of a command or script; absent when there was none, or the phone does not tell (Android 6).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub exit: Option<i32>,
    /// Whether the screen looked different afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub changed: Option<bool>,
    /// The variable that holds the result from now on; its value is `output`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub kept: Option<String>,
    /// How many pages of a list were read (`read_text` with `autoScroll`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub pages: Option<u32>,
    /// The folder of a script on this computer: its text, its output, the files it made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub folder: Option<String>,
    /// Milliseconds between the beginnings of the two taps of a `double_tap`, measured on the phone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub gap_ms: Option<u64>,
    /// What found each place it touched, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Vec<LocatorStrategy>")]
    pub found_by: Vec<MaybeKnown<LocatorStrategy>>,
    /// What the model was asked beside the task meanwhile, where it was: what that cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub usage: Option<Usage>,
    /// What was done otherwise than asked, or may not have worked: `modifiers_ignored`, `slow_double_tap`, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

impl Outcome {
    /// The connection broke, or somebody broke in, while it was done: the phone may have received it.
    #[must_use]
    pub fn may_be_done(&self) -> bool {
        use OutcomeCode as C;
        let broken = matches!(
            self.code.known(),
            Some(C::PhoneGone | C::AdbSilent | C::PhoneSlow | C::PhoneUnusable | C::LeaseLost | C::Unknown)
        );
        !self.ok && broken
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape serde asks for")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// Tokens and money of one request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Tokens read by the model.
    pub input_tokens: u64,
    /// Of these, the tokens the maker had kept since an earlier request: they cost less.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[ts(as = "Option<u64>", optional)]
    pub cached_tokens: u64,
    /// Tokens written by it.
    pub output_tokens: u64,
    /// Money, when the prices are known or estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub dollars: Option<f64>,
    /// The prices were not known: the money is an estimate.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub is_estimate: bool,
}

/// Why a run waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "why", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum PauseReason {
    /// The person pressed Pause.
    Person,
    /// A question was not answered in time.
    TimedOut {
        /// The question that was not answered.
        ask: AskId,
    },
    /// The same kind of trouble three times in a row.
    Unclear,
    /// The same action on the same screen too often.
    Repeating,
    /// Three questions in a row were answered No.
    Denied,
    /// Ten questions in fifty steps: the person may want to say more about the task, or do a part of it themselves.
    ManyQuestions,
    /// The page says that something was done which nobody said Yes to.
    Unapproved {
        /// What was done.
        kind: crate::ask_kind::AskKind,
        /// What stands on the thing that undoes it, where the page has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        undo: Option<String>,
    },
    /// A limit was reached.
    Limit {
        /// The limit.
        #[ts(as = "LimitKind")]
        limit: MaybeKnown<LimitKind>,
    },
    /// The phone is gone.
    PhoneGone,
    /// The AI cannot be reached, or refuses.
    Model {
        /// What went wrong.
        failure: Failure,
    },
    /// The run cannot be written down, so it must not go on.
    Journal {
        /// What went wrong.
        failure: Failure,
    },
    /// The app hides its screen and nothing can be read from it.
    Protected,
    /// The phone could not be looked at.
    Look {
        /// What went wrong.
        failure: Failure,
    },
}
