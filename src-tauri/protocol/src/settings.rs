//! What the person may choose.

use crate::credential::Credential;
use crate::id::PhoneId;
use crate::maker::ChosenModel;
use crate::rule::Rules;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// All settings. Unknown fields of a newer version are ignored, missing ones take their default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// Who thinks.
    pub provider: Provider,
    /// What is always asked first.
    pub ask_before: AskBefore,
    /// How much is asked.
    pub level: Level,
    /// What the person decided for apps and kinds of action.
    #[ts(as = "Option<Rules>", optional)]
    pub rules: Rules,
    /// Where a run ends by itself.
    pub limits: Limits,
    /// How many demo phones are shown.
    pub demo_phones: u8,
    /// Scripts on this computer.
    pub scripts: ScriptSettings,
    /// Where the adb program is, the file or its folder; empty: it is looked for.
    pub adb_program: String,
    /// adb servers on other computers (`host:port`), whose phones are listed too.
    pub adb_servers: Vec<String>,
    /// Phones that are connected over Wi-Fi again whenever they are there.
    pub wireless: Vec<crate::wireless::WirelessPhone>,
    /// How a question makes itself noticed.
    #[ts(as = "Option<NoticeSettings>", optional)]
    pub notices: NoticeSettings,
    /// What the program speaks.
    #[ts(as = "Option<Language>", optional)]
    pub language: Language,
    /// How long past tasks are kept.
    #[ts(as = "Option<KeepSettings>", optional)]
    pub keep: KeepSettings,
    /// Saved passwords: what may be known of them, never their values.
    #[ts(as = "Option<Vec<Credential>>", optional)]
    pub credentials: Vec<Credential>,
    /// What the person calls their phones, in the order they have them in. A phone that is not in it comes after these.
    #[ts(as = "Option<Vec<PhoneLabel>>", optional)]
    pub phones: Vec<PhoneLabel>,
    /// What the person wants the AI to know in every task.
    #[ts(as = "Option<Vec<Note>>", optional)]
    pub notes: Vec<Note>,
    /// What closing the main window means while something is planned or goes on.
    #[ts(as = "Option<WhenClosed>", optional)]
    pub when_closed: WhenClosed,
}

/// A line of the person's own: told to the AI as data with each task it is about. No secret is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
pub struct Note {
    /// One line, up to 300 characters.
    pub text: String,
    /// What it is about.
    #[serde(flatten)]
    pub about: NoteAbout,
}

/// What a note is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "about", rename_all = "snake_case")]
pub enum NoteAbout {
    /// Every task.
    #[default]
    Everything,
    /// Tasks on this phone.
    Phone {
        /// The phone it is about.
        phone: PhoneId,
    },
    /// This app, on every phone.
    App {
        /// The app's name, as the person knows it.
        app: String,
    },
}

/// What closing the main window means while something is planned or goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum WhenClosed {
    /// The person is asked.
    #[default]
    Ask,
    /// The program goes on: beside the clock, or with its window put away where there is no such place.
    KeepRunning,
    /// The program ends.
    Quit,
}

/// The person closed the main window while something is planned or goes on: what they are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Closing {
    /// There is an icon beside the clock that the window comes back by.
    pub has_tray: bool,
    /// Tasks that go on.
    pub running: u32,
    /// Automations that begin by themselves.
    pub planned: u32,
}

/// What the person calls a phone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct PhoneLabel {
    /// The phone that has this name.
    pub phone: PhoneId,
    /// Empty: what the phone calls itself.
    #[serde(default)]
    pub name: String,
}

/// How long past tasks are kept, with their pictures and their scripts' folders: whichever comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct KeepSettings {
    /// Days after a task's end.
    pub days: u32,
    /// Megabytes (10⁶ bytes) of all of them together: then the oldest go.
    pub megabytes: u32,
}

impl Default for KeepSettings {
    fn default() -> Self {
        Self {
            days: 30,
            megabytes: 1_000,
        }
    }
}

