//! How an adb server is reached: over TCP, or by a pipe inside this program (the demo, and every test).

use crate::error::AdbError;
use futures::future::BoxFuture;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

/// How long a connection may take to stand.
const CONNECT: Duration = Duration::from_secs(3);

/// adb's own default.
pub const DEFAULT_PORT: u16 = 5037;

/// A connection to an adb server.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// Makes a new connection to an adb server inside this program.
pub type Connector = Arc<dyn Fn() -> BoxFuture<'static, io::Result<Box<dyn Stream>>> + Send + Sync>;

/// A connector that opens a pipe, in whatever way `open` does.
pub fn connector<S: Stream + 'static>(open: impl Fn() -> S + Send + Sync + 'static) -> Connector {
    let open = Arc::new(open);
    Arc::new(move || {
        let open = Arc::clone(&open);
        Box::pin(async move { Ok(Box::new(open()) as Box<dyn Stream>) })
    })
}

/// The way to one adb server. Every request has a connection of its own.
#[derive(Clone)]
pub enum Link {
    /// `host:port`.
    Tcp(String),
    /// Inside this program.
    Memory(Connector),
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Link({})", self.address())
    }
}

impl Link {
    /// `host:port`, or `demo` for one inside this program.
    #[must_use]
    pub fn address(&self) -> &str {
        match self {
            Self::Tcp(address) => address,
            Self::Memory(_) => "demo",
        }
    }

    /// Whether both lead to one server.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Tcp(one), Self::Tcp(other)) => one == other,
            (Self::Memory(one), Self::Memory(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }

    /// One new connection, within 3 s.
    ///
    /// # Errors
    /// [`AdbError::NoServer`] when nobody listens, [`AdbError::Silent`] when nothing answers.
    pub async fn connect(&self) -> Result<Box<dyn Stream>, AdbError> {
        let connecting = async {
            match self {
                Self::Tcp(address) => {
                    let stream = TcpStream::connect(address).await?;
                    stream.set_nodelay(true)?;
                    Ok(Box::new(stream) as Box<dyn Stream>)
                }
                Self::Memory(connector) => connector().await,
            }
        };
        match tokio::time::timeout(CONNECT, connecting).await {
            Ok(Ok(stream)) => Ok(stream),
            Ok(Err(error)) => Err(AdbError::NoServer {
                address: self.address().to_owned(),
                why: error.to_string(),
            }),
            Err(_) => Err(AdbError::Silent {
                address: self.address().to_owned(),
            }),
        }
    }
}

/// Where this computer's adb server is, from the environment: `ADB_SERVER_SOCKET` (`tcp:5037`, `tcp:host:5037`,
/// `tcp:[::1]:5037`), else `ANDROID_ADB_SERVER_PORT`, else `127.0.0.1:5037`. As adb itself has it.
///
/// # Errors
/// [`AdbError::BadAddress`] when a variable is set and cannot be used.
pub fn server_address(env: &dyn Fn(&str) -> Option<String>) -> Result<String, AdbError> {
    let set = |name: &str| env(name).filter(|value| !value.is_empty());
    if let Some(socket) = set("ADB_SERVER_SOCKET") {
        return socket
            .strip_prefix("tcp:")
            .and_then(tcp_address)
            .ok_or_else(|| AdbError::BadAddress(format!("ADB_SERVER_SOCKET={socket}")));
    }
    if let Some(port) = set("ANDROID_ADB_SERVER_PORT") {
        return match port.parse::<u16>() {
            Ok(port) if port > 0 => Ok(format!("127.0.0.1:{port}")),
            _ => Err(AdbError::BadAddress(format!("ANDROID_ADB_SERVER_PORT={port}"))),
        };
    }
    Ok(format!("127.0.0.1:{DEFAULT_PORT}"))
}

/// `5038` → `127.0.0.1:5038`, `host` → `host:5037`, `host:5038` and `[::1]:5038` as they are.
#[must_use]
pub fn tcp_address(text: &str) -> Option<String> {
    let text = text.trim();
    if let Ok(port) = text.parse::<u16>() {
        return (port > 0).then(|| format!("127.0.0.1:{port}"));
    }
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !host.ends_with(':') && (!host.contains(':') || host.ends_with(']')) => {
            (host, port.parse::<u16>().ok().filter(|port| *port > 0)?)
        }
        Some(_) if !text.starts_with('[') => return None,
        _ => (text, DEFAULT_PORT),
    };
    let plain = host.trim_start_matches('[').trim_end_matches(']');
    let fits = !plain.is_empty()
        && plain
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '%'));
    fits.then(|| format!("{host}:{port}"))
}

/// Whether an address (`host:port`) is this computer's own.
#[must_use]
pub fn is_loopback(address: &str) -> bool {
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(vars: &[(&str, &str)], expected: Option<&str>) {
        let env = |name: &str| {
            vars.iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned())
        };
        assert_eq!(server_address(&env).ok().as_deref(), expected, "{vars:?}");
    }

    #[test]
    fn the_environment_says_where_the_server_is() {
        check(&[], Some("127.0.0.1:5037"));
        check(&[("ANDROID_ADB_SERVER_PORT", "5099")], Some("127.0.0.1:5099"));
        check(&[("ANDROID_ADB_SERVER_PORT", "")], Some("127.0.0.1:5037"));
        check(&[("ANDROID_ADB_SERVER_PORT", "many")], None);
        check(&[("ANDROID_ADB_SERVER_PORT", "0")], None);
        check(&[("ADB_SERVER_SOCKET", "tcp:5038")], Some("127.0.0.1:5038"));
        check(&[("ADB_SERVER_SOCKET", "tcp:host:5038")], Some("host:5038"));
        check(&[("ADB_SERVER_SOCKET", "tcp:[::1]:5038")], Some("[::1]:5038"));
        check(&[("ADB_SERVER_SOCKET", "tcp:")], None);
        check(&[("ADB_SERVER_SOCKET", "localabstract:adb")], None);
        check(
            &[
                ("ADB_SERVER_SOCKET", "tcp:box:1"),
                ("ANDROID_ADB_SERVER_PORT", "2"),
            ],
            Some("box:1"),
        );
    }

    #[test]
    fn addresses_are_completed_or_refused() {
        for (text, expected) in [
            ("desk.local", Some("desk.local:5037")),
            ("192.168.1.7:5038", Some("192.168.1.7:5038")),
            (" 192.168.1.7 ", Some("192.168.1.7:5037")),
            ("[fe80::1]", Some("[fe80::1]:5037")),
            ("fe80::1", None),
            ("", None),
            ("host:port", None),
            ("a b", None),
            ("host:70000", None),
        ] {
            assert_eq!(tcp_address(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn only_this_computers_addresses_are_loopback() {
        for address in ["127.0.0.1:5037", "localhost:1", "[::1]:5037", "127.8.8.8:5037"] {
            assert!(is_loopback(address), "{address}");
        }
        for address in ["192.168.1.7:5037", "localhost.example:1", "0.0.0.0:5037"] {
            assert!(!is_loopback(address), "{address}");
        }
    }
}
