//! Properties (`getprop`), charge (`dumpsys battery`), and lists of packages.

use super::{behind, front};
use protocol::Battery;
use std::collections::{BTreeMap, BTreeSet};

/// `[key]: [value]`, line by line. A value may hold `]` and line ends: only `]` at a line's end closes it.
#[must_use]
pub fn read(text: &str) -> BTreeMap<String, String> {
    let mut properties = BTreeMap::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        let line = line.trim_end();
        let (key, value) = match (
            line.strip_prefix('[').and_then(|rest| rest.split_once("]: [")),
            open.take(),
        ) {
            (Some((key, value)), _) => (key.to_owned(), value.to_owned()),
            (None, Some((key, mut value))) => {
                value.push('\n');
                value.push_str(line);
                (key, value)
            }
            (None, None) => continue,
        };
        match value.strip_suffix(']') {
            Some(value) => {
                properties.insert(key, value.to_owned());
            }
            None => open = Some((key, value)),
        }
    }
    properties
}

/// `dumpsys battery`.
#[must_use]
pub fn battery(text: &str) -> Option<Battery> {
    let number = |key| -> Option<u32> { text.lines().find_map(|line| behind(line, key)?.parse().ok()) };
    let level = number("level:")?;
    let scale = number("scale:").filter(|scale| *scale > 0).unwrap_or(100);
    let percent = u8::try_from(u64::from(level) * 100 / u64::from(scale)).ok()?;
    let powered = [
        "AC powered:",
        "USB powered:",
        "Wireless powered:",
        "Dock powered:",
    ]
    .iter()
    .any(|key| text.lines().any(|line| behind(line, key) == Some("true")));
    // 2 is charging, 5 is full.
    let charging = number("status:").map_or(powered, |status| status == 2 || (status == 5 && powered));
    (percent <= 100).then_some(Battery { percent, charging })
}

/// `pm list packages`: `package:com.a`, with `-f` `package:/path.apk=com.a`.
#[must_use]
pub fn packages(text: &str) -> BTreeSet<String> {
    text.lines()
        .filter_map(|line| behind(line, "package:"))
        .map(|rest| rest.rsplit_once('=').map_or(rest, |(_, package)| package))
        .map(|rest| rest.split_whitespace().next().unwrap_or(""))
        .filter(|package| is_package(package))
        .map(str::to_owned)
        .collect()
}

/// `cmd package query-activities --brief`, or `--components`: the packages of the components in it.
#[must_use]
pub fn launchable(text: &str) -> BTreeSet<String> {
    text.lines()
        .filter_map(|line| front::component(line.trim()))
        .map(|activity| activity.package)
        .collect()
}

/// Whether a text can be a package's name: letters, digits, `_` and `.`, beginning with a letter.
#[must_use]
pub fn is_package(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.len() <= 255
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.')
}
