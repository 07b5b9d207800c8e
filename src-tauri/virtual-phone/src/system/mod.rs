//! The system side of the phone: windows, tasks, input, settings, the apps' world, drawing.
//!
//! [`System`] implements [`Android`]; [`SystemOptions`] and [`demo_profiles`] say which phone it is. Start reading at
//! `window_stack` (the windows, laid out), `fingers` (what a touch becomes) and `world` (what a screen sees and asks for); the
//! screens themselves are in `crate::apps`, what they are made of in `crate::toolkit`.
//!
//! Time is what the last [`Android::tick`] told. A gesture's speed, a long press and a double tap are measured by it: tick
//! before every event of a finger.
//!
//! Absent on purpose: picture in picture, a split screen of other shares than half and half, a second display, animations between screens, selection by
//! handles, words the keyboard proposes, Chinese, Japanese, Korean and Arabic letters (the phone's font shows a box).
//!
//! # State
//! [`Android::state`] gives one object. Money is in cents.
//! - `screen`: `{package, class, popup, keyboard, awake, locked, shade, rotation, secure}` – what stands in front
//! - `settings`: `{batterySaver, wifi, bluetooth, airplaneMode, darkTheme, autoRotate, rotation, brightness, volume,
//!   network, factoryResets, passwordsShown}`
//! - `messages`: `{sent: [{to, text}], received: [{from, text}], draft, unread: [name], conversations: [name]}`
//! - `greenleaf`: `{basket: [{name, quantity, price}], total, slot, orders: [{number, amount, items, slot}]}`
//! - `northbank`: `{signedIn, failedPasswords, codesSent, failedCodes, balance, transfers: [{to, amount, note}]}`, never a
//!   code (codes are in `messages.received`, as on a phone)
//! - `notes`: `[{title, text}]` in their order; `contacts`: `[{name, number}]` by name; `clock`: `[{time, on}]`
//! - `browser`: `{address, submitted: [{address, values}]}`; `store`: `{pending: [package], installed: [package]}`
//! - `phone`: `{called: [name]}`; `camera`: `{pictures}`; `photos`: `{count, deleted}`; `calendar`: `{added: [title]}`
//! - `mail`: `{unread: [subject], deleted: [subject]}`; `music`: `{track, playing}`; `maps`: `{searched: [name]}`
//! - `presses`: `{done: [page]}`
//! - `usbDebugging`: what the person answered, null before
//! - `notifications`: `[{app, title, text}]`; `permissions`: `{"package permission": "granted" | "once" | "denied"}`

mod activity;
mod adb_keyboard;
mod bars;
mod brands;
mod clicks;
mod composing;
mod editing;
mod fingers;
mod flings;
mod flow;
mod frames;
mod keyboard;
mod keymap;
mod keys;
mod lock;
mod log;
mod not_responding;
mod notices;
mod options;
mod overlays;
mod panels;
mod permission;
mod profiles;
mod recents;
mod rng;
mod settings;
mod shade;
mod split;
mod starting;
mod state;
mod tasks;
#[cfg(test)]
mod tests;
mod usb;
mod window_stack;
mod windows;
mod world;

pub use brands::{Brand, NoSuchPhone};
pub use options::{Basket, Injection, InjectionSite, SystemOptions};
pub use profiles::{PhoneProfile, Wallpaper, demo_profiles};

pub(crate) use activity::{Activity, ActivityDeclaration, Bars, Icon, Manifest, Popup, PopupKind, Sign};
pub(crate) use adb_keyboard::PACKAGE as ADB_KEYBOARD;
pub(crate) use rng::SeededRng;
pub(crate) use world::{SystemRequest, World, main_intent};

use crate::android::{
    Android, Battery, Component, CompositionMode, Display, FingerAction, Intent, Keyboard, NoHierarchy,
    NotStarted, Package, Picture, PixelView, PostedNotification, Power, Profile, StartedActivity, Window,
};
use crate::apps;
use crate::toolkit::memory::Memory;
use crate::toolkit::tree;
use fingers::Touch;
use flings::Fling;
use frames::Frame;
use serde_json::Value;
use shade::Shade;
use split::Split;
use std::time::Duration;
use tasks::Tasks;
use window_stack::WindowStack;

/// The system of one phone.
pub struct System {
    world: World,
    tasks: Tasks,
    split: Option<Split>,
    awake: bool,
    locked: bool,
    pin: lock::Pin,
    keyboard: keyboard::Keyboard,
    held: composing::Composition,
    shade: Shade,
    volume_until: Option<Duration>,
    /// What the windows that need no memory of their own share.
    overlay: Memory,
    touch: Option<Touch>,
    fling: Option<Fling>,
    last_click: Option<clicks::Click>,
    /// The screen in front when it was last told so.
    front: Option<u32>,
    /// The field with the focus must be moved into view.
    reveal: bool,
    generation: u64,
    /// The frame shows the windows but for its moving part.
    moved: bool,
    window_stack: Option<WindowStack>,
    frame: Frame,
}

