//! What inputs come down to on a screen: things pressed, held, drawn, written in.

use crate::facts::{App, Page, UiElement};
use crate::input::Input;
use crate::key::{Effect, Key};
use protocol::{Bounds, ElementState, Role};

/// Android takes a finger for a long press after 400 to 500 ms; one let go of sooner may be a press yet. In milliseconds.
const LONG: u64 = 600;
/// What is held at least so long is held. In milliseconds.
const HELD: u64 = 400;
/// A finger wanders 8 dp before it draws anything: a stroke this short may be a press still. In pixels.
const SLOP: i32 = 48;
/// Of this many parts of the shorter side, Android's touch slop of 8 dp is less than one: no screen is narrower than a watch's
/// 160 dp.
const NARROWEST: u32 = 8;

/// One thing that is done to one thing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Act<'p, 'a> {
    pub(crate) how: How<'p>,
    /// What it is done to; the field, of typing.
    pub(crate) on: Option<&'p UiElement<'a>>,
    pub(crate) odds: Odds,
    /// Where the finger of a stroke came down; none for whatever is no stroke.
    pub(crate) from: Option<(i32, i32)>,
}

/// Whether it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Odds {
    Likely,
    /// Only where the tree is wrong or a stroke slips: it is enough that nothing is found in it.
    Unlikely,
    /// A scroll begins on it. What a press of it does is no matter then.
    Passing,
}

