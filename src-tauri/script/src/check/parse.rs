//! The parser of bash's grammar, as it is used here.

use super::objection::objection;
use agent::ports::Objection;
use brush_parser::{Parser, ParserOptions};
use protocol::RefusalCode;

/// How deep brackets, quotes and compound commands may lie in each other.
pub(super) const DEEPEST: usize = 20;

/// How the parser reads, for scripts and for words.
pub(super) fn options() -> ParserOptions {
    ParserOptions {
        enable_extended_globbing: false,
        ..ParserOptions::default()
    }
}

/// The syntax tree.
pub(super) fn parse(script: &str) -> Result<brush_parser::ast::Program, Objection> {
    Parser::new(script.as_bytes(), &options())
        .parse_program()
        .map_err(|error| {
            objection(
                RefusalCode::ScriptUnreadable,
                format!("this is no bash script: {error}"),
            )
        })
}
