//! `sync:` (AOSP `adb/SYNC.TXT`, `file_sync_protocol.h`, `daemon/file_sync_service.cpp`).
//!
//! Without compression: `sendrecv_v2` is spoken, its packers are not claimed.

mod receive;
mod status;
mod wire;

use crate::phone::Phone;
use std::sync::Arc;
use tokio::io::{AsyncWriteExt, BufWriter, DuplexStream};
use wire::{Client, ClientGone, DATA_MAX};

/// The daemon refuses a longer path.
const PATH_MAX: usize = 1024;
/// Each request costs a phone so much.
const REQUEST_MILLIS: u64 = 2;

pub(super) async fn serve(phone: Arc<Phone>, stream: DuplexStream) {
    let (from, to) = tokio::io::split(stream);
    let mut client = Client {
        from,
        to: BufWriter::with_capacity(DATA_MAX + 8, to),
    };
    // A client that goes away in the middle has nothing more to hear.
    let _ = converse(&phone, &mut client).await;
    let _ = client.to.flush().await;
    let _ = client.to.shutdown().await;
}

async fn converse(phone: &Phone, client: &mut Client) -> Result<(), ClientGone> {
    loop {
        let (id, length) = client.request().await?;
        if length > PATH_MAX {
            return client.fail("path too long").await;
        }
        let path = client.text(length).await?;
        phone.clock.work(REQUEST_MILLIS).await;
        match &id {
            b"STAT" => status::stat(phone, client, &path).await?,
            b"STA2" => {
                status::stat_v2(phone, client, *b"STA2", &path, crate::files::FollowLinks::Yes).await?
            }
            b"LST2" => status::stat_v2(phone, client, *b"LST2", &path, crate::files::FollowLinks::No).await?,
            b"LIST" => status::list(phone, client, &path, false).await?,
            b"LIS2" => status::list(phone, client, &path, true).await?,
            b"SEND" => receive::send_v1(phone, client, &path).await?,
            b"SND2" => receive::send_v2(phone, client, &path).await?,
            b"RECV" => receive::recv(phone, client, &path).await?,
            b"RCV2" => receive::recv_v2(phone, client, &path).await?,
            b"QUIT" => return Ok(()),
            _ => {
                let number = u32::from_le_bytes(id);
                return client.fail(&format!("unknown command {number:08x}")).await;
            }
        }
        client.to.flush().await.map_err(|_| ClientGone)?;
    }
}
