//! Words to fields: substitution, splitting, file names.

use super::escape::unescape;
use super::parse::options;
use super::{DEPTH, Flow, Pattern, Shell};
use crate::process::{Child, Descriptor, pipe};
use brush_parser::word::{
    BraceExpressionMember, BraceExpressionOrText, TildeExpr, WordPiece, WordPieceWithSource, parse,
    parse_brace_expansions, parse_heredoc,
};
use futures::FutureExt;
use futures::future::BoxFuture;
use std::sync::Arc;

/// What a command substitution brings is at most so long.
const SUBSTITUTED: usize = 16 * 1024 * 1024;
/// One word's braces make at most so many words.
const BRACED: usize = 4096;

/// A word on its way to fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Stands in the word itself.
    Character { character: char, quoted: bool },
    /// Came out of an unquoted substitution: may end the field.
    Brought(char),
    /// Quotes stood here: the field exists even if it is empty.
    Mark,
    /// One of `"$@"` ends here.
    Break,
}

type Expanded<'a> = BoxFuture<'a, Result<(), Flow>>;

impl Shell {
    /// All the fields a word comes to.
    pub(super) async fn fields(&mut self, word: &str) -> Result<Vec<String>, Flow> {
        let mut fields = Vec::new();
        for word in braces(word) {
            let units = self.units(&word).await?;
            let ifs = self.variables.get("IFS").unwrap_or(" \t\n").to_owned();
            for field in split(&units, &ifs) {
                let pattern = Pattern::new(&field);
                let names = if pattern.is_wild() && !self.options.noglob {
                    self.file_names(&field)
                } else {
                    Vec::new()
                };
                if names.is_empty() {
                    fields.push(field.iter().map(|(character, _)| *character).collect());
                } else {
                    fields.extend(names);
                }
            }
        }
        Ok(fields)
    }

    /// The one string a word comes to where nothing is split (assignments, `case`, redirections).
    pub(super) async fn single(&mut self, word: &str) -> Result<String, Flow> {
        Ok(text(&self.units(word).await?))
    }

    /// The pattern a word comes to.
    pub(super) async fn pattern(&mut self, word: &str) -> Result<Pattern, Flow> {
        let units = self.units(word).await?;
        let characters: Vec<(char, bool)> = units
            .into_iter()
            .filter_map(|unit| match unit {
                Unit::Character { character, quoted } => Some((character, quoted)),
                Unit::Brought(character) => Some((character, false)),
                Unit::Mark | Unit::Break => None,
            })
            .collect();
        Ok(Pattern::new(&characters))
    }

    /// A here-document's text.
    pub(super) async fn here_document(&mut self, body: &str) -> Result<String, Flow> {
        match parse_heredoc(body, &options()) {
            Ok(pieces) => {
                let mut units = Vec::new();
                self.pieces(&pieces, true, &mut units).await?;
                Ok(text(&units))
            }
            Err(_) => self.bad_substitution(body).await,
        }
    }

    pub(super) async fn bad_substitution<T>(&self, word: &str) -> Result<T, Flow> {
        self.complain(format!("{word}: bad substitution")).await?;
        Err(Flow::Exit(1))
    }

    pub(super) async fn units(&mut self, word: &str) -> Result<Vec<Unit>, Flow> {
        let mut units = Vec::new();
        if self.depth > DEPTH {
            self.complain("recursion too deep").await?;
            return Err(Flow::Exit(1));
        }
        self.depth += 1;
        let result = match parse(word, &options()) {
            Ok(pieces) => self.pieces(&pieces, false, &mut units).await,
            Err(_) => self.bad_substitution(word).await,
        };
        self.depth -= 1;
        result.map(|()| units)
    }

