//! Motion tests: screens that move, for whoever watches the display. No icon starts them; `am start` does:
//! `am start -n com.android.motiontest/.CounterActivity` and so on, with `--ei rate 30` (pictures a second) and
//! `--ei millis 600` (how long a touch sets things moving).

mod screens;

use crate::android::Intent;
use crate::system::{Activity, ActivityDeclaration, Manifest};
use screens::{Screen, Show};

const PACKAGE: &str = "com.android.motiontest";
const COUNTER: &str = "com.android.motiontest.CounterActivity";
const SPINNER: &str = "com.android.motiontest.SpinnerActivity";
const VIDEO: &str = "com.android.motiontest.VideoActivity";
const TOUCH: &str = "com.android.motiontest.TouchActivity";
const LOADING: &str = "com.android.motiontest.LoadingActivity";

const fn page(class: &'static str) -> ActivityDeclaration {
    ActivityDeclaration::open(class, &[])
}

pub(crate) static MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Motion tests",
    version: "1.0",
    system: false,
    icon: None,
    activities: &[
        page(COUNTER),
        page(SPINNER),
        page(VIDEO),
        page(TOUCH),
        page(LOADING),
    ],
    open: |class, intent, _| {
        let show = match class {
            COUNTER => Show::Counter,
            SPINNER => Show::Spinner,
            VIDEO => Show::Video,
            TOUCH => Show::Touch,
            LOADING => Show::Loading,
            _ => return None,
        };
        Some(Box::new(Screen::new(show, intent)) as Box<dyn Activity>)
    },
};

/// A number among an intent's extras.
fn extra(intent: &Intent, name: &str, otherwise: u32) -> u32 {
    let found = intent.extras.iter().rfind(|(key, _)| key == name);
    found
        .and_then(|(_, value)| value.parse().ok())
        .unwrap_or(otherwise)
}
