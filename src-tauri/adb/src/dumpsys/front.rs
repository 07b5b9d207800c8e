//! Which app and window are in front.
//!
//! `mCurrentFocus` is the window that keys and touches go to, `mFocusedApp` the activity the system holds to be in
//! front. A window's title is whatever its app wrote there; an activity's name is the system's own word. So a title
//! that contradicts the activity is *disputed* and settled by the window's owner ([`super::windows`]).
//!
//! Under the lock screen the app that was in front is still the focused one, and is not what anybody sees: then the
//! system's own is reported, unless an activity is shown over the lock screen (a call, the camera).

use super::power::{is_locked, is_occluded};
use super::{behind, flag};

/// The package that draws the lock screen.
pub const SYSTEM_UI: &str = "com.android.systemui";

/// An app's window, from the system's mouth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    /// `com.android.settings`.
    pub package: String,
    /// The class, whole: `com.android.settings.SubSettings`.
    pub activity: String,
}

/// The window with the focus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Focus {
    /// Its number in the dump, for finding it among the windows.
    pub id: String,
    /// Its title as printed.
    pub title: String,
    /// The title read as a component, where it is one.
    pub activity: Option<Activity>,
}

/// What is in front.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Front {
    /// Package, where known.
    pub app: Option<String>,
    /// The activity behind it, or the title of an overlay.
    pub window: Option<String>,
    /// The focused window.
    pub focus: Option<Focus>,
    /// Title and activity name different packages, or the focused window is no app's and whether the phone is locked is not
    /// told here: ask for more.
    pub disputed: bool,
}

#[derive(Default)]
struct Display {
    id: Option<String>,
    focus: Vec<Focus>,
    apps: Vec<Activity>,
}

/// Reads `dumpsys window displays`, or all of `dumpsys window`.
#[must_use]
pub fn read_windows(text: &str) -> Front {
    let mut front = read_focus(text);
    if front.focus.as_ref().is_none_or(|focus| focus.activity.is_none()) {
        match is_locked(text) {
            Some(true) if is_occluded(text) != Some(true) => front.app = Some(SYSTEM_UI.to_owned()),
            None if front.focus.is_some() => front.disputed = true,
            _ => {}
        }
    }
    front
}

fn read_focus(text: &str) -> Front {
    let (displays, top) = split(text);
    let everywhere: Vec<&Activity> = displays.iter().flat_map(|one| &one.apps).collect();
    let by_id = top.and_then(|top| {
        displays
            .iter()
            .find(|one| one.id.as_deref() == Some(top) && !(one.focus.is_empty() && one.apps.is_empty()))
    });
    let chosen = by_id
        .or_else(|| {
            displays
                .iter()
                .rfind(|one| one.focus.iter().any(|f| f.activity.is_some()))
        })
        .or_else(|| displays.iter().rfind(|one| !one.focus.is_empty()))
        .or_else(|| displays.iter().rfind(|one| !one.apps.is_empty()));
    let Some(display) = chosen else {
        return Front::default();
    };
    let focus = display
        .focus
        .iter()
        .rfind(|focus| focus.activity.is_some())
        .or(display.focus.last());
    let held = display.apps.last().or(everywhere.last().copied());
    let Some(focus) = focus else {
        return Front {
            app: held.map(|one| one.package.clone()),
            window: held.map(|one| one.activity.clone()),
            ..Front::default()
        };
    };
    let (app, window, disputed) = match &focus.activity {
        Some(own) => {
            let agreed = everywhere.is_empty() || everywhere.iter().any(|one| one.package == own.package);
            (Some(own.package.clone()), own.activity.clone(), !agreed)
        }
        None => (held.map(|one| one.package.clone()), focus.title.clone(), false),
    };
    Front {
        app,
        window: Some(window),
        focus: Some(focus.clone()),
        disputed,
    }
}

