//! What the shell does itself.

use super::escape::unescape;
use super::variables::is_name;
use super::{CommandResult, Flow, Shell, condition};
use crate::files::{Errno, absolute};

/// POSIX's special builtins: assignments before them stay.
pub(super) const SPECIAL: [&str; 14] = [
    ":", ".", "break", "continue", "eval", "exec", "exit", "export", "readonly", "return", "set", "shift",
    "trap", "unset",
];

/// Every builtin.
pub(super) const NAMES: [&str; 40] = [
    ":", ".", "[", "alias", "break", "builtin", "cd", "command", "continue", "declare", "echo", "eval",
    "exec", "exit", "export", "false", "jobs", "kill", "let", "local", "print", "pwd", "read", "readonly",
    "return", "set", "shift", "source", "test", "trap", "true", "type", "typeset", "ulimit", "umask",
    "unset", "wait", "whence", "bg", "fg",
];

impl Shell {
    pub(super) async fn builtin(&mut self, name: &str, words: &[String]) -> CommandResult {
        let arguments = words.get(1..).unwrap_or_default();
        match name {
            ":" | "true" => Ok(0),
            "false" => Ok(1),
            "echo" | "print" => self.echo(arguments).await,
            "test" => self.test(name, arguments).await,
            "[" => match arguments.split_last() {
                Some((last, inner)) if last == "]" => self.test(name, inner).await,
                _ => {
                    self.complain("[: missing ]").await?;
                    Ok(2)
                }
            },
            "cd" => self.change_directory(arguments).await,
            "pwd" => {
                self.call.out(format!("{}\n", self.call.directory)).await?;
                Ok(0)
            }
            "break" => Err(Flow::Break(self.levels(arguments))),
            "continue" => Err(Flow::Continue(self.levels(arguments))),
            "return" => Err(Flow::Return(self.status_argument(arguments))),
            "exit" => Err(Flow::Exit(self.status_argument(arguments))),
            "eval" => {
                let text = arguments.join(" ");
                self.run_text(&text, false).await
            }
            "exec" => {
                let environment = self.variables.environment();
                let descriptors = self.call.descriptors.clone();
                self.traps.clear();
                let status = self
                    .run_program_named(arguments.to_vec(), environment, descriptors, true)
                    .await?;
                Err(Flow::Exit(status))
            }
            "command" | "builtin" => self.command_builtin(arguments).await,
            "type" | "whence" => self.whence(arguments, name == "type").await,
            "export" | "readonly" | "local" | "typeset" | "declare" => self.declare(name, arguments).await,
            "unset" => self.unset(arguments).await,
            "set" => self.set(arguments).await,
            "shift" => self.shift(arguments).await,
            "read" => self.read(arguments).await,
            "let" => {
                let mut value = 0;
                for text in arguments {
                    value = self.calculate(text).await?;
                }
                Ok(i32::from(value == 0))
            }
            "." | "source" => self.source(arguments).await,
            "umask" => self.umask(arguments).await,
            "ulimit" => {
                self.call.out("unlimited\n").await?;
                Ok(0)
            }
            "kill" => self.kill(arguments).await,
            "wait" => self.wait(arguments).await,
            "jobs" => self.list_jobs().await,
            "trap" => self.trap(arguments).await,
            "alias" => Ok(0),
            _ => {
                self.complain(format!("{name}: job control not enabled")).await?;
                Ok(1)
            }
        }
    }

    fn levels(&self, arguments: &[String]) -> u32 {
        let levels = arguments.first().and_then(|word| word.parse().ok()).unwrap_or(1);
        levels.clamp(1, self.loops.max(1))
    }

    fn status_argument(&self, arguments: &[String]) -> i32 {
        arguments
            .first()
            .and_then(|word| word.parse().ok())
            .unwrap_or(self.status)
    }

