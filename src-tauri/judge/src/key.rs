//! Keys by Android's numbers: whatever a key is called, it is one thing.

use std::fmt;
use std::sync::LazyLock;

/// A key of Android's (`android.view.KeyEvent`), by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(u16);

/// What a key does, as far as risk goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Presses what has the focus; a space, in a field, is text.
    Confirms,
    /// Calls, or answers who calls.
    Calls,
    /// Ends a call, or turns one away.
    HangsUp,
    /// Plays or pauses; while it rings, answers.
    Plays,
    /// Writes a character.
    Writes,
    /// Takes a character away, or what is chosen.
    Deletes,
    /// Puts in what was copied, or takes out what is marked.
    Pastes,
    /// Moves the focus.
    Focuses,
    /// Leaves, opens, scrolls: back, home, the recent apps, a page on.
    Navigates,
    /// Loudness and brightness; lights the screen.
    Adjusts,
    /// Changes what the keys after it mean.
    Modifies,
    /// Power, cameras, macros, keys of televisions: nobody knows on which phone what.
    Unknown,
}

/// Android's names without `KEYCODE_`, a line each, from 0 (AOSP, `KeyEvent.java`).
static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| include_str!("key.txt").lines().collect());

impl Key {
    /// BACK.
    pub const BACK: Self = Self(4);
    /// HOME.
    pub const HOME: Self = Self(3);
    /// ENTER.
    pub const ENTER: Self = Self(66);
    /// TAB.
    pub const TAB: Self = Self(61);
    /// COPY.
    pub(crate) const COPY: Self = Self(278);
    /// SPACE.
    pub const SPACE: Self = Self(62);

    /// The key of this name: `KEYCODE_ENTER`, `enter`, `66` and `066` are one. `None` for what Android does not know.
    ///
    /// A number alone is Android's number (`4` is BACK); with its prefix a digit is the digit (`KEYCODE_4`).
    #[must_use]
    pub fn read(name: &str) -> Option<Self> {
        let name = name.trim().to_ascii_uppercase();
        let number = |digits: &str| {
            let plain = digits.bytes().all(|b| b.is_ascii_digit());
            let code: u16 = digits.parse().ok()?;
            (plain && usize::from(code) < NAMES.len()).then_some(Self(code))
        };
        let bare = name.strip_prefix("KEYCODE_");
        if let (None, Some(key)) = (bare, number(&name)) {
            return Some(key);
        }
        let bare = bare.unwrap_or(&name);
        let named = NAMES.iter().position(|known| *known == bare);
        named
            .and_then(|at| u16::try_from(at).ok())
            .map(Self)
            .or_else(|| number(bare))
    }

    /// Android's number.
    #[must_use]
    pub fn code(self) -> u16 {
        self.0
    }

    /// Android's name, `KEYCODE_ENTER`.
    #[must_use]
    pub fn name(self) -> String {
        format!("KEYCODE_{}", NAMES.get(usize::from(self.0)).unwrap_or(&"UNKNOWN"))
    }

    /// What it does.
    #[must_use]
    pub fn effect(self) -> Effect {
        match self.0 {
            // A game pad's buttons fall back to the middle of the cross.
            23 | 62 | 66 | 96..=110 | 160 | 188..=203 | 262 | 264 => Effect::Confirms,
            // A headset's button answers whoever calls, also where no page tells of it.
            5 | 79 => Effect::Calls,
            6 => Effect::HangsUp,
            85..=90 | 126..=129 | 222 | 272..=275 => Effect::Plays,
            7..=18 | 29..=56 | 68..=77 | 81 | 144..=159 | 161..=163 | 216 | 217 => Effect::Writes,
            28 | 67 | 112 => Effect::Deletes,
            277 | 279 => Effect::Pastes,
            19..=22 | 61 | 260 | 261 | 268..=271 => Effect::Focuses,
            3
            | 4
            | 64
            | 65
            | 82..=84
            | 92
            | 93
            | 111
            | 122
            | 123
            | 125
            | 168
            | 169
            | 176
            | 187
            | 207..=210
            | 259
            | 263
            | 278
            | 280..=285
            | 312 => Effect::Navigates,
            24 | 25 | 91 | 164 | 220 | 221 | 224 => Effect::Adjusts,
            57..=60 | 63 | 78 | 94 | 95 | 113..=119 | 143 | 204 => Effect::Modifies,
            _ => Effect::Unknown,
        }
    }

    /// CTRL or META: with ENTER it sends, in a letter too.
    pub(crate) fn is_control(self) -> bool {
        matches!(self.0, 113 | 114 | 117 | 118)
    }

    /// A way on the cross, slanting ones among them.
    pub(crate) fn is_arrow(self) -> bool {
        matches!(self.0, 19..=22 | 268..=271)
    }

    /// Whether keys that are held together put in what was copied: V with CTRL or META, INSERT with SHIFT.
    pub(crate) fn paste(keys: &[Self]) -> bool {
        let held = |of: fn(u16) -> bool| keys.iter().any(|key| of(key.0));
        keys.iter().any(|key| key.is_control()) && held(|key| key == 50)
            || held(|key| matches!(key, 59 | 60)) && held(|key| key == 124)
    }

    /// Whether keys that are held together mark more than a character: A with CTRL; SHIFT with CTRL and a way, or with a key that
    /// goes to an end or a page on.
    pub(crate) fn marks(keys: &[Self]) -> bool {
        let held = |of: fn(u16) -> bool| keys.iter().any(|key| of(key.0));
        let far = held(|key| matches!(key, 92 | 93 | 122 | 123 | 19 | 20));
        let control = keys.iter().any(|key| key.is_control());
        let near = held(|key| matches!(key, 21 | 22)) && control;
        let all = control && keys.len() == 2 && held(|key| key == 29);
        all || held(|key| matches!(key, 59 | 60)) && (far || near)
    }

    /// Whether keys that are held together only copy: C with CTRL or META.
    pub(crate) fn copies(keys: &[Self]) -> bool {
        keys.len() == 2 && keys.iter().any(|key| key.is_control()) && keys.contains(&Self(31))
    }

    /// `#`, which ends a dialer's codes.
    pub(crate) fn is_hash(self) -> bool {
        self.0 == 18
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}
