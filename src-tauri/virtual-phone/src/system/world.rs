//! What every screen of the phone can see and change: settings, notices, permissions, the apps' data, and the calls a
//! screen makes to the system.

use super::activity::Activity;
use super::log::Log;
use super::notices::{Notice, Notices};
use super::options::SystemOptions;
use super::rng::SeededRng;
use super::settings::Settings;
use crate::android::{Battery, CompositionMode, Display, Intent};
use crate::apps::Data;
use crate::toolkit::geometry::Metrics;
use crate::toolkit::theme::Theme;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::time::Duration;

/// What a screen asks of the system.
#[derive(Debug)]
pub(crate) enum SystemRequest {
    /// Opens a screen over the one that asks.
    Open(Box<dyn Activity>),
    /// Starts whatever answers an intent, as an icon does.
    Launch(Intent),
    /// Closes the screen that asks.
    Finish,
    /// Closes screens of this task until one of this class is in front; where there is none, this one is all of it.
    ClearTo(Box<dyn Activity>),
    /// Brings the task with this number to the front.
    BringTask(u32),
    /// Forgets the task with this number.
    CloseTask(u32),
    /// Gives a field (by its key) the focus, and shows the keyboard.
    Focus(&'static str),
    /// Takes the focus from whatever field has it, and puts the keyboard away.
    Blur,
    /// Moves the list with this key to where it begins.
    ScrollToStart(&'static str),
    /// Asks the person for a permission, in Android's own dialog.
    Permission {
        package: &'static str,
        label: &'static str,
        permission: &'static str,
    },
    /// Erases every app's data and starts again.
    FactoryReset,
}

/// A text message on its way.
#[derive(Clone, Debug)]
struct PendingText {
    at: Duration,
    sender: String,
    text: String,
}

/// What a person decided about a permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grant {
    WhileUsing,
    OnlyThisTime,
    Denied,
}

/// What every screen can see and change.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) now: Duration,
    /// Time since 1970 when `now` was nought.
    pub(crate) born: Duration,
    pub(crate) options: SystemOptions,
    pub(crate) display: Display,
    /// The pixels of the window that is being laid out, where it has not the whole display.
    pub(crate) window: Cell<Option<(i32, i32)>>,
    pub(crate) metrics: Metrics,
    pub(crate) theme: Theme,
    pub(crate) settings: Settings,
    pub(crate) battery: Battery,
    pub(crate) rng: SeededRng,
    pub(crate) notices: Notices,
    pub(crate) permissions: BTreeMap<(String, String), Grant>,
    pub(crate) toast: Option<(String, Duration)>,
    pub(crate) clipboard: String,
    /// What the person answered about debugging by a computer.
    pub(crate) debugging: Option<bool>,
    /// And whether for always.
    pub(crate) debugging_always: bool,
    /// When the input method manager has heard of ADBKeyboard.
    pub(crate) adb_keyboard_since: Option<Duration>,
    /// A keyboard that composes is installed.
    pub(crate) composing: Option<CompositionMode>,
    /// Packages that were taken away, or never there.
    pub(crate) removed: Vec<&'static str>,
    pub(crate) log: Log,
    pub(crate) calls: Vec<SystemRequest>,
    pub(crate) apps: Data,
    pending_texts: Vec<PendingText>,
}

/// 9:41 on 14 May 2024: what the screens show, where nobody says otherwise.
const MORNING: Duration = Duration::from_secs(1_715_679_660);

/// How long a toast stays.
const TOAST: Duration = Duration::from_secs(2);

impl World {
    pub(crate) fn new(options: SystemOptions) -> Self {
        let settings = Settings::new(&options);
        let mut rng = SeededRng::new(options.seed);
        let apps = Data::new(&options, &mut rng);
        let profile = &options.profile.phone;
        let display = Display {
            width: profile.size.0,
            height: profile.size.1,
            rotation: 0,
            density: profile.density,
        };
        let mut world = Self {
            now: Duration::ZERO,
            born: MORNING,
            display,
            window: Cell::new(None),
            metrics: Metrics {
                density: 1.0,
                font_scale: 1.0,
            },
            theme: Theme::LIGHT,
            settings,
            battery: options.profile.battery,
            rng,
            notices: Notices::default(),
            permissions: BTreeMap::new(),
            toast: None,
            clipboard: String::new(),
            debugging: None,
            debugging_always: true,
            adb_keyboard_since: options.adb_keyboard.then_some(Duration::ZERO),
            composing: None,
            removed: if options.adb_keyboard {
                Vec::new()
            } else {
                vec![super::ADB_KEYBOARD]
            },
            log: Log::default(),
            calls: Vec::new(),
            apps,
            pending_texts: Vec::new(),
            options,
        };
        world.follow_settings();
        world.notices.begin(&world.options);
        world
    }

