//! The emulator's own console: the one way to tell it where it is.
//!
//! No service of the adb server does this. `adb emu geo fix` goes past the server too: adb's own client opens the console's
//! port on this computer (AOSP, `client/console.cpp`: `adb_get_emulator_console_port`, `adb_construct_auth_command`,
//! `adb_send_emulator_command`), shows the word from the person's home folder, and writes one line. So does this.

use crate::error::{AdbError, clip};
use std::path::PathBuf;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The word an emulator of this person asks for is kept here, in the home folder.
const TOKEN: &str = ".emulator_console_auth_token";
/// All of it: the console answers at once or not at all.
const LIMIT: Duration = Duration::from_secs(5);
/// It says a greeting and a word a line.
const MOST: u64 = 64 * 1024;

/// The console of an emulator by its serial: `emulator-5554` listens at 5554. Only one of this computer has it in reach.
pub(crate) fn port(serial: &str, server: &str) -> Option<u16> {
    let host = server.rsplit_once(':').map_or(server, |(host, _)| host);
    let here = matches!(host, "127.0.0.1" | "localhost" | "[::1]");
    serial
        .strip_prefix("emulator-")
        .filter(|_| here)
        .and_then(|port| port.parse().ok())
}

/// The word of this computer's emulators; empty where they ask for none.
pub(crate) async fn token() -> String {
    let file = std::env::home_dir().map(|home: PathBuf| home.join(TOKEN));
    let read = match file {
        Some(file) => tokio::fs::read_to_string(file).await.unwrap_or_default(),
        None => String::new(),
    };
    read.trim().to_owned()
}

/// Tells the emulator where it is: degrees, north and east positive.
///
/// # Errors
/// When nobody listens, or it says no.
pub(crate) async fn fix(port: u16, token: &str, latitude: f64, longitude: f64) -> Result<(), AdbError> {
    let address = format!("127.0.0.1:{port}");
    let said = tokio::time::timeout(LIMIT, speak(&address, token, latitude, longitude)).await;
    let said = match said {
        Ok(Ok(said)) => said,
        Ok(Err(error)) => {
            return Err(AdbError::NoServer {
                address,
                why: error.to_string(),
            });
        }
        Err(_) => return Err(AdbError::Silent { address }),
    };
    let refused = said.lines().map(str::trim).find(|line| line.starts_with("KO"));
    match refused {
        Some(line) => Err(AdbError::Refused(clip(line))),
        // The greeting's own, the word's where one was shown, and the place's.
        None if said.lines().filter(|line| line.trim() == "OK").count() >= 2 => Ok(()),
        None => Err(AdbError::Refused("the console did not say OK".to_owned())),
    }
}

async fn speak(address: &str, token: &str, latitude: f64, longitude: f64) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    let auth = if token.is_empty() {
        String::new()
    } else {
        format!("auth {token}\n")
    };
    // The longitude first.
    let commands = format!("{auth}geo fix {longitude:.6} {latitude:.6}\nquit\n");
    stream.write_all(commands.as_bytes()).await?;
    let mut said = Vec::new();
    stream.take(MOST).read_to_end(&mut said).await?;
    Ok(String::from_utf8_lossy(&said).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_emulator_of_this_computer_has_a_console() {
        for (serial, server, expected) in [
            ("emulator-5554", "127.0.0.1:5037", Some(5554)),
            ("emulator-5556", "localhost:5037", Some(5556)),
            ("emulator-5554", "192.168.1.4:5037", None),
            ("emulator-5554", "demo", None),
            ("emulator-x", "127.0.0.1:5037", None),
            ("37181FDJH004A1", "127.0.0.1:5037", None),
        ] {
            assert_eq!(port(serial, server), expected, "{serial} {server}");
        }
    }
}
