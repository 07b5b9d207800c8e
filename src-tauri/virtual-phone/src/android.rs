//! What the wire side of the phone (adbd, shell, services) asks of the system side (windows, apps, drawing).
//!
//! One lock stands around an [`Android`]: every call is short. Time is told, never read: [`Android::tick`].

use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// The system of one phone: what a real phone's system server, window manager, input dispatcher, package manager and
/// surface compositor know.
pub trait Android: Send {
    /// What the phone is.
    fn profile(&self) -> &Profile;

    /// The display as it stands now.
    fn display(&self) -> Display;

    /// What `screencap` gets: the display's pixels, black where a secure window stands, black when switched off.
    fn picture(&mut self) -> Picture;

    /// Counts up whenever [`Android::picture`] would differ from before.
    fn generation(&self) -> u64;

    /// Shows the display's pixels once, without copying them; `since` is the generation the one who looks saw last.
    fn show(&mut self, since: u64, see: &mut dyn FnMut(&PixelView<'_>)) {
        let picture = self.picture();
        let generation = self.generation();
        let all = (0, 0, picture.width, picture.height);
        see(&PixelView {
            width: picture.width,
            height: picture.height,
            rgba: &picture.rgba,
            generation,
            changed: if since == generation { (0, 0, 0, 0) } else { all },
        });
    }

    /// What `uiautomator dump` writes: the whole XML document of the active window.
    ///
    /// # Errors
    /// When there is no window to read, or it never goes idle.
    fn hierarchy(&mut self) -> Result<String, NoHierarchy>;

    /// The same of this moment, for whoever does not wait for idle; none where there is no window to read.
    fn tree(&mut self) -> Option<String> {
        self.hierarchy().ok()
    }

    /// One event of one finger, in pixels of the display as it stands now.
    fn finger(&mut self, action: FingerAction, x: f32, y: f32);

    /// One press and release of a key (Android key code), long when `long`.
    fn key(&mut self, code: u32, meta: u32, long: bool);

    /// One character through the virtual keyboard's key map (`input text`). False when the map has no such key.
    fn character(&mut self, character: char) -> bool;

    /// Every window, topmost first.
    fn windows(&self) -> Vec<Window>;

    /// Package and activity of the app that has the focus, also when an overlay covers it.
    fn focused_app(&self) -> Option<Component>;

    /// The installed packages.
    fn packages(&self) -> Vec<Package>;

    /// An installed package's icon as the launcher draws it, transparent around it: `side` pixels wide and high.
    fn icon(&self, package: &str, side: u32) -> Option<Picture>;

    /// Which activity an intent would start.
    fn resolve(&self, intent: &Intent) -> Option<Component>;

    /// Starts what the intent resolves to.
    ///
    /// # Errors
    /// When nothing answers it.
    fn start(&mut self, intent: &Intent) -> Result<StartedActivity, NotStarted>;

    /// Ends an app's processes and forgets its windows (its data stays).
    fn force_stop(&mut self, package: &str);

    /// One value of `settings` (`system`, `secure`, `global`).
    fn setting(&self, namespace: &str, name: &str) -> Option<String>;

    /// Sets (or with `None` deletes) one value of `settings`; the display follows `user_rotation` and
    /// `accelerometer_rotation`, the battery saver `low_power`, and so on.
    fn put_setting(&mut self, namespace: &str, name: &str, value: Option<&str>);

    /// Charge.
    fn battery(&self) -> Battery;

    /// The notifications, newest first.
    fn notifications(&self) -> Vec<PostedNotification> {
        Vec::new()
    }

    /// A text message comes, after the time messages take.
    fn receive_text(&mut self, sender: &str, text: &str) {
        let _ = (sender, text);
    }

    /// Awake, asleep, locked.
    fn power(&self) -> Power;

    /// The soft keyboard.
    fn keyboard(&self) -> Keyboard;

    /// Time since start. Moves animations, delivers what is due (a text message), blinks nothing.
    fn tick(&mut self, now: Duration);

    /// Lines for `logcat -d`, oldest first, already formatted as `threadtime`.
    fn log(&self) -> Vec<String>;

    /// The state of every app, for a test to compare: carts, orders, payments, messages, sign-ins, notes, settings.
    fn state(&self) -> Value;

    // What a system may leave to these defaults.

    /// The phone's date and time of day (time since 1970, UTC) at its first [`Android::tick`], of nought.
    fn set_born(&mut self, born: Duration) {
        let _ = born;
    }

    /// Whether the virtual keyboard's key map has a character: `input text` asks for all of them before it types the
    /// first. The default is AOSP's `Virtual.kcm`: ASCII, and what its keys give with Alt.
    fn maps(&self, character: char) -> bool {
        matches!(character, ' '..='~' | '\n' | '\t' | 'ç' | 'Ç' | 'ß')
    }

    /// `wm dismiss-keyguard`: takes a lock screen without a secret away.
    fn dismiss_keyguard(&mut self) {
        const KEYCODE_WAKEUP: u32 = 224;
        const KEYCODE_MENU: u32 = 82;
        self.key(KEYCODE_WAKEUP, 0, false);
        self.key(KEYCODE_MENU, 0, false);
    }

    /// Asks the person whether a computer may debug the phone (its key's fingerprint is shown), where the system can.
    fn ask_debugging(&mut self, fingerprint: &str) {
        let _ = fingerprint;
    }

    /// What the person answered to the last such question; none while it stands, or when none was asked.
    fn debugging_answer(&self) -> Option<bool> {
        None
    }

    /// Whether the person who said so said "Always allow from this computer".
    fn debugging_always(&self) -> bool {
        true
    }

    /// The clipboard's text; empty: none.
    fn clipboard(&self) -> String {
        String::new()
    }

    /// Puts a text on the clipboard.
    fn set_clipboard(&mut self, text: &str) {
        let _ = text;
    }

    /// Writes a text into the field that has the focus, as an input method does. False: there is none.
    fn commit(&mut self, text: &str) -> bool {
        let _ = text;
        false
    }

    /// Opens or closes the notification shade.
    fn open_shade(&mut self, open: bool) {
        let _ = open;
    }

    /// `pm install` of a package file. False: it is none this system can install.
    fn install(&mut self, apk: &[u8]) -> bool {
        let _ = apk;
        false
    }

    /// Whether something on the screen takes text, the keyboard shown or not.
    fn takes_text(&mut self) -> bool {
        self.keyboard().shown
    }

    /// Every input method that is known, enabled or not (`ime list -a`).
    fn input_methods(&self) -> Vec<String> {
        self.keyboard().enabled
    }

    /// The app in front stops answering: the system asks whether to wait for it. Or it answers again, and nothing is asked.
    fn stop_responding(&mut self, stops: bool) {
        let _ = stops;
    }

    /// The person's keyboard is one that composes; none: the phone's own again.
    fn choose_composing(&mut self, composing: Option<CompositionMode>) {
        let _ = composing;
    }

    /// Characters come in a run from here on, as by one `input text`.
    fn begin_run(&mut self) {}

    /// The app in front shares the display with another one, in split screen; or the one with the focus has all of it.
    fn split(&mut self, splits: bool) {
        let _ = splits;
    }

    /// Sets the PIN the lock screen wants, where the system can have one; none takes it away.
    fn set_pin(&mut self, pin: Option<&str>) {
        let _ = pin;
    }

    /// Whether the lock screen wants a PIN.
    fn has_pin(&self) -> bool {
        false
    }

    /// Every activity that answers an intent (`cmd package query-activities`), best first.
    fn answers(&self, intent: &Intent) -> Vec<Component> {
        self.resolve(intent).into_iter().collect()
    }

    /// Every value of one namespace (`settings list`), in any order.
    fn settings(&self, _namespace: &str) -> Vec<(String, String)> {
        Vec::new()
    }

    /// `pm clear`: ends the app and empties its data. False: it cannot (not installed, or not modelled).
    fn clear_data(&mut self, package: &str) -> bool {
        let _ = package;
        false
    }

    /// `pm uninstall`: takes the app away. False: it cannot (not installed, preinstalled, or not modelled).
    fn uninstall(&mut self, package: &str) -> bool {
        let _ = package;
        false
    }

    /// `am broadcast`. False: nobody receives it.
    fn broadcast(&mut self, intent: &Intent) -> bool {
        let _ = intent;
        false
    }
}

/// What a phone is.
#[derive(Clone, Debug)]
pub struct Profile {
    /// `ro.serialno`.
    pub serial: String,
    /// The name a person gave it (`settings get global device_name`).
    pub name: String,
    /// `ro.product.manufacturer`.
    pub manufacturer: String,
    /// `ro.product.model`.
    pub model: String,
    /// `ro.product.device`.
    pub device: String,
    /// `ro.build.version.release`.
    pub release: String,
    /// `ro.build.version.sdk`.
    pub sdk: u32,
    /// Natural size in pixels (upright).
    pub size: (u32, u32),
    /// `ro.sf.lcd_density`.
    pub density: u32,
}

/// The display as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Display {
    /// Pixels now, rotation included.
    pub width: u32,
    /// Pixels now, rotation included.
    pub height: u32,
    /// Quarter turns: 0…3.
    pub rotation: u8,
    /// Dots per inch.
    pub density: u32,
}

