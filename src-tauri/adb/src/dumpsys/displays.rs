//! The displays of a phone: folded ones, cover screens, screens plugged in.
//!
//! Two numbers name a display. `input -d` takes the logical one (0 is the phone's own), `screencap -d` the physical one
//! (the panel's, `local:…`). When a phone is folded the same logical display moves to another panel.

use super::value_of;

/// A display as a viewport tells it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Viewport {
    /// The logical number: 0 is the phone's own.
    pub logical: u32,
    /// The panel's number, where told.
    pub physical: Option<u64>,
    /// Something is shown on it; nothing where it is not told.
    pub active: Option<bool>,
    /// Quarter turns.
    pub turns: Option<u8>,
    /// Built in.
    pub internal: bool,
}

/// Every valid viewport in `dumpsys display` (`DisplayViewport{…}`, several may stand on a line) or `dumpsys input`
/// (`Viewport INTERNAL: …`).
#[must_use]
pub fn viewports(text: &str) -> Vec<Viewport> {
    let mut found = Vec::new();
    for line in text.lines() {
        if line.contains("DisplayViewport{") {
            found.extend(line.split("DisplayViewport{").skip(1).filter_map(viewport));
        } else if let Some(rest) = line.trim().strip_prefix("Viewport ") {
            let internal = rest.starts_with("INTERNAL");
            found.extend(viewport(rest).map(|one| Viewport { internal, ..one }));
        }
    }
    found
}

fn viewport(text: &str) -> Option<Viewport> {
    if value_of(text, "valid") == Some("false") {
        return None;
    }
    let logical: i64 = value_of(text, "displayId")?.parse().ok()?;
    let unique = value_of(text, "uniqueId").map(|id| id.trim_matches('\''));
    Some(Viewport {
        logical: u32::try_from(logical).ok()?,
        physical: unique.and_then(|id| id.strip_prefix("local:")?.parse().ok()),
        active: match value_of(text, "isActive").map(|word| word.trim_matches(['[', ']'])) {
            Some("true" | "1") => Some(true),
            Some("false" | "0") => Some(false),
            _ => None,
        },
        turns: value_of(text, "orientation").and_then(turns),
        // Older dumps tell no type, and list the phone's own first.
        internal: value_of(text, "type").is_none_or(|kind| kind == "INTERNAL" || kind == "1"),
    })
}

/// The one a person looks at: built in and active, the lowest number first. Nothing when that is not told.
#[must_use]
pub fn shown(viewports: &[Viewport]) -> Option<Viewport> {
    let rank = |one: &&Viewport| (!one.internal, one.active.is_none(), one.logical);
    let lit = viewports.iter().filter(|one| one.active != Some(false));
    lit.min_by_key(rank).copied()
}

/// The panels in `dumpsys SurfaceFlinger --display-id`: `Display 4619827259835644672 (HWC display 0): port=0 …`.
#[must_use]
pub fn panels(text: &str) -> Vec<u64> {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("Display ")?.split_whitespace().next())
        .filter_map(|id| id.parse().ok())
        .collect()
}

/// Quarter turns, in the word of any of the dumps.
pub(super) fn turns(text: &str) -> Option<u8> {
    match text.trim() {
        "0" | "Rotation0" | "ROTATION_0" => Some(0),
        "1" | "Rotation90" | "ROTATION_90" => Some(1),
        "2" | "Rotation180" | "ROTATION_180" => Some(2),
        "3" | "Rotation270" | "ROTATION_270" => Some(3),
        _ => None,
    }
}
