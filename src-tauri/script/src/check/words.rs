//! Words: what stands there plainly, and what bash works out first.

use super::objection::{construct, objection, too_complex};
use super::parse::{DEEPEST, options};
use crate::environment;
use agent::ports::Objection;
use brush_parser::word::{self, Parameter, ParameterExpr, WordPiece, WordPieceWithSource};
use protocol::RefusalCode;

type CheckResult = Result<(), Objection>;
/// What reads a command substitution's text.
type SubstitutionReader<'a> = dyn FnMut(&str) -> CheckResult + 'a;

/// How deep in substitutions a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nesting {
    Script,
    Substitution(usize),
}

impl Nesting {
    pub(super) fn deeper(self) -> Result<Self, Objection> {
        match self {
            Self::Script => Ok(Self::Substitution(1)),
            Self::Substitution(depth) if depth < DEEPEST => Ok(Self::Substitution(depth + 1)),
            Self::Substitution(_) => Err(too_complex()),
        }
    }
}

/// Variables bash or the system reads as more than text, beside those the script finds in its environment.
const SPECIAL: &[&str] = &[
    "PATH",
    "ENV",
    "IFS",
    "CDPATH",
    "GLOBIGNORE",
    "PROMPT_COMMAND",
    "SHELLOPTS",
    "BASHOPTS",
    "EXECIGNORE",
    "FUNCNEST",
    "FIGNORE",
    "FPATH",
    "HISTFILE",
    "HISTCONTROL",
    "HISTIGNORE",
    "HOSTFILE",
    "INPUTRC",
    "MAIL",
    "MAILPATH",
    "MAILCHECK",
    "OPTIND",
    "OPTARG",
    "OPTERR",
    "OLDPWD",
    "PWD",
    "PPID",
    "PS0",
    "PS1",
    "PS2",
    "PS3",
    "PS4",
    "POSIXLY_CORRECT",
    "RANDOM",
    "SRANDOM",
    "SECONDS",
    "EPOCHSECONDS",
    "LINENO",
    "DIRSTACK",
    "GROUPS",
    "UID",
    "EUID",
    "FUNCNAME",
    "PIPESTATUS",
    "COPROC",
    "REPLY",
    "MAPFILE",
    "TIMEFORMAT",
    "TMOUT",
    "IGNOREEOF",
    "HOSTNAME",
    "TERM",
    "SHELL",
    "histchars",
    "auto_resume",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "BROWSER",
    "_",
];

/// A variable that may be set.
pub(super) fn variable(name: &str) -> CheckResult {
    let special = SPECIAL.contains(&name)
        || environment::is_handed_on(name)
        || [
            "BASH",
            "LD_",
            "DYLD_",
            "ADB",
            "ANDROID",
            "DBUS",
            "POCKETDECK",
            "LC_",
        ]
        .iter()
        .any(|start| name.starts_with(start));
    if is_name(name) && !special {
        return Ok(());
    }
    Err(objection(
        RefusalCode::ScriptVariable,
        format!("the variable {name} is the system's own; take another name"),
    ))
}

/// Letters, digits, underscores; no digit first.
pub(super) fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// What stands between one pair of quotes, where nothing in it is more than text.
pub(super) fn unquoted(raw: &str) -> Option<&str> {
    let inner = ['\'', '"']
        .iter()
        .find_map(|quote| raw.strip_prefix(*quote)?.strip_suffix(*quote))?;
    (!inner.contains(['\'', '"', '\\', '$', '`', '\n'])).then_some(inner)
}

/// A command's name: it must stand there plainly.
pub(super) fn command_name(raw: &str) -> Result<String, Objection> {
    let plain = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "_./+-:@,".contains(c))
    };
    if plain(raw) || raw == "[" {
        return Ok(raw.to_owned());
    }
    match unquoted(raw) {
        // A path with blanks in it, or whatever else no name of a built-in has.
        Some(inner) if inner.contains('/') || plain(inner) => Ok(inner.to_owned()),
        _ => Err(objection(
            RefusalCode::ScriptProgram,
            format!("which program {raw} runs cannot be told from the script; name it plainly"),
        )),
    }
}

