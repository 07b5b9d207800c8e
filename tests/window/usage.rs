//! What the app's processes take of the machine: processor time and memory, from `/proc` (proc(5)).

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// What the app's processes had used at a moment.
#[derive(Debug)]
pub(crate) struct Usage {
    at: Instant,
    /// Clock ticks, a hundred a second.
    ticks: BTreeMap<u32, u64>,
    kilobytes: BTreeMap<u32, u64>,
}

/// What was used between two moments.
#[derive(Debug)]
pub(crate) struct Used {
    seconds: f64,
    processor: f64,
}

impl Used {
    /// Processor cores kept busy, on average.
    pub(crate) fn cores(&self) -> f64 {
        self.processor / self.seconds
    }
}

/// Name, parent and ticks of a process.
fn stat(pid: u32) -> Option<(u32, u64)> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name stands in brackets and may hold anything.
    let rest: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |at: usize| rest.get(at).and_then(|word| word.parse::<u64>().ok());
    Some((u32::try_from(number(1)?).ok()?, number(11)? + number(12)?))
}

impl Usage {
    /// What a process and all it started have used so far.
    pub(crate) fn of(root: u32) -> Self {
        let all: BTreeMap<u32, (u32, u64)> = std::fs::read_dir("/proc")
            .unwrap()
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
            .filter_map(|pid| Some((pid, stat(pid)?)))
            .collect();
        let mut family = BTreeSet::from([root]);
        loop {
            let before = family.len();
            let children = all.iter().filter(|(_, (parent, _))| family.contains(parent));
            let children: Vec<u32> = children.map(|(pid, _)| *pid).collect();
            family.extend(children);
            if family.len() == before {
                break;
            }
        }
        let memory = |pid: &u32| {
            let text = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
            let line = text.lines().find(|line| line.starts_with("Pss:"))?;
            line.split_whitespace().nth(1)?.parse::<u64>().ok()
        };
        Self {
            at: Instant::now(),
            ticks: family
                .iter()
                .filter_map(|pid| Some((*pid, all.get(pid)?.1)))
                .collect(),
            kilobytes: family
                .iter()
                .filter_map(|pid| Some((*pid, memory(pid)?)))
                .collect(),
        }
    }

    /// What was used since an earlier moment.
    pub(crate) fn since(&self, earlier: &Self) -> Used {
        let ticks: u64 = self
            .ticks
            .iter()
            .map(|(pid, ticks)| ticks - earlier.ticks.get(pid).copied().unwrap_or(0).min(*ticks))
            .sum();
        Used {
            seconds: (self.at - earlier.at).as_secs_f64(),
            processor: ticks as f64 / 100.0,
        }
    }

    /// Memory that is the app's own, its share of what is shared with it.
    pub(crate) fn megabytes(&self) -> u64 {
        self.kilobytes.values().sum::<u64>() / 1024
    }

    /// The same by process, with its name.
    pub(crate) fn each(&self) -> Vec<(String, u64)> {
        let name = |pid: &u32| std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        self.kilobytes
            .iter()
            .map(|(pid, kilobytes)| (name(pid).trim().to_owned(), kilobytes / 1024))
            .collect()
    }
}