/// How.
#[derive(Clone, Copy, Debug)]
pub(crate) enum How<'p> {
    /// Pressed once, by a finger or a key.
    Press,
    /// Pressed twice.
    Twice,
    /// Held.
    Hold,
    /// Drawn from where it stands.
    Pull,
    /// Something that was picked up is let go on it.
    Drop,
    /// Pressed, where nobody knows what lies.
    Blind,
    /// A stroke that presses nothing; whether it goes up or down.
    Scroll(bool),
    /// Text is written in it.
    Type(&'p str),
    /// A character is taken away.
    Clear,
    /// Everything written in it is taken away.
    Empty,
    /// More than a character of it is marked: what comes next takes that away.
    Mark,
    /// What was copied is put in.
    Paste,
    /// ENTER in it; `true` with CTRL.
    Enter(bool),
    /// A key that does something by itself.
    Key(Key),
    /// There is no field to write in.
    NoField,
    /// What needs no screen.
    Other(&'p Input),
}

/// What has the focus when an input comes.
#[derive(Clone, Copy, Debug)]
enum Focus<'p, 'a> {
    On(&'p UiElement<'a>),
    Nothing,
    Unknown,
}

/// Everything the inputs come down to, one after the other on the same screen.
pub(crate) fn acts<'p, 'a>(inputs: &'p [Input], page: &'p Page<'a>) -> Vec<Act<'p, 'a>> {
    let facts = page.facts();
    let focused = facts.things.iter().find(|thing| thing.is(ElementState::Focused));
    let mut lower = Lower {
        page,
        acts: Vec::new(),
        focus: match focused {
            Some(thing) => Focus::On(thing),
            None if facts.read && !page.screen.keyboard_shown => Focus::Nothing,
            None => Focus::Unknown,
        },
        from: None,
    };
    for input in inputs {
        lower.input(input);
    }
    lower.acts
}

struct Lower<'p, 'a> {
    page: &'p Page<'a>,
    acts: Vec<Act<'p, 'a>>,
    focus: Focus<'p, 'a>,
    /// Where the stroke began that is gone through.
    from: Option<(i32, i32)>,
}

/// Hundredths of the screen at its rim that are Android's own.
const RIM: i64 = 3;
/// The same at the foot, where what commits stands close.
const FOOT_RIM: i64 = 2;

impl<'p, 'a> Lower<'p, 'a> {
    fn input(&mut self, input: &'p Input) {
        match input {
            Input::Tap { at } => self.touch(How::Press, *at),
            Input::DoubleTap { at } => {
                self.touch(How::Press, *at);
                self.touch(How::Twice, *at);
            }
            Input::Hold { at, ms } => self.hold(*at, *ms),
            Input::Swipe { from, to, ms } => self.stroke(*from, *to, *ms),
            Input::Drag { from, to, .. } => {
                self.stroke(*from, *to, LONG);
                self.touch(How::Hold, *from);
                self.touch(How::Drop, *to);
            }
            Input::Text(text) => self.text(text.as_str()),
            Input::ClearText => self.write(How::Empty),
            Input::Replace(text) => {
                self.write(How::Empty);
                self.text(text.as_str());
            }
            Input::Key(key) => self.key(*key, false),
            Input::Chord(keys) => {
                let control = keys.iter().any(|key| key.is_control());
                if Key::copies(keys) {
                    return self.push(How::Key(Key::COPY), None);
                }
                if Key::paste(keys) {
                    self.write(How::Paste);
                }
                if let (true, Focus::On(field)) = (Key::marks(keys), self.focus)
                    && field.is_field()
                {
                    return self.push(How::Mark, Some(field));
                }
                let pressed = keys.iter().filter(|key| key.effect() != Effect::Modifies);
                pressed.for_each(|key| self.key(*key, control));
                if keys.iter().all(|key| key.effect() == Effect::Modifies) {
                    keys.iter().for_each(|key| self.push(How::Key(*key), None));
                }
            }
            other => self.push(How::Other(other), None),
        }
    }

    fn push(&mut self, how: How<'p>, on: Option<&'p UiElement<'a>>) {
        let (odds, from) = (Odds::Likely, self.from);
        self.acts.push(Act { how, on, odds, from });
    }

    fn perhaps(&mut self, odds: Odds, how: How<'p>, on: &'p UiElement<'a>) {
        let (on, from) = (Some(on), self.from);
        self.acts.push(Act { how, on, odds, from });
    }

    /// A finger that stays at one place: a press, where it is let go of too soon for a long press or on what takes none.
    fn hold(&mut self, at: (i32, i32), ms: u64) {
        let pressed = self.page.hit_test(at).pressed;
        let takes = |thing: &&UiElement<'a>| thing.is(ElementState::LongClickable);
        if ms < LONG || pressed.is_empty() || !pressed.iter().all(takes) {
            self.touch(How::Press, at);
        }
        self.touch(How::Hold, at);
    }

    /// A finger at one place.
    fn touch(&mut self, how: How<'p>, at: (i32, i32)) {
        let page = self.page;
        let hit = page.hit_test(at);
        let keyed = hit.keyboard;
        let known = hit.pressed.iter().any(|thing| thing.role() == Role::KeyboardKey);
        for thing in &hit.pressed {
            self.push(how, Some(thing));
        }
        for thing in &hit.around {
            self.perhaps(Odds::Unlikely, how, thing);
        }
        // What only names what is drawn there does not tell what lies under the finger.
        let is_told = |thing: &&UiElement<'a>| hit.pressed.is_empty() && page.is_plain(thing);
        let told: Vec<_> = hit.texts.iter().copied().filter(is_told).collect();
        for thing in &hit.texts {
            let odds = if is_told(thing) {
                Odds::Likely
            } else {
                Odds::Unlikely
            };
            self.perhaps(odds, how, thing);
        }
        // A key nobody can name writes, and in the corner is the one that sends.
        if keyed && !known {
            let screen = page.screen;
            let last = |n: i32, of: u32, parts: i64| i64::from(n) * parts >= i64::from(of) * (parts - 1);
            if hit.pressed.is_empty() || last(at.0, screen.width, 5) && last(at.1, screen.height, 8) {
                self.key(Key::ENTER, false);
            }
            self.write(How::Type("0"));
        } else if hit.pressed.is_empty() && told.is_empty() {
            self.push(How::Blind, None);
        }
        self.focus = match hit.pressed.iter().find(|thing| thing.is_field()) {
            Some(field) => Focus::On(field),
            None if keyed => self.focus,
            None => Focus::Unknown,
        };
    }

    /// A finger drawn from one place to another.
    fn stroke(&mut self, from: (i32, i32), to: (i32, i32), ms: u64) {
        let page = self.page;
        self.from = Some(from);
        let (right, down) = (to.0.saturating_sub(from.0), to.1.saturating_sub(from.1));
        let hit = page.hit_test(from);
        let height = i64::from(page.screen.height);
        let upright =
            i64::from(down).abs() > 2 * i64::from(right).abs() && i64::from(down).abs() * 20 >= height;
        // From the lowest rim Android's own gesture goes home, whatever the app draws there.
        if upright && down < 0 && i64::from(from.1) * 100 >= height * (100 - FOOT_RIM) {
            self.from = None;
            return self.push(How::Key(Key::HOME), None);
        }
        let shorter = page.screen.width.min(page.screen.height);
        let slop = SLOP.min(i32::try_from(shorter / NARROWEST).unwrap_or(SLOP));
        if right.abs().max(down.abs()) < slop {
            self.hold(from, ms);
        }
        // A finger so slow that it is on a thing for as long as one that holds it does hold it, unless a scroll takes it first.
        let taken = |thing: &UiElement<'a>| match upright {
            true => page.scrolls_upright(thing),
            false => page.is_leafed(thing),
        };
        for thing in hit.pressed.iter().filter(|thing| !taken(thing)) {
            if stays(thing.bounds(), slop, from, to, ms) >= HELD {
                self.push(How::Hold, Some(thing));
            }
        }
        let mut any = false;
        for thing in page.pressed_by_stroke(from, to) {
            any = true;
            let around = hit.around.iter().any(|outer| std::ptr::eq(*outer, thing));
            if around || upright && page.scrolls_upright(thing) {
                self.perhaps(Odds::Unlikely, How::Press, thing);
            } else {
                self.push(How::Press, Some(thing));
            }
        }
        // What is drawn aside may be sent, called or thrown away by it: pages and pictures are leafed through.
        let drawn = hit
            .pressed
            .iter()
            .chain(&hit.texts)
            .map(|thing| (Odds::Likely, thing));
        let around = hit.around.iter().map(|thing| (Odds::Unlikely, thing));
        for (odds, thing) in drawn.chain(around) {
            let odds = match upright {
                // A list does not move under a knob that goes up and down.
                true if is_upright_slider(thing) => odds,
                true if page.scrolls_upright(thing) || page.is_left_by(thing, to) => Odds::Passing,
                true => Odds::Unlikely,
                false if page.is_leafed(thing) => Odds::Passing,
                false => odds,
            };
            self.perhaps(odds, How::Pull, thing);
        }
        if !any {
            // Something that nobody read may be as wide as the stroke: both its ends press it.
            let beside = page.is_beside(from) && page.is_beside(to);
            if beside || !self.only_scrolls(from, to, upright) {
                self.push(How::Blind, None);
            }
            if !beside {
                self.push(How::Scroll(upright), None);
            }
        }
        self.focus = Focus::Unknown;
        self.from = None;
    }

    /// A stroke moves what scrolls its way. Where nothing does, what is drawn there may be a knob that no tree tells of: it
    /// likes, starts a ride, pays. Upright that is so where one is called, and at the foot of a page that pays, where words that nobody
    /// knows may say "swipe up to pay", but down to refresh; other pages are moved to see whether they go on. Android's own pages are, and what begins at the rim is Android's: it goes back, or draws the
    /// notifications down.
    fn only_scrolls(&self, from: (i32, i32), to: (i32, i32), upright: bool) -> bool {
        let facts = self.page.facts();
        let screen = self.page.screen;
        let share = |at: i32, of: u32| i64::from(at) * 100 / i64::from(of.max(1));
        let rim = match upright {
            true => share(from.1, screen.height) < RIM,
            false => !(RIM..=100 - RIM).contains(&share(from.0, screen.width)),
        };
        let refreshes = upright && to.1 > from.1 && facts.app != App::Dialer;
        let own = rim || refreshes || matches!(facts.app, App::Launcher | App::System);
        let pays = || facts.app == App::Bank || facts.pays();
        let left = |thing: &&UiElement<'a>| self.page.is_left_by(thing, to);
        let unread = || {
            let pressed = self.page.hit_test(from).pressed;
            !pressed.iter().any(left) && self.page.may_be_drawn_up(from)
        };
        let is_drawn = || self.page.is_card(from) || self.page.is_knob(from);
        let acts = || facts.app == App::Dialer || pays() && unread() || is_drawn();
        own || match upright {
            true => !acts() || self.page.is_column(from),
            false => self.page.is_strip(from),
        }
    }

    fn text(&mut self, text: &'p str) {
        match self.focus {
            Focus::On(field) if field.is_field() => self.push(How::Type(text), Some(field)),
            Focus::Nothing => self.push(How::NoField, None),
            // Characters are keys where no field takes them: a space presses what has the focus.
            Focus::On(_) | Focus::Unknown => {
                if text.contains(' ') {
                    self.key(Key::SPACE, false);
                }
                self.push(How::Type(text), None);
            }
        }
    }

    fn write(&mut self, how: How<'p>) {
        match self.focus {
            Focus::On(field) if field.is_field() => self.push(how, Some(field)),
            Focus::Nothing => self.push(How::NoField, None),
            Focus::On(_) | Focus::Unknown => self.push(how, None),
        }
    }

    fn key(&mut self, key: Key, control: bool) {
        let in_field = matches!(self.focus, Focus::On(field) if field.is_field());
        match key.effect() {
            Effect::Confirms if key == Key::SPACE && in_field => self.write(How::Type(" ")),
            Effect::Confirms => self.confirm(control),
            Effect::Writes | Effect::Plays | Effect::Calls | Effect::HangsUp if control => {
                self.push(How::Key(key), None)
            }
            // Where no field takes it, a dialer does.
            Effect::Writes => {
                self.push(How::Key(key), None);
                if !matches!(self.focus, Focus::Nothing) {
                    self.write(How::Type("0"));
                }
            }
            Effect::Deletes => {
                if !in_field {
                    self.push(How::Key(key), None);
                }
                self.write(How::Clear);
            }
            Effect::Pastes => self.write(How::Paste),
            Effect::Focuses => {
                self.push(How::Key(key), focused(self.focus));
                self.focus = Focus::Unknown;
            }
            _ => self.push(How::Key(key), None),
        }
    }

    /// What has the focus is pressed; with the focus nobody knows where, everything may be.
    fn confirm(&mut self, control: bool) {
        let facts = self.page.facts();
        match self.focus {
            Focus::On(field) if field.is_field() => {
                self.push(How::Enter(control), Some(field));
                // In a letter a line is broken; a form is handed in, by the button below it.
                let is_letter = self.page.is_letter();
                let button = facts
                    .hands_in()
                    .filter(|button| !button.is_row() && !is_letter && !field.is_search());
                if button.is_some() {
                    self.push(How::Press, button);
                } else if is_letter || facts.fields().count() == 1 || self.page.has_lines(field) {
                    return;
                }
            }
            Focus::On(thing) => {
                self.push(How::Press, Some(thing));
                // A terminal or a game takes the key itself.
                if self.page.is_large(thing) {
                    self.push(How::Key(Key::ENTER), None);
                }
            }
            Focus::Nothing | Focus::Unknown => {
                let things = self
                    .page
                    .facts()
                    .things
                    .iter()
                    .filter(|thing| thing.takes_presses());
                for thing in things {
                    let how = if thing.is_field() {
                        How::Enter(control)
                    } else {
                        How::Press
                    };
                    self.perhaps(Odds::Unlikely, how, thing);
                }
                self.push(How::Key(Key::ENTER), None);
            }
        }
        self.focus = Focus::Unknown;
    }
}

