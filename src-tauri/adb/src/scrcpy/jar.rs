//! Where the server's jar is on this computer. Only the maker's own, by its hash: it is run on the phone.

use crate::connect::program::{Os, Surroundings};
use crate::error::AdbError;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The releases whose control messages this room speaks, with the SHA-256 of their `scrcpy-server`, newest first.
/// Source: scrcpy's `doc/build.md` at each tag.
const KNOWN: [(&str, &str); 5] = [
    (
        "4.1",
        "deacb991ed2509715160ffdc7907e47b4160eb30d1566217e9047fd5b8850cae",
    ),
    (
        "4.0",
        "84924bd564a1eb6089c872c7521f968058977f91f5ff02514a8c74aff3210f3a",
    ),
    (
        "3.3.4",
        "8588238c9a5a00aa542906b6ec7e6d5541d9ffb9b5d0f6e1bc0e365e2303079e",
    ),
    (
        "3.3.3",
        "7e70323ba7f259649dd4acce97ac4fefbae8102b2c6d91e2e7be613fd5354be0",
    ),
    (
        "3.2",
        "b920e0ea01936bf2482f4ba2fa985c22c13c621999e3d33b45baa5acfc1ea3d0",
    ),
];

/// The newest of them: its release and its SHA-256.
pub(crate) fn newest() -> (&'static str, &'static str) {
    KNOWN[0]
}

/// More than any release's size.
const LARGEST: u64 = 8 * 1024 * 1024;

/// A jar that may be run on a phone.
#[derive(Clone, PartialEq, Eq)]
pub struct Jar {
    /// Its release, which must be told to it word for word.
    pub version: String,
    /// Itself.
    pub bytes: Vec<u8>,
}

impl std::fmt::Debug for Jar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Jar({}, {} bytes)", self.version, self.bytes.len())
    }
}

impl Jar {
    /// A file's bytes, if they are a known release's.
    #[must_use]
    pub fn of(bytes: Vec<u8>) -> Option<Self> {
        let hash = Sha256::digest(&bytes)
            .iter()
            .fold(String::new(), |mut text, byte| {
                // Writing to a string does not fail.
                let _ = write!(text, "{byte:02x}");
                text
            });
        let (version, _) = KNOWN.iter().find(|(_, known)| *known == hash)?;
        Some(Self {
            version: (*version).to_owned(),
            bytes,
        })
    }

    /// A jar that is not the maker's, for a test's phone that only plays scrcpy's part.
    #[must_use]
    pub fn unchecked(version: &str, bytes: Vec<u8>) -> Self {
        Self {
            version: version.to_owned(),
            bytes,
        }
    }

    /// The first known release among the usual places of this computer, then where one was fetched to.
    #[must_use]
    pub fn find_here(fetched: Option<&Path>) -> Option<Self> {
        let around = Surroundings {
            os: Os::here(),
            env: &|name| std::env::var_os(name),
            is_file: &Path::is_file,
            follow: &|path| path.canonicalize().ok(),
        };
        let fetched = fetched.map(Path::to_path_buf);
        places(None, &around)
            .into_iter()
            .chain(fetched)
            .find_map(|path| Self::read(&path).ok())
    }

    /// Reads one file.
    ///
    /// # Errors
    /// [`AdbError::NotSupported`] when it cannot be read or is no known release.
    pub fn read(path: &Path) -> Result<Self, AdbError> {
        let refused =
            |why: String| AdbError::NotSupported(format!("scrcpy-server {}: {why}", path.display()));
        let size = std::fs::metadata(path)
            .map_err(|error| refused(error.to_string()))?
            .len();
        if size > LARGEST {
            return Err(refused(format!("{size} bytes")));
        }
        let bytes = std::fs::read(path).map_err(|error| refused(error.to_string()))?;
        Self::of(bytes).ok_or_else(|| refused("no known release".to_owned()))
    }
}

