//! What may be sent, and how it came to be allowed.

use crate::case::Case;
use crate::command::{Reading, command};
use crate::input::Input;
use crate::judged::Judged;
use crate::mandate;
use crate::person;
use crate::rules::{self, Does, Finding};
use protocol::{Answer, Ask, AskId, AskKind, Choice, Level, RuleName};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What may happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Send it.
    Allow(Vec<Judged>),
    /// Ask the person first.
    Ask(Pending),
    /// Never.
    Refuse {
        /// By which rule.
        rule: RuleName,
    },
}

/// What waits for a person's Yes: these inputs, about this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    inputs: Vec<Input>,
    kind: AskKind,
    rule: RuleName,
    asked_as: Option<String>,
}

impl Pending {
    /// What it is about.
    #[must_use]
    pub fn kind(&self) -> AskKind {
        self.kind
    }

    /// By which rule.
    #[must_use]
    pub fn rule(&self) -> RuleName {
        self.rule
    }

    /// What would be sent.
    #[must_use]
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The same matter, asked about for another reason.
    #[must_use]
    pub fn because(mut self, rule: RuleName) -> Self {
        self.rule = rule;
        self
    }

    /// The question it is asked by: only a Yes to that one counts.
    #[must_use]
    pub fn asked_as(mut self, digest: &str) -> Self {
        self.asked_as = Some(digest.to_owned());
        self
    }
}

/// A person's Yes to one question. Made from the answer alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Yes {
    kind: AskKind,
    digest: String,
}

impl Yes {
    /// The Yes in an answer; `None` where it answers another question, or says something else.
    #[must_use]
    pub fn read(ask: &Ask, answer: &Answer) -> Option<Self> {
        let yes = matches!(
            answer.choice,
            Choice::Approve | Choice::ApproveTask | Choice::ApproveAlways
        );
        let fits =
            answer.ask == ask.id && answer.digest == ask.digest && ask.choices.contains(&answer.choice);
        // Where several amounts could be meant, the Yes is to the one that was picked.
        let meant = &ask.evidence.other_amounts;
        let picked = meant.is_empty() || meant.iter().any(|one| Some(&one.text) == answer.amount.as_ref());
        (yes && fits && picked).then(|| Self {
            kind: ask.kind,
            digest: ask.digest.clone(),
        })
    }

    /// The Yes in what the person handed over: a code or password ([`Choice::Supply`]), a file ([`Choice::Give`]). `None` where
    /// it is for another question, or nothing of the kind was asked for.
    #[must_use]
    pub fn handed(ask: &Ask, to: &AskId, digest: &str, choice: Choice) -> Option<Self> {
        let hands = matches!(choice, Choice::Supply | Choice::Give) && ask.choices.contains(&choice);
        (hands && *to == ask.id && digest == ask.digest).then(|| Self {
            kind: ask.kind,
            digest: ask.digest.clone(),
        })
    }

    /// The question it answers.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }
}

/// Judges what a phone would receive. A judgement that breaks down is a question.
#[must_use]
pub fn judge(case: &Case<'_>) -> Verdict {
    let judged = catch_unwind(AssertUnwindSafe(|| decide(case)));
    judged.unwrap_or_else(|_| ask(case, AskKind::Unknown, RuleName::JudgeFailed))
}

/// What may be sent after the person's Yes, on the look taken after it: what waited, or what is left of it, and only where the
/// question would be the same again.
#[must_use]
pub fn after_yes(case: &Case<'_>, pending: &Pending, yes: &Yes) -> Option<Vec<Judged>> {
    let answers =
        same_kind(yes.kind, pending.kind) && pending.asked_as.as_deref() == Some(yes.digest.as_str());
    if !answers || !pending.inputs.ends_with(case.inputs) {
        return None;
    }
    match judge(case) {
        Verdict::Allow(judged) => Some(judged),
        Verdict::Ask(again) if same_kind(again.kind, pending.kind) => Some(pass(case, None)),
        Verdict::Ask(_) | Verdict::Refuse { .. } => None,
    }
}

