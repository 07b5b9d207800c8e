//! `/proc`, written anew whenever somebody looks (`proc(5)`; the numbers nobody counts here are invented).

use super::ProcessInfo;
use crate::files::ProcessFiles;
use crate::phone::Phone;

const SHELL: u32 = 2000;

/// Writes `/proc` as it stands now.
pub(crate) fn refresh(phone: &Phone) {
    let uptime = phone.clock.uptime().as_secs_f64();
    let general = [
        ("uptime", format!("{uptime:.2} {:.2}\n", uptime * 6.2)),
        ("version", format!("{}\n", phone.properties.kernel())),
        (
            "meminfo",
            "MemTotal:        7764528 kB\nMemFree:          312940 kB\nMemAvailable:    3587256 kB\n"
                .to_owned(),
        ),
        ("loadavg", "0.31 0.28 0.25 1/2841 8122\n".to_owned()),
    ];
    let processes: Vec<ProcessFiles> = phone.processes.rows().iter().map(files).collect();
    phone
        .files
        .put_processes(&processes, &general, phone.clock.wall().as_secs());
}

fn files(row: &ProcessInfo) -> ProcessFiles {
    let joined = |texts: &mut dyn Iterator<Item = String>| texts.map(|text| text + "\0").collect::<String>();
    let name = name(row);
    let environment = joined(
        &mut row
            .environment
            .iter()
            .map(|(variable, value)| format!("{variable}={value}")),
    );
    let ticks = row.started.as_millis() / 10;
    let stat = format!(
        "{} ({name}) S {} {} {} 0 -1 1077936384 0 0 0 0 0 0 0 0 20 0 1 0 {ticks} 10907648 702 18446744073709551615\n",
        row.pid, row.parent, row.group, row.session
    );
    let status = format!(
        "Name:\t{name}\nUmask:\t0077\nState:\tS (sleeping)\nTgid:\t{pid}\nNgid:\t0\nPid:\t{pid}\nPPid:\t{}\nTracerPid:\t0\n\
         Uid:\t2000\t2000\t2000\t2000\nGid:\t2000\t2000\t2000\t2000\n",
        row.parent,
        pid = row.pid,
    );
    ProcessFiles {
        pid: row.pid,
        uid: SHELL,
        texts: vec![
            ("cmdline", 0o444, joined(&mut row.words.iter().cloned())),
            ("comm", 0o644, format!("{name}\n")),
            ("environ", 0o400, environment),
            ("stat", 0o444, stat),
            ("status", 0o444, status),
        ],
    }
}

/// The name the kernel keeps: at most 15 bytes of the program's.
pub(crate) fn name(row: &ProcessInfo) -> String {
    let name = row.words.first().map_or("", |word| crate::files::file_name(word));
    name.chars().take(15).collect()
}
