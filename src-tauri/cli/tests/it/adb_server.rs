//! The real adb's server, on a port and with a home of its own.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A server of the real adb program. Killed when this is dropped, whatever else happens.
pub(crate) struct AdbServer {
    child: Child,
    port: u16,
    /// Its keys lie here, not in the person's own home.
    home: tempfile::TempDir,
}

impl AdbServer {
    /// Starts one. Where the program is missing the test fails and says how to get it.
    pub(crate) fn start() -> Self {
        for _ in 0..5 {
            if let Some(server) = Self::try_start() {
                return server;
            }
        }
        panic!("adb's server does not start: five free ports were taken by others meanwhile");
    }

    fn try_start() -> Option<Self> {
        let home = tempfile::tempdir().unwrap();
        let port = free_port();
        let mut command = adb(home.path(), port);
        command
            .args(["nodaemon", "server"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::from(
                fs::File::create(home.path().join("server.log")).unwrap(),
            ));
        let child = command.spawn().unwrap_or_else(|problem| {
            panic!(
                "these tests need the program adb: install Debian's or Ubuntu's package `adb` (sudo apt install adb), or \
                 Android's platform tools elsewhere, or name the program in POCKETDECK_ADB ({problem})"
            )
        });
        let mut server = Self { child, port, home };
        let until = Instant::now() + Duration::from_secs(30);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if server.child.try_wait().unwrap().is_some() {
                return None;
            }
            assert!(Instant::now() < until, "adb's server does not listen on {port}");
            std::thread::yield_now();
        }
        Some(server)
    }

    /// Runs `adb ARGUMENTS…` against this server.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        adb(self.home.path(), self.port)
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// `adb connect`, and what it said.
    pub(crate) fn connect(&self, address: &str) -> String {
        String::from_utf8(self.run(&["connect", address]).stdout).unwrap()
    }

    /// Makes a program use this server and no other.
    pub(crate) fn lend(&self, command: &mut Command) {
        command
            .env("ADB_SERVER_SOCKET", format!("tcp:localhost:{}", self.port))
            .env("ANDROID_ADB_SERVER_PORT", self.port.to_string())
            .env("HOME", self.home.path());
    }
}

impl Drop for AdbServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn adb(home: &std::path::Path, port: u16) -> Command {
    let program = std::env::var_os("POCKETDECK_ADB").unwrap_or_else(|| "adb".into());
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

/// A port nobody has at this moment, and none that adb itself looks at.
fn free_port() -> u16 {
    loop {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        if port != 5037 && !(5554..=5585).contains(&port) {
            return port;
        }
    }
}
