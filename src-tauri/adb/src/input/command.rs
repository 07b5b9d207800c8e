//! What a phone can be told to do.
//!
//! A run never makes one: it sends what the judge made ([`Judged`]), which is turned into one here, nowhere else. The
//! person's own hand on the mirror, and the doctor at the press of its button, make theirs themselves
//! ([`crate::AdbPhone::by_hand`]; `tests/architecture.rs` holds who may call it).

use crate::error::AdbError;
use judge::{Input, Judged};
use tokio::time::Instant;

/// One thing to do on a phone, in the words of its `input`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// One tap at a pixel.
    Tap {
        /// From the left.
        x: i32,
        /// From the top.
        y: i32,
    },
    /// Two taps, 50–100 ms apart.
    DoubleTap {
        /// From the left.
        x: i32,
        /// From the top.
        y: i32,
    },
    /// A finger held still.
    LongPress {
        /// From the left.
        x: i32,
        /// From the top.
        y: i32,
        /// Milliseconds, at most 10,000.
        ms: u64,
    },
    /// A finger drawn from one pixel to another.
    Swipe {
        /// Start.
        from: (i32, i32),
        /// End.
        to: (i32, i32),
        /// Milliseconds, at most 10,000.
        ms: u64,
    },
    /// Held first, then drawn, then let go: what picks an icon up.
    Drag {
        /// Start.
        from: (i32, i32),
        /// End.
        to: (i32, i32),
        /// Milliseconds of the movement, at most 10,000.
        ms: u64,
    },
    /// Text into the field that has the focus, as it is; a newline is Enter.
    Text(String),
    /// Empties the field that has the focus.
    ClearText,
    /// One key: `KEYCODE_BACK`, `BACK` or `4`.
    Key(String),
    /// Keys held together, the held ones first.
    Keys(Vec<String>),
    /// The field that has the focus holds this and nothing else.
    Replace(String),
    /// Opens an app by its package.
    Launch(String),
    /// Opens a link.
    OpenUrl(String),
    /// One command: the words are quoted again one by one, so none can become another command.
    Shell(Vec<String>),
}

impl Command {
    /// What a judged input comes down to.
    ///
    /// # Errors
    /// [`AdbError::Stale`] for one that was judged too long ago; [`AdbError::NotSupported`] for what is no single command.
    pub(crate) fn of(judged: &Judged) -> Result<Self, AdbError> {
        Ok(match still_good(judged)? {
            Input::Tap { at: (x, y) } => Self::Tap { x: *x, y: *y },
            Input::DoubleTap { at: (x, y) } => Self::DoubleTap { x: *x, y: *y },
            Input::Hold { at: (x, y), ms } => Self::LongPress {
                x: *x,
                y: *y,
                ms: *ms,
            },
            Input::Swipe { from, to, ms } => Self::Swipe {
                from: *from,
                to: *to,
                ms: *ms,
            },
            Input::Drag { from, to, ms } => Self::Drag {
                from: *from,
                to: *to,
                ms: *ms,
            },
            Input::Text(text) => Self::Text(text.as_str().to_owned()),
            Input::ClearText => Self::ClearText,
            Input::Replace(text) => Self::Replace(text.as_str().to_owned()),
            Input::Key(key) => Self::Key(key.code().to_string()),
            Input::Chord(keys) => Self::Keys(keys.iter().map(|key| key.code().to_string()).collect()),
            Input::Launch(package) => Self::Launch(package.clone()),
            Input::Link(url) => Self::OpenUrl(url.clone()),
            Input::Command(words) => Self::Shell(words.clone()),
            other => return Err(AdbError::NotSupported(format!("{other:?} is no command"))),
        })
    }
}

/// What may still be sent of a judged input.
///
/// # Errors
/// [`AdbError::Stale`] when it was judged too long ago.
pub(crate) fn still_good(judged: &Judged) -> Result<&Input, AdbError> {
    let now = Instant::now().into_std();
    judged.is_good(now).then(|| judged.input()).ok_or(AdbError::Stale)
}

/// Whether a judged input is the very one that is about to be done.
///
/// # Errors
/// [`AdbError::Stale`] when it was judged too long ago, [`AdbError::NotSupported`] when it was judged as something else.
pub(crate) fn is_that(judged: &Judged, wanted: &Input) -> Result<(), AdbError> {
    let same = match (still_good(judged)?, wanted) {
        // Where the field lies is known to the judge alone.
        (Input::Secret { .. }, Input::Secret { .. }) => true,
        (input, wanted) => input == wanted,
    };
    let other = || AdbError::NotSupported("it was judged as something else".to_owned());
    same.then_some(()).ok_or_else(other)
}
