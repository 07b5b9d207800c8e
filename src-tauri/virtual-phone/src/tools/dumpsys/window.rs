//! `dumpsys window` (`WindowManagerService.doDump`, `RootWindowContainer`, `DisplayContent.dump`, `WindowState.dump`,
//! `DisplayPolicy.dump`, `PhoneWindowManager.dump`, `KeyguardServiceDelegate.dump`; samples focus_*, lock_*).

use crate::android::{Display, Power, Window};
use crate::fault::Fault;
use crate::phone::Phone;
use crate::tools::name::{
    activity_record, code, component, mode, pid, rect, task, uid, window as window_name,
};
use std::fmt::Write as _;

/// Everything of one moment.
struct State {
    display: Display,
    windows: Vec<Window>,
    focus: String,
    app: String,
    power: Power,
    pin: bool,
    keyboard: bool,
}

fn state(phone: &Phone) -> State {
    phone.with(|android| {
        let mut windows = android.windows();
        if phone.has(Fault::Secure)
            && let Some(front) = windows.iter_mut().find(|window| window.focused)
        {
            front.secure = true;
        }
        let focus = windows
            .iter()
            .find(|window| window.focused)
            .map_or_else(|| "null".to_owned(), window_name);
        let app = android.focused_app();
        State {
            display: android.display(),
            focus,
            app: app.map_or_else(
                || "null".to_owned(),
                |component| focused_app(phone, &activity_record(phone, &component)),
            ),
            power: android.power(),
            pin: android.has_pin(),
            keyboard: android.keyboard().shown,
            windows,
        }
    })
}

/// Up to Android 9 an app's window token stands around its activity (samples focus_04, focus_15).
fn focused_app(phone: &Phone, record: &str) -> String {
    if is_before_10(phone) {
        let (window, token) = (
            code(&format!("window {record}")),
            code(&format!("token {record}")),
        );
        format!("AppWindowToken{{{window} token=Token{{{token} {record}}}}}")
    } else {
        record.to_owned()
    }
}

/// From Android 10 on each display has its own focus.
fn is_before_10(phone: &Phone) -> bool {
    phone.profile.sdk < 29
}

pub(super) fn dump(phone: &Phone, words: &[&str]) -> String {
    let state = state(phone);
    match words.first().copied().unwrap_or("all") {
        "displays" | "d" => displays(phone, &state),
        "windows" | "w" | "visible" | "visible-apps" => windows(phone, &state) + &globals(phone, &state),
        "policy" | "p" => policy(phone, &state),
        "lastanr" | "l" => LAST_ANR.to_owned(),
        "sessions" | "s" => sessions(&state),
        "tokens" | "t" => tokens(phone, &state),
        "animator" | "a" => animator(&state),
        "all" => {
            let rule = "-".repeat(79) + "\n";
            [
                LAST_ANR.to_owned(),
                policy(phone, &state),
                animator(&state),
                sessions(&state),
                displays(phone, &state),
                tokens(phone, &state),
                windows(phone, &state) + &globals(phone, &state),
            ]
            .join(&rule)
        }
        word => {
            // One window (or all of a package's), by a part of its name.
            let named: Vec<&Window> = state
                .windows
                .iter()
                .filter(|window| window.title.contains(word))
                .collect();
            if named.is_empty() {
                return format!("Bad window command, or no windows match: {word}\nUse -h for help.\n");
            }
            let blocks: String = named
                .iter()
                .enumerate()
                .map(|(at, window)| block(phone, &state, at, window))
                .collect();
            format!("WINDOW MANAGER WINDOWS (dumpsys window windows)\n{blocks}")
        }
    }
}

const LAST_ANR: &str =
    "WINDOW MANAGER LAST ANR (dumpsys window lastanr)\n  <no ANR has occurred since boot>\n";