    /// mksh's `echo` carries out escapes unless told `-E`.
    async fn echo(&mut self, arguments: &[String]) -> CommandResult {
        let (mut newline, mut escapes) = (true, true);
        let mut rest = arguments;
        while let Some((flags, after)) = rest.split_first()
            && flags.len() > 1
            && flags.starts_with('-')
            && flags.chars().skip(1).all(|flag| "neE".contains(flag))
        {
            for flag in flags.chars() {
                match flag {
                    'n' => newline = false,
                    'e' => escapes = true,
                    'E' => escapes = false,
                    _ => {}
                }
            }
            rest = after;
        }
        let mut text = rest.join(" ");
        if escapes {
            let unescaped = unescape(&text);
            newline &= !unescaped.stopped;
            text = unescaped.text;
        }
        if newline {
            text.push('\n');
        }
        match self.call.out_checked(text.into()).await? {
            Ok(()) => Ok(0),
            Err(errno) => {
                self.complain(format!("echo: {errno}")).await?;
                Ok(1)
            }
        }
    }

    async fn test(&mut self, name: &str, words: &[String]) -> CommandResult {
        match condition::test(&self.call, words) {
            Ok(answer) => Ok(i32::from(!answer)),
            Err(problem) => {
                self.complain(format!("{name}: {problem}")).await?;
                Ok(2)
            }
        }
    }

    async fn change_directory(&mut self, arguments: &[String]) -> CommandResult {
        let old = self.call.directory.clone();
        let arguments: Vec<&String> = arguments
            .iter()
            .filter(|word| !matches!(word.as_str(), "-L" | "-P" | "--"))
            .collect();
        let target = match arguments.first().map(|word| word.as_str()) {
            None => self.variables.get("HOME").unwrap_or("/").to_owned(),
            Some("-") => self.variables.get("OLDPWD").unwrap_or(&old).to_owned(),
            Some(target) => target.to_owned(),
        };
        let path = self.call.path(&target);
        let files = &self.call.phone.files;
        let problem = match files.stat(&path, crate::files::FollowLinks::Yes) {
            Err(errno) => Some(errno),
            Ok(stat) if !stat.is_directory() => Some(Errno::NotDirectory),
            Ok(_) if !files.may(&path, 1) => Some(Errno::Access),
            Ok(_) => None,
        };
        if let Some(errno) = problem {
            self.complain(format!("cd: {target}: {errno}")).await?;
            return Ok(2);
        }
        if arguments.first().is_some_and(|word| word.as_str() == "-") {
            self.call.out(format!("{path}\n")).await?;
        }
        self.call.directory = absolute("/", &path);
        // Neither name is ever made readonly by the shell itself; a person's `readonly PWD` keeps its value.
        let _ = self.variables.set("OLDPWD", old);
        let _ = self.variables.set("PWD", self.call.directory.clone());
        Ok(0)
    }

    async fn command_builtin(&mut self, arguments: &[String]) -> CommandResult {
        let mut rest = arguments;
        while let Some((flag, after)) = rest.split_first() {
            match flag.as_str() {
                "-v" => return self.whence(after, false).await,
                "-V" => return self.whence(after, true).await,
                "-p" | "--" => rest = after,
                _ => break,
            }
        }
        let Some(name) = rest.first().cloned() else {
            return Ok(0);
        };
        if NAMES.contains(&name.as_str()) {
            return Box::pin(self.builtin(&name, rest)).await;
        }
        let environment = self.variables.environment();
        let descriptors = self.call.descriptors.clone();
        self.run_program_named(rest.to_vec(), environment, descriptors, false)
            .await
    }

    /// `command -v`, `whence`, `type`.
    async fn whence(&mut self, names: &[String], talkative: bool) -> CommandResult {
        let mut status = 0;
        for name in names.iter().filter(|name| !name.starts_with('-')) {
            let line = if self.functions.contains_key(name) {
                Some(if talkative {
                    format!("{name} is a function")
                } else {
                    name.clone()
                })
            } else if NAMES.contains(&name.as_str()) {
                Some(if talkative {
                    format!("{name} is a shell builtin")
                } else {
                    name.clone()
                })
            } else {
                let path = self.path_of(name);
                path.map(|path| {
                    if talkative {
                        format!("{name} is {path}")
                    } else {
                        path
                    }
                })
            };
            match line {
                Some(line) => self.call.out(line + "\n").await?,
                None => {
                    status = 1;
                    if talkative {
                        self.call.out(format!("{name} not found\n")).await?;
                    }
                }
            }
        }
        Ok(status)
    }

