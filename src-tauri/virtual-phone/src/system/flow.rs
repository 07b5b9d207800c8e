//! What comes after: calls of screens answered, the front settled, time passed.

use super::System;
use super::lock::PinKey;
use super::panels::Panel;
use super::permission::GrantPermissions;
use super::shade::{self, Tap};
use super::window_stack::LayerKind;
use super::world::{SystemRequest, World};
use super::{Intent, tasks::Tasks};
use crate::apps;
use crate::toolkit::memory::{Caret, name};
use crate::toolkit::view::ScreenMessage;
use std::time::Duration;

/// More rounds of calls than any screen makes in answer to one touch.
const MAX_ROUNDS: usize = 16;

impl System {
    /// Answers every call made, and tells the screen in front that it is.
    pub(super) fn settle_front(&mut self) {
        for _ in 0..MAX_ROUNDS {
            for call in std::mem::take(&mut self.world.calls) {
                self.answer(call);
            }
            self.settle_split();
            let Some(top) = self.tasks.top_mut() else { break };
            if self.front != Some(top.number) {
                self.front = Some(top.number);
                top.memory.pressed = None;
                top.activity.resume(&mut self.world);
                let component = format!("{}/{}", top.activity.package(), top.activity.class());
                self.world.log.write(
                    self.world.now,
                    "ActivityTaskManager",
                    &format!("Displayed {component}"),
                );
                self.keyboard.up = false;
                self.last_click = None;
                self.fling = None;
                self.drop_touch();
            } else if self.world.calls.is_empty() {
                break;
            }
        }
        self.change();
    }

    /// The keyboard goes when its field has gone; done at once, so that what is told of it is true.
    pub(super) fn settle(&mut self) {
        if self.keyboard.up && self.window_stack.is_none() {
            self.window_stack();
        }
    }

    fn answer(&mut self, call: SystemRequest) {
        match call {
            SystemRequest::Open(activity) => self.tasks.push(activity),
            SystemRequest::Launch(intent) => {
                let asked = self.tasks.front().map(|task| task.number);
                // What does not resolve opens nothing; the screen that asked stays.
                let _ = self.begin(&intent, false);
                self.keep_in_half(asked);
            }
            SystemRequest::Finish => self.tasks.finish(),
            SystemRequest::ClearTo(activity) => self.tasks.clear_to(activity),
            SystemRequest::BringTask(number) => {
                self.tasks.bring(number);
            }
            SystemRequest::CloseTask(number) => self.tasks.close(number),
            SystemRequest::Focus(key) => self.focus(key),
            SystemRequest::Blur => {
                self.keyboard.up = false;
                if let Some(top) = self.tasks.top_mut() {
                    top.memory.focus = None;
                }
            }
            SystemRequest::ScrollToStart(list) => {
                if let Some(top) = self.tasks.top_mut() {
                    top.memory.scrolled.remove(&name(list));
                }
            }
            SystemRequest::Permission {
                package,
                label,
                permission,
            } => {
                self.tasks
                    .push(Box::new(GrantPermissions::new(package, label, permission)));
            }
            SystemRequest::FactoryReset => self.reset(),
        }
    }

    fn focus(&mut self, key: &str) {
        let Some(top) = self.tasks.top_mut() else { return };
        let popup = top.activity.popup(&self.world);
        let memory = match popup {
            Some(popup) => {
                if top.popup_name != Some(popup.name) {
                    top.popup_name = Some(popup.name);
                    top.popup_memory = Default::default();
                }
                &mut top.popup_memory
            }
            None => &mut top.memory,
        };
        memory.focus = Some(name(key));
        memory.caret = Caret::END;
        self.keyboard.up = true;
        self.reveal = true;
    }

    fn reset(&mut self) {
        let resets = self.world.apps.settings.resets + 1;
        let mut options = self.world.options.clone();
        options.start = None;
        options.basket = super::Basket::Empty;
        let (now, born) = (self.world.now, self.world.born);
        self.world = World::new(options);
        self.world.now = now;
        self.world.born = born;
        self.world.apps.settings.resets = resets;
        let home = apps::home(&mut self.world);
        self.tasks = Tasks::new(home);
        self.split = None;
        self.front = None;
    }

