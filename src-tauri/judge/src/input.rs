//! What a phone receives.

use crate::key::Key;
use std::fmt;

/// One thing a phone receives. Points are pixels of the screen as it is turned now, durations milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A finger down and up at one place.
    Tap {
        /// Where.
        at: (i32, i32),
    },
    /// Two taps, 50–100 ms apart.
    DoubleTap {
        /// Where.
        at: (i32, i32),
    },
    /// A finger held still, at most 10,000 ms.
    Hold {
        /// Where.
        at: (i32, i32),
        /// How long.
        ms: u64,
    },
    /// A finger drawn from one place to another, at most 10,000 ms.
    Swipe {
        /// Down.
        from: (i32, i32),
        /// Up.
        to: (i32, i32),
        /// How long.
        ms: u64,
    },
    /// Held first, then drawn, then let go: what picks a thing up. At most 10,000 ms of movement.
    Drag {
        /// Down.
        from: (i32, i32),
        /// Up.
        to: (i32, i32),
        /// How long the movement takes.
        ms: u64,
    },
    /// Printable text into the field that has the focus.
    Text(Text),
    /// Empties the field that has the focus.
    ClearText,
    /// The field that has the focus holds this and nothing else: emptied and written in one step, or left as it was.
    Replace(Text),
    /// One key, down and up.
    Key(Key),
    /// Keys held together, the held ones first.
    Chord(Vec<Key>),
    /// Opens an app by its package.
    Launch(String),
    /// Opens a link.
    Link(String),
    /// One command in the phone's shell: the program and its arguments, each quoted again on the way.
    Command(Vec<String>),
    /// A script in the phone's shell.
    Script(String),
    /// A script on this computer.
    ComputerScript(String),
    /// A code or password of the person's into the field at this place; its value is nowhere in here.
    Secret {
        /// The middle of the field.
        at: (i32, i32),
    },
    /// A file the person picked, onto the phone.
    File {
        /// Its name.
        name: String,
    },
    /// Where an emulator is told to be.
    Location {
        /// Degrees, as text, so that equal places are equal.
        place: String,
    },
    /// A dark screen lit, and a lock screen that asks for nothing swept away.
    Wake,
    /// What the phone has copied is read.
    ReadClipboard,
    /// Text on the screen goes into a variable of the model's.
    ReadText,
}

/// Text without control characters: a newline, a tab or an escape is a key, never text.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Text(String);

impl Input {
    /// Where a finger comes down, or the field lies that takes it; nothing where no place is meant.
    pub(crate) fn lands(&self) -> Option<(i32, i32)> {
        match self {
            Self::Tap { at } | Self::DoubleTap { at } | Self::Hold { at, .. } | Self::Secret { at } => {
                Some(*at)
            }
            Self::Swipe { from, .. } | Self::Drag { from, .. } => Some(*from),
            _ => None,
        }
    }
}

impl Text {
    /// `None` where a control character is in it, or nothing at all.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let fits = !text.is_empty()
            && !text
                .chars()
                .any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'));
        fits.then(|| Self(text.to_owned()))
    }

    /// The characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What typed text comes down to: printable runs, and the keys between them.
///
/// `\r\n`, `\r` and `\n` are ENTER, `\t` is TAB. `None` where another control character is in it: no keyboard has it.
#[must_use]
pub fn typed(text: &str) -> Option<Vec<Input>> {
    let text = text.replace("\r\n", "\n");
    let mut inputs = Vec::new();
    let mut run = String::new();
    for c in text.chars() {
        let key = match c {
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => Key::ENTER,
            '\t' => Key::TAB,
            c if c.is_control() => return None,
            c => {
                run.push(c);
                continue;
            }
        };
        inputs.extend(Text::new(&std::mem::take(&mut run)).map(Input::Text));
        inputs.push(Input::Key(key));
    }
    inputs.extend(Text::new(&run).map(Input::Text));
    Some(inputs)
}
