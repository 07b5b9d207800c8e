//! Keyboards that compose: what is typed is theirs before it is the field's, also by keys from outside.
//!
//! Two of them. One corrects, as vendors' Latin keyboards do (Samsung's): letters stand in the field as a composing span;
//! a blank or a mark behind a known slip puts the right word in its place, a second blank makes a full stop of the first,
//! and of a fast run of keys it loses letters. The other spells Chinese, as `packages/inputmethods/PinyinIME` (`PinyinIME.java`: `processKey`,
//! `processStateInput`) does: letters stand in the keyboard's own window, small ones all of them, until a blank chooses
//! what they spell, ENTER takes them as they are, or BACK forgets them.
//!
//! Neither composes a password, a number or an address. Slips and spellings known here are a few of theirs; which
//! letters are lost is invented: it differs from phone to phone and from run to run.

use super::System;
use super::window_stack::LayerKind;
use super::world::World;
use crate::android::CompositionMode;
use crate::toolkit::memory::{Caret, NodeKey};
use crate::toolkit::view::{Field, InputKind};

/// Of the letters of a run of keys, every so many-th is lost.
const LOST: u32 = 7;
/// `PinyinDecoderService.PY_STRING_MAX`: what is spelt at once is no longer.
const SPELT: usize = 28;
const SLIPS: [(&str, &str); 8] = [
    ("adn", "and"),
    ("dont", "don't"),
    ("i", "I"),
    ("im", "I'm"),
    ("jsut", "just"),
    ("recieve", "receive"),
    ("teh", "the"),
    ("thier", "their"),
];
/// What a syllable's first candidate is, the longest first; a lone letter stands for a word that begins with it.
const SYLLABLES: [(&str, &str); 42] = [
    ("zhong", "中"),
    ("shang", "上"),
    ("dian", "点"),
    ("guo", "国"),
    ("hao", "好"),
    ("men", "们"),
    ("mian", "面"),
    ("bao", "包"),
    ("niu", "牛"),
    ("nai", "奶"),
    ("wan", "晚"),
    ("xie", "谢"),
    ("bu", "不"),
    ("de", "的"),
    ("he", "和"),
    ("le", "了"),
    ("li", "里"),
    ("ma", "吗"),
    ("ni", "你"),
    ("shi", "是"),
    ("ta", "他"),
    ("wo", "我"),
    ("a", "啊"),
    ("b", "吧"),
    ("c", "才"),
    ("d", "的"),
    ("e", "额"),
    ("f", "放"),
    ("g", "个"),
    ("h", "和"),
    ("j", "就"),
    ("k", "看"),
    ("l", "了"),
    ("m", "吗"),
    ("n", "你"),
    ("o", "哦"),
    ("p", "跑"),
    ("q", "去"),
    ("r", "人"),
    ("s", "是"),
    ("t", "他"),
    ("w", "我"),
];

impl CompositionMode {
    /// Its name among the input methods.
    pub(super) fn id(self) -> &'static str {
        match self {
            Self::Corrects => "com.samsung.android.honeyboard/.service.HoneyBoardService",
            Self::Spells => "com.android.inputmethod.pinyin/.PinyinIME",
        }
    }

    /// Whose window it is.
    pub(super) fn package(self) -> &'static str {
        match self {
            Self::Corrects => "com.samsung.android.honeyboard",
            Self::Spells => "com.android.inputmethod.pinyin",
        }
    }
}

/// What is being composed, and for what: a field that is another by now takes nothing more of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Composition {
    pub(super) letters: String,
    place: Option<FieldState>,
    /// Letters of the run of keys that goes on.
    run: u32,
}

/// A field as it stood.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FieldState {
    node: Option<NodeKey>,
    text: String,
    caret: usize,
}

impl World {
    /// The keyboard that composes, while it is the chosen one.
    pub(super) fn composes(&self) -> Option<CompositionMode> {
        let chosen = self.settings.get("secure", "default_input_method");
        self.composing.filter(|composing| chosen == Some(composing.id()))
    }
}

impl System {
    /// Installs such a keyboard and chooses it; or takes it away, and the phone's own is chosen again.
    pub(super) fn choose_composing(&mut self, composing: Option<CompositionMode>) {
        let latin = super::adb_keyboard::LATIN;
        self.world.composing = composing;
        let chosen = composing.map_or(latin, CompositionMode::id);
        let enabled = match composing {
            Some(composing) => format!("{latin}:{}", composing.id()),
            None => latin.to_owned(),
        };
        for (name, value) in [
            ("default_input_method", chosen),
            ("enabled_input_methods", &enabled),
        ] {
            self.world.settings.put("secure", name, Some(value));
        }
        self.held = Composition::default();
        self.change();
    }

    /// Keys come in a run from here on.
    pub(super) fn begin_run(&mut self) {
        self.held.run = 0;
    }

    /// One character by a key; `fast`, where it is one of a run.
    pub(super) fn key_in(&mut self, character: char, fast: bool) {
        let field = self.composed_field();
        self.forget_elsewhere(field.as_ref());
        match (self.world.composes(), field) {
            (Some(CompositionMode::Corrects), Some(_)) => self.correct(character, fast),
            (Some(CompositionMode::Spells), Some(_)) => self.spell(character),
            _ => return self.write(character),
        }
        let field = self.composed_field();
        self.held.place = field;
        self.change();
    }

