//! The phone, as a run sees and touches it. Implemented by room `adb`.

use super::scripts::ScriptEnd;
use crate::lease::Grip;
use async_trait::async_trait;
use judge::Judged;
use protocol::{ActMethod, Bounds, CaptureResult, Frame, Millis, PhoneId, PhoneState};
use secrecy::SecretString;
use std::sync::Arc;
use std::time::Duration;

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

    /// The same where an earlier look is known: a new picture, and where that shows what `before` showed (the status bar
    /// aside), the app, the window and the keyboard of `before` without asking the phone for them.
    ///
    /// # Errors
    /// As [`Phone::see`].
    async fn see_again(&self, before: &RawObservation) -> Result<RawObservation, PhoneError> {
        let _ = before;
        self.see().await
    }

    /// The same in the screen's own size, whatever else there is: a capture, never a stream's picture.
    ///
    /// # Errors
    /// As [`Phone::see`].
    async fn capture(&self) -> Result<RawObservation, PhoneError> {
        self.see().await
    }

    /// Whether the screen shows anything else than at `mark`, from what tells without a capture: a stream, or the
    /// events of a reader. `Some(false)` is a proof: whoever tells has lived all the time since, and nothing was drawn
    /// but in the status bar or a caret. `Some(true)`: something was. `None`: nobody can say; a picture must be taken.
    /// Answers within half a second, and touches nothing.
    async fn changed_since(&self, mark: ScreenMark) -> Option<bool> {
        let _ = mark;
        None
    }

    /// How long this phone's UI tree took to be read of late; `None` where none was read yet.
    fn tree_takes(&self) -> Option<Duration> {
        None
    }

    /// Whether the UI tree is still the one that was read at `mark`, from what tells without reading it: the events of a reader
    /// that stays. `Some(true)` is a proof of the tree, and none of the picture: whoever tells has lived all the time since, and
    /// no window, text, focus or list changed. `Some(false)`: something did. `None`: nobody can say. Answers within half a
    /// second, and touches nothing.
    async fn tree_holds(&self, mark: TreeMark) -> Option<bool> {
        let _ = mark;
        None
    }

    /// The UI tree: some 0.2 s where a reader stays on the phone, seconds by a dump; the implementation bounds it. Never stale: a tree left from an earlier call is not returned.
    ///
    /// # Errors
    /// When there is none: [`PhoneError::Tree`] when the phone is well but gave none, any other when it is not.
    async fn read(&self) -> Result<RawTree, PhoneError>;

    /// Waits until the screen has come to rest (the status bar aside), at most `bound`, and gives the last picture: by the
    /// stream where there is one, else until two captures in a row look the same.
    ///
    /// # Errors
    /// When the phone cannot be asked at all.
    async fn settle(&self, bound: Duration) -> Result<RawObservation, PhoneError>;

    /// The same from now on, and what [`RawObservation::restless`] tells of is waited for as well.
    ///
    /// # Errors
    /// As [`Phone::settle`].
    async fn settle_wholly(&self, bound: Duration) -> Result<RawObservation, PhoneError> {
        self.settle(bound).await
    }

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

    /// Lifts a finger that an earlier run left on the screen, wakes a dark phone and opens a lock screen that asks for nothing;
    /// whether anything had to be done. Every run begins so.
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

    /// An app's version (`versionCode`); empty where the phone does not tell it.
    ///
    /// # Errors
    /// When the phone cannot be asked.
    async fn app_version(&self, package: &str) -> Result<String, PhoneError> {
        let _ = package;
        Ok(String::new())
    }

    /// The apps that can be opened.
    ///
    /// # Errors
    /// When the phone cannot be asked.
    async fn apps(&self) -> Result<Vec<App>, PhoneError>;
}

/// Where a picture comes from: a stream's differs from a capture of the same screen by what scaling and coding make of
/// every edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PictureSource {
    /// A capture: the screen's own pixels.
    #[default]
    Capture,
    /// A video stream: made smaller, and coded.
    Stream,
}

/// A moment of a phone's screen, by whoever tells what is drawn there (a stream's count of frames, an event's number). Made
/// by the phone, and read by it alone ([`Phone::changed_since`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenMark(pub u64);

/// A moment of a phone's UI tree, by the reader that tells its changes: which reader, and how many changes it had told of. Made
/// by the phone, and read by it alone ([`Phone::tree_holds`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeMark {
    /// Which reader, counted.
    pub reader: u64,
    /// Its count of changes, no later than the tree.
    pub events: u64,
}

/// A UI tree, as the phone gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawTree {
    /// `uiautomator` XML, cut to the XML itself.
    pub xml: String,
    /// Absent where nothing tells of changes.
    pub mark: Option<TreeMark>,
}

impl std::ops::Deref for RawTree {
    type Target = str;

    fn deref(&self) -> &str {
        &self.xml
    }
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
    /// The screen had come to rest ([`Phone::settle`]); true for a plain look.
    pub quiet: bool,
    /// Where something went on changing all the same when it was called quiet (a ring, a film), in pixels of the screen; absent
    /// where nobody can tell.
    pub restless: Option<Bounds>,
    /// Where the picture comes from.
    pub source: PictureSource,
    /// Where the screen stood no later than this picture: what is drawn after it is drawn after the mark. Absent where
    /// pictures alone tell.
    pub mark: Option<ScreenMark>,
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
    pub via: Option<ActMethod>,
    /// Whether the typed text stands in the field, where that was looked at.
    pub seen: Option<bool>,
    /// Milliseconds between the beginnings of the two taps of [`judge::Input::DoubleTap`], by the phone's own clock.
    pub gap_ms: Option<u64>,
}

impl Effect {
    /// Done in this way, and nothing more to tell.
    #[must_use]
    pub fn by(via: ActMethod) -> Self {
        Self {
            via: Some(via),
            ..Self::default()
        }
    }
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
    /// It is listed in a state in which nothing can be asked of it, and which is not *gone*.
    #[error("the phone is listed as {0:?}")]
    Unusable(PhoneState),
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
    /// Nothing came of it on the phone: it was known before anything was sent, or the phone had nothing to do it with.
    #[must_use]
    pub fn did_nothing(&self) -> bool {
        matches!(
            self,
            Self::CannotType | Self::AppNotFound(_) | Self::NotSupported(_) | Self::Stale
        )
    }

    /// Nothing can be asked of the phone before somebody, or time, does something about it.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        matches!(
            self,
            Self::Gone(_) | Self::NoServer(_) | Self::Unauthorized | Self::Unusable(_)
        )
    }
}
