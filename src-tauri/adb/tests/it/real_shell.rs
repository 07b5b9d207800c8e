//! The same lines, run by a real shell with real processes: is what was killed dead?
//!
//! A phone's daemon gives each command a session of its own; here it gets a process group, which is what is killed.
//! Time is real; nothing is measured, everything is bounded.

use adb::Command;
use adb::{AdbPhone, AdbServer, Connector, Device, Link, Stream};
use agent::lease::Lease;
use agent::ports::PhoneError;
use protocol::PhoneId;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

fn phone() -> AdbPhone {
    let connector: Connector = Arc::new(|| {
        Box::pin(async {
            let (near, far) = tokio::io::duplex(1 << 16);
            tokio::spawn(serve(far));
            Ok(Box::new(near) as Box<dyn Stream>)
        })
    });
    let device = Device::new(AdbServer::new(Link::Memory(connector)), "HERE");
    AdbPhone::new(PhoneId::from("HERE"), device)
}

async fn serve(mut stream: DuplexStream) -> Option<()> {
    loop {
        let mut digits = [0; 4];
        stream.read_exact(&mut digits).await.ok()?;
        let mut request = vec![0; usize::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()];
        stream.read_exact(&mut request).await.ok()?;
        let request = String::from_utf8(request).unwrap();
        stream.write_all(b"OKAY").await.ok()?;
        if request.ends_with(":features") {
            stream.write_all(b"0008shell_v2").await.ok()?;
        } else if let Some(line) = request.strip_prefix("shell,v2,raw:") {
            return run(&mut stream, line).await;
        }
    }
}

async fn run(stream: &mut DuplexStream, line: &str) -> Option<()> {
    #[expect(clippy::disallowed_methods, reason = "a test runs a real shell")]
    let mut command = tokio::process::Command::new("bash");
    command.arg("-c").arg(line).process_group(0);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut stdout = child.stdout.take()?;
    let mut part = [0; 4096];
    loop {
        let read = stdout.read(&mut part).await.ok()?;
        if read == 0 {
            break;
        }
        packet(stream, 1, &part[..read]).await?;
    }
    let status = child.wait().await.ok()?;
    let code = status.code().map_or(137, |code| u8::try_from(code).unwrap());
    packet(stream, 3, &[code]).await
}

async fn packet(stream: &mut DuplexStream, kind: u8, bytes: &[u8]) -> Option<()> {
    stream.write_u8(kind).await.ok()?;
    stream
        .write_u32_le(u32::try_from(bytes.len()).unwrap())
        .await
        .ok()?;
    stream.write_all(bytes).await.ok()
}

fn shell(script: String) -> Command {
    Command::Shell(vec!["bash".to_owned(), "-c".to_owned(), script])
}

async fn appears(path: &Path) {
    for _ in 0..1500 {
        if path.exists() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{} never appeared", path.display());
}

/// The processes whose command line names the word.
fn running(word: &str) -> Vec<String> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = all.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(word))
        .collect()
}

/// A child in the group, one in a session of its own, and the command itself: all end with the lease.
#[tokio::test(flavor = "multi_thread")]
async fn whole_families_end_with_the_lease() {
    let folder = tempfile::tempdir().unwrap();
    let ready = folder.path().join("ready");
    // A length of sleep nobody else has: the name under which the processes are looked for.
    let nap = format!("30{}.5", std::process::id());
    let script = format!(
        "sleep {nap} & setsid sleep {nap} >/dev/null 2>&1 & : > {}; sleep {nap}",
        ready.display()
    );
    let lease = Lease::new();
    let grip = lease.take();
    let work = tokio::spawn(async move { phone().by_hand(&shell(script), &grip).await });
    appears(&ready).await;
    lease.revoke();
    assert!(lease.drained(Duration::from_secs(30)).await);
    // On a machine under load the answer may come before the proof; the lease drains with the proof.
    let told = work.await.unwrap();
    assert!(
        matches!(told, Err(PhoneError::LeaseLost | PhoneError::MaybeRunning(_))),
        "{told:?}"
    );
    assert_eq!(running(&format!("sleep {nap}")), [""; 0]);
}

/// Nor do children outlive a command that was over by itself.
#[tokio::test(flavor = "multi_thread")]
async fn children_do_not_outlive_a_command_that_is_over() {
    let nap = format!("31{}.5", std::process::id());
    let script = format!(
        "echo done; sleep {nap} >/dev/null 2>&1 & setsid sleep {nap} >/dev/null 2>&1 & echo \"[$POCKETDECK_COMMAND]\" >&2; exit 4"
    );
    let lease = Lease::new();
    let done = phone().by_hand(&shell(script), &lease.take()).await.unwrap();
    assert_eq!((done.output.as_deref(), done.exit), (Some("done"), Some(4)));
    assert!(lease.drained(Duration::from_secs(30)).await);
    assert_eq!(running(&format!("sleep {nap}")), [""; 0]);
}

/// Whatever the words, the shell runs the one command they are.
#[tokio::test(flavor = "multi_thread")]
async fn hostile_words_reach_the_program_as_they_are() {
    let hostile = [
        "a b",
        "it's",
        "$(reboot)",
        "`x`",
        ";",
        "&&",
        "|",
        ">",
        "\"",
        "\\",
        "*",
        "~",
        "-n",
        "",
        "é🎉",
        "l\nl",
    ];
    let mut words = vec!["printf".to_owned(), "<%s>".to_owned()];
    words.extend(hostile.map(str::to_owned));
    let lease = Lease::new();
    let done = phone()
        .by_hand(&Command::Shell(words), &lease.take())
        .await
        .unwrap();
    let expected: String = hostile.iter().map(|word| format!("<{word}>")).collect();
    assert_eq!(done.output, Some(expected));
}
