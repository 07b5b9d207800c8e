//! Models that were trained to operate a phone, asked in the words they were trained on.
//!
//! Any model may be asked in any of them ([`protocol::TrainedWords`]); the profiles say which were trained on which.
//! Each module writes one dialect's prompt from the same [`Facts`]; room `dialect` writes the actions done so far in
//! it and reads the answer. What such a model has no word for (asking the person) it says by taking over, and the judge
//! asks for whatever matters all the same.

mod autoglm;
mod cogagent;
mod computer_use;
mod mobile_use;
mod omnimcp;
mod step_gui;
mod ui_tars;
mod ui_venus;
mod verbs;
mod wording;

use crate::profile::Language;
use agent::prompt::Facts;
use dialect::Dialect;
use protocol::TrainedWords;
use screen::Space;
use wording::is_chinese;

pub(crate) use wording::TrainedPrompt;

/// The dialect these words are answered in.
#[must_use]
pub fn dialect(words: TrainedWords) -> Dialect {
    match words {
        TrainedWords::Autoglm => Dialect::AutoGlm,
        TrainedWords::Cogagent => Dialect::CogAgent,
        TrainedWords::UiTars => Dialect::UiTars,
        TrainedWords::MobileUse => Dialect::Qwen,
        TrainedWords::Hermes => Dialect::Hermes,
        TrainedWords::Omnimcp => Dialect::OmniMcp,
        TrainedWords::UiVenus | TrainedWords::UiVenus2 => Dialect::UiVenus,
        TrainedWords::StepGui => Dialect::StepGui,
        TrainedWords::Verbs => Dialect::Verbs,
    }
}

/// The prompt for one step. `space` is what the model's numbers count; `picture` the size of the picture it sees.
pub(crate) fn ask(
    words: TrainedWords,
    facts: &Facts,
    space: Space,
    picture: Option<(u32, u32)>,
    language: Language,
) -> TrainedPrompt {
    let chinese = language == Language::ChineseOrEnglish && is_chinese(facts);
    match words {
        TrainedWords::Autoglm => autoglm::words(facts, chinese),
        TrainedWords::Cogagent => cogagent::words(facts),
        TrainedWords::UiTars => ui_tars::words(facts, space),
        TrainedWords::MobileUse => mobile_use::words(facts, space, picture),
        TrainedWords::Hermes => computer_use::words(facts, space, picture),
        TrainedWords::Omnimcp => omnimcp::words(facts),
        TrainedWords::UiVenus => ui_venus::words(facts, space, false),
        TrainedWords::UiVenus2 => ui_venus::words(facts, space, true),
        TrainedWords::StepGui => step_gui::words(facts, chinese),
        TrainedWords::Verbs => verbs::words(facts, space, picture),
    }
}

/// Whether these words tell of what stands on the screen: then the list is wanted, whatever the model sees.
#[must_use]
pub(crate) fn lists(words: TrainedWords) -> bool {
    matches!(words, TrainedWords::Hermes | TrainedWords::Omnimcp)
}

#[cfg(test)]
mod example;
#[cfg(test)]
mod tests;
