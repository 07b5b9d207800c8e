//! The bytes of the sync protocol: four letters and a length, little endian.

use tokio::io::{AsyncReadExt, AsyncWriteExt, BufWriter, DuplexStream, ReadHalf, WriteHalf};

/// `SYNC_DATA_MAX`.
pub(super) const DATA_MAX: usize = 64 * 1024;

/// The client is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClientGone;

impl From<std::io::Error> for ClientGone {
    fn from(_: std::io::Error) -> Self {
        Self
    }
}

pub(super) struct Client {
    pub(super) from: ReadHalf<DuplexStream>,
    pub(super) to: BufWriter<WriteHalf<DuplexStream>>,
}

impl Client {
    /// Four letters and a number.
    pub(super) async fn request(&mut self) -> Result<([u8; 4], usize), ClientGone> {
        let mut id = [0; 4];
        self.from.read_exact(&mut id).await?;
        let length = self.from.read_u32_le().await?;
        Ok((id, usize::try_from(length).map_err(|_| ClientGone)?))
    }

    pub(super) async fn bytes(&mut self, length: usize) -> Result<Vec<u8>, ClientGone> {
        let mut bytes = vec![0; length];
        self.from.read_exact(&mut bytes).await?;
        Ok(bytes)
    }

    pub(super) async fn text(&mut self, length: usize) -> Result<String, ClientGone> {
        Ok(String::from_utf8_lossy(&self.bytes(length).await?).into_owned())
    }

    pub(super) async fn put(&mut self, bytes: &[u8]) -> Result<(), ClientGone> {
        Ok(self.to.write_all(bytes).await?)
    }

    /// Four letters and a number.
    pub(super) async fn answer(&mut self, id: [u8; 4], number: u32) -> Result<(), ClientGone> {
        self.put(&id).await?;
        self.put(&number.to_le_bytes()).await
    }

    /// `FAIL` and why.
    pub(super) async fn fail(&mut self, why: &str) -> Result<(), ClientGone> {
        self.answer(*b"FAIL", u32::try_from(why.len()).unwrap_or(0))
            .await?;
        self.put(why.as_bytes()).await?;
        Ok(self.to.flush().await?)
    }
}
