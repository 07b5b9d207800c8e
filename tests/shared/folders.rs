//! The folders of one room, as `tests/architecture.rs` holds the rooms.

use super::{files, top};
use std::collections::BTreeSet;
use std::fs;

/// The folders of room `adb`, and which others each may name. Arrows point up this table only.
const ADB_FOLDERS: &[(&str, &[&str])] = &[
    ("clock", &[]),
    ("memory", &[]),
    ("error", &[]),
    ("dumpsys", &[]),
    ("connect", &["error"]),
    ("exec", &["error", "connect"]),
    ("files", &["error", "connect", "exec"]),
    ("scrcpy", &["error", "connect", "exec", "files"]),
    ("apps", &["error", "dumpsys", "connect", "exec"]),
    ("tools", &["error", "connect", "scrcpy"]),
    ("stream", &["clock", "error", "dumpsys", "connect", "scrcpy"]),
    ("reader", &["error", "connect", "exec"]),
    (
        "capture",
        &[
            "clock", "error", "dumpsys", "connect", "exec", "files", "stream", "reader",
        ],
    ),
    (
        "input",
        &[
            "error", "dumpsys", "connect", "exec", "scrcpy", "apps", "reader", "capture",
        ],
    ),
    (
        "phone",
        &[
            "error", "dumpsys", "connect", "exec", "files", "scrcpy", "apps", "stream", "capture", "input",
        ],
    ),
    ("doctor", &["error", "dumpsys", "connect", "input", "phone"]),
    (
        "roster",
        &["error", "dumpsys", "connect", "exec", "scrcpy", "phone"],
    ),
];

#[test]
fn the_folders_of_adb_name_only_what_lies_above_them_in_their_table() {
    let mut earlier = BTreeSet::new();
    for (folder, above) in ADB_FOLDERS {
        for name in *above {
            assert!(
                earlier.contains(name),
                "{folder} may not name {name}: it stands below"
            );
        }
        earlier.insert(*folder);
    }
    let src = top().join("src-tauri/adb/src");
    let mut sources = Vec::new();
    files(&src, &[".rs"], &mut sources);
    let mut found = 0;
    for path in &sources {
        let inside = path.strip_prefix(&src).unwrap();
        let folder = inside.components().next().unwrap().as_os_str().to_string_lossy();
        let folder = folder.trim_end_matches(".rs");
        if folder == "lib" {
            continue;
        }
        let (_, above) = ADB_FOLDERS
            .iter()
            .find(|(name, _)| *name == folder)
            .unwrap_or_else(|| panic!("{} is in no folder of the table", inside.display()));
        let text = fs::read_to_string(path).unwrap();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for (at, line) in code.enumerate() {
            for named in line.split("crate::").skip(1) {
                let name: String = named
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .collect();
                found += 1;
                assert!(
                    name == folder || above.contains(&name.as_str()),
                    "{}, line {} without comments: {folder} names crate::{name}",
                    inside.display(),
                    at + 1
                );
            }
        }
    }
    assert!(found > 200, "only {found} names were found: the reading is wrong");
}
