//! The second opinion on a page: what it is asked, how its answer is read, what it is remembered by.
//!
//! [`Question::of`] is the whole prompt: a fixed text, the person's task, and the page as quoted data; never a word of the
//! acting model's. What is not answered clearly is [`Say::Unclear`]. What an opinion may change is the rules' affair.

mod ask;
mod page;
mod read;

pub use ask::PRESSABLES;
pub use page::PageKey;

use protocol::{AskKind, Screen};

/// What a page is asked about with.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The look, already without the secrets that are known.
    pub screen: &'a Screen,
    /// The person's task, in their words.
    pub task: &'a str,
    /// What the app is called; empty where nobody knows.
    pub app: &'a str,
    /// The site a browser shows, where it can be read for certain.
    pub site: Option<&'a str>,
    /// The app's version; empty where nobody knows.
    pub version: &'a str,
    /// Who signed it.
    pub signers: &'a [String],
    /// There is a picture, and whoever answers looks at pictures.
    pub eyes: bool,
}

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

/// An answer to one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// By the index of the element, in the order of the question.
    says: Vec<(u32, Say)>,
    speaks: bool,
    is_whole: bool,
}

impl Opinion {
    /// What pressing the element with this index does. On a page that speaks to assistants, or was not told whole, nothing
    /// moves or edits.
    #[must_use]
    pub fn says(&self, element: u32) -> Say {
        let said = self.says.iter().find(|(index, _)| *index == element);
        match said.map_or(Say::Unclear, |(_, say)| *say) {
            Say::Moves | Say::Edits if self.speaks || !self.is_whole => Say::Unclear,
            say => say,
        }
    }

    /// The page's words address an assistant, or tell it what to answer.
    #[must_use]
    pub fn speaks_to_assistants(&self) -> bool {
        self.speaks
    }
}

/// One thing that is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Its index on the screen.
    pub index: u32,
    /// Its words, else what the app says of it; as the phone gave them.
    pub label: String,
    /// The end of Android's resource id; empty when none.
    pub id: String,
}

/// One question about one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    app: String,
    text: String,
    asked: Vec<Asked>,
    key: PageKey,
    has_picture: bool,
    /// Every element of the page was read, and every text of it is told.
    is_whole: bool,
    /// The page's words look like an answer to this very question.
    speaks: bool,
}

impl Question {
    /// The question about the first [`PRESSABLES`] of a page. `None`: no tree was read, or nothing can be pressed.
    #[must_use]
    pub fn of(page: &Page<'_>) -> Option<Self> {
        ask::question(page, 0)
    }

    /// The question that asks about this element: the first, or where there are more pressables a later one.
    #[must_use]
    pub fn about(page: &Page<'_>, element: u32) -> Option<Self> {
        let at = ask::pressables(page.screen).position(|pressable| pressable.index == element)?;
        ask::question(page, at / PRESSABLES)
    }

    /// The part that is the same in every question.
    #[must_use]
    pub fn system(&self) -> &'static str {
        ask::SYSTEM
    }

    /// The part about this page.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The package of the app.
    #[must_use]
    pub fn app(&self) -> &str {
        &self.app
    }

    /// What is asked about, by number from 1.
    #[must_use]
    pub fn asked(&self) -> &[Asked] {
        &self.asked
    }

    /// What an opinion on this page is remembered by.
    #[must_use]
    pub fn key(&self) -> &PageKey {
        &self.key
    }

    /// A picture of the page has to go along: something on it has no words.
    #[must_use]
    pub fn has_picture(&self) -> bool {
        self.has_picture
    }

    /// The opinion in a reply. Total: code fences and JSON around it are passed over; what is said twice differently, not
    /// at all, or in other words is unclear. `None` where nothing in it is an answer.
    #[must_use]
    pub fn read(&self, reply: &str) -> Option<Opinion> {
        let (says, speaks) = read::answer(reply, self.asked.len())?;
        Some(self.opinion(says, speaks))
    }

    /// An opinion on this page from an earlier look at it, whose question had the same [`Question::key`].
    #[must_use]
    pub fn again(&self, opinion: &Opinion) -> Opinion {
        self.opinion(opinion.says.iter().map(|(_, say)| *say).collect(), opinion.speaks)
    }

    fn opinion(&self, says: Vec<Say>, speaks: bool) -> Opinion {
        let indices = self.asked.iter().map(|asked| asked.index);
        Opinion {
            says: indices.zip(says).collect(),
            speaks: speaks || self.speaks,
            is_whole: self.is_whole,
        }
    }
}