/// A field for a code may look like one for a password, and the other way round: it is the same secret of the person's. A
/// picture is a file.
fn same_kind(one: AskKind, other: AskKind) -> bool {
    let secret = |kind| matches!(kind, AskKind::Code | AskKind::Password);
    let file = |kind| matches!(kind, AskKind::Camera | AskKind::Files);
    one == other || (secret(one) && secret(other)) || (file(one) && file(other))
}

fn decide(case: &Case<'_>) -> Verdict {
    let findings = rules::find(case);
    if let Some(rule) = findings.iter().find(|f| f.does == Does::Never).map(|f| f.rule) {
        return Verdict::Refuse { rule };
    }
    let changes = case.inputs.iter().any(changes_something);
    let kinds = findings.iter().filter_map(|f| f.does.kind());
    let barred = kinds.chain(changes.then_some(AskKind::Act));
    if barred.into_iter().any(|kind| person::never(case, kind)) {
        return Verdict::Refuse {
            rule: RuleName::PersonSaidNever,
        };
    }
    let open: Vec<&Finding> = findings
        .iter()
        .filter(|finding| is_asked(case, finding))
        .collect();
    // The gravest is what the question is about: a deed before what nobody knows.
    let gravest = open.iter().min_by_key(|finding| finding.does.kind());
    if let Some(finding) = gravest
        && let Some(kind) = finding.does.kind()
        && !mandate::covers(case, &open)
    {
        return ask(case, kind, finding.rule);
    }
    if changes && person::asks(case, AskKind::Act) {
        return ask(case, AskKind::Act, RuleName::PersonAsks);
    }
    // What nothing was found in is bound to nothing.
    let bound = || {
        let mut found = findings.iter();
        !findings.is_empty() && found.all(|finding| person::allows(case, AskKind::Act, finding.element))
    };
    if changes && case.settings.level == Level::Everything && !bound() {
        return ask(case, AskKind::Act, RuleName::Everything);
    }
    let deeds = findings.iter().filter_map(|finding| match finding.does {
        Does::Core(kind) => Some(kind),
        _ => None,
    });
    Verdict::Allow(pass(case, deeds.min()))
}

/// Whether what a rule found is a question, by the person's settings.
fn is_asked(case: &Case<'_>, finding: &Finding) -> bool {
    let Some(kind) = finding.does.kind() else {
        return false;
    };
    if person::asks(case, kind) {
        return true;
    }
    let lax = case.settings.level == Level::HardStops;
    let bound = || person::allows(case, kind, finding.element);
    match finding.does {
        Does::Never | Does::Always(_) => true,
        Does::Core(_) => {
            person::switch(case.settings, kind).unwrap_or(!lax || kind == AskKind::Act) && !bound()
        }
        // No level is about what nobody could read.
        Does::Unknown(_) => (!lax || kind == AskKind::Unreadable) && !bound(),
        Does::Moves => false,
    }
}

fn ask(case: &Case<'_>, kind: AskKind, rule: RuleName) -> Verdict {
    Verdict::Ask(Pending {
        inputs: case.inputs.to_vec(),
        kind,
        rule,
        asked_as: None,
    })
}

fn pass(case: &Case<'_>, deed: Option<AskKind>) -> Vec<Judged> {
    let lowered = case.inputs.iter().flat_map(|input| match input {
        // A command that touches is sent as the touch it was judged as.
        Input::Command(words) => match command(words) {
            Reading::Touches(inputs) => inputs,
            _ => vec![input.clone()],
        },
        input => vec![input.clone()],
    });
    lowered.map(|input| Judged::new(input, case, deed)).collect()
}

/// Whether the phone is any different afterwards; looking is not.
fn changes_something(input: &Input) -> bool {
    !matches!(input, Input::ReadClipboard | Input::ReadText | Input::Wake)
}
