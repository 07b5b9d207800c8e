//! What the adb server is asked for: to pair, to connect, to let go. Its replies are sentences; they are read here.

use super::discovery::{Announcement, AnnouncementKind};
use crate::connect::link::{is_loopback, tcp_address};
use crate::connect::server::AdbServer;
use crate::connect::wire;
use crate::error::{AdbError, clip};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};
use std::io::ErrorKind;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How long the two may take to make each other known: the server tries for 10 s.
const PAIR: Duration = Duration::from_secs(25);
/// How long connecting may take: the server waits 10 s for the network, then 10 s for the phone.
const CONNECT: Duration = Duration::from_secs(30);
/// How long an address may take to say whether anybody is there.
const KNOCK: Duration = Duration::from_secs(3);

/// How connecting ended well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectResult {
    /// It is connected.
    Now,
    /// It was already.
    Already,
    /// It is listed, and waits for the person to tap Allow (`adb tcpip` phones; never after pairing).
    WaitsForAllow,
}

impl AdbServer {
    /// Pairs with the phone that shows `code` at `address`; gives the name it goes by on the network, where the server
    /// tells one.
    ///
    /// # Errors
    /// [`AdbError::TooOld`], [`AdbError::PairingCode`], [`AdbError::PairingClosed`], [`AdbError::Unreached`];
    /// [`AdbError::BadAddress`] when either is none.
    pub async fn pair(&self, code: &SecretString, address: &str) -> Result<Option<String>, AdbError> {
        let address = wanted(address)?;
        let plain = code.expose_secret().trim();
        if plain.is_empty() || !plain.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Err(AdbError::PairingCode("a code has digits only".to_owned()));
        }
        let mut stream = self.link().connect().await?;
        let request = Zeroizing::new(format!("host:pair:{plain}:{address}"));
        let framed = Zeroizing::new(wire::frame(&request)?);
        wire::send(&mut stream, &framed).await?;
        let said = match wire::status(&mut stream).await {
            Ok(()) => wire::outcome(&mut stream, PAIR).await,
            Err(error) => Err(error),
        };
        match said {
            Ok(text) if text.to_ascii_lowercase().starts_with("successfully") => Ok(guid(&text)),
            Err(AdbError::Refused(text)) if text.contains("unknown host service") => Err(AdbError::TooOld),
            // The server has one sentence for a wrong code, a closed port and a phone that is not there.
            Ok(text) | Err(AdbError::Refused(text) | AdbError::Cut(text)) => {
                Err(self.told_apart(&address, clip(text.trim())).await)
            }
            Err(AdbError::Gone(text)) => Err(self.told_apart(&address, text).await),
            Err(other) => Err(other),
        }
    }

    /// Who is at the address after a failed pairing says what failed. Only this computer's own server is on this
    /// computer's network: of another one nothing is known.
    async fn told_apart(&self, address: &str, said: String) -> AdbError {
        if self.link().is_elsewhere() {
            return AdbError::PairingCode(said);
        }
        match timeout(KNOCK, TcpStream::connect(address)).await {
            Ok(Ok(_)) => AdbError::PairingCode(said),
            Ok(Err(error)) if error.kind() == ErrorKind::ConnectionRefused => AdbError::PairingClosed(said),
            Ok(Err(error)) => AdbError::Unreached(format!("{said} ({error})")),
            Err(_) => AdbError::Unreached(said),
        }
    }

    /// Connects a phone by its address, or by the name it goes by on the network (`adb-…._adb-tls-connect._tcp`).
    ///
    /// # Errors
    /// [`AdbError::Unreached`], [`AdbError::Stranger`]; [`AdbError::BadAddress`].
    pub async fn connect_phone(&self, address: &str) -> Result<ConnectResult, AdbError> {
        let named = address.contains("._adb");
        let address = if named {
            address.to_owned()
        } else {
            wanted(address)?
        };
        let mut stream = self.link().connect().await?;
        wire::request(&mut stream, &format!("host:connect:{address}")).await?;
        let said = wire::outcome(&mut stream, CONNECT).await?;
        connected(&said)
    }

    /// What the server itself has seen announced on the network. Nothing where its own search is off or unknown to it.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub async fn announced(&self) -> Result<Vec<Announcement>, AdbError> {
        let mut stream = self.link().connect().await?;
        match wire::request(&mut stream, "host:mdns:services").await {
            Ok(()) => {}
            Err(AdbError::Refused(_)) => return Ok(Vec::new()),
            Err(other) => return Err(other),
        }
        let said = wire::outcome(&mut stream, wire::REPLY).await?;
        Ok(said.lines().filter_map(announced).collect())
    }

    /// Lets go of a phone over the network.
    ///
    /// # Errors
    /// When the server cannot be asked, or knows no such phone.
    pub async fn disconnect_phone(&self, address: &str) -> Result<(), AdbError> {
        let mut stream = self.link().connect().await?;
        wire::request(&mut stream, &format!("host:disconnect:{address}")).await?;
        wire::outcome(&mut stream, wire::REPLY).await.map(drop)
    }

    /// Whether the server can pair at all: it knows the word `mdns:check` from the same version on.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub async fn can_pair(&self) -> Result<bool, AdbError> {
        let mut stream = self.link().connect().await?;
        match wire::request(&mut stream, "host:mdns:check").await {
            Ok(()) => Ok(true),
            Err(AdbError::Refused(text)) if text.contains("unknown host service") => Ok(false),
            // It knows the word; that its own search does not work is no matter here.
            Err(AdbError::Refused(_) | AdbError::Gone(_)) => Ok(true),
            Err(other) => Err(other),
        }
    }
}

impl crate::connect::link::Link {
    /// On another computer: what is near to it is not near to this one.
    fn is_elsewhere(&self) -> bool {
        matches!(self, Self::Tcp(address) if !is_loopback(address))
    }
}