fn is_upright_slider(thing: &UiElement<'_>) -> bool {
    let b = thing.bounds();
    thing.role() == Role::Slider && b.bottom.saturating_sub(b.top) > b.right.saturating_sub(b.left)
}

fn focused<'p, 'a>(focus: Focus<'p, 'a>) -> Option<&'p UiElement<'a>> {
    match focus {
        Focus::On(thing) => Some(thing),
        Focus::Nothing | Focus::Unknown => None,
    }
}

/// How long a finger that is drawn evenly is within so many pixels of a rectangle that it came down in, in milliseconds.
fn stays(b: Bounds, slop: i32, from: (i32, i32), to: (i32, i32), ms: u64) -> u64 {
    let leaves = |from: i32, to: i32, least: i32, most: i32| {
        let by = i64::from(to) - i64::from(from);
        let room = if by < 0 {
            i64::from(from) - i64::from(least)
        } else {
            i64::from(most) - i64::from(from)
        };
        let way = (room + i64::from(slop)).max(0).unsigned_abs();
        match by.unsigned_abs() {
            by if by > way => u128::from(ms) * u128::from(way) / u128::from(by),
            _ => u128::from(ms),
        }
    };
    let (across, along) = (
        leaves(from.0, to.0, b.left, b.right),
        leaves(from.1, to.1, b.top, b.bottom),
    );
    u64::try_from(across.min(along)).unwrap_or(ms)
}
