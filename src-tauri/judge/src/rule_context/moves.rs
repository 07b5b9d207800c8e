//! What only moves: back, away, to another view, over words.

use super::{RuleContext, stands_after};
use crate::act::How;
use crate::facts::{UiElement, in_column, in_row, level};
use crate::key::Key;
use crate::words::{self as w, Label, Words};
use protocol::{Bounds, ElementState, Role};

/// Hundredths of the height: where the bars at the top end.
const BAR: i64 = 15;
/// What the arrow is called where only its id tells.
const BACK: &str = "back up close cancel exit nav navigation navigate home drawer left arrow";
/// Words of a text that says what a page is for, at most.
const TOLD: usize = 16;

impl<'a> RuleContext<'_, 'a> {
    /// One of several views side by side, one of which is shown; where none is, they are buttons, as is a price.
    pub(crate) fn is_tab(&self) -> bool {
        let shown = |thing: &&UiElement<'a>| thing.role() == Role::Tab && thing.is(ElementState::Selected);
        let in_one_bar = |one: &UiElement<'a>| {
            let mut shown = self.facts.things.iter().filter(shown);
            let one_bar = |a, b| in_row(a, b) || in_column(a, b);
            one.is(ElementState::Selected) || shown.any(|other| one_bar(one.bounds(), other.bounds()))
        };
        self.on(|thing| thing.role() == Role::Tab && !thing.has_amount() && in_one_bar(thing))
    }

    /// The arrow at the beginning of the bar, by its words or by its place.
    pub(crate) fn goes_back(&self) -> bool {
        let Some([left, _, right, bottom]) = self.place() else {
            return false;
        };
        let begins = if self.facts.is_mirrored() {
            left > 75
        } else {
            right < 25
        };
        let only = || {
            let in_bar = |button: &&UiElement<'a>| self.is_in_bar(button) && button.is_called(w::NO);
            !self.facts.buttons().any(|button| in_bar(&button))
        };
        // A check mark or an end of a broadcast stands there as well, and its id says so.
        let unnamed = |thing: &UiElement<'a>| thing.element.resource_id.is_empty() || thing.id_has(BACK);
        let arrow = || self.wordless() && self.on(unnamed) && begins && only() && self.is_beside_title();
        // Beside the arrow, what says no is no second way back: it calls off what the page tells of, or ends it.
        let second = || {
            !begins && self.facts.buttons().any(|button| self.leads_back(button)) && !self.follows_a_field()
        };
        self.icon() && bottom < 12 && (self.is_called(w::NO) && !second() || arrow())
    }

    /// Of two icons without words at both ends of a bar, the arrow is the one whose side the title stands at: the first texts may be
    /// people's names, in whatever script.
    fn is_beside_title(&self) -> bool {
        let Some(arrow) = self.act.on.map(UiElement::bounds) else {
            return false;
        };
        let things = || self.facts.things.iter().filter(|thing| self.is_in_bar(thing));
        let middle = |b: Bounds| i64::from(b.left) + i64::from(b.right);
        let is_left = middle(arrow) < i64::from(self.page.screen.width);
        let titles = || things().filter(|thing| !thing.takes_presses() && !thing.is_wordless());
        let gap = |icon: Bounds, title: Bounds| {
            i64::from(title.left.saturating_sub(icon.right))
                .max(i64::from(icon.left.saturating_sub(title.right)))
        };
        let nearest = |icon: Bounds| titles().map(|title| gap(icon, title.bounds())).min();
        let other = |thing: &&UiElement<'a>| {
            let b = thing.bounds();
            let across = (middle(b) < i64::from(self.page.screen.width)) != is_left;
            thing.is_button() && thing.is_wordless() && across
        };
        let nearer = |thing: &UiElement<'a>| match (nearest(arrow), nearest(thing.bounds())) {
            (Some(own), Some(other)) => own > other,
            _ => false,
        };
        !things().filter(other).any(nearer)
    }

    /// Another button, that stands where a bar begins and says no or nothing.
    pub(super) fn leads_back(&self, button: &UiElement<'a>) -> bool {
        let other = || self.on(|thing| thing.element.index != button.element.index);
        let (b, width) = (button.bounds(), i64::from(self.page.screen.width));
        let begins = if self.facts.is_mirrored() {
            i64::from(b.left) * 100 > width * 75
        } else {
            i64::from(b.right) * 100 < width * 25
        };
        let says = || button.is_called(w::NO) || button.is_wordless();
        self.is_in_bar(button) && begins && says() && other()
    }

    /// It stands where the writing of a field ends.
    fn follows_a_field(&self) -> bool {
        let fields = || self.facts.things.iter().filter(|thing| thing.is_field());
        self.on(|thing| fields().any(|field| stands_after(thing, field.bounds())))
    }

    /// Its whole word opens what only shows, where such buttons stand: in a bar at the top, or on the line of a field. "Start"
    /// is home in one language and begins something in another, so a word that says a deed in any opens nothing.
    pub(crate) fn opens(&self) -> bool {
        let high = || self.place().is_some_and(|[_, _, _, bottom]| bottom <= BAR);
        let beside = || {
            let fields = || self.facts.things.iter().filter(|thing| thing.is_field());
            self.on(|thing| fields().any(|field| level(field.bounds(), thing.bounds())))
        };
        self.is_called(w::OPENS) && !self.names_deed() && (high() || beside())
    }

    /// An arrow sets what has a value: stars, a slider, whatever a web page draws. Elsewhere it moves the focus, as TAB does.
    pub(crate) fn steps(&self) -> bool {
        let stays = |thing: &UiElement<'a>| {
            let scrolls = thing.is(ElementState::Scrollable) && thing.role() != Role::Web;
            thing.is_field()
                || thing.is_toggle()
                || thing.is_button() && thing.role() != Role::Slider
                || scrolls
        };
        let arrow = matches!(self.act.how, How::Key(key) if key.is_arrow());
        let row = |thing: &UiElement<'a>| thing.is_row() || thing.role() == Role::Tab;
        arrow && self.on(|thing| !stays(thing) && !row(thing))
    }

    /// A page that pays and takes no press is at work: who leaves it breaks the payment off.
    pub(crate) fn breaks_off(&self) -> bool {
        let back = matches!(self.act.how, How::Key(key) if key == Key::BACK);
        back && self.facts.pays() && !self.facts.things.iter().any(UiElement::takes_presses)
    }

    /// Where what commits a page stands.
    fn is_in_last_quarter(&self, thing: &UiElement<'a>) -> bool {
        i64::from(thing.bounds().top) * 100 >= i64::from(self.page.screen.height) * 75
    }

    /// It takes back what is looked for: the first button, a small one, where the writing of a search field ends that has the
    /// caret.
    pub(crate) fn clears_search(&self) -> bool {
        let Some(thing) = self.act.on else {
            return false;
        };
        let beside = |button: &UiElement<'a>, field: &UiElement<'a>| stands_after(button, field.bounds());
        let first = |field: &UiElement<'a>| {
            let after = self.facts.buttons().filter(|button| beside(button, field));
            let first = after.min_by_key(|button| button.bounds().left);
            first.is_some_and(|first| first.element.index == thing.element.index)
        };
        let written = |field: &&UiElement<'a>| {
            self.looks_up(field) && field.is(ElementState::Focused) && field.draft().is_some()
        };
        self.icon() && self.facts.things.iter().filter(written).any(first)
    }

    /// In the bar at the top.
    fn is_in_bar(&self, thing: &UiElement<'a>) -> bool {
        i64::from(thing.bounds().bottom) * 100 < i64::from(self.page.screen.height) * 12
    }

    /// One of several on a form that has a button of its own.
    pub(crate) fn chooses_in_form(&self) -> bool {
        // "Follow" and "Like" beside it send something else: what sends the page stands at its foot.
        let below = |button: &UiElement<'a>| self.on(|one| button.bounds().top >= one.bounds().bottom);
        let sends = |button: &UiElement<'a>| button.says(w::SEND) && button.is_at_foot && below(button);
        // A form has nothing else to press between what is chosen and the button: "Join" under a list of films is not about the
        // question above them.
        let apart = |button: &UiElement<'a>| {
            let between = |thing: &UiElement<'a>| {
                let choice = thing.is_toggle() || matches!(thing.role(), Role::Radio | Role::Checkbox);
                let pressed = thing.takes_presses() && !choice && !thing.is_field() && self.is_wide(thing);
                pressed && below(thing) && thing.bounds().bottom <= button.bounds().top
            };
            self.facts.things.iter().any(between)
        };
        let hands_in = |button: &UiElement<'a>| {
            let commits = || button.says(w::YES) || button.says(w::PAY);
            // In a bar, or below: "Join" beside a group and "Pay bill" beside a card are about those.
            let ends = || (self.is_wide(button) || self.is_in_last_quarter(button)) && !apart(button);
            let placed = || self.facts.dialog || self.is_in_bar(button) || below(button) && ends();
            sends(button) || commits() && placed() && !button.says(w::SEND)
        };
        let chosen = self.role(Role::Radio) || self.role(Role::Checkbox);
        chosen
            && !self.wordless()
            && !self.names_known_deed()
            && !self.facts.titled(w::SEND)
            && self
                .facts
                .buttons()
                .any(|button| !button.is_row() && hands_in(button) && !self.sends_what_is_written(button))
    }

    /// It stands where the writing of a field ends, and sends that.
    fn sends_what_is_written(&self, button: &UiElement<'a>) -> bool {
        self.facts
            .fields()
            .any(|field| stands_after(button, field.bounds()))
    }

    /// A password agrees to more here than to being somebody: something is deleted, erased or granted by it.
    pub(crate) fn agrees_by_secret(&self) -> bool {
        const MORE: &[Words] = &[
            w::DELETE,
            w::RESET,
            w::FORMAT,
            w::PROTECTION,
            w::SPECIAL,
            w::ADMIN,
        ];
        let short = |text: &&Label| text.length() <= TOLD;
        let told = |words: &Words| {
            self.facts
                .statements
                .iter()
                .filter(short)
                .any(|text| words.mentioned(text))
        };
        let asked = || self.facts.asks && self.facts.is_about(w::PERMISSION_TOPIC);
        let offered = || self.facts.has(MORE) || self.facts.has(&[w::PAY, w::GRANT]) || asked();
        MORE.iter().any(told) || !self.is_sign_in() && offered()
    }

    /// What is handed in here says who somebody is: its button signs in. "Reset your password" and "Enable Face ID" stand beside
    /// it.
    pub(crate) fn is_sign_in(&self) -> bool {
        self.facts
            .hands_in()
            .is_some_and(|button| button.says(w::SIGN_IN))
    }

    /// Text only, on a page that was read: nothing there takes a press.
    pub(crate) fn told_only(&self) -> bool {
        let plain = |thing: &UiElement<'a>| self.page.is_plain(thing) && !self.page.may_be_heard(thing);
        self.press() && self.on(plain) && self.stake().is_none()
    }

    /// Nobody could read the page, and the person allowed touching it all the same.
    pub(crate) fn blind_allowed(&self) -> bool {
        let unread = !self.facts.read && self.act.on.is_none();
        let touches = matches!(self.act.how, How::Blind | How::Type(_) | How::NoField);
        unread && touches && self.case.is_blind_allowed(self.page)
    }
}
