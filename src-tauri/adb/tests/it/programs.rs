//! The adb program: found where it is, and started with its server's port.

use adb::AdbError;
use adb::program::{Os, Surroundings, Version, or_fetched, read_version};
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Looks among the given files, with the given variables.
fn check(os: Os, setting: Option<&str>, vars: &[(&str, &str)], files: &[&str], expected: Option<&str>) {
    let vars: HashMap<&str, OsString> = vars
        .iter()
        .map(|(key, value)| (*key, OsString::from(value)))
        .collect();
    let around = Surroundings {
        os,
        env: &|name| vars.get(name).cloned(),
        is_file: &|path| files.iter().any(|file| Path::new(file) == path),
        follow: &|path| {
            // The one link there is.
            let linked = path == Path::new("/links/scrcpy");
            Some(if linked {
                "/opt/scrcpy/scrcpy".into()
            } else {
                path.to_path_buf()
            })
        },
    };
    let fetched = Path::new("/fetched/platform-tools/adb");
    let found = or_fetched(setting.map(Path::new), Some(fetched), &around);
    assert_eq!(found.ok(), expected.map(PathBuf::from), "{setting:?} {files:?}");
}

#[test]
fn it_is_looked_for_where_people_have_it() {
    let all = [
        "/home/a/Android/Sdk/platform-tools/adb",
        "/sdk/platform-tools/adb",
        "/bin/adb",
    ];
    let vars = [("ANDROID_HOME", "/sdk"), ("PATH", "/bin"), ("HOME", "/home/a")];
    check(Os::Linux, None, &vars, &all, Some("/sdk/platform-tools/adb"));
    check(Os::Linux, None, &vars[1..], &all, Some("/bin/adb"));
    check(
        Os::Linux,
        None,
        &vars[2..],
        &all,
        Some("/home/a/Android/Sdk/platform-tools/adb"),
    );
    check(
        Os::Linux,
        None,
        &[("ANDROID_SDK_ROOT", "/sdk")],
        &all,
        Some("/sdk/platform-tools/adb"),
    );
    check(Os::Linux, None, &[("ANDROID_HOME", "")], &all, None);
    check(
        Os::Mac,
        None,
        &[],
        &["/opt/homebrew/bin/adb"],
        Some("/opt/homebrew/bin/adb"),
    );
    check(
        Os::Windows,
        None,
        &[("LOCALAPPDATA", "/local")],
        &["/local/Android/Sdk/platform-tools/adb.exe"],
        Some("/local/Android/Sdk/platform-tools/adb.exe"),
    );
    check(
        Os::Windows,
        None,
        &[("LOCALAPPDATA", "/local")],
        &["/local/Android/Sdk/platform-tools/adb"],
        None,
    );
    check(
        Os::Linux,
        None,
        &[("PATH", "/links")],
        &["/links/scrcpy", "/opt/scrcpy/adb"],
        Some("/opt/scrcpy/adb"),
    );
}

#[test]
fn the_fetched_one_is_taken_when_there_is_no_other() {
    let fetched = "/fetched/platform-tools/adb";
    check(Os::Linux, None, &[], &[fetched], Some(fetched));
    check(
        Os::Linux,
        None,
        &[],
        &[fetched, "/usr/bin/adb"],
        Some("/usr/bin/adb"),
    );
    check(Os::Linux, Some("/gone"), &[], &[fetched], None);
}

#[test]
fn versions_are_read() {
    for (text, expected, pairs) in [
        (
            "Android Debug Bridge version 1.0.41\nVersion 36.0.0-13206524\nInstalled as /x/adb\n",
            Some(Version(36, 0, 0)),
            true,
        ),
        (
            "Android Debug Bridge version 1.0.41\r\nVersion 29.0.6-debian\r\n",
            Some(Version(29, 0, 6)),
            false,
        ),
        ("Version 30.0", Some(Version(30, 0, 0)), true),
        (
            "Android Debug Bridge version 1.0.32\nRevision eac51f2bb6a8-android\n",
            None,
            false,
        ),
        ("Version of mine", None, false),
        ("", None, false),
    ] {
        let read = read_version(text);
        assert_eq!(read, expected, "{text}");
        assert_eq!(read.is_some_and(Version::pairs), pairs, "{text}");
    }
}

#[test]
fn the_persons_setting_is_taken_or_refused() {
    let all = ["/mine/adb", "/sdk/platform-tools/adb"];
    let vars = [("ANDROID_HOME", "/sdk")];
    check(Os::Linux, Some("/mine/adb"), &vars, &all, Some("/mine/adb"));
    check(Os::Linux, Some("/mine"), &vars, &all, Some("/mine/adb"));
    check(
        Os::Linux,
        Some("/sdk"),
        &vars,
        &all,
        Some("/sdk/platform-tools/adb"),
    );
    check(Os::Linux, Some("/gone"), &vars, &all, None);
}

#[cfg(unix)]
#[tokio::test]
async fn it_is_started_with_the_port_and_nothing_of_ours() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let script = |name: &str, body: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    };
    let said = folder.path().join("said");
    let good = script(
        "good",
        &format!("echo \"$@ [$(cat)] [$ADB_SERVER_SOCKET]\" > {}", said.display()),
    );
    adb::program::start_server(&good, 5041).await.unwrap();
    assert_eq!(
        std::fs::read_to_string(&said).unwrap(),
        "-P 5041 start-server [] []\n"
    );
    let spoken = script("spoken", "echo Version 35.0.2-12147458");
    assert_eq!(adb::program::version(&spoken).await, Ok(Some(Version(35, 0, 2))));
    for bad in [script("bad", "exit 1"), folder.path().join("absent")] {
        let told = adb::program::version(&bad).await;
        assert!(matches!(told, Err(AdbError::ProgramFailed(_))), "{told:?}");
        let told = adb::program::start_server(&bad, 5041).await;
        assert!(matches!(told, Err(AdbError::ProgramFailed(_))), "{told:?}");
    }
}