/// The files it may be, the likeliest first: the person's setting, `SCRCPY_SERVER_PATH`, beside scrcpy, the folders of
/// packages.
#[must_use]
pub fn places(setting: Option<&Path>, around: &Surroundings<'_>) -> Vec<PathBuf> {
    const NAMES: [&str; 2] = ["scrcpy-server", "scrcpy-server.jar"];
    let var = |name: &str| {
        (around.env)(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let mut files: Vec<PathBuf> = setting.map(Path::to_path_buf).into_iter().collect();
    files.extend(var("SCRCPY_SERVER_PATH"));
    let mut folders: Vec<PathBuf> = setting.map(Path::to_path_buf).into_iter().collect();
    let path: Vec<PathBuf> =
        (around.env)("PATH").map_or_else(Vec::new, |path| std::env::split_paths(&path).collect());
    for folder in path {
        let program = folder.join(if around.os == Os::Windows {
            "scrcpy.exe"
        } else {
            "scrcpy"
        });
        if !(around.is_file)(&program) {
            continue;
        }
        // What stands in PATH may be a link into its folder; a package keeps the jar beside `bin`, in `share`.
        let real = (around.follow)(&program);
        for program in [Some(program), real].into_iter().flatten() {
            let Some(folder) = program.parent() else { continue };
            folders.push(folder.to_path_buf());
            folders.extend(folder.parent().map(|prefix| prefix.join("share/scrcpy")));
        }
    }
    folders.extend(
        [
            "/usr/local/share/scrcpy",
            "/usr/share/scrcpy",
            "/opt/homebrew/share/scrcpy",
            "/home/linuxbrew/.linuxbrew/share/scrcpy",
            "/snap/scrcpy/current/usr/local/share/scrcpy",
        ]
        .map(PathBuf::from),
    );
    folders.extend(var("USERPROFILE").map(|home| home.join("scoop/apps/scrcpy/current")));
    files.extend(
        folders
            .iter()
            .flat_map(|folder| NAMES.map(|name| folder.join(name))),
    );
    let mut seen = std::collections::BTreeSet::new();
    files.retain(|file| seen.insert(file.clone()) && (around.is_file)(file));
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;

    fn check(os: Os, vars: &[(&str, &str)], files: &[&str], expected: &[&str]) {
        let around = Surroundings {
            os,
            env: &|name| {
                vars.iter()
                    .find(|(key, _)| *key == name)
                    .map(|(_, value)| OsString::from(value))
            },
            is_file: &|path| files.iter().any(|file| Path::new(file) == path),
            follow: &|path| {
                (path == Path::new("/brew/bin/scrcpy")).then(|| "/brew/Cellar/scrcpy/4.1/bin/scrcpy".into())
            },
        };
        let found = places(None, &around);
        let shown: Vec<&str> = found.iter().filter_map(|path| path.to_str()).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn it_is_looked_for_where_scrcpy_is() {
        check(Os::Linux, &[], &[], &[]);
        check(
            Os::Linux,
            &[],
            &["/usr/share/scrcpy/scrcpy-server"],
            &["/usr/share/scrcpy/scrcpy-server"],
        );
        check(
            Os::Linux,
            &[("SCRCPY_SERVER_PATH", "/mine/s.jar"), ("PATH", "/opt/scrcpy")],
            &["/mine/s.jar", "/opt/scrcpy/scrcpy", "/opt/scrcpy/scrcpy-server"],
            &["/mine/s.jar", "/opt/scrcpy/scrcpy-server"],
        );
        check(
            Os::Mac,
            &[("PATH", "/brew/bin")],
            &[
                "/brew/bin/scrcpy",
                "/brew/Cellar/scrcpy/4.1/share/scrcpy/scrcpy-server",
            ],
            &["/brew/Cellar/scrcpy/4.1/share/scrcpy/scrcpy-server"],
        );
    }

    #[test]
    fn only_a_known_release_is_taken() {
        assert_eq!(Jar::of(b"not a jar".to_vec()), None);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("scrcpy-server");
        std::fs::write(&file, b"changed").unwrap();
        assert!(matches!(Jar::read(&file), Err(AdbError::NotSupported(_))));
        assert!(matches!(Jar::read(folder.path()), Err(AdbError::NotSupported(_))));
        assert!(KNOWN.iter().all(|(_, hash)| hash.len() == 64));
    }
}