/// A file that output goes to or input comes from: in the script's own folder, by its plain name.
pub(super) fn file(raw: &str) -> CheckResult {
    let name = unquoted(raw).unwrap_or(raw);
    let plain = !name.is_empty()
        && !name.starts_with(['.', '-'])
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    if plain || name == "/dev/null" {
        return Ok(());
    }
    Err(objection(
        RefusalCode::ScriptRedirect,
        format!(
            "{raw} cannot be read or written here: only a plain file name in the script's own folder, or /dev/null"
        ),
    ))
}

/// A word as it stands in the script.
pub(super) fn read(raw: &str, commands: &mut SubstitutionReader<'_>) -> CheckResult {
    let pieces = word::parse(raw, &options()).map_err(|_| construct("a word nobody can read"))?;
    walk(&pieces, false, commands)
}

/// The text of a here-document whose variables are filled.
pub(super) fn read_document(raw: &str, commands: &mut SubstitutionReader<'_>) -> CheckResult {
    let pieces =
        word::parse_heredoc(raw, &options()).map_err(|_| construct("a here-document nobody can read"))?;
    walk(&pieces, true, commands)
}

fn walk(pieces: &[WordPieceWithSource], quoted: bool, commands: &mut SubstitutionReader<'_>) -> CheckResult {
    for one in pieces {
        match &one.piece {
            WordPiece::Text(text) => {
                // A dollar that begins nothing here may begin something there.
                if text.contains(['$', '`']) || (!quoted && !text.is_ascii()) {
                    return Err(construct("a bare $, ` or foreign letter outside quotes"));
                }
            }
            WordPiece::SingleQuotedText(_)
            | WordPiece::AnsiCQuotedText(_)
            | WordPiece::TildeExpansion(_)
            | WordPiece::EscapeSequence(_) => {}
            WordPiece::DoubleQuotedSequence(inner) => walk(inner, true, commands)?,
            WordPiece::GettextDoubleQuotedSequence(_) => return Err(construct("$\"…\"")),
            WordPiece::CommandSubstitution(text) => commands(text)?,
            WordPiece::BackquotedCommandSubstitution(_) => {
                return Err(construct("a substitution in back-quotes (take $( … ))"));
            }
            WordPiece::ArithmeticExpression(expression) => {
                let plain = |c: char| c.is_ascii_digit() || " +-*/%()<>".contains(c);
                if !expression.value.chars().all(plain) {
                    return Err(construct("arithmetic with more than numbers"));
                }
            }
            WordPiece::ParameterExpansion(expression) => parameter(expression, quoted, commands)?,
        }
    }
    Ok(())
}

/// The expansions that only put text in, or take text off.
fn parameter(expression: &ParameterExpr, quoted: bool, commands: &mut SubstitutionReader<'_>) -> CheckResult {
    let (parameter, indirect, more) = match expression {
        ParameterExpr::Parameter { parameter, indirect }
        | ParameterExpr::ParameterLength { parameter, indirect } => (parameter, indirect, None),
        ParameterExpr::UseDefaultValues {
            parameter,
            indirect,
            default_value: more,
            ..
        }
        | ParameterExpr::UseAlternativeValue {
            parameter,
            indirect,
            alternative_value: more,
            ..
        }
        | ParameterExpr::IndicateErrorIfNullOrUnset {
            parameter,
            indirect,
            error_message: more,
            ..
        }
        | ParameterExpr::RemoveSmallestSuffixPattern {
            parameter,
            indirect,
            pattern: more,
        }
        | ParameterExpr::RemoveLargestSuffixPattern {
            parameter,
            indirect,
            pattern: more,
        }
        | ParameterExpr::RemoveSmallestPrefixPattern {
            parameter,
            indirect,
            pattern: more,
        }
        | ParameterExpr::RemoveLargestPrefixPattern {
            parameter,
            indirect,
            pattern: more,
        } => (parameter, indirect, more.as_deref()),
        _ => {
            return Err(construct(
                "an expansion of a variable beyond its value, its length, a default or a cut end",
            ));
        }
    };
    let by_index =
        matches!(parameter, Parameter::NamedWithIndex { index, .. } if index.parse::<u16>().is_err());
    if *indirect || by_index {
        return Err(construct("a variable named by another"));
    }
    match more {
        Some(text) => {
            let pieces = word::parse(text, &options()).map_err(|_| construct("a word nobody can read"))?;
            walk(&pieces, quoted, commands)
        }
        None => Ok(()),
    }
}
