//! The address a person typed, as the URL requests go to.

use crate::error::BadAddress;
use protocol::WireShape;
use reqwest::Url;
use std::net::IpAddr;

/// What a person may have pasted behind an address: the end of one shape's URL or another's.
const ENDS: &[(&str, Option<WireShape>)] = &[
    ("/chat/completions", Some(WireShape::Chat)),
    ("/completions", Some(WireShape::Completions)),
    ("/responses", Some(WireShape::Responses)),
    ("/messages", Some(WireShape::Messages)),
    ("/models", None),
];

/// Where requests go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// Up to where the shape's own path begins; without a slash at its end.
    base: Url,
    /// It is this computer: plain http and no key are fine, and no proxy is asked.
    pub(crate) is_loopback: bool,
}

/// Whether plain http to a private address is fine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlainHttp {
    /// Not.
    Refused,
    /// The person was warned and wants it.
    Allowed,
}

impl Address {
    /// Reads what a person typed or pasted.
    ///
    /// The path is kept as typed (`/v1` is neither added nor taken away); the path of a shape at its end goes, and
    /// slashes do. Without a scheme it is https, on this computer http. A query stays (some servers carry their
    /// version there), a fragment goes.
    ///
    /// # Errors
    /// When it is no address, when it holds a user name or password, or when it is plain http to another computer
    /// (to a private address: unless `plain` allows it).
    pub(crate) fn read(typed: &str, plain: PlainHttp) -> Result<Self, BadAddress> {
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
            "http" if is_private(&url) && plain == PlainHttp::Allowed => {}
            "http" if is_private(&url) => return Err(BadAddress::PlainPrivate),
            "http" => return Err(BadAddress::Plain),
            _ => return Err(BadAddress::Scheme),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BadAddress::Credentials);
        }
        let path = url.path().trim_end_matches('/');
        let base = without_end(path).0.trim_end_matches('/').to_owned();
        url.set_path(&base);
        url.set_fragment(None);
        Ok(Self {
            base: url,
            is_loopback,
        })
    }

    /// What is spoken at an address, where the end of its path says it.
    pub(crate) fn shape_at_end(typed: &str) -> Option<WireShape> {
        let path = typed.trim().split(['?', '#']).next().unwrap_or_default();
        let path = path.trim_end_matches('/');
        // Google's own version, and nobody else's.
        let is_googles = path.ends_with("/v1beta");
        without_end(path)
            .1
            .or(is_googles.then_some(WireShape::GenerateContent))
    }

    /// The URL of `path`, which begins with a slash and may hold a query of its own.
    pub(crate) fn at(&self, path: &str) -> Url {
        let (path, query) = path.split_once('?').map_or((path, None), |(p, q)| (p, Some(q)));
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path().trim_end_matches('/')));
        match (url.query().map(str::to_owned), query) {
            (Some(own), Some(query)) => url.set_query(Some(&format!("{own}&{query}"))),
            (None, Some(query)) => url.set_query(Some(query)),
            _ => {}
        }
        url
    }

    /// In the same house.
    pub(crate) fn is_private(&self) -> bool {
        is_private(&self.base)
    }

    /// It is spoken to over TLS.
    pub(crate) fn is_secure(&self) -> bool {
        self.base.scheme() == "https"
    }

    /// Its host, for people.
    pub(crate) fn host(&self) -> &str {
        self.base.host_str().unwrap_or_default()
    }
}

/// A path without the end of a shape's, and which shape's it was.
fn without_end(path: &str) -> (&str, Option<WireShape>) {
    if let Some((base, call)) = path.rsplit_once("/models/")
        && (call.ends_with(":generateContent") || call.ends_with(":streamGenerateContent"))
    {
        return (base, Some(WireShape::GenerateContent));
    }
    let end = ENDS
        .iter()
        .find_map(|(end, shape)| Some((path.strip_suffix(end)?, *shape)));
    end.unwrap_or((path, None))
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

/// Whether a host, as failures name it, is this computer.
pub(crate) fn is_here(host: &str) -> bool {
    Url::parse(&format!("http://{host}")).is_ok_and(|url| is_loopback(&url))
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
        let read = Address::read(typed, PlainHttp::Refused).map(|a| a.at("/chat/completions"));
        assert_eq!(
            read.as_ref().map(Url::as_str).map_err(|bad| *bad),
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
    fn a_private_address_needs_a_word_of_the_person_and_a_strangers_is_never_plain() {
        for (typed, expected) in [
            ("http://192.168.1.20:11434/v1", true),
            ("http://nas.local/v1", true),
            ("http://[fd00::5]/v1", true),
            ("http://api.openai.com/v1", false),
            ("http://8.8.8.8/v1", false),
            ("http://localhost.example.org/v1", false),
        ] {
            assert_eq!(
                Address::read(typed, PlainHttp::Allowed).is_ok(),
                expected,
                "{typed}"
            );
            assert!(Address::read(typed, PlainHttp::Refused).is_err(), "{typed}");
        }
    }

    #[test]
    fn paths_of_all_shapes_go_behind_and_come_off() {
        let at = |typed: &str, path: &str| {
            Address::read(typed, PlainHttp::Refused)
                .unwrap()
                .at(path)
                .to_string()
        };
        for (typed, path, expected) in [
            (
                "https://a.org/v1/messages",
                "/messages",
                "https://a.org/v1/messages",
            ),
            (
                "https://a.org/v1/responses/",
                "/chat/completions",
                "https://a.org/v1/chat/completions",
            ),
            ("https://a.org/v1/models", "/models", "https://a.org/v1/models"),
            (
                "https://a.org/v1/completions",
                "/completions",
                "https://a.org/v1/completions",
            ),
            (
                "https://a.org/v1beta/models/m:generateContent",
                "/models/n:generateContent",
                "https://a.org/v1beta/models/n:generateContent",
            ),
            (
                "https://a.org/v1beta",
                "/models/m:streamGenerateContent?alt=sse",
                "https://a.org/v1beta/models/m:streamGenerateContent?alt=sse",
            ),
            (
                "https://a.org/v1beta?x=1",
                "/models/m:streamGenerateContent?alt=sse",
                "https://a.org/v1beta/models/m:streamGenerateContent?x=1&alt=sse",
            ),
        ] {
            assert_eq!(at(typed, path), expected);
        }
    }

    #[test]
    fn the_end_of_a_path_says_what_is_spoken_there() {
        for (typed, expected) in [
            ("https://a.org/v1/messages/", Some(WireShape::Messages)),
            ("https://a.org/v1/responses?x=1", Some(WireShape::Responses)),
            ("a.org/v1/chat/completions", Some(WireShape::Chat)),
            ("a.org/v1/completions", Some(WireShape::Completions)),
            ("https://a.org/v1beta", Some(WireShape::GenerateContent)),
            (
                "https://a.org/v1beta/models/m:streamGenerateContent?alt=sse",
                Some(WireShape::GenerateContent),
            ),
            ("https://a.org/v1beta/openai", None),
            ("https://a.org/v1", None),
            ("https://a.org/v1/models", None),
        ] {
            assert_eq!(Address::shape_at_end(typed), expected, "{typed}");
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
            if let Ok(address) = Address::read(&typed, PlainHttp::Refused) {
                proptest::prop_assert!(address.is_secure() || address.is_loopback);
                let url = address.at("/chat/completions");
                proptest::prop_assert!(url.path().ends_with("/chat/completions"));
                let again = Address::read(url.as_str(), PlainHttp::Refused);
                proptest::prop_assert_eq!(again, Ok(address));
            }
        }
    }
}
