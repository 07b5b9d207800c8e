//! What whoever was asked holds of a page.

use protocol::AskKind;

/// What pressing one thing does at once, by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Say {
    /// It shows something else: a page, a list, a dialog; or goes back.
    Moves,
    /// It changes a draft or a choice of the person's own, and another press takes it back.
    Edits,
    /// It lasts, or somebody else learns of it.
    Commits(AskKind),
    /// Nobody can tell, or nobody said.
    Unclear,
}

impl Say {
    /// The same of something that was not told whole: that it commits still holds.
    pub(super) fn unclear(self) -> Self {
        match self {
            Self::Moves | Self::Edits => Self::Unclear,
            say => say,
        }
    }
}

/// An answer to one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// By the index of the element, in the order of the question.
    pub(super) says: Vec<(u32, Say)>,
    pub(super) speaks: bool,
    pub(super) is_whole: bool,
}

impl Opinion {
    /// What pressing the element with this index does. On a page that speaks to assistants, or was not told whole, nothing
    /// moves or edits.
    #[must_use]
    pub fn says(&self, element: u32) -> Say {
        let said = self.says.iter().find(|(index, _)| *index == element);
        let say = said.map_or(Say::Unclear, |(_, say)| *say);
        if self.speaks || !self.is_whole {
            return say.unclear();
        }
        say
    }

    /// The page's words address an assistant, or tell it what to answer.
    #[must_use]
    pub fn speaks_to_assistants(&self) -> bool {
        self.speaks
    }
}
