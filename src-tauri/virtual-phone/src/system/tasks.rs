//! Tasks and their back stacks. The home screen is a task that cannot be closed.

use super::activity::Activity;
use crate::toolkit::memory::Memory;

/// An open screen, and what its windows remember.
#[derive(Debug)]
pub(crate) struct OpenActivity {
    /// Never the same twice.
    pub(crate) number: u32,
    pub(crate) activity: Box<dyn Activity>,
    pub(crate) memory: Memory,
    pub(crate) popup_memory: Memory,
    pub(crate) popup_name: Option<&'static str>,
}

/// Screens over one another.
#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) number: u32,
    pub(crate) stack: Vec<OpenActivity>,
}

impl Task {
    pub(crate) fn root(&self) -> Option<&OpenActivity> {
        self.stack.first()
    }

    pub(crate) fn top(&self) -> Option<&OpenActivity> {
        self.stack.last()
    }

    /// The highest screen that covers everything below it.
    pub(crate) fn base(&self) -> Option<&OpenActivity> {
        self.stack.iter().rfind(|running| !running.activity.is_floating())
    }

    pub(crate) fn base_mut(&mut self) -> Option<&mut OpenActivity> {
        self.stack
            .iter_mut()
            .rfind(|running| !running.activity.is_floating())
    }
}

/// All tasks, the one in front last.
#[derive(Debug)]
pub(crate) struct Tasks {
    pub(crate) all: Vec<Task>,
    pub(crate) home: u32,
    next: u32,
}

impl Tasks {
    pub(crate) fn new(home: Box<dyn Activity>) -> Self {
        let mut tasks = Self {
            all: Vec::new(),
            home: 1,
            next: 1,
        };
        tasks.add(home);
        tasks
    }

    fn number(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    fn running(&mut self, activity: Box<dyn Activity>) -> OpenActivity {
        OpenActivity {
            number: self.number(),
            activity,
            memory: Memory::default(),
            popup_memory: Memory::default(),
            popup_name: None,
        }
    }

    /// A new task in front of all.
    pub(crate) fn add(&mut self, activity: Box<dyn Activity>) {
        let number = self.number();
        let running = self.running(activity);
        self.all.push(Task {
            number,
            stack: vec![running],
        });
    }

    /// A screen over the one in front.
    pub(crate) fn push(&mut self, activity: Box<dyn Activity>) {
        let running = self.running(activity);
        match self.all.last_mut() {
            Some(task) => task.stack.push(running),
            None => self.all.push(Task {
                number: running.number,
                stack: vec![running],
            }),
        }
    }

    pub(crate) fn front(&self) -> Option<&Task> {
        self.all.last()
    }

    pub(crate) fn top(&self) -> Option<&OpenActivity> {
        self.front()?.top()
    }

    pub(crate) fn top_mut(&mut self) -> Option<&mut OpenActivity> {
        self.all.last_mut()?.stack.last_mut()
    }

    /// The highest screen of the task in front that covers everything below it.
    pub(crate) fn base(&self) -> Option<&OpenActivity> {
        self.front()?.base()
    }

    pub(crate) fn task(&self, number: u32) -> Option<&Task> {
        self.all.iter().find(|task| task.number == number)
    }

    pub(crate) fn task_mut(&mut self, number: u32) -> Option<&mut Task> {
        self.all.iter_mut().find(|task| task.number == number)
    }

    pub(crate) fn is_home(&self) -> bool {
        self.front().is_some_and(|task| task.number == self.home)
    }

    /// Brings a task to the front; false when there is none with this number.
    pub(crate) fn bring(&mut self, number: u32) -> bool {
        let Some(at) = self.all.iter().position(|task| task.number == number) else {
            return false;
        };
        let task = self.all.remove(at);
        self.all.push(task);
        true
    }

    pub(crate) fn go_home(&mut self) {
        self.bring(self.home);
    }

    /// Closes the screen in front. The last one of a task takes the task with it; home stays.
    pub(crate) fn finish(&mut self) {
        let home = self.home;
        let Some(task) = self.all.last_mut() else { return };
        if task.number == home && task.stack.len() == 1 {
            return;
        }
        task.stack.pop();
        if task.stack.is_empty() {
            self.all.pop();
        }
    }

    /// Closes what is over the screen of this class in the task in front; else this screen takes the task's place.
    pub(crate) fn clear_to(&mut self, activity: Box<dyn Activity>) {
        let running = self.running(activity);
        let Some(task) = self.all.last_mut() else { return };
        match task
            .stack
            .iter()
            .rposition(|other| other.activity.class() == running.activity.class())
        {
            Some(at) => task.stack.truncate(at + 1),
            None => task.stack = vec![running],
        }
    }

    pub(crate) fn close(&mut self, number: u32) {
        if number != self.home {
            self.all.retain(|task| task.number != number);
        }
    }

    /// Forgets every screen of a package; home comes up anew by itself.
    pub(crate) fn forget(&mut self, package: &str) {
        for task in &mut self.all {
            let is_home = task.number == self.home;
            let mut first = true;
            task.stack.retain(|running| {
                let keep = running.activity.package() != package || is_home && first;
                first = false;
                keep
            });
        }
        self.all.retain(|task| !task.stack.is_empty());
    }

    /// Tasks a person can go back to, newest first.
    pub(crate) fn recent(&self) -> impl Iterator<Item = &Task> {
        self.all.iter().rev().filter(|task| task.number != self.home)
    }
}
