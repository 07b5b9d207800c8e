//! What the run needs from outside. The rooms above implement these; the tests here fake them.
//!
//! Nothing in this room opens a socket, a file, a process or a clock: it calls these six traits.

use crate::guard::{Guard, NoGuard};
use crate::lease::Grip;
use crate::pointing::Pointing;
use crate::prompt::Prompt;
use async_trait::async_trait;
use judge::Judged;
use protocol::{
    CaptureResult, Credential, Element, ElementBinding, Event, Failure, Frame, FrameId, LastTime, Millis,
    PhoneId, RunId, Stream, Usage,
};
use secrecy::SecretString;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// One phone. Implemented by room `adb`.
#[async_trait]
pub trait Phone: Send + Sync {
    /// Which phone.
    fn id(&self) -> PhoneId;

    /// The newest picture, its size, and the app in front.
    ///
    /// A picture that could not be taken is not an error: it is [`CaptureResult::Failed`].
    ///
    /// # Errors
    /// When the phone cannot be asked at all.
    async fn see(&self) -> Result<RawObservation, PhoneError>;

    /// The UI tree as `uiautomator` XML, cut to the XML itself. Takes about 2 s on a real phone and is bounded by
    /// the implementation. Never stale: a tree left from an earlier call is not returned.
    ///
    /// # Errors
    /// When there is none: [`PhoneError::Tree`] when the phone is well but gave none, any other when it is not.
    async fn read(&self) -> Result<String, PhoneError>;

    /// Waits until two pictures in a row look the same (the status bar aside), at most `bound`, and gives the last.
    ///
    /// # Errors
    /// When the phone cannot be asked at all.
    async fn settle(&self, bound: Duration) -> Result<RawObservation, PhoneError>;

    /// Sends one input that was judged and returns when it is done there. The lease is checked last before the wire,
    /// again for every chunk of a long text and every point of a long gesture; when it is lost half-way, what was
    /// started is ended on the phone before this returns.
    ///
    /// # Errors
    /// [`PhoneError::LeaseLost`] when the grip no longer holds; else what the phone said.
    async fn perform(&self, judged: &Judged, grip: &Grip) -> Result<Effect, PhoneError>;

    /// Whether every character of a text can be typed on it now, in whatever way. Nothing is typed and no field is touched.
    ///
    /// # Errors
    /// When the phone cannot be asked.
    async fn can_type(&self, text: &str, grip: &Grip) -> Result<bool, PhoneError> {
        let _ = (text, grip);
        Ok(true)
    }

    /// Wakes a dark phone and opens a lock screen that asks for nothing; whether anything had to be done.
    ///
    /// # Errors
    /// [`PhoneError::Locked`] when only the person can unlock it; else as [`Phone::perform`].
    async fn wake(&self, judged: &Judged, grip: &Grip) -> Result<bool, PhoneError> {
        let _ = (judged, grip);
        Ok(false)
    }

    /// Types a code or password into the field that has the focus. Its value appears in no log and no error.
    ///
    /// # Errors
    /// As [`Phone::perform`].
    async fn type_secret(
        &self,
        secret: &SecretString,
        judged: &Judged,
        grip: &Grip,
    ) -> Result<Effect, PhoneError>;

    /// Runs the judged script in the phone's own shell to its end, its time limit, or the loss of the lease, whichever is first;
    /// then its whole process group is gone. What it printed before the limit is returned.
    ///
    /// # Errors
    /// As [`Phone::perform`]; [`PhoneError::NotSupported`] where a phone has no shell.
    async fn script(&self, judged: &Judged, limit: Duration, grip: &Grip) -> Result<ScriptEnd, PhoneError> {
        let _ = (judged, limit, grip);
        Err(PhoneError::NotSupported("no shell".to_owned()))
    }

    /// What the phone has copied, where something on it can really tell: Android keeps it from a shell since version
    /// 10, and what only claims to read it (`cmd clipboard`) is no answer.
    ///
    /// # Errors
    /// As [`Phone::perform`]; [`PhoneError::NotSupported`] where nothing can: then the person is asked.
    async fn clipboard(&self, judged: &Judged, grip: &Grip) -> Result<String, PhoneError> {
        let _ = (judged, grip);
        Err(PhoneError::NotSupported("the clipboard is not told".to_owned()))
    }

