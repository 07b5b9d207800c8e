//! Fetching the adb program, from a server of the test's own.

use adb::tools::{Release, ToolsError, fetch, fetch_scrcpy, fetch_with, program, scrcpy_server};
use protocol::Fetching;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{Cursor, Write};
use std::path::Path;
use std::sync::Mutex;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const ADB: &str = if cfg!(windows) {
    "platform-tools/adb.exe"
} else {
    "platform-tools/adb"
};

/// An archive of these files (name, content, mode).
fn archive(files: &[(&str, &str, u32)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content, mode) in files {
        let options = SimpleFileOptions::default().unix_permissions(*mode);
        zip.start_file(*name, options).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn good() -> Vec<u8> {
    archive(&[
        (ADB, "#!/bin/sh\necho Version 35.0.2-1\n", 0o755),
        ("platform-tools/NOTICE.txt", "notice", 0o644),
        ("platform-tools/lib64/libc++.so", "library", 0o644),
    ])
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Answers every request with the same head and body, and says where it is.
async fn serve(answer: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).await;
            let _ = stream.write_all(&answer).await;
            let _ = stream.shutdown().await;
        }
    });
    format!("http://{address}/platform-tools.zip")
}

fn answer(head: &str, length: usize, body: &[u8]) -> Vec<u8> {
    let mut answer =
        format!("HTTP/1.1 {head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n").into_bytes();
    answer.extend_from_slice(body);
    answer
}

fn release(url: String, of: &[u8]) -> Release {
    Release {
        version: "1.0",
        url,
        size: Some(of.len() as u64),
        sha256: digest(of),
        hosts: &[],
    }
}

/// What is in a folder, whatever is hidden in it too.
fn left(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn it_comes_whole_and_runs() {
    let bytes = good();
    let folder = tempfile::tempdir().unwrap();
    let url = serve(answer("200 OK", bytes.len(), &bytes)).await;
    let stages = Mutex::new(Vec::new());
    let tell = |stage| stages.lock().unwrap().push(stage);
    let found = fetch(&release(url.clone(), &bytes), folder.path(), &tell)
        .await
        .unwrap();
    assert_eq!(found, program(folder.path()));
    assert_eq!(left(folder.path()), ["platform-tools"]);
    assert!(folder.path().join("platform-tools/lib64/libc++.so").is_file());
    let stages = stages.into_inner().unwrap();
    let total = bytes.len() as u64;
    assert_eq!(stages[0], Fetching::Loading { done: 0, total });
    assert!(stages.contains(&Fetching::Loading { done: total, total }));
    assert_eq!(stages[stages.len() - 2..], [Fetching::Unpacking, Fetching::Done]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |name: &str| {
            let file = folder.path().join("platform-tools").join(name);
            std::fs::metadata(file).unwrap().permissions().mode() & 0o777
        };
        assert_eq!((mode("adb"), mode("NOTICE.txt")), (0o755, 0o644));
        let version = adb::program::version(&found).await.unwrap().unwrap();
        assert_eq!(version.to_string(), "35.0.2");
    }
    // Again, over the old one.
    std::fs::write(folder.path().join("platform-tools/old"), "").unwrap();
    fetch(&release(url, &bytes), folder.path(), &|_| ())
        .await
        .unwrap();
    assert_eq!(left(folder.path()), ["platform-tools"]);
    assert!(!folder.path().join("platform-tools/old").exists());
}

/// Fetches what a server answers so; nothing may be left behind, and what was there stays.
async fn check(answered: Vec<u8>, wanted: &Release, expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    let before = program(folder.path());
    std::fs::create_dir_all(before.parent().unwrap()).unwrap();
    std::fs::write(&before, "before").unwrap();
    let url = serve(answered).await;
    let wanted = Release {
        url,
        ..wanted.clone()
    };
    let told = fetch(&wanted, folder.path(), &|_| ()).await.unwrap_err();
    assert_eq!(name(&told), expected, "{told:?}");
    assert_eq!(left(folder.path()), ["platform-tools"]);
    assert_eq!(std::fs::read_to_string(before).unwrap(), "before");
}

fn name(error: &ToolsError) -> &'static str {
    match error {
        ToolsError::NoneKnown => "none known",
        ToolsError::Offline(_) => "offline",
        ToolsError::Broken(_) => "broken",
        ToolsError::Wrong(_) => "wrong",
        ToolsError::Full(_) => "full",
        ToolsError::Disk(_) => "disk",
    }
}