/// `host:port`, both written out: a phone pairs at no usual port.
fn wanted(address: &str) -> Result<String, AdbError> {
    let bad = || AdbError::BadAddress(clip(address));
    let text = address.trim();
    let has_port = text.rsplit_once(':').is_some_and(|(host, port)| {
        !host.is_empty() && (!host.contains(':') || host.ends_with(']')) && port.parse::<u16>().is_ok()
    });
    if !has_port {
        return Err(bad());
    }
    tcp_address(text).ok_or_else(bad)
}

/// `Successfully paired to 192.168.1.20:37123 [guid=adb-R58M-abcdef]`.
fn guid(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("[guid=")?;
    let guid = rest.split(']').next()?.trim();
    (!guid.is_empty()).then(|| guid.to_owned())
}

/// `adb-R58M-x7Yz1Q<tab>_adb-tls-connect._tcp<tab>192.168.1.20:37123`; before adb 34 a dot ends the kind. Phones of
/// `adb tcpip` announce themselves as `_adb._tcp`.
fn announced(line: &str) -> Option<Announcement> {
    let mut words = line.trim_end().split('\t');
    let (service, kind, address) = (words.next()?, words.next()?, words.next()?);
    let kind = match kind.trim_end_matches('.') {
        "_adb-tls-pairing._tcp" => AnnouncementKind::Pairs,
        "_adb-tls-connect._tcp" | "_adb._tcp" => AnnouncementKind::Connects,
        _ => return None,
    };
    Some(Announcement {
        kind,
        service: service.to_owned(),
        addresses: vec![address.parse().ok()?],
    })
}

/// `adb connect` says OKAY whatever comes of it: the sentence decides.
fn connected(said: &str) -> Result<ConnectResult, AdbError> {
    let said = clip(said.trim());
    let low = said.to_ascii_lowercase();
    if low.starts_with("already connected") {
        Ok(ConnectResult::Already)
    } else if low.starts_with("connected to") {
        Ok(ConnectResult::Now)
    } else if low.contains("failed to authenticate") {
        Ok(ConnectResult::WaitsForAllow)
    } else if low.starts_with("failed to connect to") && !low.contains("': ") {
        // Reached, and then not let in: what Android 11 and newer does to a computer it was not paired with.
        Err(AdbError::Stranger(said))
    } else {
        Err(AdbError::Unreached(said))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_servers_sentences_are_read() {
        for (said, expected) in [
            ("connected to 192.168.1.20:41234\n", Some(ConnectResult::Now)),
            (
                "already connected to 192.168.1.20:41234",
                Some(ConnectResult::Already),
            ),
            (
                "failed to authenticate to 192.168.1.20:5555",
                Some(ConnectResult::WaitsForAllow),
            ),
            ("failed to connect to 192.168.1.20:41234", None),
        ] {
            let read = connected(said);
            assert_eq!(read.as_ref().ok(), expected.as_ref(), "{said}");
            if expected.is_none() {
                assert!(matches!(read, Err(AdbError::Stranger(_))), "{said}");
            }
        }
        for said in [
            "failed to connect to '192.168.1.20:5555': Connection refused",
            "failed to connect to '192.168.1.20:5555': No route to host",
            "failed to resolve host: 'phone.local': Name or service not known",
            "unable to connect to 192.168.1.20:5555",
            "",
        ] {
            assert!(matches!(connected(said), Err(AdbError::Unreached(_))), "{said}");
        }
    }

    #[test]
    fn the_phones_name_is_in_the_sentence() {
        let said = "Successfully paired to 192.168.1.20:37123 [guid=adb-R58M12ABCDE-x7Yz1Q]";
        assert_eq!(guid(said).as_deref(), Some("adb-R58M12ABCDE-x7Yz1Q"));
        assert_eq!(guid("Successfully paired to 192.168.1.20:37123"), None);
        assert_eq!(guid("Successfully paired [guid=]"), None);
    }

    #[test]
    fn what_the_server_saw_is_read() {
        let at = |kind, service: &str, address: &str| Announcement {
            kind,
            service: service.to_owned(),
            addresses: vec![address.parse().unwrap()],
        };
        for (line, found) in [
            (
                "adb-R58M-x7Yz1Q\t_adb-tls-connect._tcp\t192.168.1.20:37123",
                Some(at(
                    AnnouncementKind::Connects,
                    "adb-R58M-x7Yz1Q",
                    "192.168.1.20:37123",
                )),
            ),
            (
                "studio-Ab3\t_adb-tls-pairing._tcp.\t192.168.1.20:40001\r",
                Some(at(AnnouncementKind::Pairs, "studio-Ab3", "192.168.1.20:40001")),
            ),
            (
                "adb-R58M\t_adb._tcp\t192.168.1.20:5555",
                Some(at(AnnouncementKind::Connects, "adb-R58M", "192.168.1.20:5555")),
            ),
            ("printer\t_ipp._tcp\t192.168.1.9:631", None),
            ("adb-R58M-x7Yz1Q\t_adb-tls-connect._tcp\t", None),
            ("List of discovered mdns services", None),
        ] {
            assert_eq!(announced(line), found, "{line}");
        }
    }

    #[test]
    fn an_address_has_a_port() {
        for good in ["192.168.1.20:37123", "[fe80::1%2]:37123", "phone.local:1"] {
            assert_eq!(wanted(good).unwrap(), good);
        }
        for bad in [
            "192.168.1.20",
            "37123",
            ":37123",
            "fe80::1:37123",
            "a b:1",
            "host:0",
            "",
        ] {
            assert!(matches!(wanted(bad), Err(AdbError::BadAddress(_))), "{bad}");
        }
    }
}
