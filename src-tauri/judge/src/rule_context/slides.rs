//! What is drawn along, and what a choice among amounts is.

use super::RuleContext;
use crate::act::{How, Odds};
use crate::facts::{UiElement, level};
use crate::words::{self as w, Words};
use protocol::Role;

/// Words of a text that says what a stroke does, at most.
const SHORT: usize = 8;
/// Hundredths of the height: a finger that comes down further from a slider does not move it.
const REACH: i64 = 8;

impl<'a> RuleContext<'_, 'a> {
    /// Things of the page, pressed or not, of which a short text says this.
    fn saying(&self, words: Words) -> impl Iterator<Item = &UiElement<'a>> {
        let short = self
            .facts
            .things
            .iter()
            .filter(|thing| thing.label.length() <= SHORT);
        short.filter(move |thing| thing.mentions(words))
    }

    /// The page says that a stroke does something, and this one may be it. Where the words stand on what is drawn itself, it is
    /// there; where they only stand on the page, nobody knows where the knob is.
    pub(crate) fn drawn_along(&self, words: Words) -> bool {
        let reach = i64::from(self.page.screen.height) * REACH / 100;
        let near = |thing: &UiElement<'a>| {
            let bounds = thing.bounds();
            self.act.from.is_none_or(|(_, y)| {
                let (y, top, bottom) = (i64::from(y), i64::from(bounds.top), i64::from(bounds.bottom));
                (top - reach..bottom + reach).contains(&y)
            })
        };
        // Something on another line that takes presses lies under the finger: that is drawn, and nothing beside it.
        let elsewhere = |thing: &UiElement<'a>| {
            let pressed = self.act.from.map(|from| self.page.hit_test(from).pressed);
            pressed.is_some_and(|all| {
                !all.is_empty() && !all.iter().any(|other| level(other.bounds(), thing.bounds()))
            })
        };
        let is_knob = |thing: &UiElement<'a>| thing.takes_presses() || thing.role() == Role::Slider;
        self.saying(words)
            .any(|thing| !is_knob(thing) || near(thing) && !elsewhere(thing))
    }

    /// Nothing is answered or named by drawing along here, and no words tell to slide.
    fn only_sets(&self) -> bool {
        let slides = |words| self.saying(words).next().is_some();
        !self.rings() && !slides(w::SLIDE) && !slides(w::SLIDE_UP) && !self.names_deed()
    }

    /// A slider that sets something: Android's own, or one that shows how far something was played. Others open doors and heat
    /// houses, and the opinion tells.
    pub(crate) fn only_adjusts(&self) -> bool {
        // What a notification says of money is no price of Android's own page.
        let own = self.facts.app.is_system();
        (own || !self.facts.priced && self.on(UiElement::shows_time))
            && self.only_sets()
            && self.stake().is_none()
    }

    /// A slider is drawn as it is pressed: what an opinion says of the one it says of the other. Where money is, one in
    /// the lower part of the page may be what pays; a filter's stands higher.
    pub(crate) fn sets_slider(&self) -> bool {
        let drawn = matches!(self.act.how, How::Pull) && self.act.odds == Odds::Likely;
        drawn
            && self.role(Role::Slider)
            && self.only_sets()
            && !(self.facts.pays() || self.facts.priced && self.low())
    }

    /// One of several amounts side by side (a tip, a top-up), of the same height, above what orders or pays.
    pub(crate) fn is_amount_choice(&self, thing: &UiElement<'a>) -> bool {
        let b = thing.bounds();
        let like = |other: &&UiElement<'a>| {
            let at = other.bounds();
            let apart = at.left >= b.right || at.right <= b.left;
            other.has_amount() && other.takes_presses() && apart && at.top == b.top && at.bottom == b.bottom
        };
        let hands_in = |button: &UiElement<'a>| {
            button.bounds().top >= b.bottom
                && (button.says(w::PAY) || button.says(w::ORDER) || button.says(w::CONFIRM))
        };
        !self.is_wide(thing)
            && self.facts.things.iter().any(|other| like(&other))
            && self.facts.buttons().any(hands_in)
    }
}
