//! The transport: HTTP/1.1 over TCP, with TLS and the system's proxy.

use crate::address::Address;
use crate::error::{ConnectionFailure, ModelError, Phase};
use crate::transport::{Request, Response, Transport};
use async_trait::async_trait;
use futures::{StreamExt, stream};
use reqwest::redirect::{Action, Attempt, Policy};
use reqwest::{Client, StatusCode};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;
use std::error::Error;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

/// Redirects within one host.
const REDIRECTS: usize = 3;

/// A pool of connections to one address.
pub(crate) struct Http {
    client: Client,
}

impl Http {
    /// A client for `address`. Reads the system's certificates and proxy settings; opens nothing.
    ///
    /// # Errors
    /// [`ConnectionFailure::Roots`] when this computer trusts no certificate at all and the address needs one.
    pub(crate) fn new(address: &Address, connect: Duration) -> Result<Self, ModelError> {
        let mut client = Client::builder()
            .user_agent(concat!("PocketDeck/", env!("CARGO_PKG_VERSION")))
            .tls_backend_preconfigured(tls(address.is_secure())?)
            .redirect(Policy::custom(stay))
            .referer(false)
            .connect_timeout(connect);
        if address.is_loopback {
            // A proxy would look for "this computer" on itself. And the name means what it says.
            let here = [
                SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
                SocketAddr::from((Ipv6Addr::LOCALHOST, 0)),
            ];
            client = client.no_proxy().resolve_to_addrs("localhost", &here);
        }
        let client = client.build().map_err(|e| ModelError::Internal(chain(&e)))?;
        Ok(Self { client })
    }
}

/// TLS by ring, trusting what the system trusts. Without need of it (plain http), trusting nobody.
fn tls(is_needed: bool) -> Result<ClientConfig, ModelError> {
    let no_roots = |e: rustls::Error| ModelError::Offline {
        why: ConnectionFailure::Roots,
        text: e.to_string(),
    };
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|e| ModelError::Internal(e.to_string()))?;
    Ok(if is_needed {
        config
            .with_platform_verifier()
            .map_err(no_roots)?
            .with_no_client_auth()
    } else {
        config
            .with_root_certificates(RootCertStore::empty())
            .with_no_client_auth()
    })
}

/// Follows a redirect only where the request stays the same and goes to the same host: anywhere else the key and
/// the picture have no business. One that is not followed is an answer, and `exchange` says so.
fn stay(attempt: Attempt<'_>) -> Action {
    let keeps_method = matches!(
        attempt.status(),
        StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT
    );
    let keeps_host = attempt
        .previous()
        .first()
        .is_some_and(|from| from.origin() == attempt.url().origin());
    if keeps_method && keeps_host && attempt.previous().len() <= REDIRECTS {
        attempt.follow()
    } else {
        attempt.stop()
    }
}

#[async_trait]
impl Transport for Http {
    async fn send(&self, request: Request) -> Result<Response, ModelError> {
        let sending = match request.body {
            Some(body) => self.client.post(request.url).body(body),
            None => self.client.get(request.url),
        };
        let response = sending
            .headers(request.headers)
            .send()
            .await
            .map_err(|e| unreached(&e))?;
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let body = stream::try_unfold(response, |mut response| async move {
            match response.chunk().await {
                Ok(piece) => Ok(piece.map(|piece| (piece, response))),
                Err(e) => Err(ModelError::Cut(chain(&e))),
            }
        });
        Ok(Response {
            status,
            headers,
            body: body.boxed(),
        })
    }
}

