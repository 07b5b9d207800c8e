//! Files to a phone and from it, by `adb_client`'s sync service.
//!
//! Only its `ADBServerDevice` is used, a fresh one for each operation and off the async threads: it blocks, has no
//! time limits, and takes a connection's end in mid-file for the end of the file, so sizes are compared here. It opens
//! its own TCP connections; over a link inside this program there are none.

use crate::connect::link::Link;
use crate::connect::server::Device;
use crate::error::{AdbError, clip};
use adb_client::RustADBError;
use adb_client::server_device::ADBServerDevice;
use agent::lease::Grip;
use std::io::Cursor;
use std::net::{SocketAddr, SocketAddrV4};
use std::time::Duration;

/// How long one file may take.
const LIMIT: Duration = Duration::from_secs(120);

/// The files of one phone.
#[derive(Clone, Debug)]
pub struct Files {
    device: Device,
}

/// What a phone says of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// Bytes, modulo 4 GiB: the protocol has 32 bits for it.
    pub size: u32,
    /// Unix mode; 0 when there is no such file.
    pub mode: u32,
    /// Seconds since 1970.
    pub modified: u32,
}

impl Files {
    pub(crate) fn new(device: &Device) -> Self {
        Self {
            device: device.clone(),
        }
    }

    /// Whether files can be carried at all.
    pub(crate) fn can(&self) -> Result<(), AdbError> {
        self.device.is_its_own()?;
        if !self.device.has_own_serial() {
            return Err(AdbError::NotSupported(
                "files go by a serial that is one phone's alone".to_owned(),
            ));
        }
        match self.device.server().link() {
            Link::Tcp(_) => Ok(()),
            Link::Memory(_) => Err(AdbError::NotSupported(
                "files go over TCP only, not to a phone inside this program".to_owned(),
            )),
        }
    }

    /// Carries bytes to a file on the phone. The pass is kept until it is over, also when nobody waits any more.
    ///
    /// # Errors
    /// [`AdbError::LeaseLost`], [`AdbError::NotSupported`], or what the phone said; [`AdbError::Cut`] when the file
    /// on the phone is not as long as the bytes are.
    pub async fn push(&self, bytes: Vec<u8>, to: &str, grip: &Grip) -> Result<(), AdbError> {
        let expected = bytes.len() as u64;
        let path = to.to_owned();
        let address = self.address().await?;
        let pass = grip.pass()?;
        self.blocking(address, move |device| {
            let _pass = pass;
            device.push(&mut Cursor::new(bytes), &path)
        })
        .await?;
        whole(expected, u64::from(self.stat(to).await?.size))
    }

    /// Carries a file from the phone.
    ///
    /// # Errors
    /// [`AdbError::NotSupported`], [`AdbError::Refused`] when there is no such file, [`AdbError::Cut`] when it did
    /// not come whole.
    pub async fn pull(&self, from: &str) -> Result<Vec<u8>, AdbError> {
        let stat = self.stat(from).await?;
        if stat.mode == 0 {
            return Err(AdbError::Refused(format!("no such file: {}", clip(from))));
        }
        let path = from.to_owned();
        let address = self.address().await?;
        let bytes = self
            .blocking(address, move |device| {
                let mut bytes = Vec::new();
                device.pull(&path, &mut bytes).map(|()| bytes)
            })
            .await?;
        whole(u64::from(stat.size), bytes.len() as u64)?;
        Ok(bytes)
    }

    /// What the phone says of a file.
    ///
    /// # Errors
    /// [`AdbError::NotSupported`], or what the phone said.
    pub async fn stat(&self, path: &str) -> Result<Stat, AdbError> {
        let path = path.to_owned();
        let address = self.address().await?;
        let stat = self.blocking(address, move |device| device.stat(path)).await?;
        Ok(Stat {
            size: stat.file_size,
            mode: stat.file_perm,
            modified: stat.mod_time,
        })
    }

    async fn blocking<T: Send + 'static>(
        &self,
        address: SocketAddrV4,
        work: impl FnOnce(&mut ADBServerDevice) -> Result<T, RustADBError> + Send + 'static,
    ) -> Result<T, AdbError> {
        let serial = self.device.serial().to_owned();
        let task = tokio::task::spawn_blocking(move || {
            let mut device = ADBServerDevice::new(serial, Some(address));
            work(&mut device)
        });
        match tokio::time::timeout(LIMIT, task).await {
            Ok(Ok(done)) => done.map_err(translate),
            Ok(Err(error)) => Err(AdbError::Internal(error.to_string())),
            Err(_) => Err(AdbError::Slow("a file".to_owned())),
        }
    }

    /// `adb_client` takes IPv4 addresses only.
    async fn address(&self) -> Result<SocketAddrV4, AdbError> {
        self.can()?;
        let address = self.device.server().link().address();
        let found = tokio::net::lookup_host(address)
            .await
            .map_err(|error| AdbError::NoServer {
                address: address.to_owned(),
                why: error.to_string(),
            })?
            .find_map(|one| match one {
                SocketAddr::V4(v4) => Some(v4),
                SocketAddr::V6(_) => None,
            });
        found
            .ok_or_else(|| AdbError::NotSupported(format!("files over {address}, which has no IPv4 address")))
    }
}

/// A file counts only when it is whole.
fn whole(expected: u64, came: u64) -> Result<(), AdbError> {
    if expected & u64::from(u32::MAX) == came & u64::from(u32::MAX) {
        Ok(())
    } else {
        Err(AdbError::Cut(format!("{came} of {expected} bytes of a file")))
    }
}

fn translate(error: RustADBError) -> AdbError {
    match error {
        RustADBError::IOError(error) => AdbError::Cut(error.to_string()),
        RustADBError::ADBRequestFailed(said) => AdbError::from_fail(&said),
        other => AdbError::Garbled(clip(&other.to_string())),
    }
}
