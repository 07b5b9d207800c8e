//! `screenrecord`, read back by a decoder.

use crate::client::{Outcome, finish, open, shell};
use crate::stream::{Luma, Record, Screen, demo, kinds, units};
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout};
use virtual_phone::Fault;

const QUIET: Duration = Duration::from_millis(400);

#[tokio::test(start_paused = true)]
async fn screenrecord_gives_what_the_display_shows_and_only_what_changes() {
    let (host, phone) = demo("com.android.settings/.Settings");
    let mut record = Record::start(&host, "--size 270x600").await;
    record.read(QUIET).await;
    // The sets and one key frame; a display that stands still gives nothing more.
    assert_eq!(kinds(&record.bytes), [7, 8, 5]);
    let screen = record.screen();
    let distance = screen.newest().distance(&Luma::captured(&phone, 270, 600));
    assert!(distance < 4.0, "{distance}");
    shell(&host, "input keyevent HOME").await;
    record.read(QUIET).await;
    assert_eq!(kinds(&record.bytes)[3], 1);
    let distance = record
        .screen()
        .newest()
        .distance(&Luma::captured(&phone, 270, 600));
    assert!(distance < 4.0, "{distance}");
    // With the client it goes.
    drop(record);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(phone.processes(), []);
}

#[tokio::test(start_paused = true)]
async fn screenrecord_ends_at_its_limit_by_signals_and_by_itself_alone() {
    let (host, phone) = demo("");
    for (options, seconds) in [("--time-limit 2", 2), ("", 180), ("--time-limit 0", 400)] {
        let begun = Instant::now();
        let mut record = Record::start(&host, &format!("--size 96x208 {options}")).await;
        let ended = timeout(Duration::from_secs(300), async {
            while record.status.is_none() {
                record.read(Duration::from_secs(1)).await;
            }
        });
        if seconds == 400 {
            assert!(ended.await.is_err(), "0 takes the limit away");
            continue;
        }
        ended.await.unwrap();
        assert_eq!((record.status, record.err.as_str()), (Some(0), ""));
        assert_eq!(begun.elapsed().as_secs(), seconds);
    }
    let line = "screenrecord --output-format=h264 --size 96x208 - > /sdcard/x & sleep 1; kill -INT $!; wait $!; echo $?; \
                head -c 5 /sdcard/x | md5sum; printf '\\0\\0\\0\\1g' | md5sum";
    let outcome = shell(&host, line).await;
    let lines: Vec<&str> = outcome.text().lines().collect();
    assert_eq!(lines[0], "0", "{outcome:?}");
    assert_eq!(lines[1], lines[2], "{outcome:?}");
    assert_eq!(phone.processes(), []);
}

#[tokio::test(start_paused = true)]
async fn a_turned_display_stands_between_black_bars() {
    let (host, phone) = demo("com.android.settings/.Settings");
    let mut record = Record::start(&host, "--size 216x480").await;
    record.read(QUIET).await;
    phone.with(|android| {
        android.put_setting("system", "accelerometer_rotation", Some("0"));
        android.put_setting("system", "user_rotation", Some("1"));
    });
    record.read(QUIET).await;
    let screen = record.screen();
    // A picture with the projection from before, then one with the new.
    assert_eq!((screen.pictures, kinds(&record.bytes)), (3, vec![7, 8, 5, 1, 1]));
    let newest = screen.newest();
    assert_eq!((newest.width, newest.height), (216, 480));
    // 2400×1080 in 216×480 is 216×97, at 191.
    let row = |y| (0..216).map(|x| newest.at(x, y)).max().unwrap();
    assert!(row(180) < 40 && row(300) < 40, "{} {}", row(180), row(300));
    assert!(row(240) > 200, "{}", row(240));
}

#[tokio::test(start_paused = true)]
async fn a_secure_window_is_black_in_video() {
    let (host, phone) = demo("");
    let mut record = Record::start(&host, "--size 216x480").await;
    record.read(QUIET).await;
    assert!(!record.screen().newest().is_black());
    phone.set_fault(Fault::Secure);
    record.read(QUIET).await;
    assert!(record.screen().newest().is_black());
    phone.clear_fault(Fault::Secure);
    record.read(QUIET).await;
    let distance = record
        .screen()
        .newest()
        .distance(&Luma::captured(&phone, 216, 480));
    assert!(distance < 5.0, "{distance}");
}

