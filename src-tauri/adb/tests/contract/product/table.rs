//! Every fault, as a run meets it.

use virtual_phone::{ConnectionState, Fault};

/// How it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cure {
    /// By itself, or by what a person does on the phone or the computer.
    Goes,
    /// The cable goes back in.
    Plugged,
    /// Somebody taps Allow on the phone.
    Allowed,
}

/// One row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case {
    pub(super) fault: Fault,
    pub(super) cure: Cure,
    /// The phone streams its screen; without it is judged by captures, which cost a test less.
    pub(super) streams: bool,
    /// scrcpy's server is on this computer.
    pub(super) has_jar: bool,
}

const fn case(fault: Fault) -> Case {
    cured(fault, Cure::Goes)
}

const fn cured(fault: Fault, cure: Cure) -> Case {
    Case {
        fault,
        cure,
        streams: false,
        has_jar: false,
    }
}

const fn video(fault: Fault) -> Case {
    Case {
        streams: true,
        ..case(fault)
    }
}

const fn scrcpy(fault: Fault) -> Case {
    Case {
        has_jar: true,
        ..video(fault)
    }
}

const fn stands(standing: ConnectionState) -> Case {
    case(Fault::ListedAs(standing))
}

/// Every row.
pub(super) fn cases() -> Vec<Case> {
    [LISTED, WIRE, SCREEN, PHONE].concat()
}

/// How a phone is listed, and the server that lists it.
pub(super) const LISTED: &[Case] = &[
    cured(Fault::Unauthorized, Cure::Allowed),
    case(Fault::Offline),
    stands(ConnectionState::Authorizing),
    stands(ConnectionState::Connecting),
    stands(ConnectionState::NoPermissions),
    stands(ConnectionState::Bootloader),
    stands(ConnectionState::Recovery),
    stands(ConnectionState::Rescue),
    stands(ConnectionState::Sideload),
    stands(ConnectionState::Host),
    stands(ConnectionState::Detached),
    stands(ConnectionState::Unknown),
    case(Fault::OldServer),
    case(Fault::NoMdns),
    case(Fault::ServerWedged),
    case(Fault::ServerRestarts(0)),
];

/// What becomes of commands and their answers.
pub(super) const WIRE: &[Case] = &[
    case(Fault::NoShellV2),
    case(Fault::CrLf),
    case(Fault::StrayWords),
    case(Fault::Latency(300)),
    case(Fault::Bandwidth(10)),
    case(Fault::HalfAnswer(None)),
    case(Fault::HalfAnswer(Some("input"))),
    case(Fault::Silence(None)),
    case(Fault::Silence(Some("input"))),
    case(Fault::Disconnect(None)),
    case(Fault::Disconnect(Some("input"))),
    case(Fault::HalfCapture),
];

/// What is seen and read.
pub(super) const SCREEN: &[Case] = &[
    case(Fault::BlackCapture),
    case(Fault::CaptureFails),
    case(Fault::CaptureWarning),
    case(Fault::Secure),
    case(Fault::SecondDisplay),
    case(Fault::Folded),
    case(Fault::TreeIdleError),
    case(Fault::TreeNullRoot),
    case(Fault::TreeStackTrace),
    case(Fault::TreeStale),
    case(Fault::TreeSlow),
    case(Fault::TreeKilled),
    case(Fault::TreeNeedsFile),
    case(Fault::TreeUnlabelled),
    case(Fault::HugeDumps),
    case(Fault::WorkProfile),
    case(Fault::SecondUser),
    case(Fault::Crowded),
    case(Fault::NotResponding),
    case(Fault::SplitScreen),
    case(Fault::Dozing),
    case(Fault::Occluded),
];

/// What the phone does, and how fast.
pub(super) const PHONE: &[Case] = &[
    case(Fault::InjectEvents),
    case(Fault::OldInput),
    case(Fault::ServicesRestarting),
    cured(Fault::UnplugAfter(0), Cure::Plugged),
    case(Fault::RotateAfter(0)),
    case(Fault::Slow(4.0)),
    case(Fault::Slow(1000.0)),
    case(Fault::RemoteLingers),
    case(Fault::LowStorage),
    case(Fault::Locked),
    case(Fault::KeyguardPin),
    case(Fault::ScreenOff),
    case(Fault::ClipboardSilent),
    case(Fault::Autocorrect),
    case(Fault::Pinyin),
    case(Fault::ClockSkew(3600)),
    video(Fault::Stutter(400)),
    video(Fault::StreamStall(3)),
    video(Fault::StreamWaits),
    video(Fault::EncoderFails),
    video(Fault::EncoderLimit(100)),
    video(Fault::NoScreenrecord),
    video(Fault::ScreenrecordFails),
    scrcpy(Fault::ScrcpyDies(3)),
    scrcpy(Fault::ScrcpyMismatch),
];

/// What no run ever comes upon, and why.
pub(super) const NEVER_MET: &[(Fault, &str)] = &[
    (Fault::OldServer, "a run asks no server for its version"),
    (Fault::NoMdns, "a run looks for no phones"),
    (Fault::LowStorage, "a run writes nothing to the phone"),
    (Fault::ClipboardSilent, "a run reads no clipboard by a command"),
    (Fault::ClockSkew(3600), "a run asks no phone for its time"),
];
