//! A phone as far as a task goes, on another day.

use crate::common::{action, element, tap};
use crate::days::Day;
use crate::task::{Does, Step, Task, Values, missing};
use protocol::{Act, Action, Bounds, Millis, Screen};

/// A phone as far as a task goes.
pub(crate) struct Phone<'a> {
    task: &'a Task,
    day: &'a Day,
    values: Values,
    /// The AI found things for an earlier repeat, and they are known since.
    is_taught: bool,
    /// The page shown is the one of this step; behind the last one: the page at the end.
    at: usize,
    /// Another page was opened in the place of it.
    is_elsewhere: bool,
    pub(crate) opening: Option<(Millis, usize)>,
    over: Option<&'static str>,
    scrolled: u32,
}

impl<'a> Phone<'a> {
    pub(crate) fn new(task: &'a Task, day: &'a Day, is_taught: bool) -> Self {
        Self {
            task,
            day,
            values: day.values.unwrap_or(task.values),
            is_taught,
            at: 0,
            is_elsewhere: false,
            opening: None,
            over: None,
            scrolled: 0,
        }
    }

    /// What is seen.
    pub(crate) fn name(&self) -> &'static str {
        let own = if self.is_elsewhere {
            "help"
        } else {
            self.page(self.at)
        };
        self.over.unwrap_or(own)
    }

    fn page(&self, at: usize) -> &'static str {
        self.task.steps.get(at).map_or(self.task.end, |step| step.page)
    }

    pub(crate) fn is_at_last_step(&self) -> bool {
        self.over.is_none() && self.at + 1 == self.task.steps.len()
    }

    /// The last step was done; the page that comes of it may still be opening.
    pub(crate) fn is_at_end(&self) -> bool {
        let opens = self.opening.map_or(self.at, |(_, page)| page);
        opens == self.task.steps.len()
    }

    pub(crate) fn screen(&self) -> Screen {
        let name = self.name();
        let xml = (self.day.change)(name, self.task.tree(name, self.values), self.scrolled);
        self.task.shown(name, &xml, self.day.size)
    }

    fn open(&mut self, page: usize, at: Millis) {
        self.opening = Some((at + self.day.slow, page));
        self.arrive(at);
    }

    pub(crate) fn arrive(&mut self, at: Millis) {
        if let Some((when, page)) = self.opening
            && when <= at
        {
            self.opening = None;
            self.at = page;
            self.scrolled = 0;
            let name = self.page(page);
            self.is_elsewhere = self.day.detour == Some(name);
            self.over = self.day.over.filter(|(on, _)| *on == name).map(|(_, over)| over);
        }
    }

    /// The person said No, and nothing was done.
    pub(crate) fn stay(&mut self, on: usize) {
        (self.at, self.opening) = (on, None);
    }

    pub(crate) fn step(&self) -> usize {
        self.at
    }

    /// Does it. Whatever is tapped or typed must be what was recorded on the page shown, or close what lies over it.
    pub(crate) fn act(&mut self, act: &Act, screen: &Screen, at: Millis) -> String {
        match act {
            Act::Keyevent { keycode } => {
                // Whatever opened in between was opened over the page that was to come.
                self.is_elsewhere = false;
                return keycode.clone();
            }
            Act::RequestHumanAuth { capability, .. } => {
                self.over = None;
                return format!("ask the person ({capability:?})");
            }
            _ => {}
        }
        let done = self
            .task
            .check(self.name(), act, screen, self.values, self.is_taught);
        let done = done.unwrap_or_else(|wrong| panic!("{}, {}: {wrong}", self.task.name, self.day.name));
        let is_scroll_next = matches!(self.current().map(|step| &step.does), Some(Does::Scroll));
        match act {
            _ if self.over.is_some() => self.over = None,
            Act::Scroll { .. } if !is_scroll_next => self.scrolled += 1,
            Act::Scroll { .. } => self.open(self.at + 1, at),
            _ => self.open(self.at + 1 + usize::from(is_scroll_next), at),
        }
        done
    }

    fn current(&self) -> Option<&'a Step> {
        self.task.steps.get(self.at)
    }

    /// The AI's one action, what it touched, and what it is in words. Where it cannot be told, it gets there in another way.
    pub(crate) fn by_ai(
        &mut self,
        screen: &Screen,
        at: Millis,
    ) -> (Option<(Action, Option<Bounds>)>, String) {
        let back = || {
            action(Act::Keyevent {
                keycode: "KEYCODE_BACK".to_owned(),
            })
        };
        if self.over.take().is_some() {
            let closes = element(screen, "Not now");
            let closed = (action(tap(closes.index)), Some(closes.bounds));
            return (Some(closed), "closes what lies over the page".to_owned());
        }
        let Some(step) = self.current() else {
            return (None, "has nothing to do".to_owned());
        };
        if self.is_elsewhere {
            self.is_elsewhere = false;
            return (Some((back(), None)), "goes back".to_owned());
        }
        let found = self.task.by_ai(step, screen, self.values);
        if found.is_some() && missing(step, screen, self.values).is_some() {
            self.open(self.at - 1, at);
            return (Some((back(), None)), "goes back".to_owned());
        }
        self.open(self.at + 1, at);
        match found {
            Some((action, on)) => {
                let label = on.map(|on| on.label.as_str()).unwrap_or_default();
                let told = format!("does it ({label:?})");
                (Some((action, on.map(|on| on.bounds))), told)
            }
            None => (None, "does it in another way".to_owned()),
        }
    }
}
