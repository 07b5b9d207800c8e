//! The real `adb` against the daemon, and its server's words against ours.
//!
//! Another `adb` than the one on the path is tried with `VIRTUAL_PHONE_ADB=FILE`. What is compared word for word are adb 29
//! and adb 36: the one on the path, and adb 36 where it can be fetched.
//!
//! Each test starts a server of its own on a port of its own and ends it, whatever happens.

#![allow(clippy::disallowed_methods, reason = "the adb program is what is tried here")]

use crate::fake::Fake;
use crate::newer_adb::{PACKAGE, newer_adb};
use crate::skipped::skipped;
use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::net::TcpListener as StdListener;
use std::net::TcpStream;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use virtual_phone::{Fault, Host, Options, PhoneHandle, Speed, Transport};

/// A real adb server, ended when it is dropped.
pub(crate) struct Server {
    child: Child,
    program: OsString,
    port: u16,
    home: tempfile::TempDir,
}

impl Server {
    /// The server of the `adb` on the path.
    pub(crate) fn start() -> Self {
        Self::of(std::env::var_os("VIRTUAL_PHONE_ADB").unwrap_or_else(|| "adb".into()))
    }

    /// The server of this program.
    fn of(program: OsString) -> Self {
        let home = tempfile::tempdir().unwrap();
        let port = loop {
            let port = StdListener::bind("127.0.0.1:0")
                .unwrap()
                .local_addr()
                .unwrap()
                .port();
            if port != 5037 && !(5554..=5585).contains(&port) {
                break port;
            }
        };
        let mut command = adb(&program, home.path(), port);
        command
            .args(["nodaemon", "server"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let child = match command.spawn() {
            Ok(child) => child,
            Err(problem) => panic!("the program adb is needed (Debian, Ubuntu: package `adb`): {problem}"),
        };
        let server = Self {
            child,
            program,
            port,
            home,
        };
        let until = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < until, "adb's server does not listen on {port}");
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }

    /// Runs `adb ARGUMENTS…` against this server.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        adb(&self.program, self.home.path(), self.port)
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    pub(crate) fn text(&self, arguments: &[&str]) -> String {
        String::from_utf8(self.run(arguments).stdout).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn adb(program: &OsStr, home: &std::path::Path, port: u16) -> Command {
    let mut command = Command::new(program);
    command
        .env("HOME", home)
        .env("ADB_SERVER_SOCKET", format!("tcp:localhost:{port}"))
        .env("ANDROID_ADB_SERVER_PORT", port.to_string())
        // No emulators are looked for.
        .env("ADB_LOCAL_TRANSPORT_MAX_PORT", "5554")
        .env_remove("ADB_VENDOR_KEYS")
        .env_remove("ANDROID_SERIAL");
    command
}

/// A phone whose daemon and whose own server listen on loopback.
async fn phone(faults: &[Fault]) -> (Host, PhoneHandle, String, u16) {
    let host = Host::new();
    let daemon = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = daemon.local_addr().unwrap().to_string();
    // Our own server lists it as the real one does: a machine on the network, with its address for a serial.
    let options = Options {
        faults: faults.to_vec(),
        serial: Some(address.clone()),
        transport: Transport::Network,
        ..crate::client::options(Speed::Instant)
    };
    let phone = host.add(Fake::boxed(), options);
    phone.serve_adbd(daemon).unwrap();
    let server = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = host.serve(server).unwrap().port();
    (host, phone, address, port)
}

/// All a client said: adb 29 prints what a push failed of on its output, later ones on the other.
fn said(output: &std::process::Output) -> String {
    [&output.stdout, &output.stderr]
        .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
        .concat()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connects_runs_pushes_pulls_and_captures() {
    let (_host, phone, address, _) = phone(&[]).await;
    let work = tempfile::tempdir().unwrap();
    tokio::task::spawn_blocking(move || {
        let server = Server::start();
        assert_eq!(
            server.text(&["connect", &address]),
            format!("connected to {address}\n")
        );
        assert_eq!(
            server.text(&["devices"]),
            format!("List of devices attached\n{address}\tdevice\n\n")
        );
        let ran = server.run(&["shell", "echo out; echo err >&2; exit 7"]);
        assert_eq!(
            (ran.status.code(), ran.stdout, ran.stderr),
            (Some(7), b"out\n".to_vec(), b"err\n".to_vec())
        );
        // Arguments are joined by the client; what is quoted once stays one word.
        assert_eq!(server.text(&["shell", "printf", "'[%s]'", "'a  b'"]), "[a  b]");
        let mut features: Vec<String> = server.text(&["features"]).lines().map(str::to_owned).collect();
        features.sort();
        let own = [
            "cmd",
            "fixed_push_mkdir",
            "fixed_push_symlink_timestamp",
            "ls_v2",
            "sendrecv_v2",
            "shell_v2",
            "stat_v2",
        ];
        // adb 29 does not know `sendrecv_v2` by name, and lists what it knows.
        assert!(
            own.iter()
                .filter(|name| features.iter().any(|feature| feature == *name))
                .count()
                >= 6,
            "{features:?}"
        );
        let file = work.path().join("ü.bin");
        let bytes: Vec<u8> = (0..3_000_000_u32).map(|number| number.to_le_bytes()[1]).collect();
        std::fs::write(&file, &bytes).unwrap();
        // The daemon makes the parents of what it is sent, never the folder meant by a last slash.
        let nowhere = server.run(&["push", file.to_str().unwrap(), "/sdcard/new/dir/"]);
        assert!(
            said(&nowhere).contains("remote couldn't create file: Is a directory"),
            "{nowhere:?}"
        );
        assert!(
            server
                .run(&["shell", "mkdir", "-p", "/sdcard/new/dir"])
                .status
                .success()
        );
        let pushed = server.run(&["push", file.to_str().unwrap(), "/sdcard/new/dir/"]);
        assert!(pushed.status.success(), "{pushed:?}");
        let back = work.path().join("back.bin");
        let pulled = server.run(&["pull", "/sdcard/new/dir/ü.bin", back.to_str().unwrap()]);
        assert!(pulled.status.success(), "{pulled:?}");
        assert_eq!(std::fs::read(&back).unwrap(), bytes);
        let folder = work.path().join("folder");
        assert!(
            server
                .run(&["pull", "/sdcard/new", folder.to_str().unwrap()])
                .status
                .success()
        );
        assert_eq!(std::fs::read(folder.join("dir/ü.bin")).unwrap(), bytes);
        let refused = server.run(&["push", file.to_str().unwrap(), "/system/"]);
        assert!(!refused.status.success());
        assert!(
            said(&refused).contains("remote couldn't create file: Read-only file system"),
            "{refused:?}"
        );
        let raw = server.run(&["exec-out", "screencap"]);
        assert_eq!(
            (raw.stdout.len(), &raw.stdout[..4]),
            (16 + 1080 * 2400 * 4, &1080_u32.to_le_bytes()[..])
        );
        assert!(
            server
                .run(&["exec-out", "screencap", "-p"])
                .stdout
                .starts_with(b"\x89PNG\r\n\x1a\n")
        );
        assert!(
            server
                .text(&["exec-out", "uiautomator", "dump", "/dev/tty"])
                .contains("</hierarchy>")
        );
        // Without a terminal there is no /dev/tty: the XML goes nowhere, on phones as here.
        assert_eq!(
            server.text(&["shell", "uiautomator dump /dev/tty"]),
            "UI hierchary dumped to: /dev/tty\n"
        );
        assert!(
            server
                .text(&["shell", "-t", "-t", "uiautomator dump /dev/tty"])
                .contains("</hierarchy>")
        );
        let install = server.run(&["install", file.to_str().unwrap()]);
        assert!(!install.status.success());
        assert_eq!(
            server.text(&["root"]),
            "adbd cannot run as root in production builds\n"
        );
        assert_eq!(server.text(&["get-state"]), "device\n");
        let mut piped = adb(&server.program, server.home.path(), server.port)
            .args(["shell", "cat | wc -c"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        piped
            .stdin
            .take()
            .unwrap()
            .write_all(&vec![b'x'; 1_000_000])
            .unwrap();
        assert_eq!(piped.wait_with_output().unwrap().stdout, b"1000000\n");
        assert_eq!(
            server.text(&["disconnect", &address]),
            format!("disconnected {address}\n")
        );
    })
    .await
    .unwrap();
    assert_eq!(phone.record().commands()[0], "echo out; echo err >&2; exit 7");
}

/// Asks a server on `port`, request after request on one connection, and gives every byte until it hangs up or falls
/// silent.
fn talk(port: u16, requests: &[String]) -> Vec<u8> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let mut all = Vec::new();
    stream.set_read_timeout(Some(Duration::from_millis(700))).unwrap();
    for (at, request) in requests.iter().enumerate() {
        // A server that has hung up hears no more: that is seen below.
        let _ = stream.write_all(format!("{:04x}{request}", request.len()).as_bytes());
        // The real one loses a request that comes before it has answered the last.
        let mut okay = [0; 4];
        if at + 1 < requests.len() && stream.read_exact(&mut okay).is_ok() {
            all.extend_from_slice(&okay);
        }
    }
    let mut buffer = [0; 4096];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => {
                all.extend_from_slice(b"<end>");
                return all;
            }
            Ok(count) => all.extend_from_slice(&buffer[..count]),
            Err(problem)
                if matches!(
                    problem.kind(),
                    std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                ) =>
            {
                return all;
            }
            Err(_) => {
                all.extend_from_slice(b"<end>");
                return all;
            }
        }
    }
}

/// Requests whose answers must be the real server's byte for byte; `S` stands for the serial.
const SAME: [&[&str]; 49] = [
    &["host:version"],
    &["host:devices"],
    &["host:devices-l"],
    &["host:get-state"],
    &["host:get-serialno"],
    &["host:get-devpath"],
    &["host-serial:S:get-state"],
    &["host-serial:S:get-serialno"],
    &["host-serial:S:get-devpath"],
    &["host-serial:nope:get-state"],
    &["host-serial:1.2.3.4:5555:get-state"],
    &["host-usb:get-state"],
    &["host-local:get-state"],
    &["host-transport-id:1:get-state"],
    &["host-transport-id:77:get-state"],
    &["host:transport:nope"],
    &["host:transport:S"],
    &["host:transport-any"],
    &["host:transport-usb"],
    &["host:transport-id:77"],
    &["host:tport:any"],
    &["host:tport:serial:S"],
    &["host:tport:serial:nope"],
    &["host:transport:S", "shell:echo hi"],
    &["host:transport:S", "shell,v2,raw:echo hi; nope; exit 3"],
    &["host:transport:S", "exec:echo hi"],
    &["host:transport:S", "bogus:"],
    &["host:transport:S", "localabstract:nope"],
    &["host:transport:S", "host:get-state"],
    &["host:transport:S", "host:get-serialno"],
    &["host:transport:S", "host:transport:S", "shell:echo hi"],
    &["shell:echo"],
    &["host:nope"],
    &["host:server-status"],
    &["host:mdns:check"],
    &["host:mdns:services"],
    &["host:pair:123456:127.0.0.1:1"],
    &["host:pair:123456:127.0.0.1"],
    &["host:pair:123456"],
    &["hostx"],
    &["host:"],
    &["host:connect:127.0.0.1:1"],
    &["host:disconnect:127.0.0.1:1"],
    &["host:list-forward"],
    &["host:killforward:tcp:1"],
    &["host:wait-for-any-device"],
    &["host:wait-for-foo-device"],
    &["host:track-devices"],
    &["host:track-devices-l"],
];

/// With the `adb` on the path, and with adb 36.
async fn compare(faults: &'static [Fault]) {
    compare_with(
        std::env::var_os("VIRTUAL_PHONE_ADB").unwrap_or_else(|| "adb".into()),
        faults,
    )
    .await;
    match tokio::task::spawn_blocking(newer_adb).await.unwrap() {
        Some(newer) => compare_with(newer.into(), faults).await,
        None => skipped(&format!("{PACKAGE} cannot be fetched")),
    }
}

async fn compare_with(program: OsString, faults: &'static [Fault]) {
    let (_host, handle, address, ours) = phone(faults).await;
    tokio::task::spawn_blocking(move || {
        let server = Server::of(program);
        let version = server.text(&["--version"]);
        let is_old = version.contains("Version 29.");
        if is_old {
            handle.set_fault(Fault::OldServer);
        } else if !version.contains("Version 36.") {
            // Other versions word some answers otherwise; ours are these two's.
            return skipped(&format!("neither adb 29 nor 36: {version}"));
        }
        server.run(&["connect", &address]);
        for requests in SAME {
            // About a phone that is not online it answers this one with an empty reason: no words to compare.
            if !faults.is_empty() && requests.iter().any(|request| request.contains("killforward")) {
                continue;
            }
            // adb 36 tells of itself: its build, its paths, its log.
            if !is_old && requests.contains(&"host:server-status") {
                continue;
            }
            let requests: Vec<String> = requests
                .iter()
                .map(|text| text.replace(":S", &format!(":{address}")))
                .collect();
            let (real, own) = (talk(server.port, &requests), talk(ours, &requests));
            assert_eq!(
                String::from_utf8_lossy(&own),
                String::from_utf8_lossy(&real),
                "{requests:?} with {faults:?}"
            );
        }
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn our_server_answers_in_adbs_own_words() {
    compare(&[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn and_about_a_phone_that_was_not_allowed() {
    compare(&[Fault::Unauthorized]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn allow_makes_a_waiting_phone_a_device() {
    let (_host, phone, address, _) = phone(&[Fault::Unauthorized]).await;
    tokio::task::spawn_blocking(move || {
        let server = Server::start();
        assert_eq!(
            server.text(&["connect", &address]),
            format!("failed to authenticate to {address}\n")
        );
        assert!(server.text(&["devices"]).contains("\tunauthorized\n"));
        phone.clear_fault(Fault::Unauthorized);
        assert!(server.run(&["wait-for-device"]).status.success());
        assert_eq!(server.text(&["shell", "echo in"]), "in\n");
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pulled_cable_is_noticed_and_a_cut_capture_is_exit_zero() {
    let (_host, phone, address, _) = phone(&[Fault::HalfCapture]).await;
    tokio::task::spawn_blocking(move || {
        let server = Server::start();
        server.run(&["connect", &address]);
        let cut = server.run(&["exec-out", "screencap"]);
        assert!(cut.stdout.len() < 10_000_000, "{}", cut.stdout.len());
        assert_eq!(
            (cut.status.code(), cut.stderr.as_slice()),
            (Some(0), &b""[..]),
            "as a real one was seen to"
        );
        phone.clear_fault(Fault::HalfCapture);
        server.run(&["disconnect", &address]);
        server.run(&["connect", &address]);
        // A server that still lets go of the last connection lists the new one a moment later.
        assert!(server.run(&["wait-for-device"]).status.success());
        assert_eq!(server.text(&["shell", "echo again"]), "again\n");
        let mut running = adb(&server.program, server.home.path(), server.port)
            .args(["shell", "sleep 600"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let until = Instant::now() + Duration::from_secs(20);
        while phone.processes().is_empty() {
            assert!(Instant::now() < until);
            std::thread::sleep(Duration::from_millis(10));
        }
        phone.unplug();
        running.wait().unwrap();
        assert!(
            !server
                .run(&["-s", &address, "shell", "echo gone"])
                .status
                .success()
        );
    })
    .await
    .unwrap();
}
