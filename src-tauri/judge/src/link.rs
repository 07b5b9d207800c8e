//! Links: where they lead, and what they may carry away.

use protocol::AskKind;

/// What opening a link comes down to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkRisk {
    /// It only shows something that was asked for.
    Shows,
    /// Asked, unless the person's switch says otherwise: about what, and by which rule.
    Asks(AskKind, &'static str),
    /// Asked, whatever switches say.
    Always(AskKind, &'static str),
    /// A hard rule, by its name.
    Never(&'static str),
}

/// What opening this link risks.
///
/// `task` is the person's own text, `offered` whether the page in front shows this very link, `read` every text read on
/// the phone in this run.
#[must_use]
pub fn risk(_url: &str, _task: &str, _offered: bool, _read: &[String]) -> LinkRisk {
    LinkRisk::Always(AskKind::Act, "link_not_asked_for")
}

/// The hard rule that opening this link breaks, if it does.
#[must_use]
pub fn never(_url: &str) -> Option<&'static str> {
    None
}