    pub(super) fn go_back(&mut self) {
        if self.shade.open {
            self.open_shade(false);
        } else if self.keyboard.up {
            self.forget_held();
            self.keyboard.up = false;
            self.change();
        } else if !self.cancel_popup() && !self.locked {
            self.leave_screen();
        }
    }

    fn leave_screen(&mut self) {
        let home = self.tasks.is_home();
        let last = self.tasks.front().is_some_and(|task| task.stack.len() == 1);
        let Some(top) = self.tasks.top_mut() else { return };
        if !top.activity.back(&mut self.world) {
            // Since Android 12 Back on an app's first screen leaves the app as it is.
            match (home, last) {
                (true, true) => {}
                (false, true) if !top.activity.is_floating() => {
                    if !self.leave_half() {
                        self.tasks.go_home();
                    }
                }
                _ => self.tasks.finish(),
            }
        }
        self.settle_front();
    }

    /// True when there was a dialog or menu.
    pub(super) fn cancel_popup(&mut self) -> bool {
        let Some(top) = self.tasks.top_mut() else {
            return false;
        };
        let Some(popup) = top.activity.popup(&self.world) else {
            return false;
        };
        if let Some(act) = popup.cancel {
            top.activity.act(&act, &mut self.world);
            self.settle_front();
        }
        true
    }

    pub(super) fn go_home(&mut self) {
        self.shade.open = false;
        self.keyboard.up = false;
        let was_home = self.tasks.is_home();
        self.tasks.go_home();
        if let Some(task) = self.tasks.all.last_mut() {
            task.stack.truncate(1);
            if let Some(home) = task.stack.first_mut() {
                home.memory = Default::default();
                if was_home {
                    home.activity.arrive(&Intent::default(), &mut self.world);
                }
            }
        }
        self.settle_front();
    }

    pub(super) fn show_recents(&mut self) {
        self.shade.open = false;
        let cards = self.recent_cards();
        self.tasks.go_home();
        if let Some(task) = self.tasks.all.last_mut() {
            task.stack.truncate(1);
        }
        self.tasks.push(apps::recents(cards));
        self.settle_front();
    }

    pub(super) fn open_shade(&mut self, open: bool) {
        self.shade.open = open;
        self.shade.memory = Default::default();
        self.keyboard.up = false;
        self.world.notices.end_heads_up();
        self.change();
    }

    pub(super) fn touch_panel(&mut self, act: &ScreenMessage) {
        if let Some(panel) = act.get::<Panel>() {
            match panel {
                Panel::Notice(index) => {
                    let opens = self.world.notices.take(*index);
                    self.shade.open = false;
                    self.unlock();
                    if !self.locked {
                        self.world.calls.extend(opens.map(SystemRequest::Launch));
                    }
                }
                Panel::Pin(key) => self.press_pin(*key),
                Panel::VolumeUp => self.turn_volume(1.0),
                Panel::VolumeDown => self.turn_volume(-1.0),
            }
        }
        match act.get::<Tap>() {
            Some(Tap::Tile(index)) => {
                if let Some((namespace, name)) = shade::tile_setting(*index) {
                    self.world.settings.flip(namespace, name);
                    self.follow_settings();
                }
            }
            Some(Tap::ClearAll) => {
                self.world.notices.all.clear();
                self.shade.open = false;
            }
            Some(Tap::Settings) => {
                self.shade.open = false;
                self.world.launch("com.android.settings");
            }
            None => {}
        }
        self.settle_front();
    }

    pub(super) fn press_power(&mut self) {
        if self.awake { self.sleep() } else { self.wake() }
    }

    pub(super) fn sleep(&mut self) {
        self.awake = false;
        self.locked = true;
        self.pin.put_away();
        self.shade.open = false;
        self.keyboard.up = false;
        self.touch = None;
        self.world
            .log
            .write(self.world.now, "PowerManagerService", "Going to sleep");
        self.change();
    }

