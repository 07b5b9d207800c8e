//! `dumpsys activity` (`RootWindowContainer.dumpActivities`, `ActivityTaskManagerService.dumpActivitiesLocked`).

use crate::android::{Component, Half};
use crate::phone::Phone;
use crate::tools::name::{activity_record, code, component, mode, pid, rect, short, task, uid, user};
use std::fmt::Write as _;

pub(super) fn dump(phone: &Phone, words: &[&str]) -> String {
    match words.first().copied() {
        Some("top") => top(phone),
        Some("activities" | "a") => activities(phone),
        Some("recents" | "r") => recents(phone),
        Some("processes" | "p") => processes(phone),
        Some("services" | "s") => {
            "ACTIVITY MANAGER SERVICES (dumpsys activity services)\n  (nothing)\n".to_owned()
        }
        Some("broadcasts" | "b") => {
            "ACTIVITY MANAGER BROADCAST STATE (dumpsys activity broadcasts)\n  (nothing)\n".to_owned()
        }
        None => [activities(phone), recents(phone), processes(phone)].join(&("-".repeat(79) + "\n")),
        Some(other) => format!("Bad activity command, or no activities match: {other}\nUse -h for help.\n"),
    }
}

/// Since Android 10 both apps of a split screen are resumed.
const MULTI_RESUME: u32 = 29;

/// The activities that have windows, topmost first, one for each task.
fn tasks(phone: &Phone) -> Vec<Component> {
    halved(phone)
        .into_iter()
        .map(|(component, _)| component)
        .collect()
}

/// The same, with the half each stands in.
fn halved(phone: &Phone) -> Vec<(Component, Option<Half>)> {
    let mut found: Vec<(Component, Option<Half>)> = Vec::new();
    for window in phone.with(|android| android.windows()) {
        if let Some(component) = component(&window)
            && !found.iter().any(|(known, _)| known.package == component.package)
        {
            found.push((component, window.half));
        }
    }
    found
}

/// How an activity stands, in its task's words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ActivityState {
    Resumed,
    /// Seen, and not resumed: the other half, before [`MULTI_RESUME`].
    Paused,
    Stopped,
}

impl ActivityState {
    fn word(self) -> &'static str {
        match self {
            Self::Resumed => "RESUMED",
            Self::Paused => "PAUSED",
            Self::Stopped => "STOPPED",
        }
    }
}

/// One task and its activity.
fn activity(
    phone: &Phone,
    (component, half): &(Component, Option<Half>),
    standing: ActivityState,
    asleep: bool,
) -> String {
    let record = activity_record(phone, component);
    let package = &component.package;
    let (is_seen, mode) = (standing != ActivityState::Stopped, mode(phone, *half));
    let kind = if component.class.contains("Launcher") {
        "home"
    } else {
        "standard"
    };
    let mut out = format!(
        "  * Task{{{} #{number} type={kind} A={}:{package} U=0 visible={is_seen} visibleRequested={is_seen} \
         mode={mode} translucent=false sz=1}}\n",
        code(&format!("task {package}")),
        uid(package),
        number = task(package),
    );
    if let Some(half) = half {
        let _ = writeln!(out, "    mBounds={}", rect(half.bounds));
    }
    let _ = write!(
        out,
        "    mLastNonFullscreenBounds=null\n    isSleeping={asleep}\n"
    );
    if standing == ActivityState::Resumed {
        // Android 12 renamed it (sample focus_06).
        let name = if phone.profile.sdk >= 31 {
            "topResumedActivity="
        } else {
            "mResumedActivity: "
        };
        let _ = writeln!(out, "    {name}{record}");
    }
    let _ = write!(
        out,
        "    * Hist  #0: {record}\n      packageName={package} processName={package}\n      launchedFromUid=2000 \
         launchedFromPackage=com.android.shell launchedFromFeature=null userId=0\n      app=ProcessRecord{{{} \
         {}:{package}/{}}}\n      Intent {{ act=android.intent.action.MAIN flg=0x10000000 cmp={} }}\n      rootOfTask=true \
         task=Task{{{} #{} type={kind} A={}:{package}}}\n      taskAffinity={}:{package}\n      \
         mActivityComponent={}\n      state={} delayedResume=false finishing=false\n      keysPaused=false inHistory=true \
         idle=true\n      mVisibleRequested={is_seen} mVisible={is_seen} mClientVisible={is_seen} \
         reportedDrawn=true reportedVisible={is_seen}\n\n",
        code(&format!("process {package}")),
        pid(package),
        user(package),
        short(component),
        code(&format!("task {package}")),
        task(package),
        uid(package),
        uid(package),
        short(component),
        standing.word(),
    );
    out
}

