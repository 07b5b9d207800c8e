//! From the cable to Wi-Fi, when the person asks for it (`adb tcpip`). Until the phone starts anew, whoever is on the
//! same network may ask it for its Allow: so it is never done by itself.

use super::ask::ConnectResult;
use crate::connect::server::Device;
use crate::connect::wire;
use crate::error::AdbError;
use std::net::Ipv4Addr;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Where the phone's daemon listens then: adb's own usual port.
pub const PORT: u16 = 5555;
/// How long the phone's daemon may take to start anew.
const RESTART: Duration = Duration::from_secs(20);
/// Between two tries.
const AGAIN: Duration = Duration::from_millis(700);
const LOOK: Duration = Duration::from_secs(5);

/// Lets the phone's daemon listen on the network and connects it there; gives the serial it is listed under then.
///
/// # Errors
/// [`AdbError::NotSupported`] when the phone is on no Wi-Fi; [`AdbError::Unreached`] when it is on another one.
pub async fn to_wifi(device: &Device) -> Result<(String, ConnectResult), AdbError> {
    let routes = device.look("ip route", LOOK).await?;
    let address = address(&routes.text())
        .ok_or_else(|| AdbError::NotSupported("the phone is on no Wi-Fi".to_owned()))?;
    let serial = format!("{address}:{PORT}");
    let mut stream = device.open().await?;
    wire::request(&mut stream, &format!("tcpip:{PORT}")).await?;
    drop(stream);
    let until = Instant::now() + RESTART;
    loop {
        sleep(AGAIN).await;
        match device.server().connect_phone(&serial).await {
            Ok(connected) => return Ok((serial, connected)),
            Err(error) if Instant::now() >= until => return Err(error),
            Err(error) => tracing::debug!(%error, "not over the network yet"),
        }
    }
}

/// The phone's own address on Wi-Fi, from its routes: `192.168.1.0/24 dev wlan0 proto kernel scope link src
/// 192.168.1.20`. Mobile data (`rmnet`), VPNs (`tun`) and tethering are not what is asked for.
fn address(routes: &str) -> Option<Ipv4Addr> {
    routes.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let after = |name: &str| {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1).copied()
        };
        let wifi = after("dev").is_some_and(|dev| dev.starts_with("wlan") || dev.starts_with("eth"));
        let found: Ipv4Addr = after("src").filter(|_| wifi)?.parse().ok()?;
        (!found.is_loopback() && !found.is_unspecified()).then_some(found)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wifi_address_is_found() {
        let both = "10.64.12.0/24 dev rmnet_data1 proto kernel scope link src 10.64.12.7\r\n\
                    192.168.1.0/24 dev wlan0 proto kernel scope link src 192.168.1.20\r\n";
        assert_eq!(address(both), Some(Ipv4Addr::new(192, 168, 1, 20)));
        for none in [
            "",
            "10.64.12.0/24 dev rmnet_data1 proto kernel scope link src 10.64.12.7",
            "192.168.1.0/24 dev wlan0 scope link",
            "192.168.1.0/24 dev wlan0 src nowhere",
            "/system/bin/sh: ip: not found",
        ] {
            assert_eq!(address(none), None, "{none}");
        }
    }
}