fn policy(phone: &Phone, state: &State) -> String {
    let (locked, occluded) = phone.keyguard();
    let dozes = !state.power.awake && phone.has(Fault::Dozing);
    let screen = if state.power.awake {
        "SCREEN_STATE_ON"
    } else {
        "SCREEN_STATE_OFF"
    };
    let interactive = if state.power.awake {
        "INTERACTIVE_STATE_AWAKE"
    } else {
        "INTERACTIVE_STATE_SLEEP"
    };
    // Of sample lock_04.
    let showing = locked && !occluded;
    let old = if is_before_10(phone) {
        format!(
            "    mShowingLockscreen={showing} mShowingDream=false mDreamingLockscreen={showing} mTopIsFullscreen=false\n"
        )
    } else {
        String::new()
    };
    let text = format!(
        "WINDOW MANAGER POLICY STATE (dumpsys window policy)\n    mSafeMode=false mSystemReady=true mSystemBooted=true\n    \
         mCameraLensCoverState=CAMERA_LENS_COVER_ABSENT\n    mWakeGestureEnabledSetting=true\n    mUiMode=UI_MODE_TYPE_NORMAL \
         mEnableCarDockHomeCapture=true\n    mLidKeyboardAccessibility=0 mLidNavigationAccessibility=0 getLidBehavior=0\n    \
         mLongPressOnBackBehavior=LONG_PRESS_BACK_NOTHING\n    mLongPressOnHomeBehavior=LONG_PRESS_HOME_NOTHING\n    \
         mShortPressOnPowerBehavior=SHORT_PRESS_POWER_GO_TO_SLEEP\n    mAllowStartActivityForLongPressOnPowerDuringSetup=false\n    \
         mHasSoftInput=true mHapticTextHandleEnabled=false\n    mDismissImeOnBackKeyPressed=false\n    \
         mIncallPowerBehavior=sleep\n    mHasFeatureAuto=false mHasFeatureWatch=false\n    \
         mKeyguardDrawnOnce=true\n    mDisplayHomeButtonHandlers=\n    KeyguardServiceDelegate\n      showing={locked}\n      \
         inputRestricted={locked}\n      occluded={occluded}\n      secure={}\n      dreaming={dozes}\n      systemIsReady=true\n      \
         deviceHasKeyguard=true\n      enabled=true\n      offReason={}\n      currentUser=-10000\n      bootCompleted=true\n      \
         screenState={screen}\n      interactiveState={interactive}\n      KeyguardStateMonitor\n        mIsShowing={locked}\n        \
         mSimSecure=false\n        mInputRestricted={locked}\n        mCurrentUserId=0\n",
        state.pin,
        if state.power.awake {
            "OFF_BECAUSE_OF_TIMEOUT"
        } else {
            "OFF_BECAUSE_OF_USER"
        },
    );
    text + &old
}

fn animator(state: &State) -> String {
    let Display {
        width,
        height,
        rotation,
        ..
    } = state.display;
    let shines = if state.power.awake { "ON" } else { "OFF" };
    format!(
        "WINDOW MANAGER ANIMATOR STATE (dumpsys window animator)\n    DisplayContentsAnimator #0:\n      \
         Display{{#0 state={shines} size={width}x{height} ROTATION_{}}}:\n",
        u32::from(rotation) * 90
    )
}

fn sessions(state: &State) -> String {
    let mut seen = Vec::new();
    for window in &state.windows {
        let session = session(&window.package);
        if !seen.contains(&session) {
            seen.push(session);
        }
    }
    let lines: String = seen
        .iter()
        .map(|session| format!("  Session {session}:\n    mNumWindow=1 mCanAddInternalSystemWindow=false\n"))
        .collect();
    format!("WINDOW MANAGER SESSIONS (dumpsys window sessions)\n{lines}")
}

fn session(package: &str) -> String {
    format!(
        "Session{{{} {}:u0a{}}}",
        code(&format!("session {package}")),
        pid(package),
        uid(package)
    )
}

