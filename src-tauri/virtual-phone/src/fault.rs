//! What can be wrong with a phone, by name.

use std::fmt;
use std::str::FromStr;

/// One thing that is wrong with a phone. Can be set and cleared while it runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// The person has not allowed this computer: `AUTH` goes unanswered, the server lists `unauthorized`.
    Unauthorized,
    /// Listed, but nothing answers.
    Offline,
    /// Android 5: no shell v2 (exit codes lost, stderr mixed in), `shell:` lines end with CR LF.
    NoShellV2,
    /// The daemon dies in the middle of a capture: cut bytes, no exit packet, every open stream closed.
    HalfCapture,
    /// Captures are black.
    BlackCapture,
    /// A warning about several displays stands before the picture's first byte.
    CaptureWarning,
    /// `uiautomator dump`: the screen never goes idle.
    TreeIdleError,
    /// `uiautomator dump`: no root node.
    TreeNullRoot,
    /// `uiautomator dump`: a Java stack trace (MIUI) before the tree.
    TreeStackTrace,
    /// `uiautomator dump` fails and leaves the last file where it was.
    TreeStale,
    /// `uiautomator dump` takes 20 s.
    TreeSlow,
    /// `input` may not inject events (MIUI, without "USB debugging (Security settings)").
    InjectEvents,
    /// The system server restarts: its services are not there.
    ServicesRestarting,
    /// The first so many commands are served; the cable comes out as the next one arrives.
    UnplugAfter(u32),
    /// Everything takes so many times as long.
    Slow(f64),
    /// An `input` from before `motionevent` and `keycombination`.
    OldInput,
    /// A process lives on for 2 s after its client is gone.
    RemoteLingers,
    /// The lock screen is up.
    Locked,
    /// The screen is off.
    ScreenOff,
    /// `cmd clipboard` claims success and does nothing, without even a word on stderr.
    ClipboardSilent,
}

/// A name that is no fault's, or an argument that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no fault is called {0:?}; known: {known}", known = known())]
pub struct NoSuchFault(pub String);

fn known() -> String {
    let names: Vec<&str> = Fault::list().iter().map(|(name, _)| *name).collect();
    names.join(", ")
}

const NAMES: [(&str, &str); 20] = [
    ("unauthorized", "the person has not allowed this computer"),
    ("offline", "listed, but nothing answers"),
    ("no_shell_v2", "Android 5: no exit codes, stderr mixed in, CR LF"),
    ("half_capture", "the daemon dies in the middle of a capture"),
    ("black_capture", "captures are black"),
    ("capture_warning", "a warning stands before the picture"),
    ("tree_idle_error", "the UI tree never goes idle"),
    ("tree_null_root", "the UI tree has no root"),
    ("tree_stack_trace", "a stack trace stands before the UI tree"),
    ("tree_stale", "the UI tree fails and leaves the last file"),
    ("tree_slow", "the UI tree takes 20 s"),
    ("inject_events", "input may not inject events"),
    ("services_restarting", "the system server restarts"),
    ("unplug_after:N", "the cable comes out as command N + 1 arrives"),
    ("slow:FACTOR", "everything takes FACTOR times as long"),
    (
        "old_input",
        "input without motionevent and keycombination (also: no_input_motionevent)",
    ),
    ("remote_lingers", "a process lives 2 s after its client is gone"),
    ("locked", "the lock screen is up"),
    ("screen_off", "the screen is off"),
    ("clipboard_silent", "cmd clipboard claims success in silence"),
];

impl Fault {
    /// Every fault's name (with its argument's) and what it does, for a help text.
    #[must_use]
    pub fn list() -> &'static [(&'static str, &'static str)] {
        &NAMES
    }

    /// The same fault, whatever its argument.
    pub(crate) fn is_like(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unauthorized => f.write_str("unauthorized"),
            Self::Offline => f.write_str("offline"),
            Self::NoShellV2 => f.write_str("no_shell_v2"),
            Self::HalfCapture => f.write_str("half_capture"),
            Self::BlackCapture => f.write_str("black_capture"),
            Self::CaptureWarning => f.write_str("capture_warning"),
            Self::TreeIdleError => f.write_str("tree_idle_error"),
            Self::TreeNullRoot => f.write_str("tree_null_root"),
            Self::TreeStackTrace => f.write_str("tree_stack_trace"),
            Self::TreeStale => f.write_str("tree_stale"),
            Self::TreeSlow => f.write_str("tree_slow"),
            Self::InjectEvents => f.write_str("inject_events"),
            Self::ServicesRestarting => f.write_str("services_restarting"),
            Self::UnplugAfter(commands) => write!(f, "unplug_after:{commands}"),
            Self::Slow(factor) => write!(f, "slow:{factor}"),
            Self::OldInput => f.write_str("old_input"),
            Self::RemoteLingers => f.write_str("remote_lingers"),
            Self::Locked => f.write_str("locked"),
            Self::ScreenOff => f.write_str("screen_off"),
            Self::ClipboardSilent => f.write_str("clipboard_silent"),
        }
    }
}

impl FromStr for Fault {
    type Err = NoSuchFault;

    fn from_str(text: &str) -> Result<Self, NoSuchFault> {
        let unknown = || NoSuchFault(text.to_owned());
        let (name, argument) = match text.split_once(':') {
            Some((name, argument)) => (name, Some(argument)),
            None => (text, None),
        };
        let fault = match name {
            "unplug_after" => {
                let commands = argument.unwrap_or_default().parse().map_err(|_| unknown())?;
                return Ok(Self::UnplugAfter(commands));
            }
            "slow" => {
                let factor: f64 = argument.unwrap_or_default().parse().map_err(|_| unknown())?;
                return if factor > 0.0 && factor <= 1000.0 {
                    Ok(Self::Slow(factor))
                } else {
                    Err(unknown())
                };
            }
            "unauthorized" => Self::Unauthorized,
            "offline" => Self::Offline,
            "no_shell_v2" => Self::NoShellV2,
            "half_capture" => Self::HalfCapture,
            "black_capture" => Self::BlackCapture,
            "capture_warning" => Self::CaptureWarning,
            "tree_idle_error" => Self::TreeIdleError,
            "tree_null_root" => Self::TreeNullRoot,
            "tree_stack_trace" => Self::TreeStackTrace,
            "tree_stale" => Self::TreeStale,
            "tree_slow" => Self::TreeSlow,
            "inject_events" => Self::InjectEvents,
            "services_restarting" => Self::ServicesRestarting,
            "old_input" | "no_input_motionevent" => Self::OldInput,
            "remote_lingers" => Self::RemoteLingers,
            "locked" => Self::Locked,
            "screen_off" => Self::ScreenOff,
            "clipboard_silent" => Self::ClipboardSilent,
            _ => return Err(unknown()),
        };
        if argument.is_some() {
            Err(unknown())
        } else {
            Ok(fault)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_name_is_read_and_written_back() {
        for (name, _) in Fault::list() {
            let text = name.replace('N', "3").replace("FACTOR", "2.5");
            let fault: Fault = text.parse().unwrap();
            assert_eq!(fault.to_string(), text);
        }
    }

    #[test]
    fn what_is_no_fault_is_refused() {
        for text in [
            "",
            "nope",
            "slow",
            "slow:",
            "slow:-1",
            "slow:NaN",
            "unplug_after:x",
            "offline:3",
        ] {
            assert_eq!(text.parse::<Fault>(), Err(NoSuchFault(text.to_owned())), "{text}");
        }
    }
}
