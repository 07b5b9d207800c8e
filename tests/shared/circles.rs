//! Circles among the files of a room: a file that names another which, over however many, names it back.
//!
//! Read from the tokens of the sources: every path that begins with `crate`, `super`, `self` or a module of the file itself, in
//! `use` and anywhere else, macros too; what stands under `#[cfg(test)]` is left out. A path leads to the file of the longest
//! module in it, and where that one has the name by a `use`, on to the file it comes from: who takes a thing from a room's face
//! needs the file it lies in, not the face. That a file declares a module (`mod x;`) is no use of it; that it re-exports from it is.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module's path within its crate; empty for the crate's root.
type Module = Vec<String>;

/// The files of a crate by the modules they are.
type Files = BTreeMap<Module, String>;

/// What the tokens of one file name.
#[derive(Default)]
struct Found {
    paths: Vec<Module>,
    /// The names that a `use` brings into the file, and the paths they stand for.
    brought: BTreeMap<String, Module>,
    /// The modules all of whose names a `use` brings.
    brought_whole: Vec<Module>,
    /// What the file itself defines.
    defined: BTreeSet<String>,
}

/// Every circle of the crate whose sources lie in `folder`, as the files on one way round: `a.rs → b.rs → a.rs`.
pub(crate) fn circles(folder: &Path) -> Vec<String> {
    let mut sources = Vec::new();
    collect(folder, &mut sources);
    let files: Files = sources
        .iter()
        .map(|path| {
            let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
            (module_of(&name), name)
        })
        .collect();
    let found: BTreeMap<&Module, Found> = files
        .iter()
        .map(|(module, file)| {
            let text = fs::read_to_string(folder.join(file)).unwrap();
            let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{file}: {error}"));
            let mut found = Found::default();
            read(&flat(tokens), module, &files, &mut found);
            (module, found)
        })
        .collect();
    let names = files
        .iter()
        .map(|(module, file)| {
            let mut named: BTreeSet<String> = found[module]
                .paths
                .iter()
                .filter_map(|path| file_of(path.clone(), &files, &found))
                .cloned()
                .collect();
            named.remove(file);
            (file.clone(), named)
        })
        .collect();
    rounds(&names)
}

/// How often a thing is handed on at most, from file to file.
const HANDED_ON: usize = 8;

/// The file in which what a path names lies.
fn file_of<'a>(mut path: Module, files: &'a Files, found: &BTreeMap<&Module, Found>) -> Option<&'a String> {
    let named = path.join("::");
    for _ in 0..HANDED_ON {
        let (length, (module, file)) = (0..=path.len())
            .rev()
            .find_map(|length| Some((length, files.get_key_value(&path[..length])?)))?;
        let Some(name) = path.get(length) else {
            return Some(file);
        };
        let here = &found[module];
        let handed_on = here.brought.get(name).cloned().or_else(|| {
            let whole = here.brought_whole.iter().filter(|_| !here.defined.contains(name));
            whole
                .filter(|from| found.get(from).is_some_and(|there| there.has(name)))
                .map(|from| from.iter().cloned().chain([name.clone()]).collect())
                .next()
        });
        let Some(handed_on) = handed_on else {
            return Some(file);
        };
        path = handed_on.into_iter().chain(path.drain(length + 1..)).collect();
    }
    panic!("{named} is handed on more than {HANDED_ON} times: it is read wrong");
}

impl Found {
    fn has(&self, name: &String) -> bool {
        self.defined.contains(name) || self.brought.contains_key(name)
    }
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            out.push(path);
        }
    }
}

/// `run/mod.rs` and `run.rs` are the module `run`, `lib.rs` and `main.rs` the root.
fn module_of(file: &str) -> Module {
    let mut parts: Module = file
        .trim_end_matches(".rs")
        .split(['/', '\\'])
        .map(str::to_owned)
        .collect();
    let last = parts.last().map(String::as_str);
    let is_root = parts.len() == 1 && matches!(last, Some("lib" | "main"));
    if last == Some("mod") || is_root {
        parts.pop();
    }
    parts
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    /// `::`
    Path,
    Open(Delimiter),
    Close,
    Other(char),
}

