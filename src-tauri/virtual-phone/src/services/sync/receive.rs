//! `SEND`, `SND2` (a file arrives), `RECV`, `RCV2` (one is fetched).

use super::wire::{Client, ClientGone, DATA_MAX};
use crate::files::{Errno, FollowLinks, OpenFile, OpenMode, absolute, parent};
use crate::phone::Phone;
use crate::record::Received;

const LINK: u32 = 0o120_000;
const TYPE: u32 = 0o170_000;

/// `SEND`: `path,mode` in one text.
pub(super) async fn send_v1(phone: &Phone, client: &mut Client, text: &str) -> Result<(), ClientGone> {
    let Some((path, mode)) = text.rsplit_once(',') else {
        return client.fail(&format!("couldn't find , in '{text}'")).await;
    };
    match mode.trim().parse() {
        Ok(mode) => send(phone, client, path, mode).await,
        Err(_) => client.fail("bad mode").await,
    }
}

/// `SND2`: the path, then a message with mode and flags.
pub(super) async fn send_v2(phone: &Phone, client: &mut Client, path: &str) -> Result<(), ClientGone> {
    let (id, mode) = client.request().await?;
    let flags = client.bytes(4).await?;
    if id != *b"SND2" || flags != [0; 4] {
        return client.fail("unsupported compression").await;
    }
    send(phone, client, path, u32::try_from(mode).unwrap_or(0)).await
}

async fn send(phone: &Phone, client: &mut Client, path: &str, mode: u32) -> Result<(), ClientGone> {
    let now = phone.clock.wall().as_secs();
    let full = absolute("/", path);
    let as_link = mode & TYPE == LINK;
    let opened = if as_link {
        Ok(None)
    } else if path.ends_with('/') {
        // The directories it lies in are made; it itself can only be one.
        make_directories(phone, parent(&full), now).and(Err(Errno::IsDirectory))
    } else {
        create(phone, &full, now).map(Some)
    };
    let mut problem = opened
        .as_ref()
        .err()
        .map(|errno| format!("couldn't create file: {errno}"));
    let file: Option<OpenFile> = opened.ok().flatten();
    let mut target = Vec::new();
    let mut size = 0_u64;
    let modified = loop {
        let (id, length) = client.request().await?;
        match &id {
            b"DATA" if length <= DATA_MAX => {
                let bytes = client.bytes(length).await?;
                size += bytes.len() as u64;
                if problem.is_some() {
                    continue;
                }
                let written = match &file {
                    Some(file) => file.write(&bytes),
                    None => {
                        target.extend_from_slice(&bytes);
                        if target.len() > DATA_MAX {
                            Err(Errno::NameTooLong)
                        } else {
                            Ok(())
                        }
                    }
                };
                problem = written.err().map(|errno| format!("write failed: {errno}"));
            }
            b"DATA" => return client.fail("oversize data message").await,
            b"DONE" => break length,
            _ => return client.fail("invalid data message").await,
        }
    };
    if problem.is_none() && as_link {
        let text = String::from_utf8_lossy(&target);
        let _ = phone.files.remove(&full, false);
        let made = phone.files.link(&full, text.trim_end_matches('\0'), now);
        problem = made
            .err()
            .map(|errno| format!("couldn't create symlink: {errno}"));
    }
    if let Some(problem) = problem {
        if file.is_some() {
            let _ = phone.files.remove(&full, false);
        }
        return client.fail(&problem).await;
    }
    // `/sdcard` keeps its own bits; that is no failure (`file_sync_service.cpp`: fchmod's result is not looked at).
    let _ = phone
        .files
        .set_attributes(&full, Some(mode & 0o777), u64::try_from(modified).ok());
    phone.record(Received::Push { path: full, size });
    client.answer(*b"OKAY", 0).await
}

/// Makes the file, and the directories it wants to lie in.
fn create(phone: &Phone, path: &str, now: u64) -> Result<OpenFile, Errno> {
    make_directories(phone, parent(path), now)?;
    phone.files.open(path, OpenMode::WRITE, now)
}

/// Makes a directory and those it lies in (`secure_mkdirs`).
fn make_directories(phone: &Phone, path: &str, now: u64) -> Result<(), Errno> {
    let files = &phone.files;
    let mut missing = Vec::new();
    let mut directory = path;
    while directory != "/" && files.stat(directory, FollowLinks::Yes) == Err(Errno::NotFound) {
        missing.push(directory.to_owned());
        directory = parent(directory);
    }
    missing
        .iter()
        .rev()
        .try_for_each(|directory| files.make_directory(directory, 0o775, now))
}

/// `RCV2`: the path, then a message with flags.
pub(super) async fn recv_v2(phone: &Phone, client: &mut Client, path: &str) -> Result<(), ClientGone> {
    let (id, flags) = client.request().await?;
    if id != *b"RCV2" || flags != 0 {
        return client.fail("unsupported compression").await;
    }
    recv(phone, client, path).await
}

/// `RECV`: the file in pieces, then `DONE`.
pub(super) async fn recv(phone: &Phone, client: &mut Client, path: &str) -> Result<(), ClientGone> {
    let full = absolute("/", path);
    let file = match phone.files.open(&full, OpenMode::READ, 0) {
        Ok(file) => file,
        Err(Errno::IsDirectory) => return client.fail(&format!("read failed: {}", Errno::IsDirectory)).await,
        Err(errno) => return client.fail(&format!("open failed: {errno}")).await,
    };
    let mut size = 0_u64;
    loop {
        match file.read(DATA_MAX) {
            Ok(Some(bytes)) => {
                size += bytes.len() as u64;
                client
                    .answer(*b"DATA", u32::try_from(bytes.len()).unwrap_or(0))
                    .await?;
                client.put(&bytes).await?;
            }
            Ok(None) => break,
            Err(errno) => return client.fail(&format!("read failed: {errno}")).await,
        }
    }
    phone.record(Received::Pull { path: full, size });
    client.answer(*b"DONE", 0).await
}
