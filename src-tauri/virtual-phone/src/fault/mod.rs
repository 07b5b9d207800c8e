//! What can be wrong with a phone, by name. The names stand in [`table`].

mod names;
mod table;

pub use names::NoSuchFault;

/// How a server may list a phone that is neither `device`, `offline` nor `unauthorized` (`adb.h`: `ConnectionState`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionState {
    /// `authorizing`.
    Authorizing,
    /// `connecting`.
    Connecting,
    /// `no permissions`, and what udev lacks.
    NoPermissions,
    /// `bootloader`.
    Bootloader,
    /// `recovery`.
    Recovery,
    /// `rescue`.
    Rescue,
    /// `sideload`.
    Sideload,
    /// `host`.
    Host,
    /// `detached`.
    Detached,
    /// `unknown`.
    Unknown,
}

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
    /// Listed in another state than `device`.
    ListedAs(ConnectionState),
    /// The server is adb 29: it knows no pairing and no mDNS.
    OldServer,
    /// The server's mDNS is off.
    NoMdns,
    /// The server accepts connections and never answers.
    ServerWedged,
    /// The server drops every connection and takes none for a second as a request arrives, after so many.
    ServerRestarts(u32),
    /// Lines of a command's text end with CR LF.
    CrLf,
    /// Dumps hold what vendors leave in them: `mCurrentFocus=null` of other displays, a brace too many, a NUL byte.
    StrayWords,
    /// What the phone says arrives so many milliseconds later.
    Latency(u32),
    /// At most so many kilobytes a second come through.
    Bandwidth(u32),
    /// Half of an answer arrives, then the stream ends; of one program, or of all.
    HalfAnswer(Option<&'static str>),
    /// The command runs, and no answer ever arrives; of one program, or of all.
    Silence(Option<&'static str>),
    /// The connection breaks as the answer begins; of one program, or of all. The phone is listed again at once.
    Disconnect(Option<&'static str>),
    /// `screencap` fails in words.
    CaptureFails,
    /// The window in front has `FLAG_SECURE`.
    Secure,
    /// A second display that is on.
    SecondDisplay,
    /// The inner display is off, the outer one shows the screen.
    Folded,
    /// `uiautomator` is killed: exit 137, no word.
    TreeKilled,
    /// `uiautomator` may not open its own output by name (`/proc/self/fd/1`): the tree goes nowhere, and it says as ever where to.
    TreeNeedsFile,
    /// `uiautomator` sees one view without a word, as of a game or of an app that draws itself.
    TreeUnlabelled,
    /// `dumpsys window` and `activity` are 400 kB longer, as where many apps have windows.
    HugeDumps,
    /// Several hundred packages without an icon, and as many properties, as makers bring them.
    Crowded,
    /// The app in front is one of the work profile: its windows and activities are user 10's.
    WorkProfile,
    /// Another person of the phone's is in front: user 10 is current, and all windows but the system's bars are theirs.
    SecondUser,
    /// The app in front does not answer, and the system's own window about it stands over it.
    NotResponding,
    /// Split screen: the app in front has one half of the display, another app the other.
    SplitScreen,
    /// The keyboard corrects words, and loses letters of a fast run of keys.
    Autocorrect,
    /// The keyboard holds letters until they are taken for what they spell in Chinese.
    Pinyin,
    /// The always-on display: the phone dozes, its panel in `DOZE_SUSPEND`.
    Dozing,
    /// The lock screen is up, and the app in front is shown over it, as a call or the camera is.
    Occluded,
    /// The first so many commands are served as the display stands; it turns as the next one arrives.
    RotateAfter(u32),
    /// Storage is full.
    LowStorage,
    /// The lock screen is up and wants the PIN.
    KeyguardPin,
    /// The phone's clock is wrong by so many seconds.
    ClockSkew(i32),
    /// Video: in every second nothing comes for so many milliseconds.
    Stutter(u32),
    /// Video: so many pictures come, then none; everything stays open.
    StreamStall(u32),
    /// Video: the first picture comes with the display's first change.
    StreamWaits,
    /// No encoder can be configured, and one that runs fails.
    EncoderFails,
    /// No encoder takes a picture with more pixels on a side.
    EncoderLimit(u32),
    /// There is no `screenrecord`.
    NoScreenrecord,
    /// `screenrecord` finds no encoder, says so, and exits with 0.
    ScreenrecordFails,
    /// scrcpy's server is killed in the middle of the packet after so many pictures.
    ScrcpyDies(u32),
    /// Whatever jar of scrcpy's there is, it is of another version than the client says.
    ScrcpyMismatch,
    /// The class of the reader that stays is not found: its machine aborts.
    ReaderMissing,
    /// The reader that stays may not read the screen: a `SecurityException`.
    ReaderForbidden,
    /// Another program has the phone's one `UiAutomation`, whenever a reader that stays would.
    ReaderTaken,
    /// The reader that stays is killed in the middle of the answer after so many; as it begins, after none.
    ReaderDies(u32),
    /// Every tree of the reader that stays is its first one again, as it was answered then.
    ReaderStale,
    /// The reader that stays takes 20 s for every answer.
    ReaderSlow,
    /// Half of a tree comes from the reader that stays, then it ends.
    ReaderCut,
}

impl Fault {
    /// The same fault, whatever its argument. (A phone stands in one state at a time.)
    pub(crate) fn is_like(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

#[cfg(test)]
mod tests {
    use super::table::ALIASES;
    use super::*;
    use std::collections::BTreeSet;

    /// A listed name with arguments in their places.
    fn written(name: &str) -> String {
        let (stem, argument) = name.split_once([':', '[']).unwrap_or((name, ""));
        match argument {
            "" => stem.to_owned(),
            "FACTOR" => format!("{stem}:2.5"),
            "SECONDS" => format!("{stem}:-90"),
            ":PROGRAM]" => format!("{stem}:screencap"),
            _ => format!("{stem}:3"),
        }
    }

    #[test]
    fn every_listed_name_is_read_and_written_back() {
        let mut seen = BTreeSet::new();
        for (name, _) in Fault::list() {
            let text = written(name);
            let fault: Fault = text.parse().unwrap();
            assert_eq!(fault.to_string(), text);
            assert!(seen.insert(text), "{name} stands twice");
        }
        for (alias, name) in ALIASES {
            assert_eq!(alias.parse::<Fault>(), name.parse::<Fault>(), "{alias}");
            assert!(name.parse::<Fault>().is_ok());
        }
        assert_eq!("silence".parse::<Fault>(), Ok(Fault::Silence(None)));
        assert_eq!(Fault::Silence(None).to_string(), "silence");
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
            "silence:nothing_like_it",
            "latency:-4",
            "latency",
        ] {
            assert_eq!(text.parse::<Fault>(), Err(NoSuchFault(text.to_owned())), "{text}");
        }
    }
}
