//! What went wrong, as data. The sentences for it live in `ui/words/`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

/// One failure: a code somebody branches on or has a sentence for, the values that sentence needs, and the
/// technical detail behind "Copy details".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// What went wrong, in one word.
    pub code: FailureCode,
    /// Values for the sentence, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, String>,
    /// For support; never a secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub detail: Option<String>,
}

impl From<FailureCode> for Failure {
    /// The code alone: its sentence needs no values, and there is no detail.
    fn from(code: FailureCode) -> Self {
        Self {
            code,
            values: BTreeMap::new(),
            detail: None,
        }
    }
}

/// Every failure a person can be told of. Each has a sentence in every language file: a test compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum FailureCode {
    /// The phone is not there any more.
    PhoneGone,
    /// The phone answered with an error.
    PhoneRefused,
    /// The phone took too long.
    PhoneSlow,
    /// The phone wants the person to tap Allow.
    PhoneUnauthorized,
    /// adb and the phone are still getting to know each other.
    PhoneConnecting,
    /// This computer's system does not let adb have the phone.
    PhoneNoPermissions,
    /// The phone shows its startup menu.
    PhoneBootloader,
    /// The phone is in recovery mode.
    PhoneRecovery,
    /// The phone is in rescue mode.
    PhoneRescue,
    /// The phone waits for an update.
    PhoneSideload,
    /// What adb lists is the other end of a connection, not a phone.
    PhoneHost,
    /// Another program has the phone's cable.
    PhoneDetached,
    /// The phone is locked, and only the person can unlock it.
    PhoneLocked,
    /// The phone forbids touches (`INJECT_EVENTS`).
    TouchForbidden,
    /// No whole picture came from the phone.
    CaptureFailed,
    /// The phone sends no video that could be recorded.
    NoVideo,
    /// Text with characters the phone's keyboard has not.
    CannotType,
    /// A task's own words hold characters the phone's keyboard has not, and nothing else types them there
    /// (`values.characters`, `values.phone`). Nothing was begun.
    NeedsTyping,
    /// There is no such app on the phone.
    AppNotFound,
    /// Two fingers, or a finger that is followed: the phone takes no such touches without scrcpy.
    NeedsScrcpy,
    /// The phone, or the person at it, does not let the app be installed.
    AppBlocked,
    /// The app is for other phones, or other versions of Android.
    AppUnfit,
    /// The file is no app, or not a whole one.
    AppBroken,
    /// The same app from another maker, or a newer one, is there already.
    AppConflict,
    /// The phone has no room left.
    PhoneFull,
    /// A file on this computer cannot be read.
    FileUnreadable,
    /// A file on this computer cannot be written where it should.
    FileUnwritable,
    /// No adb server answers and no adb program was found.
    AdbMissing,
    /// The adb server does not answer.
    AdbSilent,
    /// Something else answers where the adb server should.
    AdbPortTaken,
    /// The adb server is too old to pair over Wi-Fi.
    AdbTooOld,
    /// The pairing code is wrong, or no longer shown on the phone.
    PairingCode,
    /// Nothing pairs at this address any more: the phone closed its pairing page.
    PairingClosed,
    /// The phone cannot be reached from here: another network, or a wall between the two.
    WirelessUnreachable,
    /// The phone is reached and does not know this computer: it is to be paired first.
    WirelessUnknown,
    /// The download cannot be reached.
    DownloadOffline,
    /// The download broke off, or the other side would not give it.
    DownloadBroken,
    /// What came is not what was published: it was thrown away.
    DownloadWrong,
    /// Nothing is known to fetch for this system: the maker's page has it.
    DownloadNone,
    /// Another part of this program holds the phone.
    PhoneBusy,
    /// The lease was lost: stopped, paused or taken over.
    LeaseLost,
    /// The key was not accepted.
    ModelKey,
    /// No key is set.
    ModelKeyMissing,
    /// No credit, or the quota is used up.
    ModelQuota,
    /// Too many requests.
    ModelBusy,
    /// No such model.
    ModelMissing,
    /// The model refused the picture.
    ModelPicture,
    /// Too much was sent.
    ModelContext,
    /// The server has trouble.
    ModelServer,
    /// The server took too long.
    ModelSlow,
    /// The server cannot be reached.
    ModelOffline,
    /// Nothing answers on this computer where the server should: its program does not run.
    ModelHere,
    /// The answer was empty.
    ModelEmpty,
    /// The connection broke in the middle of the answer.
    ModelCut,
    /// The answer reached the limit of its length, or never ended.
    ModelLong,
    /// A web page came in place of an answer: of a network that wants a sign-in, or of a wrong address.
    ModelPage,
    /// The server wants to be left alone for longer than is waited for.
    ModelLater,
    /// The model declined to answer.
    ModelDeclined,
    /// The address cannot be used (not a URL, plain http to a stranger).
    ModelAddress,
    /// The run cannot be written down.
    JournalLocked,
    /// The disk is full.
    DiskFull,
    /// The store is damaged, or no database of ours.
    StoreBroken,
    /// The store was written by a newer version.
    StoreNewer,
    /// The folder of the store cannot be written to.
    StoreFolder,
    /// The store's file was moved or deleted while it was open.
    StoreGone,
    /// The environment names an adb server by what is no address.
    AdbAddress,
    /// No keychain on this system.
    KeychainMissing,
    /// The keychain is locked or refused.
    KeychainRefused,
    /// No such run, phone, question or picture.
    NotFound,
    /// What was asked makes no sense now.
    NotNow,
    /// The task is done: nothing of it is left to go on with.
    TaskDone,
    /// What was given cannot be read.
    BadInput,
    /// An automation cannot be kept or begun like this (`values.fault` is a [`crate::PlanFault`]; `values.variable` or
    /// `values.name` says of which variable or automation).
    PlanFault,
    /// The file is too large for a phone's gallery or downloads.
    FileTooLarge,
    /// A fault of this program.
    Internal,
}
