//! Programs and arguments: what only reads, what is never run, what is asked about as more than a command (`table.txt`).

use super::reading::Risk;
use protocol::RuleName;
use serde::de::DeserializeOwned;
use serde::de::value::{Error, StrDeserializer};
use std::collections::HashMap;
use std::sync::LazyLock;

#[derive(Clone, Copy, PartialEq)]
enum Does {
    Reads,
    Never(RuleName, Option<&'static str>),
    Asks(Risk, bool),
    Plain,
}

/// What the table knows of a command.
#[derive(Default)]
pub(crate) struct CommandRisks {
    pub(crate) never: Option<RuleName>,
    pub(crate) risks: Vec<Risk>,
    pub(crate) always: bool,
    /// The program is in the table, and runs no other.
    pub(crate) known: bool,
}

/// The rows by their program; those of any program under `*`.
static ROWS: LazyLock<HashMap<&str, Vec<(&str, Does)>>> = LazyLock::new(|| {
    let mut rows = HashMap::<_, Vec<_>>::new();
    let lines = include_str!("table.txt").lines();
    for (head, row) in lines.filter_map(|line| line.split_once(": ")) {
        let (programs, words) = row.split_once(' ').unwrap_or((row, ""));
        for program in programs.split('|') {
            let row = does(head).map(|does| (words, does));
            rows.entry(program).or_default().extend(row);
        }
    }
    rows
});

/// The first words of a row; `None` for a remark.
fn does(head: &'static str) -> Option<Does> {
    let (verb, rest) = head.split_once(' ').unwrap_or((head, ""));
    match (verb, rest.split_once(" but "), rest.split_once(' ')) {
        ("reads", ..) => Some(Does::Reads),
        ("plain" | "set", ..) => Some(Does::Plain),
        ("never", Some((rule, but)), _) => Some(Does::Never(read(rule)?, Some(but))),
        ("never", None, _) => Some(Does::Never(read(rest)?, None)),
        ("asks" | "always", _, Some((kind, rule))) => {
            Some(Does::Asks((read(kind)?, read(rule)?), verb == "always"))
        }
        _ => None,
    }
}

/// A word as the protocol has it.
fn read<T: DeserializeOwned>(word: &str) -> Option<T> {
    T::deserialize(StrDeserializer::<Error>::new(word)).ok()
}

/// What stands under a name: words, apart by `|`.
fn set(name: &str) -> &'static str {
    rows(name).first().map_or("", |(words, _)| words)
}

fn rows(program: &str) -> &'static [(&'static str, Does)] {
    ROWS.get(program).map(Vec::as_slice).unwrap_or_default()
}

