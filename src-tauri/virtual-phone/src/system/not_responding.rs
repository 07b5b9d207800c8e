//! "Greenleaf isn't responding", the system's own question. Its title: AOSP 14, `AppNotRespondingDialog`.

use super::activity::Activity;
use super::world::{SystemRequest, World};
use crate::apps::{dialog_box, dialog_buttons};
use crate::toolkit::view::{ScreenMessage, View, text};

/// What the system server draws is no package's.
pub(super) const SYSTEM: &str = "android";

/// The question about one app.
#[derive(Debug)]
pub(super) struct NotResponding {
    package: &'static str,
    label: String,
    /// Its task.
    task: u32,
}

#[derive(Clone, Copy, Debug)]
enum Msg {
    Close,
    Wait,
}

impl NotResponding {
    pub(super) fn new(package: &'static str, label: &str, task: u32) -> Self {
        Self {
            package,
            label: label.to_owned(),
            task,
        }
    }
}

impl Activity for NotResponding {
    fn package(&self) -> &'static str {
        SYSTEM
    }

    fn class(&self) -> &'static str {
        "com.android.server.am.AppNotRespondingDialog"
    }

    fn title(&self) -> Option<String> {
        Some(format!("Application Not Responding: {}", self.package))
    }

    fn is_floating(&self) -> bool {
        true
    }

    fn view(&self, world: &World) -> View {
        let theme = &world.theme;
        let (close, wait) = (ScreenMessage::new(Msg::Close), ScreenMessage::new(Msg::Wait));
        dialog_box(
            theme,
            vec![
                text(format!("{} isn’t responding", self.label), 24.0, theme.text)
                    .line(30.0)
                    .id("android:id/alertTitle"),
                dialog_buttons(theme, ("Close app", close), ("Wait", wait)),
            ],
        )
    }

    fn back(&mut self, _world: &mut World) -> bool {
        // It is no window Back closes.
        true
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>() {
            Some(Msg::Wait) => world.finish(),
            Some(Msg::Close) => {
                world.finish();
                world.call(SystemRequest::CloseTask(self.task));
            }
            None => {}
        }
    }
}