/// Reads `dumpsys activity activities`: the one on top, else the first that is resumed.
#[must_use]
pub fn read_activities(text: &str) -> Front {
    const KEYS: [&str; 6] = [
        "topResumedActivity=",
        "mTopResumedActivity=",
        "mResumedActivity:",
        "ResumedActivity:",
        "mFocusedActivity:",
        "mFocusedApp=",
    ];
    let found = KEYS
        .iter()
        .find_map(|key| text.lines().filter_map(|line| behind(line, key)).find_map(record));
    // `KeyguardController`: the name without its prefix since Android 12.
    let locked = ["mKeyguardShowing", "KeyguardShowing"]
        .iter()
        .any(|key| flag(text, key) == Some(true));
    if locked && flag(text, "Occluded") != Some(true) {
        return Front {
            app: Some(SYSTEM_UI.to_owned()),
            ..Front::default()
        };
    }
    found.map_or_else(Front::default, |one| Front {
        app: Some(one.package),
        window: Some(one.activity),
        ..Front::default()
    })
}

fn split(text: &str) -> (Vec<Display>, Option<&str>) {
    let mut displays = vec![Display::default()];
    let mut top = None;
    for line in text.lines() {
        if let Some(id) = behind(line, "Display: mDisplayId=") {
            let id = id.split_whitespace().next().unwrap_or(id);
            displays.push(Display {
                id: Some(id.to_owned()),
                ..Display::default()
            });
        } else if let Some(id) = behind(line, "mTopFocusedDisplayId=") {
            top = Some(id);
        }
        let Some(display) = displays.last_mut() else {
            continue;
        };
        if let Some(focus) = behind(line, "mCurrentFocus=").and_then(window) {
            display.focus.push(focus);
        } else if let Some(app) = behind(line, "mFocusedApp=").and_then(record) {
            display.apps.push(app);
        }
    }
    (displays, top)
}

/// `Window{bdf3658 u0 NotificationShade}`, `Window{4178 com.a/com.a.B paused=false}`.
pub(crate) fn window(text: &str) -> Option<Focus> {
    let inner = text.strip_prefix("Window{")?;
    // Titles may hold braces; the last one on the line closes the window. Some makers print one too many.
    let mut inner = inner.rsplit_once('}').map_or(inner, |(before, _)| before);
    let count = |brace| inner.matches(brace).count();
    for _ in 0..count('}').saturating_sub(count('{')) {
        inner = inner.strip_suffix('}').unwrap_or(inner);
    }
    let (id, rest) = inner.split_once(' ')?;
    let rest = rest.trim();
    let rest = match rest.split_once(' ') {
        Some((user, title)) if is_user(user) => title,
        _ if is_user(rest) => "",
        _ => rest,
    };
    let title = rest
        .trim()
        .trim_end_matches(" EXITING")
        .trim_end_matches(" paused=false")
        .trim_end_matches(" paused=true")
        .trim();
    Some(Focus {
        id: id.to_owned(),
        title: title.to_owned(),
        activity: title.split_whitespace().find_map(component),
    })
}

/// The activity in `ActivityRecord{14d88c3 u0 pkg/.Act t9}`, wherever in the text the record stands, stray braces or not.
fn record(text: &str) -> Option<Activity> {
    const NAME: &str = "ActivityRecord{";
    let inner = &text[text.rfind(NAME)? + NAME.len()..];
    // Behind the name may stand a comma and a maker's own words.
    inner
        .split([' ', '}', ','])
        .skip(1)
        .filter(|word| !is_user(word))
        .find_map(component)
}

/// `u0`; on some of Android 4 a `u` alone.
fn is_user(word: &str) -> bool {
    word.strip_prefix('u')
        .is_some_and(|number| number.chars().all(|c| c.is_ascii_digit()))
}

/// `pkg/.Act` or `pkg/whole.Act`, the class made whole.
pub(crate) fn component(word: &str) -> Option<Activity> {
    let (package, class) = word.split_once('/')?;
    let fits = |name: &str, more: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || more.contains(c))
    };
    if !fits(package, "._") || !fits(class, "._$-") || !package.is_ascii() {
        return None;
    }
    let activity = if class.starts_with('.') {
        format!("{package}{class}")
    } else {
        class.to_owned()
    };
    Some(Activity {
        package: package.to_owned(),
        activity,
    })
}
