//! What is fetched: its size and digest are known beforehand, each from sources that do not depend on each other.

use crate::connect::program::Os;

/// Where a person gets them by hand.
pub const MAKERS_PAGE: &str = "https://developer.android.com/tools/releases/platform-tools";

/// One file to fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// Its version.
    pub version: &'static str,
    /// Where it is.
    pub url: String,
    /// Its bytes, where they were published; else what they cannot exceed stands alone.
    pub size: Option<u64>,
    /// SHA-256 in hexadecimal, small letters.
    pub sha256: String,
    /// Hosts its own may send on to, by https: where it keeps its files.
    pub hosts: &'static [&'static str],
}

/// Larger is none of theirs: each is below 15 MB.
pub(crate) const LARGEST: u64 = 64 * 1024 * 1024;

const VERSION: &str = "35.0.2";

/// (system, its word in the file's name, SHA-256).
///
/// Each digest stands in at least two of: the GrapheneOS installation guide (all three), Homebrew's cask
/// `android-platform-tools` 35.0.2 (Linux, macOS), the Windows package manager's manifest `Google.PlatformTools` 35.0.2
/// (Windows), scrcpy's release scripts of 35.0.2 (all three). Newer ones were published again with other bytes under the
/// same name, so their digests disagree from source to source.
const PINS: [(Os, &str, &str); 3] = [
    (
        Os::Linux,
        "linux",
        "acfdcccb123a8718c46c46c059b2f621140194e5ec1ac9d81715be3d6ab6cd0a",
    ),
    (
        Os::Mac,
        "darwin",
        "1820078db90bf21628d257ff052528af1c61bb48f754b3555648f5652fa35d78",
    ),
    (
        Os::Windows,
        "win",
        "2975a3eac0b19182748d64195375ad056986561d994fffbdc64332a516300bb9",
    ),
];

/// What is fetched for a system and a processor (`std::env::consts::ARCH`). Google builds for x86-64; Windows and macOS
/// run that on ARM too (macOS by its own build inside), Linux does not.
#[must_use]
pub fn release(os: Os, processor: &str) -> Option<Release> {
    let runs = match os {
        Os::Linux => processor == "x86_64",
        Os::Mac | Os::Windows => matches!(processor, "x86_64" | "aarch64"),
    };
    let (_, name, sha256) = PINS.iter().find(|(pinned, ..)| *pinned == os && runs)?;
    Some(Release {
        version: VERSION,
        url: format!("https://dl.google.com/android/repository/platform-tools_r{VERSION}-{name}.zip"),
        size: None,
        sha256: (*sha256).to_owned(),
        hosts: &[],
    })
}

/// scrcpy's server, which runs on the phone, whatever the computer: the newest release this room speaks with.
#[must_use]
pub fn scrcpy_release() -> Release {
    let (version, sha256) = crate::scrcpy::newest();
    Release {
        version,
        url: format!(
            "https://github.com/Genymobile/scrcpy/releases/download/v{version}/scrcpy-server-v{version}"
        ),
        size: None,
        sha256: sha256.to_owned(),
        // Where GitHub keeps what is published; it says so by a redirect.
        hosts: &[
            "release-assets.githubusercontent.com",
            "objects.githubusercontent.com",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_is_a_known_release_of_its_makers() {
        let release = scrcpy_release();
        assert!(
            release
                .url
                .starts_with("https://github.com/Genymobile/scrcpy/releases/download/v")
        );
        assert!(release.url.ends_with(release.version));
        assert_eq!(release.sha256.len(), 64);
        assert!(
            release
                .hosts
                .iter()
                .all(|host| host.ends_with(".githubusercontent.com"))
        );
    }

    #[test]
    fn each_system_has_its_own_file() {
        let mut seen = Vec::new();
        for os in [Os::Linux, Os::Mac, Os::Windows] {
            let release = release(os, "x86_64").unwrap();
            assert!(release.url.starts_with("https://dl.google.com/") && release.url.contains(VERSION));
            assert_eq!(release.sha256.len(), 64);
            assert!(release.sha256.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f')));
            assert!(!seen.contains(&release.sha256));
            seen.push(release.sha256);
        }
        assert_eq!(release(Os::Linux, "aarch64"), None);
        assert_eq!(release(Os::Mac, "riscv64"), None);
    }
}