fn displays(phone: &Phone, state: &State) -> String {
    let (natural_width, natural_height) = phone.profile.size;
    let Display {
        width,
        height,
        density,
        rotation,
    } = state.display;
    let (locked, occluded) = phone.keyguard();
    let (small, large) = (width.min(height), width.max(height));
    let on = state.power.awake;
    let focus = if is_before_10(phone) {
        String::new()
    } else {
        format!("  mCurrentFocus={}\n  mFocusedApp={}\n\n", state.focus, state.app)
    };
    let mut out = format!(
        "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n  Display: mDisplayId=0 (organized)\n    \
         init={natural_width}x{natural_height} {density}dpi mMinSizeOfResizeableTaskDp=220 cur={width}x{height} \
         app={width}x{height} rng={small}x{small}-{large}x{large}\n    deferred=false mLayoutNeeded=false \
         mTouchExcludeRegion=SkRegion((0,0,{width},{height}))\n\n  mLayoutSeq={}\n{focus}  \
         mHoldScreenWindow=null\n  mObscuringWindow=null\n  mLastWakeLockHoldingWindow=null\n  \
         mLastWakeLockObscuringWindow=null\n\n  Display areas in top down Z order:\n    * DefaultTaskDisplayArea \
         (organized)\n\n  Task display areas in top down Z order:\n    TaskDisplayArea DefaultTaskDisplayArea\n      \
         mPreferredTopFocusableRootTask=null\n",
        200 + phone.with(|android| android.generation()) % 1000,
    );
    let mut shown: Vec<&str> = Vec::new();
    for window in &state.windows {
        let Some(component) = component(window) else {
            continue;
        };
        if shown.contains(&window.package.as_str()) {
            continue;
        }
        shown.push(&window.package);
        let kind = if component.class.contains("Launcher") {
            "home"
        } else {
            "standard"
        };
        let _ = write!(
            out,
            "      * Task{{{} #{} type={kind} A={}:{} U=0 visible=true visibleRequested=true mode={} \
             translucent=false sz=1}}\n        topActivity={}\n",
            code(&format!("task {}", window.package)),
            task(&window.package),
            uid(&window.package),
            window.package,
            mode(phone, window.half),
            activity_record(phone, &component)
        );
    }
    let status = state
        .windows
        .iter()
        .find(|window| window.title == "StatusBar")
        .map_or_else(|| "null".to_owned(), window_name);
    let shade = format!(
        "Window{{{} u0 NotificationShade}}",
        code("window NotificationShade")
    );
    let _ = write!(
        out,
        "\n  DisplayPolicy\n    mCarDockEnablesAccelerometer=true mDeskDockEnablesAccelerometer=true\n    \
         mDockMode=EXTRA_DOCK_STATE_UNDOCKED mLidState=LID_ABSENT\n    mAwake={on} mScreenOnEarly={on} mScreenOnFully={on}\n    \
         mKeyguardDrawComplete={on} mWindowManagerDrawComplete={on}\n    mHdmiPlugged=false\n    mShowingDream=false \
         mDreamingLockscreen={}\n    mStatusBar={status}\n    mExpandedPanel={shade}\n    isKeyguardShowing={}\n    \
         mFocusedWindow={}\n    mTopFullscreenOpaqueWindowState={}\n    mTopIsFullscreen=false\n    \
         mForceShowNavigationBarEnabled=false mAllowLockscreenWhenOn=false\n    mRemoteInsetsControllerControlsSystemBars=false\n  \
         DisplayRotation\n    mCurrentAppOrientation=SCREEN_ORIENTATION_UNSPECIFIED\n    mLastOrientation=-1\n    \
         mRotation={rotation} mDeferredRotationPauseCount=0\n    mLandscapeRotation=ROTATION_90 \
         mSeascapeRotation=ROTATION_270\n    mPortraitRotation=ROTATION_0 mUpsideDownRotation=ROTATION_180\n    \
         mSupportAutoRotation=true\n    mUserRotationMode={} mUserRotation=ROTATION_{} mCameraRotationMode=0 \
         mAllowAllRotations=false\n",
        locked && !occluded,
        locked,
        state.focus,
        state.focus,
        if setting(phone, "accelerometer_rotation").as_deref() == Some("0") {
            "USER_ROTATION_LOCKED"
        } else {
            "USER_ROTATION_FREE"
        },
        u32::from(rotation) * 90,
    );
    if phone.has(Fault::SecondDisplay) || phone.has(Fault::Folded) {
        // Of sample focus_01 (a Samsung with a cover screen).
        out.push_str(
            "  Display: mDisplayId=1 (organized)\n    init=904x2316 420dpi cur=904x2316\n  mCurrentFocus=null\n  \
             mFocusedApp=ActivityRecord{14d88c3 u0 com.android.systemui/.subscreen.SubHomeActivity t9}\n",
        );
    }
    out
}

