//! `ps`, `kill`, `pidof`, `pkill`.

use super::Moment;
use super::options::options;
use crate::process::{Call, ProcessInfo, ProgramResult, SYSTEM, Signal, proc};
use regex::Regex;
use std::fmt::Write as _;

/// Sends what `kill` is asked to send: `[-l [SIGNAL]] [-s SIGNAL | -SIGNAL] [--] PID…`. Gives what is printed.
///
/// # Errors
/// One line for each thing that went wrong.
pub(crate) fn send_signals(call: &Call, arguments: &[String]) -> Result<String, Vec<String>> {
    let mut rest = arguments;
    let mut signal = Signal::TERM;
    if let Some((first, after)) = rest.split_first() {
        if first == "-l" {
            return Ok(match after.first().and_then(|text| text.parse::<u8>().ok()) {
                Some(number) => format!("{}\n", Signal(number & 0x7f).name()),
                None => (1..=31)
                    .map(|number| format!("{number} {}\n", Signal(number).name()))
                    .collect(),
            });
        }
        let name = match (first.as_str(), after) {
            ("-s" | "-n", [name, after @ ..]) => {
                rest = after;
                Some(name.as_str())
            }
            ("--", _) => None,
            (flag, _) => flag.strip_prefix('-').inspect(|_| rest = after),
        };
        if let Some(name) = name {
            signal = Signal::from_name(name).ok_or_else(|| vec![format!("bad signal '{name}'")])?;
        }
    }
    if rest.first().is_some_and(|word| word == "--") {
        rest = rest.get(1..).unwrap_or_default();
    }
    if rest.is_empty() {
        return Err(vec![
            "usage: kill [-s signame | -signum | -signame] { job | pid | pgrp } ...".to_owned(),
        ]);
    }
    let mut problems = Vec::new();
    for word in rest {
        match word.parse::<i64>() {
            // 0: the caller's own group.
            Ok(0) => {
                let group = -i64::from(call.process.row().group);
                let _ = call.phone.processes.kill(group, signal);
            }
            Ok(pid) => {
                if let Err(problem) = call.phone.processes.kill(pid, signal) {
                    problems.push(format!("{word}: {problem}"));
                }
            }
            Err(_) => problems.push(format!("{word}: arguments must be jobs or process IDs")),
        }
    }
    if problems.is_empty() {
        Ok(String::new())
    } else {
        Err(problems)
    }
}

/// toybox's `kill` (the shell's builtin comes first).
pub(super) async fn kill(call: Call) -> ProgramResult {
    match send_signals(&call, call.arguments()) {
        Ok(text) => {
            call.out(text).await?;
            Ok(0)
        }
        Err(problems) => {
            for problem in problems {
                call.fail(1, problem).await?;
            }
            Ok(1)
        }
    }
}

/// One line of `ps`.
struct PsLine {
    pid: u32,
    parent: u32,
    group: u32,
    session: u32,
    user: String,
    uid: u32,
    name: String,
    words: String,
    started: u64,
}

/// Everything that runs: the system, the apps that have windows, and what was started over adb.
fn everything(call: &Call) -> Vec<PsLine> {
    let boot = call
        .phone
        .clock
        .wall()
        .saturating_sub(call.phone.clock.uptime())
        .as_secs();
    let mut all: Vec<PsLine> = SYSTEM
        .iter()
        .map(|(pid, parent, user, name)| PsLine {
            pid: *pid,
            parent: *parent,
            group: *pid,
            session: 0,
            user: (*user).to_owned(),
            uid: 1000,
            name: (*name).to_owned(),
            words: (*name).to_owned(),
            started: boot,
        })
        .collect();
    for (package, pid) in crate::tools::app_processes(&call.phone) {
        all.push(PsLine {
            pid,
            parent: 405,
            group: 405,
            session: 0,
            user: format!("u0_a{}", 100 + pid % 200),
            uid: 10_000,
            words: package.clone(),
            name: package,
            started: boot + 60,
        });
    }
    for row in call.phone.processes.rows() {
        all.push(PsLine {
            pid: row.pid,
            parent: row.parent,
            group: row.group,
            session: row.session,
            user: "shell".to_owned(),
            uid: 2000,
            name: name_of(&row),
            words: row.words.join(" "),
            started: boot
                + (call.phone.clock.uptime() + row.started)
                    .saturating_sub(call.phone.clock.now())
                    .as_secs(),
        });
    }
    all.sort_by_key(|shown| shown.pid);
    all
}