    fn path_of(&self, name: &str) -> Option<String> {
        let path = self.variables.get("PATH").unwrap_or(super::exec::DEFAULT_PATH);
        super::exec::path_of(&self.call, path, name)
    }

    async fn declare(&mut self, name: &str, arguments: &[String]) -> CommandResult {
        let flags: String = arguments
            .iter()
            .filter(|word| word.starts_with('-'))
            .flat_map(|word| word.chars())
            .collect();
        let assignments: Vec<&String> = arguments.iter().filter(|word| !word.starts_with('-')).collect();
        if assignments.is_empty() {
            let lines: Vec<String> = if name == "export" {
                self.variables
                    .environment()
                    .iter()
                    .map(|(name, value)| format!("export {name}={}\n", quoted(value)))
                    .collect()
            } else {
                self.variables
                    .all()
                    .map(|(name, value)| format!("{name}={}\n", quoted(value)))
                    .collect()
            };
            self.call.out(lines.concat()).await?;
            return Ok(0);
        }
        for word in assignments {
            let (variable, value) = match word.split_once('=') {
                Some((variable, value)) => (variable, Some(value)),
                None => (word.as_str(), None),
            };
            if !is_name(variable) {
                self.complain(format!("{name}: {variable}: is not an identifier"))
                    .await?;
                return Ok(1);
            }
            let local = name == "local" || (self.calls > 0 && matches!(name, "typeset" | "declare"));
            if local && !flags.contains('g') {
                self.variables.make_local(variable);
            }
            if let Some(value) = value
                && let Err(readonly) = self.variables.set(variable, value)
            {
                self.complain(readonly).await?;
                return Err(Flow::Exit(2));
            }
            if name == "export" || flags.contains('x') {
                self.variables.export(variable, !flags.contains('n'));
            }
            if name == "readonly" || flags.contains('r') {
                self.variables.make_readonly(variable);
            }
        }
        Ok(0)
    }

    async fn unset(&mut self, arguments: &[String]) -> CommandResult {
        let functions = arguments.first().is_some_and(|word| word == "-f");
        for name in arguments.iter().filter(|word| !word.starts_with('-')) {
            if functions {
                self.functions.remove(name);
            } else if let Err(readonly) = self.variables.unset(name) {
                self.complain(readonly).await?;
                return Err(Flow::Exit(2));
            }
        }
        Ok(0)
    }