fn setting(phone: &Phone, name: &str) -> Option<String> {
    phone.with(|android| android.setting("system", name))
}

fn tokens(phone: &Phone, state: &State) -> String {
    let lines: String = state
        .windows
        .iter()
        .filter_map(component)
        .map(|component| format!("  {}:\n    windows=[...]\n", activity_record(phone, &component)))
        .collect();
    format!("WINDOW MANAGER TOKENS (dumpsys window tokens)\n  All tokens:\n  Display #0\n{lines}")
}

fn windows(phone: &Phone, state: &State) -> String {
    let count = state.windows.len();
    let blocks: String = state
        .windows
        .iter()
        .enumerate()
        .map(|(at, window)| block(phone, state, count - 1 - at, window))
        .collect();
    format!("WINDOW MANAGER WINDOWS (dumpsys window windows)\n{blocks}")
}

/// One window, with the lines of sample focus_12.
fn block(phone: &Phone, state: &State, at: usize, window: &Window) -> String {
    let (left, top, right, bottom) = window.frame;
    let (width, height) = (right - left, bottom - top);
    let whole = format!("[0,0][{},{}]", state.display.width, state.display.height);
    let parent = window.half.map(|half| half.bounds).map_or_else(
        || whole.clone(),
        |(left, top, right, bottom)| format!("[{left},{top}][{right},{bottom}]"),
    );
    let name = window_name(window);
    let (kind, token) = match component(window) {
        Some(component) => ("BASE_APPLICATION", activity_record(phone, &component)),
        None => {
            let kind = match window.title.as_str() {
                "StatusBar" => "STATUS_BAR",
                "NavigationBar0" => "NAVIGATION_BAR",
                "InputMethod" => "INPUT_METHOD",
                "NotificationShade" => "NOTIFICATION_SHADE",
                "DockedStackDivider" | "StageCoordinatorSplitDivider" => "DOCK_DIVIDER",
                _ => "SYSTEM_ERROR",
            };
            (
                kind,
                format!(
                    "WindowToken{{{} type=2040 android.os.BinderProxy@{}}}",
                    code(&name),
                    code(&token_of(window))
                ),
            )
        }
    };
    let secure = if window.secure { " SECURE" } else { "" };
    let mut out = format!(
        "  Window #{at} {name}:\n    mDisplayId=0 rootTaskId={} mSession={} mClient=android.os.BinderProxy@{}\n    \
         mOwnerUid={} showForAllUsers={} package={} appop=NONE\n    mAttrs={{({left},{top})({})  \
         sim={{adjust=pan forwardNavigation}} ty={kind} wanim=0x10302fe\n      fl=LAYOUT_IN_SCREEN LAYOUT_INSET_DECOR{secure} \
         SPLIT_TOUCH HARDWARE_ACCELERATED DRAWS_SYSTEM_BAR_BACKGROUNDS\n      pfl=NO_MOVE_ANIMATION FORCE_DRAW_STATUS_BAR_BACKGROUND \
         USE_BLAST FIT_INSETS_CONTROLLED\n      apr=LIGHT_STATUS_BARS LIGHT_NAVIGATION_BARS\n      bhv=DEFAULT\n      \
         fitSides=}}\n    Requested w={width} h={height} mLayoutSeq=471\n    mBaseLayer=21000 mSubLayer=0    mToken={token}\n",
        task(&window.package),
        session(&window.package),
        code(&format!("client {name}")),
        uid(&window.package),
        component(window).is_none(),
        window.package,
        if component(window).is_some() {
            "fillxfill".to_owned()
        } else {
            format!("{width}x{height}")
        },
    );
    if component(window).is_some() {
        let _ = writeln!(
            out,
            "    mActivityRecord={token}\n    mAppDied=false    drawnStateEvaluated=true    mightAffectAllDrawn=true"
        );
    }
    if let Some(half) = window.half {
        let _ = writeln!(
            out,
            "    mFullConfiguration={{1.0 310mcc260mnc [en_US] ldltr {}dpi winConfig={{ mBounds={bounds} mAppBounds={bounds} \
             mMaxBounds={} mWindowingMode={} mDisplayWindowingMode=fullscreen mActivityType=standard \
             mAlwaysOnTop=undefined}}}}",
            state.display.density,
            rect((0, 0, state.display.width as i32, state.display.height as i32)),
            mode(phone, window.half),
            bounds = rect(half.bounds),
        );
    }
    let _ = write!(
        out,
        "    mViewVisibility=0x0 mHaveFrame=true mObscured=false\n    mGivenContentInsets=[0,0][0,0] \
         mGivenVisibleInsets=[0,0][0,0]\n    mHasSurface=true isReadyForDisplay()=true mWindowRemovalAllowed=false\n    \
         Frames: parent={parent} display={whole} frame=[{left},{top}][{right},{bottom}] last=[{left},{top}][{right},{bottom}] \
         insetsChanged=false\n     surface=[0,0][0,0]\n    WindowStateAnimator{{{} {}}}:\n      mSurface=Surface(name={})/@0x{}\n      \
         Surface: shown=true layer=0 alpha=1.0 rect=(0.0,0.0)  transform=(1.0, 0.0, 0.0, 1.0) blurRadius=0\n      \
         mDrawState=HAS_DRAWN       mLastHidden=false\n    isOnScreen=true\n    isVisible=true\n",
        code(&format!("animator {name}")),
        window.title,
        window.title,
        code(&format!("surface {name}")),
    );
    out
}

