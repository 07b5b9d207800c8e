//! What a warning says.

use crate::word_set::word_set;

word_set! {
    /// What was mended or left out in a model's reply, or done otherwise than it asked, in one word.
    WarningCode {
        /// An action stood as a text of JSON.
        ActionAsText = "action_as_text",
        /// The action's type stood in the field `action`.
        ActionAsType = "action_as_type",
        /// A field's name had no quotes.
        BareKey = "bare_key",
        /// A text had no quotes.
        BareWord = "bare_word",
        /// A number was out of its range.
        Clamped = "clamped",
        /// The focused field could not be cleared.
        ClearIgnored = "clear_ignored",
        /// A comment was ignored.
        Comment = "comment",
        /// Curly quotes were read as straight ones.
        CurlyQuotes = "curly_quotes",
        /// A list was not read to its end.
        CutShort = "cut_short",
        /// A delay was ignored.
        DelayIgnored = "delay_ignored",
        /// A direction was taken from the reasoning.
        DirectionFromWords = "direction_from_words",
        /// Enter follows the text, as a field beside it says.
        EnterAdded = "enter_added",
        /// Enter was not pressed after the text.
        EnterNotPressed = "enter_not_pressed",
        /// Escape was read as Back.
        EscapeIsBack = "escape_is_back",
        /// A comma had nothing before it.
        ExtraComma = "extra_comma",
        /// Full-width punctuation was read as plain.
        FullWidth = "full_width",
        /// The model gave the task up.
        GaveUp = "gave_up",
        /// One coordinate stood alone.
        HalfPoint = "half_point",
        /// A point was left out, because a target says where.
        IgnoredPoint = "ignored_point",
        /// Quotes inside a text were not escaped.
        InnerQuotes = "inner_quotes",
        /// A field's name was written in another style.
        KeyStyle = "key_style",
        /// A list of words was read as a text.
        ListOfWords = "list_of_words",
        /// Two pages of a list had no line in common.
        MaybeGap = "maybe_gap",
        /// A last bracket was missing.
        MissingBracket = "missing_bracket",
        /// A comma between two fields was missing.
        MissingComma = "missing_comma",
        /// A last quote was missing.
        MissingQuote = "missing_quote",
        /// Modifier keys were left out of a touch.
        ModifiersIgnored = "modifiers_ignored",
        /// A grid was asked for, and none is drawn.
        NoGrid = "no_grid",
        /// A field is not text.
        NotText = "not_text",
        /// An escape that JSON has not was read.
        OddEscape = "odd_escape",
        /// The operation was written as the first CogAgent wrote it.
        OlderForm = "older_form",
        /// A thought was not closed.
        OpenThought = "open_thought",
        /// An app was opened, and another one is in front.
        OtherAppInFront = "other_app_in_front",
        /// Blanks stood around a field's name.
        PaddedKey = "padded_key",
        /// A Python literal was read as JSON's.
        PythonLiteral = "python_literal",
        /// An app was brought to the front, which was not asked for.
        Raised = "raised",
        /// A line break inside a text was not escaped.
        RawLineBreak = "raw_line_break",
        /// The name for a result was left out.
        ResultLeftOut = "result_left_out",
        /// The right button was read as a long press.
        RightButton = "right_button",
        /// Another screen came up meanwhile.
        ScreenChanged = "screen_changed",
        /// The reply held more than one action.
        SeveralActions = "several_actions",
        /// Single quotes were read as double quotes.
        SingleQuotes = "single_quotes",
        /// The two taps of a double tap were far apart.
        SlowDoubleTap = "slow_double_tap",
        /// The target's fields stood beside the action's, or its number alone.
        TargetInlined = "target_inlined",
        /// What is pointed at is not on the screen.
        TargetNotFound = "target_not_found",
        /// A part of the target was left out.
        TargetPart = "target_part",
        /// The field shows another text than was typed.
        TextDiffers = "text_differs",
        /// Nothing on the screen shows the text that was typed.
        TextUnseen = "text_unseen",
        /// A comma stood before a closing bracket.
        TrailingComma = "trailing_comma",
        /// The action's type was misspelt.
        TypeSpelling = "type_spelling",
        /// There is no action of this type.
        UnknownType = "unknown_type",
    }
}