    pub(super) fn wake(&mut self) {
        if !self.awake {
            self.awake = true;
            self.world
                .log
                .write(self.world.now, "PowerManagerService", "Waking up");
            self.change();
        }
    }

    /// Opens the lock screen; one with a PIN asks for it.
    pub(super) fn unlock(&mut self) {
        if !self.locked {
            return;
        }
        if self.pin.is_wanted() {
            self.pin.ask();
        } else {
            self.locked = false;
        }
        self.change();
    }

    pub(super) fn press_pin(&mut self, key: PinKey) {
        if self.locked && self.pin.press(key) {
            self.locked = false;
        }
        self.change();
    }

    /// A setting changed: display, theme and text size follow.
    pub(super) fn follow_settings(&mut self) {
        let before = self.world.display;
        self.world.follow_settings();
        if before != self.world.display {
            self.drop_touch();
            self.reveal = self.keyboard.up;
        }
        self.change();
        self.settle();
    }

    /// Empties an app's data; false when it is not installed.
    pub(super) fn clear_package(&mut self, package: &str) -> bool {
        let known = apps::manifest(package).is_some_and(|manifest| self.world.is_installed(manifest.package));
        if known {
            self.stop_package(package);
            self.world.permissions.retain(|(owner, _), _| owner != package);
            self.world.notices.all.retain(|notice| notice.package != package);
            let World {
                apps, options, rng, ..
            } = &mut self.world;
            apps.clear(package, options, rng);
            self.change();
        }
        known
    }

    /// Takes an app away; false when it is not there or came with the phone.
    pub(super) fn remove_package(&mut self, package: &str) -> bool {
        let manifest = apps::manifest(package).filter(|manifest| !manifest.system);
        let Some(manifest) = manifest.filter(|manifest| self.world.is_installed(manifest.package)) else {
            return false;
        };
        self.clear_package(package);
        self.world.removed.push(manifest.package);
        self.change();
        true
    }

    pub(super) fn stop_package(&mut self, package: &str) {
        self.tasks.forget(package);
        self.world.log.write(
            self.world.now,
            "ActivityManager",
            &format!("Force stopping {package}"),
        );
        self.settle_front();
    }

    pub(super) fn pass_time(&mut self, now: Duration) {
        if now <= self.world.now {
            return;
        }
        self.world.now = now;
        let over = |until: Option<Duration>| until.is_some_and(|until| until <= now);
        let mut changed = self.world.deliver();
        if over(self.world.toast.as_ref().map(|(_, until)| *until)) {
            self.world.toast = None;
            changed = true;
        }
        if over(self.volume_until) {
            self.volume_until = None;
            changed = true;
        }
        if self.world.notices.has_heads_up() && self.world.notices.heads_up(now).is_none() {
            self.world.notices.end_heads_up();
            changed = true;
        }
        if self.awake {
            changed |= self.hold_long();
            self.move_fling();
            if let Some(top) = self.tasks.top_mut() {
                changed |= top.activity.tick(&mut self.world);
            }
            let beside = self.halves().map(|halves| halves.beside);
            if let Some(task) = beside.and_then(|number| self.tasks.task_mut(number))
                && let Some(top) = task.stack.last_mut()
            {
                changed |= top.activity.tick(&mut self.world);
            }
        }
        changed |= self.world.options.endless_animation && self.awake;
        if changed || !self.world.calls.is_empty() {
            self.settle_front();
        }
        if self.awake
            && let Some(top) = self.tasks.top_mut()
            && top.activity.moves(&self.world)
        {
            self.move_on();
        }
        self.settle();
    }

    /// What stands in front, for [`super::state`].
    pub(super) fn front_layer<T>(&self, read: impl FnOnce(Option<LayerKind>, bool) -> T) -> T {
        let made;
        let stack = match &self.window_stack {
            Some(stack) => stack,
            None => {
                made = self.lay_out();
                &made
            }
        };
        read(
            stack.focused().map(|layer| layer.kind),
            stack.layers.iter().any(|layer| layer.secure),
        )
    }
}
