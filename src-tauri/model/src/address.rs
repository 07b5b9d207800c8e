//! The address a person typed, as the URL requests go to.

use crate::trouble::BadAddress;
use reqwest::Url;
use std::net::IpAddr;

/// Where requests go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// The full URL, path of the shape included.
    pub(crate) url: Url,
    /// It is this computer: plain http and no key are fine, and no proxy is asked.
    pub(crate) is_loopback: bool,
}

impl Address {
    /// Reads what a person typed or pasted; `path` is the shape's own, for example `/chat/completions`.
    ///
    /// The path is kept as typed (`/v1` is neither added nor taken away) and `path` is appended once, whether the
    /// person left it out, put it in, or ended with slashes. Without a scheme it is https, on this computer http.
    /// A query stays (some servers carry their version there), a fragment goes.
    ///
    /// # Errors
    /// When it is no address, when it holds a user name or password, or when it is plain http to another computer.
    pub(crate) fn read(typed: &str, path: &str) -> Result<Self, BadAddress> {
        let typed = typed.trim();
        if typed.is_empty() {
            return Err(BadAddress::Empty);
        }
        let mut url = if typed.contains("://") {
            Url::parse(typed)
        } else {
            let secure = Url::parse(&format!("https://{typed}")).map_err(|_| BadAddress::Unreadable)?;
            if is_loopback(&secure) {
                Url::parse(&format!("http://{typed}"))
            } else {
                Ok(secure)
            }
        }
        .map_err(|_| BadAddress::Unreadable)?;

        let is_loopback = is_loopback(&url);
        match url.scheme() {
            "https" => {}
            "http" if is_loopback => {}
            "http" if is_private(&url) => return Err(BadAddress::PlainPrivate),
            "http" => return Err(BadAddress::Plain),
            _ => return Err(BadAddress::Scheme),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BadAddress::Credentials);
        }
        let base = url.path().trim_end_matches('/');
        let base = base.strip_suffix(path).unwrap_or(base).trim_end_matches('/');
        let full = format!("{base}{path}");
        url.set_path(&full);
        url.set_fragment(None);
        Ok(Self { url, is_loopback })
    }

    /// Its host, for people.
    pub(crate) fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }
}

fn ip(url: &Url) -> Option<IpAddr> {
    let host = url.host_str()?;
    let host = host
        .strip_prefix('[')
        .and_then(|h| h.strip_suffix(']'))
        .unwrap_or(host);
    host.parse::<IpAddr>().ok().map(|ip| ip.to_canonical())
}

/// `localhost` is pinned to the loopback addresses by `http`, so the name cannot lead elsewhere.
fn is_loopback(url: &Url) -> bool {
    match ip(url) {
        Some(ip) => ip.is_loopback(),
        None => url.host_str() == Some("localhost"),
    }
}

