//! A script, taken apart into the commands a shell would run.
//!
//! Quotes, escapes, `;`, `&&`, `||`, pipes, newlines, groups, `$()` and backquotes, here-documents, comments, reserved
//! words, plain assignments and their use, and what other commands run: `sh -c`, `su -c`, `eval`, `env`, `xargs`,
//! `timeout`, `find -exec`. What a variable holds that the script does not say stays unknown.

use std::collections::BTreeMap;

/// Scripts inside scripts, at most.
const DEPTH: usize = 8;
/// Commands, at most: a longer script is judged by these, and asked about anyway.
const MOST: usize = 2000;

const RESERVED: &[&str] = &[
    "if", "then", "else", "elif", "fi", "do", "done", "while", "until", "esac", "{", "}", "!", "time",
    "function", "in",
];
const SHELLS: &[&str] = &["sh", "bash", "mksh", "ash", "dash", "zsh", "su"];

/// One command: its words, where its output goes, and what runs it stripped off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Command {
    pub(super) words: Vec<String>,
    /// Files its output or input is sent to.
    pub(super) redirects: Vec<String>,
    /// It reads its input from the command before it.
    piped: bool,
}

impl Command {
    /// The program, without its folder.
    pub(super) fn name(&self) -> &str {
        self.words
            .first()
            .map_or("", |word| word.rsplit('/').next().unwrap_or(word))
    }
}

/// Every command of a script, those inside other commands too, in order.
pub(super) fn commands(script: &str) -> Vec<Command> {
    let mut all = Vec::new();
    read(script, 0, &mut BTreeMap::new(), &mut all);
    all
}

fn read(script: &str, depth: usize, known: &mut BTreeMap<String, String>, all: &mut Vec<Command>) {
    if depth > DEPTH {
        return;
    }
    let mut reader = Reader {
        rest: script.chars().collect::<Vec<_>>(),
        at: 0,
        known,
        nested: Vec::new(),
        here: Vec::new(),
    };
    let found = reader.commands();
    let nested = std::mem::take(&mut reader.nested);
    let mut before: Option<Command> = None;
    for command in found {
        if all.len() >= MOST {
            return;
        }
        unwrap(&command, before.as_ref(), depth, known, all);
        before = Some(command);
    }
    for script in nested {
        read(&script, depth + 1, known, all);
    }
}

/// Adds a command, and what it runs.
fn unwrap(
    command: &Command,
    before: Option<&Command>,
    depth: usize,
    known: &mut BTreeMap<String, String>,
    all: &mut Vec<Command>,
) {
    all.push(command.clone());
    if depth > DEPTH {
        return;
    }
    let words = &command.words;
    let name = command.name().to_owned();
    let inner = |from: usize| Command {
        words: words.get(from..).unwrap_or_default().to_vec(),
        redirects: command.redirects.clone(),
        piped: command.piped,
    };
    let plain = |from: usize| {
        (from..words.len()).find(|at| {
            let word = &words[*at];
            !word.starts_with('-') && !word.contains('=') && !word.starts_with(|c: char| c.is_ascii_digit())
        })
    };
    match name.as_str() {
        name if SHELLS.contains(&name) => {
            let script = words
                .iter()
                .position(|word| word.starts_with('-') && !word.starts_with("--") && word.contains('c'));
            if let Some(script) = script.and_then(|at| words.get(at + 1)) {
                read(script, depth + 1, known, all);
            } else if command.piped
                && let Some(before) = before
                && matches!(before.name(), "echo" | "printf")
            {
                read(&before.words[1..].join(" "), depth + 1, known, all);
            } else if name == "su" && words.len() > 2 {
                read(&words[2..].join(" "), depth + 1, known, all);
            }
        }
        "eval" | "." | "source" => read(&words[1..].join(" "), depth + 1, known, all),
        "env" | "nohup" | "setsid" | "timeout" | "nice" | "ionice" | "exec" | "toybox" | "busybox"
        | "toolbox" | "xargs" | "command" | "builtin" | "time" | "sudo" | "run-as" | "chroot" => {
            if let Some(from) = plain(1) {
                unwrap(&inner(from), before, depth + 1, known, all);
            }
        }
        "find" => {
            let runs = |word: &String| matches!(word.as_str(), "-exec" | "-execdir" | "-ok");
            if let Some(at) = words.iter().position(runs) {
                let mut run = inner(at + 1);
                // What is found lies under the place that is searched.
                run.words.extend(
                    words
                        .iter()
                        .skip(1)
                        .take_while(|word| !word.starts_with('-'))
                        .cloned(),
                );
                unwrap(&run, before, depth + 1, known, all);
            }
            if words.iter().any(|word| word == "-delete") {
                let mut run = vec!["rm".to_owned(), "-r".to_owned()];
                run.extend(
                    words
                        .iter()
                        .skip(1)
                        .take_while(|word| !word.starts_with('-'))
                        .cloned(),
                );
                all.push(Command {
                    words: run,
                    ..Command::default()
                });
            }
        }
        _ => {}
    }
}

