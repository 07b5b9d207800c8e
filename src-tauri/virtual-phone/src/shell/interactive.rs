//! A shell that reads its commands from standard input: a script piped in, or a person at a terminal.

use super::parse::{Syntax, parse};
use super::{Flow, Shell};
use crate::process::{Call, ProgramResult, Signal};

/// One line of input is at most so long.
const LONGEST: usize = 1024 * 1024;

/// Reads a line, its newline included; none at the end. Byte by byte: what follows belongs to somebody else.
pub(super) async fn read_line(call: &Call) -> Option<String> {
    let input = call.descriptors.get(0)?;
    let mut line = Vec::new();
    while line.len() < LONGEST {
        match input.read(1).await {
            Ok(Some(bytes)) => {
                line.extend_from_slice(&bytes);
                if bytes.as_ref() == b"\n" {
                    break;
                }
            }
            Ok(None) | Err(_) => break,
        }
    }
    (!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned())
}

/// Runs command after command until the input ends.
pub(super) async fn run(mut shell: Shell, asked: bool) -> ProgramResult {
    let terminal = shell
        .call
        .descriptors
        .get(0)
        .is_some_and(|input| input.is_terminal());
    shell.interactive = terminal || asked;
    if shell.interactive {
        // A person's ^C ends what runs, not the shell. (A child starts with nothing trapped.)
        shell.call.process.trap(Signal::INT);
    }
    let mut text = String::new();
    loop {
        if shell.interactive {
            shell.prompt(!text.is_empty()).await?;
        }
        let line = read_line(&shell.call).await;
        let at_end = line.is_none();
        text.push_str(&line.unwrap_or_default());
        if text.trim().is_empty() {
            text.clear();
            if at_end {
                break;
            }
            continue;
        }
        match parse(&text) {
            Err(Syntax::Incomplete(_)) if !at_end && text.len() < LONGEST => continue,
            Err(syntax) => {
                if let Err(Flow::Signal(signal)) = shell.complain(syntax.text()).await {
                    return Err(signal);
                }
                shell.status = 1;
                if !shell.interactive {
                    return Ok(1);
                }
            }
            Ok(program) => match shell.run_program(&program, false).await {
                Ok(status) => shell.status = status,
                Err(flow @ (Flow::Exit(_) | Flow::Return(_) | Flow::Signal(_))) => {
                    return shell.finish(Err(flow)).await;
                }
                Err(Flow::Break(_) | Flow::Continue(_)) => {}
            },
        }
        text.clear();
        if at_end {
            break;
        }
    }
    let status = shell.status;
    shell.finish(Ok(status)).await
}

impl Shell {
    /// `PS1` as Android's `mkshrc` sets it for a shell user, `PS2` where a command goes on.
    async fn prompt(&self, goes_on: bool) -> Result<(), Signal> {
        let text = if goes_on {
            "> ".to_owned()
        } else {
            let status = if self.status == 0 {
                String::new()
            } else {
                format!("{}|", self.status)
            };
            format!(
                "{status}{}:{} $ ",
                self.call.phone.profile.device, self.call.directory
            )
        };
        self.call.err(text).await
    }
}