    fn pieces<'a>(
        &'a mut self,
        pieces: &'a [WordPieceWithSource],
        quoted: bool,
        out: &'a mut Vec<Unit>,
    ) -> Expanded<'a> {
        async move {
            for piece in pieces {
                match &piece.piece {
                    WordPiece::Text(text) => literal(text, quoted, out),
                    WordPiece::SingleQuotedText(text) => {
                        out.push(Unit::Mark);
                        literal(text, true, out);
                    }
                    WordPiece::AnsiCQuotedText(text) => {
                        out.push(Unit::Mark);
                        literal(&unescape(text).text, true, out);
                    }
                    WordPiece::DoubleQuotedSequence(inner)
                    | WordPiece::GettextDoubleQuotedSequence(inner) => {
                        if !self.is_no_arguments(inner) {
                            out.push(Unit::Mark);
                        }
                        self.pieces(inner, true, out).await?;
                    }
                    WordPiece::EscapeSequence(text) => match text.strip_prefix('\\').unwrap_or(text) {
                        // A backslash at the end of a line joins it to the next.
                        "\n" => {}
                        escaped => {
                            out.push(Unit::Mark);
                            literal(escaped, true, out);
                        }
                    },
                    WordPiece::TildeExpansion(tilde) => {
                        let directory = match tilde {
                            TildeExpr::Home => self.variables.get("HOME").unwrap_or("/").to_owned(),
                            TildeExpr::WorkingDir => self.call.directory.clone(),
                            TildeExpr::OldWorkingDir => {
                                self.variables.get("OLDPWD").unwrap_or("~-").to_owned()
                            }
                            TildeExpr::UserHome(user) if user == "root" || user == "shell" => "/".to_owned(),
                            TildeExpr::UserHome(user) => format!("~{user}"),
                            _ => "~".to_owned(),
                        };
                        literal(&directory, true, out);
                    }
                    WordPiece::ParameterExpansion(expression) => {
                        self.parameter(expression, quoted, out).await?
                    }
                    WordPiece::CommandSubstitution(command) => {
                        let text = self.substitute(command).await?;
                        brought(&text, quoted, out);
                    }
                    WordPiece::BackquotedCommandSubstitution(command) => {
                        let command = command.replace("\\\\", "\\").replace("\\$", "$");
                        let text = self.substitute(&command).await?;
                        brought(&text, quoted, out);
                    }
                    WordPiece::ArithmeticExpression(expression) => {
                        let text = self.single(&expression.value).await?;
                        let number = self.calculate(&text).await?;
                        literal(&number.to_string(), quoted, out);
                    }
                }
            }
            Ok(())
        }
        .boxed()
    }

    /// Whether a quoted sequence is `"$@"` alone with nothing in it: then it is no field at all.
    fn is_no_arguments(&self, inner: &[WordPieceWithSource]) -> bool {
        use brush_parser::word::{Parameter, ParameterExpr, SpecialParameter};
        self.positional.is_empty()
            && matches!(
                inner,
                [WordPieceWithSource {
                    piece: WordPiece::ParameterExpansion(ParameterExpr::Parameter {
                        parameter: Parameter::Special(SpecialParameter::AllPositionalParameters {
                            concatenate: false
                        }),
                        ..
                    }),
                    ..
                }]
            )
    }

    /// Runs a command in a subshell and takes what it prints, without the newlines at its end.
    pub(super) async fn substitute(&mut self, command: &str) -> Result<String, Flow> {
        let (reader, writer) = pipe();
        let mut descriptors = self.call.descriptors.clone();
        descriptors.set(
            1,
            Arc::new(Descriptor::Writer {
                pipe: writer,
                terminal: false,
                cooked: false,
                socket: false,
            }),
        );
        let command = command.to_owned();
        let child: Child = self
            .fork(descriptors, move |shell| {
                async move { shell.run_to_end(&command, true).await }.boxed()
            })
            .await?;
        let bytes = reader.read_all(SUBSTITUTED).await;
        drop(reader);
        self.substituted = Some(child.wait().await.status());
        let text = String::from_utf8_lossy(&bytes);
        Ok(text.trim_end_matches('\n').replace('\0', ""))
    }
}

/// What a word's characters come to without splitting.
pub(super) fn text(units: &[Unit]) -> String {
    units
        .iter()
        .filter_map(|unit| match unit {
            Unit::Character { character, .. } | Unit::Brought(character) => Some(*character),
            Unit::Break => Some(' '),
            Unit::Mark => None,
        })
        .collect()
}

pub(super) fn literal(text: &str, quoted: bool, out: &mut Vec<Unit>) {
    out.extend(
        text.chars()
            .map(|character| Unit::Character { character, quoted }),
    );
}

/// What a substitution brought: splits where it is not quoted.
pub(super) fn brought(text: &str, quoted: bool, out: &mut Vec<Unit>) {
    if quoted {
        literal(text, true, out);
    } else {
        out.extend(text.chars().map(Unit::Brought));
    }
}

fn split(units: &[Unit], ifs: &str) -> Vec<Vec<(char, bool)>> {
    let mut fields = Vec::new();
    let mut field: Option<Vec<(char, bool)>> = None;
    let mut after_space = false;
    for unit in units {
        match *unit {
            Unit::Character { character, quoted } => {
                after_space = false;
                field.get_or_insert_default().push((character, quoted));
            }
            Unit::Mark => {
                after_space = false;
                field.get_or_insert_default();
            }
            Unit::Break => fields.extend(field.take()),
            Unit::Brought(character) if ifs.contains(character) => {
                if character.is_whitespace() {
                    if let Some(done) = field.take() {
                        fields.push(done);
                        after_space = true;
                    }
                } else {
                    match field.take() {
                        Some(done) => fields.push(done),
                        None if after_space => {}
                        None => fields.push(Vec::new()),
                    }
                    after_space = false;
                }
            }
            Unit::Brought(character) => {
                after_space = false;
                field.get_or_insert_default().push((character, false));
            }
        }
    }
    fields.extend(field);
    fields
}

/// `{a,b}`: mksh knows lists, no sequences.
fn braces(word: &str) -> Vec<String> {
    if !word.contains('{') || !word.contains(',') {
        return vec![word.to_owned()];
    }
    match parse_brace_expansions(word, &options()) {
        Ok(Some(pieces)) => {
            let words = braced(&pieces);
            if words.len() > BRACED {
                vec![word.to_owned()]
            } else {
                words
            }
        }
        _ => vec![word.to_owned()],
    }
}

fn braced(pieces: &[BraceExpressionOrText]) -> Vec<String> {
    let mut words = vec![String::new()];
    for piece in pieces {
        let choices: Vec<String> = match piece {
            BraceExpressionOrText::Text(text) => vec![text.clone()],
            BraceExpressionOrText::Expr(members) => members
                .iter()
                .flat_map(|member| match member {
                    BraceExpressionMember::Child(inner) => braced(inner),
                    BraceExpressionMember::NumberSequence { start, end, .. } => {
                        vec![format!("{{{start}..{end}}}")]
                    }
                    BraceExpressionMember::CharSequence { start, end, .. } => {
                        vec![format!("{{{start}..{end}}}")]
                    }
                })
                .collect(),
        };
        if words.len().saturating_mul(choices.len()) > BRACED {
            return vec![String::new(); BRACED + 1];
        }
        words = words
            .iter()
            .flat_map(|word| choices.iter().map(move |choice| format!("{word}{choice}")))
            .collect();
    }
    words
}