    /// Whether [`Phone::give`] can work at all.
    fn takes_files(&self) -> bool {
        false
    }

    /// Puts a file on the phone under a name of its own: a picture where its gallery looks, and it is told; anything else
    /// among its downloads. Gives where.
    ///
    /// # Errors
    /// As [`Phone::perform`].
    async fn give(&self, file: &PickedFile, judged: &Judged, grip: &Grip) -> Result<String, PhoneError> {
        let _ = (file, judged, grip);
        Err(PhoneError::NotSupported("no files".to_owned()))
    }

    /// Whether [`Phone::place`] can work at all: an emulator is told where it is, a phone knows.
    fn can_be_placed(&self) -> bool {
        false
    }

    /// Tells an emulator where it is, in degrees.
    ///
    /// # Errors
    /// As [`Phone::perform`].
    async fn place(
        &self,
        latitude: f64,
        longitude: f64,
        judged: &Judged,
        grip: &Grip,
    ) -> Result<(), PhoneError> {
        let _ = (latitude, longitude, judged, grip);
        Err(PhoneError::NotSupported("its place is its own".to_owned()))
    }

    /// Who signed an app, in every way the phone tells (`sum 57f52fdb`, `sha256 14:6D:…`); nothing where it tells nothing.
    ///
    /// # Errors
    /// When the phone cannot be asked.
    async fn signers(&self, package: &str) -> Result<Vec<String>, PhoneError> {
        let _ = package;
        Ok(Vec::new())
    }

    /// The apps that can be opened.
    ///
    /// # Errors
    /// When the phone cannot be asked.
    async fn apps(&self) -> Result<Vec<App>, PhoneError>;
}

/// One glance at a phone.
#[derive(Clone, Debug, PartialEq)]
pub struct RawObservation {
    /// How the capture went.
    pub capture: CaptureResult,
    /// The picture; absent when the capture failed.
    pub frame: Option<Frame>,
    /// Pixels, rotation included.
    pub width: u32,
    /// Pixels, rotation included.
    pub height: u32,
    /// Package in front, or `unknown`.
    pub app: String,
    /// The window behind it, where known: an activity, or the title of an overlay.
    pub window: Option<String>,
    /// A soft keyboard is up.
    pub keyboard_shown: bool,
    /// When the picture was taken.
    pub at: Millis,
    /// Two pictures in a row looked the same ([`Phone::settle`]); true for a plain look.
    pub quiet: bool,
}

/// What came of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// What the phone printed, cut to 4,000 characters, `[…]` where.
    pub output: Option<String>,
    /// What a command wrote to its standard error, cut likewise.
    pub stderr: Option<String>,
    /// A command's exit code, where the phone tells it.
    pub exit: Option<i32>,
    /// Which way it was done, where there are several.
    pub rung: Option<&'static str>,
    /// Whether the typed text stands in the field, where that was looked at.
    pub seen: Option<bool>,
    /// Milliseconds between the beginnings of the two taps of [`judge::Input::DoubleTap`], by the phone's own clock.
    pub gap_ms: Option<u64>,
}

/// A picture or file the person picked. What is in it goes to the phone and nowhere else.
#[derive(Clone)]
pub struct PickedFile {
    /// Its name on this computer, without a folder.
    pub name: String,
    /// What is in it.
    pub bytes: Arc<[u8]>,
    /// For the gallery.
    pub picture: bool,
}

impl std::fmt::Debug for PickedFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PickedFile")
            .field("name", &self.name)
            .field("bytes", &self.bytes.len())
            .finish_non_exhaustive()
    }
}

/// An app that can be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct App {
    /// `com.android.settings`.
    pub package: String,
    /// What stands under its icon, where the phone tells; else derived from the package.
    pub label: String,
}

