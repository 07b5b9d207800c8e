//! Who signed an app (`dumpsys package PACKAGE`).
//!
//! What Android prints of the certificate is its sum, 32 bits (`Signature.hashCode`, from `PackageSignatures.toString`), and
//! since Android 12, for apps that open links of their own sites, its SHA-256 (`DomainVerificationDebug`). Android itself lets
//! no other signer's app take the place of an installed one; these tell one from the other on a phone not seen before.

use super::properties::is_package;

/// `sum 57f52fdb` and `sha256 14:6D:…`, each once, of the app itself and not of those it is named beside.
#[must_use]
pub fn read(text: &str, package: &str) -> Vec<String> {
    let mut signers: Vec<String> = Vec::new();
    let mut add = |kind: &str, list: &str, valid: fn(char) -> bool| {
        for one in list.split(',').map(str::trim) {
            let signer = format!("{kind} {one}");
            if !one.is_empty() && one.chars().all(valid) && !signers.contains(&signer) && signers.len() < 16 {
                signers.push(signer);
            }
        }
    };
    let mut block = Block::Other;
    for line in text.lines() {
        let line = line.trim();
        if let Some(next) = Block::begins(line, package) {
            block = next;
        }
        match block {
            Block::Package => {
                let Some(printed) = line.strip_prefix("signatures=PackageSignatures{") else {
                    continue;
                };
                // Android 9 and newer name three lists; before, there was one and no word for it.
                let current = printed.split("past signatures").next().unwrap_or(printed);
                if let Some(list) = between(current, "[", "]") {
                    add("sum", list, |c| c.is_ascii_hexdigit());
                }
            }
            Block::Links => {
                if let Some(list) = line
                    .strip_prefix("Signatures:")
                    .and_then(|rest| between(rest, "[", "]"))
                {
                    add("sha256", list, |c| c.is_ascii_hexdigit() || c == ':');
                }
            }
            Block::Other => {}
        }
    }
    signers
}

/// The app's `versionCode`; empty where none is told. What the system brought before an update stands after it.
#[must_use]
pub fn version(text: &str, package: &str) -> String {
    let mut is_own = false;
    for line in text.lines().map(str::trim) {
        if let Some(next) = Block::begins(line, package) {
            is_own = next == Block::Package;
        }
        if let Some(told) = line.strip_prefix("versionCode=").filter(|_| is_own) {
            return told.chars().take_while(char::is_ascii_digit).collect();
        }
    }
    String::new()
}

/// Whose lines these are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    /// The app as it is installed.
    Package,
    /// The links it opens.
    Links,
    /// Another app, or anything else.
    Other,
}

impl Block {
    fn begins(line: &str, package: &str) -> Option<Self> {
        if let Some(rest) = line.strip_prefix("Package [") {
            let of = rest.split(']').next().unwrap_or_default();
            return Some(if of == package { Self::Package } else { Self::Other });
        }
        // What the system brought before an update: the update is what runs.
        if line.starts_with("Hidden system packages") || line.starts_with("Queries:") {
            return Some(Self::Other);
        }
        let named = line.strip_suffix(':')?;
        let is_name = is_package(named) && named.contains('.');
        is_name.then(|| {
            if named == package {
                Self::Links
            } else {
                Self::Other
            }
        })
    }
}

fn between<'a>(text: &'a str, opens: &str, closes: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(opens)?;
    rest.split_once(closes).map(|(inner, _)| inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(read(text, "com.example.app"), expected, "{text}");
    }

    #[test]
    fn each_androids_own_way_of_saying_it() {
        check("", &[]);
        check("Unable to find package: com.example.app\n", &[]);
        // Android 8, 11, 15, as published dumps print them.
        check(
            "Packages:\n  Package [com.example.app] (af09595):\n    apkSigningVersion=2\n    signatures=PackageSignatures{af09595 [53c7caa2]}\n",
            &["sum 53c7caa2"],
        );
        check(
            "Packages:\r\n  Package [com.example.app] (af09595):\r\n    signatures=PackageSignatures{ca01ffa version:2, signatures:[57f52fdb], past signatures:[]}\r\n    declared permissions:\r\n",
            &["sum 57f52fdb"],
        );
        check(
            "  Package [com.example.app] (1):\n    signatures=PackageSignatures{1 version:3, signatures:[aa, bb], past signatures:[cc flags: 17]}\n",
            &["sum aa", "sum bb"],
        );
        check(
            "Domain verification status:\n  com.example.app:\n    ID: 9812\n    Signatures: [14:6D:E9:83]\n    Domain verification state:\n      app.example: verified\n\nPackages:\n  Package [com.example.app] (1):\n    signatures=PackageSignatures{1 version:2, signatures:[aa], past signatures:[]}\n",
            &["sha256 14:6D:E9:83", "sum aa"],
        );
        check("  Package [com.example.app] (1):\n    signatures=null\n", &[]);
    }

    #[test]
    fn the_version_is_that_of_what_runs() {
        let own = "Packages:\n  Package [com.example.app] (1):\n    versionCode=412 minSdk=26 targetSdk=34\n";
        let old = "Hidden system packages:\n  Package [com.example.app] (2):\n    versionCode=7 minSdk=26\n";
        let other = "Packages:\n  Package [com.other] (3):\n    versionCode=9 minSdk=26\n";
        for (text, expected) in [
            (own.to_owned(), "412"),
            (format!("{own}{old}"), "412"),
            (format!("{other}{own}"), "412"),
            (other.to_owned(), ""),
            (String::new(), ""),
        ] {
            assert_eq!(version(&text, "com.example.app"), expected, "{text}");
        }
    }

    #[test]
    fn another_apps_signer_is_not_this_ones() {
        check(
            "  Package [com.example.app.other] (1):\n    signatures=PackageSignatures{1 version:2, signatures:[bb], past signatures:[]}\n",
            &[],
        );
        check(
            "Packages:\n  Package [com.example.app] (1):\n    signatures=PackageSignatures{1 version:2, signatures:[aa], past signatures:[]}\nHidden system packages:\n  Package [com.other] (1):\n    signatures=PackageSignatures{1 version:2, signatures:[bb], past signatures:[]}\n",
            &["sum aa"],
        );
        check("  com.other:\n    Signatures: [BB]\n", &[]);
    }
}