    /// ENTER: true where it only took what was spelt.
    pub(super) fn take_spelt(&mut self) -> bool {
        let letters = self.take_held();
        let spells = self.world.composes() == Some(CompositionMode::Spells) && !letters.is_empty();
        if spells {
            self.write_text(&letters);
        }
        spells
    }

    /// DELETE: true where it only took back a letter that was spelt.
    pub(super) fn delete_spelt(&mut self) -> bool {
        let field = self.composed_field();
        self.forget_elsewhere(field.as_ref());
        let popped = self.held.letters.pop().is_some();
        let spells = self.world.composes() == Some(CompositionMode::Spells);
        self.change();
        popped && spells
    }

    /// BACK: nothing is composed any more. What stands in the field stays there.
    pub(super) fn forget_held(&mut self) {
        self.held.letters.clear();
    }

    fn take_held(&mut self) -> String {
        let field = self.composed_field();
        self.forget_elsewhere(field.as_ref());
        std::mem::take(&mut self.held.letters)
    }

    // The field with the focus, where a keyboard would compose for it.
    fn composed_field(&mut self) -> Option<FieldState> {
        let (kind, field, caret) = self.focused_field()?;
        composes_for(&field).then(|| FieldState {
            node: self.focus_of(kind),
            caret: caret.at.min(field.text.chars().count()),
            text: field.text,
        })
    }

    fn focus_of(&self, kind: LayerKind) -> Option<NodeKey> {
        self.memory(kind)?.focus
    }

    fn forget_elsewhere(&mut self, field: Option<&FieldState>) {
        if self.held.place.as_ref() != field {
            self.held.letters.clear();
        }
    }

    fn correct(&mut self, character: char, fast: bool) {
        if character.is_alphanumeric() || character == '\'' {
            self.held.run += u32::from(fast && character.is_alphabetic());
            if fast && character.is_alphabetic() && self.held.run.is_multiple_of(LOST) {
                return;
            }
            self.held.letters.push(character);
            return self.write(character);
        }
        let word = std::mem::take(&mut self.held.letters);
        if let Some((_, right)) = SLIPS.iter().find(|(slip, _)| *slip == word) {
            self.write_over(word.chars().count(), right);
        }
        let before = self
            .composed_field()
            .map(|field| behind(&field))
            .unwrap_or_default();
        match (character, &before[..]) {
            (' ', [letter, ' ']) if letter.is_alphanumeric() => self.write_over(1, ". "),
            _ => self.write(character),
        }
    }

    fn spell(&mut self, character: char) {
        let idle = self.held.letters.is_empty();
        match character.to_ascii_lowercase() {
            letter @ 'a'..='z' if self.held.letters.len() < SPELT => self.held.letters.push(letter),
            'a'..='z' => {}
            '\'' if !idle => self.held.letters.push('\''),
            ' ' | '1' if !idle => self.choose(""),
            '0'..='9' if !idle => {}
            ',' => self.choose("，"),
            '.' => self.choose("。"),
            _ => self.write(character),
        }
    }

    // Writes what is spelt, and a mark.
    fn choose(&mut self, mark: &str) {
        let spelt = candidate(&std::mem::take(&mut self.held.letters));
        self.write_text(&(spelt + mark));
    }

    // Puts a text in the place of so many characters before the caret.
    fn write_over(&mut self, count: usize, with: &str) {
        let Some((kind, _, caret)) = self.focused_field() else {
            return;
        };
        let at = self.composed_field().map_or(caret.at, |field| field.caret);
        if let Some(memory) = self.memory_mut(kind) {
            memory.caret = Caret {
                at,
                selected_from: Some(at.saturating_sub(count)),
            };
        }
        self.change();
        self.write_text(with);
    }
}

/// Passwords, numbers and addresses are typed as they are.
fn composes_for(field: &Field) -> bool {
    !field.password && field.kind == InputKind::Text
}

/// The two characters before the caret.
fn behind(place: &FieldState) -> Vec<char> {
    let before: Vec<char> = place.text.chars().take(place.caret).collect();
    before[before.len().saturating_sub(2)..].to_vec()
}

/// What letters spell first.
fn candidate(letters: &str) -> String {
    let (mut rest, mut spelt) = (letters, String::new());
    while let Some(first) = rest.chars().next() {
        let known = SYLLABLES.iter().find(|(syllable, _)| rest.starts_with(syllable));
        let (word, length) = known.map_or_else(
            || (first.to_string(), first.len_utf8()),
            |(syllable, word)| ((*word).to_owned(), syllable.len()),
        );
        if first != '\'' {
            spelt.push_str(&word);
        }
        rest = &rest[length..];
    }
    spelt
}

#[cfg(test)]
mod tests {
    use super::candidate;

    #[test]
    fn letters_spell_words() {
        for (letters, words) in [
            ("nihao", "你好"),
            ("ni'hao", "你好"),
            ("zhongguo", "中国"),
            ("bread", "吧人额啊的"),
            ("v", "v"),
            ("", ""),
        ] {
            assert_eq!(candidate(letters), words);
        }
    }
}
