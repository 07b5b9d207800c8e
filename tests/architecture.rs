//! The rules of the house that the compiler cannot hold.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test"
)]

#[path = "shared/circles.rs"]
mod circles;
#[path = "shared/folders.rs"]
mod folders;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Rooms, and which others each may name. Arrows point down only.
const ROOMS: &[(&str, &[&str])] = &[
    ("protocol", &[]),
    ("dialect", &["protocol"]),
    ("screen", &["protocol"]),
    ("schedule", &["protocol"]),
    ("judge", &["protocol", "screen"]),
    ("agent", &["protocol", "dialect", "screen", "judge"]),
    ("video", &[]),
    ("adb", &["protocol", "screen", "judge", "agent", "video"]),
    ("model", &["protocol", "dialect", "screen", "judge", "agent"]),
    ("demo-ai", &["protocol", "screen", "judge", "agent"]),
    ("store", &["protocol", "screen", "judge", "agent"]),
    ("replay", &["protocol", "screen", "judge", "agent"]),
    ("script", &["protocol", "agent"]),
    ("virtual-phone", &[]),
    (
        "engine",
        &[
            "protocol",
            "dialect",
            "screen",
            "schedule",
            "judge",
            "agent",
            "video",
            "adb",
            "model",
            "demo-ai",
            "store",
            "replay",
            "script",
            "virtual-phone",
        ],
    ),
    // `deck phone` opens the virtual phone's own port: that one is a phone, not a room of the product.
    ("cli", &["protocol", "engine", "virtual-phone"]),
];

/// Crates that only the rooms named may use, outside their tests.
const ALONE: &[(&str, &[&str])] = &[
    ("tauri", &["."]),
    ("tauri-plugin-notification", &["."]),
    ("tauri-plugin-single-instance", &["."]),
    // `adb` fetches Google's platform tools with it, when a person presses the button.
    ("reqwest", &["model", "adb"]),
    ("mdns-sd", &["adb"]),
    ("adb_client", &["adb"]),
    ("rusqlite", &["store"]),
    ("keyring", &["store"]),
    ("keyring-core", &["store"]),
];

/// The one room whose files may need each other, and why: its pages lead to one another, its shell runs programs that run its
/// shell, and its system shows apps that ask the system (`ARCHITECTURE.md`).
const ROOM_WITH_CIRCLES: &str = "virtual-phone";

/// The one command of the framework's that a page may call: the notification plugin puts a script into every page that does,
/// and refused, it is an error nobody caught.
const ASKED_BY_PLUGIN: &str = "notification:allow-is-permission-granted";

/// Lines a file may have. Generated and tabular files aside.
const LONGEST: usize = 500;

fn top() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The crates a manifest names in `[dependencies]`, target-specific ones included.
fn dependencies(manifest: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(manifest).unwrap_or_else(|error| panic!("{}: {error}", manifest.display()));
    let mut inside = false;
    let mut names = BTreeSet::new();
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with('[') {
            inside = line == "[dependencies]"
                || (line.starts_with("[target.") && line.ends_with(".dependencies]"));
        } else if inside && !line.is_empty() && !line.starts_with('#') {
            let name = line.split(['.', '=', ' ']).next().unwrap();
            names.insert(name.trim_matches('"').to_owned());
        }
    }
    names
}

fn files(folder: &Path, endings: &[&str], out: &mut Vec<PathBuf>) {
    let skipped = [
        "target",
        "node_modules",
        "dist",
        "dist-scenes",
        "gen",
        ".git",
        "snapshots",
        "coverage",
    ];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if !skipped.contains(&name.as_str()) {
                files(&path, endings, out);
            }
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            out.push(path);
        }
    }
}