/// What a phone can do wrong. Data for the run, not a fault of the program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PhoneError {
    /// It is not there (any more): cable out, server gone, switched off.
    #[error("the phone is gone: {0}")]
    Gone(String),
    /// What leads to it does not answer, or something else answers in its place.
    #[error("nothing leads to the phone: {0}")]
    NoServer(String),
    /// It waits for the person to tap Allow.
    #[error("the phone is not authorized")]
    Unauthorized,
    /// It did not answer in time.
    #[error("the phone did not answer in time: {0}")]
    Slow(String),
    /// Its lock screen asks for what only the person knows.
    #[error("the phone is locked")]
    Locked,
    /// It answered with an error (exit code, stderr).
    #[error("the phone refused: {0}")]
    Refused(String),
    /// It forbids touches from outside (`INJECT_EVENTS`).
    #[error("the phone forbids touches from outside: {0}")]
    TouchForbidden(String),
    /// It is well but gives no UI tree now.
    #[error("no UI tree: {0}")]
    Tree(String),
    /// Characters its keyboard has not.
    #[error("the phone's keyboard has no such characters")]
    CannotType,
    /// No such app.
    #[error("no such app: {0}")]
    AppNotFound(String),
    /// A phone of this kind cannot do that.
    #[error("not possible on this phone: {0}")]
    NotSupported(String),
    /// It was judged too long ago to be sent. Nothing was done.
    #[error("judged too long ago; look again")]
    Stale,
    /// The lease was lost before or while it was done. What was begun is ended on the phone.
    #[error("the lease was lost")]
    LeaseLost,
    /// The lease was lost and what was begun may still be running on the phone.
    #[error("the lease was lost; a command may still be running: {0}")]
    MaybeRunning(String),
}

impl PhoneError {
    /// Nothing can be asked of the phone before somebody, or time, does something about it.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        matches!(self, Self::Gone(_) | Self::NoServer(_) | Self::Unauthorized)
    }
}

/// A model that thinks. Implemented by room `model`.
#[async_trait]
pub trait Model: Send + Sync {
    /// Its name, as the person chose it.
    fn name(&self) -> String;

    /// The built-in demo AI.
    fn is_demo(&self) -> bool;

    /// Whether it may be asked what a task itself names, before the first step.
    fn reads_tasks(&self) -> bool {
        false
    }

    /// What it wants to be sent with each step.
    fn capabilities(&self) -> ModelCapabilities;

    /// Who gives the second opinion where this one acts: another conversation, of the same maker's. Without one, what the
    /// rules do not know is asked.
    fn guard(&self) -> Arc<dyn Guard> {
        Arc::new(NoGuard)
    }

    /// What the numbers of its points count: known by its name, unless it knows better.
    fn pointing(&self) -> Pointing {
        if self.is_demo() {
            Pointing::SCREEN
        } else {
            Pointing::of(&self.name())
        }
    }

    /// One answer. Dropping the future gives the request up at once.
    ///
    /// `retrying` is called before each wait for another try.
    ///
    /// # Errors
    /// When no answer came, after the retries its kind of trouble deserves. An empty or cut answer is an error.
    async fn think(&self, prompt: &Prompt, retrying: &Retrying<'_>) -> Result<Reply, Failure>;
}

/// Told before each wait for another try: what went wrong, and how long the wait is.
pub type Retrying<'a> = dyn Fn(&Failure, Duration) + Send + Sync + 'a;

/// What a model wants to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelCapabilities {
    /// Pictures.
    pub picture: bool,
    /// The element list; its tree is waited for before thinking. Without, it is read meanwhile.
    pub elements: bool,
    /// The numbers of the elements, drawn on the picture.
    pub marks: bool,
    /// The longer side of the picture at most, in pixels.
    pub longest_side: u32,
    /// The same for a picture that goes beside the list of elements: what stands on it is told in words then.
    pub longest_beside: u32,
}

/// What a model answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// Word for word.
    pub text: String,
    /// What it cost.
    pub usage: Usage,
}

/// Where a run is written down. Implemented by room `store`.
#[async_trait]
pub trait Journal: Send + Sync {
    /// Writes one event. When this returns, it is on the disk.
    ///
    /// # Errors
    /// When it is not; the run must not go on.
    async fn append(&self, event: &Event) -> Result<(), Failure>;

