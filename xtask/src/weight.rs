//! `cargo xtask weight`: how heavy the product is, and where each megabyte of it lies.
//!
//! The release build is made with its symbols; what they weigh is summed by crate, then they are taken out, as a release has
//! it, and the rest is packed. Start to first paint and memory are measured in the real window: `cargo xtask installer`.

use crate::installer;
use crate::process::{Done, cargo, finish, output, program, root, target};
use crate::steps::build_pages;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Bytes a program and a package may have.
const PROGRAM: u64 = 20_000_000;
const PACKAGE: u64 = 9_000_000;
/// `nm` writes a size in so many digits.
const SIZE_DIGITS: usize = 16;
/// Crates and sections lighter than this are summed up.
const SLIGHT: u64 = 60_000;

/// The standard library's own crates: what they were told to do by is named before them.
const STANDARD: &[&str] = &[
    "std",
    "core",
    "alloc",
    "hashbrown",
    "compiler_builtins",
    "gimli",
    "addr2line",
    "rustc_demangle",
];

/// Whose symbols of C begin so.
const FOREIGN: &[(&str, &str)] = &[
    ("sqlite3", "SQLite"),
    ("WelsEnc::", "openh264 (encoder)"),
    ("WelsVP::", "openh264 (encoder)"),
    ("WelsDec::", "openh264 (decoder)"),
    ("Wels", "openh264"),
    ("ring_core", "ring"),
];

/// Builds, measures, prints.
pub(crate) fn weigh() -> Done {
    build_pages()?;
    let mut build = cargo();
    build
        .args(["build", "--release", "--locked", "-p", "pocketdeck", "-p", "cli"])
        .env("CARGO_PROFILE_RELEASE_STRIP", "none");
    finish(&mut build)?;
    let folder = target().join("release");
    let main = folder.join("pocketdeck");
    let sections = sections(&main);
    let crates = crates(&main)?;
    for name in ["pocketdeck", "deck"] {
        finish(program("strip").arg("--strip-all").arg(folder.join(name)))?;
    }
    print("The program's sections", &sections);
    print("Its code and named data, by crate", &crates);
    print("What is embedded", &embedded(&folder));
    let package = installer::package_released()?;
    println!();
    let line = |name: &str, path: &Path, most: Option<u64>| {
        let size = fs::metadata(path).map_or(0, |data| data.len());
        let most = most.map_or(String::new(), |most| format!(" (at most {})", megabytes(most)));
        println!("{name:<12} {:>6} MB{most}", megabytes(size));
    };
    line("program", &main, Some(PROGRAM));
    line("package", &package, Some(PACKAGE));
    line("deck", &folder.join("deck"), None);
    println!("Start to first paint, and memory: cargo xtask installer");
    Ok(())
}

/// Sections that are in memory or in the file's loaded part, by `size`.
fn sections(file: &Path) -> BTreeMap<String, u64> {
    let text = output(program("size").args(["-A", "-d"]).arg(file)).unwrap_or_default();
    text.lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let (name, size, address) = (words.next()?, words.next()?, words.next()?);
            let is_loaded = name.starts_with('.') && address != "0" && name != ".bss";
            is_loaded.then_some((name.to_owned(), size.parse().ok()?))
        })
        .collect()
}

/// Bytes of symbols, by crate, by `nm`.
fn crates(file: &Path) -> Done<BTreeMap<String, u64>> {
    let mut nm = program("nm");
    nm.args(["--print-size", "--defined-only", "--demangle"])
        .arg(file);
    let text =
        output(&mut nm).ok_or("`nm` is missing (package binutils): the sizes by crate cannot be read")?;
    let mut sums = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.splitn(4, ' ');
        let (_, Some(size), Some(kind), Some(name)) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            continue;
        };
        // What begins as nought takes no room in the file; a symbol without a size has its kind there.
        if matches!(kind, "b" | "B") || size.len() != SIZE_DIGITS {
            continue;
        }
        if let Ok(size) = u64::from_str_radix(size, 16) {
            *sums.entry(owner(name).to_owned()).or_default() += size;
        }
    }
    Ok(sums)
}

/// Whose a symbol is: of a generic of the standard library, the crate that made it be.
fn owner(name: &str) -> &str {
    if let Some((_, owner)) = FOREIGN.iter().find(|(start, _)| name.starts_with(start)) {
        return owner;
    }
    let mut standard = None;
    for (end, _) in name.match_indices("::") {
        let start = name[..end]
            .rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .map_or(0, |at| at + 1);
        // The first word of a path is a crate's; a later one has `::` before it.
        let word = &name[start..end];
        if word.is_empty() || name[..start].ends_with("::") || name[..start].ends_with("}::") {
            continue;
        }
        let word = word.split('[').next().unwrap_or(word);
        if STANDARD.contains(&word) {
            standard = Some("std");
        } else if word.starts_with(|c: char| c.is_ascii_lowercase()) {
            return word;
        }
    }
    standard.unwrap_or("C, and what has no name of a crate")
}

/// What lies in the program as it lies here: the phone's fonts; and the pages, which are packed in it.
fn embedded(folder: &Path) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    let built = fs::read_dir(folder.join("build")).into_iter().flatten().flatten();
    for entry in built.filter(|entry| entry.file_name().to_string_lossy().starts_with("virtual-phone-")) {
        for font in fs::read_dir(entry.path().join("out"))
            .into_iter()
            .flatten()
            .flatten()
        {
            let size = font.metadata().map_or(0, |data| data.len());
            found.insert(format!("font {}", font.file_name().to_string_lossy()), size);
        }
    }
    found.insert(
        "pages (before they are packed)".to_owned(),
        size_of(&root().join("ui/dist")),
    );
    found
}

fn size_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| {
            let path = entry.path();
            if path.is_dir() {
                size_of(&path)
            } else {
                entry.metadata().map_or(0, |data| data.len())
            }
        })
        .sum()
}

/// A table, the heaviest first.
fn print(title: &str, sizes: &BTreeMap<String, u64>) {
    let mut rows: Vec<(&str, u64)> = sizes.iter().map(|(name, size)| (name.as_str(), *size)).collect();
    rows.sort_by_key(|(name, size)| (std::cmp::Reverse(*size), *name));
    let all: u64 = rows.iter().map(|(_, size)| size).sum();
    println!("\n{title}: {} MB", megabytes(all));
    let (mut others, mut rest) = (0, 0);
    for (name, size) in rows {
        if size < SLIGHT {
            others += 1;
            rest += size;
        } else {
            println!("  {:>6} MB  {name}", megabytes(size));
        }
    }
    if others > 0 {
        println!("  {:>6} MB  {others} lighter ones", megabytes(rest));
    }
}

#[expect(clippy::cast_precision_loss, reason = "printed with two decimals")]
fn megabytes(bytes: u64) -> String {
    format!("{:.2}", bytes as f64 / 1_000_000.0)
}

#[cfg(test)]
mod tests {
    use super::owner;

    #[test]
    fn a_symbol_is_its_crates() {
        for (name, expected) in [
            ("adb::phone::open", "adb"),
            ("<alloc::vec::Vec<judge::Rule> as core::fmt::Debug>::fmt", "judge"),
            ("core::ptr::drop_in_place<alloc::string::String>", "std"),
            ("<T as tokio::Spawn>::spawn", "tokio"),
            ("sqlite3VdbeExec", "SQLite"),
            ("memcpy", "C, and what has no name of a crate"),
        ] {
            assert_eq!(owner(name), expected, "{name}");
        }
    }
}
