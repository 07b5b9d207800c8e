//! The ways in which one act can be done.

use crate::word_set::word_set;

word_set! {
    /// Which way an act was done, where there are several.
    ActMethod {
        /// Typed by an installed `ADBKeyboard`.
        AdbKeyboard = "adb_keyboard",
        /// A field was emptied by pressing the delete keys.
        DeleteKeys = "delete_keys",
        /// Dragged by `input draganddrop`.
        InputDragAndDrop = "input_draganddrop",
        /// Swiped by `input swipe`.
        InputSwipe = "input_swipe",
        /// Typed by `input text`, by the phone's key map.
        InputText = "input_text",
        /// The model read it off the picture.
        ModelReadPicture = "model_read_picture",
        /// An app was opened by `monkey`.
        Monkey = "monkey",
        /// Touched by `input motionevent`, finger by finger.
        MotionEvents = "motion_events",
        /// The person told it.
        Person = "person",
        /// The phone told it.
        Phone = "phone",
        /// A script ran in the phone's shell.
        PhoneShell = "phone_shell",
        /// Typed by the reader that stays on the phone.
        Reader = "reader",
        /// An app was opened by the activity `cmd package resolve-activity` names.
        ResolveActivity = "resolve_activity",
        /// Touched by scrcpy's server.
        Scrcpy = "scrcpy",
        /// Typed by scrcpy's clipboard message and the paste key.
        ScrcpyClipboard = "scrcpy_clipboard",
        /// Typed by scrcpy's text message, as keys.
        ScrcpyKeys = "scrcpy_keys",
        /// A field was emptied by selecting all and deleting that.
        SelectAll = "select_all",
        /// A script ran on this computer.
        ThisComputer = "this_computer",
    }
}
