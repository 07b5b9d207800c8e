//! The screen's size while scrcpy's server runs.
//!
//! The server begins a new run of its encoder when the display's size changes (`DisplaySizeMonitor` from 3.0,
//! `DisplayMonitor` from 4.0), and tells the picture's size alone: that may be the same as before (`wm size`, a setting for
//! the resolution), while every place on the screen is at other pixels.

use super::screen::{self, Screen};
use crate::connect::server::Device;
use std::future::pending;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};
use tokio_util::task::AbortOnDropHandle;
use video::scrcpy::Event;

/// Between two looks: a phone that is turned to and fro is not asked each time.
const APART: Duration = Duration::from_secs(3);

/// Looks at the screen again whenever the server began anew by itself.
pub(super) struct ScreenWatch {
    device: Device,
    /// The run that is the first, or was asked for here, has not shown a picture yet.
    expected: bool,
    /// Parameter sets came, and no picture since.
    begun: bool,
    wanted: bool,
    looked: Instant,
    looking: Option<AbortOnDropHandle<Option<Screen>>>,
}

impl ScreenWatch {
    /// From the first run on, for which the screen was just looked at.
    pub(super) fn new(device: &Device) -> Self {
        Self {
            device: device.clone(),
            expected: true,
            begun: false,
            wanted: false,
            looked: Instant::now(),
            looking: None,
        }
    }

    /// A new run was asked for.
    pub(super) fn expects(&mut self) {
        self.expected = true;
    }

    /// What the server tells.
    pub(super) fn sees(&mut self, event: &Event) {
        match event {
            Event::Size(..) | Event::Configuration(_) => {
                self.begun = true;
                self.wanted |= !self.expected;
            }
            Event::Picture { .. } => self.expected &= !std::mem::take(&mut self.begun),
        }
    }

    /// The screen, as soon as it was looked at again. Whoever stops waiting loses nothing.
    pub(super) async fn next(&mut self) -> Screen {
        loop {
            if let Some(looking) = &mut self.looking {
                let found = looking.await;
                self.looking = None;
                if let Ok(Some(screen)) = found {
                    return screen;
                }
            }
            if !self.wanted {
                pending::<()>().await;
            }
            sleep_until(self.looked + APART).await;
            self.wanted = false;
            self.looked = Instant::now();
            let device = self.device.clone();
            let look = async move { screen::look(&device).await };
            self.looking = Some(AbortOnDropHandle::new(tokio::spawn(look)));
        }
    }
}
