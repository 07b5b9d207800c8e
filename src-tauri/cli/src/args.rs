//! What can be typed.

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand, ValueEnum};
use protocol::{CaptureMode, RunEndKind, TrainedWords};
use std::path::PathBuf;

/// How a command ended, for scripts.
const EXIT_CODES: &str = "\
Standard output holds JSON, one object a line; messages go to standard error.
Exit codes: 0 fine, 1 failed, 2 called wrongly, 3 a person was needed.";

const ACTIONS: &str = r#"Examples:
  '{"type": "tap", "x": 540, "y": 1200}'
  '{"type": "tap", "target": {"text": "New note"}}'
  '{"type": "type", "text": "Milk and tea"}'
  '{"type": "keyevent", "keycode": "BACK"}'
  '{"type": "launch_app", "packageName": "com.android.settings"}'
What would be asked about is not done: the question is printed, and the exit code is 3."#;

const RUN_USAGE: &str = "\
deck run [OPTIONS] --device <S> --goal <TEXT>
       deck run [OPTIONS] --automation <NAME> [--set <NAME=VALUE>]…
       deck run [OPTIONS] --continue <RUN> [--note <TEXT>]";

const STEERING: &str = r#"While it runs, lines of standard input answer and steer:
  {"ask": ID, "digest": DIGEST, "choice": "approve"}   or "deny"; ID and DIGEST as printed
  {"op": "stop"}                                       or "pause", "resume"
At a terminal, y and n answer the question that is open. The end of the input is No to every question.
Ctrl-C stops the task. A key for the AI comes from the keychain, or from POCKETDECK_API_KEY."#;

/// Phones, looked at and operated without a window.
#[derive(Parser)]
#[command(name = "deck", version, after_help = EXIT_CODES)]
pub(crate) struct Args {
    /// Where runs and settings are kept (also: POCKETDECK_DATA).
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Reads a model's raw reply and says what it asks for.
    Parse(Parse),
    /// Lists every phone of every adb server, a line per serial.
    Devices,
    /// Tells what works on a phone, and what to do about what does not.
    Doctor(Doctor),
    /// Looks at a phone once.
    Look(Look),
    /// Does one action on a phone, judged like every other.
    #[command(after_help = ACTIONS)]
    Act(Act),
    /// Runs a whole task on a phone, an automation on its phones, or what is left of a task that was broken off, an event a
    /// line.
    #[command(after_help = STEERING, override_usage = RUN_USAGE)]
    Run(Run),
    /// Lists the automations with when each begins next and how it went last, a line each.
    Automations,
    /// Lists past tasks, newest first, a line each.
    History(History),
    /// Tells one past task, an event a line.
    Show(ShowRun),
    /// Writes a past task into a folder: a page to read, and lines to train a model with.
    Export(Export),
    /// Keeps the note a past task's AI proposed: it is told to the AI in later tasks.
    Keep(ShowRun),
    /// Erases past tasks with their pictures, from the disk too.
    Erase(Erase),
    /// Gets what makes mirrors better and types every character, from its maker.
    Fetch(Fetch),
    /// Starts a virtual phone on this computer.
    #[command(after_help = crate::phone_usage::help())]
    Phone(Phone),
}

#[derive(clap::Args)]
pub(crate) struct Parse {
    /// The reply; standard input when absent.
    #[arg(value_name = "REPLY")]
    pub(crate) reply: Option<String>,
    /// The dialect to read; found by itself when absent.
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<String>,
    /// The screen's width in pixels.
    #[arg(long, value_name = "W", requires = "height")]
    pub(crate) width: Option<u32>,
    /// The screen's height in pixels.
    #[arg(long, value_name = "H", requires = "width")]
    pub(crate) height: Option<u32>,
    /// The model's family, or its name: what its numbers count.
    #[arg(long, value_name = "NAME", conflicts_with = "space")]
    pub(crate) family: Option<String>,
    /// What its numbers count.
    #[arg(long, value_name = "NAME", value_parser = space_names())]
    pub(crate) space: Option<String>,
    /// The picture it was sent, where it was not the screen's size.
    #[arg(long, value_name = "WxH", requires = "width", value_parser = two_sides)]
    pub(crate) picture: Option<(u32, u32)>,
    /// The screen's UI tree, to find elements in.
    #[arg(long, value_name = "FILE.xml", requires = "width")]
    pub(crate) screen: Option<PathBuf>,
}

fn space_names() -> PossibleValuesParser {
    PossibleValuesParser::new(protocol::Space::ALL.map(protocol::Space::as_str))
}

fn two_sides(text: &str) -> Result<(u32, u32), String> {
    let sides = text.split_once('x').or_else(|| text.split_once('×'));
    let side = |text: &str| text.trim().parse().ok().filter(|n| *n > 0);
    sides
        .and_then(|(width, height)| side(width).zip(side(height)))
        .ok_or_else(|| "a size is written like 576x1280".to_owned())
}