    async fn set(&mut self, arguments: &[String]) -> CommandResult {
        if arguments.is_empty() {
            let lines: String = self
                .variables
                .all()
                .map(|(name, value)| format!("{name}={}\n", quoted(value)))
                .collect();
            self.call.out(lines).await?;
            return Ok(0);
        }
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let on = match word.chars().next() {
                Some('-') if word == "--" => {
                    self.positional = words.cloned().collect();
                    return Ok(0);
                }
                Some('-') => true,
                Some('+') => false,
                _ => {
                    self.positional = std::iter::once(word).chain(words).cloned().collect();
                    return Ok(0);
                }
            };
            for flag in word.chars().skip(1) {
                let long = if flag == 'o' {
                    words.next().map(String::as_str)
                } else {
                    None
                };
                match (flag, long) {
                    ('e', _) | (_, Some("errexit")) => self.options.errexit = on,
                    ('u', _) | (_, Some("nounset")) => self.options.nounset = on,
                    ('x', _) | (_, Some("xtrace")) => self.options.xtrace = on,
                    ('f', _) | (_, Some("noglob")) => self.options.noglob = on,
                    _ => {}
                }
            }
        }
        Ok(0)
    }

    async fn shift(&mut self, arguments: &[String]) -> CommandResult {
        let count = match arguments.first().map(|word| word.parse::<usize>()) {
            None => 1,
            Some(Ok(count)) if count <= self.positional.len() => count,
            _ => {
                self.complain("shift: nothing to shift").await?;
                return Err(Flow::Exit(1));
            }
        };
        self.positional.drain(..count.min(self.positional.len()));
        Ok(0)
    }

    /// In octal, as mksh prints and takes it.
    async fn umask(&mut self, arguments: &[String]) -> CommandResult {
        let Some(word) = arguments.first() else {
            let umask = self.call.process.umask();
            self.call.out(format!("{umask:04o}\n")).await?;
            return Ok(0);
        };
        match u32::from_str_radix(word, 8) {
            Ok(umask) => {
                self.call.process.set_umask(umask);
                Ok(0)
            }
            Err(_) => {
                self.complain("umask: bad mask").await?;
                Ok(1)
            }
        }
    }

    /// `read [-r] [-t SECONDS] [NAME…]`.
    async fn read(&mut self, arguments: &[String]) -> CommandResult {
        let (mut raw, mut limit) = (false, None);
        let mut words = arguments.iter();
        let mut names: Vec<String> = Vec::new();
        while let Some(word) = words.next() {
            match word.as_str() {
                "-t" => {
                    let seconds = words.next().and_then(|word| word.parse().ok());
                    limit = seconds.and_then(|seconds| std::time::Duration::try_from_secs_f64(seconds).ok());
                    if limit.is_none() {
                        self.complain("read: -t: bad number").await?;
                        return Ok(2);
                    }
                }
                word if word.starts_with('-') => raw |= word == "-r",
                word => names.push(word.to_owned()),
            }
        }
        let reading = super::interactive::read_line(&self.call);
        let line = match limit {
            Some(limit) => tokio::time::timeout(limit, reading).await.unwrap_or(None),
            None => reading.await,
        };
        let Some(mut line) = line else {
            return Ok(1);
        };
        let ended = line.pop_if_newline();
        if !raw {
            line = line.replace("\\\n", "").replace('\\', "");
        }
        let ifs = self.variables.get("IFS").unwrap_or(" \t\n").to_owned();
        let names = if names.is_empty() {
            vec!["REPLY".to_owned()]
        } else {
            names
        };
        let mut rest = line.trim_matches(|c: char| c.is_whitespace() && ifs.contains(c));
        for (at, name) in names.iter().enumerate() {
            let value = if at + 1 == names.len() {
                std::mem::take(&mut rest)
            } else {
                let end = rest.find(|c| ifs.contains(c)).unwrap_or(rest.len());
                let (value, after) = rest.split_at(end);
                rest = after.trim_start_matches(|c: char| ifs.contains(c));
                value
            };
            if let Err(readonly) = self.variables.set(name, value) {
                self.complain(readonly).await?;
                return Ok(2);
            }
        }
        Ok(i32::from(!ended))
    }

    async fn source(&mut self, arguments: &[String]) -> CommandResult {
        let Some(file) = arguments.first() else {
            self.complain(".: missing argument").await?;
            return Ok(1);
        };
        match self.call.read_file(file).await {
            Ok(bytes) => match self.run_text(&String::from_utf8_lossy(&bytes), false).await {
                Err(Flow::Return(status)) => Ok(status),
                other => other,
            },
            Err(errno) => {
                self.complain(format!(".: {file}: {errno}")).await?;
                Ok(1)
            }
        }
    }
}

/// A value as `set` prints it.
fn quoted(value: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+,".contains(c);
    if !value.is_empty() && value.chars().all(plain) {
        value.to_owned()
    } else {
        format!("'{}'", value.replace('\'', r"'\''"))
    }
}

trait PopNewline {
    fn pop_if_newline(&mut self) -> bool;
}

impl PopNewline for String {
    /// Takes a newline off the end; says whether there was one.
    fn pop_if_newline(&mut self) -> bool {
        if self.ends_with('\n') {
            self.pop();
            return true;
        }
        false
    }
}