    /// Keeps a picture (already blanked where it must be).
    ///
    /// # Errors
    /// When it could not be kept.
    async fn keep(&self, run: &RunId, frame: &Frame) -> Result<FrameId, Failure>;

    /// The same, with what stands on it (masked likewise).
    ///
    /// # Errors
    /// When it could not be kept.
    async fn keep_screen(
        &self,
        run: &RunId,
        frame: &Frame,
        elements: &[Element],
    ) -> Result<FrameId, Failure> {
        let _ = elements;
        self.keep(run, frame).await
    }

    /// The last payment the person approved in this app on this phone.
    ///
    /// # Errors
    /// When the journal cannot be read.
    async fn last_payment(&self, phone: &PhoneId, app: &str) -> Result<Option<LastTime>, Failure>;

    /// How often the person said Yes to this very thing on this phone; when it was is no part of it.
    ///
    /// # Errors
    /// When the journal cannot be read.
    async fn approved_before(&self, phone: &PhoneId, element: &ElementBinding) -> Result<u32, Failure> {
        let _ = (phone, element);
        Ok(0)
    }

    /// Dollars spent since midnight, all runs together.
    ///
    /// # Errors
    /// When the journal cannot be read.
    async fn spent_today(&self) -> Result<f64, Failure>;
}

/// Scripts on this computer. Implemented by room `script`; `run_script` comes here where the person switched that on.
#[async_trait]
pub trait Scripts: Send + Sync {
    /// Whether the script does nothing but what this list of programs allows. Runs nothing.
    ///
    /// # Errors
    /// [`Objection`] at the first thing that is not allowed.
    async fn check(&self, script: &str, programs: &[String]) -> Result<(), Objection>;

    /// Checks once more, then runs one script to its end, its time limit, or the loss of the lease, whichever is first;
    /// then its whole process group is gone.
    ///
    /// # Errors
    /// When it could not be started.
    async fn run(&self, job: &Job, grip: &Grip) -> Result<ScriptEnd, Failure>;
}

/// Why a script may not run on this computer. The words are for the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Objection {
    /// A stable word: `script_program`, `script_builtin`, …
    pub code: &'static str,
    /// The reason, in a short English line.
    pub message: String,
}

/// A script to be run on this computer.
#[derive(Clone)]
pub struct Job {
    /// For which run.
    pub run: RunId,
    /// Its text.
    pub script: String,
    /// Programs it may start, by their absolute paths.
    pub programs: Vec<String>,
    /// How long it may take.
    pub limit: Duration,
    /// Takes out of a text what may not be written down or told.
    pub hide: Hide,
    /// Told what it prints, as it comes.
    pub printed: mpsc::UnboundedSender<Printed>,
}

/// Takes out of a text what may not be written down or told.
pub type Hide = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// Lines a script printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// Where.
    pub stream: Stream,
    /// What.
    pub text: String,
}

/// How a script ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptEnd {
    /// Absent when it was killed.
    pub exit: Option<i32>,
    /// It was killed for time.
    pub timed_out: bool,
    /// Cut to 6,000 characters.
    pub stdout: String,
    /// Cut to 6,000 characters.
    pub stderr: String,
    /// Where a script on this computer left its files.
    pub folder: Option<String>,
}

/// Saved passwords. Implemented by room `engine` over the keychain.
#[async_trait]
pub trait Credentials: Send + Sync {
    /// The value, for the one field it is typed into. None: there is none of this name for this place.
    ///
    /// # Errors
    /// When the keychain would not say.
    async fn reveal(&self, credential: &Credential) -> Result<Option<SecretString>, Failure>;
}

/// Nobody saved anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCredentials;

#[async_trait]
impl Credentials for NoCredentials {
    async fn reveal(&self, _credential: &Credential) -> Result<Option<SecretString>, Failure> {
        Ok(None)
    }
}

/// The time of day. Durations are tokio's, so that tests run in virtual time.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Millis;
}
