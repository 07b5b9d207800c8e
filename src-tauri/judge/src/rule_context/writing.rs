//! What is written, and what is taken away.

use super::RuleContext;
use crate::act::How;
use crate::case::is_made_of;
use crate::facts::UiElement;
use crate::input::Input;
use crate::key::Effect;

/// A text of so many characters or lines is no entry of a form that is corrected.
const LONG_TEXT: usize = 60;
const LINES: usize = 3;
/// So many characters taken away in one go are more than a slip mended.
const MANY: usize = 20;

impl<'a> RuleContext<'_, 'a> {
    /// Text goes into a field that is no secret's: nobody learns of it until something else is pressed.
    pub(crate) fn drafts(&self) -> bool {
        let edits = matches!(self.act.how, How::Type(_) | How::Clear | How::Empty | How::Mark);
        edits && self.on(|field| field.is_field() && !field.is_secret())
    }

    /// What somebody wrote at length is taken away: a page that saves by itself has lost it. What the run wrote itself, it
    /// may take back.
    pub(crate) fn empties_a_text(&self) -> bool {
        let long = |text: &str| text.chars().count() >= LONG_TEXT || text.lines().count() >= LINES;
        let own = |text: &str| is_made_of(text, self.case.written);
        let lost = |field: &UiElement<'a>| field.text().is_some_and(|text| long(text) && !own(text));
        self.takes_all_away() && self.on(|field| !field.is_search() && lost(field))
    }

    /// The run wrote all that stands in the field in one go.
    pub(crate) fn wrote_at_once(&self) -> bool {
        let text = self.act.on.and_then(UiElement::text).unwrap_or_default();
        self.case.written.iter().any(|written| written.trim() == text)
    }

    /// All that stands in the field goes: at once, key by key in one go, or marked first, to be typed over.
    fn takes_all_away(&self) -> bool {
        let deletes = |input: &&Input| matches!(input, Input::Key(key) if key.effect() == Effect::Deletes);
        match self.act.how {
            How::Empty | How::Mark => true,
            How::Clear => self.case.inputs.iter().filter(deletes).count() >= MANY,
            _ => false,
        }
    }

    /// The sign that ends a code which a dialer carries out by itself: `*#06#`.
    pub(crate) fn writes_hash(&self) -> bool {
        let hash = |thing: &UiElement<'a>| thing.element.label.trim().starts_with('#');
        let key = matches!(self.act.how, How::Key(key) if key.is_hash());
        key || self.typed().is_some_and(|text| text.contains('#')) || self.presses() && self.on(hash)
    }

    /// A whole such code, which whatever looks like a dialer may carry out: `*#06#`.
    pub(crate) fn writes_dial_code(&self) -> bool {
        let code = |text: &str| {
            let text = text.trim();
            let signs = text.chars().all(|c| c.is_ascii_digit() || matches!(c, '*' | '#'));
            signs && text.len() > 2 && text.starts_with(['*', '#']) && text.ends_with('#')
        };
        self.typed().is_some_and(code)
    }
}