impl std::fmt::Debug for System {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("System")
            .field("profile", &self.world.options.profile.phone.name)
            .finish_non_exhaustive()
    }
}

impl System {
    /// A phone, switched on. Where [`SystemOptions::start`] names nothing, it is at home and its log says why
    /// ([`System::try_new`] refuses instead).
    #[must_use]
    pub fn new(options: SystemOptions) -> Self {
        Self::switched_on(options).0
    }

    /// The same, for a caller that wants to hear of a first activity that is none.
    ///
    /// # Errors
    /// [`NotStarted::NoSuchClass`] when [`SystemOptions::start`] names no activity of an installed app.
    pub fn try_new(options: SystemOptions) -> Result<Self, NotStarted> {
        let (system, started) = Self::switched_on(options);
        started.map(|()| system)
    }

    fn switched_on(options: SystemOptions) -> (Self, Result<(), NotStarted>) {
        let start = options.start.clone();
        let (locked, awake) = (options.locked, !options.asleep);
        let mut world = World::new(options);
        let home = apps::home(&mut world);
        let mut system = Self {
            world,
            tasks: Tasks::new(home),
            split: None,
            awake,
            locked,
            pin: lock::Pin::default(),
            keyboard: keyboard::Keyboard::default(),
            held: composing::Composition::default(),
            shade: Shade::default(),
            volume_until: None,
            overlay: Memory::default(),
            touch: None,
            fling: None,
            last_click: None,
            front: None,
            reveal: false,
            generation: 1,
            moved: false,
            window_stack: None,
            frame: Frame::default(),
        };
        let mut started = Ok(());
        if let Some(component) = start {
            let problem = format!("Activity class {{{component}}} does not exist.");
            let intent = Intent {
                component: Some(component),
                ..Intent::default()
            };
            started = system.begin(&intent, false).map(drop);
            if started.is_err() {
                tracing::warn!("{problem}");
                let now = system.world.now;
                system.world.log.write(now, "ActivityTaskManager", &problem);
            }
        }
        system.settle_front();
        (system, started)
    }

    /// What [`Android::picture`] shows has changed.
    fn change(&mut self) {
        self.generation += 1;
        self.window_stack = None;
        self.moved = false;
        self.frame.laid = false;
    }

    /// Only the moving part of the screen in front has changed.
    fn move_on(&mut self) {
        self.generation += 1;
        self.moved = true;
    }
}

impl Android for System {
    fn profile(&self) -> &Profile {
        &self.world.options.profile.phone
    }

    fn display(&self) -> Display {
        self.world.display
    }

    fn picture(&mut self) -> Picture {
        self.take_picture()
    }

    fn generation(&self) -> u64 {
        self.generation
    }