fn flat(tokens: TokenStream) -> Vec<Token> {
    let mut out = Vec::new();
    let mut colon = false;
    for token in tokens {
        let was_colon = std::mem::take(&mut colon);
        match token {
            TokenTree::Group(group) => {
                out.push(Token::Open(group.delimiter()));
                out.extend(flat(group.stream()));
                out.push(Token::Close);
            }
            TokenTree::Ident(ident) => {
                out.push(Token::Word(ident.to_string().trim_start_matches("r#").to_owned()))
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' && was_colon => out.push(Token::Path),
            TokenTree::Punct(punct) if punct.as_char() == ':' && punct.spacing() == Spacing::Joint => {
                colon = true
            }
            TokenTree::Punct(punct) => out.push(Token::Other(punct.as_char())),
            TokenTree::Literal(_) => out.push(Token::Other('"')),
        }
    }
    out
}

/// Where the group that opens at `at` closes.
fn end_of(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(at) {
        match token {
            Token::Open(_) => depth += 1,
            Token::Close => {
                depth -= 1;
                if depth == 0 {
                    return index;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

fn word(token: Option<&Token>) -> Option<&str> {
    match token {
        Some(Token::Word(word)) => Some(word),
        _ => None,
    }
}

const DEFINING: [&str; 9] = [
    "fn", "struct", "enum", "trait", "type", "const", "static", "mod", "union",
];

/// Adds what the tokens of a module name.
fn read(tokens: &[Token], module: &Module, files: &Files, out: &mut Found) {
    let mut at = 0;
    let mut in_use = false;
    while at < tokens.len() {
        if let Some(behind) = behind_test(tokens, at) {
            at = behind;
            continue;
        }
        let Some(first) = word(tokens.get(at)) else {
            in_use &= tokens[at] != Token::Other(';');
            at += 1;
            continue;
        };
        in_use |= first == "use";
        if DEFINING.contains(&first)
            && let Some(name) = word(tokens.get(at + 1))
            && (first != "mod" || tokens.get(at + 2) != Some(&Token::Other(';')))
        {
            out.defined.insert(name.to_owned());
        }
        // A module written out within the file: what it brings in is not in the file's own scope.
        if first == "mod"
            && let Some(name) = word(tokens.get(at + 1))
            && tokens.get(at + 2) == Some(&Token::Open(Delimiter::Brace))
        {
            let end = end_of(tokens, at + 2);
            let inner: Module = module.iter().cloned().chain([name.to_owned()]).collect();
            let mut inside = Found::default();
            read(&tokens[at + 3..end], &inner, files, &mut inside);
            out.paths.extend(inside.paths);
            at = end + 1;
            continue;
        }
        let goes_on = tokens.get(at + 1) == Some(&Token::Path);
        let is_tail = at > 0 && tokens[at - 1] == Token::Path;
        let base = match first {
            _ if !goes_on || is_tail => None,
            "crate" => Some(Vec::new()),
            "self" => Some(module.clone()),
            "super" => Some(parent(module)),
            name => {
                let child: Module = module.iter().cloned().chain([name.to_owned()]).collect();
                files.contains_key(&child).then_some(child)
            }
        };
        if let Some(base) = base {
            tree(tokens, at + 1, base, in_use, out);
        }
        at += 1;
    }
}

fn parent(module: &Module) -> Module {
    module[..module.len().saturating_sub(1)].to_vec()
}

/// Behind an item that is compiled for tests alone, where one begins here.
fn behind_test(tokens: &[Token], at: usize) -> Option<usize> {
    let is_attribute = tokens.get(at) == Some(&Token::Other('#'))
        && tokens.get(at + 1) == Some(&Token::Open(Delimiter::Bracket))
        && word(tokens.get(at + 2)) == Some("cfg")
        && word(tokens.get(at + 4)) == Some("test");
    if !is_attribute {
        return None;
    }
    let mut at = end_of(tokens, at + 1) + 1;
    while let Some(token) = tokens.get(at) {
        match token {
            Token::Other(';') => return Some(at + 1),
            Token::Open(Delimiter::Brace) => return Some(end_of(tokens, at) + 1),
            Token::Open(_) => at = end_of(tokens, at) + 1,
            _ => at += 1,
        }
    }
    Some(at)
}

/// Follows a path from its `::` on, into every branch.
fn tree(tokens: &[Token], mut at: usize, mut base: Module, in_use: bool, out: &mut Found) {
    while tokens.get(at) == Some(&Token::Path) {
        match tokens.get(at + 1) {
            Some(Token::Word(name)) if name == "super" => base = parent(&base),
            Some(Token::Word(name)) if name == "self" => {}
            Some(Token::Word(name)) => base.push(name.clone()),
            Some(Token::Open(Delimiter::Brace)) => {
                let end = end_of(tokens, at + 1);
                let mut from = at + 2;
                while from < end {
                    let mut branch = base.clone();
                    if let Some(name) = word(tokens.get(from)).filter(|name| *name != "self") {
                        branch.push(name.to_owned());
                    }
                    tree(tokens, from + 1, branch, in_use, out);
                    from = next_branch(tokens, from, end);
                }
                return;
            }
            Some(Token::Other('*')) if in_use => {
                out.brought_whole.push(base.clone());
                break;
            }
            _ => break,
        }
        at += 2;
    }
    if in_use && let Some(last) = base.last() {
        let renamed = (word(tokens.get(at)) == Some("as")).then(|| word(tokens.get(at + 1)));
        let name = renamed.flatten().unwrap_or(last).to_owned();
        out.brought.insert(name, base.clone());
    }
    out.paths.push(base);
}

fn next_branch(tokens: &[Token], from: usize, end: usize) -> usize {
    let mut at = from;
    while at < end {
        match tokens[at] {
            Token::Other(',') => return at + 1,
            Token::Open(_) => at = end_of(tokens, at) + 1,
            _ => at += 1,
        }
    }
    end
}

/// One way round each circle: the shortest from its first file.
fn rounds(names: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let mut told = BTreeSet::new();
    let mut found = Vec::new();
    for start in names.keys() {
        if told.contains(start) {
            continue;
        }
        if let Some(way) = way_back(names, start) {
            told.extend(way.iter().cloned());
            found.push(way.join(" → "));
        }
    }
    found
}

fn way_back(names: &BTreeMap<String, BTreeSet<String>>, start: &str) -> Option<Vec<String>> {
    let mut ways = std::collections::VecDeque::from([vec![start.to_owned()]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        for next in names.get(way.last()?)? {
            let longer = || way.iter().cloned().chain([next.clone()]).collect::<Vec<_>>();
            if next == start {
                return Some(longer());
            }
            if seen.insert(next.clone()) {
                ways.push_back(longer());
            }
        }
    }
    None
}

/// The finder finds: two files that name each other, three in a row, through a macro, a branch of a `use`, a re-export; and not
/// what a test names.
#[test]
fn circles_are_found() {
    let check = |files: &[(&str, &str)], expected: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        assert_eq!(circles(folder.path()), expected, "{files:?}");
    };
    let lib = ("lib.rs", "mod a; mod b; mod c;");
    let none = ("c.rs", "");
    check(
        &[lib, ("a.rs", "use crate::b::B;"), ("b.rs", "pub struct B;"), none],
        &[],
    );
    let two = ["a.rs → b.rs → a.rs"];
    check(
        &[
            lib,
            ("a.rs", "use crate::b::B;"),
            ("b.rs", "use super::a::A;"),
            none,
        ],
        &two,
    );
    check(
        &[
            lib,
            ("a.rs", "use crate::{b, c::{self}};"),
            ("b.rs", "fn f() { g!(crate::a::A) }"),
            none,
        ],
        &two,
    );
    let three = ["a.rs → b.rs → c.rs → a.rs"];
    let (ab, bc) = (("a.rs", "use super::b;"), ("b.rs", "fn f() { super::c::f() }"));
    check(&[lib, ab, bc, ("c.rs", "use crate::a;")], &three);
    check(
        &[lib, ab, bc, ("c.rs", "#[cfg(test)]\nmod tests { use crate::a; }")],
        &[],
    );
    let child = ("a/x.rs", "use super::A;");
    check(
        &[("lib.rs", ""), ("a/mod.rs", "mod x; pub struct A;"), child],
        &[],
    );
    check(
        &[
            ("lib.rs", ""),
            ("a/mod.rs", "mod x; pub use x::X; pub struct A;"),
            child,
        ],
        &["a/mod.rs → a/x.rs → a/mod.rs"],
    );
    // Through a face: needed is the file a thing comes from, by its name, another name, or all names; what the face has itself
    // is the face's.
    let b = ("b.rs", "use crate::a::A; pub struct B;");
    let d = ("c.rs", "pub struct D;");
    for (face, named, expected) in [
        ("pub use b::B;", "B", &two[..]),
        ("pub use b::B as C;", "C", &two),
        ("pub use b::*;", "B", &two),
        ("pub use b::B; pub use c::D;", "D", &[]),
        (
            "pub use b::*; pub struct D;",
            "D",
            &["a.rs → lib.rs → b.rs → a.rs"],
        ),
        ("pub use a::A; pub struct D;", "D", &["a.rs → lib.rs → a.rs"]),
    ] {
        let face = format!("mod a; mod b; mod c; {face}");
        let a = format!("use crate::{named}; pub struct A;");
        check(&[("lib.rs", &face), ("a.rs", &a), b, d], expected);
    }
}
