//! What had to be mended in a reply's structure before it could be read.

use protocol::{Warning, WarningCode};

/// One kind of damage with one possible reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repair {
    TrailingComma,
    MissingComma,
    ExtraComma,
    SingleQuotes,
    CurlyQuotes,
    BareKey,
    BareWord,
    PaddedKey,
    Comment,
    PythonLiteral,
    FullWidth,
    InnerQuotes,
    RawLineBreak,
    OddEscape,
    MissingQuote,
    MissingBracket,
}

impl Repair {
    fn code(self) -> WarningCode {
        match self {
            Repair::TrailingComma => WarningCode::TrailingComma,
            Repair::MissingComma => WarningCode::MissingComma,
            Repair::ExtraComma => WarningCode::ExtraComma,
            Repair::SingleQuotes => WarningCode::SingleQuotes,
            Repair::CurlyQuotes => WarningCode::CurlyQuotes,
            Repair::BareKey => WarningCode::BareKey,
            Repair::BareWord => WarningCode::BareWord,
            Repair::PaddedKey => WarningCode::PaddedKey,
            Repair::Comment => WarningCode::Comment,
            Repair::PythonLiteral => WarningCode::PythonLiteral,
            Repair::FullWidth => WarningCode::FullWidth,
            Repair::InnerQuotes => WarningCode::InnerQuotes,
            Repair::RawLineBreak => WarningCode::RawLineBreak,
            Repair::OddEscape => WarningCode::OddEscape,
            Repair::MissingQuote => WarningCode::MissingQuote,
            Repair::MissingBracket => WarningCode::MissingBracket,
        }
    }

    fn message(self) -> &'static str {
        match self {
            Repair::TrailingComma => "a comma before a closing bracket was ignored",
            Repair::MissingComma => "a comma between two fields was missing",
            Repair::ExtraComma => "a comma with nothing before it was ignored",
            Repair::SingleQuotes => "single quotes were read as double quotes",
            Repair::CurlyQuotes => "curly quotes were read as straight ones",
            Repair::BareKey => "a field's name without quotes was read",
            Repair::BareWord => "a word without quotes was read as text",
            Repair::PaddedKey => "blanks around a field's name were ignored",
            Repair::Comment => "a comment was ignored",
            Repair::PythonLiteral => "a Python literal was read as JSON's",
            Repair::FullWidth => "full-width punctuation was read as plain",
            Repair::InnerQuotes => "quotes inside a text were not escaped",
            Repair::RawLineBreak => "a line break inside a text was not escaped",
            Repair::OddEscape => "an escape that JSON has not was read",
            Repair::MissingQuote => "a last quote was missing",
            Repair::MissingBracket => "a last bracket was missing",
        }
    }
}

/// The repairs of one value, each kind once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Repairs(Vec<Repair>);

impl Repairs {
    pub(crate) fn note(&mut self, repair: Repair) {
        if !self.0.contains(&repair) {
            self.0.push(repair);
        }
    }

    pub(crate) fn warnings(&self) -> impl Iterator<Item = Warning> + '_ {
        self.0.iter().map(|repair| Warning {
            code: repair.code().into(),
            field: None,
            message: repair.message().into(),
        })
    }
}
