//! What a shell would run: a text falls into commands, each into the programs behind its prefixes and wrappers.
//!
//! Whatever a program nobody knows is given may be a command, a script or a text decoded into one: it is read as each of
//! them, for the hard rules' sake.

use super::reading::{Reading, Risk};
use super::{decode, table, touch};
use crate::input::Input;
use crate::link;
use brush_parser::{Token, TokenizerOptions, uncached_tokenize_str};
use protocol::RuleName;
use std::collections::BTreeMap;
use std::panic::catch_unwind;

/// What only the phone's shell could work out. No argument of a program holds a NUL.
const UNKNOWN: &str = "\0";
/// The longest text that is read command by command, and all that is read of one with what lies in it; in bytes.
const LONGEST: usize = 10_000;
const MOST: usize = 200_000;
/// How deep texts lie in texts; brackets in one: the tokenizer's stack follows them.
const DEEPEST: usize = 6;
const BRACKETS: usize = 48;
/// How many words after a program are looked at where it is not certain that it is one.
const REACH: usize = 24;
/// What stands before a command and is none; what prints its arguments.
const BEFORE: &str =
    "if then elif else fi while until do done esac { } ! time function coproc export local readonly";
const PRINTS: &str = "echo printf print cat base64 xxd";

/// What was found so far.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) never: Option<RuleName>,
    pub(super) opaque: bool,
    pub(super) risks: Vec<Risk>,
    /// Texts that something opaque may run; the last one that was printed.
    literals: Vec<String>,
    printed: String,
    variables: BTreeMap<String, String>,
    read: usize,
}

impl Reader {
    /// Reads one command; what it asks about is in [`Reader::risks`].
    pub(super) fn run(&mut self, words: &[String], depth: usize) -> Reading {
        let plain = !words.iter().any(|word| word.contains(is_odd));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let inner = unwrapped(&words);
        if plain && table::reads(inner) {
            return Reading::Reads;
        }
        let lower = inner.join("\n").to_lowercase();
        let mut lower: Vec<&str> = lower.split('\n').collect();
        let known = self.look(&lower).filter(|_| lower.first() == inner.first());
        // What is typed is no command.
        if table::tool(&lower).0 != "input" {
            self.look(&[&["*"], lower.as_slice()].concat());
        }
        let piped = std::mem::take(&mut self.printed);
        match (touch::lower(inner), known) {
            (Some(inputs), _) if plain => {
                if let [Input::Link(url)] = inputs.as_slice() {
                    self.never = self.never.or(link::never(url));
                }
                return Reading::Touches(inputs);
            }
            (_, Some(false)) if plain => return Reading::Asks(Vec::new()),
            (_, Some(_)) => return Reading::Always(Vec::new()),
            (_, None) => self.opaque = true,
        }
        lower.extend(piped.split_whitespace());
        self.scan(&lower);
        let (first, rest) = inner.split_first().unwrap_or((&"", &[]));
        let given = rest.iter().skip_while(|word| word.starts_with('-'));
        let given: Vec<&str> = given.copied().collect();
        let values = given.iter().filter_map(|word| Some(assigned(word)?.1));
        for text in values.chain([*first, &given.join(" ")]) {
            self.keep(text);
            if text.contains(|c| !is_bare(c)) {
                self.script(text, depth + 1);
            }
        }
        Reading::Always(Vec::new())
    }

    /// Something opaque may run it.
    fn keep(&mut self, text: &str) {
        self.read += 4 * text.len();
        self.literals.extend((self.read < MOST).then(|| text.to_owned()));
    }

    /// What the table says of a command in lower case; whether it asks always, where the table knows its program.
    fn look(&mut self, words: &[&str]) -> Option<bool> {
        let told = table::risks_of(words);
        self.never = self.never.or(told.never);
        for risk in told.risks {
            if self.risks.iter().all(|known| known.0 != risk.0) {
                self.risks.push(risk);
            }
        }
        told.known.then_some(told.always)
    }