fn name_of(row: &ProcessInfo) -> String {
    proc::name(row)
}

/// A column of `ps`: its name, its title, and how wide it is at least (below zero: to the left).
const COLUMNS: [(&str, &str, i32); 20] = [
    ("USER", "USER", -12),
    ("UID", "UID", -5),
    ("PID", "PID", 5),
    ("PPID", "PPID", 5),
    ("PGID", "PGID", 5),
    ("SID", "SID", 5),
    ("TID", "TID", 5),
    ("VSZ", "VSZ", 7),
    ("RSS", "RSS", 6),
    ("WCHAN", "WCHAN", -10),
    ("ADDR", "ADDR", 10),
    ("S", "S", -1),
    ("STAT", "STAT", -5),
    ("NAME", "NAME", -27),
    ("COMM", "COMM", -15),
    ("CMD", "CMD", -15),
    ("CMDLINE", "CMDLINE", -27),
    ("ARGS", "CMD", -27),
    ("STIME", "STIME", -5),
    ("TTY", "TTY", -8),
];

/// `ps [-AefT] [-o FIELD…] [-p PID…] [-u USER] [-Z]` (toybox `ps.c`, Android's default fields).
pub(super) async fn ps(call: Call) -> ProgramResult {
    let options = options!(call, "AaefwlTZo:p:u:G:g:k:M");
    let asked: Vec<String> = options
        .values('o')
        .iter()
        .flat_map(|list| list.split([',', ' ']))
        .map(str::to_owned)
        .collect();
    let fields: Vec<String> = if !asked.is_empty() {
        asked
    } else if options.has('f') {
        ["UID", "PID", "PPID", "C", "STIME", "TTY", "TIME", "CMD"]
            .map(str::to_owned)
            .to_vec()
    } else {
        ["USER", "PID", "PPID", "VSZ", "RSS", "WCHAN", "ADDR", "S", "NAME"]
            .map(str::to_owned)
            .to_vec()
    };
    let mut columns = Vec::new();
    for field in fields.iter().filter(|field| !field.is_empty()) {
        let (name, title) = field
            .split_once('=')
            .map_or((field.as_str(), None), |(name, title)| (name, Some(title)));
        let upper = name.split(':').next().unwrap_or(name).to_uppercase();
        let known = COLUMNS.iter().find(|(known, ..)| *known == upper).copied();
        match (known, upper.as_str()) {
            (Some((known, shown, width)), _) => {
                columns.push((known, title.unwrap_or(shown).to_owned(), width));
            }
            (None, "C" | "TIME") => columns.push(("TIME", upper.clone(), 8)),
            (None, _) => return call.fail(1, format!("bad -o {name}")).await,
        }
    }
    let pids: Vec<u32> = options
        .values('p')
        .iter()
        .flat_map(|list| list.split(','))
        .filter_map(|pid| pid.parse().ok())
        .collect();
    let own = call.process.row();
    let every = options.has('A') || options.has('e');
    let rows: Vec<PsLine> = everything(&call)
        .into_iter()
        .filter(|row| {
            if options.has('p') {
                return pids.contains(&row.pid);
            }
            if let Some(user) = options.value('u') {
                return row.user == user;
            }
            every || (row.uid == 2000 && row.session == own.session)
        })
        .collect();
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| columns.iter().map(|(name, ..)| cell(row, name)).collect())
        .collect();
    let mut out = String::new();
    if columns.iter().any(|(_, title, _)| !title.is_empty()) {
        line(
            &mut out,
            &columns,
            columns.iter().map(|(_, title, _)| title.clone()),
        );
    }
    for row in cells {
        line(&mut out, &columns, row.into_iter());
    }
    call.out(out).await?;
    Ok(i32::from(options.has('p') && rows.is_empty()))
}

