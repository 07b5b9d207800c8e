//! The sync protocol, by a small client of its own (`SYNC.TXT`, `file_sync_protocol.h`).

use crate::client::{one, open, shell};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use virtual_phone::{Host, Received, Speed};

pub(crate) struct Sync(DuplexStream);

impl Sync {
    pub(crate) async fn open(host: &Host) -> Self {
        Self(open(host, "sync:").await.unwrap())
    }

    async fn request(&mut self, id: &[u8; 4], path: &str) {
        self.0.write_all(id).await.unwrap();
        self.0
            .write_u32_le(u32::try_from(path.len()).unwrap())
            .await
            .unwrap();
        self.0.write_all(path.as_bytes()).await.unwrap();
    }

    async fn id(&mut self) -> [u8; 4] {
        let mut id = [0; 4];
        self.0.read_exact(&mut id).await.unwrap();
        id
    }

    async fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        self.0.read_exact(&mut bytes).await.unwrap();
        bytes
    }

    async fn failure(&mut self) -> String {
        let length = self.0.read_u32_le().await.unwrap();
        String::from_utf8(self.bytes(length as usize).await).unwrap()
    }

    /// Mode, size, time.
    async fn stat(&mut self, path: &str) -> (u32, u32, u32) {
        self.request(b"STAT", path).await;
        assert_eq!(&self.id().await, b"STAT");
        (
            self.0.read_u32_le().await.unwrap(),
            self.0.read_u32_le().await.unwrap(),
            self.0.read_u32_le().await.unwrap(),
        )
    }

    pub(crate) async fn push(&mut self, path: &str, mode: u32, bytes: &[u8]) -> Result<(), String> {
        self.request(b"SEND", &format!("{path},{mode}")).await;
        for chunk in bytes.chunks(64 * 1024) {
            self.0.write_all(b"DATA").await.unwrap();
            self.0
                .write_u32_le(u32::try_from(chunk.len()).unwrap())
                .await
                .unwrap();
            self.0.write_all(chunk).await.unwrap();
        }
        self.0.write_all(b"DONE").await.unwrap();
        self.0.write_u32_le(1_600_000_000).await.unwrap();
        match &self.id().await {
            b"OKAY" => {
                self.0.read_u32_le().await.unwrap();
                Ok(())
            }
            b"FAIL" => Err(self.failure().await),
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn pull(&mut self, path: &str) -> Result<Vec<u8>, String> {
        self.request(b"RECV", path).await;
        let mut all = Vec::new();
        loop {
            match &self.id().await {
                b"DATA" => {
                    let length = self.0.read_u32_le().await.unwrap();
                    all.extend(self.bytes(length as usize).await);
                }
                b"DONE" => {
                    self.0.read_u32_le().await.unwrap();
                    return Ok(all);
                }
                b"FAIL" => return Err(self.failure().await),
                other => panic!("{other:?}"),
            }
        }
    }

    async fn list(&mut self, path: &str) -> Vec<String> {
        self.request(b"LIST", path).await;
        let mut names = Vec::new();
        loop {
            let id = self.id().await;
            let numbers = self.bytes(16).await;
            if &id == b"DONE" {
                return names;
            }
            assert_eq!(&id, b"DENT");
            let length = u32::from_le_bytes(numbers[12..].try_into().unwrap());
            names.push(String::from_utf8(self.bytes(length as usize).await).unwrap());
        }
    }
}

#[tokio::test]
async fn files_go_there_and_back() {
    let (host, phone) = one(Speed::Instant);
    let mut sync = Sync::open(&host).await;
    let picture: Vec<u8> = (0..300_000_u32).map(|n| (n % 251) as u8).collect();
    sync.push("/sdcard/new/folder/p.png", 0o100_644, &picture)
        .await
        .unwrap();
    assert_eq!(sync.pull("/sdcard/new/folder/p.png").await.unwrap(), picture);
    assert_eq!(
        sync.stat("/sdcard/new/folder/p.png").await,
        (0o100_660, 300_000, 1_600_000_000)
    );
    assert_eq!(sync.stat("/nope").await, (0, 0, 0));
    sync.push("/data/local/tmp/run.sh", 0o100_755, b"echo ran")
        .await
        .unwrap();
    assert_eq!(shell(&host, "/data/local/tmp/run.sh").await.text(), "ran\n");
    sync.push("/data/local/tmp/link", 0o120_777, b"/sdcard/new\0")
        .await
        .unwrap();
    assert_eq!(
        shell(&host, "readlink /data/local/tmp/link").await.text(),
        "/sdcard/new\n"
    );
    assert_eq!(sync.list("/sdcard/new").await, ["..", ".", "folder"]);
    assert_eq!(sync.list("/nope").await, Vec::<String>::new());
    let pushed = phone
        .record()
        .entries()
        .into_iter()
        .find_map(|entry| match entry.what {
            Received::Push { path, size } => Some((path, size)),
            _ => None,
        });
    assert_eq!(pushed, Some(("/sdcard/new/folder/p.png".to_owned(), 300_000)));
}

#[tokio::test]
async fn failures_come_in_the_daemons_words_and_the_talk_goes_on() {
    let (host, _phone) = one(Speed::Instant);
    let mut sync = Sync::open(&host).await;
    assert_eq!(
        sync.push("/system/x", 0o644, b"x").await.unwrap_err(),
        "couldn't create file: Read-only file system"
    );
    assert_eq!(
        sync.push("/data/x", 0o644, b"x").await.unwrap_err(),
        "couldn't create file: Permission denied"
    );
    assert_eq!(
        sync.push("/sdcard", 0o644, &[0; 100_000]).await.unwrap_err(),
        "couldn't create file: Is a directory"
    );
    assert_eq!(
        sync.pull("/nope").await.unwrap_err(),
        "open failed: No such file or directory"
    );
    assert_eq!(
        sync.pull("/sdcard").await.unwrap_err(),
        "read failed: Is a directory"
    );
    assert_eq!(
        sync.pull("/system/build.prop").await.unwrap_err(),
        "open failed: Permission denied"
    );
    sync.push("/sdcard/ok", 0o644, b"").await.unwrap();
    assert_eq!(sync.pull("/sdcard/ok").await.unwrap(), b"");
}

#[tokio::test]
async fn the_second_versions_tell_more() {
    let (host, _phone) = one(Speed::Instant);
    let mut sync = Sync::open(&host).await;
    sync.push("/data/local/tmp/f", 0o100_600, b"12345").await.unwrap();
    for (id, path, error, size) in [
        (b"LST2", "/data/local/tmp/f", 0, 5),
        (b"STA2", "/nope", 2, 0),
        (b"STA2", "/sdcard", 0, 3452),
    ] {
        sync.request(id, path).await;
        assert_eq!(&sync.id().await, id);
        let body = sync.bytes(68).await;
        assert_eq!(u32::from_le_bytes(body[..4].try_into().unwrap()), error, "{path}");
        assert_eq!(
            u64::from_le_bytes(body[36..44].try_into().unwrap()),
            size,
            "{path}"
        );
    }
    sync.request(b"LIS2", "/data/local/tmp").await;
    let mut names = Vec::new();
    loop {
        let id = sync.id().await;
        let body = sync.bytes(72).await;
        if &id == b"DONE" {
            break;
        }
        assert_eq!(&id, b"DNT2");
        let length = u32::from_le_bytes(body[68..].try_into().unwrap());
        names.push(String::from_utf8(sync.bytes(length as usize).await).unwrap());
    }
    assert_eq!(names, ["..", ".", "f"]);
    // Version 2 of sending and fetching, without a packer.
    sync.request(b"SND2", "/data/local/tmp/g").await;
    sync.0.write_all(b"SND2").await.unwrap();
    sync.0.write_u32_le(0o100_640).await.unwrap();
    sync.0.write_u32_le(0).await.unwrap();
    sync.0.write_all(b"DATA\x02\0\0\0hiDONE\0\0\0\0").await.unwrap();
    assert_eq!(sync.bytes(8).await, b"OKAY\0\0\0\0");
    sync.request(b"RCV2", "/data/local/tmp/g").await;
    sync.0.write_all(b"RCV2\0\0\0\0").await.unwrap();
    assert_eq!(sync.bytes(18).await, b"DATA\x02\0\0\0hiDONE\0\0\0\0");
}

#[tokio::test]
async fn what_no_client_sends_ends_the_talk() {
    let (host, _phone) = one(Speed::Instant);
    let mut sync = Sync::open(&host).await;
    sync.request(b"NOPE", "/x").await;
    assert_eq!(&sync.id().await, b"FAIL");
    assert!(sync.failure().await.starts_with("unknown command "));
    assert_eq!(sync.0.read(&mut [0; 1]).await.unwrap(), 0);
    let mut sync = Sync::open(&host).await;
    sync.request(b"STAT", &"x".repeat(2000)).await;
    assert_eq!(&sync.id().await, b"FAIL");
}
