//! Files, by a server on a real TCP socket of this computer that speaks the sync protocol.

use crate::support::Fake;
use adb::{AdbError, AdbPhone, AdbServer, Device, Link};
use agent::lease::Lease;
use agent::ports::Phone;
use protocol::{CaptureResult, PhoneId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

type Disk = Arc<Mutex<HashMap<String, Vec<u8>>>>;

/// Serves one phone's files; every transfer stops after `most` bytes.
async fn serve(most: usize) -> (AdbPhone, Disk) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let disk = Disk::default();
    tokio::spawn({
        let disk = Arc::clone(&disk);
        async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(talk(stream, Arc::clone(&disk), most));
            }
        }
    });
    let device = Device::new(AdbServer::new(Link::Tcp(address)), "R58M");
    (AdbPhone::new(PhoneId::from("R58M"), device), disk)
}

async fn talk(mut stream: TcpStream, disk: Disk, most: usize) -> std::io::Result<()> {
    loop {
        let mut digits = [0; 4];
        stream.read_exact(&mut digits).await?;
        let length = usize::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap();
        let mut request = vec![0; length];
        stream.read_exact(&mut request).await?;
        let request = String::from_utf8(request).unwrap();
        stream.write_all(b"OKAY").await?;
        if request == "host:devices-l" {
            return stream.write_all(b"000bR58M\tdevice").await;
        }
        if request.ends_with(":features") {
            return stream.write_all(b"0008shell_v2").await;
        }
        if let Some(line) = request.strip_prefix("shell,v2,raw:") {
            return shell(stream, line, &disk).await;
        }
        if request == "sync:" {
            return sync(stream, disk, most).await;
        }
    }
}

/// Every stream of a picture breaks off; a picture in a file is whole.
async fn shell(mut stream: TcpStream, line: &str, disk: &Disk) -> std::io::Result<()> {
    if let Some(file) = line.strip_prefix("umask 077; screencap -p /") {
        let mut png = std::io::Cursor::new(Vec::new());
        image::RgbaImage::from_pixel(30, 60, image::Rgba([9, 90, 200, 255]))
            .write_to(&mut png, image::ImageFormat::Png)
            .unwrap();
        disk.lock().unwrap().insert(format!("/{file}"), png.into_inner());
    } else if line.starts_with("screencap") {
        return stream.write_all(b"\x01\xff\x00\x00\x00half").await;
    } else if let Some(file) = line.strip_prefix("rm -f ") {
        disk.lock().unwrap().remove(file);
    }
    stream.write_all(b"\x03\x01\x00\x00\x00\x00").await
}

async fn sync(mut stream: TcpStream, disk: Disk, most: usize) -> std::io::Result<()> {
    let mut word = [0; 4];
    stream.read_exact(&mut word).await?;
    let length = stream.read_u32_le().await? as usize;
    let mut path = vec![0; length];
    stream.read_exact(&mut path).await?;
    let path = String::from_utf8(path).unwrap();
    match &word {
        b"STAT" => {
            let size = disk.lock().unwrap().get(&path).map(Vec::len);
            stream.write_all(b"STAT").await?;
            stream
                .write_u32_le(if size.is_some() { 0o100_644 } else { 0 })
                .await?;
            stream.write_u32_le(size.unwrap_or(0) as u32).await?;
            stream.write_u32_le(1_700_000_000).await?;
        }
        b"RECV" => {
            let bytes = disk.lock().unwrap().get(&path).cloned().unwrap();
            for part in bytes[..bytes.len().min(most)].chunks(65_536) {
                stream.write_all(b"DATA").await?;
                stream.write_u32_le(part.len() as u32).await?;
                stream.write_all(part).await?;
            }
            if most >= bytes.len() {
                stream.write_all(b"DONE\0\0\0\0").await?;
            } else {
                // A packet announced and never sent.
                stream.write_all(b"DATA").await?;
                stream.write_u32_le(1000).await?;
            }
        }
        b"SEND" => {
            let mut bytes = Vec::new();
            loop {
                stream.read_exact(&mut word).await?;
                let length = stream.read_u32_le().await? as usize;
                if &word == b"DONE" {
                    break;
                }
                let mut part = vec![0; length];
                stream.read_exact(&mut part).await?;
                bytes.extend(part);
            }
            bytes.truncate(most);
            let path = path.rsplit_once(',').unwrap().0.to_owned();
            disk.lock().unwrap().insert(path, bytes);
            stream.write_all(b"OKAY\0\0\0\0").await?;
        }
        other => panic!("{other:?}"),
    }
    Ok(())
}

fn many() -> Vec<u8> {
    (0..300_000_u32).map(|n| (n % 253) as u8).collect()
}

#[tokio::test]
async fn a_file_goes_there_and_back() {
    let (phone, disk) = serve(usize::MAX).await;
    let lease = Lease::new();
    phone
        .files()
        .push(many(), "/data/local/tmp/a b,c", &lease.take())
        .await
        .unwrap();
    assert!(disk.lock().unwrap()["/data/local/tmp/a b,c"] == many());
    assert!(lease.drained(std::time::Duration::from_secs(1)).await);
    assert!(phone.files().pull("/data/local/tmp/a b,c").await.unwrap() == many());
    let stat = phone.files().stat("/data/local/tmp/a b,c").await.unwrap();
    assert_eq!((stat.size, stat.modified), (300_000, 1_700_000_000));
    assert_eq!(phone.files().stat("/none").await.unwrap().mode, 0);
    assert!(matches!(
        phone.files().pull("/none").await,
        Err(AdbError::Refused(_))
    ));
}

#[tokio::test]
async fn half_a_file_is_none() {
    let (phone, disk) = serve(100_000).await;
    disk.lock().unwrap().insert("/x".to_owned(), many());
    let told = phone.files().pull("/x").await;
    assert!(matches!(told, Err(AdbError::Cut(_))), "{told:?}");
    let told = phone.files().push(many(), "/y", &Lease::new().take()).await;
    assert!(matches!(told, Err(AdbError::Cut(_))), "{told:?}");
}

#[tokio::test]
async fn without_the_lease_nothing_is_carried() {
    let (phone, disk) = serve(usize::MAX).await;
    let lease = Lease::new();
    let grip = lease.take();
    lease.revoke();
    assert_eq!(
        phone.files().push(many(), "/x", &grip).await,
        Err(AdbError::LeaseLost)
    );
    assert!(disk.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_phone_inside_this_program_has_no_files() {
    let phone = Fake::new().phone();
    let grip = Lease::new().take();
    for told in [
        phone.files().pull("/x").await.map(drop),
        phone.files().stat("/x").await.map(drop),
        phone.files().push(vec![1], "/x", &grip).await,
    ] {
        assert!(matches!(told, Err(AdbError::NotSupported(_))), "{told:?}");
    }
}

#[tokio::test]
async fn nobody_listening_is_told() {
    let device = Device::new(AdbServer::new(Link::Tcp("127.0.0.1:1".to_owned())), "R58M");
    let told = AdbPhone::new(PhoneId::from("R58M"), device)
        .files()
        .pull("/x")
        .await;
    assert!(matches!(told, Err(AdbError::Cut(_))), "{told:?}");
}

/// The last way to a picture.
#[tokio::test]
async fn a_picture_is_carried_as_a_file_where_streams_break_off() {
    let (phone, disk) = serve(usize::MAX).await;
    let sight = phone.see().await.unwrap();
    assert_eq!(
        (sight.capture, sight.width, sight.height),
        (CaptureResult::Ok, 30, 60)
    );
    assert!(disk.lock().unwrap().is_empty(), "and taken away again");
}
