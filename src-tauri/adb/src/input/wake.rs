//! A dark or locked phone made ready: woken, and its lock screen swept away where it asks for nothing. Where it asks for a
//! PIN, only the person can do it: nothing here knows one, or would keep one.

use crate::connect::server::Device;
use crate::dumpsys::{power, screen};
use crate::error::AdbError;
use crate::exec::cancel_guard::CancelGuard;
use crate::exec::remote_command::brief;
use crate::input::injector::Injector;
use crate::input::touch;
use std::time::Duration;

const DUMP: Duration = Duration::from_secs(4);
/// How long the screen takes to light up, or the lock screen to slide away.
const MOMENT: Duration = Duration::from_millis(500);
/// How often it is looked whether it did.
const LOOKS: usize = 4;
/// A stroke too short to be a press.
const STROKE_MS: u64 = 250;

/// Whether a phone is awake and locked, as far as it says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WakeState {
    /// The screen is on.
    pub awake: Option<bool>,
    /// The lock screen is up.
    pub locked: Option<bool>,
    /// It asks for a PIN, a pattern or a password.
    pub needs_secret: Option<bool>,
    /// Something is shown over the lock screen: a call, the camera.
    pub occluded: Option<bool>,
}

/// Whether a phone is awake and locked.
///
/// # Errors
/// When it cannot be asked.
pub(crate) async fn condition(device: &Device) -> Result<WakeState, AdbError> {
    let (power, policy) = tokio::try_join!(
        device.look("dumpsys power", DUMP),
        device.look("dumpsys window policy", DUMP)
    )?;
    let (power, policy) = (power.text(), policy.text());
    Ok(WakeState {
        awake: power::is_awake(&power).or_else(|| power::is_awake(&policy)),
        locked: power::is_locked(&policy),
        needs_secret: power::needs_secret(&policy),
        occluded: power::is_occluded(&policy),
    })
}

/// Wakes it and opens its lock screen; whether anything had to be done.
///
/// # Errors
/// [`AdbError::Locked`] when the person must unlock it; else how it went.
pub(crate) async fn wake(input: &Injector, guard: &CancelGuard) -> Result<bool, AdbError> {
    let mut now = condition(&input.device).await?;
    if now.awake != Some(false) && now.locked != Some(true) {
        return Ok(false);
    }
    if now.awake == Some(false) {
        // Unlike POWER, this key never puts it to sleep.
        input.input(guard, "keyevent KEYCODE_WAKEUP").await?;
        now = until(input, guard, |now| now.awake != Some(false)).await?;
    }
    // What is shown over the lock screen would take the finger: a call would be answered by it.
    if now.locked == Some(true) && now.needs_secret != Some(true) && now.occluded != Some(true) {
        sweep(input, guard).await?;
        now = until(input, guard, |now| now.locked != Some(true)).await?;
    }
    if now.locked == Some(true) && now.needs_secret != Some(true) {
        // A lock screen that takes another gesture. Android 6 and newer; older ones say so and do nothing.
        brief(&input.device, guard, "wm dismiss-keyguard").await?;
        now = until(input, guard, |now| now.locked != Some(true)).await?;
    }
    if now.locked == Some(true) {
        return Err(AdbError::Locked);
    }
    Ok(true)
}

/// A finger from near the bottom to near the top.
async fn sweep(input: &Injector, guard: &CancelGuard) -> Result<(), AdbError> {
    let said = input.device.look("wm size; dumpsys input", DUMP).await?.text();
    let turns = screen::rotation(&said).unwrap_or(0);
    // A phone that does not tell its size is at least this large.
    let (width, height) = screen::turned(screen::size(&said).unwrap_or((720, 1280)), turns);
    let part = |of: u32, percent: u32| i32::try_from(of * percent / 100).unwrap_or(0);
    let (from, to) = (
        (part(width, 50), part(height, 85)),
        (part(width, 50), part(height, 20)),
    );
    touch::swipe(input, guard, from, to, STROKE_MS).await.map(drop)
}

async fn until(
    input: &Injector,
    guard: &CancelGuard,
    so: fn(&WakeState) -> bool,
) -> Result<WakeState, AdbError> {
    let mut now = condition(&input.device).await?;
    for _ in 0..LOOKS {
        if so(&now) {
            break;
        }
        guard.pause(MOMENT).await?;
        now = condition(&input.device).await?;
    }
    Ok(now)
}
