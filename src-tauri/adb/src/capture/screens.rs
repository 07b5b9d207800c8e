//! Which of several displays a person looks at.

use crate::connect::server::Device;
use crate::dumpsys::displays::{self, Viewport};
use std::time::Duration;

const DUMP: Duration = Duration::from_secs(4);

/// What is known of a phone's several displays.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Screens {
    /// It said that there are several.
    pub(crate) several: bool,
    /// It was asked, and has one panel.
    pub(crate) single: bool,
    /// The one a person looks at, where told.
    pub(crate) shown: Option<Viewport>,
}

/// The display a person looks at, where the phone tells.
pub(crate) async fn shown(device: &Device) -> Option<Viewport> {
    let said = device.look("dumpsys display", DUMP).await.ok()?;
    displays::shown(&displays::viewports(&said.text()))
}