fn activities(phone: &Phone) -> String {
    let (power, app) = phone.with(|android| (android.power(), android.focused_app()));
    let (locked, occluded) = phone.keyguard();
    let asleep = !power.awake;
    let resumed = app.filter(|_| !asleep && !power.locked);
    let mut out =
        "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\nDisplay #0 (activities from top to bottom):\n".to_owned();
    for task in halved(phone) {
        let (component, half) = &task;
        let standing = if resumed.as_ref() == Some(component) {
            ActivityState::Resumed
        } else if half.is_none() || resumed.is_none() {
            ActivityState::Stopped
        } else if phone.profile.sdk >= MULTI_RESUME {
            ActivityState::Resumed
        } else {
            ActivityState::Paused
        };
        out.push_str(&activity(phone, &task, standing, asleep));
    }
    let (resumed_line, focused) = match &resumed {
        Some(component) => {
            let record = activity_record(phone, component);
            (
                format!("    Resumed: {record}\n\n  ResumedActivity: {record}\n"),
                format!(
                    "Task{{{} #{}}}",
                    code(&format!("task {}", component.package)),
                    task(&component.package)
                ),
            )
        }
        None => ("\n  ResumedActivity: null\n".to_owned(), "null".to_owned()),
    };
    let _ = write!(
        out,
        "  Resumed activities in task display areas (from top to bottom):\n{resumed_line}\nActivityTaskSupervisor state:\n  \
         topDisplayFocusedRootTask={focused}\n  mLastOrientationSource=null\n  deepestLastOrientationSource=null\n  \
         mLastOrientation=-1\n  overrideConfig={{0.0 ?mcc0mnc ?localeList ?layoutDir ?swdp ?wdp ?hdp ?density}}\n  \
         isHomeRecentsComponent=true\n  KeyguardController:\n    mKeyguardShowing={locked}\n    mAodShowing=false\n    \
         mKeyguardGoingAway=false\n    mDismissalRequested=false\n    DisplayStates:\n      Occluded={occluded} \
         DismissingKeyguardActivity=null at display=0\n",
    );
    out
}

fn recents(phone: &Phone) -> String {
    let mut out =
        "ACTIVITY MANAGER RECENT TASKS (dumpsys activity recents)\nmRecentsUid=10152\n  Recent tasks:\n"
            .to_owned();
    for (at, component) in tasks(phone).iter().enumerate() {
        let package = &component.package;
        let _ = write!(
            out,
            "  * Recent #{at}: Task{{{} #{} type=standard A={}:{package}}}\n    userId=0 effectiveUid={} mCallingUid=2000\n    \
             affinity={package}\n    realActivity={{{}}}\n    Activities=[{}]\n",
            code(&format!("task {package}")),
            task(package),
            uid(package),
            user(package),
            short(component),
            activity_record(phone, component),
        );
    }
    out
}

fn processes(phone: &Phone) -> String {
    let mut out = "ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)\n  All known processes:\n"
        .to_owned();
    for component in tasks(phone) {
        let package = &component.package;
        let _ = write!(
            out,
            "  *APP* UID {} ProcessRecord{{{} {}:{package}/{}}}\n    user #0 uid={} gids={{50{}, 20{}, 9997}}\n    \
             dir={}\n",
            uid(package),
            code(&format!("process {package}")),
            pid(package),
            user(package),
            uid(package),
            uid(package),
            uid(package),
            crate::tools::name::apk(package, true),
        );
    }
    out
}

fn top(phone: &Phone) -> String {
    let mut out = String::new();
    for component in tasks(phone).into_iter().rev() {
        let package = &component.package;
        let _ = write!(
            out,
            "TASK {}:{package} id={} userId=0\n  ACTIVITY {} {} pid={}\n    Local Activity {} State:\n      mResumed=true \
             mStopped=false mFinished=false\n",
            uid(package),
            task(package),
            short(&component),
            code(&format!("{package}/{}", component.class)),
            pid(package),
            code(&format!("local {package}")),
        );
    }
    out
}
