//! Where an adb server is, and how it is started.

use crate::connect::link::{self, Connector, Link};
use crate::connect::program;
use crate::error::AdbError;
use futures::future::BoxFuture;
use protocol::Server;
use std::path::PathBuf;
use std::sync::Arc;

/// Starts the server of this computer; the real one runs the adb program.
pub type Starter = Arc<dyn Fn() -> BoxFuture<'static, Result<(), AdbError>> + Send + Sync>;

/// Says where the adb program is.
pub type Finder = Arc<dyn Fn() -> Result<PathBuf, AdbError> + Send + Sync>;

/// One adb server to follow.
#[derive(Clone)]
pub struct FollowedServer {
    pub(super) server: Server,
    pub(super) link: Link,
    pub(super) starter: Option<Starter>,
}

impl FollowedServer {
    /// This computer's server, where the environment says (see [`link::server_address`]); started once with the adb
    /// program when nobody listens there. A variable that names another computer makes it a [`Server::Remote`].
    ///
    /// # Errors
    /// [`AdbError::BadAddress`].
    pub fn local(adb_program: Option<PathBuf>) -> Result<Self, AdbError> {
        Self::local_by(Arc::new(move || program::find_here(adb_program.as_deref())))
    }

    /// The same, with the adb program as `find` gives it at the moment it is needed: a setting may have changed, a program
    /// may have been fetched.
    ///
    /// # Errors
    /// [`AdbError::BadAddress`].
    pub fn local_by(find: Finder) -> Result<Self, AdbError> {
        let address = link::server_address(&|name| std::env::var(name).ok())?;
        if !link::is_loopback(&address) {
            return Self::remote(&address);
        }
        let port = address
            .rsplit_once(':')
            .and_then(|(_, port)| port.parse().ok())
            .unwrap_or(link::DEFAULT_PORT);
        let starter: Starter = Arc::new(move || {
            let found = find();
            Box::pin(async move { program::start_server(&found?, port).await })
        });
        Ok(Self::started_by(&address, starter))
    }

    /// This computer's server at an address, started in another way.
    #[must_use]
    pub fn started_by(address: &str, starter: Starter) -> Self {
        Self {
            server: Server::Local {
                address: address.to_owned(),
            },
            link: Link::Tcp(address.to_owned()),
            starter: Some(starter),
        }
    }

    /// Another computer's server: `host` or `host:port`.
    ///
    /// # Errors
    /// [`AdbError::BadAddress`].
    pub fn remote(address: &str) -> Result<Self, AdbError> {
        let address = link::tcp_address(address).ok_or_else(|| AdbError::BadAddress(address.to_owned()))?;
        Ok(Self {
            server: Server::Remote {
                address: address.clone(),
            },
            link: Link::Tcp(address),
            starter: None,
        })
    }

    /// The demo's, inside this program.
    #[must_use]
    pub fn demo(connector: Connector) -> Self {
        Self {
            server: Server::Demo,
            link: Link::Memory(connector),
            starter: None,
        }
    }

    /// Which server it is.
    #[must_use]
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// The same place over another link: how tests put a server of theirs in its stead.
    #[must_use]
    pub fn over(mut self, link: Link) -> Self {
        self.link = link;
        self
    }
}