#[test]
fn rooms_name_only_what_lies_below_them() {
    let rooms: BTreeSet<&str> = ROOMS.iter().map(|(room, _)| *room).collect();
    for (room, below) in ROOMS {
        let named = dependencies(&top().join("src-tauri").join(room).join("Cargo.toml"));
        let upward: Vec<_> = named
            .iter()
            .filter(|name| rooms.contains(name.as_str()) && !below.contains(&name.as_str()))
            .collect();
        assert!(upward.is_empty(), "{room} names {upward:?}");
    }
    let shell = dependencies(&top().join("Cargo.toml"));
    let named: BTreeSet<&str> = shell
        .iter()
        .map(String::as_str)
        .filter(|name| rooms.contains(name))
        .collect();
    assert_eq!(
        named,
        BTreeSet::from(["engine", "protocol"]),
        "the shell goes through the engine"
    );
}

/// What tests need of a phone is in no program a person gets: rooms switch it on for their tests alone.
#[test]
fn test_support_is_switched_on_for_tests_alone() {
    let mut manifests: Vec<PathBuf> = ROOMS
        .iter()
        .map(|(room, _)| top().join("src-tauri").join(room).join("Cargo.toml"))
        .collect();
    manifests.push(top().join("Cargo.toml"));
    let mut switched_on = 0;
    for path in manifests {
        let text = fs::read_to_string(&path).unwrap();
        let mut section = "";
        for line in text.lines().map(str::trim) {
            if line.starts_with('[') {
                section = line;
            } else if line.starts_with("virtual-phone") && line.contains("features") {
                assert_eq!(section, "[dev-dependencies]", "{}: {line}", path.display());
                switched_on += 1;
            }
        }
    }
    assert!(switched_on > 3, "only {switched_on} rooms test with it");
}

/// What a phone receives is what was judged: the one way round the judge is the person's own, and only they have it.
#[test]
fn only_the_persons_own_hand_goes_round_the_judge() {
    let own = [
        "adb/src/phone/mod.rs",
        "adb/src/doctor.rs",
        "engine/src/manual_control.rs",
    ];
    let mut sources = Vec::new();
    files(&top().join("src-tauri"), &[".rs"], &mut sources);
    let round: Vec<String> = sources
        .iter()
        .map(|path| {
            path.strip_prefix(top().join("src-tauri"))
                .unwrap()
                .to_string_lossy()
                .into_owned()
        })
        .filter(|name| name.contains("/src/") && !own.contains(&name.as_str()))
        .filter(|name| {
            fs::read_to_string(top().join("src-tauri").join(name))
                .unwrap()
                .contains(".by_hand(&")
        })
        .collect();
    assert!(round.is_empty(), "{round:?} go round the judge");
}

#[test]
fn some_crates_belong_to_one_room() {
    let mut users: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (room, _) in ROOMS {
        for name in dependencies(&top().join("src-tauri").join(room).join("Cargo.toml")) {
            users.entry(name).or_default().push((*room).to_owned());
        }
    }
    for name in dependencies(&top().join("Cargo.toml")) {
        users.entry(name).or_default().push(".".to_owned());
    }
    for (name, allowed) in ALONE {
        let strangers: Vec<_> = users
            .get(*name)
            .into_iter()
            .flatten()
            .filter(|room| !allowed.contains(&room.as_str()))
            .collect();
        assert!(strangers.is_empty(), "{name} is named by {strangers:?}");
    }
}

#[test]
fn the_ten_packages_the_product_is_named_with_are_in_use() {
    let mut used = dependencies(&top().join("Cargo.toml"));
    for (room, _) in ROOMS {
        used.extend(dependencies(
            &top().join("src-tauri").join(room).join("Cargo.toml"),
        ));
    }
    for name in [
        "tauri",
        "tokio",
        "serde",
        "serde_json",
        "reqwest",
        "adb_client",
        "image",
        "keyring",
        "tauri-plugin-notification",
        "tracing",
    ] {
        assert!(used.contains(name), "{name} is not used by any room");
    }
}

