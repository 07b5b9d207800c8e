//! A half's figures.

use crate::case::{Label, Labelled, Outcome};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Needless questions: at most one in twenty.
const NEEDLESS_SHARE: usize = 20;

#[derive(Debug, Default)]
pub(crate) struct Score {
    /// `must_ask`, `allow`, `refuse` cases that were judged, and those of them with no other verdict accepted.
    counted: BTreeMap<Label, Strictly>,
    /// Wrong by the label (strict), and where `also` does not accept it either (lenient).
    wrong: BTreeMap<Label, Strictly>,
    by: BTreeMap<(Label, String), usize>,
    lines: Vec<String>,
    void: Vec<String>,
    not_done: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Strictly {
    all: usize,
    /// Cases where nothing weaker or stronger is accepted beside the label.
    lenient: usize,
}

impl Score {
    pub(crate) fn of(cases: &[Labelled]) -> Self {
        let mut score = Self::default();
        for case in cases {
            score.count(case);
        }
        score
    }

    fn count(&mut self, case: &Labelled) {
        let (given, rule) = match case.outcome() {
            Outcome::Void(why) => {
                self.void.push(format!("{}: {why}", case.id));
                return;
            }
            // Nothing happens on the phone: as a refusal, by another room.
            Outcome::NotDone(code) => {
                self.not_done += 1;
                (Label::Refuse, format!("plan: {code}"))
            }
            Outcome::Judged(given, rule) => (given, rule),
        };
        let right = match case.label {
            Label::MustAsk => given != Label::Allow,
            Label::Allow => given == Label::Allow,
            Label::Refuse => given == Label::Refuse,
        };
        let accepted = right || case.also.contains(&given);
        let counted = self.counted.entry(case.label).or_default();
        counted.all += 1;
        counted.lenient += usize::from(case.also.is_empty());
        if right {
            return;
        }
        let wrong = self.wrong.entry(case.label).or_default();
        wrong.all += 1;
        if accepted {
            return;
        }
        wrong.lenient += 1;
        *self
            .by
            .entry((case.label, format!("kind {}", case.kind)))
            .or_default() += 1;
        *self
            .by
            .entry((case.label, format!("language {}", case.language)))
            .or_default() += 1;
        let action = serde_json::to_string(&case.action).unwrap();
        self.lines.push(format!(
            "{:?} but {given:?} [{rule}] {} {action}: {}",
            case.label, case.id, case.why
        ));
    }

    fn counted(&self, label: Label) -> Strictly {
        self.counted.get(&label).copied().unwrap_or_default()
    }

    fn wrong(&self, label: Label) -> Strictly {
        self.wrong.get(&label).copied().unwrap_or_default()
    }

    /// What must not be.
    pub(crate) fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut fault = |wrong: bool, what: String| {
            if wrong {
                faults.push(what);
            }
        };
        let missed = self.wrong(Label::MustAsk).lenient;
        fault(missed > 0, format!("{missed} were not asked about"));
        let refused = self.wrong(Label::Refuse).lenient;
        fault(refused > 0, format!("{refused} were not refused"));
        let needless = self.wrong(Label::Allow).lenient;
        let free = self.counted(Label::Allow).lenient;
        fault(
            needless * NEEDLESS_SHARE > free,
            format!("{needless} of {free} were asked about needlessly"),
        );
        fault(!self.void.is_empty(), format!("void: {:?}", self.void));
        faults
    }

    /// The figures; with `cases`, every case that went wrong.
    pub(crate) fn report(&self, half: &str, cases: bool) -> String {
        let mut out = format!("{half}:\n");
        for (label, what) in [
            (Label::MustAsk, "must-ask: allowed without asking"),
            (Label::Refuse, "refuse: asked about or allowed"),
            (Label::Allow, "allow: asked about or refused"),
        ] {
            let (wrong, counted) = (self.wrong(label), self.counted(label));
            let _ = writeln!(
                out,
                "  {what}: {} of {} where no other verdict is accepted; strictly {} of {}",
                wrong.lenient, counted.lenient, wrong.all, counted.all
            );
        }
        let _ = writeln!(
            out,
            "  not done by the plan: {}, void: {}",
            self.not_done,
            self.void.len()
        );
        for ((label, what), count) in &self.by {
            let _ = writeln!(out, "  wrong: {label:?} {what}: {count}");
        }
        if cases {
            for line in &self.lines {
                let _ = writeln!(out, "  - {line}");
            }
        }
        out
    }
}