struct Reader<'a> {
    rest: Vec<char>,
    at: usize,
    known: &'a mut BTreeMap<String, String>,
    /// What stands in `$()`.
    nested: Vec<String>,
    /// Ends of here-documents that begin at the next line.
    here: Vec<String>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn commands(&mut self) -> Vec<Command> {
        let mut all = Vec::new();
        let mut current = Command::default();
        let mut redirects = false;
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\r' => self.at += 1,
                '\\' if self.rest.get(self.at + 1) == Some(&'\n') => self.at += 2,
                '#' => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.at += 1;
                    }
                }
                ';' | '&' | '|' | '\n' | '(' | ')' => {
                    self.at += 1;
                    let pipes = c == '|' && self.peek() != Some('|');
                    self.finish(&mut all, std::mem::take(&mut current));
                    if c == '\n' {
                        let documents = self.documents();
                        if let Some(last) = all.last()
                            && SHELLS.contains(&last.name())
                        {
                            self.nested.extend(documents);
                        }
                    }
                    if c == '|' && !pipes {
                        self.at += 1;
                    }
                    current.piped = pipes;
                    redirects = false;
                }
                '<' | '>' => {
                    self.at += 1;
                    if c == '<' && self.peek() == Some('<') {
                        self.at += 1;
                        if self.peek() == Some('-') {
                            self.at += 1;
                        }
                        while self.peek() == Some(' ') {
                            self.at += 1;
                        }
                        let end = self.word();
                        self.here.push(end);
                    } else {
                        while self.peek().is_some_and(|c| matches!(c, '>' | '&' | '|')) {
                            self.at += 1;
                        }
                        redirects = true;
                    }
                }
                _ => {
                    let before = self.at;
                    let word = self.word();
                    if self.at == before {
                        self.at += 1;
                    } else if std::mem::take(&mut redirects) {
                        current.redirects.push(word);
                    } else {
                        current.words.push(word);
                    }
                }
            }
        }
        self.finish(&mut all, current);
        all
    }

    /// Reserved words and assignments are taken off; what is left is a command.
    fn finish(&mut self, all: &mut Vec<Command>, mut command: Command) {
        while let Some(first) = command.words.first() {
            if RESERVED.contains(&first.as_str()) {
                command.words.remove(0);
            } else if let Some((name, value)) = assignment(first) {
                self.known.insert(name, value);
                command.words.remove(0);
            } else {
                break;
            }
        }
        if matches!(command.name(), "export" | "local" | "readonly") {
            for word in &command.words[1..] {
                if let Some((name, value)) = assignment(word) {
                    self.known.insert(name, value);
                }
            }
        }
        // `for f in a b`: no command, but what it counts through is known.
        if command.name() == "for" {
            if let [_, name, _, values @ ..] = command.words.as_slice() {
                self.known.insert(name.clone(), values.join(" "));
            }
            return;
        }
        if !command.words.is_empty() || !command.redirects.is_empty() {
            all.push(command);
        }
    }

    /// The here-documents that begin here.
    fn documents(&mut self) -> Vec<String> {
        let mut documents = Vec::new();
        for end in std::mem::take(&mut self.here) {
            let mut text = String::new();
            while self.at < self.rest.len() {
                let mut line = String::new();
                while let Some(c) = self.next() {
                    if c == '\n' {
                        break;
                    }
                    line.push(c);
                }
                if line.trim_start_matches('\t') == end {
                    break;
                }
                text.push_str(&line);
                text.push('\n');
            }
            documents.push(text);
        }
        documents
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>' => break,
                '\'' => {
                    self.at += 1;
                    while let Some(c) = self.next() {
                        if c == '\'' {
                            break;
                        }
                        word.push(c);
                    }
                }
                '"' => {
                    self.at += 1;
                    while let Some(c) = self.peek() {
                        match c {
                            '"' => {
                                self.at += 1;
                                break;
                            }
                            '\\' => {
                                self.at += 1;
                                word.extend(self.next());
                            }
                            '$' | '`' => self.expand(&mut word),
                            c => {
                                self.at += 1;
                                word.push(c);
                            }
                        }
                    }
                }
                '\\' => {
                    self.at += 1;
                    word.extend(self.next().filter(|c| *c != '\n'));
                }
                '$' | '`' => self.expand(&mut word),
                c => {
                    self.at += 1;
                    word.push(c);
                }
            }
        }
        word
    }

    /// `$name`, `${name}`, `$(script)`, `` `script` ``.
    fn expand(&mut self, word: &mut String) {
        let opening = self.next();
        if opening == Some('`') {
            let mut script = String::new();
            while let Some(c) = self.next() {
                match c {
                    '`' => break,
                    '\\' => script.extend(self.next()),
                    c => script.push(c),
                }
            }
            self.nested.push(script);
            return;
        }
        match self.peek() {
            Some('(') => {
                let script = self.between('(', ')');
                // `$((1+1))` only counts.
                if !script.starts_with('(') {
                    self.nested.push(script);
                }
            }
            Some('{') => {
                let inside = self.between('{', '}');
                let name: String = inside
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .collect();
                if let Some(value) = self.known.get(&name) {
                    word.push_str(value);
                }
            }
            Some(c) if c.is_alphabetic() || c == '_' => {
                let mut name = String::new();
                while let Some(c) = self.peek().filter(|c| c.is_alphanumeric() || *c == '_') {
                    name.push(c);
                    self.at += 1;
                }
                match self.known.get(&name) {
                    Some(value) => word.push_str(value),
                    None => {
                        word.push('$');
                        word.push_str(&name);
                    }
                }
            }
            _ => word.push('$'),
        }
    }

    /// What stands between two brackets, quotes minded.
    fn between(&mut self, open: char, close: char) -> String {
        let mut inside = String::new();
        let mut depth = 0_usize;
        let mut quote: Option<char> = None;
        while let Some(c) = self.next() {
            if c == '\\' {
                inside.push(c);
                inside.extend(self.next());
                continue;
            }
            match quote {
                Some(end) if c == end => quote = None,
                Some(_) => {}
                None if c == '\'' || c == '"' => quote = Some(c),
                None if c == open => {
                    depth += 1;
                    if depth == 1 {
                        continue;
                    }
                }
                None if c == close => {
                    depth -= 1;
                    if depth == 0 {
                        return inside;
                    }
                }
                None => {}
            }
            inside.push(c);
        }
        inside
    }
}

