//! The soft keyboard: a QWERTY of Android's size, with an action key named for the field it serves.

use super::world::World;
use crate::toolkit::color::Color;
use crate::toolkit::memory::Memory;
use crate::toolkit::text::Align;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    Content, CrossAxisAlignment, ImeAction, InputKind, MainAxisAlignment, View, column, gap, icon, row,
    stack, text,
};
use lucide_icons::Icon;

/// A key of the soft keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Character(char),
    Shift,
    Delete,
    Enter,
    Page(Page),
    /// Puts the keyboard away.
    Hide,
}

/// Which characters the keys have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Page {
    #[default]
    Letters,
    Symbols,
    More,
    Numbers,
}

/// What the field wants of the keyboard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Purpose {
    kind: InputKind,
    action: ImeAction,
}

/// The soft keyboard as it stands.
#[derive(Debug, Default)]
pub(super) struct Keyboard {
    pub(super) up: bool,
    pub(super) shift: bool,
    pub(super) page: Page,
    purpose: Purpose,
    pub(super) memory: Memory,
}

impl Keyboard {
    /// Stands for a field. True: it looks otherwise now.
    pub(super) fn serve(&mut self, purpose: Purpose) -> bool {
        if self.purpose == purpose {
            return false;
        }
        self.purpose = purpose;
        self.shift = false;
        self.page = if purpose.kind == InputKind::Number {
            Page::Numbers
        } else {
            Page::Letters
        };
        true
    }
}

/// What a view wants of the keyboard, if it is one that takes text.
pub(super) fn purpose(content: &Content) -> Option<Purpose> {
    match content {
        Content::Field(field) => Some(Purpose {
            kind: field.kind,
            action: field.action,
        }),
        _ => None,
    }
}

/// What a screen on its side keeps above the keyboard, in dp: the status bar, a title and two lines to write in.
const KEPT: f32 = 184.0;

/// Height in dp, gesture bar included. On its side, no more than leaves a screen room to write in.
pub(super) fn height(world: &World) -> f32 {
    if world.is_wide() {
        (world.height() - KEPT).clamp(120.0, 194.0)
    } else {
        276.0
    }
}

/// What is above and below the keys of a keyboard on its side, in dp.
const AROUND: f32 = 34.0;

struct KeyboardLayout<'a> {
    theme: &'a Theme,
    keyboard: &'a Keyboard,
    key_height: f32,
}