    /// Every word may be a program, the ones after it its arguments.
    fn scan(&mut self, words: &[&str]) {
        self.look(&[&["*"], words].concat());
        for at in 0..words.len() {
            // In some languages they are words like others.
            let speaks = at > 0 && matches!(words[at], "su" | "wipe" | "remount");
            let named = ["root", "data", "system", "all"];
            let on = |next: &&str| next.starts_with(char::is_alphabetic) && !named.contains(next);
            if self.read < MOST && !(speaks && words.get(at + 1).is_some_and(on)) {
                let known = self.look(&words[at..words.len().min(at + REACH)]);
                self.read += if known.is_some() { 8 * REACH } else { 8 };
            }
        }
    }

    /// Reads a text for a shell.
    pub(super) fn script(&mut self, text: &str, depth: usize) {
        self.read += text.len();
        if self.read > MOST {
            return;
        }
        let opens = ["$(", "${", "$["].map(|one| text.matches(one).count());
        let opens: usize = opens.iter().sum();
        let few = opens < BRACKETS && depth <= DEEPEST && text.len() < LONGEST;
        // The tokenizer never comes back from a here-document inside brackets that are not closed.
        let fits = few && (opens == 0 || !text.contains("<<"));
        let text = text.replace(is_odd, "\n");
        let tokens =
            fits.then(|| catch_unwind(|| uncached_tokenize_str(&text, &TokenizerOptions::default())));
        let mut words = Vec::new();
        let Some(Ok(Ok(tokens))) = tokens else {
            // What cannot be read is looked through for what is never run.
            self.opaque = true;
            self.keep(&text);
            let bare = text.replace(['\'', '"', '\\'], "").to_lowercase();
            let bare = bare.replace(|c| ";|&(){}<>`$,\n".contains(c), " ; ");
            words.extend(bare.split_whitespace());
            self.scan(&words);
            // An alias, or a variable that is run.
            let values = words
                .iter()
                .map(|word| assigned(word).map_or(*word, |(_, value)| value));
            return self.scan(&values.collect::<Vec<_>>());
        };
        for token in &tokens {
            match token {
                Token::Word(word, _) => words.push(word.as_str()),
                // Files and here-documents are arguments like others.
                Token::Operator(operator, _) if operator.contains('>') => words.push(">"),
                Token::Operator(operator, _) if operator.contains('<') => {}
                Token::Operator(..) => self.command(&std::mem::take(&mut words), depth),
            }
        }
        self.command(&words, depth);
    }

    /// Takes off what is no program, fills in what is known, and reads the rest.
    fn command(&mut self, mut words: &[&str], depth: usize) {
        while let Some((first, rest)) = words.split_first() {
            if let ("for" | "select", [name, _, values @ ..]) = (*first, rest) {
                let values = values.iter().flat_map(|value| self.expand(value, depth));
                let values: Vec<String> = values.collect();
                self.variables.insert((*name).to_owned(), values.join(" "));
                return;
            }
            if let Some((name, value)) = assigned(first) {
                let value = self.expand(value, depth).join(" ");
                self.keep(&value);
                self.variables.insert(name.to_owned(), value);
            } else if !BEFORE.split(' ').any(|word| word == *first) {
                break;
            }
            words = rest;
        }
        let Some(first) = words.first().filter(|first| **first != "case") else {
            return;
        };
        // Whatever it turns out to be, it is no program known by its name.
        let computed = first.contains(['$', '`', '*', '?', '{', '(']);
        let mut run = vec![UNKNOWN.to_owned(); usize::from(computed)];
        run.extend(words.iter().flat_map(|word| self.expand(word, depth)));
        for pair in run.windows(2).filter(|pair| pair[0] == ">") {
            self.scan(&["tee", &pair[1].to_lowercase()]);
        }
        self.run(&run, depth);
        if let Some((name, printed)) = run.split_first()
            && PRINTS.split(' ').any(|known| known == name)
        {
            let printed = printed.join(" ");
            self.keep(&printed);
            self.printed = printed;
        }
    }

