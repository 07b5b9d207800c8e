//! Processes that left the script's group (`setsid`, `set -m`, a daemon), found by the mark in their environment.
//!
//! Linux only: macOS shows no process's environment in a documented place, and a Windows job cannot be left. On
//! macOS, then, and where a script starts a process with an empty environment outside its group, that one lives on.

use crate::environment::MARK;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};
use std::fs;
use std::time::{Duration, Instant};

/// Kills every process of the script until none is left, at most `bound`. Whether none is left.
///
/// The leader must not have been reaped yet: only so the group's number is surely the script's.
pub(crate) fn end(group: Pid, mark: &str, bound: Duration) -> bool {
    let start = Instant::now();
    loop {
        if kill(group, mark) == 0 {
            return true;
        }
        if start.elapsed() >= bound {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Kills every process of the script once, and says how many there were.
pub(crate) fn kill(group: Pid, mark: &str) -> usize {
    let Ok(entries) = fs::read_dir("/proc") else {
        return 0;
    };
    let mark = format!("{MARK}={mark}");
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(Pid::from_raw)
        .filter(|pid| belongs(*pid, group, mark.as_bytes()))
        .map(|pid| kill_surely(pid, group, mark.as_bytes()))
        .count()
}

/// Kills the process that has this number now only if it is still the one that was looked at.
fn kill_surely(pid: Pid, group: Pid, mark: &[u8]) {
    let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else {
        // It is gone, or this kernel is older than 5.3: then the moment between look and kill has to do.
        let _gone = kill_process(pid, Signal::KILL);
        return;
    };
    if belongs(pid, group, mark) {
        let _gone = pidfd_send_signal(&handle, Signal::KILL);
    }
}

/// Whether a process is alive and one of the script's.
fn belongs(pid: Pid, group: Pid, mark: &[u8]) -> bool {
    let folder = format!("/proc/{}", pid.as_raw_nonzero());
    let Ok(stat) = fs::read_to_string(format!("{folder}/stat")) else {
        return false;
    };
    // `1234 (name, which may hold anything) S parent group …`
    let Some((_, rest)) = stat.rsplit_once(')') else {
        return false;
    };
    let mut fields = rest.split_ascii_whitespace();
    let (state, _parent, its_group) = (fields.next(), fields.next(), fields.next());
    if matches!(state, None | Some("Z" | "X")) {
        return false;
    }
    if its_group.and_then(|id| id.parse().ok()).and_then(Pid::from_raw) == Some(group) {
        return true;
    }
    fs::read(format!("{folder}/environ")).is_ok_and(|environment| {
        environment
            .split(|byte| *byte == 0)
            .any(|variable| variable == mark)
    })
}
