//! Writing in the field that has the focus.

use super::System;
use super::keymap::SHIFT;
use super::window_stack::LayerKind;
use crate::toolkit::memory::Caret;
use crate::toolkit::scene::Node;
use crate::toolkit::text::{self, Span};
use crate::toolkit::view::{Content, Field, ImeAction};

impl System {
    pub(super) fn focused_field(&mut self) -> Option<(LayerKind, Box<Field>, Caret)> {
        self.window_stack();
        let layer = self.window_stack.as_ref()?.focused()?;
        let memory = self.memory(layer.kind)?;
        let index = layer.scene.focused(memory)?;
        let node = layer.scene.nodes.get(index).filter(|node| node.view.enabled)?;
        match &node.view.content {
            Content::Field(field) => Some((layer.kind, field.clone(), memory.caret)),
            _ => None,
        }
    }

    /// A field has the focus.
    pub(super) fn writes(&mut self) -> bool {
        self.focused_field().is_some()
    }

    pub(super) fn write(&mut self, character: char) {
        let Some((kind, field, caret)) = self.focused_field() else {
            return;
        };
        self.replace(kind, &field, caret, &character.to_string());
    }

    pub(super) fn write_text(&mut self, text: &str) {
        if let Some((kind, field, caret)) = self.focused_field() {
            self.replace(kind, &field, caret, text);
        }
    }

    // Puts text where the caret is or in place of what is selected.
    fn replace(&mut self, kind: LayerKind, field: &Field, caret: Caret, with: &str) {
        let characters: Vec<char> = field.text.chars().collect();
        let (first, last) = caret.range(characters.len());
        let fits = if field.limit == 0 {
            usize::MAX
        } else {
            field.limit.saturating_sub(characters.len() - (last - first))
        };
        let added: Vec<char> = with
            .chars()
            .filter(|c| field.multiline || *c != '\n')
            .take(fits)
            .collect();
        let text: String = characters[..first]
            .iter()
            .chain(&added)
            .chain(&characters[last..])
            .collect();
        self.edit(kind, field, text, first + added.len());
    }

    fn edit(&mut self, kind: LayerKind, field: &Field, text: String, caret: usize) {
        if let Some(memory) = self.memory_mut(kind) {
            memory.caret = Caret {
                at: caret,
                selected_from: None,
            };
        }
        self.reveal = true;
        let act = field.edit.to(text);
        self.dispatch(kind, &act);
    }

    /// Takes away the selection, or one character before (`back`) or behind the caret.
    pub(super) fn erase(&mut self, back: bool) {
        let Some((kind, field, caret)) = self.focused_field() else {
            return;
        };
        let characters: Vec<char> = field.text.chars().collect();
        let (mut first, mut last) = caret.range(characters.len());
        if first == last {
            if back {
                first = first.saturating_sub(1)
            } else {
                last = (last + 1).min(characters.len())
            }
        }
        if first < last {
            let text = characters[..first].iter().chain(&characters[last..]).collect();
            self.edit(kind, &field, text, first);
        }
    }

    /// Does what the field's action key does. False when no field has the focus.
    pub(super) fn submit(&mut self) -> bool {
        let Some((kind, field, caret)) = self.focused_field() else {
            return false;
        };
        match (field.action, &field.submit) {
            (ImeAction::Enter, _) if field.multiline => self.replace(kind, &field, caret, "\n"),
            (ImeAction::Next, None) => self.focus_next_field(kind),
            (action, submit) => {
                if !matches!(action, ImeAction::Send | ImeAction::Next) {
                    self.keyboard.up = false;
                    self.change();
                }
                if let Some(act) = submit {
                    self.dispatch(kind, act);
                }
            }
        }
        true
    }

    fn focus_next_field(&mut self, kind: LayerKind) {
        let next = self.window_stack.as_ref().and_then(|stack| {
            let layer = stack.layer(kind)?;
            let from = layer.scene.focused(self.memory(kind)?)?;
            let after = layer
                .scene
                .nodes
                .iter()
                .skip(from + 1)
                .find(|node| node.takes_text());
            after.map(|node| node.key)
        });
        match (next, self.memory_mut(kind)) {
            (Some(key), Some(memory)) => {
                memory.focus = Some(key);
                memory.caret = Caret::END;
                self.reveal = true;
            }
            _ => self.keyboard.up = false,
        }
        self.change();
    }

    pub(super) fn select_all(&mut self) {
        let Some((kind, field, _)) = self.focused_field() else {
            return;
        };
        self.place_caret(
            kind,
            Caret {
                at: field.text.chars().count(),
                selected_from: Some(0),
            },
        );
    }

    fn selection(&mut self) -> Option<String> {
        let (_, field, caret) = self.focused_field()?;
        let characters: Vec<char> = field.text.chars().collect();
        let (first, last) = caret.range(characters.len());
        // A password never reaches the clipboard.
        (first < last && !field.password).then(|| characters[first..last].iter().collect())
    }

    pub(super) fn copy(&mut self) {
        if let Some(selection) = self.selection() {
            self.world.clipboard = selection;
        }
    }

    pub(super) fn cut(&mut self) {
        if let Some(selection) = self.selection() {
            self.world.clipboard = selection;
            self.erase(true);
        }
    }

    pub(super) fn paste(&mut self) {
        let clipboard = self.world.clipboard.clone();
        if let Some((kind, field, caret)) = self.focused_field().filter(|_| !clipboard.is_empty()) {
            self.replace(kind, &field, caret, &clipboard);
        }
    }

    pub(super) fn move_caret_to(&mut self, at: usize, meta: u32) {
        let Some((kind, field, caret)) = self.focused_field() else {
            return;
        };
        let length = field.text.chars().count();
        let selected_from = (meta & SHIFT != 0).then(|| caret.selected_from.unwrap_or(caret.at.min(length)));
        self.place_caret(
            kind,
            Caret {
                at: at.min(length),
                selected_from,
            },
        );
    }

    /// Moves the caret by a character. False when no field has the focus.
    pub(super) fn step_caret(&mut self, step: isize, meta: u32) -> bool {
        let Some((_, field, caret)) = self.focused_field() else {
            return false;
        };
        let at = caret.at.min(field.text.chars().count());
        self.move_caret_to(at.saturating_add_signed(step), meta);
        true
    }

    fn place_caret(&mut self, kind: LayerKind, caret: Caret) {
        if let Some(memory) = self.memory_mut(kind) {
            memory.caret = caret;
        }
        self.change();
    }

    /// The caret a touch on a field asks for.
    pub(super) fn caret_at(&self, field: &Field, node: &Node, (x, y): (f32, f32)) -> Caret {
        if field.unseen || field.text.is_empty() {
            return Caret::END;
        }
        let metrics = &self.world.metrics;
        let pad = &node.view.shape.pad;
        let inner = node.rect.inset(
            metrics.px(pad.left),
            metrics.px(pad.top),
            metrics.px(pad.right),
            0,
        );
        let shown = field.shown();
        let wrap = field.multiline.then_some(inner.width() as f32);
        let block = text::lay_out(&[Span::plain(shown.as_str())], &field.style, metrics, wrap);
        let y = if field.multiline {
            y - inner.top as f32
        } else {
            block.height / 2.0
        };
        let byte = block.byte_at(x - inner.left as f32, y);
        let at = shown
            .get(..byte)
            .map_or(usize::MAX, |before| before.chars().count());
        Caret {
            at,
            selected_from: None,
        }
    }
}
