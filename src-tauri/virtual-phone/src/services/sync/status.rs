//! `STAT`, `STA2`, `LST2`, `LIST`, `LIS2`.

use super::wire::{Client, ClientGone};
use crate::files::{Errno, FollowLinks, Stat, absolute};
use crate::phone::Phone;

#[allow(
    clippy::cast_possible_truncation,
    reason = "the first version's sizes and times are 32-bit and wrap"
)]
fn v1(stat: &Stat) -> [u32; 3] {
    [stat.mode, stat.size as u32, stat.modified as u32]
}

/// `struct __stat_v2` after its id: error, dev, ino, mode, nlink, uid, gid, size, atime, mtime, ctime.
fn v2(stat: Result<&Stat, Errno>) -> Vec<u8> {
    let mut out = Vec::with_capacity(68);
    match stat {
        Ok(stat) => {
            out.extend(0_u32.to_le_bytes());
            out.extend(stat.device.to_le_bytes());
            out.extend(stat.inode.to_le_bytes());
            for number in [stat.mode, stat.links, stat.uid, stat.gid] {
                out.extend(number.to_le_bytes());
            }
            for number in [stat.size, stat.modified, stat.modified, stat.changed] {
                out.extend(number.to_le_bytes());
            }
        }
        Err(errno) => {
            out.extend(errno.number().to_le_bytes());
            out.resize(68, 0);
        }
    }
    out
}

/// `STAT`: mode, size, time; all zero when there is nothing.
pub(super) async fn stat(phone: &Phone, client: &mut Client, path: &str) -> Result<(), ClientGone> {
    let found = phone.files.stat(&absolute("/", path), FollowLinks::No);
    let numbers = found.as_ref().map(v1).unwrap_or_default();
    client.put(b"STAT").await?;
    for number in numbers {
        client.put(&number.to_le_bytes()).await?;
    }
    Ok(())
}

/// `STA2`, `LST2`.
pub(super) async fn stat_v2(
    phone: &Phone,
    client: &mut Client,
    id: [u8; 4],
    path: &str,
    follow: FollowLinks,
) -> Result<(), ClientGone> {
    let found = phone.files.stat(&absolute("/", path), follow);
    client.put(&id).await?;
    client.put(&v2(found.as_ref().map_err(|errno| *errno))).await
}

/// `LIST`, `LIS2`: an entry each, `.` and `..` too, then `DONE`.
pub(super) async fn list(
    phone: &Phone,
    client: &mut Client,
    path: &str,
    second: bool,
) -> Result<(), ClientGone> {
    let path = absolute("/", path);
    let mut entries = phone.files.list(&path).unwrap_or_default();
    if phone.files.list(&path).is_ok() {
        for name in [".", ".."] {
            if let Ok(stat) = phone.files.stat(&absolute(&path, name), FollowLinks::Yes) {
                entries.insert(0, (name.to_owned(), stat));
            }
        }
    }
    for (name, stat) in entries {
        if second {
            client.put(b"DNT2").await?;
            client.put(&v2(Ok(&stat))).await?;
        } else {
            client.put(b"DENT").await?;
            for number in v1(&stat) {
                client.put(&number.to_le_bytes()).await?;
            }
        }
        client
            .put(&u32::try_from(name.len()).unwrap_or(0).to_le_bytes())
            .await?;
        client.put(name.as_bytes()).await?;
    }
    client.put(b"DONE").await?;
    client.put(&vec![0; if second { 72 } else { 16 }]).await
}
