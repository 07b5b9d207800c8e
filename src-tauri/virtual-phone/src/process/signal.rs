//! Signals, by their Linux numbers (`bionic/libc/kernel/uapi/asm-generic/signal.h`).

/// One signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Signal(pub(crate) u8);

/// As toybox and mksh list them, by number from 1.
const NAMES: [&str; 31] = [
    "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
    "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ",
    "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
];

impl Signal {
    pub(crate) const HUP: Self = Self(1);
    pub(crate) const INT: Self = Self(2);
    pub(crate) const KILL: Self = Self(9);
    pub(crate) const PIPE: Self = Self(13);
    pub(crate) const TERM: Self = Self(15);

    /// `9`, `KILL`, `SIGKILL`, `kill`.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        if let Ok(number) = name.parse::<u8>() {
            return (number <= 64).then_some(Self(number));
        }
        let upper = name.to_ascii_uppercase();
        let bare = upper.strip_prefix("SIG").unwrap_or(&upper);
        let at = NAMES.iter().position(|known| *known == bare)?;
        u8::try_from(at + 1).ok().map(Self)
    }

    /// `KILL`.
    pub(crate) fn name(self) -> &'static str {
        usize::from(self.0)
            .checked_sub(1)
            .and_then(|at| NAMES.get(at))
            .copied()
            .unwrap_or("RTMIN")
    }

    /// What a shell says of a child it ended (bionic's `strsignal`).
    pub(crate) fn describe(self) -> &'static str {
        match self.0 {
            1 => "Hangup",
            2 => "Interrupt",
            3 => "Quit",
            6 => "Aborted",
            9 => "Killed",
            11 => "Segmentation fault",
            13 => "Broken pipe",
            14 => "Alarm clock",
            15 => "Terminated",
            _ => "Unknown signal",
        }
    }

    /// Whether a process that does nothing about it ends by it. Stopping is not modelled: such signals do nothing.
    pub(crate) fn ends(self) -> bool {
        !matches!(self.0, 0 | 17..=23 | 28)
    }

    /// Whether a process may do something else about it.
    pub(crate) fn can_be_caught(self) -> bool {
        !matches!(self.0, 9 | 19)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_meet() {
        for (name, number) in [
            ("9", 9),
            ("KILL", 9),
            ("SIGTERM", 15),
            ("hup", 1),
            ("SYS", 31),
            ("0", 0),
        ] {
            assert_eq!(Signal::from_name(name), Some(Signal(number)), "{name}");
        }
        assert_eq!(Signal::from_name("NOPE"), None);
        assert_eq!(Signal(13).name(), "PIPE");
    }
}