/// In the same house: addresses that are never on the internet, and names that only a local network knows.
fn is_private(url: &Url) -> bool {
    match ip(url) {
        Some(IpAddr::V4(ip)) => ip.is_private() || ip.is_link_local() || ip.is_unspecified(),
        Some(IpAddr::V6(ip)) => ip.is_unique_local() || ip.is_unicast_link_local() || ip.is_unspecified(),
        None => url.host_str().is_some_and(|host| {
            !host.contains('.')
                || [".local", ".lan", ".home", ".internal", ".home.arpa"]
                    .iter()
                    .any(|end| host.ends_with(end))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(typed: &str, expected: Result<&str, BadAddress>) {
        let read = Address::read(typed, "/chat/completions");
        assert_eq!(
            read.as_ref().map(|a| a.url.as_str()).map_err(|bad| *bad),
            expected,
            "{typed:?}"
        );
    }

    #[test]
    fn the_path_is_kept_and_the_end_appended_once() {
        for (typed, expected) in [
            (
                "https://api.openai.com/v1",
                "https://api.openai.com/v1/chat/completions",
            ),
            (
                "https://api.openai.com/v1/",
                "https://api.openai.com/v1/chat/completions",
            ),
            (
                "  https://api.openai.com/v1//\n",
                "https://api.openai.com/v1/chat/completions",
            ),
            (
                "https://api.openai.com/v1/chat/completions",
                "https://api.openai.com/v1/chat/completions",
            ),
            (
                "https://api.openai.com/v1/chat/completions/",
                "https://api.openai.com/v1/chat/completions",
            ),
            (
                "https://api.example.org",
                "https://api.example.org/chat/completions",
            ),
            (
                "api.example.org/api/paas/v4",
                "https://api.example.org/api/paas/v4/chat/completions",
            ),
            (
                "api.example.org:8443/v1",
                "https://api.example.org:8443/v1/chat/completions",
            ),
            (
                "HTTPS://API.Example.org/V1",
                "https://api.example.org/V1/chat/completions",
            ),
            (
                "https://api.example.org/v1#top",
                "https://api.example.org/v1/chat/completions",
            ),
            (
                "https://shop.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21",
                "https://shop.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21",
            ),
            (
                "https://192.168.1.20:8443/v1",
                "https://192.168.1.20:8443/v1/chat/completions",
            ),
        ] {
            check(typed, Ok(expected));
        }
    }

    #[test]
    fn plain_http_is_for_this_computer_alone() {
        for (typed, expected) in [
            (
                "http://localhost:11434/v1",
                Ok("http://localhost:11434/v1/chat/completions"),
            ),
            (
                "localhost:1234/v1",
                Ok("http://localhost:1234/v1/chat/completions"),
            ),
            ("127.0.0.1:8080", Ok("http://127.0.0.1:8080/chat/completions")),
            ("http://127.8.9.1/v1", Ok("http://127.8.9.1/v1/chat/completions")),
            (
                "http://[::1]:8080/v1",
                Ok("http://[::1]:8080/v1/chat/completions"),
            ),
            (
                "http://[::ffff:127.0.0.1]/v1",
                Ok("http://[::ffff:7f00:1]/v1/chat/completions"),
            ),
            ("http://192.168.1.20:11434/v1", Err(BadAddress::PlainPrivate)),
            ("http://10.0.0.2/v1", Err(BadAddress::PlainPrivate)),
            ("http://172.16.0.9/v1", Err(BadAddress::PlainPrivate)),
            ("http://169.254.1.1/v1", Err(BadAddress::PlainPrivate)),
            ("http://[fd00::5]/v1", Err(BadAddress::PlainPrivate)),
            ("http://[fe80::5]/v1", Err(BadAddress::PlainPrivate)),
            ("http://0.0.0.0:11434/v1", Err(BadAddress::PlainPrivate)),
            ("http://nas.local/v1", Err(BadAddress::PlainPrivate)),
            ("http://desktop:11434", Err(BadAddress::PlainPrivate)),
            ("http://api.openai.com/v1", Err(BadAddress::Plain)),
            ("http://8.8.8.8/v1", Err(BadAddress::Plain)),
            ("http://localhost.example.org/v1", Err(BadAddress::Plain)),
            ("http://127.0.0.1.example.org/v1", Err(BadAddress::Plain)),
        ] {
            check(typed, expected);
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for (typed, expected) in [
            ("", BadAddress::Empty),
            ("   ", BadAddress::Empty),
            ("not an address", BadAddress::Unreadable),
            ("https://", BadAddress::Unreadable),
            ("https://exa mple.org", BadAddress::Unreadable),
            ("ftp://example.org", BadAddress::Scheme),
            ("file:///etc/passwd", BadAddress::Scheme),
            ("https://me:word@example.org/v1", BadAddress::Credentials),
            ("me@example.org/v1", BadAddress::Credentials),
        ] {
            check(typed, Err(expected));
        }
    }

    proptest::proptest! {
        /// Whatever is accepted is https or this computer, and ends as it must; reading it again changes nothing.
        #[test]
        fn whatever_is_accepted_is_safe_and_stable(typed in "(https?://)?[a-z0-9.:\\[\\]@/%-]{0,40}") {
            if let Ok(address) = Address::read(&typed, "/chat/completions") {
                proptest::prop_assert!(address.url.scheme() == "https" || address.is_loopback);
                proptest::prop_assert!(address.url.path().ends_with("/chat/completions"));
                let again = Address::read(address.url.as_str(), "/chat/completions");
                proptest::prop_assert_eq!(again, Ok(address));
            }
        }
    }
}
