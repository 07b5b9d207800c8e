//! `dumpsys input_method` (`InputMethodManagerService.dumpAsStringNoCheck`).

use crate::phone::Phone;
use std::fmt::Write as _;

pub(super) fn dump(phone: &Phone) -> String {
    let (keyboard, app, takes) =
        phone.with(|android| (android.keyboard(), android.focused_app(), android.takes_text()));
    let shown = keyboard.shown;
    let mut out = "Current Input Method Manager state:\n  Input Methods:\n".to_owned();
    for (at, id) in keyboard.enabled.iter().enumerate() {
        let package = id.split('/').next().unwrap_or(id);
        let _ = write!(
            out,
            "  InputMethod #{at}:\n    mId={id} mSettingsActivityName=null mIsVrOnly=false \
             mSupportsSwitchingToNextInputMethod=true\n    mIsDefaultResId=0x7f050000\n    Service:\n      priority=0 \
             preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false\n      ServiceInfo:\n        packageName={package}\n"
        );
    }
    let client = app.map_or_else(|| "null".to_owned(), |component| component.package);
    let ime = &keyboard.ime;
    let package = ime.split('/').next().unwrap_or(ime);
    let _ = write!(
        out,
        "  Clients:\n  mCurMethodId={ime}\n  mCurClient=ClientState{{{} mUid={} mPid={} mSelfReportedDisplayId=0}} mCurSeq=24\n  \
         mFocusedWindowPerceptible=true\n  mCurFocusedWindow=null softInputMode=STATE_UNSPECIFIED|ADJUST_UNSPECIFIED \
         client=null\n  mCurId={ime} mHaveConnection=true mBoundToMethod={shown} mVisibleBound={shown}\n  mUserId=0\n  \
         mCurToken=android.os.Binder@{}\n  mCurIntent=Intent {{ act=android.view.InputMethod cmp={ime} }}\n  \
         mCurMethod=android.os.BinderProxy@{}\n  mEnabledSession=null\n  mRequestedShowExplicitly={shown}\n  mShowForced=false\n  \
         mInputShown={shown}\n  mInFullscreenMode=false\n  mSystemReady=true mInteractive=true\n  mImeWindowVis={}\n\nInput method \
         client state for {client}:\n  mServedView=null mNextServedView=null\n{}\nInput method service state for \
         com.android.inputmethod.latin ({package}):\n  mWindowCreated=true mDecorViewVisible={shown} mDecorViewWasVisible={shown}\n  \
         mWindowVisible={shown} mInShowWindow=false\n  mInputStarted={shown} mInputViewStarted={shown} mCandidatesViewStarted=false\n  \
         mShowInputRequested={shown} mLastShowInputRequested={shown} mIsInputViewShown={shown}\n",
        crate::tools::name::code(&client),
        crate::tools::name::uid(&client),
        crate::tools::name::pid(&client),
        crate::tools::name::code("token"),
        crate::tools::name::code("method"),
        if shown { 3 } else { 0 },
        served(phone, takes),
    );
    out
}

/// `InputMethodManager.dump`: what the app in front gives a keyboard to write to. The name changed with Android 13.
fn served(phone: &Phone, takes: bool) -> String {
    let name = match phone.profile.sdk {
        ..=32 => "mServedInputConnectionWrapper",
        _ => "mServedInputConnection",
    };
    let (about, connection) = if takes {
        (
            "\n    inputType=0x4001 imeOptions=0x12000000 privateImeOptions=null",
            "RemoteInputConnectionImpl{idHash=#2c4e1 inputConnection=EditableInputConnection}",
        )
    } else {
        (" null", "null")
    };
    format!(
        "  mServedConnecting=false\n  mCurrentEditorInfo:{about}\n  {name}={connection}\n  mCompletions=null\n"
    )
}