/// Why no head came. The libraries say it by type where they can, by their own words where they cannot.
fn unreached(error: &reqwest::Error) -> ModelError {
    if error.is_timeout() {
        return ModelError::Slow(Phase::Connect);
    }
    let text = chain(error);
    // The proxy first: that nobody listens there says nothing about the server.
    let why = if text.contains("tunnel error") || text.to_lowercase().contains("socks") {
        ConnectionFailure::Proxy
    } else if text.contains("dns error") {
        ConnectionFailure::Name
    } else {
        std::iter::successors(Some(error as &(dyn Error + 'static)), |&e| e.source())
            .find_map(|e| match e.downcast_ref() {
                Some(io) => of_io(io),
                None => e.downcast_ref().map(of_tls),
            })
            .unwrap_or(ConnectionFailure::Lost)
    };
    ModelError::Offline { why, text }
}

fn of_io(error: &io::Error) -> Option<ConnectionFailure> {
    // rustls travels inside io errors, which do not name what is inside as their source.
    if let Some(inner) = error.get_ref() {
        if let Some(tls) = inner.downcast_ref() {
            return Some(of_tls(tls));
        }
        if let Some(io) = inner.downcast_ref() {
            return of_io(io);
        }
    }
    match error.kind() {
        io::ErrorKind::ConnectionRefused => Some(ConnectionFailure::Refused),
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable | io::ErrorKind::NetworkDown => {
            Some(ConnectionFailure::Unreachable)
        }
        _ => None,
    }
}

fn of_tls(error: &rustls::Error) -> ConnectionFailure {
    match error {
        rustls::Error::InvalidCertificate(_) => ConnectionFailure::Certificate,
        _ => ConnectionFailure::Tls,
    }
}

/// An error and its causes in one line, without the URL.
fn chain(error: &reqwest::Error) -> String {
    let mut text = if error.is_connect() {
        "cannot connect".to_owned()
    } else if error.is_body() || error.is_decode() {
        "the connection broke".to_owned()
    } else {
        "the request failed".to_owned()
    };
    let mut last = String::new();
    for cause in std::iter::successors(error.source(), |&e| e.source()) {
        let words = cause.to_string();
        if words != last {
            text.push_str(": ");
            text.push_str(&words);
        }
        last = words;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::Proxy;
    use reqwest::dns::{Name, Resolve, Resolving};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    struct NoNames;

    impl Resolve for NoNames {
        fn resolve(&self, _: Name) -> Resolving {
            Box::pin(async { Err("failed to lookup address information".into()) })
        }
    }

    /// What is made of a request to a host that only `client` could know.
    async fn check(client: reqwest::ClientBuilder, expected: ConnectionFailure) {
        let client = client
            .tls_backend_preconfigured(tls(false).unwrap())
            .build()
            .unwrap();
        let error = client.post("https://model.invalid/v1").send().await.unwrap_err();
        let trouble = unreached(&error);
        let ModelError::Offline { why, text } = &trouble else {
            panic!("offline, not {trouble:?}");
        };
        assert_eq!(*why, expected, "{text}");
        assert!(!text.contains("model.invalid"), "no URL: {text}");
    }

    #[tokio::test]
    async fn a_name_nobody_knows_is_told() {
        check(
            Client::builder().no_proxy().dns_resolver(Arc::new(NoNames)),
            ConnectionFailure::Name,
        )
        .await;
    }

    #[tokio::test]
    async fn a_proxy_that_refuses_or_is_gone_is_told() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        for scheme in ["http", "socks5h"] {
            let proxy = || Proxy::all(format!("{scheme}://{at}")).unwrap();
            let refusing = async {
                let (mut stream, _) = listener.accept().await.unwrap();
                let _ = stream.read(&mut [0; 256]).await;
                let _ = stream.write_all(b"HTTP/1.1 502 Bad Gateway\r\n\r\n").await;
            };
            tokio::join!(
                check(Client::builder().proxy(proxy()), ConnectionFailure::Proxy),
                refusing
            );
        }
        drop(listener);
        for scheme in ["http", "socks5h"] {
            let proxy = Proxy::all(format!("{scheme}://{at}")).unwrap();
            check(Client::builder().proxy(proxy), ConnectionFailure::Proxy).await;
        }
    }
}