fn token_of(window: &Window) -> String {
    format!("token {}", window.title)
}

/// The lines after the windows. From Android 10 on the focus is told with the displays, not here.
fn globals(phone: &Phone, state: &State) -> String {
    let keyboard = if state.keyboard {
        state.focus.as_str()
    } else {
        "null"
    };
    let focus = if is_before_10(phone) {
        format!("  mCurrentFocus={}\n  mFocusedApp={}\n", state.focus, state.app)
    } else {
        String::new()
    };
    focus
        + &format!(
            "\n  mHasPermanentDpad=false\n  mTopFocusedDisplayId=0\n  imeLayeringTarget in display# 0 {}\n  imeInputTarget in display# 0 \
         {}\n  imeControlTarget in display# 0 {keyboard}\n  Minimum task size of display#0 220\n  mBlurEnabled=true\n  \
         mLastDisplayFreezeDuration=0\n  mDisableSecureWindows=false\n  mHighResSnapshotScale=0.8\n  \
         mSnapshotEnabled=true\n  SnapshotCache Task\n  mInTouchMode=true\n  mWindowsInsetsChanged=0\n  mDisplayFrozen=false \
         windows=0 client=false apps=0  mRotation={}  mLastOrientation=-1\n  waitingForConfig=false\n",
            state.focus, state.focus, state.display.rotation,
        )
}