/// The program and what it is given; `cmd SERVICE …` is the service's own tool, where there is one.
///
/// A program in a folder that is not the system's keeps it: it is none of those it is called like.
pub(super) fn tool<'a, 'b>(words: &'a [&'b str]) -> (&'b str, &'a [&'b str]) {
    let Some((first, rest)) = words.split_first() else {
        return ("", words);
    };
    let mut bare = *first;
    for folder in ["/system/bin/", "/system/xbin/", "/vendor/bin/"] {
        bare = bare.strip_prefix(folder).unwrap_or(bare);
    }
    match (bare, rest.strip_prefix(&["-w"]).unwrap_or(rest)) {
        ("cmd", ["package", rest @ ..]) => ("pm", rest),
        ("cmd", ["activity", rest @ ..]) => ("am", rest),
        ("cmd", ["window", rest @ ..]) => ("wm", rest),
        ("cmd", ["device_policy", rest @ ..]) => ("dpm", rest),
        ("cmd", ["lock_settings", rest @ ..]) => ("locksettings", rest),
        ("cmd", [tool @ ("settings" | "appops" | "device_config"), rest @ ..]) => (tool, rest),
        _ => (bare, rest),
    }
}

/// Whether it only reads.
pub(super) fn reads(words: &[&str]) -> bool {
    let (program, rest) = tool(words);
    let mut rows = rows(program).iter();
    rows.any(|(row, does)| *does == Does::Reads && fits_whole(row, rest))
}

/// What else the table says of it; words in lower case.
pub(crate) fn risks_of(words: &[&str]) -> CommandRisks {
    let (path, rest) = tool(words);
    let program = path.rsplit('/').next().unwrap_or_default();
    let finds = || program == "find" && !rest.iter().any(|word| is("-exec*|-ok*", word));
    let mut risks = CommandRisks {
        known: path == program
            && (finds() || !matches!(program, "*" | "find" | "adb" | "env" | "command" | "test" | "[")),
        ..CommandRisks::default()
    };
    risks.known &= !rows(program).is_empty();
    for (row, does) in rows(program) {
        match (does, holds(row, rest)) {
            (Does::Never(rule, but), Some(after)) => {
                let harmless = |but: &str| rest.get(after).is_some_and(|next| is(but, next));
                let rule = (!but.is_some_and(harmless)).then_some(*rule);
                risks.never = risks.never.or(rule);
            }
            (Does::Asks(risk, always), Some(_)) => {
                risks.always |= always;
                risks.risks.push(*risk);
            }
            _ => {}
        }
    }
    risks
}

/// Where a row's words stand, in order: the place after the last.
fn holds(row: &str, words: &[&str]) -> Option<usize> {
    let mut row = row.split_terminator(' ');
    row.try_fold(0, |at, one| match one.strip_prefix('!') {
        Some(barred) => (!words.iter().any(|word| is(barred, word))).then_some(at),
        None => Some(at + 1 + words.get(at..)?.iter().position(|word| is(one, word))?),
    })
}

fn is(one: &str, word: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || "._:/@-".contains(c);
    let mut either = one.split('|');
    either.any(|one| match (one, one.strip_prefix('~'), one.strip_suffix('*')) {
        ("ROOT", ..) => is_root(word),
        ("NAME", ..) => !word.starts_with('-') && word.chars().all(letter),
        ("TEXT", ..) => !word.starts_with(['-', '/']),
        (one, ..) if one.starts_with("-~") => has_option(word, one),
        (_, Some(part), _) => word.contains(part),
        (_, None, Some(start)) => word.starts_with(start),
        _ => word == one,
    })
}

/// `-vfr` has the option of `-~r`.
fn has_option(word: &str, one: &str) -> bool {
    let option = one.trim_start_matches("-~");
    word.starts_with('-') && !word.starts_with("--") && word.contains(option)
}

fn fits_whole(row: &str, words: &[&str]) -> bool {
    let (one, row) = row.split_once(' ').unwrap_or((row, ""));
    let option = |word: &&&str| word.starts_with('-') && !word.contains('/');
    let public = |word: &&str| is(set("PUBLIC"), word) && !word.contains("..");
    match one {
        "" => words.is_empty(),
        "..." => true,
        "OPTIONS" => fits_whole(row, &words[words.iter().take_while(option).count()..]),
        "PATHS" => words.iter().any(public) && words.iter().all(|word| option(&word) || public(word)),
        "FIND" => words.iter().filter(option).all(|word| is(set("FIND"), word)),
        one => {
            let maybe = one.strip_prefix('[').and_then(|one| one.strip_suffix(']'));
            match words.split_first() {
                Some((word, rest)) if is(maybe.unwrap_or(one), word) => fits_whole(row, rest),
                _ => maybe.is_some() && fits_whole(row, words),
            }
        }
    }
}

/// Whether a path, however it is written, names everything.
fn is_root(path: &str) -> bool {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." | "*" | ".*" => {}
            ".." => parts.truncate(parts.len().saturating_sub(1)),
            part => parts.push(part),
        }
    }
    let whole = match (path.starts_with('/'), parts.join("/")) {
        (true, rest) => format!("/{rest}"),
        (false, rest) if rest.is_empty() => ".".to_owned(),
        (false, rest) => rest,
    };
    let is_user = |part: &str| part.bytes().all(|c| c.is_ascii_digit());
    let card = match parts[..] {
        ["storage", _] => true,
        // The same for each of the phone's users.
        ["storage" | "data", "emulated" | "media", user]
        | ["mnt", "user", _, "emulated", user]
        | ["mnt", "runtime", _, "emulated", user] => is_user(user),
        _ => false,
    };
    !path.is_empty() && (card || set("ROOTS").split('|').any(|root| root == whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_says_what_it_does_in_words_that_are_known() {
        let lines = include_str!("table.txt").lines();
        let heads = lines.filter_map(|line| line.split_once(": "));
        for (head, row) in heads.filter(|(head, _)| !head.starts_with('#')) {
            assert!(does(head).is_some(), "{head}: {row}");
        }
    }
}
