//! What a script finds in its environment: a short list, by name.
//!
//! A list of what is allowed, not of what is forbidden: keys and tokens come under names nobody can foresee.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The variable every process of one script carries, so that one that left its group can still be found.
pub(crate) const MARK: &str = "POCKETDECK_SCRIPT";

/// Handed on as they are. Proxies are not among them: their addresses hold passwords.
#[cfg(unix)]
const ALLOWED: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NUMERIC",
    "LC_TIME",
    "TZ",
];
/// Handed on as they are; what programs on Windows do not start without is among them.
#[cfg(windows)]
const ALLOWED: &[&str] = &[
    "PATH",
    "PATHEXT",
    "HOME",
    "HOMEDRIVE",
    "HOMEPATH",
    "USERPROFILE",
    "USERNAME",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "LANG",
    "TZ",
];

/// Where programs put what they need for a while: the script's own folder, removed with it.
const TEMPORARY: &[&str] = &["TMPDIR", "TMP", "TEMP"];

/// A mark no other script has.
pub(crate) fn mark() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{}-{}-{count}", std::process::id(), now.as_nanos())
}

/// The allowed part of `from`, with temporary files in `folder`, programs in `path` where one is given, and the mark.
pub(crate) fn build(
    from: impl IntoIterator<Item = (OsString, OsString)>,
    folder: &Path,
    path: Option<&Path>,
    mark: &str,
) -> Vec<(OsString, OsString)> {
    let mut environment: Vec<_> = from
        .into_iter()
        .filter(|(name, _)| is_allowed(name) && !(path.is_some() && name.eq_ignore_ascii_case("PATH")))
        .collect();
    if let Some(path) = path {
        environment.push((OsString::from("PATH"), path.into()));
    }
    for name in TEMPORARY {
        environment.push((OsString::from(name), folder.into()));
    }
    environment.push((OsString::from(MARK), mark.into()));
    environment
}

/// A script finds a variable of this name in its environment.
pub(crate) fn is_handed_on(name: &str) -> bool {
    is_allowed(OsStr::new(name)) || TEMPORARY.contains(&name) || name == MARK
}

fn is_allowed(name: &OsStr) -> bool {
    ALLOWED.iter().any(|allowed| {
        if cfg!(windows) {
            name.eq_ignore_ascii_case(allowed)
        } else {
            name == *allowed
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_named_is_handed_on() {
        let from = [
            ("PATH", "/usr/bin"),
            ("HOME", "/home/dana"),
            ("OPENAI_API_KEY", "sk-1"),
            ("POCKETDECK_API_KEY", "sk-2"),
            ("GITHUB_TOKEN", "t"),
            ("DB_PASSWORD", "p"),
            ("HTTPS_PROXY", "http://dana:p@proxy"),
            ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/user/1000/bus"),
            ("LC_SECRET", "s"),
            ("BASH_ENV", "/tmp/evil"),
            ("LD_PRELOAD", "/tmp/evil.so"),
            ("TMPDIR", "/somewhere/else"),
        ];
        let from = from.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let built = build(from.clone(), Path::new("/fresh"), None, "m");
        let built: Vec<_> = built
            .iter()
            .map(|(name, value)| format!("{}={}", name.display(), value.display()))
            .collect();
        assert_eq!(
            built,
            [
                "PATH=/usr/bin",
                "HOME=/home/dana",
                "TMPDIR=/fresh",
                "TMP=/fresh",
                "TEMP=/fresh",
                "POCKETDECK_SCRIPT=m"
            ]
        );
        let built = build(from, Path::new("/fresh"), Some(Path::new("/listed")), "m");
        let paths: Vec<_> = built.iter().filter(|(name, _)| name == "PATH").collect();
        assert_eq!(paths, [&(OsString::from("PATH"), OsString::from("/listed"))]);
    }

    #[test]
    fn no_two_scripts_have_one_mark() {
        assert_ne!(mark(), mark());
    }
}
