//! The installed product: it starts, shows its first window, and what that costs is printed.

use crate::app::open_program;
use crate::desktop::Theme;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the page's part of a start is made of: milliseconds since its address was asked for.
const PAGE_TIMES: &str = "const page = performance.getEntriesByType('navigation')[0]; \
    return { origin: performance.timeOrigin, parsed: page?.domInteractive, \
    painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime };";

/// The program the package brought.
const INSTALLED: &str = "POCKETDECK_INSTALLED";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the installed package: cargo xtask installer"]
async fn it_starts_and_shows_its_first_window() {
    let program = std::env::var_os(INSTALLED).map(PathBuf::from);
    let program = program.expect("POCKETDECK_INSTALLED names the installed program");
    let app = open_program(&program, Theme::Light, None).await;
    app.driven.read("Turn on USB debugging").await;
    app.driven.frames(2).await;

    let painted = app
        .driven
        .run(
            "const paint = performance.getEntriesByName('first-contentful-paint')[0]; \
             return paint ? performance.timeOrigin + paint.startTime : null",
        )
        .await;
    let painted = painted.as_f64().expect("something was painted");
    let processes = processes();
    let main = *processes
        .iter()
        .find(|(_, process)| std::fs::read_link(&process.exe).is_ok_and(|exe| exe == program))
        .expect("the program runs")
        .0;
    let started = started(main);
    assert!(painted > started, "painted at {painted}, started at {started}");
    println!("start to first paint: {:.0} ms", painted - started);
    println!("of it {}", app.driven.run(PAGE_TIMES).await);

    let own = memory(main);
    let all: u64 = family(&processes, main).into_iter().map(memory).sum();
    println!(
        "memory, PSS: {:.0} MB its own, {:.0} MB with its pages' processes",
        own as f64 / 1e6,
        all as f64 / 1e6
    );

    // It does its work, too.
    app.begin_with_the_demo_phone().await;
    app.driven.wait_gone("[data-part=tile] [data-part=veil]").await;
    let phones = app.demo_state();
    assert_eq!(phones.as_array().map(Vec::len), Some(1), "{phones}");
    assert_eq!(phones[0]["greenleaf"]["orders"], json!([]));
    app.driven.quit().await;
}

struct Process {
    parent: u32,
    exe: PathBuf,
}

fn processes() -> BTreeMap<u32, Process> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse() else {
            continue;
        };
        if let Some(fields) = fields(&entry.path()) {
            let process = Process {
                parent: fields[1].parse().unwrap(),
                exe: entry.path().join("exe"),
            };
            all.insert(pid, process);
        }
    }
    all
}

/// What `/proc/PID/stat` says after the name: state, parent, and so on.
fn fields(folder: &Path) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(folder.join("stat")).ok()?;
    let (_, rest) = text.rsplit_once(')')?;
    Some(rest.split_whitespace().map(str::to_owned).collect())
}

/// A process and everything below it.
fn family(all: &BTreeMap<u32, Process>, first: u32) -> Vec<u32> {
    let mut found = vec![first];
    let mut at = 0;
    while at < found.len() {
        let parent = found[at];
        found.extend(
            all.iter()
                .filter(|(_, p)| p.parent == parent)
                .map(|(pid, _)| *pid),
        );
        at += 1;
    }
    found
}

/// When it started, in milliseconds since 1970.
///
/// Counted back from now by `/proc/uptime`: the moment of the boot in `/proc/stat` is told in whole seconds, and what was
/// counted from there took up to a second longer than it did.
fn started(pid: u32) -> f64 {
    let ticks: f64 = fields(Path::new(&format!("/proc/{pid}"))).unwrap()[19]
        .parse()
        .unwrap();
    let up = std::fs::read_to_string("/proc/uptime").unwrap();
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
    let up: f64 = up.split_whitespace().next().unwrap().parse().unwrap();
    // Linux counts a hundred ticks a second for programs, whatever the kernel does inside.
    now.as_secs_f64() * 1000.0 - (up * 1000.0 - ticks * 10.0)
}

/// Bytes it holds, shared ones by their share.
fn memory(pid: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let kilobytes = text.lines().find_map(|line| line.strip_prefix("Pss:"));
    let kilobytes = kilobytes.and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
