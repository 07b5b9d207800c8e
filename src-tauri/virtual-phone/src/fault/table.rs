//! The one table of faults: their names, their arguments, what they do.

use super::{ConnectionState, Fault};

/// What stands behind a name's colon.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    /// Nothing.
    Plain(Fault),
    /// A whole number.
    Count(fn(u32) -> Fault),
    /// A factor above 0, at most 1000.
    Factor(fn(f64) -> Fault),
    /// Seconds, also less than none.
    Seconds(fn(i32) -> Fault),
    /// Nothing, or the name of one program or service.
    Where(fn(Option<&'static str>) -> Fault),
}

/// One fault.
pub(super) struct Row {
    /// Its name, with its argument's.
    pub(super) name: &'static str,
    /// What it does.
    pub(super) what: &'static str,
    pub(super) shape: Shape,
}

impl Row {
    /// The name without an argument.
    pub(super) fn stem(&self) -> &'static str {
        self.name.split([':', '[']).next().unwrap_or(self.name)
    }
}

const fn row(name: &'static str, what: &'static str, shape: Shape) -> Row {
    Row { name, what, shape }
}

const fn plain(name: &'static str, fault: Fault, what: &'static str) -> Row {
    row(name, what, Shape::Plain(fault))
}

const fn standing(name: &'static str, standing: ConnectionState, what: &'static str) -> Row {
    plain(name, Fault::ListedAs(standing), what)
}

