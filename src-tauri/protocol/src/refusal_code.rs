//! Why an action was not done, where no rule of the judge said so ([`crate::RuleName`] has those).

use crate::word_set::word_set;

word_set! {
    /// Why an action cannot be done on this screen, on this phone or on any.
    RefusalCode {
        /// More than one app has the name.
        AmbiguousApp = "ambiguous_app",
        /// More than one thing on the screen fits.
        AmbiguousTarget = "ambiguous_target",
        /// No such app is on the phone.
        AppNotFound = "app_not_found",
        /// No app was named.
        AppNotNamed = "app_not_named",
        /// The place makes no sense.
        BadCoordinates = "bad_coordinates",
        /// A quote in a command is not closed.
        BadQuotes = "bad_quotes",
        /// The address cannot be opened.
        BadUrl = "bad_url",
        /// The value cannot be set there.
        BadValue = "bad_value",
        /// What was copied looks like a one-time code.
        ClipboardCode = "clipboard_code",
        /// The person said no to it in this task.
        DeniedBefore = "denied_before",
        /// It is greyed out.
        Disabled = "disabled",
        /// The texts on this screen could not be read.
        ElementsUnread = "elements_unread",
        /// The command is empty.
        EmptyCommand = "empty_command",
        /// Nothing says where.
        MissingTarget = "missing_target",
        /// No key was named.
        NoKeys = "no_keys",
        /// Phones have no such key.
        NoSuchKey = "no_such_key",
        /// No address was named.
        NoUrl = "no_url",
        /// The element holds no value.
        NoValue = "no_value",
        /// The phone may not be asked for it.
        NotAllowed = "not_allowed",
        /// There is nothing to scroll there.
        NothingToScroll = "nothing_to_scroll",
        /// The place is not on the screen.
        OffScreen = "off_screen",
        /// The command is more than one.
        OperatorInShell = "operator_in_shell",
        /// Another app is in front.
        OtherAppInFront = "other_app_in_front",
        /// The screen is another one than was looked at.
        ScreenChanged = "screen_changed",
        /// The script uses a command of the shell that could run or change anything.
        ScriptBuiltin = "script_builtin",
        /// The script is written in a way that could run anything.
        ScriptConstruct = "script_construct",
        /// The script would start a program that is not on the list.
        ScriptProgram = "script_program",
        /// The script would start a program that could run anything.
        ScriptProgramUnfit = "script_program_unfit",
        /// The script would read or write outside its folder.
        ScriptRedirect = "script_redirect",
        /// The script could not be checked whole.
        ScriptUnreadable = "script_unreadable",
        /// The script would change which programs run.
        ScriptVariable = "script_variable",
        /// A saved password is written with something beside it.
        SecretNotAlone = "secret_not_alone",
        /// What is wanted is not on the screen.
        TargetNotFound = "target_not_found",
    }
}
