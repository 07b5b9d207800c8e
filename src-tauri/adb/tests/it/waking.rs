//! A lock screen that asks for a PIN is the person's.

use crate::support::{Fake, Reply};
use agent::lease::Lease;
use agent::ports::{Phone, PhoneError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A phone with a lock screen; whether it asks for something, and whether a stroke opens it.
fn phone(secure: &str, opens: bool) -> Fake {
    let (lit, locked) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(true)));
    let secure = secure.to_owned();
    let fake = Fake::new();
    fake.on(move |line| {
        if line == "input keyevent KEYCODE_WAKEUP" {
            lit.store(true, Ordering::Relaxed);
        } else if line.starts_with("input swipe") && opens {
            locked.store(false, Ordering::Relaxed);
        }
        let awake = if lit.load(Ordering::Relaxed) { "Awake" } else { "Asleep" };
        let showing = locked.load(Ordering::Relaxed);
        Some(Reply::says(match line {
            "dumpsys power" => format!("  mWakefulness={awake}\n"),
            "dumpsys window policy" => format!(
                "    KeyguardServiceDelegate\n      showing={showing}\n      secure={secure}\n      KeyguardStateMonitor\n        \
                 mIsShowing={showing}\n        mInputRestricted={showing}\n"
            ),
            "wm size; dumpsys input" => "Physical size: 1000x2000\n    SurfaceOrientation: 0\n".to_owned(),
            "wm dismiss-keyguard" => String::new(),
            _ => return None,
        }))
    });
    fake
}

async fn check(secure: &str, opens: bool, expected: Result<bool, PhoneError>, touches: &[&str]) {
    let fake = phone(secure, opens);
    let woken = fake
        .phone()
        .wake(&crate::judged::wake(), &Lease::new().take())
        .await;
    assert_eq!(
        (woken, fake.commands_like("input")),
        (expected, touches.iter().map(|&line| line.to_owned()).collect())
    );
}

const WAKE: &str = "input keyevent KEYCODE_WAKEUP";
const SWEEP: &str = "input swipe 500 1700 500 400 250";

#[tokio::test(start_paused = true)]
async fn only_a_lock_screen_that_asks_for_nothing_is_swept_away() {
    check("false", true, Ok(true), &[WAKE, SWEEP]).await;
    check("true", true, Err(PhoneError::Locked), &[WAKE]).await;
    check("....", true, Ok(true), &[WAKE, SWEEP]).await;
    check("....", false, Err(PhoneError::Locked), &[WAKE, SWEEP]).await;
}
