//! `kill`, `wait`, `jobs`, `trap`.

use super::{CommandResult, EXIT, Shell};
use crate::process::{Child, Signal};

impl Shell {
    pub(super) async fn kill(&mut self, arguments: &[String]) -> CommandResult {
        let sent = crate::toybox::send_signals(&self.call, arguments);
        // It may have been this very shell.
        self.call.process.rest_if_doomed().await;
        match sent {
            Ok(lines) => {
                self.call.out(lines).await?;
                Ok(0)
            }
            Err(problems) => {
                for problem in problems {
                    self.complain(format!("kill: {problem}")).await?;
                }
                Ok(1)
            }
        }
    }

    /// Waits for background children; a trapped signal ends the waiting (POSIX `wait`).
    pub(super) async fn wait(&mut self, arguments: &[String]) -> CommandResult {
        if arguments.is_empty() {
            for child in std::mem::take(&mut self.jobs) {
                if let Some(signal) = self.wait_unless_trapped(&child).await {
                    return Ok(128 + i32::from(signal));
                }
            }
            return Ok(0);
        }
        let mut status = 0;
        for word in arguments {
            let wanted = word.strip_prefix('%').map_or_else(
                || word.parse().ok(),
                |job| {
                    let number: usize = job.parse().ok()?;
                    self.jobs.get(number.checked_sub(1)?).map(Child::pid)
                },
            );
            let child = self
                .jobs
                .iter()
                .find(|child| Some(child.pid()) == wanted)
                .cloned();
            status = match child {
                Some(child) => {
                    if let Some(signal) = self.wait_unless_trapped(&child).await {
                        return Ok(128 + i32::from(signal));
                    }
                    self.jobs.retain(|job| job.pid() != child.pid());
                    child.wait().await.status()
                }
                None => 127,
            };
        }
        Ok(status)
    }

    async fn wait_unless_trapped(&self, child: &Child) -> Option<u8> {
        tokio::select! {
            biased;
            _ = child.wait() => None,
            () = self.call.process.trapped() => Some(Signal::HUP.0),
        }
    }

    pub(super) async fn list_jobs(&mut self) -> CommandResult {
        let lines: String = self
            .jobs
            .iter()
            .enumerate()
            .map(|(at, child)| {
                let state = match child.ended() {
                    None => "Running",
                    Some(_) => "Done",
                };
                let words = child.process.row().words.join(" ");
                format!("[{}] + {state:<20} {words}\n", at + 1)
            })
            .collect();
        self.jobs.retain(|child| child.ended().is_none());
        self.call.out(lines).await?;
        Ok(0)
    }

    pub(super) async fn trap(&mut self, arguments: &[String]) -> CommandResult {
        let Some((action, names)) = arguments.split_first() else {
            let lines: String = self
                .traps
                .iter()
                .map(|(number, action)| {
                    let name = if *number == EXIT {
                        "EXIT"
                    } else {
                        Signal(*number).name()
                    };
                    format!("trap -- '{action}' {name}\n")
                })
                .collect();
            self.call.out(lines).await?;
            return Ok(0);
        };
        // `trap - SIG…` and `trap SIG` take a trap away.
        let (action, names) = match (action.as_str(), names) {
            ("-", names) => (None, names.to_vec()),
            ("--", names) => match names.split_first() {
                Some((action, names)) => (Some(action.clone()), names.to_vec()),
                None => return Ok(0),
            },
            (only, []) => (None, vec![only.to_owned()]),
            (action, names) => (Some(action.to_owned()), names.to_vec()),
        };
        for name in names {
            let number = match name.as_str() {
                "EXIT" | "0" => EXIT,
                name => match Signal::from_name(name) {
                    Some(signal) => signal.0,
                    None => {
                        self.complain(format!("trap: bad signal '{name}'")).await?;
                        return Ok(1);
                    }
                },
            };
            let process = &self.call.process;
            match (&action, number) {
                (None, EXIT) => {
                    self.traps.remove(&EXIT);
                }
                (Some(action), EXIT) => {
                    self.traps.insert(EXIT, action.clone());
                }
                (None, number) => {
                    process.reset(Signal(number));
                    self.traps.remove(&number);
                }
                (Some(action), number) => {
                    if action.is_empty() {
                        process.ignore(Signal(number));
                    } else {
                        process.trap(Signal(number));
                    }
                    self.traps.insert(number, action.clone());
                }
            }
        }
        Ok(0)
    }
}
