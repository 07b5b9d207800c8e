//! What lies under a finger.

use super::{Page, UiElement, area, encloses, holds, in_column, in_row};
use crate::words as w;
use protocol::{Bounds, ElementState, Role};

/// A text as large as this part of the screen is a page of its own, or a drawing's description.
const LARGE: i64 = 6;

/// More words than these are no mere name of a button.
const NAME: usize = 3;

/// More words than these are no button's.
const BUTTON: usize = 7;

/// Hundredths of the height: a finger that comes down further from words is not drawn along them.
const REACH: i64 = 8;
/// Hundredths of the height: below them a page commits.
const LOW: i64 = 60;

/// What lies under one point.
#[derive(Debug)]
pub(crate) struct HitTest<'p, 'a> {
    /// What takes the press: every thing under the finger that takes presses and holds no other such thing there.
    pub(crate) pressed: Vec<&'p UiElement<'a>>,
    /// What stands around those: it takes the press only where the tree is wrong.
    pub(crate) around: Vec<&'p UiElement<'a>>,
    /// Words under the finger that take no press of their own.
    pub(crate) texts: Vec<&'p UiElement<'a>>,
    /// On the soft keyboard.
    pub(crate) keyboard: bool,
}

impl<'a> Page<'a> {
    pub(crate) fn hit_test(&self, at: (i32, i32)) -> HitTest<'_, 'a> {
        let (takes, texts): (Vec<_>, Vec<_>) = self.under(at).partition(|thing| thing.takes_presses());
        let holds_another =
            |outer: &UiElement<'_>| takes.iter().any(|inner| encloses(outer.bounds(), inner.bounds()));
        let (around, pressed) = takes.iter().copied().partition(|thing| holds_another(thing));
        let texts = texts
            .into_iter()
            .filter(|thing| !thing.is_wordless() && !thing.is(ElementState::Scrollable));
        HitTest {
            pressed,
            around,
            texts: texts.collect(),
            keyboard: self.keyboard_top().is_some_and(|top| at.1 >= top),
        }
    }

    /// Beside every window that was read: in the other half of a split screen, outside a dialog.
    pub(crate) fn is_beside(&self, at: (i32, i32)) -> bool {
        let bounds = self.screen.tree_bounds.filter(|_| self.screen.tree_read);
        bounds.is_some_and(|bounds| !holds(bounds, at))
    }