#[test]
fn the_pure_rooms_reach_for_nothing() {
    let forbidden = [
        "std::fs",
        "std::net",
        "std::process",
        "tokio::net",
        "tokio::fs",
        "tokio::process",
        "SystemTime::now",
        "std::time::Instant::now",
        "std::env",
    ];
    for room in [
        "protocol", "dialect", "screen", "schedule", "judge", "agent", "video", "replay",
    ] {
        let mut sources = Vec::new();
        files(
            &top().join("src-tauri").join(room).join("src"),
            &[".rs"],
            &mut sources,
        );
        assert!(!sources.is_empty());
        for path in sources {
            let text = fs::read_to_string(&path).unwrap();
            for word in forbidden {
                let line = text
                    .lines()
                    .position(|line| line.contains(word) && !line.trim_start().starts_with("//"));
                assert!(
                    line.is_none(),
                    "{}:{} names {word}",
                    path.display(),
                    line.unwrap() + 1
                );
            }
        }
    }
}

#[test]
fn files_stay_small_enough_to_hold_in_the_head() {
    let mut sources = Vec::new();
    for folder in ["src-tauri", "ui/src", "xtask", "tests"] {
        files(&top().join(folder), &[".rs", ".ts", ".svelte"], &mut sources);
    }
    let mut long: Vec<String> = Vec::new();
    for path in sources {
        let text = fs::read_to_string(&path).unwrap();
        let generated = path.ends_with("ui/src/protocol.ts");
        // A vocabulary is read as a table; splitting it would hide that it is one.
        let vocabulary = path.ends_with("protocol/src/action.rs");
        let lines = text.lines().count();
        if lines > LONGEST && !generated && !vocabulary {
            long.push(format!(
                "{} has {lines} lines",
                path.strip_prefix(top()).unwrap().display()
            ));
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn no_file_needs_one_that_needs_it() {
    let rooms = ROOMS
        .iter()
        .map(|(room, _)| top().join("src-tauri").join(room).join("src"));
    let sources: Vec<PathBuf> = rooms
        .chain([top().join("src-tauri/src"), top().join("xtask/src")])
        .collect();
    for source in &sources {
        let found = circles::circles(source);
        if source.ends_with(format!("{ROOM_WITH_CIRCLES}/src")) {
            assert!(
                !found.is_empty(),
                "{ROOM_WITH_CIRCLES} has none any more: it is held like the others"
            );
            continue;
        }
        assert!(
            found.is_empty(),
            "{}: {} circles\n{}",
            source.display(),
            found.len(),
            found.join("\n")
        );
    }
}

#[test]
fn the_pages_import_the_framework_in_one_place() {
    let mut sources = Vec::new();
    files(&top().join("ui/src"), &[".ts", ".svelte"], &mut sources);
    for path in sources.iter().filter(|path| !path.ends_with("backend.ts")) {
        let text = fs::read_to_string(path).unwrap();
        assert!(!text.contains("@tauri-apps"), "{} imports Tauri", path.display());
        assert!(!text.contains("{@html"), "{} shows raw HTML", path.display());
    }
}

#[test]
fn every_command_is_on_the_guest_list_and_every_guest_is_a_command() {
    let shell = fs::read_to_string(top().join("src-tauri/src/lib.rs")).unwrap();
    let (_, handlers) = shell.split_once("generate_handler![").unwrap();
    let (handlers, _) = handlers.split_once("])").unwrap();
    let registered: BTreeSet<String> = handlers
        .lines()
        .filter_map(|line| line.trim().strip_suffix(',')?.split_once("::"))
        .map(|(_, command)| command.to_owned())
        .collect();
    let listed = fs::read_to_string(top().join("src-tauri/permissions/app.toml")).unwrap();
    let permitted: BTreeSet<String> = listed
        .lines()
        .filter_map(|line| line.strip_prefix("commands.allow = [\"")?.strip_suffix("\"]"))
        .map(str::to_owned)
        .collect();
    assert_eq!(registered, permitted);

    let config: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(top().join("tauri.conf.json")).unwrap()).unwrap();
    let mut granted: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for capability in config["app"]["security"]["capabilities"].as_array().unwrap() {
        for permission in capability["permissions"].as_array().unwrap() {
            let name = permission.as_str().unwrap();
            if name == ASKED_BY_PLUGIN {
                continue;
            }
            assert!(
                name.starts_with("allow-"),
                "{name} is not one of our own commands"
            );
            let command = name.trim_start_matches("allow-").replace('-', "_");
            let windows = capability["windows"].as_array().unwrap();
            granted
                .entry(command)
                .or_default()
                .extend(windows.iter().map(|w| w.as_str().unwrap().to_owned()));
        }
    }
    assert_eq!(granted.keys().cloned().collect::<BTreeSet<_>>(), registered);
    for command in ["answer", "supply", "noticed", "fit", "watch_asks"] {
        assert_eq!(
            granted[command],
            ["approval"],
            "only the approval window may call {command}"
        );
    }
}

#[test]
fn every_failure_has_a_sentence() {
    let words: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(top().join("ui/words/en.json")).unwrap()).unwrap();
    let source = fs::read_to_string(top().join("src-tauri/protocol/src/failure.rs")).unwrap();
    let variants = source.split("pub enum FailureCode {").nth(1).unwrap();
    let mut count = 0;
    for line in variants
        .lines()
        .map(str::trim)
        .filter(|line| line.ends_with(',') && !line.starts_with("//"))
    {
        let code: protocol::FailureCode = {
            let name = line.trim_end_matches(',');
            let snake = name.char_indices().fold(String::new(), |mut out, (at, c)| {
                if c.is_uppercase() && at > 0 {
                    out.push('_');
                }
                out.extend(c.to_lowercase());
                out
            });
            serde_json::from_value(serde_json::Value::String(snake)).unwrap()
        };
        let name = serde_json::to_value(code).unwrap();
        let sentence = &words["failures"][name.as_str().unwrap()];
        assert!(sentence.is_string(), "no sentence for {name}");
        count += 1;
    }
    assert!(
        count > 20,
        "only {count} failures were found: the reading of the source is wrong"
    );
}

#[test]
fn the_project_speaks_of_itself_alone() {
    let mut sources = Vec::new();
    files(
        &top(),
        &[
            ".rs", ".ts", ".svelte", ".md", ".toml", ".json", ".css", ".html", ".sql", ".yml",
        ],
        &mut sources,
    );
    sources.push(top().join(".ci/run"));
    // Built from halves: this file is read too.
    let words: Vec<String> = [("/wo", "rk/"), ("/ro", "ot/")]
        .iter()
        .map(|(a, b)| format!("{a}{b}"))
        .chain([top().display().to_string()])
        .chain(
            std::env::var("HOME")
                .ok()
                .filter(|home| home.len() > 1)
                .map(|home| format!("{home}/")),
        )
        .collect();
    for path in sources.iter().filter(|path| path.exists()) {
        let text = String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
        for word in &words {
            let line = text.lines().position(|line| line.contains(word));
            assert!(
                line.is_none(),
                "{}:{} holds {word}",
                path.display(),
                line.unwrap() + 1
            );
        }
    }
}

#[test]
fn the_map_names_every_room() {
    let map = fs::read_to_string(top().join("ARCHITECTURE.md")).unwrap();
    for (room, _) in ROOMS {
        assert!(
            map.contains(&format!("`{room}`")),
            "ARCHITECTURE.md says nothing of `{room}`"
        );
    }
    let mut crates = dependencies(&top().join("Cargo.toml"));
    for (room, _) in ROOMS {
        crates.extend(dependencies(
            &top().join("src-tauri").join(room).join("Cargo.toml"),
        ));
    }
    let rooms: BTreeSet<String> = ROOMS.iter().map(|(room, _)| (*room).to_owned()).collect();
    for name in crates.difference(&rooms) {
        assert!(
            map.contains(&format!("`{name}`")),
            "ARCHITECTURE.md does not say what `{name}` is for"
        );
    }
}
