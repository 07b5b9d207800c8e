//! The commands that are bash's own: the few that only compute, print or test, and the many that do more.

use super::objection::{construct, objection};
use super::words::{self, is_name};
use agent::ports::Objection;
use protocol::RefusalCode;

type CheckResult = Result<(), Objection>;

/// Every name that is bash's own, so that no function and no program of the list stands behind it by mistake.
const NAMES: &[&str] = &[
    ".",
    ":",
    "[",
    "alias",
    "bg",
    "bind",
    "break",
    "builtin",
    "caller",
    "case",
    "cd",
    "command",
    "compgen",
    "complete",
    "compopt",
    "continue",
    "coproc",
    "declare",
    "dirs",
    "disown",
    "do",
    "done",
    "echo",
    "elif",
    "else",
    "enable",
    "esac",
    "eval",
    "exec",
    "exit",
    "export",
    "false",
    "fc",
    "fg",
    "fi",
    "for",
    "function",
    "getopts",
    "hash",
    "help",
    "history",
    "if",
    "in",
    "jobs",
    "kill",
    "let",
    "local",
    "logout",
    "mapfile",
    "namespace",
    "nameref",
    "popd",
    "printf",
    "pushd",
    "pwd",
    "read",
    "readarray",
    "readonly",
    "return",
    "select",
    "set",
    "shift",
    "shopt",
    "source",
    "suspend",
    "test",
    "then",
    "time",
    "times",
    "trap",
    "true",
    "type",
    "typeset",
    "ulimit",
    "umask",
    "unalias",
    "unset",
    "until",
    "wait",
    "while",
    "command_not_found_handle",
];

pub(super) fn is_reserved(name: &str) -> bool {
    NAMES.contains(&name)
}

/// Unary and binary operators of `[ … ]` that evaluate nothing.
const UNARY: &[&str] = &[
    "-n", "-z", "-e", "-f", "-d", "-s", "-r", "-w", "-x", "-h", "-L", "-b", "-c", "-p", "-S",
];
const BINARY: &[&str] = &[
    "=", "==", "!=", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef",
];

/// A built-in with its arguments, as they stand in the script. The commands inside them were read already.
pub(super) fn check(name: &str, arguments: &[&str]) -> CheckResult {
    match name {
        ":" | "true" | "false" | "echo" | "pwd" | "exit" | "return" | "break" | "continue" | "shift" => {
            Ok(())
        }
        "wait" if arguments.is_empty() => Ok(()),
        "printf" => match arguments.first() {
            // Its options come first, and one of them sets a variable.
            Some(format) if is_fixed(format) && !bare(format).starts_with('-') => Ok(()),
            _ => Err(construct("printf with a format that is not written out")),
        },
        "read" => {
            let names = arguments.strip_prefix(&["-r"]).unwrap_or(arguments);
            if names.is_empty() || !names.iter().all(|name| is_name(name)) {
                return Err(construct("read without names, or with options other than -r"));
            }
            names.iter().try_for_each(|name| words::variable(name))
        }
        "set" => {
            let (mut rest, safe) = (arguments, ["errexit", "nounset", "pipefail"]);
            while let Some((first, more)) = rest.split_first() {
                let letters = first.strip_prefix(['-', '+']).unwrap_or_default();
                rest = match (letters, more.first()) {
                    ("o" | "eo" | "uo" | "euo", Some(option)) if safe.contains(option) => &more[1..],
                    ("e" | "u" | "eu" | "ue", _) => more,
                    _ => return Err(construct("set with more than -e, -u and -o pipefail")),
                };
            }
            if arguments.is_empty() {
                Err(construct("set without options"))
            } else {
                Ok(())
            }
        }
        "[" => match arguments.split_last() {
            Some((&"]", inside)) => test(inside),
            _ => Err(construct("[ without ]")),
        },
        "test" => test(arguments),
        _ => Err(objection(
            RefusalCode::ScriptBuiltin,
            format!(
                "{name} has no place in a script on the person's computer: it could run or change anything"
            ),
        )),
    }
}

/// The four shapes whose operator stands there plainly, so that no value can take its place.
fn test(arguments: &[&str]) -> CheckResult {
    let arguments = arguments.strip_prefix(&["!"]).unwrap_or(arguments);
    let shape = match arguments {
        [one] => is_one_word(one),
        [operator, one] => UNARY.contains(operator) && is_one_word(one),
        [a, operator, b] => BINARY.contains(operator) && is_one_word(a) && is_one_word(b),
        _ => false,
    };
    if shape {
        Ok(())
    } else {
        Err(construct(
            "a test that is not one of [ -f \"$x\" ], [ \"$x\" = y ], [ \"$n\" -gt 3 ], each variable in double quotes,",
        ))
    }
}

/// Nothing in it is worked out.
fn is_fixed(raw: &str) -> bool {
    let single = raw
        .strip_prefix('\'')
        .and_then(|rest| rest.strip_suffix('\''))
        .is_some_and(|inner| !inner.contains('\''));
    single || !raw.contains(['$', '`', '*', '?', '[', '{', '~'])
}

/// Without the quotes around it.
fn bare(raw: &str) -> &str {
    raw.trim_start_matches(['\'', '"', '\\', '$'])
}

/// Exactly one word, whatever a variable in it holds: quoted whole, or with nothing in it that is worked out.
fn is_one_word(raw: &str) -> bool {
    let quoted = raw
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .is_some_and(|inner| !inner.contains('"'));
    // `"$@"` is many words, or none.
    (quoted && !raw.contains('@')) || is_fixed(raw)
}
