//! Where the time of a step goes: what was waited for, from when and for how long, in milliseconds since the step began.

/// What a step waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Waited {
    /// A picture of the screen.
    Picture,
    /// Its UI tree.
    Tree,
    /// The model's answer.
    Model,
    /// Whether the screen still shows what was looked at.
    Check,
    /// The second opinion.
    Opinion,
    /// A person's answer.
    Person,
    /// The phone, while it received an input.
    Input,
    /// The screen, until it came to rest.
    Rest,
}

impl Waited {
    /// A stable word: `picture`, `tree`, `model`, `check`, `opinion`, `person`, `input`, `rest`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Picture => "picture",
            Self::Tree => "tree",
            Self::Model => "model",
            Self::Check => "check",
            Self::Opinion => "opinion",
            Self::Person => "person",
            Self::Input => "input",
            Self::Rest => "rest",
        }
    }
}

/// One wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// For what.
    pub waited: Waited,
    /// From when, in milliseconds since the step began.
    pub from_ms: u64,
    /// For how long, in milliseconds.
    pub took_ms: u64,
}

impl Span {
    /// When it was over, in milliseconds since the step began.
    #[must_use]
    pub fn end_ms(&self) -> u64 {
        self.from_ms + self.took_ms
    }
}

/// One step's time line. Waits that went on side by side overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepTiming {
    /// Which step.
    pub step: u32,
    /// Its waits, in the order they ended.
    pub spans: Vec<Span>,
    /// When the last verdict was found, in milliseconds since the step began; absent where nothing was judged.
    pub judged_ms: Option<u64>,
    /// Milliseconds in all.
    pub took_ms: u64,
}

impl StepTiming {
    /// The moments of a step, in order: when it had looked, when the model was asked and had answered, when it was judged, when
    /// the phone had received it and when the screen was at rest; what did not happen is left out.
    #[must_use]
    pub fn moments(&self) -> Vec<(&'static str, u64)> {
        let first = |what: Waited| self.spans.iter().find(|span| span.waited == what);
        let last = |what: Waited| self.spans.iter().rev().find(|span| span.waited == what);
        let model = last(Waited::Model);
        let sent = first(Waited::Model).map(|span| span.from_ms);
        let seen = self.spans.iter().filter(|span| {
            let looks = matches!(span.waited, Waited::Picture | Waited::Tree | Waited::Check);
            looks && sent.is_none_or(|sent| span.end_ms() <= sent)
        });
        let moments = [
            ("looked", seen.map(Span::end_ms).max()),
            ("sent", sent),
            ("answered", model.map(Span::end_ms)),
            ("judged", self.judged_ms),
            ("acted", last(Waited::Input).map(Span::end_ms)),
            ("rested", last(Waited::Rest).map(Span::end_ms)),
        ];
        let known = moments.into_iter().filter_map(|(name, at)| Some((name, at?)));
        known.collect()
    }
}
