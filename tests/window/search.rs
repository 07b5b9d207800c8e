//! Looking for something that must be nowhere.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use std::path::{Path, PathBuf};

/// The ways a word could be written into a file.
pub(crate) fn spellings(word: &str) -> Vec<(String, Vec<u8>)> {
    let mut out = vec![("as it is".to_owned(), word.as_bytes().to_vec())];
    // In base64 it looks different at each of three offsets; only the letters that hold nothing of its neighbours count.
    for offset in 0..3 {
        let padded = [vec![b'x'; offset], word.as_bytes().to_vec(), vec![b'x'; 2]].concat();
        let (first, last) = ((offset * 8).div_ceil(6), (offset + word.len()) * 8 / 6);
        for (name, engine) in [("base64", STANDARD_NO_PAD), ("base64url", URL_SAFE_NO_PAD)] {
            let text = engine.encode(&padded);
            out.push((
                format!("{name} at {offset}"),
                text.as_bytes()[first..last].to_vec(),
            ));
        }
    }
    let wide = |order: fn(u16) -> [u8; 2]| word.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    out.push(("UTF-16, little end first".into(), wide(u16::to_le_bytes)));
    out.push(("UTF-16, big end first".into(), wide(u16::to_be_bytes)));
    let escaped: String = word.chars().map(|c| format!("\\u{:04x}", c as u32)).collect();
    out.push(("escaped".into(), escaped.into_bytes()));
    let spaced: Vec<String> = word.chars().map(String::from).collect();
    out.push(("spaced".into(), spaced.join(" ").into_bytes()));
    if word.len() == 6 {
        out.push((
            "in halves".into(),
            format!("{} {}", &word[..3], &word[3..]).into_bytes(),
        ));
        out.push((
            "dashed".into(),
            format!("{}-{}", &word[..3], &word[3..]).into_bytes(),
        ));
    }
    out
}

/// Fails when any spelling of `word` stands in `bytes`.
pub(crate) fn assert_absent(word: &str, place: &str, bytes: &[u8]) {
    for (how, needle) in spellings(word) {
        let Some(at) = bytes.windows(needle.len()).position(|window| window == needle) else {
            continue;
        };
        let around = &bytes[at.saturating_sub(80)..bytes.len().min(at + needle.len() + 80)];
        panic!(
            "{word} is in {place}, {how}: …{}…",
            String::from_utf8_lossy(around)
        );
    }
}

/// The same for every file below a folder.
pub(crate) fn assert_absent_below(word: &str, folder: &Path) {
    let files = files(folder);
    assert!(!files.is_empty(), "nothing was written to {}", folder.display());
    for file in files {
        // A socket or a pipe holds nothing.
        if let Ok(bytes) = std::fs::read(&file) {
            assert_absent(word, &file.display().to_string(), &bytes);
        }
    }
}

/// Every file below a folder.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            all.extend(files(&entry.path()));
        } else if kind.is_file() {
            all.push(entry.path());
        }
    }
    all
}

/// The search itself finds what is there: a search that finds nothing proves nothing by itself.
#[test]
fn the_search_finds_each_spelling() {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    for (how, needle) in spellings("418027") {
        let hay = [b"before ".as_slice(), &needle, b" after"].concat();
        let caught = std::panic::catch_unwind(|| assert_absent("418027", "a test", &hay));
        assert!(caught.is_err(), "{how}: {}", text(&needle));
    }
    for before in ["", "a", "ab", "abc"] {
        let encoded = STANDARD_NO_PAD.encode(format!("{before}code 418027 it is"));
        let caught = std::panic::catch_unwind(|| assert_absent("418027", "a test", encoded.as_bytes()));
        assert!(caught.is_err(), "after {before:?}");
    }
}