#[tokio::test]
async fn what_is_not_what_was_published_is_thrown_away() {
    let bytes = good();
    let wanted = release(String::new(), &bytes);
    let length = bytes.len();
    let mut changed = bytes.clone();
    changed[length / 2] ^= 1;
    check(answer("200 OK", length, &changed), &wanted, "wrong").await;
    let mut longer = bytes.clone();
    longer.push(0);
    check(answer("200 OK", length + 1, &longer), &wanted, "wrong").await;
    check(
        answer("200 OK", length - 1, &bytes[..length - 1]),
        &wanted,
        "wrong",
    )
    .await;
    // Cut in the middle; given with no length at all, and cut; refused.
    check(answer("200 OK", length, &bytes[..length / 2]), &wanted, "broken").await;
    let bare = |body: &[u8]| [b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n", body].concat();
    check(bare(&bytes[..length / 2]), &wanted, "broken").await;
    check(bare(&longer), &wanted, "wrong").await;
    check(answer("404 Not Found", 0, b""), &wanted, "broken").await;
    check(b"nonsense".to_vec(), &wanted, "broken").await;
    check(Vec::new(), &wanted, "broken").await;
}

#[tokio::test]
async fn no_other_host_is_asked() {
    let bytes = good();
    let wanted = release(String::new(), &bytes);
    let other = serve(answer("200 OK", bytes.len(), &bytes)).await;
    let moved =
        format!("HTTP/1.1 302 Found\r\nlocation: {other}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    check(moved.into_bytes(), &wanted, "broken").await;
    let folder = tempfile::tempdir().unwrap();
    let plain = Release {
        url: "http://dl.google.com/x.zip".to_owned(),
        ..wanted.clone()
    };
    let told = fetch(&plain, folder.path(), &|_| ()).await.unwrap_err();
    assert_eq!(name(&told), "broken", "{told:?}");
}

/// scrcpy's server: one file, whole or not at all, from its makers or where they keep it.
#[tokio::test]
async fn the_mirrors_server_comes_whole_or_stays_as_it_was() {
    let bytes = b"a jar, as it was published".to_vec();
    let length = bytes.len();
    let mut changed = bytes.clone();
    changed[3] ^= 1;
    let moved = |to: &str| {
        format!("HTTP/1.1 302 Found\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            .into_bytes()
    };
    let elsewhere = serve(answer("200 OK", length, &bytes)).await;
    for (answered, expected) in [
        (answer("200 OK", length, &bytes), None),
        (answer("200 OK", length, &changed), Some("wrong")),
        (answer("200 OK", length, &bytes[..length / 2]), Some("broken")),
        (answer("404 Not Found", 0, b""), Some("broken")),
        (Vec::new(), Some("broken")),
        // Another host, and a host of theirs that is asked without https.
        (moved(&elsewhere), Some("broken")),
        (
            moved(&elsewhere.replace("127.0.0.1", "localhost")),
            Some("broken"),
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let place = scrcpy_server(folder.path());
        std::fs::write(&place, "before").unwrap();
        let wanted = Release {
            hosts: &["localhost"],
            ..release(serve(answered).await, &bytes)
        };
        let stages = Mutex::new(Vec::new());
        let tell = |stage| stages.lock().unwrap().push(stage);
        let told = fetch_scrcpy(&wanted, folder.path(), &tell).await;
        assert_eq!(told.as_ref().err().map(name), expected, "{told:?}");
        assert_eq!(left(folder.path()), ["scrcpy-server"]);
        let kept = std::fs::read(&place).unwrap();
        let is_done = stages.into_inner().unwrap().contains(&Fetching::Done);
        assert_eq!((kept == bytes, is_done), (expected.is_none(), expected.is_none()));
        assert!(kept == bytes || kept == b"before");
    }
}

#[tokio::test]
async fn no_network_and_no_room_are_two_troubles() {
    let bytes = good();
    let nobody = {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        listener.local_addr().unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let gone = release(format!("http://{nobody}/x.zip"), &bytes);
    let told = fetch(&gone, folder.path(), &|_| ()).await.unwrap_err();
    assert_eq!(name(&told), "offline", "{told:?}");
    assert_eq!(left(folder.path()), [""; 0]);
    #[cfg(target_os = "linux")]
    {
        // A file on a full disk.
        let url = serve(answer("200 OK", bytes.len(), &bytes)).await;
        let full = |_: &Path| File::options().write(true).open("/dev/full");
        let told = fetch_with(&release(url, &bytes), folder.path(), &full, &|_| ()).await;
        assert_eq!(name(&told.unwrap_err()), "full");
        assert_eq!(left(folder.path()), [""; 0]);
    }
}

#[tokio::test]
async fn an_archive_stays_in_its_folder() {
    let good_adb = (ADB, "adb", 0o755);
    let link = {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default();
        zip.start_file(ADB, options).unwrap();
        zip.add_symlink("platform-tools/lib64", "/etc", options).unwrap();
        zip.finish().unwrap().into_inner()
    };
    for bytes in [
        archive(&[good_adb, ("../evil", "x", 0o644)]),
        archive(&[good_adb, ("platform-tools/../../evil", "x", 0o644)]),
        archive(&[good_adb, ("platform-tools/../evil", "x", 0o644)]),
        archive(&[good_adb, ("/etc/evil", "x", 0o644)]),
        archive(&[good_adb, ("platform-tools\\..\\..\\evil", "x", 0o644)]),
        archive(&[good_adb, ("elsewhere/evil", "x", 0o644)]),
        archive(&[("platform-tools/fastboot", "no adb", 0o755)]),
        link,
        b"PK not an archive".to_vec(),
    ] {
        let wanted = release(String::new(), &bytes);
        check(answer("200 OK", bytes.len(), &bytes), &wanted, "wrong").await;
    }
}

/// Dropped half-way, nothing is left.
#[tokio::test]
async fn a_fetch_that_is_given_up_leaves_nothing() {
    let bytes = good();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/x.zip", listener.local_addr().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let wanted = release(url, &bytes);
    let half = answer("200 OK", bytes.len(), &bytes[..10]);
    let server = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = [0; 4096];
        let _ = stream.read(&mut request).await;
        stream.write_all(&half).await.unwrap();
        std::future::pending::<()>().await;
    };
    let (loaded, mut heard) = tokio::sync::watch::channel(0);
    let tell = move |stage| {
        if let Fetching::Loading { done, .. } = stage {
            loaded.send_replace(done);
        }
    };
    tokio::select! {
        _ = fetch(&wanted, folder.path(), &tell) => panic!("it cannot be whole"),
        () = server => {}
        _ = heard.wait_for(|done| *done == 10) => {}
    }
    assert_eq!(left(folder.path()), [""; 0]);
}