/// Every fault.
pub(super) const ROWS: [Row; 78] = [
    plain(
        "unauthorized",
        Fault::Unauthorized,
        "the person has not allowed this computer",
    ),
    plain("offline", Fault::Offline, "listed, but nothing answers"),
    standing(
        "authorizing",
        ConnectionState::Authorizing,
        "the server lists it so, for ever",
    ),
    standing(
        "connecting",
        ConnectionState::Connecting,
        "the server lists it so, for ever",
    ),
    standing(
        "no_permissions",
        ConnectionState::NoPermissions,
        "the computer may not open the USB device",
    ),
    standing(
        "bootloader",
        ConnectionState::Bootloader,
        "it stands in its bootloader",
    ),
    standing("recovery", ConnectionState::Recovery, "it stands in recovery"),
    standing("rescue", ConnectionState::Rescue, "it stands in rescue mode"),
    standing("sideload", ConnectionState::Sideload, "it waits for a sideload"),
    standing(
        "host",
        ConnectionState::Host,
        "something that is no phone answers",
    ),
    standing("detached", ConnectionState::Detached, "another server has it"),
    standing(
        "unknown",
        ConnectionState::Unknown,
        "a state this server has no word for",
    ),
    plain(
        "old_server",
        Fault::OldServer,
        "an adb server of version 29: no pairing, no mDNS",
    ),
    plain(
        "no_mdns",
        Fault::NoMdns,
        "the adb server finds nothing on the network",
    ),
    plain(
        "server_wedged",
        Fault::ServerWedged,
        "the adb server accepts and says nothing",
    ),
    row(
        "server_restarts:N",
        "the adb server is gone for a second as request N + 1 arrives",
        Shape::Count(Fault::ServerRestarts),
    ),
    plain(
        "no_shell_v2",
        Fault::NoShellV2,
        "Android 5: no exit codes, stderr mixed in, CR LF",
    ),
    plain("cr_lf", Fault::CrLf, "lines of a command's text end with CR LF"),
    plain(
        "stray_words",
        Fault::StrayWords,
        "dumps hold nulls, stray braces and a NUL byte",
    ),
    row(
        "latency:MS",
        "what the phone says arrives MS milliseconds later",
        Shape::Count(Fault::Latency),
    ),
    row(
        "bandwidth:KB",
        "at most KB kilobytes a second come through",
        Shape::Count(Fault::Bandwidth),
    ),
    row(
        "half_answer[:PROGRAM]",
        "half of the answer arrives, then the stream ends",
        Shape::Where(Fault::HalfAnswer),
    ),
    row(
        "silence[:PROGRAM]",
        "the command runs, and no answer ever arrives",
        Shape::Where(Fault::Silence),
    ),
    row(
        "disconnect[:PROGRAM]",
        "the connection breaks as the answer begins",
        Shape::Where(Fault::Disconnect),
    ),
    plain(
        "half_capture",
        Fault::HalfCapture,
        "the daemon dies in the middle of a capture",
    ),
    plain("black_capture", Fault::BlackCapture, "captures are black"),
    plain(
        "capture_fails",
        Fault::CaptureFails,
        "screencap says so, and gives nothing",
    ),
    plain(
        "capture_warning",
        Fault::CaptureWarning,
        "a warning stands before the picture",
    ),
    plain("secure", Fault::Secure, "the window in front may not be captured"),
    plain(
        "second_display",
        Fault::SecondDisplay,
        "a second display that is on",
    ),
    plain(
        "folded",
        Fault::Folded,
        "folded: the inner display is off, the outer one shows the screen",
    ),
    plain(
        "tree_idle_error",
        Fault::TreeIdleError,
        "the UI tree never goes idle",
    ),
    plain("tree_null_root", Fault::TreeNullRoot, "the UI tree has no root"),
    plain(
        "tree_stack_trace",
        Fault::TreeStackTrace,
        "a stack trace stands before the UI tree",
    ),
    plain(
        "tree_stale",
        Fault::TreeStale,
        "the UI tree fails and leaves the last file",
    ),
    plain("tree_slow", Fault::TreeSlow, "the UI tree takes 20 s"),
    plain(
        "tree_killed",
        Fault::TreeKilled,
        "uiautomator is killed without a word",
    ),
    plain(
        "tree_needs_file",
        Fault::TreeNeedsFile,
        "uiautomator may not open its own output by name",
    ),
    plain(
        "tree_unlabelled",
        Fault::TreeUnlabelled,
        "the UI tree of a game: one view, without a word",
    ),
    plain(
        "huge_dumps",
        Fault::HugeDumps,
        "dumps of windows and activities are 400 kB longer",
    ),
    plain(
        "work_profile",
        Fault::WorkProfile,
        "the app in front is the work profile's (user 10)",
    ),
    plain(
        "second_user",
        Fault::SecondUser,
        "another person of the phone's is in front (user 10)",
    ),
    plain(
        "crowded",
        Fault::Crowded,
        "several hundred packages and properties more",
    ),
    plain(
        "inject_events",
        Fault::InjectEvents,
        "input may not inject events",
    ),
    plain(
        "old_input",
        Fault::OldInput,
        "input without motionevent and keycombination",
    ),
    plain(
        "services_restarting",
        Fault::ServicesRestarting,
        "the system server restarts",
    ),
    row(
        "unplug_after:N",
        "the cable comes out as command N + 1 arrives",
        Shape::Count(Fault::UnplugAfter),
    ),
    row(
        "rotate_after:N",
        "the display turns as command N + 1 arrives",
        Shape::Count(Fault::RotateAfter),
    ),
    row(
        "slow:FACTOR",
        "everything takes FACTOR times as long",
        Shape::Factor(Fault::Slow),
    ),
    plain(
        "remote_lingers",
        Fault::RemoteLingers,
        "a process lives 2 s after its client is gone",
    ),
    plain(
        "low_storage",
        Fault::LowStorage,
        "not a byte more fits on the phone",
    ),
    plain(
        "split_screen",
        Fault::SplitScreen,
        "split screen: another app has the other half of the display",
    ),
    plain(
        "not_responding",
        Fault::NotResponding,
        "the app in front hangs, and the system asks whether to wait",
    ),
    plain("locked", Fault::Locked, "the lock screen is up"),
    plain(
        "keyguard_pin",
        Fault::KeyguardPin,
        "the lock screen is up and wants the PIN (1379)",
    ),
    plain("screen_off", Fault::ScreenOff, "the screen is off"),
    plain(
        "dozing",
        Fault::Dozing,
        "the always-on display: dozing, not asleep",
    ),
    plain(
        "occluded",
        Fault::Occluded,
        "locked, and the app in front is shown over the lock screen",
    ),
    plain(
        "clipboard_silent",
        Fault::ClipboardSilent,
        "cmd clipboard claims success in silence",
    ),
    plain(
        "autocorrect",
        Fault::Autocorrect,
        "the keyboard corrects words, and loses letters of a fast run",
    ),
    plain(
        "pinyin",
        Fault::Pinyin,
        "the keyboard holds letters until they are taken for Chinese",
    ),
    row(
        "clock_skew:SECONDS",
        "the phone's clock is wrong by so much",
        Shape::Seconds(Fault::ClockSkew),
    ),
    row(
        "stutter:MS",
        "video stops for MS milliseconds of every second",
        Shape::Count(Fault::Stutter),
    ),
    row(
        "stream_stall:N",
        "no picture comes after N of them, all stays open",
        Shape::Count(Fault::StreamStall),
    ),
    plain(
        "stream_waits",
        Fault::StreamWaits,
        "no picture before the display changes",
    ),
    plain(
        "encoder_fails",
        Fault::EncoderFails,
        "the video encoder cannot be configured, or fails",
    ),
    row(
        "encoder_limit:PIXELS",
        "no video of more PIXELS on a side",
        Shape::Count(Fault::EncoderLimit),
    ),
    plain(
        "no_screenrecord",
        Fault::NoScreenrecord,
        "screenrecord is not there",
    ),
    plain(
        "screenrecord_fails",
        Fault::ScreenrecordFails,
        "screenrecord finds no encoder",
    ),
    row(
        "scrcpy_dies:N",
        "scrcpy's server is killed in mid-stream after N pictures",
        Shape::Count(Fault::ScrcpyDies),
    ),
    plain(
        "scrcpy_mismatch",
        Fault::ScrcpyMismatch,
        "scrcpy's jar is of another version than the client",
    ),
    plain(
        "reader_missing",
        Fault::ReaderMissing,
        "the reader that stays does not start: no such class",
    ),
    plain(
        "reader_forbidden",
        Fault::ReaderForbidden,
        "the reader that stays may not read the screen",
    ),
    plain(
        "reader_taken",
        Fault::ReaderTaken,
        "another program has the one UiAutomation there is",
    ),
    row(
        "reader_dies:N",
        "the reader that stays is killed in the answer after N; as it begins, after none",
        Shape::Count(Fault::ReaderDies),
    ),
    plain(
        "reader_stale",
        Fault::ReaderStale,
        "the reader that stays answers with its first tree",
    ),
    plain(
        "reader_slow",
        Fault::ReaderSlow,
        "the reader that stays takes 20 s for an answer",
    ),
    plain(
        "reader_cut",
        Fault::ReaderCut,
        "half of a tree comes from the reader that stays",
    ),
];

/// Names from before, and others people think of.
pub(super) const ALIASES: [(&str, &str); 4] = [
    ("no_input_motionevent", "old_input"),
    ("no_inject", "inject_events"),
    ("never_idle", "tree_idle_error"),
    ("dark", "screen_off"),
];
