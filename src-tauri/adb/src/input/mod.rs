//! Doing things on a phone: taps, fingers, text, keys, waking.
//!
//! A [`command::Command`] says what; [`device_control`] hands it to the file that does it: [`touch`] for one finger's
//! gestures, `typing` for text, [`pointer_input`] for a person's own fingers. Each is given what it needs, and none calls
//! back.

pub(crate) mod adb_keyboard;
pub(crate) mod capabilities;
pub(crate) mod command;
pub(crate) mod device_control;
pub(crate) mod field;
pub(crate) mod injector;
pub(crate) mod keys;
pub(crate) mod leftover;
pub(crate) mod paste;
pub(crate) mod persistent_shell;
pub(crate) mod pointer_input;
mod reader_text;
mod text_chunking;
pub(crate) mod text_input;
mod touch;
pub(crate) mod typable;
pub(crate) mod typing;
pub(crate) mod wake;
pub(crate) mod watchdog_shell;
pub(crate) mod writable;
