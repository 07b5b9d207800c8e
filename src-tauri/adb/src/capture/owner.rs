//! Whose a window is, where what the phone says of the app in front contradicts itself; and whether the window that is no
//! app's is the lock screen, where that was not told.

use crate::connect::server::Device;
use crate::dumpsys::{front, power, windows};
use std::time::Duration;

/// A window's title is its app's own words: where it contradicts the system, the window's owner decides.
pub(crate) async fn settle(device: &Device, front: &mut front::Front, limit: Duration) {
    let Some(focus) = front.focus.clone() else {
        return;
    };
    if focus.activity.is_none() {
        return uncover(device, front, limit).await;
    }
    let Ok(output) = device.look("dumpsys window windows", limit).await else {
        return;
    };
    let owner = windows::read(&output.text(), &focus).and_then(|owner| owner.package);
    if let Some(owner) = owner
        && front.app.as_deref() != Some(&owner)
    {
        front.app = Some(owner);
        front.window = Some(focus.title);
    }
}

/// What covers the app may be the lock screen.
async fn uncover(device: &Device, front: &mut front::Front, limit: Duration) {
    let Ok(output) = device.look("dumpsys window policy", limit).await else {
        return;
    };
    let policy = output.text();
    if power::is_locked(&policy) == Some(true) && power::is_occluded(&policy) != Some(true) {
        front.app = Some(front::SYSTEM_UI.to_owned());
    }
}
