//! The same action on the same screen, again and again.

use protocol::{Act, Action, Screen};
use std::collections::VecDeque;

/// Steps back that a repetition is looked for.
const REMEMBERED: usize = 12;

/// The last actions and the screens they were done on.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    last: VecDeque<(String, Screen)>,
}

impl Repeats {
    /// Takes an action in, unless it came `most` times on this screen already; whether it did.
    pub(super) fn is_too_often(&mut self, action: &Action, screen: &Screen, most: u32) -> bool {
        if matches!(action.act, Act::Wait { .. } | Act::Capture { .. } | Act::ListApps) {
            return false;
        }
        let mut bare = action.clone();
        bare.reason = None;
        let written = serde_json::to_string(&bare).unwrap_or_default();
        let same =
            |(action, before): &&(String, Screen)| *action == written && screen::same_place(before, screen);
        let times = self.last.iter().filter(same).count();
        if times >= usize::try_from(most).unwrap_or(usize::MAX) {
            return true;
        }
        if self.last.len() == REMEMBERED {
            self.last.pop_front();
        }
        self.last.push_back((written, screen.clone()));
        false
    }

    /// Counting starts anew.
    pub(super) fn forget(&mut self) {
        self.last.clear();
    }
}
