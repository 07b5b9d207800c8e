//! What a text goes into a phone by.

use crate::connect::server::Device;
use crate::input::adb_keyboard::AdbKeyboard;
use crate::input::field::FieldReader;
use crate::input::injector::Injector;
use crate::scrcpy;
use std::sync::Arc;

/// What a text can go by on one phone.
#[derive(Clone)]
pub(crate) struct TextInput {
    pub(crate) input: Injector,
    /// Sees what arrived.
    pub(crate) field: FieldReader,
    pub(crate) scrcpy: Arc<scrcpy::SharedSession>,
    pub(crate) keyboard: Arc<AdbKeyboard>,
    /// More texts may follow, and what this one did is looked at next: an ADBKeyboard stays chosen, and nobody reads a tree
    /// to see what it typed.
    pub(crate) goes_on: bool,
}

impl TextInput {
    pub(crate) fn device(&self) -> &Device {
        &self.input.device
    }

    /// For a field that was written in since the last look: it is read anew.
    pub(crate) fn written(&self) -> Self {
        let mut to = self.clone();
        to.field.shown = None;
        to
    }
}