/// Pixels: 8-bit RGBA, row after row, no padding.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// `width × height × 4` bytes.
    pub rgba: Arc<[u8]>,
    /// A secure window was left black.
    pub secure: bool,
}

/// The display's pixels where they lie, for a moment.
#[derive(Clone, Copy, Debug)]
pub struct PixelView<'a> {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// As in [`Picture::rgba`].
    pub rgba: &'a [u8],
    /// What it shows ([`Android::generation`]).
    pub generation: u64,
    /// All that differs from the generation asked about lies in here: left, top, right, bottom.
    pub changed: (u32, u32, u32, u32),
}

/// Why there is no UI tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoHierarchy {
    /// `ERROR: null root node returned by UiTestAutomationBridge.`
    NullRoot,
    /// `ERROR: could not get idle state.`
    NeverIdle,
}

/// What a finger does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FingerAction {
    /// Touches.
    Down,
    /// Moves while touching.
    Move,
    /// Leaves: what was touched is clicked or flung.
    Up,
    /// Leaves, and nothing comes of it.
    Cancel,
}

impl FingerAction {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Down => "down",
            Self::Move => "move",
            Self::Up => "up",
            Self::Cancel => "cancel",
        }
    }
}

/// One window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// `com.example/com.example.MainActivity`, `StatusBar`, `InputMethod`, `NotificationShade`, …
    pub title: String,
    /// The owner.
    pub package: String,
    /// Whether it has the input focus.
    pub focused: bool,
    /// `FLAG_SECURE`.
    pub secure: bool,
    /// Left, top, right, bottom in pixels of the display.
    pub frame: (i32, i32, i32, i32),
    /// The half its task stands in, in split screen.
    pub half: Option<Half>,
}