    fn show(&mut self, since: u64, see: &mut dyn FnMut(&PixelView<'_>)) {
        self.show_picture(since, see);
    }

    fn hierarchy(&mut self) -> Result<String, NoHierarchy> {
        if self.awake && self.world.options.endless_animation {
            return Err(NoHierarchy::NeverIdle);
        }
        self.tree().ok_or(NoHierarchy::NullRoot)
    }

    fn tree(&mut self) -> Option<String> {
        if !self.awake {
            return None;
        }
        self.window_stack();
        let rotation = self.world.display.rotation;
        let layer = self.window_stack.as_ref().and_then(WindowStack::focused)?;
        let memory = self.memory(layer.kind)?;
        Some(tree::write_document(
            &layer.scene,
            memory,
            layer.package,
            rotation,
        ))
    }

    fn finger(&mut self, action: FingerAction, x: f32, y: f32) {
        self.move_finger(action, x, y);
    }

    fn key(&mut self, code: u32, meta: u32, long: bool) {
        self.press_key(code, meta, long);
    }

    fn character(&mut self, character: char) -> bool {
        self.press_character(character)
    }

    fn windows(&self) -> Vec<Window> {
        self.windows_now()
    }

    fn focused_app(&self) -> Option<Component> {
        // A window of the system's own is no app's.
        let mut stack = self.tasks.front()?.stack.iter().rev();
        let top = stack.find(|running| running.activity.title().is_none())?;
        Some(Component {
            package: top.activity.package().to_owned(),
            class: top.activity.class().to_owned(),
        })
    }

    fn packages(&self) -> Vec<Package> {
        starting::packages(&self.world)
    }

    fn icon(&self, package: &str, side: u32) -> Option<Picture> {
        let installed = self.world.is_installed(package);
        installed.then(|| apps::icon_picture(package, side)).flatten()
    }

    fn resolve(&self, intent: &Intent) -> Option<Component> {
        starting::resolve(intent, &self.world).map(|found| found.component())
    }

    fn start(&mut self, intent: &Intent) -> Result<StartedActivity, NotStarted> {
        let started = self.begin(intent, true);
        self.change();
        started
    }

    fn force_stop(&mut self, package: &str) {
        self.stop_package(package);
    }

    fn setting(&self, namespace: &str, name: &str) -> Option<String> {
        self.world.settings.get(namespace, name).map(str::to_owned)
    }

    fn put_setting(&mut self, namespace: &str, name: &str, value: Option<&str>) {
        if self.world.settings.put(namespace, name, value) {
            self.follow_settings();
        }
    }

    fn battery(&self) -> Battery {
        self.world.battery
    }

    fn notifications(&self) -> Vec<PostedNotification> {
        let posted = |notice: &notices::Notice| PostedNotification {
            package: notice.package.to_owned(),
            title: notice.title.clone(),
            text: notice.text.clone(),
            at: notice.at,
        };
        self.world.notices.all.iter().map(posted).collect()
    }

    fn receive_text(&mut self, sender: &str, text: &str) {
        self.world.send_text(sender, text.to_owned());
    }

    fn power(&self) -> Power {
        Power {
            awake: self.awake,
            locked: self.locked,
        }
    }

    fn keyboard(&self) -> Keyboard {
        let setting = |name| self.world.settings.get("secure", name).unwrap_or_default();
        Keyboard {
            shown: self.keyboard.up && self.awake && !self.locked,
            ime: setting("default_input_method").to_owned(),
            enabled: setting("enabled_input_methods")
                .split(':')
                .filter(|ime| !ime.is_empty())
                .map(str::to_owned)
                .collect(),
        }
    }

    fn tick(&mut self, now: Duration) {
        self.pass_time(now);
    }

    fn log(&self) -> Vec<String> {
        self.world.log.lines()
    }

    fn state(&self) -> Value {
        self.tell_state()
    }

    fn maps(&self, character: char) -> bool {
        keymap::has(character)
    }

    fn ask_debugging(&mut self, fingerprint: &str) {
        self.wake();
        self.world.debugging = None;
        self.tasks.push(Box::new(usb::UsbDebugging::new(fingerprint)));
        self.settle_front();
    }

    fn debugging_answer(&self) -> Option<bool> {
        self.world.debugging
    }

    fn debugging_always(&self) -> bool {
        self.world.debugging_always
    }

    fn clipboard(&self) -> String {
        self.world.clipboard.clone()
    }

    fn set_clipboard(&mut self, text: &str) {
        text.clone_into(&mut self.world.clipboard);
    }

    fn commit(&mut self, text: &str) -> bool {
        self.commit_text(text)
    }

    fn open_shade(&mut self, open: bool) {
        if !self.locked {
            System::open_shade(self, open);
        }
    }

    fn takes_text(&mut self) -> bool {
        self.awake && !self.locked && self.writes()
    }

    fn install(&mut self, apk: &[u8]) -> bool {
        self.install_package(apk)
    }

    fn input_methods(&self) -> Vec<String> {
        self.world.input_methods()
    }

    fn broadcast(&mut self, intent: &Intent) -> bool {
        self.receive(intent)
    }

    fn set_born(&mut self, born: std::time::Duration) {
        self.world.born = born;
    }

    fn stop_responding(&mut self, stops: bool) {
        if !stops {
            return self.stop_package(not_responding::SYSTEM);
        }
        let Some(task) = self.tasks.front() else { return };
        let Some(package) = task.top().map(|top| top.activity.package()) else {
            return;
        };
        let number = task.number;
        let label = starting::packages(&self.world)
            .into_iter()
            .find(|known| known.name == package)
            .map_or_else(|| package.to_owned(), |known| known.label);
        self.tasks.push(Box::new(not_responding::NotResponding::new(
            package, &label, number,
        )));
        self.settle_front();
    }

    fn choose_composing(&mut self, composing: Option<CompositionMode>) {
        System::choose_composing(self, composing);
    }

    fn begin_run(&mut self) {
        System::begin_run(self);
    }

    fn split(&mut self, splits: bool) {
        if splits {
            self.begin_split();
        } else {
            self.end_split();
        }
    }

    fn set_pin(&mut self, pin: Option<&str>) {
        self.pin = lock::Pin::new(pin);
        self.change();
    }

    fn has_pin(&self) -> bool {
        self.pin.is_wanted()
    }

    fn answers(&self, intent: &Intent) -> Vec<Component> {
        starting::answering(intent, &self.world)
    }

    fn settings(&self, namespace: &str) -> Vec<(String, String)> {
        self.world.settings.all(namespace)
    }

    fn clear_data(&mut self, package: &str) -> bool {
        self.clear_package(package)
    }

    fn uninstall(&mut self, package: &str) -> bool {
        self.remove_package(package)
    }
}