    /// A finger that goes down and up here presses: both points lie in this thing, or in what is drawn on it.
    pub(crate) fn pressed_by_stroke(&self, from: (i32, i32), to: (i32, i32)) -> Vec<&UiElement<'a>> {
        let both = |thing: &&UiElement<'a>| {
            thing.takes_presses() && holds(thing.bounds(), from) && holds(thing.bounds(), to)
        };
        self.facts().things.iter().filter(both).collect()
    }

    /// Words that were read, and nothing beside: no name of a web page, no description of a drawing.
    pub(crate) fn is_plain(&self, thing: &UiElement<'_>) -> bool {
        !thing.takes_presses() && thing.role() == Role::Text && !self.is_large(thing)
    }

    /// A page of its own, or a drawing.
    pub(crate) fn is_large(&self, thing: &UiElement<'_>) -> bool {
        let screen = i64::from(self.screen.width) * i64::from(self.screen.height);
        area(thing.bounds()) * LARGE > screen
    }

    /// A few words in a web page: its tree does not say what a listener of the whole page does with a press there.
    pub(crate) fn may_be_heard(&self, thing: &UiElement<'_>) -> bool {
        let web =
            |outer: &UiElement<'a>| outer.role() == Role::Web && encloses(outer.bounds(), thing.bounds());
        thing.label.length() <= BUTTON && self.facts().things.iter().any(web)
    }

    /// A stroke sideways moves what it lies in: a pager or a strip of things side by side is around it. Of a pager that is most of the
    /// page that is so for what fills it: apps that have a bar of views often keep it still, and a row or a card that lies in it
    /// may take the stroke; where something is sent or liked, whatever fills it may.
    pub(crate) fn is_leafed(&self, thing: &UiElement<'_>) -> bool {
        let size = |b: Bounds| {
            let side = |from: i32, to: i32| i64::from(to) - i64::from(from);
            (side(b.left, b.right), side(b.top, b.bottom))
        };
        let fills = |area: &UiElement<'a>| {
            let ((width, height), (wide, high)) = (size(area.bounds()), size(thing.bounds()));
            wide * 10 > width * 9 && high * 2 > height && !self.facts().has(&[w::SEND])
        };
        let moves = |area: &UiElement<'a>| !self.is_large(area) || fills(area);
        self.scrollers(thing)
            .any(|area| self.is_sideways(area) && moves(area))
            || self.is_in_strip(thing)
    }

    /// One of several alike side by side, whether or not the tree says that they scroll: pictures of an app, amounts of a tip.
    /// What answers a call or stops an alarm stands so too, lower.
    fn is_in_strip(&self, thing: &UiElement<'_>) -> bool {
        let b = thing.bounds();
        let alike = |other: &UiElement<'a>| {
            let at = other.bounds();
            let size = |b: Bounds| b.right.saturating_sub(b.left);
            let same = other.role() == thing.role() && at.top == b.top && at.bottom == b.bottom;
            same && in_row(at, b) && size(at) == size(b)
        };
        !thing.is_wordless() && !self.is_low(b.bottom) && self.facts().things.iter().any(alike)
    }

    /// Here a stroke sideways moves what was read: something lies there that scrolls so.
    pub(crate) fn is_strip(&self, at: (i32, i32)) -> bool {
        let moves = |thing: &UiElement<'a>| {
            let scrolls = thing.is(ElementState::Scrollable) && thing.role() != Role::Web;
            scrolls && self.is_sideways(thing) || self.is_in_strip(thing)
        };
        self.under(at).any(moves)
    }

    /// Here an upright stroke moves what was read: a web page, or what scrolls and is no pager.
    pub(crate) fn is_column(&self, at: (i32, i32)) -> bool {
        let scrolls =
            |thing: &UiElement<'a>| thing.is(ElementState::Scrollable) && thing.role() != Role::Pager;
        self.under(at)
            .any(|thing| scrolls(thing) || thing.role() == Role::Web)
    }

    /// A large picture that nothing moves, on a page that likes, calls or posts: drawn upwards it does one of these.
    pub(crate) fn is_card(&self, at: (i32, i32)) -> bool {
        let moves = |thing: &UiElement<'a>| thing.is(ElementState::Scrollable) || thing.role() == Role::Web;
        let pictured = |thing: &UiElement<'a>| {
            let is_drawn =
                !matches!(thing.role(), Role::Text | Role::Web) || thing.element.description.is_some();
            is_drawn && self.is_large(thing)
        };
        self.under(at).any(pictured) && !self.under(at).any(moves) && self.facts().has(&[w::SEND])
    }

    /// At the foot of a page, where it commits, something may be drawn upwards: words stand on this line or next to it, of no
    /// thing that takes a press or of a bar, and may say so; or nothing was read there.
    pub(crate) fn may_be_drawn_up(&self, (_, y): (i32, i32)) -> bool {
        let height = i64::from(self.screen.height);
        let reach = height * REACH / 100;
        let near =
            |b: Bounds| (i64::from(b.top) - reach..i64::from(b.bottom) + reach).contains(&i64::from(y));
        let tells = |thing: &UiElement<'a>| {
            let words = thing.label.length();
            let says = self.is_plain(thing) && words > 1 || tells_of_drawing(thing);
            says && words <= NAME + BUTTON && near(thing.bounds())
        };
        let things = &self.facts().things;
        let read = || {
            things
                .iter()
                .any(|thing| self.is_low(thing.bounds().bottom) && !thing.is_wordless())
        };
        self.is_low(y) && (things.iter().any(tells) || !read())
    }

    /// A small thing without words, low on a page that does not scroll there: drawn upwards it may answer a call or open a door.
    pub(crate) fn is_knob(&self, at: (i32, i32)) -> bool {
        let small = |thing: &UiElement<'_>| {
            let b = thing.bounds();
            i64::from(b.right.saturating_sub(b.left)) * 4 <= i64::from(self.screen.width)
        };
        let pressed = self.hit_test(at).pressed;
        let mut knobs = pressed.iter().filter(|thing| thing.is_wordless() && small(thing));
        self.is_low(at.1) && knobs.any(|thing| !self.scrolls_upright(thing))
    }

    fn is_low(&self, y: i32) -> bool {
        i64::from(y) * 100 >= i64::from(self.screen.height) * LOW
    }

    fn under(&self, at: (i32, i32)) -> impl Iterator<Item = &UiElement<'a>> {
        let things = self.facts().things.iter();
        things.filter(move |thing| holds(thing.bounds(), at))
    }

    /// It lies in something larger that an upright stroke moves, as what lies there one below the other tells: a finger that
    /// is drawn up or down does not press it then.
    pub(crate) fn scrolls_upright(&self, thing: &UiElement<'_>) -> bool {
        self.scrollers(thing)
            .any(|area| !self.is_sideways(area) && self.holds_pairs(area, in_column))
    }

    /// A press that is drawn off what takes it is none any more. What is drawn itself has no words, is a slider, or is a bar at the
    /// foot that says in more words what drawing it does.
    pub(crate) fn is_left_by(&self, thing: &UiElement<'_>, to: (i32, i32)) -> bool {
        let drawn = thing.role() == Role::Slider || thing.is_wordless() || tells_of_drawing(thing);
        thing.takes_presses() && !drawn && !holds(thing.bounds(), to)
    }

    /// Two of the things in it lie so.
    fn holds_pairs(&self, area: &UiElement<'_>, lie: fn(Bounds, Bounds) -> bool) -> bool {
        let things = self.facts().things.iter();
        let inside = |one: &&UiElement<'a>| encloses(area.bounds(), one.bounds());
        let inside: Vec<Bounds> = things.filter(inside).map(UiElement::bounds).collect();
        let whole = |one: &&Bounds| !inside.iter().any(|other| encloses(*other, **one));
        let parts: Vec<&Bounds> = inside.iter().filter(whole).collect();
        let mut pairs = parts.iter().flat_map(|a| parts.iter().map(move |b| (**a, **b)));
        pairs.any(|(a, b)| lie(a, b))
    }

    /// By its kind or its shape; a wide list of things one below the other is none, as where the phone is held across.
    fn is_sideways(&self, area: &UiElement<'_>) -> bool {
        let b = area.bounds();
        let is_wide = b.right.saturating_sub(b.left) > 2 * b.bottom.saturating_sub(b.top);
        area.role() == Role::Pager || is_wide && !self.holds_pairs(area, in_column)
    }

    /// What scrolls around it.
    fn scrollers<'s>(&'s self, thing: &'s UiElement<'_>) -> impl Iterator<Item = &'s UiElement<'a>> {
        let around = |other: &&UiElement<'a>| {
            other.is(ElementState::Scrollable) && encloses(other.bounds(), thing.bounds())
        };
        self.facts().things.iter().filter(around)
    }
}

/// A bar at the foot that says in more words than a button has what drawing it does.
fn tells_of_drawing(thing: &UiElement<'_>) -> bool {
    thing.takes_presses() && thing.is_at_foot && thing.label.length() > NAME
}
