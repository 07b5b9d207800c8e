//! Text to syntax tree.

use brush_parser::ast::Program;
use brush_parser::{ParseError, Parser, ParserOptions};

/// Why a text is no program, in mksh's words (`lex.c`, `syn.c`: `yyerror`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// More is needed: an open quote, an `if` without `fi`.
    Incomplete(String),
    Wrong(String),
}

impl Syntax {
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Incomplete(text) | Self::Wrong(text) => text,
        }
    }
}

/// A text may be so long (as one argument of `execve` may, `MAX_ARG_STRLEN`, and some).
const LONGEST: usize = 1024 * 1024;
/// Brackets, quotes and substitutions may lie so deep in each other: the parser goes down with them.
pub(super) const DEEPEST: usize = 40;

pub(super) fn options() -> ParserOptions {
    ParserOptions {
        enable_extended_globbing: false,
        ..ParserOptions::default()
    }
}

/// Parses a whole text.
pub(super) fn parse(text: &str) -> Result<Program, Syntax> {
    if text.len() > LONGEST {
        return Err(Syntax::Wrong("Argument list too long".to_owned()));
    }
    if depth(text) > DEEPEST {
        return Err(Syntax::Wrong("syntax error: recursion too deep".to_owned()));
    }
    Parser::new(text.as_bytes(), &options())
        .parse_program()
        .map_err(|error| match error {
            ParseError::ParsingAtEndOfInput => Syntax::Incomplete("syntax error: unexpected EOF".to_owned()),
            ParseError::ParsingNear(position) => {
                let rest: String = text.chars().skip(position.index).collect();
                Syntax::Wrong(format!("syntax error: unexpected '{}'", token(&rest)))
            }
            ParseError::Tokenizing { inner, .. } => {
                let open = if inner.is_incomplete() {
                    "no closing quote"
                } else {
                    "syntax error"
                };
                Syntax::Incomplete(open.to_owned())
            }
        })
}

/// The token a text begins with, near enough for a message.
fn token(text: &str) -> String {
    let text = text.trim_start_matches([' ', '\t']);
    let operators = ["&&", "||", ";;", "<<", ">>", "(", ")", ";", "&", "|", "<", ">"];
    if text.is_empty() || text.starts_with('\n') {
        return "newline".to_owned();
    }
    match operators.iter().find(|operator| text.starts_with(**operator)) {
        Some(operator) => (*operator).to_owned(),
        None => text
            .split(|c: char| c.is_whitespace() || ";&|()<>".contains(c))
            .next()
            .unwrap_or_default()
            .to_owned(),
    }
}

/// How deep brackets, quotes and compound commands lie in each other at most: an upper bound.
pub(super) fn depth(text: &str) -> usize {
    let bytes = text.as_bytes();
    // One character for each thing that is open.
    let mut open: Vec<u8> = Vec::new();
    let (mut keywords, mut deepest, mut at) = (0_usize, 0, 0);
    while let Some(&byte) = bytes.get(at) {
        let quoted = open.last() == Some(&b'"');
        match byte {
            b'\\' => at += 1,
            b'\'' if !quoted => {
                let rest = bytes.get(at + 1..).unwrap_or_default();
                at += 1 + rest.iter().position(|byte| *byte == b'\'').unwrap_or(rest.len());
            }
            b'"' if quoted => {
                open.pop();
            }
            b'"' => open.push(byte),
            b'(' | b'{' | b'['
                if !quoted || at.checked_sub(1).and_then(|at| bytes.get(at)) == Some(&b'$') =>
            {
                open.push(byte);
            }
            b')' | b'}' | b']' if !quoted => {
                open.pop();
            }
            b'a'..=b'z' if !quoted => {
                let rest = bytes.get(at..).unwrap_or_default();
                let word = rest
                    .iter()
                    .position(|byte| !byte.is_ascii_alphanumeric())
                    .unwrap_or(rest.len());
                match rest.get(..word).unwrap_or_default() {
                    b"if" | b"while" | b"until" | b"for" | b"case" => keywords += 1,
                    b"fi" | b"done" | b"esac" => keywords = keywords.saturating_sub(1),
                    _ => {}
                }
                at += word.saturating_sub(1);
            }
            _ => {}
        }
        deepest = deepest.max(open.len() + keywords);
        at += 1;
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_and_incomplete_texts_are_told_apart() {
        for (text, expected) in [
            ("echo )", Syntax::Wrong("syntax error: unexpected ')'".into())),
            ("echo 'x", Syntax::Incomplete("no closing quote".into())),
            (
                "if true; then",
                Syntax::Incomplete("syntax error: unexpected EOF".into()),
            ),
            ("a &&", Syntax::Incomplete("syntax error: unexpected EOF".into())),
        ] {
            assert_eq!(parse(text).err(), Some(expected), "{text}");
        }
    }

    #[test]
    fn quoted_brackets_are_only_text() {
        let text = "(".repeat(500);
        parse(&format!("input text '{text}'; echo \"{text}\"")).unwrap();
    }

    #[test]
    fn a_text_of_brackets_is_refused_before_it_costs_the_stack() {
        for bracket in [
            "(",
            "$(",
            "{ ",
            "${x:-",
            "[",
            "$((",
            "if ",
            "\"$(",
            "while ",
            "case x in (x) ",
        ] {
            assert!(parse(&bracket.repeat(20_000)).is_err());
            // As deep as is let through: right or wrong, it comes back.
            let _ = parse(&format!("echo {}", bracket.repeat(DEEPEST / 2)));
        }
    }

    #[test]
    fn substitutions_in_each_other_do_not_take_for_ever() {
        let mut text = "x".to_owned();
        for _ in 0..12 {
            text = format!("\"$(echo {text})\"");
        }
        let word = brush_parser::word::parse(&text, &options()).unwrap();
        assert_eq!(word.len(), 1);
    }
}