fn line(out: &mut String, columns: &[(&str, String, i32)], cells: impl Iterator<Item = String>) {
    let last = columns.len().saturating_sub(1);
    for (at, ((_, _, width), cell)) in columns.iter().zip(cells).enumerate() {
        let gap = if at > 0 { " " } else { "" };
        let size = usize::try_from(width.unsigned_abs()).unwrap_or(0);
        let _ = match (*width < 0, at == last) {
            // The last column is not padded when it hangs over anyway; toybox pads it to its width.
            (true, _) => write!(out, "{gap}{cell:<size$}"),
            (false, _) => write!(out, "{gap}{cell:>size$}"),
        };
    }
    out.push('\n');
}

fn cell(row: &PsLine, column: &str) -> String {
    match column {
        "USER" | "UID" => row.user.clone(),
        "PID" | "TID" => row.pid.to_string(),
        "PPID" => row.parent.to_string(),
        "PGID" => row.group.to_string(),
        "SID" => row.session.to_string(),
        // Nobody counts memory here.
        "VSZ" => (10_000_000 + u64::from(row.pid) * 1009 % 4_000_000).to_string(),
        "RSS" => (3000 + u64::from(row.pid) * 37 % 90_000).to_string(),
        "WCHAN" => "0".to_owned(),
        "ADDR" => "0".to_owned(),
        "S" | "STAT" => "S".to_owned(),
        "CMDLINE" | "ARGS" | "CMD" => row.words.clone(),
        "STIME" => Moment::new(row.started).format("%H:%M"),
        "TTY" => "?".to_owned(),
        "TIME" => "00:00:00".to_owned(),
        _ => row.name.clone(),
    }
}

/// `pidof [-s] NAME…`.
pub(super) async fn pidof(call: Call) -> ProgramResult {
    let options = options!(call, "so:x");
    let all = everything(&call);
    let mut found: Vec<String> = all
        .iter()
        .filter(|row| {
            row.pid != call.process.pid
                && options
                    .rest
                    .iter()
                    .any(|name| row.name == *name || row.words == *name)
        })
        .map(|row| row.pid.to_string())
        .collect();
    found.reverse();
    if options.has('s') {
        found.truncate(1);
    }
    if found.is_empty() {
        return Ok(1);
    }
    call.out(found.join(" ") + "\n").await?;
    Ok(0)
}

/// `pkill [-fx] [-l SIGNAL | -SIGNAL] PATTERN`: what was started over adb, by an extended expression in its name (or words).
pub(super) async fn pkill(call: Call) -> ProgramResult {
    let mut signal = Signal::TERM;
    let mut words: Vec<String> = call.arguments().to_vec();
    if let Some(named) = words
        .first()
        .and_then(|word| word.strip_prefix('-'))
        .and_then(Signal::from_name)
    {
        signal = named;
        words.remove(0);
    }
    let options = match super::Options::read("pkill", &words, "fxl:u:") {
        Ok(options) => options,
        Err(problem) => return call.fail(2, problem).await,
    };
    let Some(pattern) = options.rest.first() else {
        return call.fail(2, "No PATTERN").await;
    };
    let pattern = super::grep::extended_to_rust(pattern);
    let whole = if options.has('x') {
        format!("^(?:{pattern})$")
    } else {
        pattern
    };
    let Ok(pattern) = Regex::new(&whole) else {
        return call.fail(2, "bad REGEX").await;
    };
    let mut code = 1;
    for row in call.phone.processes.rows() {
        let text = if options.has('f') {
            row.words.join(" ")
        } else {
            name_of(&row)
        };
        if pattern.is_match(&text)
            && row.pid != call.process.pid
            && call.phone.processes.kill(i64::from(row.pid), signal).is_ok()
        {
            code = 0;
        }
    }
    Ok(code)
}
