//! `framebuffer:` (AOSP `daemon/framebuffer_service.cpp`, header version 2): the daemon runs `screencap` for it.

use crate::phone::Phone;
use crate::record::Received;
use bytes::{BufMut, BytesMut};
use std::sync::Arc;
use tokio::io::{AsyncWriteExt, DuplexStream};

pub(super) async fn framebuffer(phone: Arc<Phone>, mut stream: DuplexStream) {
    phone.clock.work(phone.clock.times().capture).await;
    phone.record(Received::Capture);
    let picture = crate::tools::picture(&phone);
    let mut header = BytesMut::new();
    let size = u32::try_from(picture.rgba.len()).unwrap_or(u32::MAX);
    // version, bpp, colour space, size, width, height, then offset and length of red, blue, green, alpha.
    for value in [
        2,
        32,
        0,
        size,
        picture.width,
        picture.height,
        0,
        8,
        16,
        8,
        8,
        8,
        24,
        8,
    ] {
        header.put_u32_le(value);
    }
    // Whoever asked may be gone.
    if stream.write_all(&header).await.is_ok() {
        let _ = stream.write_all(&picture.rgba).await;
    }
    let _ = stream.shutdown().await;
}