/// What makes itself noticed as a notification, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct NoticeSettings {
    /// A question, with a sound.
    pub sound: bool,
    /// A task that is done.
    pub done: bool,
    /// A task that could not go on.
    pub failed: bool,
    /// A task that waits for the person: the phone is locked, the AI cannot be reached, a limit was reached.
    pub needs_you: bool,
}

impl Default for NoticeSettings {
    fn default() -> Self {
        Self {
            sound: true,
            done: true,
            failed: true,
            needs_you: true,
        }
    }
}

/// What the program speaks to the person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// The system's language; English where there are no sentences in it.
    #[default]
    System,
    /// English.
    En,
    /// Chinese, in simplified characters.
    Zh,
}

/// Who thinks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Provider {
    /// The built-in planner: no key, no network, a handful of tasks on the demo phone.
    #[default]
    Demo,
    /// A model of a maker that is known, or of a server with its own address.
    Model {
        /// Which, and how it is spoken to.
        #[serde(flatten)]
        chosen: ChosenModel,
    },
}

/// The switches. Payments, codes, passwords and scripts have none: they always ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct AskBefore {
    /// Texts, email, posts and calls.
    pub sending: bool,
    /// Photos, chats, accounts, files.
    pub deleting: bool,
    /// New apps and changed permissions.
    pub installing: bool,
    /// Technical commands run on the phone.
    pub shell: bool,
}

/// Where `run_script` runs: on the phone, unless the person switched this computer on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct ScriptSettings {
    /// `run_script` runs on this computer, and not on the phone. Each script is asked about.
    pub on_this_computer: bool,
    /// Programs such a script may start, each by its absolute path. Empty at first.
    pub programs: Vec<String>,
}

/// How much is asked. Payments ask at every level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Every action but looking.
    Everything,
    /// When it matters: the switches say what matters.
    #[default]
    WhenItMatters,
    /// Only what no setting lifts.
    HardStops,
}

/// Where a run ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct Limits {
    /// Steps of one run.
    pub steps: u32,
    /// Minutes of one run.
    pub minutes: u32,
    /// Dollars of a day, all runs together.
    pub dollars_a_day: f64,
    /// The person is warned when four fifths of them are spent.
    #[ts(as = "Option<bool>", optional)]
    pub warn_near_limit: bool,
    /// Tasks pause when they are spent.
    #[ts(as = "Option<bool>", optional)]
    pub pause_at_limit: bool,
    /// The same action on the same screen.
    pub repeats: u32,
}

impl Default for AskBefore {
    fn default() -> Self {
        Self {
            sending: true,
            deleting: true,
            installing: true,
            shell: true,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 50,
            minutes: 30,
            dollars_a_day: 5.0,
            warn_near_limit: true,
            pause_at_limit: true,
            repeats: 3,
        }
    }
}

/// A change: what is present replaces what was.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase", default)]
#[expect(missing_docs, reason = "the fields of `Settings`")]
pub struct SettingsPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub provider: Option<Provider>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ask_before: Option<AskBefore>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub level: Option<Level>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rules: Option<Rules>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub limits: Option<Limits>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub demo_phones: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub scripts: Option<ScriptSettings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub adb_program: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub adb_servers: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub wireless: Option<Vec<crate::wireless::WirelessPhone>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub notices: Option<NoticeSettings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub language: Option<Language>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub keep: Option<KeepSettings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub credentials: Option<Vec<Credential>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub phones: Option<Vec<PhoneLabel>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub notes: Option<Vec<Note>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub when_closed: Option<WhenClosed>,
}

/// What may be known of the stored key: never the key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "key", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum KeyStatus {
    /// None is stored.
    Absent,
    /// In the system's keychain.
    Stored {
        /// Its last four characters.
        ends_in: String,
    },
    /// Kept for this run of the program only, because no keychain answers.
    ThisRunOnly {
        /// Its last four characters.
        ends_in: String,
        /// Why no keychain.
        failure: crate::failure::Failure,
    },
    /// The keychain would not say.
    Unreadable {
        /// Why it would not.
        failure: crate::failure::Failure,
    },
}