impl KeyboardLayout<'_> {
    fn cap(&self) -> Color {
        if self.theme.dark {
            Color::rgb(0x3A3942)
        } else {
            Color::WHITE
        }
    }

    fn quiet(&self) -> Color {
        if self.theme.dark {
            Color::rgb(0x2A2932)
        } else {
            Color::rgb(0xDBD7E6)
        }
    }

    fn face(&self, view: View, fill: Color, weight: f32, key: Key) -> View {
        let cap = stack([view])
            .cross(CrossAxisAlignment::Center)
            .main(MainAxisAlignment::Center)
            .fill(fill)
            .radius(7.0)
            .wide()
            .grow();
        // What is touched is larger than what is drawn: no finger falls between two keys.
        let mut target = column([cap])
            .pad_xy(2.5, 4.0)
            .height(self.key_height)
            .click(key)
            .press(Color::BLACK.alpha(0.0));
        target.shape.grow = weight;
        target.shape.shrink = true;
        target
    }

    fn letter(&self, c: char) -> View {
        let c = if self.keyboard.shift && self.keyboard.page == Page::Letters {
            c.to_ascii_uppercase()
        } else {
            c
        };
        let label = text(c.to_string(), 22.0, self.theme.text).align(Align::Center);
        self.face(label, self.cap(), 1.0, Key::Character(c))
    }

    fn sign(&self, sign: Icon, weight: f32, key: Key) -> View {
        self.face(icon(sign, 22.0, self.theme.text), self.quiet(), weight, key)
    }

    fn word(&self, word: &str, weight: f32, key: Key) -> View {
        self.face(text(word, 15.0, self.theme.text), self.quiet(), weight, key)
    }

    fn letters(&self, characters: &str) -> Vec<View> {
        characters.chars().map(|c| self.letter(c)).collect()
    }

    fn action(&self, weight: f32) -> View {
        let sign = match self.keyboard.purpose.action {
            ImeAction::Enter => Icon::CornerDownLeft,
            ImeAction::Go => Icon::ArrowRight,
            ImeAction::Search => Icon::Search,
            ImeAction::Send => Icon::SendHorizontal,
            ImeAction::Next => Icon::ArrowRightToLine,
            ImeAction::Done => Icon::Check,
        };
        let face = icon(sign, 22.0, self.theme.on_accent);
        self.face(face, self.theme.accent, weight, Key::Enter)
    }

    fn line(&self, keys: Vec<View>) -> View {
        row(keys).wide().pad_xy(3.0, 0.0)
    }

    // A row of letters that begins half a key further in.
    fn indented(&self, characters: &str) -> View {
        let side = || {
            let mut side = gap(0.0);
            side.shape.grow = 0.5;
            side
        };
        let mut keys = vec![side()];
        keys.extend(self.letters(characters));
        keys.push(side());
        self.line(keys)
    }

    fn third(&self, first: View, characters: &str) -> View {
        let mut keys = vec![first];
        keys.extend(self.letters(characters));
        keys.push(self.sign(Icon::Delete, 1.5, Key::Delete));
        self.line(keys)
    }

    fn last(&self, page: &str, to: Page) -> View {
        let mut keys = vec![self.word(page, 1.5, Key::Page(to))];
        let address = self.keyboard.purpose.kind == InputKind::Address;
        keys.push(self.letter(if address { '/' } else { ',' }));
        keys.push(self.face(
            text(" ", 15.0, self.theme.text),
            self.cap(),
            5.0,
            Key::Character(' '),
        ));
        keys.push(self.letter('.'));
        keys.push(self.action(1.5));
        self.line(keys)
    }

    fn rows(&self) -> Vec<View> {
        let shift = if self.keyboard.shift {
            Icon::ArrowBigUpDash
        } else {
            Icon::ArrowBigUp
        };
        match self.keyboard.page {
            Page::Letters => vec![
                self.line(self.letters("qwertyuiop")),
                self.indented("asdfghjkl"),
                self.third(self.sign(shift, 1.5, Key::Shift), "zxcvbnm"),
                self.last("?123", Page::Symbols),
            ],
            Page::Symbols => vec![
                self.line(self.letters("1234567890")),
                self.line(self.letters("@#$_&-+()/")),
                self.third(self.word("=\\<", 1.5, Key::Page(Page::More)), "*\"':;!?"),
                self.last("ABC", Page::Letters),
            ],
            Page::More => vec![
                self.line(self.letters("~`|•√π÷×§∆")),
                self.line(self.letters("£€¥^°={}\\%")),
                self.third(self.word("?123", 1.5, Key::Page(Page::Symbols)), "©®™<>[]"),
                self.last("ABC", Page::Letters),
            ],
            Page::Numbers => vec![
                self.line([self.letters("123"), vec![self.letter('-')]].concat()),
                self.line(
                    [
                        self.letters("456"),
                        vec![self.face(gap(1.0), self.quiet(), 1.0, Key::Character(' '))],
                    ]
                    .concat(),
                ),
                self.line(
                    [
                        self.letters("789"),
                        vec![self.sign(Icon::Delete, 1.0, Key::Delete)],
                    ]
                    .concat(),
                ),
                self.line(vec![
                    self.word("ABC", 1.0, Key::Page(Page::Letters)),
                    self.letter('0'),
                    self.letter('.'),
                    self.action(1.0),
                ]),
            ],
        }
    }
}

/// `spelt`: letters the keyboard holds and the field has not.
pub(super) fn view(keyboard: &Keyboard, world: &World, spelt: &str) -> View {
    let theme = &world.theme;
    let key_height = if world.is_wide() {
        (height(world) - AROUND) / 4.0
    } else {
        57.0
    };
    let layout = KeyboardLayout {
        theme,
        keyboard,
        key_height,
    };
    let mut rows = layout.rows();
    let hide = stack([icon(Icon::ChevronDown, 22.0, theme.text_2)])
        .pad_each(26.0, 2.0, 26.0, 2.0)
        .click(Key::Hide);
    rows.push(
        row([hide, text(spelt, 15.0, theme.text)])
            .height(if world.is_wide() { 28.0 } else { 32.0 })
            .wide(),
    );
    column(rows).pad_each(0.0, 6.0, 0.0, 0.0).fill(background(theme))
}

pub(super) fn background(theme: &Theme) -> Color {
    if theme.dark {
        Color::rgb(0x1D1C22)
    } else {
        Color::rgb(0xEEEBF5)
    }
}