#[derive(clap::Args)]
pub(crate) struct Doctor {
    /// The phone's serial, as `deck devices` lists it; every phone when absent.
    #[arg(long, value_name = "S")]
    pub(crate) device: Option<String>,
}

#[derive(clap::Args)]
pub(crate) struct Look {
    /// The phone's serial, as `deck devices` lists it.
    #[arg(long, value_name = "S")]
    pub(crate) device: String,
    /// Writes the picture to a PNG file.
    #[arg(long, value_name = "P.png")]
    pub(crate) out: Option<PathBuf>,
    /// What to look at.
    #[arg(long, value_enum, default_value_t = Mode::Som)]
    pub(crate) mode: Mode,
    /// Puts the picture into the answer.
    #[arg(long)]
    pub(crate) base64: bool,
    /// Elements at most.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) max_elements: u16,
}

/// What to look at.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// The picture with numbered marks, and the elements.
    Som,
    /// The picture alone.
    Vision,
    /// The elements alone.
    Ax,
}

impl From<Mode> for CaptureMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Som => Self::Som,
            Mode::Vision => Self::Vision,
            Mode::Ax => Self::Ax,
        }
    }
}

#[derive(clap::Args)]
pub(crate) struct Act {
    /// The phone's serial.
    #[arg(long, value_name = "S")]
    pub(crate) device: String,
    /// Who answers questions. What is allowed beforehand is not told again.
    #[arg(long, value_enum, default_value_t = Answers::Ask)]
    pub(crate) answer: Answers,
    /// The action.
    #[arg(value_name = "JSON")]
    pub(crate) action: String,
}

#[derive(clap::Args)]
pub(crate) struct Run {
    /// The phone's serial.
    #[arg(long, value_name = "S", required_unless_present_any = ["automation", "broken_off"])]
    pub(crate) device: Option<String>,
    /// The task, in plain words.
    #[arg(long, value_name = "TEXT", required_unless_present_any = ["automation", "broken_off"])]
    pub(crate) goal: Option<String>,
    /// An automation by its name, as the window or `deck automations` lists it, on the phones it is for.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["device", "goal", "timing"])]
    pub(crate) automation: Option<String>,
    /// What stands for one of its variables; may be given several times.
    #[arg(long = "set", value_name = "NAME=VALUE", requires = "automation", conflicts_with_all = ["device", "goal"],
          value_parser = name_and_value)]
    pub(crate) values: Vec<(String, String)>,
    /// A task that was broken off, by its id as `deck history` prints it: it goes on, on its own phone. What may have been done
    /// already is done again on a Yes alone.
    #[arg(long = "continue", value_name = "RUN", conflicts_with_all = ["device", "goal", "automation"])]
    pub(crate) broken_off: Option<String>,
    /// What the AI should know to go on with it.
    #[arg(long, value_name = "TEXT", requires = "broken_off", conflicts_with_all = ["device", "goal", "automation"])]
    pub(crate) note: Option<String>,
    /// A maker's name (openai, anthropic, google, openrouter, ollama, …) or a server's address; the settings' AI when
    /// absent. What a server speaks is found by itself.
    #[arg(long, value_name = "MAKER|URL", requires = "model")]
    pub(crate) provider: Option<String>,
    /// The model there.
    #[arg(long, value_name = "NAME", requires = "provider")]
    pub(crate) model: Option<String>,
    /// The action schema it is asked in; the one that suits the model when absent.
    #[arg(long, value_enum, requires = "model")]
    pub(crate) schema: Option<Schema>,
    /// Who answers questions.
    #[arg(long, value_enum, default_value_t = Answers::Ask)]
    pub(crate) answer: Answers,
    /// Tells where the time of each step goes, a line a step on standard error.
    #[arg(long)]
    pub(crate) timing: bool,
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=');
    let (name, value) = parts.ok_or_else(|| "a value is written like who=Dana".to_owned())?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

/// An action schema that models were trained to act in.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Schema {
    /// AutoGLM-Phone.
    Autoglm,
    #[value(help = "CogAgent")]
    Cogagent,
    /// UI-TARS.
    UiTars,
    /// Qwen-VL, GUI-Owl, MAI-UI: the tool `mobile_use`.
    MobileUse,
    /// Hermes: the tool `computer_use`.
    Hermes,
    #[value(help = "OmniMCP")]
    Omnimcp,
    /// UI-Venus 1.5.
    UiVenus,
    /// UI-Venus 2.
    UiVenus2,
    /// Step-GUI, GELab-Zero.
    StepGui,
    /// A tool for each verb.
    Verbs,
}