    /// The words a word comes to, what is known of its variables filled in.
    fn expand(&mut self, raw: &str, depth: usize) -> Vec<String> {
        let mut raw = raw.replace("${IFS}", " ").replace("$IFS", " ");
        let separators = self.variables.get("IFS").map_or(" ", String::as_str);
        // The longest name first.
        for (name, value) in self.variables.iter().rev() {
            let value = value.replace(|c| separators.contains(c), " ");
            if raw.matches('$').count() * value.len() < LONGEST {
                raw = raw.replace(&format!("${{{name}}}"), &value);
                raw = raw.replace(&format!("${name}"), &value);
            }
        }
        self.read += raw.len();
        let text = unquoted(&raw);
        let runs = ["$(", "${", "`"].iter().any(|one| raw.contains(one));
        if runs && !raw.starts_with('\'') {
            self.script(
                &raw.trim_matches('"').replace(['(', ')', '{', '}', '`'], "\n"),
                depth + 1,
            );
        }
        if raw.contains(['\'', '"', '\\']) {
            // A here-document: a shell that gets it reads its quotes itself.
            if raw.contains('\n') && !is_one_quote(&raw) {
                self.script(&raw, depth + 1);
            }
            return vec![text];
        }
        let parts = |c: char| c.is_whitespace() || (raw.contains(',') && "{,}".contains(c));
        let words = text.split(parts).filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    }

    /// Where something opaque runs, every text in reach may be what it runs, as it stands or decoded.
    pub(super) fn read_literals(&mut self) {
        let risks = self.risks.clone();
        let mut literals = std::mem::take(&mut self.literals);
        for _ in 0..3 {
            literals.retain(|_| self.opaque);
            for literal in &literals {
                self.script(literal, DEEPEST);
            }
            literals = literals
                .iter()
                .flat_map(|literal| decode::decoded(literal, true))
                .collect();
        }
        self.risks = risks;
    }
}

/// The command behind the ways to name a program that change nothing about it.
fn unwrapped<'a>(words: &'a [&'a str]) -> &'a [&'a str] {
    match words {
        ["adb", "shell", inner @ ..] | ["adb", "-s", _, "shell", inner @ ..]
            if !inner.concat().contains(|c| !is_bare(c)) =>
        {
            inner
        }
        ["toybox" | "/system/bin/toybox", inner @ ..] => inner,
        words => words,
    }
}

/// `name=value`, `name+=value`.
fn assigned(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    plain.then_some((name, value))
}

/// A word without its quotes, its escapes worked out.
fn unquoted(raw: &str) -> String {
    let (mut text, mut quote, mut letters) = (String::new(), None, raw.chars());
    while let Some(c) = letters.next() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None | Some('"'), '\\') => {
                let next = letters.next();
                let kept = quote.is_some() && next.is_some_and(|next| !"$`\"\\".contains(next));
                text.extend(kept.then_some('\\').into_iter().chain(next));
            }
            _ => text.push(c),
        }
    }
    let codes = raw.contains("$'");
    if codes {
        decode::unescape(&text.replace('$', ""))
    } else {
        text
    }
}

/// One quoted text from its beginning to its end.
fn is_one_quote(raw: &str) -> bool {
    let inside = |quote| raw.strip_prefix(quote)?.strip_suffix(quote);
    ['\'', '"']
        .into_iter()
        .any(|quote| inside(quote).is_some_and(|text| !text.contains(quote)))
}

/// A letter that means itself to every shell.
fn is_bare(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_./:@%+".contains(c)
}

/// Control characters, and blanks that are none to every shell.
fn is_odd(c: char) -> bool {
    let blank = c.is_control() || c.is_whitespace() || c == '\u{feff}';
    (blank && !" \n\t".contains(c)) || ('\u{200b}'..='\u{200f}').contains(&c)
}