#[tokio::test(start_paused = true)]
async fn screenrecord_fails_in_its_own_words() {
    let cannot = |size: &str| format!("ERROR: unable to configure video/avc codec at {size} (err=-38)\n");
    for (fault, options, status, err) in [
        (
            None,
            "--output-format=h264 --size 271x600 -",
            218,
            cannot("271x600"),
        ),
        (
            None,
            "--output-format=h264 --size 2200x2600 -",
            218,
            cannot("2200x2600"),
        ),
        (
            None,
            "--output-format=h264 --verbose -",
            255,
            "ERROR: verbose output and '-' not compatible".to_owned(),
        ),
        (
            None,
            "-",
            1,
            "Unable to open '-': Read-only file system\n".to_owned(),
        ),
        (
            None,
            "/sdcard/x.mp4",
            1,
            "ERROR: no muxer for mp4 on this phone\n".to_owned(),
        ),
        (
            Some(Fault::EncoderFails),
            "--output-format=h264 -",
            218,
            format!(
                "{}WARNING: failed at 1080x2400, retrying at 720x1280\n{}",
                cannot("1080x2400"),
                cannot("720x1280")
            ),
        ),
        (
            Some(Fault::NoScreenrecord),
            "--help",
            127,
            "/system/bin/sh: screenrecord: inaccessible or not found\n".to_owned(),
        ),
        (
            Some(Fault::ScreenrecordFails),
            "-",
            1,
            "Unable to open '-': Read-only file system\n".to_owned(),
        ),
        (
            Some(Fault::ScreenrecordFails),
            "--output-format=h264 -",
            0,
            "ERROR: unable to create video/avc codec instance\n".to_owned(),
        ),
    ] {
        let (host, phone) = demo("");
        if let Some(fault) = fault {
            phone.set_fault(fault);
        }
        let outcome = shell(&host, &format!("screenrecord {options}")).await;
        assert_eq!((outcome.status, outcome.err), (Some(status), err), "{options}");
    }
    // The largest an encoder takes: the fallback is used.
    let (host, phone) = demo("");
    phone.set_fault(Fault::EncoderLimit(1280));
    let mut record = Record::start(&host, "").await;
    record.read(QUIET).await;
    assert!(record.err.ends_with("retrying at 720x1280\n"), "{}", record.err);
    assert_eq!(
        (record.screen().newest().width, record.screen().newest().height),
        (720, 1280)
    );
    // One that fails while it runs.
    phone.set_fault(Fault::EncoderFails);
    record.read(QUIET).await;
    assert!(
        record.err.ends_with("Encoder failed (err=-38)\n"),
        "{}",
        record.err
    );
    assert_eq!(record.status, Some(218));
}

#[tokio::test(start_paused = true)]
async fn several_displays_are_recorded_by_their_numbers() {
    let (host, phone) = demo("");
    phone.set_fault(Fault::Folded);
    for (display, black, size) in [
        ("4619827259835644672", true, (1080, 2400)),
        ("4619827551948147201", false, (904, 2316)),
    ] {
        let mut record = Record::start(&host, &format!("--display-id {display}")).await;
        record.read(QUIET).await;
        let screen = record.screen();
        let newest = screen.newest();
        assert_eq!(
            ((newest.width, newest.height), newest.is_black()),
            (size, black),
            "{display}"
        );
    }
}

/// Everything once more through the phone's own daemon and the real adb.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_real_adb_carries_video() {
    let (host, phone) = demo("com.android.settings/.Settings");
    let daemon = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = daemon.local_addr().unwrap().to_string();
    phone.serve_adbd(daemon).unwrap();
    let line = "screenrecord --output-format=h264 --size 270x600 --time-limit 1 -";
    let (raw, cooked) = tokio::task::spawn_blocking(move || {
        let server = crate::real_adb::Server::start();
        server.run(&["connect", &address]);
        let raw = server.run(&["-s", &address, "exec-out", line]).stdout;
        (raw, server.run(&["-s", &address, "shell", line]).stdout)
    })
    .await
    .unwrap();
    for stream in [raw, cooked] {
        assert_eq!(kinds(&stream), [7, 8, 5]);
        let mut screen = Screen::new();
        for unit in units(&stream) {
            screen.feed(unit);
        }
        let distance = screen.newest().distance(&Luma::captured(&phone, 270, 600));
        assert!(distance < 4.0, "{distance}");
    }
    drop(host);
}

/// A finished command's outcome, for the table.
#[tokio::test(start_paused = true)]
async fn help_and_version_are_told_where_the_source_tells_them() {
    let (host, _phone) = demo("");
    let stream = open(&host, "shell,v2,raw:screenrecord --help").await.unwrap();
    let Outcome { status, out, err } = finish(stream).await;
    assert_eq!((status, out.len()), (Some(0), 0));
    assert!(
        err.starts_with("Usage: screenrecord [options] <filename>\n"),
        "{err}"
    );
}
