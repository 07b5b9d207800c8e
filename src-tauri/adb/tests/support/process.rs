//! What runs on the fake phone.

use super::Reply;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

/// One process.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    pub(crate) number: u32,
    group: u32,
    mark: Option<String>,
    /// The shell itself carries no mark in its first environment: only what it starts does.
    shell: bool,
    stubborn: bool,
    pub(crate) killed: CancellationToken,
    over: CancellationToken,
}

#[derive(Clone, Default)]
pub(crate) struct Processes {
    table: Arc<Mutex<Vec<Process>>>,
    record: Arc<Mutex<Vec<(Duration, String)>>>,
    pub(crate) without_grep: Arc<AtomicBool>,
}

impl Processes {
    pub(crate) fn record(&self) -> Vec<(Duration, String)> {
        self.record.lock().unwrap().clone()
    }

    /// Starts what a reply says: the command itself, and its children.
    pub(crate) fn spawn(&self, start: Instant, mark: Option<&str>, reply: &Reply) -> Process {
        let main = self.add(None, mark, true, reply.stubborn);
        let life = if reply.hangs {
            Duration::from_secs(3600)
        } else {
            reply.takes
        };
        self.live(start, &main, life, reply.effects.clone(), reply.unkillable);
        for child in &reply.children {
            let group = (!child.own_session).then_some(main.group);
            let process = self.add(group, mark, false, false);
            self.live(start, &process, child.effect.0, vec![child.effect.clone()], false);
        }
        main
    }

    fn add(&self, group: Option<u32>, mark: Option<&str>, shell: bool, stubborn: bool) -> Process {
        let mut table = self.table.lock().unwrap();
        let number = 1000 + u32::try_from(table.len()).unwrap();
        let process = Process {
            number,
            group: group.unwrap_or(number),
            mark: mark.map(str::to_owned),
            shell,
            stubborn,
            killed: CancellationToken::new(),
            over: CancellationToken::new(),
        };
        table.push(process.clone());
        process
    }

    fn live(
        &self,
        start: Instant,
        process: &Process,
        life: Duration,
        effects: Vec<(Duration, String)>,
        unkillable: bool,
    ) {
        let born = Instant::now();
        let record = Arc::clone(&self.record);
        let killed = if unkillable {
            CancellationToken::new()
        } else {
            process.killed.clone()
        };
        tokio::spawn(async move {
            for (after, what) in effects {
                tokio::select! {
                    biased;
                    () = killed.cancelled() => return,
                    () = sleep_until(born + after) => record.lock().unwrap().push((start.elapsed(), what)),
                }
            }
        });
        let (killed, over) = (process.killed.clone(), process.over.clone());
        tokio::spawn(async move {
            tokio::select! {
                () = killed.cancelled() => {}
                () = sleep_until(born + life) => {}
            }
            over.cancel();
        });
    }

    fn alive(&self) -> Vec<Process> {
        let table = self.table.lock().unwrap();
        table
            .iter()
            .filter(|one| !one.over.is_cancelled())
            .cloned()
            .collect()
    }

    fn kill(process: &Process) {
        if !process.stubborn {
            process.killed.cancel();
            process.over.cancel();
        }
    }

    /// `kill` and the look into `/proc`, as the adapter writes them.
    pub(crate) fn builtin(&self, line: &str) -> Option<Reply> {
        if let Some(rest) = line.strip_prefix("kill -9 -- -") {
            let (group, check) = rest.split_once("; ")?;
            let look = format!(
                "grep -l ') [^ZX] [0-9]* {group} ' /proc/[0-9]*/stat 2>/dev/null; echo \"looked $?\""
            );
            assert_eq!(check, format!("kill -0 -- -{group} && echo alive && {look}"));
            let group: u32 = group.parse().unwrap();
            assert!(group > 1, "never everybody's");
            let of_group = |process: &&Process| process.group == group;
            self.alive().iter().filter(of_group).for_each(Self::kill);
            let left = self.alive().into_iter().find(|one| one.group == group);
            let gone = format!("/system/bin/sh: kill: -{group}: No such process\n");
            return Some(match left {
                Some(left) => Reply::says(format!("alive\n/proc/{}/stat\nlooked 0\n", left.number)),
                None => Reply {
                    stderr: gone.into_bytes(),
                    ..Reply::says("looked 1\n")
                },
            });
        }
        if let Some(numbers) = line.strip_prefix("kill -9 ") {
            let numbers: Vec<u32> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
            let named = |process: &&Process| numbers.contains(&process.number);
            self.alive().iter().filter(named).for_each(Self::kill);
            return Some(Reply::default());
        }
        let mark = line
            .strip_prefix("grep -l POCKETDECK_COMMAND=")?
            .split(' ')
            .next()?;
        if self.without_grep.load(Ordering::Relaxed) {
            return Some(Reply::says("looked 127\n"));
        }
        let found: String = self
            .alive()
            .iter()
            .filter(|one| one.mark.as_deref() == Some(mark) && !one.shell)
            .map(|one| format!("/proc/{}/environ\n", one.number))
            .collect();
        let code = i32::from(found.is_empty());
        Some(Reply::says(format!("{found}looked {code}\n")))
    }
}
