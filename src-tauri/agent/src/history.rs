//! What happened so far, as the model is told it.

/// Lines kept word for word; older ones are dropped from the front and counted.
const KEPT: usize = 40;

/// One line of history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryLine {
    /// The step it belongs to.
    pub step: u32,
    /// The action as JSON, or empty when there was none.
    pub action: String,
    /// What stood on the element it touched: a number of an older screen says nothing. Empty when unknown.
    pub label: String,
    /// What came of it, in the words the model is told: `done`, `denied by the person`, …
    pub result: String,
}

/// The run's history.
#[derive(Clone, Debug, Default)]
pub struct History {
    lines: Vec<HistoryLine>,
    dropped: usize,
}

impl History {
    /// Adds a line.
    pub fn push(&mut self, step: u32, action: impl Into<String>, result: impl Into<String>) {
        self.add(HistoryLine {
            step,
            action: action.into(),
            label: String::new(),
            result: result.into(),
        });
    }

    /// Adds a line as it is.
    pub fn add(&mut self, line: HistoryLine) {
        self.lines.push(line);
        if self.lines.len() > KEPT {
            self.lines.remove(0);
            self.dropped += 1;
        }
    }

    /// The lines kept, oldest first.
    #[must_use]
    pub fn lines(&self) -> &[HistoryLine] {
        &self.lines
    }

    /// How many older ones are gone.
    #[must_use]
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// How many there were, those that are gone too.
    #[must_use]
    pub fn total(&self) -> usize {
        self.dropped + self.lines.len()
    }
}
