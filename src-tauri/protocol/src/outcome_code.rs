//! What may come of an action.

use crate::word_set::word_set;

word_set! {
    /// What came of an action, in one word.
    #[derive(Default)]
    OutcomeCode {
        /// Done, as far as the phone says.
        Done = "done",
        /// A file is on the phone.
        Given = "given",
        /// An emulator was told where it is.
        Placed = "placed",
        /// A scroll moved, or tried to, and there is nothing more.
        EndOfList = "end_of_list",
        /// A scroll ended part of the way: what came under the finger would have been pressed.
        CutShort = "cut_short",
        /// Nothing was to be done: it is so already.
        AlreadySo = "already_so",
        /// Nothing was done: no finger can do it.
        NoTouchEquivalent = "no_touch_equivalent",
        /// Nothing was done: it is told in another way.
        NotATouch = "not_a_touch",
        /// Nothing that was judged was there to be sent.
        NotAllowed = "not_allowed",
        /// This phone cannot do it.
        NotSupported = "not_supported",
        /// The phone answered with an error.
        PhoneRefused = "phone_refused",
        /// The phone went away before it was told.
        PhoneGone = "phone_gone",
        /// The adb server went away before it was told.
        AdbSilent = "adb_silent",
        /// The phone did not answer in time.
        PhoneSlow = "phone_slow",
        /// The phone wants the person to tap Allow.
        PhoneUnauthorized = "phone_unauthorized",
        /// adb lists the phone in a state in which nothing can be sent to it.
        PhoneUnusable = "phone_unusable",
        /// The phone is locked.
        PhoneLocked = "phone_locked",
        /// The phone takes no touches from a computer (`INJECT_EVENTS`).
        TouchForbidden = "touch_forbidden",
        /// Characters the phone's keyboard has not.
        CannotType = "cannot_type",
        /// The phone has no such app.
        AppNotFound = "app_not_found",
        /// The package that was to be launched is not on the phone.
        AppNotInstalled = "app_not_installed",
        /// What stands on the screen could not be read.
        NoElements = "no_elements",
        /// Not, or not wholly done: the screen is another now.
        ScreenChanged = "screen_changed",
        /// The right to touch was lost first: stopped, paused or taken over.
        LeaseLost = "lease_lost",
        /// The command ended with another exit code than 0.
        CommandFailed = "command_failed",
        /// The script did, or could not be started.
        ScriptFailed = "script_failed",
        /// The script took too long and was ended.
        TimedOut = "timed_out",
        /// The model that was asked beside the task did not answer.
        ModelFailed = "model_failed",
        /// A choice is not in the list that was opened.
        OptionNotFound = "option_not_found",
        /// More than one choice in the list fits.
        AmbiguousOption = "ambiguous_option",
        /// A slider stands at another value.
        ValueDiffers = "value_differs",
        /// Nobody knows whether it was done.
        #[default]
        Unknown = "unknown",
    }
}
