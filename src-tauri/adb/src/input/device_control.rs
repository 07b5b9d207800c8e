//! Doing one thing on a phone.

use crate::apps::launch;
use crate::connect::server::Device;
use crate::error::AdbError;
use crate::exec::cancel_guard::CancelGuard;
use crate::exec::script::{self, Input};
use crate::input::command::Command;
use crate::input::injector::Injector;
use crate::input::pointer_input::PointerInput;
use crate::input::text_input::TextInput;
use crate::input::{keys, touch, typing, writable};
use agent::ports::Effect;

/// One phone to be touched.
#[derive(Clone)]
pub(crate) struct DeviceControl {
    pub(crate) input: Injector,
    pub(crate) text: TextInput,
    pub(crate) pointer: PointerInput,
}

impl DeviceControl {
    pub(crate) fn device(&self) -> &Device {
        &self.input.device
    }

    /// Does one thing.
    ///
    /// # Errors
    /// As [`agent::ports::Phone::perform`].
    pub(crate) async fn perform(&self, guard: &CancelGuard, command: &Command) -> Result<Effect, AdbError> {
        let input = &self.input;
        match command {
            Command::Tap { x, y } => touch::tap(input, guard, (*x, *y)).await,
            Command::DoubleTap { x, y } => {
                let pointer = &self.pointer;
                touch::double_tap(input, &pointer.scrcpy, pointer.screen, guard, (*x, *y)).await
            }
            Command::LongPress { x, y, ms } => touch::long_press(input, guard, (*x, *y), *ms).await,
            Command::Swipe { from, to, ms } => touch::swipe(input, guard, *from, *to, *ms).await,
            Command::Drag { from, to, ms } => touch::drag(input, guard, *from, *to, *ms).await,
            Command::Text(text) => typing::text(&self.text, guard, text).await,
            Command::ClearText => writable::clear(&self.text, guard).await,
            Command::Replace(text) => writable::replace(&self.text, guard, text).await,
            Command::Key(key) => keys::key(input, guard, key).await,
            Command::Keys(names) => keys::keys(input, guard, names).await,
            Command::Launch(package) => launch::app(self.device(), guard, package).await,
            Command::OpenUrl(url) => launch::url(self.device(), guard, url).await,
            Command::Shell(words) => self.shell(guard, words).await,
        }
    }

    /// A command of the model's or the person's. `input` as a command is a touch like any other: a long one must be
    /// possible to end half-way.
    async fn shell(&self, guard: &CancelGuard, words: &[String]) -> Result<Effect, AdbError> {
        match script::read_input(words) {
            Input::Swipe { from, to, ms } => touch::swipe(&self.input, guard, from, to, ms).await,
            Input::Drag { from, to, ms } => touch::drag(&self.input, guard, from, to, ms).await,
            Input::Text(text) => typing::text(&self.text, guard, &text).await,
            Input::Other | Input::None => script::command(self.device(), guard, words).await,
        }
    }
}
