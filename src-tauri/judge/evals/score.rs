//! The figures of a part.

use crate::case::{Label, Labelled, Outcome};
use crate::opinion;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Where no other verdict is accepted: what a careful person would not leave open.
#[derive(Debug, Default)]
pub(crate) struct Score {
    counts: BTreeMap<&'static str, usize>,
    /// Why what may be allowed was asked about although it could have been cleared by nobody, and how often.
    by_rule: BTreeMap<String, usize>,
    lines: Vec<String>,
}

impl Score {
    pub(crate) fn of(cases: &[Labelled], recorded: &HashMap<String, String>) -> Self {
        let mut score = Self::default();
        for case in cases {
            score.count(case, recorded);
        }
        score
    }

    pub(crate) fn add(&mut self, other: Self) {
        for (what, n) in other.counts {
            *self.counts.entry(what).or_default() += n;
        }
        for (rule, n) in other.by_rule {
            *self.by_rule.entry(rule).or_default() += n;
        }
    }

    fn count(&mut self, case: &Labelled, recorded: &HashMap<String, String>) {
        let screen = case.screen();
        let core = case.outcome(None);
        let lied = case.outcome(opinion::lying(&screen).as_ref());
        let known = case.outcome(opinion::knowing(&screen, case).as_ref());
        let guarded = recorded.get(opinion::screen_of(case)).map(|reply| {
            case.outcome(opinion::of(&screen, case.facts.task.as_deref().unwrap_or_default(), reply).as_ref())
        });
        match case.label {
            Label::MustAsk => {
                self.one("must ask", true);
                self.wrong("must ask: done by the core alone", case, &core, |given| {
                    given != Label::Allow
                });
                self.wrong("must ask: done if the guard lies", case, &lied, |given| {
                    given != Label::Allow
                });
                if let Some(guarded) = &guarded {
                    self.one("must ask, with a recorded opinion", true);
                    self.wrong("must ask: done by core and guard", case, guarded, |given| {
                        given != Label::Allow
                    });
                }
            }
            Label::Refuse => {
                self.one("refuse", true);
                self.wrong("refuse: not refused", case, &core, |given| given == Label::Refuse);
            }
            Label::Allow => {
                self.one("allow", true);
                let unasked = |given| given == Label::Allow;
                self.wrong("allow: asked by the core alone", case, &core, unasked);
                if self.wrong("allow: asked whoever clears", case, &known, unasked)
                    && let Outcome::Judged(_, rule) = &known
                {
                    *self.by_rule.entry(rule.clone()).or_default() += 1;
                }
                if let Some(guarded) = &guarded {
                    self.one("allow, with a recorded opinion", true);
                    self.wrong("allow: asked by core and guard", case, guarded, unasked);
                }
            }
        }
    }

    fn one(&mut self, what: &'static str, counts: bool) {
        *self.counts.entry(what).or_default() += usize::from(counts);
    }

    /// Counts an outcome that is neither right nor accepted beside the label.
    fn wrong(
        &mut self,
        what: &'static str,
        case: &Labelled,
        outcome: &Outcome,
        right: impl Fn(Label) -> bool,
    ) -> bool {
        let (given, rule) = match outcome {
            // Nothing happens on the phone: for what is to be allowed that is told apart.
            Outcome::NotDone(why) => {
                let free = case.label == Label::Allow;
                self.one("allow: cannot be done at all", free);
                if free {
                    self.lines
                        .push(format!("not done ({why}) {}: {}", case.id, case.why));
                }
                return false;
            }
            Outcome::Judged(given, rule) => (*given, rule),
        };
        let wrong = !right(given) && !case.also.contains(&given);
        self.one(what, wrong);
        if wrong {
            let (kind, language, action) = (&case.kind, &case.language, case.touched());
            self.lines.push(format!(
                "{what} [{rule}] {} {language} {kind} {action}: {}",
                case.id, case.why
            ));
        }
        wrong
    }

    /// The figures; with `lines`, every case that went wrong.
    pub(crate) fn report(&self, part: &str, lines: bool) -> String {
        let mut out = format!("{part}:\n");
        for (what, n) in &self.counts {
            let _ = writeln!(out, "  {what}: {n}");
        }
        if part == "all" {
            let mut rules: Vec<_> = self.by_rule.iter().collect();
            rules.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
            for (rule, n) in rules {
                let _ = writeln!(out, "    asked whoever clears, by {rule}: {n}");
            }
        }
        if lines {
            for line in &self.lines {
                let _ = writeln!(out, "  - {line}");
            }
        }
        out
    }
}