impl From<Schema> for TrainedWords {
    fn from(schema: Schema) -> Self {
        match schema {
            Schema::Autoglm => Self::Autoglm,
            Schema::Cogagent => Self::Cogagent,
            Schema::UiTars => Self::UiTars,
            Schema::MobileUse => Self::MobileUse,
            Schema::Hermes => Self::Hermes,
            Schema::Omnimcp => Self::Omnimcp,
            Schema::UiVenus => Self::UiVenus,
            Schema::UiVenus2 => Self::UiVenus2,
            Schema::StepGui => Self::StepGui,
            Schema::Verbs => Self::Verbs,
        }
    }
}

/// Who answers questions.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Answers {
    /// Whoever writes JSON lines to standard input; its end means No, and so does one action alone.
    Ask,
    /// Nobody: every answer is No.
    Deny,
    /// Yes to what the settings can turn off, No to the rest.
    Allow,
}

#[derive(clap::Args)]
pub(crate) struct History {
    /// Words of the task, its apps, its phone's name or the answer.
    #[arg(long, value_name = "TEXT")]
    pub(crate) search: Option<String>,
    /// On this phone: its name or its id, as this command prints them.
    #[arg(long, value_name = "PHONE")]
    pub(crate) phone: Option<String>,
    /// That ended so.
    #[arg(long, value_enum)]
    pub(crate) end: Option<EndFilter>,
    /// That began on this day, like 2026-05-07.
    #[arg(long, value_name = "DAY")]
    pub(crate) day: Option<String>,
    /// Tasks at most.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) limit: u32,
}

/// How a task ended.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EndFilter {
    /// It goes on, or waits.
    Going,
    /// The AI said that it is done.
    Finished,
    /// Somebody stopped it.
    Stopped,
    /// It could not go on.
    Failed,
    /// The program ended in the middle.
    Interrupted,
}

impl From<EndFilter> for RunEndKind {
    fn from(end: EndFilter) -> Self {
        match end {
            EndFilter::Going => Self::Going,
            EndFilter::Finished => Self::Finished,
            EndFilter::Stopped => Self::Stopped,
            EndFilter::Failed => Self::Failed,
            EndFilter::Interrupted => Self::Interrupted,
        }
    }
}

#[derive(clap::Args)]
pub(crate) struct ShowRun {
    /// The task's id, as `deck history` prints it.
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
}

#[derive(clap::Args)]
pub(crate) struct Export {
    /// The task's id, as `deck history` prints it.
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// The folder; made where it is missing.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// Only the page to read.
    #[arg(long)]
    pub(crate) page: bool,
    /// Only the lines to train a model with.
    #[arg(long)]
    pub(crate) training: bool,
}

#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["run", "all"]))]
pub(crate) struct Erase {
    /// The task's id, as `deck history` prints it.
    #[arg(value_name = "RUN")]
    pub(crate) run: Option<String>,
    /// Every task that is over.
    #[arg(long)]
    pub(crate) all: bool,
    /// The keys of AI providers too.
    #[arg(long, conflicts_with = "run")]
    pub(crate) keys: bool,
    /// Saved passwords too.
    #[arg(long, conflicts_with = "run")]
    pub(crate) passwords: bool,
}

#[derive(clap::Args)]
pub(crate) struct Fetch {
    /// What to get.
    #[arg(value_enum)]
    pub(crate) what: Fetchable,
}

/// What can be fetched.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fetchable {
    /// scrcpy's server, of the release this program knows.
    Scrcpy,
}

#[derive(clap::Args)]
pub(crate) struct Phone {
    /// The port of the phone's own daemon (for `adb connect`); a free one when absent.
    #[arg(long, value_name = "P")]
    pub(crate) port: Option<u16>,
    /// The port of an adb server that lists it; a free one when absent.
    #[arg(long, value_name = "P")]
    pub(crate) server_port: Option<u16>,
    /// What is open at first, `package/class`; the home screen when absent.
    #[arg(long, value_name = "ACTIVITY")]
    pub(crate) start: Option<String>,
    /// How long it takes for what it does.
    #[arg(long, value_enum, default_value_t = Pace::Phone)]
    pub(crate) speed: Pace,
    /// Whose phone: pixel, samsung, xiaomi (no injected input until the fault inject_events is cleared), huawei, honor.
    #[arg(long, value_name = "NAME", default_value = crate::phone_usage::PIXEL)]
    pub(crate) brand: String,
    /// Its Android, 8 to 16.
    #[arg(long, value_name = "N", default_value_t = crate::phone_usage::ANDROID)]
    pub(crate) android: u32,
    /// The app ADBKeyboard is installed, not enabled.
    #[arg(long)]
    pub(crate) adb_keyboard: bool,
    /// Something difficult about the phone; may be given several times.
    #[arg(long = "fault", value_name = "NAME", num_args = 1..)]
    pub(crate) faults: Vec<String>,
}

/// How long a virtual phone takes for what it does.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Pace {
    /// As long as a real one.
    Phone,
    /// No time at all.
    Instant,
}
