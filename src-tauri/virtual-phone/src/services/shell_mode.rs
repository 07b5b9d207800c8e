//! How a service's name says that a command line is to be run.

use crate::fault::Fault;
use crate::phone::Phone;

/// So many bytes lie between a service and its connection before the writer waits.
pub(super) const BUFFER: usize = 256 * 1024;

/// How a command line is to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShellMode {
    /// As it is recorded: `shell`, `shell,v2,raw`, `exec`.
    pub(super) name: String,
    /// Packets with exit code and separate errors.
    pub(super) protocol: bool,
    /// Hangs on a pseudo-terminal, raw or not (`/dev/tty` opens, `isatty` is true).
    pub(super) pty: bool,
    /// A terminal a person sits at: echo, ^C, CR LF.
    pub(super) terminal: bool,
    /// `$TERM`.
    pub(super) term: String,
}

impl ShellMode {
    fn new(name: &str, pty: bool, terminal: bool) -> Self {
        Self {
            name: name.to_owned(),
            protocol: false,
            pty,
            terminal,
            term: "dumb".to_owned(),
        }
    }
}

/// Takes a `shell` or `exec` service's name apart (`daemon/services.cpp`: `ShellService`).
pub(super) fn command<'a>(phone: &Phone, name: &'a str) -> Option<(ShellMode, &'a str)> {
    let old = phone.has(Fault::NoShellV2);
    if let Some(line) = name.strip_prefix("exec:") {
        // A pseudo-terminal in raw mode carries the bytes; in Android 5 it was a socket.
        return Some((ShellMode::new("exec", !old, false), line));
    }
    let (service, line) = name.split_once(':')?;
    let mut arguments = service.split(',');
    if arguments.next() != Some("shell") {
        return None;
    }
    // Android 5 knows `shell:` alone, always on a terminal.
    if old {
        return (service == "shell").then_some((ShellMode::new(service, true, true), line));
    }
    let mut kind = ShellMode::new(service, true, line.is_empty());
    for argument in arguments {
        match argument {
            "v2" => kind.protocol = true,
            "raw" => kind.terminal = false,
            "pty" => kind.terminal = true,
            argument => {
                if let Some(term) = argument.strip_prefix("TERM=") {
                    kind.term = term.to_owned();
                }
            }
        }
    }
    kind.pty = kind.terminal || !kind.protocol;
    Some((kind, line))
}
