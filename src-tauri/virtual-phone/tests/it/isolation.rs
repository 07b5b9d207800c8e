//! Nothing of the host is reachable through the phone: no file, no variable, no process, no network.

use crate::client::{all, one, shell};
use crate::sync::Sync;
use virtual_phone::Speed;

#[tokio::test]
async fn files_of_the_host_are_not_there() {
    let (host, _phone) = one(Speed::Instant);
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret.txt");
    std::fs::write(&secret, "host only").unwrap();
    let path = secret.to_str().unwrap();
    let own = std::env::current_exe().unwrap();
    for line in [
        format!("cat '{path}'"),
        format!("cat < '{path}'"),
        format!("cat '{}'", own.display()),
        format!("'{}'", own.display()),
        format!("sh '{path}'"),
        format!(". '{path}'"),
        format!("ls '{}'", folder.path().display()),
        "cat /etc/passwd".to_owned(),
        "cat /etc/shadow".to_owned(),
        "ls /root".to_owned(),
        "ls /usr".to_owned(),
        "ls /home".to_owned(),
        "find / -name secret.txt | grep .".to_owned(),
        format!("cd '{}'", folder.path().display()),
        "cat /proc/1/environ".to_owned(),
        format!("ls ../../../../../..{}", folder.path().display()),
    ] {
        let outcome = shell(&host, &line).await;
        assert_ne!(outcome.status, Some(0), "{line}: {outcome:?}");
        assert!(
            !outcome.text().contains("host only") && !outcome.err.contains("host only"),
            "{line}"
        );
    }
    // Writing: by redirection, by command, by push, through a link.
    let target = folder.path().join("written.txt");
    let written = target.to_str().unwrap();
    for line in [
        format!("echo x > '{written}'"),
        format!("cp /system/build.prop '{written}'"),
        format!("screencap '{written}'"),
        format!("uiautomator dump '{written}'"),
        format!(
            "ln -s '{}' /data/local/tmp/out && echo x > /data/local/tmp/out/written.txt",
            folder.path().display()
        ),
        format!("rm -rf '{path}'"),
    ] {
        shell(&host, &line).await;
    }
    Sync::open(&host)
        .await
        .push(written, 0o644, b"x")
        .await
        .unwrap_err();
    Sync::open(&host).await.pull(path).await.unwrap_err();
    assert!(!target.exists());
    assert_eq!(std::fs::read_to_string(&secret).unwrap(), "host only");
}

#[tokio::test]
async fn variables_and_processes_of_the_host_are_not_there() {
    let (host, _phone) = one(Speed::Instant);
    let out = shell(
        &host,
        "env; set; ps -A -o ARGS; cat /proc/*/cmdline /proc/*/environ 2>/dev/null; id; uname -a; hostname",
    )
    .await;
    let seen = String::from_utf8_lossy(&out.out).into_owned();
    for (name, value) in std::env::vars() {
        // Short values and names every Unix has say nothing.
        let common = matches!(
            name.as_str(),
            "HOME" | "SHELL" | "USER" | "LOGNAME" | "PWD" | "TERM" | "LANG" | "TMPDIR" | "HOSTNAME"
        );
        if value.len() >= 16 && !common {
            assert!(!seen.contains(&value), "{name}={value}");
        }
    }
    for name in ["CARGO", "NEXTEST", "RUST_BACKTRACE"] {
        assert!(!seen.contains(name), "{name}");
    }
    // A number the phone uses too names the phone's process.
    let line = format!("cat /proc/{}/cmdline", std::process::id());
    let own = std::env::current_exe().unwrap();
    let binary = own.file_name().unwrap().to_str().unwrap();
    assert!(!shell(&host, &line).await.text().contains(binary));
    // The host's processes cannot be ended: their numbers mean nothing here.
    let ended = shell(
        &host,
        &format!("kill -9 {}; kill -9 1; kill -9 -1", std::process::id()),
    )
    .await;
    assert_ne!(ended.status, None);
}

#[tokio::test]
async fn there_is_no_network() {
    let (host, _phone) = one(Speed::Instant);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    for command in ["nc", "curl", "wget", "ping", "telnet", "ssh", "toybox nc"] {
        let outcome = shell(&host, &format!("{command} 127.0.0.1 {port}")).await;
        assert_eq!(outcome.status, Some(127), "{command}");
    }
    shell(
        &host,
        &format!("echo x > /dev/tcp/127.0.0.1/{port}; exec 3<>/dev/tcp/127.0.0.1/{port}"),
    )
    .await;
    assert!(crate::client::open(&host, &format!("tcp:{port}")).await.is_err());
    assert!(listener.accept().is_err(), "nobody came");
    assert_eq!(
        all(&host, "exec:date -u +%Y").await,
        b"2023\n",
        "even the time of day is what the phone was given"
    );
}
