//! The bytes: counted and digested as they come.

use super::pins::{LARGEST, Release};
use crate::error::ToolsError;
use protocol::Fetching;
use reqwest::redirect::{Action, Attempt, Policy};
use reqwest::{Client, Url};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::File;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

const CONNECT: Duration = Duration::from_secs(15);
/// So long nothing may come.
const SILENCE: Duration = Duration::from_secs(30);
/// Redirects within the maker's own host.
const REDIRECTS: usize = 3;

/// Writes the release to `file`, whole and as published.
///
/// # Errors
/// What went wrong; the file is then of no use.
pub(super) async fn download(
    release: &Release,
    file: File,
    tell: &(dyn Fn(Fetching) + Send + Sync),
) -> Result<(), ToolsError> {
    let largest = release.size.unwrap_or(LARGEST);
    let asked = client(release)?.get(&release.url).send();
    let mut answer = timeout(SILENCE, asked)
        .await
        .map_err(|_| ToolsError::Offline("no answer".to_owned()))?
        .map_err(|error| unreached(&error))?;
    if !answer.status().is_success() {
        return Err(ToolsError::Broken(format!("the answer was {}", answer.status())));
    }
    let announced = answer.content_length();
    if let Some(length) = announced
        && (length > largest || release.size.is_some_and(|size| size != length))
    {
        return Err(ToolsError::Wrong(format!("{length} bytes are announced")));
    }
    let total = release.size.or(announced).unwrap_or(0);
    let mut file = tokio::fs::File::from_std(file);
    let mut digest = Sha256::new();
    let mut done = 0_u64;
    tell(Fetching::Loading { done, total });
    loop {
        let next = timeout(SILENCE, answer.chunk())
            .await
            .map_err(|_| ToolsError::Broken("nothing came any more".to_owned()))?;
        let Some(part) = next.map_err(|error| ToolsError::Broken(chain(&error)))? else {
            break;
        };
        done = done.saturating_add(part.len() as u64);
        if done > largest {
            return Err(ToolsError::Wrong(format!("more than {largest} bytes")));
        }
        digest.update(&part);
        file.write_all(&part).await?;
        tell(Fetching::Loading { done, total });
    }
    file.flush().await?;
    file.sync_all().await?;
    if let Some(size) = release.size.or(announced)
        && done != size
    {
        return Err(ToolsError::Broken(format!("{done} of {size} bytes")));
    }
    let mut hex = String::with_capacity(64);
    for byte in digest.finalize() {
        let _ = write!(hex, "{byte:02x}");
    }
    if hex == release.sha256 {
        Ok(())
    } else {
        Err(ToolsError::Wrong(format!("its digest is {hex}")))
    }
}

fn client(release: &Release) -> Result<Client, ToolsError> {
    let url = Url::parse(&release.url).map_err(|error| ToolsError::Broken(error.to_string()))?;
    let here = url
        .host_str()
        .is_some_and(|host| host == "localhost" || host == "127.0.0.1" || host == "[::1]");
    if url.scheme() != "https" && !here {
        return Err(ToolsError::Broken("only https is fetched".to_owned()));
    }
    let mut client = Client::builder()
        .user_agent(concat!("PocketDeck/", env!("CARGO_PKG_VERSION")))
        .tls_backend_preconfigured(tls(!here)?)
        .redirect(Policy::custom({
            let hosts = release.hosts;
            move |attempt| stay(attempt, hosts)
        }))
        .referer(false)
        .connect_timeout(CONNECT);
    if here {
        client = client.no_proxy();
    }
    client.build().map_err(|error| ToolsError::Broken(chain(&error)))
}

/// TLS by ring, trusting what the system trusts; plain http trusts nobody.
fn tls(needed: bool) -> Result<ClientConfig, ToolsError> {
    let bad = |error: rustls::Error| ToolsError::Offline(error.to_string());
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(bad)?;
    Ok(if needed {
        config
            .with_platform_verifier()
            .map_err(bad)?
            .with_no_client_auth()
    } else {
        config
            .with_root_certificates(RootCertStore::empty())
            .with_no_client_auth()
    })
}

/// Nobody but the maker's own host is asked, and those it keeps its files on. A redirect to another one is an answer like
/// any other refusal.
fn stay(attempt: Attempt<'_>, hosts: &[&str]) -> Action {
    let same = attempt
        .previous()
        .first()
        .is_some_and(|from| from.origin() == attempt.url().origin());
    let url = attempt.url();
    let kept = url.scheme() == "https" && url.host_str().is_some_and(|host| hosts.contains(&host));
    if (same || kept) && attempt.previous().len() <= REDIRECTS {
        attempt.follow()
    } else {
        attempt.stop()
    }
}

fn unreached(error: &reqwest::Error) -> ToolsError {
    if error.is_connect() || error.is_timeout() {
        ToolsError::Offline(chain(error))
    } else {
        ToolsError::Broken(chain(error))
    }
}

/// An error and what lies behind it.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut behind = error.source();
    while let Some(next) = behind {
        let _ = write!(text, ": {next}");
        behind = next.source();
    }
    text
}