    /// Takes size, rotation, theme and text size from the settings.
    pub(crate) fn follow_settings(&mut self) {
        let profile = &self.options.profile.phone;
        let (width, height) = self.settings.size(profile);
        let density = self.settings.density(profile);
        let rotation = self.settings.rotation();
        let (width, height) = if rotation % 2 == 1 {
            (height, width)
        } else {
            (width, height)
        };
        self.display = Display {
            width,
            height,
            rotation,
            density,
        };
        let font_scale = self
            .settings
            .number("system", "font_scale")
            .unwrap_or(1.0)
            .clamp(0.5, 2.0);
        self.metrics = Metrics {
            density: density as f32 / 160.0,
            font_scale,
        };
        self.theme = Theme::of(self.settings.is_dark());
    }

    /// Time since 1970.
    pub(crate) fn wall(&self) -> Duration {
        self.born + self.now
    }

    // The pixels a screen has: all, or those of its half.
    fn room(&self) -> (i32, i32) {
        let whole = (self.display.width as i32, self.display.height as i32);
        self.window.get().unwrap_or(whole)
    }

    /// Width of a screen in dp.
    pub(crate) fn width(&self) -> f32 {
        self.room().0 as f32 / self.metrics.density
    }

    /// Height of a screen in dp.
    pub(crate) fn height(&self) -> f32 {
        self.room().1 as f32 / self.metrics.density
    }

    /// Wider than high.
    pub(crate) fn is_wide(&self) -> bool {
        self.room().0 > self.room().1
    }

    pub(crate) fn open(&mut self, activity: impl Activity + 'static) {
        self.calls.push(SystemRequest::Open(Box::new(activity)));
    }

    /// Starts an app as its icon does.
    pub(crate) fn launch(&mut self, package: &str) {
        self.calls.push(SystemRequest::Launch(main_intent(package)));
    }

    pub(crate) fn clear_to(&mut self, activity: impl Activity + 'static) {
        self.calls.push(SystemRequest::ClearTo(Box::new(activity)));
    }

    pub(crate) fn finish(&mut self) {
        self.calls.push(SystemRequest::Finish);
    }

    pub(crate) fn call(&mut self, call: SystemRequest) {
        self.calls.push(call);
    }

    pub(crate) fn show_toast(&mut self, words: impl Into<String>) {
        self.toast = Some((words.into(), self.now + TOAST));
    }

    pub(crate) fn is_installed(&self, package: &str) -> bool {
        !self.removed.contains(&package)
    }

    /// A permission as it stands; none when the person was never asked.
    pub(crate) fn permission(&self, package: &str, permission: &str) -> Option<bool> {
        let grant = self
            .permissions
            .get(&(package.to_owned(), permission.to_owned()))?;
        Some(*grant != Grant::Denied)
    }

    /// A text message that arrives after the time messages take.
    pub(crate) fn send_text(&mut self, sender: &str, text: String) {
        let at = self.now + self.options.message_delay;
        self.pending_texts.push(PendingText {
            at,
            sender: sender.to_owned(),
            text,
        });
    }

    /// Delivers what is due. True when something arrived.
    pub(super) fn deliver(&mut self) -> bool {
        let (due, later) = std::mem::take(&mut self.pending_texts)
            .into_iter()
            .partition(|pending| pending.at <= self.now);
        self.pending_texts = later;
        let due: Vec<PendingText> = due;
        let any = !due.is_empty();
        for pending in due {
            let conversation = self.apps.messages.receive(&pending.sender, &pending.text);
            self.log.write(self.now, "SmsReceiver", "message received");
            let hidden = !self.options.codes_in_notifications && carries_code(&pending.text);
            let shown = if hidden {
                "New message"
            } else {
                pending.text.as_str()
            };
            let notice = Notice::message(&pending.sender, shown, conversation);
            self.notices.post(notice, self.now);
        }
        any
    }
}

/// Four digits or more in a row.
fn carries_code(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit())
        .any(|digits| digits.len() >= 4)
}

/// What an icon sends.
pub(crate) fn main_intent(package: &str) -> Intent {
    Intent {
        action: Some("android.intent.action.MAIN".to_owned()),
        categories: vec!["android.intent.category.LAUNCHER".to_owned()],
        package: Some(package.to_owned()),
        ..Intent::default()
    }
}