/// `name=value`.
fn assignment(word: &str) -> Option<(String, String)> {
    let (name, value) = word.split_once('=')?;
    let named = name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    named.then(|| (name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(script: &str, expected: &[&str]) {
        let found: Vec<String> = commands(script)
            .iter()
            .map(|command| command.words.join(" "))
            .collect();
        assert_eq!(found, expected, "{script}");
    }

    #[test]
    fn a_script_falls_into_its_commands() {
        check(
            "ls; rm -r 'a b' && date | wc -l",
            &["ls", "rm -r a b", "date", "wc -l"],
        );
        check("echo 'rm -rf /; su'", &["echo rm -rf /; su"]);
        check("x=$(su -c id)", &["su -c id", "id"]);
        check("a=rm; $a -rf /sdcard", &["rm -rf /sdcard"]);
        check(
            "sh -c \"pm 'install' x\"",
            &["sh -c pm 'install' x", "pm install x"],
        );
        check(
            "timeout 5 env A=b rm x",
            &["timeout 5 env A=b rm x", "env A=b rm x", "rm x"],
        );
        check("# rm -rf /\nls # su", &["ls"]);
        check("cat <<E\nsu\nE\nid", &["cat", "id"]);
        check("sh <<E\nsu\nE\nid", &["sh", "id", "su"]);
        check("for f in a b; do rm $f; done", &["rm a b"]);
        check(
            "echo rm -rf /sdcard | sh",
            &["echo rm -rf /sdcard", "sh", "rm -rf /sdcard"],
        );
        check("echo $((1+1)) `id`", &["echo  ", "id"]);
        check(
            "find /sdcard -name x -delete",
            &["find /sdcard -name x -delete", "rm -r /sdcard"],
        );
        check("\"", &[""]);
    }
}
