//! A hand on the phone that is not the run's.

use super::phone::{State, code};
use judge::Input;
use std::time::Duration;
use virtual_phone::android::Android;

/// A hand on the phone that is not the run's.
pub(crate) struct Hand<'a> {
    pub(super) state: &'a mut State,
}

impl Hand<'_> {
    /// Taps the first element whose label or resource id holds these words.
    pub(crate) fn tap(&mut self, words: &str) {
        let all = self.state.elements();
        let named = |e: &&protocol::Element| e.label == words || e.resource_id.ends_with(words);
        let found = all
            .iter()
            .find(named)
            .or_else(|| all.iter().find(|e| e.label.contains(words)));
        let bounds = found
            .unwrap_or_else(|| panic!("nothing says {words}:\n{}", list(&all)))
            .bounds;
        let (x, y) = (
            i32::midpoint(bounds.left, bounds.right),
            i32::midpoint(bounds.top, bounds.bottom),
        );
        self.state.tap(x, y, 40);
        self.state.wait(Duration::from_millis(500));
    }

    pub(crate) fn write(&mut self, words: &str) {
        self.state.write(words);
    }

    pub(crate) fn key(&mut self, name: &str) {
        let code = code(name).unwrap();
        self.state.system.key(code, 0, false);
        self.state.wait(Duration::from_millis(300));
    }

    pub(crate) fn open(&mut self, package: &str) {
        self.state.perform(&Input::Launch(package.into())).unwrap();
    }

    /// Drags the middle of the screen up, so that the end of a list shows.
    pub(crate) fn scroll(&mut self) {
        let (width, height) = self.size();
        self.swipe((width / 2, height * 7 / 10), (width / 2, height * 3 / 10));
    }

    pub(crate) fn swipe(&mut self, from: (i32, i32), to: (i32, i32)) {
        self.state.swipe(from, to, 400);
    }

    /// Width and height as the display is held.
    pub(crate) fn size(&self) -> (i32, i32) {
        let display = self.state.system.display();
        (display.width.cast_signed(), display.height.cast_signed())
    }

    /// The digits of the newest text message, once it had time to arrive.
    pub(crate) fn newest_code(&mut self) -> String {
        self.wait(2000);
        let told = self.state.system.state();
        let received = told["messages"]["received"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let text = received
            .last()
            .map(|last| last["text"].to_string())
            .unwrap_or_default();
        text.chars().filter(char::is_ascii_digit).collect()
    }

    pub(crate) fn wait(&mut self, ms: u64) {
        self.state.wait(Duration::from_millis(ms));
    }
}

/// A list of elements, to read.
pub(super) fn list(elements: &[protocol::Element]) -> String {
    let line = |e: &protocol::Element| {
        let b = e.bounds;
        let id = e.resource_id.rsplit('/').next().unwrap_or_default();
        let value = e
            .value
            .as_ref()
            .map(|value| format!(" = {value:?}"))
            .unwrap_or_default();
        let states: Vec<String> = e.states.iter().map(|state| format!("{state:?}")).collect();
        format!(
            "[{}] {} {:?}{value} #{id} {},{}-{},{} {}",
            e.index,
            e.role,
            e.label,
            b.left,
            b.top,
            b.right,
            b.bottom,
            states.join(" ")
        )
    };
    elements.iter().map(line).collect::<Vec<_>>().join("\n")
}
