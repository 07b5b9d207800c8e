//! Whose a window is, where what the phone says of the app in front contradicts itself.

use crate::dumpsys::{front, windows};
use crate::server::Device;
use std::time::Duration;

/// A window's title is its app's own words: where it contradicts the system, the window's owner decides.
pub(crate) async fn settle(device: &Device, front: &mut front::Front, limit: Duration) {
    let Some(focus) = front.focus.clone() else {
        return;
    };
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
