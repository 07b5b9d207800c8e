//! Keys: the phone's own (power, volume, back, home), those that move the focus, those that write.

use super::System;
use super::keyboard::{Key, Page};
use super::keymap::{self, CTRL, SHIFT};
use super::lock::PinKey;
use super::panels::LOUDEST;
use super::window_stack::LayerKind;
use crate::toolkit::memory::Caret;
use crate::toolkit::scene::Direction;
use crate::toolkit::view::Axis;
use std::time::Duration;

/// How long the volume stays on the screen.
const VOLUME: Duration = Duration::from_secs(3);

impl System {
    pub(super) fn press_key(&mut self, code: u32, meta: u32, long: bool) {
        match code {
            26 => self.press_power(),
            224 => self.wake(),
            223 => self.sleep(),
            24 => self.turn_volume(1.0),
            25 => self.turn_volume(-1.0),
            164 => self.turn_volume(-LOUDEST),
            _ if !self.awake => {}
            _ => self.press_awake(code, meta, long),
        }
        self.settle();
    }

    fn press_awake(&mut self, code: u32, meta: u32, long: bool) {
        match code {
            // On the lock screen MENU opens a lock that has no secret; nothing else reaches what lies behind.
            82 if self.locked => self.unlock(),
            7..=16 if self.locked => self.press_pin(PinKey::Digit((code - 7) as u8)),
            144..=153 if self.locked => self.press_pin(PinKey::Digit((code - 144) as u8)),
            67 if self.locked => self.press_pin(PinKey::Delete),
            66 | 160 if self.locked => self.press_pin(PinKey::Enter),
            _ if self.locked => {}
            3 => self.go_home(),
            4 | 111 => self.go_back(),
            187 => self.show_recents(),
            83 => self.open_shade(!self.shade.open),
            220 => self.turn_brightness(-26.0),
            221 => self.turn_brightness(26.0),
            84 => self.search(),
            _ => match keymap::app(code) {
                Some(package) => {
                    self.world.launch(package);
                    self.settle_front();
                }
                None => self.press_in_window(code, meta, long),
            },
        }
    }

    fn press_in_window(&mut self, code: u32, meta: u32, long: bool) {
        let ctrl = meta & CTRL != 0;
        match code {
            29 if ctrl => self.select_all(),
            31 if ctrl => self.copy(),
            52 if ctrl => self.cut(),
            50 if ctrl => self.paste(),
            278 => self.copy(),
            277 => self.cut(),
            279 => self.paste(),
            66 | 160 => self.press_enter(),
            23 => self.confirm(),
            62 if !self.writes() => self.confirm(),
            61 => self.move_focus(if meta & SHIFT == 0 {
                Direction::Next
            } else {
                Direction::Previous
            }),
            19 => self.arrow(Direction::Up, meta),
            20 => self.arrow(Direction::Down, meta),
            21 => self.arrow(Direction::Left, meta),
            22 => self.arrow(Direction::Right, meta),
            122 => self.move_caret_to(0, meta),
            123 => self.move_caret_to(usize::MAX, meta),
            92 => self.page(-1.0),
            93 => self.page(1.0),
            67 | 112 => {
                // A held key repeats: the shell's long press is two presses (`InputShellCommand`).
                for _ in 0..if long { 2 } else { 1 } {
                    if !self.delete_spelt() {
                        self.erase(code == 67);
                    }
                }
            }
            _ if ctrl => {}
            _ => {
                if let Some(character) = keymap::character(code, meta) {
                    self.key_in(character, false);
                }
            }
        }
    }

    pub(super) fn press_character(&mut self, character: char) -> bool {
        if !keymap::has(character) {
            return false;
        }
        if let Some(digit) = character.to_digit(10).filter(|_| self.awake && self.locked) {
            self.press_pin(PinKey::Digit(digit as u8));
        }
        if self.awake && !self.locked {
            match character {
                '\n' => self.press_enter(),
                '\t' => self.move_focus(Direction::Next),
                ' ' if !self.writes() => self.confirm(),
                _ => self.key_in(character, true),
            }
        }
        self.settle();
        true
    }

