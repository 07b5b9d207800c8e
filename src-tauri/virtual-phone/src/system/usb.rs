//! "Allow USB debugging?", the system's own question. Package, class and ids: AOSP 14, `SystemUI`.

use super::activity::Activity;
use super::window_stack::SYSTEM_UI;
use super::world::World;
use crate::apps::{dialog_box, dialog_buttons};
use crate::toolkit::view::{CrossAxisAlignment, ScreenMessage, View, checkbox, class, row, text};

/// The question, for one computer.
#[derive(Debug)]
pub(super) struct UsbDebugging {
    fingerprint: String,
    always: bool,
}

#[derive(Clone, Copy, Debug)]
enum Msg {
    Always,
    Answer(bool),
}

impl UsbDebugging {
    pub(super) fn new(fingerprint: &str) -> Self {
        // Eight bytes a line, as far as it has them.
        let bytes: Vec<&str> = fingerprint.split(':').collect();
        let lines: Vec<String> = bytes.chunks(8).map(|line| line.join(":")).collect();
        Self {
            fingerprint: lines.join(":\n"),
            always: true,
        }
    }
}

impl Activity for UsbDebugging {
    fn package(&self) -> &'static str {
        SYSTEM_UI
    }

    fn class(&self) -> &'static str {
        "com.android.systemui.usb.UsbDebuggingActivity"
    }

    fn is_floating(&self) -> bool {
        true
    }

    fn view(&self, world: &World) -> View {
        let theme = &world.theme;
        let message = format!("The computer’s RSA key fingerprint is:\n{}", self.fingerprint);
        let always = row([
            checkbox(self.always),
            text("Always allow from this computer", 16.0, theme.text).grow(),
        ])
        .class(class::CHECK)
        .says("Always allow from this computer")
        .checked(self.always)
        .id("android:id/alwaysUse")
        .cross(CrossAxisAlignment::Center)
        .gap(12.0)
        .height(48.0)
        .click(Msg::Always)
        .flat();
        let (cancel, allow) = (
            ScreenMessage::new(Msg::Answer(false)),
            ScreenMessage::new(Msg::Answer(true)),
        );
        dialog_box(
            theme,
            vec![
                text("Allow USB debugging?", 24.0, theme.text)
                    .line(30.0)
                    .id("android:id/alertTitle"),
                text(message, 15.5, theme.text_2)
                    .line(23.0)
                    .id("android:id/message"),
                always,
                dialog_buttons(theme, ("Cancel", cancel), ("Allow", allow)),
            ],
        )
    }

    fn back(&mut self, world: &mut World) -> bool {
        world.debugging = Some(false);
        false
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>() {
            Some(Msg::Always) => self.always = !self.always,
            Some(Msg::Answer(answer)) => {
                world.debugging_always = self.always;
                world.debugging = Some(*answer);
                world.finish();
            }
            None => {}
        }
    }
}