/// A half of a display in split screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Half {
    /// Which half it is.
    pub side: SplitSide,
    /// Left, top, right, bottom in pixels of the display.
    pub bounds: (i32, i32, i32, i32),
}

/// Which half of a display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitSide {
    /// The upper one; on its side, the left one.
    First,
    /// The lower one; on its side, the right one.
    Second,
}

impl SplitSide {
    /// The other half.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// An activity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// `com.android.settings`.
    pub package: String,
    /// Full class name: `com.android.settings.Settings`.
    pub class: String,
}

/// An installed package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// What stands under its icon.
    pub label: String,
    /// What its icon starts; none for one without an icon.
    pub launcher: Option<Component>,
    /// Preinstalled.
    pub system: bool,
    /// `versionName`.
    pub version: String,
}

/// What to start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Intent {
    /// `android.intent.action.MAIN`.
    pub action: Option<String>,
    /// `android.intent.category.LAUNCHER`.
    pub categories: Vec<String>,
    /// A link.
    pub data: Option<String>,
    /// `package/class`, the class may begin with a dot.
    pub component: Option<String>,
    /// Only this package may answer.
    pub package: Option<String>,
    /// String extras.
    pub extras: Vec<(String, String)>,
}

/// Something was started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartedActivity {
    /// What was started.
    pub component: Component,
    /// It was in front already (`Warning: Activity not started, intent has been delivered to currently running top-most instance.`).
    pub already_in_front: bool,
}

/// Why nothing was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotStarted {
    /// No activity answers the intent.
    Unresolved,
    /// `Error type 3`: the class does not exist.
    NoSuchClass,
    /// Not exported: `java.lang.SecurityException: Permission Denial`.
    NotExported,
}

/// A notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostedNotification {
    /// Whose it is.
    pub package: String,
    /// Its first line.
    pub title: String,
    /// What it says.
    pub text: String,
    /// When it came, since the phone was started.
    pub at: Duration,
}

/// Charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Battery {
    /// 0…100.
    pub level: u8,
    /// On a charger.
    pub charging: bool,
}

/// Awake, asleep, locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Power {
    /// The display shines.
    pub awake: bool,
    /// The lock screen is up.
    pub locked: bool,
}

/// How a keyboard composes what is typed, also by keys from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompositionMode {
    /// Letters stand in the field; a blank behind a word corrects it, and a fast run of keys loses letters.
    Corrects,
    /// Letters stand in the keyboard until they are taken for what they spell (Pinyin).
    Spells,
}

/// The soft keyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyboard {
    /// It is up.
    pub shown: bool,
    /// The chosen one: `com.android.inputmethod.latin/.LatinIME`.
    pub ime: String,
    /// Every enabled one.
    pub enabled: Vec<String>,
}