    /// A key of the soft keyboard.
    pub(super) fn tap_key(&mut self, key: Key) {
        match key {
            Key::Character(character) => {
                self.key_in(character, false);
                if self.keyboard.page == Page::Letters {
                    self.keyboard.shift = false;
                }
            }
            Key::Shift => self.keyboard.shift = !self.keyboard.shift,
            Key::Delete => {
                if !self.delete_spelt() {
                    self.erase(true);
                }
            }
            Key::Enter => self.press_enter(),
            Key::Page(page) => self.keyboard.page = page,
            Key::Hide => self.keyboard.up = false,
        }
        self.change();
    }

    // Enter, where nothing is written, presses what has the focus.
    fn press_enter(&mut self) {
        if self.take_spelt() {
            return;
        }
        if !self.submit() {
            self.confirm();
        }
    }

    // Presses what the keys' focus is on; without one, the first such key only shows where it would be.
    fn confirm(&mut self) {
        self.window_stack();
        let Some((kind, node)) = self.window_stack.as_ref().and_then(|stack| {
            let layer = stack.focused()?;
            let index = layer.scene.focused(self.memory(layer.kind)?)?;
            Some((layer.kind, layer.scene.nodes[index].clone()))
        }) else {
            self.move_focus(Direction::Next);
            return;
        };
        self.click(kind, &node, None);
    }

    fn arrow(&mut self, direction: Direction, meta: u32) {
        let step = match direction {
            Direction::Left => Some(-1),
            Direction::Right => Some(1),
            _ => None,
        };
        if !step.is_some_and(|step| self.step_caret(step, meta)) {
            self.move_focus(direction);
        }
    }

    fn move_focus(&mut self, direction: Direction) {
        self.window_stack();
        let Some((kind, found)) = self.window_stack.as_ref().and_then(|stack| {
            let layer = stack.focused()?;
            let from = self
                .memory(layer.kind)
                .and_then(|memory| layer.scene.focused(memory));
            Some((
                layer.kind,
                layer
                    .scene
                    .neighbour(from, direction)
                    .map(|index| layer.scene.nodes[index].key),
            ))
        }) else {
            return;
        };
        match found {
            Some(key) => {
                if let Some(memory) = self.memory_mut(kind) {
                    memory.focus = Some(key);
                    memory.by_keys = true;
                    memory.caret = Caret::END;
                }
                self.reveal = true;
                self.change();
            }
            // Nothing further that way can be seen: the list moves, as it does under a remote control.
            None if direction == Direction::Down => self.page(0.5),
            None if direction == Direction::Up => self.page(-0.5),
            None => {}
        }
    }

    // Moves the first list of the window by a part of its height.
    fn page(&mut self, part: f32) {
        self.window_stack();
        let found = self.window_stack.as_ref().and_then(|stack| {
            let layer = stack.focused()?;
            let node = layer.scene.nodes.iter().find(|node| {
                node.scrolling
                    .is_some_and(|scrolling| scrolling.axis == Axis::Down && scrolling.most > 0.0)
            })?;
            let by = node.rect.height() as f32 * part;
            let by = if node.view.from_end { -by } else { by };
            Some((layer.kind, node.key, node.scrolling?.most, by))
        });
        if let Some((kind, list, most, by)) = found {
            self.scroll_by(kind, list, most, by);
        }
    }

    // SEARCH: the screen's own search, if it has one.
    fn search(&mut self) {
        self.window_stack();
        let found = self.window_stack.as_ref().and_then(|stack| {
            let layer = stack
                .focused()
                .filter(|layer| matches!(layer.kind, LayerKind::Base))?;
            let ids = ["search", "search_bar", "open_search_view", "search_box"];
            let index = ids.iter().find_map(|id| layer.scene.find_id(id))?;
            Some((layer.kind, layer.scene.nodes[index].clone()))
        });
        if let Some((kind, node)) = found {
            self.click(kind, &node, None);
        }
    }

    pub(super) fn turn_volume(&mut self, by: f32) {
        let before = self
            .world
            .settings
            .number("system", "volume_music")
            .unwrap_or(0.0);
        let after = (before + by).clamp(0.0, LOUDEST);
        self.world
            .settings
            .put("system", "volume_music", Some(&format!("{after:.0}")));
        self.volume_until = Some(self.world.now + VOLUME);
        self.change();
    }

    fn turn_brightness(&mut self, by: f32) {
        let before = self
            .world
            .settings
            .number("system", "screen_brightness")
            .unwrap_or(0.0);
        let after = (before + by).clamp(1.0, 255.0);
        self.world
            .settings
            .put("system", "screen_brightness", Some(&format!("{after:.0}")));
        self.change();
    }
}
