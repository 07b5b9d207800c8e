//! scrcpy's video, read back by a decoder.

use crate::client::{all, open};
use crate::stream::{JAR, Luma, Mirror, connect, demo, kinds, start_scrcpy};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::time::{Instant, sleep, timeout};
use virtual_phone::Fault;

/// Longer than the last picture is repeated.
const SETTLED: Duration = Duration::from_secs(2);

#[tokio::test(start_paused = true)]
async fn both_framings_carry_the_display() {
    for (version, kinds, size) in [
        ("3.3.4", "ck", (464, 1024)),
        ("4.0", "sck", (460, 1024)),
        ("2.7", "ck", (464, 1024)),
    ] {
        let (host, phone) = demo("com.android.settings/.Settings");
        let mut mirror = Mirror::start(&host, version, "max_size=1024").await;
        assert!(mirror.read(SETTLED).await);
        // Of a display that stands still the picture is repeated ten times, a tenth of a second apart.
        assert_eq!(mirror.kinds, format!("{kinds}.........."), "{version}");
        let gaps: Vec<u64> = mirror.pts.windows(2).map(|two| two[1] - two[0]).collect();
        assert_eq!(gaps, [100_000; 10], "{version}");
        assert_eq!(mirror.sizes, [size]);
        let captured = Luma::captured(&phone, size.0 as usize, size.1 as usize);
        let distance = mirror.screen.newest().distance(&captured);
        assert!(distance < 4.0, "{version}: {distance}");
        // A touch at the right size is one on the display; at another it is none.
        mirror.tap((100, 100), (1080, 2400)).await;
        mirror.tap((115, 1023), (size.0 + 8, 1024)).await;
        assert!(mirror.read(SETTLED).await);
        assert!(
            !format!("{:?}", phone.record().entries()).contains("Finger"),
            "{version}"
        );
        let (x, y) = (size.0 / 2, 512);
        mirror.tap((x, y), size).await;
        assert!(mirror.read(SETTLED).await);
        let fingers: Vec<String> = phone
            .record()
            .entries()
            .iter()
            .filter(|entry| format!("{entry:?}").contains("Finger"))
            .map(|entry| format!("{:?}", entry.what))
            .collect();
        assert!(
            fingers[0].contains("x: 540.0, y: 1200.0"),
            "{version}: {fingers:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_reset_and_a_turned_display_begin_a_new_session() {
    for (version, session, sizes) in [
        ("3.3.4", "ck", vec![(464, 1024)]),
        ("4.1", "sck", vec![(460, 1024), (460, 1024), (1024, 460)]),
    ] {
        let (host, phone) = demo("com.android.settings/.Settings");
        let mut mirror = Mirror::start(&host, version, "max_size=1024").await;
        let idle = "..........";
        mirror.read(SETTLED).await;
        mirror.say(&[17]).await;
        mirror.read(SETTLED).await;
        assert_eq!(
            mirror.kinds,
            format!("{session}{idle}{session}{idle}"),
            "{version}"
        );
        mirror.say(&[11]).await;
        mirror.read(SETTLED).await;
        assert_eq!(mirror.sizes, sizes, "{version}");
        assert!(
            mirror.kinds.ends_with(&format!("{session}{idle}")),
            "{version}: {}",
            mirror.kinds
        );
        let newest = mirror.screen.newest();
        let (width, height) = if version == "3.3.4" {
            (1024, 464)
        } else {
            (1024, 460)
        };
        assert_eq!((newest.width, newest.height), (width, height), "{version}");
        let distance = newest.distance(&Luma::captured(&phone, width, height));
        assert!(distance < 4.0, "{version}: {distance}");
        // The old size is none any more.
        mirror.tap((200, 200), (height as u32, 1024)).await;
        mirror.read(SETTLED).await;
        assert!(
            !format!("{:?}", phone.record().entries()).contains("Finger"),
            "{version}"
        );
        mirror.tap((512, 200), (width as u32, height as u32)).await;
        mirror.read(SETTLED).await;
        assert!(
            format!("{:?}", phone.record().entries()).contains("Finger"),
            "{version}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn sockets_come_in_their_order_and_go_together() {
    for closed in ["video", "control", "server"] {
        let (host, phone) = demo("");
        phone.with(|android| android.key(223, 0, false));
        all(&host, &format!("exec:echo 'virtual scrcpy-server 3.3.4' > {JAR}")).await;
        let line = format!(
            "exec:CLASSPATH={JAR} app_process / com.genymobile.scrcpy.Server 3.3.4 scid=00000abc tunnel_forward=true \
             max_size=208"
        );
        let mut server = open(&host, &line).await.unwrap();
        let mut video = connect(&host).await.unwrap();
        let mut audio = connect(&host).await.unwrap();
        let mut control = connect(&host).await.unwrap();
        let codec = u32::from_be_bytes(*b"opus");
        assert_eq!(audio.read_u32().await.unwrap(), codec, "as nobody said otherwise");
        let mut begun = [0; 1 + 64 + 12 + 12];
        video.read_exact(&mut begun).await.unwrap();
        assert!(phone.with(|android| android.power()).awake, "power_on");
        let gone = async |mut stream: DuplexStream| {
            let ended = async { while let Ok(1..) = stream.read(&mut [0; 4096]).await {} };
            timeout(Duration::from_secs(2), ended).await.unwrap();
        };
        match closed {
            "video" => {
                drop(video);
                gone(control).await;
            }
            "control" => {
                control.shutdown().await.unwrap();
                drop(control);
                gone(video).await;
            }
            _ => {
                drop(server);
                gone(video).await;
                gone(control).await;
                server = open(&host, "exec:true").await.unwrap();
            }
        }
        gone(audio).await;
        gone(server).await;
        sleep(Duration::from_secs(1)).await;
        assert_eq!(phone.processes(), [], "{closed}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_raw_stream_is_nothing_but_units() {
    let (host, _phone) = demo("");
    let _server = start_scrcpy(&host, "3.3.4", "raw_stream=true control=false max_size=208").await;
    let mut video = connect(&host).await.unwrap();
    let mut bytes = Vec::new();
    while let Ok(Ok(1..)) = timeout(SETTLED, video.read_buf(&mut bytes)).await {}
    assert_eq!(kinds(&bytes)[..3], [7, 8, 5]);
}

#[tokio::test(start_paused = true)]
async fn key_frames_come_as_often_as_asked() {
    let (host, _phone) = demo("");
    let mut mirror = Mirror::start(
        &host,
        "3.3.4",
        "max_size=208 video_codec_options=i-frame-interval:int=0,priority:int=0",
    )
    .await;
    mirror.read(SETTLED).await;
    assert_eq!(mirror.kinds, "ckkkkkkkkkkk");
}

#[tokio::test(start_paused = true)]
async fn an_encoder_that_fails_is_tried_with_less_and_told() {
    let words = async |mut stream: DuplexStream| {
        let mut words = String::new();
        stream.read_to_string(&mut words).await.unwrap();
        words
    };
    let (host, phone) = demo("");
    phone.set_fault(Fault::EncoderLimit(1280));
    let mut mirror = Mirror::start(&host, "3.3.4", "").await;
    mirror.read(SETTLED).await;
    // The header has the size that was tried first.
    assert_eq!(mirror.sizes, [(1080, 2400)]);
    assert_eq!(
        (mirror.screen.newest().width, mirror.screen.newest().height),
        (576, 1280)
    );
    phone.set_fault(Fault::EncoderFails);
    assert!(!mirror.read(SETTLED).await, "it gives up");
    let said = words(mirror.server).await;
    let error =
        "[server] ERROR: Capture/encoding error: android.media.MediaCodec$CodecException: Error 0xfffffc0e\n";
    assert_eq!(said.matches(error).count(), 3 + 3, "{said}");
    assert!(
        said.contains("[server] INFO: Retrying with -m1280...\n"),
        "{said}"
    );
    assert!(
        said.contains("[server] ERROR: Exception on thread Thread[video,5,main]\n"),
        "{said}"
    );
    // From the start.
    let (host, phone) = demo("");
    phone.set_fault(Fault::EncoderFails);
    let mut mirror = Mirror::start(&host, "4.0", "downsize_on_error=false").await;
    assert!(!mirror.read(SETTLED).await);
    assert_eq!((mirror.kinds.as_str(), mirror.sizes.len()), ("", 0));
    assert_eq!(words(mirror.server).await.matches(error).count(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_goes_wrong_with_a_stream_goes_wrong_as_named() {
    let (host, phone) = demo("com.android.settings/.Settings");
    // So many pictures, then silence; all stays open, and goes on when it is over.
    phone.set_fault(Fault::StreamStall(3));
    let mut mirror = Mirror::start(&host, "3.3.4", "max_size=208").await;
    assert!(mirror.read(Duration::from_secs(60)).await);
    assert_eq!(mirror.kinds, "ck..");
    phone.clear_fault(Fault::StreamStall(0));
    assert!(mirror.read(SETTLED).await);
    assert_eq!(mirror.kinds, "ck..........");
    drop(mirror);
    sleep(Duration::from_secs(1)).await;
    // Killed in the middle of a packet.
    phone.set_fault(Fault::ScrcpyDies(2));
    let mut mirror = Mirror::start(&host, "3.3.4", "max_size=208").await;
    assert!(!mirror.read(SETTLED).await);
    assert_eq!(mirror.kinds.len(), 3, "{}", mirror.kinds);
    phone.clear_fault(Fault::ScrcpyDies(0));
    // The other version's words.
    phone.set_fault(Fault::ScrcpyMismatch);
    let mut server = start_scrcpy(&host, "3.3.4", "").await;
    let mut words = String::new();
    server.read_to_string(&mut words).await.unwrap();
    assert!(
        words.contains("The server version (1.25) does not match the client (3.3.4)"),
        "{words}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_is_slow_gets_fewer_pictures_never_old_ones() {
    let (host, phone) = demo("com.android.settings/.Settings");
    phone.set_fault(Fault::Bandwidth(20));
    let mut mirror = Mirror::start(&host, "3.3.4", "max_size=1024 control=false").await;
    phone.with(|android| android.key(3, 0, false));
    let begun = Instant::now();
    mirror.read(Duration::from_secs(20)).await;
    assert!(begun.elapsed() > Duration::from_secs(1), "it comes slowly");
    let distance = mirror
        .screen
        .newest()
        .distance(&Luma::captured(&phone, 464, 1024));
    assert!(distance < 4.0, "{distance}");
}
