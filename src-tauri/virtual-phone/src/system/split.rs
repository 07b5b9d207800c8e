//! Split screen: two tasks beside each other, each in its half of the display, one of them with the focus.
//!
//! The two are a pair: leaving for the home screen leaves both, bringing one back brings both. A touch in the half
//! without the focus gives it the focus, and is that half's touch. The bar between them cannot be moved here.

use super::System;
use super::tasks::Task;
use super::window_stack::{NAVIGATION, STATUS};
use super::world::main_intent;
use crate::android::SplitSide;
use crate::toolkit::geometry::Rect;

/// The gap between the halves in dp (`split_divider_bar_width`, without what lies below its rounded corners).
const GAP: f32 = 10.0;
/// Since Android 10 both halves are resumed, whichever has the focus.
const MULTI_RESUME: u32 = 29;
/// What opens beside an app where no other one is open.
const COMPANIONS: [&str; 2] = ["com.android.contacts", "com.android.notes"];

/// Two tasks that share the display.
#[derive(Clone, Debug)]
pub(super) struct Split {
    /// The upper (or left) one's number, and the lower (or right) one's.
    sides: [u32; 2],
    /// What was opened to have two.
    opened: Vec<u32>,
    /// The home screen was in front before.
    from_home: bool,
}

/// The two halves as they are seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Halves {
    /// The task without the focus.
    pub(super) beside: u32,
    /// Where the task with the focus stands.
    pub(super) side: SplitSide,
    first: Rect,
    second: Rect,
}

impl Halves {
    fn room(&self, side: SplitSide) -> Rect {
        match side {
            SplitSide::First => self.first,
            SplitSide::Second => self.second,
        }
    }

    /// The half with the focus.
    pub(super) fn front_room(&self) -> Rect {
        self.room(self.side)
    }

    /// The half without it.
    pub(super) fn beside_room(&self) -> Rect {
        self.room(self.side.other())
    }

    /// What lies between them.
    pub(super) fn divider(&self) -> Rect {
        if self.first.right == self.second.right {
            Rect::new(
                self.first.left,
                self.first.bottom,
                self.first.right,
                self.second.top,
            )
        } else {
            Rect::new(
                self.first.right,
                self.first.top,
                self.second.left,
                self.first.bottom,
            )
        }
    }
}

impl System {
    /// The halves, while they are seen: a task of the pair is in front.
    pub(super) fn halves(&self) -> Option<Halves> {
        let [first, second] = self.split.as_ref()?.sides;
        let front = self.tasks.front()?.number;
        let (side, beside) = match front {
            number if number == first => (SplitSide::First, second),
            number if number == second => (SplitSide::Second, first),
            _ => return None,
        };
        self.tasks.task(beside)?;
        let area = self.area();
        let gap = self.world.metrics.px(GAP);
        let (first, second) = if self.world.is_wide() {
            let at = (area.width() - gap) / 2;
            (
                Rect { right: at, ..area },
                Rect {
                    left: at + gap,
                    ..area
                },
            )
        } else {
            // The middle of what the bars leave (`DividerSnapAlgorithm`).
            let free = area.height() + self.world.metrics.px(STATUS) - self.world.metrics.px(NAVIGATION);
            let at = (free - gap) / 2;
            (
                Rect { bottom: at, ..area },
                Rect {
                    top: at + gap,
                    ..area
                },
            )
        };
        Some(Halves {
            beside,
            side,
            first,
            second,
        })
    }

    /// The task in the half without the focus, while it is seen.
    pub(super) fn beside(&self) -> Option<&Task> {
        self.tasks.task(self.halves()?.beside)
    }

    pub(super) fn beside_mut(&mut self) -> Option<&mut Task> {
        let number = self.halves()?.beside;
        self.tasks.task_mut(number)
    }

    /// Puts the app in front into the first half and the one used before it into the other. What is missing is opened.
    pub(super) fn begin_split(&mut self) {
        if self.split.is_some() {
            return;
        }
        let from_home = self.tasks.is_home();
        let mut opened = Vec::new();
        let mut recent: Vec<u32> = self.tasks.recent().map(|task| task.number).collect();
        for package in COMPANIONS {
            let is_open = |task: &Task| task.root().is_some_and(|root| root.activity.package() == package);
            if recent.len() < 2 && !self.tasks.recent().any(is_open) {
                // What does not start is not installed: the other one is asked for.
                let _ = self.begin(&main_intent(package), false);
                let number = self.tasks.front().map(|task| task.number);
                opened.extend(number);
                recent.extend(number);
            }
        }
        if let [first, second, ..] = recent[..] {
            self.split = Some(Split {
                sides: [first, second],
                opened,
                from_home,
            });
            self.tasks.bring(first);
        }
        self.settle_front();
    }

    /// The app with the focus has the display to itself again; what was opened for the split is closed.
    pub(super) fn end_split(&mut self) {
        let is_seen = self.halves().is_some();
        if let Some(split) = self.split.take() {
            for number in split.opened {
                self.tasks.close(number);
            }
            if is_seen && split.from_home {
                self.tasks.go_home();
            }
        }
        self.settle_front();
    }

    /// The half without the focus has it from now on.
    pub(super) fn focus_beside(&mut self) {
        let Some(Halves { beside, .. }) = self.halves() else {
            return;
        };
        self.tasks.bring(beside);
        self.keyboard.up = false;
        self.last_click = None;
        self.fling = None;
        if self.world.options.profile.phone.sdk >= MULTI_RESUME {
            // It was resumed before: nothing comes to the front anew.
            self.front = self.tasks.top().map(|top| top.number);
            self.change();
        } else {
            self.settle_front();
        }
    }

    /// A half that was left gives the other one the display.
    pub(super) fn leave_half(&mut self) -> bool {
        let Some(Halves { beside, .. }) = self.halves() else {
            return false;
        };
        self.split = None;
        self.tasks.go_home();
        self.tasks.bring(beside)
    }

    /// What a half starts stands in that half, unless it is home or of the pair.
    pub(super) fn keep_in_half(&mut self, asked: Option<u32>) {
        let started = self.tasks.front().map(|task| task.number);
        let home = self.tasks.home;
        let (Some(asked), Some(started), Some(split)) = (asked, started, &mut self.split) else {
            return;
        };
        if started != home && !split.sides.contains(&started) {
            for side in &mut split.sides {
                if *side == asked {
                    *side = started;
                }
            }
        }
    }

    /// A pair one of which is closed is none. Where one is in front, the other one is directly behind.
    pub(super) fn settle_split(&mut self) {
        let Some(split) = &self.split else { return };
        if split.sides.iter().any(|side| self.tasks.task(*side).is_none()) {
            self.split = None;
        } else if let (Some(halves), Some(front)) =
            (self.halves(), self.tasks.front().map(|task| task.number))
        {
            self.tasks.bring(halves.beside);
            self.tasks.bring(front);
        }
    }
}
