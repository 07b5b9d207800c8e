//! Clips of a whole phone, in virtual time; what is in their files is read by another program. And the phone's sound, heard alone.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test"
)]

use crate::{Engine, Options, PhoneSound, ProgramChoice};
use adb::FollowedServer;
use adb::scrcpy::Jar;
use protocol::{ClipSound, ClipState, FailureCode, News, NoSound, PhoneId, PhoneState};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use store::keychain::Keychain;
use tokio::sync::mpsc::UnboundedReceiver;
use virtual_phone::system::{System, SystemOptions};
use virtual_phone::{Fault, Host, PhoneHandle, Speed};

#[path = "../../../../tests/shared/skipped.rs"]
mod skipped;

/// Nothing here takes so long.
const BOUND: Duration = Duration::from_secs(120);
/// Its screen moves all the time.
const SPINNER: &str = "com.android.motiontest/.SpinnerActivity";

struct Table {
    engine: Engine,
    phone: PhoneId,
    handle: PhoneHandle,
    _host: Arc<Host>,
    folder: tempfile::TempDir,
    news: UnboundedReceiver<News>,
}

/// A phone that moves, and a computer with a scrcpy server of this version, or none.
async fn table(jar: Option<&str>, change: impl FnOnce(&mut SystemOptions)) -> Table {
    let mut options = SystemOptions {
        start: Some(SPINNER.to_owned()),
        ..SystemOptions::default()
    };
    options.profile.phone.size = (360, 800);
    options.profile.phone.density = 140;
    change(&mut options);
    let host = Arc::new(Host::new());
    let attached = virtual_phone::Options {
        speed: Speed::Phone,
        ..virtual_phone::Options::default()
    };
    let handle = host.add(Box::new(System::new(options)), attached);
    let folder = tempfile::tempdir().unwrap();
    let to = Arc::clone(&host);
    let engine = Engine::open(Options {
        folder: folder.path().join("data"),
        places: vec![FollowedServer::demo(adb::connector(move || to.open()))],
        program: ProgramChoice::default(),
        demo: false,
        keychain: Keychain::absent(),
        key: None,
        scheduler: None,
    })
    .await
    .unwrap();
    let news = engine.listen();
    let mut listing = engine.listing();
    let there = listing.wait_for(|listing| {
        listing
            .phones
            .iter()
            .any(|phone| phone.state == PhoneState::Device)
    });
    let phone = tokio::time::timeout(BOUND, there).await.unwrap().unwrap().phones[0]
        .id
        .clone();
    let jar =
        jar.map(|version| Jar::unchecked(version, format!("virtual scrcpy-server {version}\n").into_bytes()));
    engine.phone(&phone).unwrap().use_scrcpy(jar);
    Table {
        engine,
        phone,
        handle,
        _host: host,
        folder,
        news,
    }
}

impl Table {
    fn videos(&self) -> PathBuf {
        self.folder.path().join("Videos")
    }

    fn record(&self) {
        self.engine.record_clip(&self.phone, &self.videos()).unwrap();
    }

    /// The next thing that is told of the clip.
    async fn told(&mut self) -> ClipState {
        loop {
            let news = tokio::time::timeout(BOUND, self.news.recv())
                .await
                .unwrap()
                .unwrap();
            if let News::Clip { phone, clip } = news {
                assert_eq!(phone, self.phone);
                return clip;
            }
        }
    }

    /// Records for so long, then stops it: whether it is with sound, and its files.
    async fn clip(&mut self, long: Duration) -> (ClipSound, Vec<PathBuf>) {
        self.begin().await;
        tokio::time::sleep(long).await;
        self.engine.stop_clip(&self.phone);
        match self.told().await {
            ClipState::Saved {
                sound, failure: None, ..
            } => (sound, self.engine.clip_files(&self.phone)),
            other => panic!("{other:?}"),
        }
    }

    /// Begins to listen.
    async fn hear(&self) -> Result<PhoneSound, NoSound> {
        self.engine.hear(&self.phone).await.unwrap()
    }

    /// How many servers were started on the phone for its sound.
    fn sound_servers(&self) -> usize {
        let commands = self.handle.record().commands();
        commands
            .iter()
            .filter(|command| command.contains("audio=true"))
            .count()
    }

    /// Begins to record; returns once it does.
    async fn begin(&mut self) {
        self.record();
        assert_eq!(self.told().await, ClipState::Starting);
        let told = self.told().await;
        assert!(matches!(told, ClipState::Recording { .. }), "{told:?}");
    }
}

/// What ffprobe reads of a file: `h264 296×640 90 packets`, …, and how long it is in seconds. It complains of nothing.
struct Read {
    streams: Vec<(String, usize)>,
    seconds: f64,
    sides: (usize, usize),
}

fn read(file: &Path) -> Read {
    let asked = Command::new("ffprobe")
        .args(["-v", "error", "-count_packets", "-count_frames", "-of", "json"])
        .args([
            "-show_entries",
            "stream=codec_name,width,height,nb_read_packets,nb_read_frames:format=duration",
        ])
        .arg(file)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&asked.stderr), "", "ffprobe complains");
    let told: serde_json::Value = serde_json::from_slice(&asked.stdout).unwrap();
    let number = |value: &serde_json::Value| value.as_str().unwrap().parse::<f64>().unwrap();
    let streams = told["streams"].as_array().unwrap();
    let side = |name: &str| usize::try_from(streams[0][name].as_u64().unwrap()).unwrap();
    Read {
        seconds: number(&told["format"]["duration"]),
        sides: (side("width"), side("height")),
        streams: streams
            .iter()
            .map(|stream| {
                // Whatever is in it can be decoded.
                let (packets, frames) = (
                    number(&stream["nb_read_packets"]),
                    number(&stream["nb_read_frames"]),
                );
                assert!(packets - frames <= 1.0, "{stream}");
                let codec = stream["codec_name"].as_str().unwrap().to_owned();
                (codec, packets as usize)
            })
            .collect(),
    }
}

fn has_ffprobe() -> bool {
    Command::new("ffprobe").arg("-version").output().is_ok()
}

/// A clip of three seconds: with what sound, and whether another program reads of it as many pictures and packets as came.
async fn check(jar: Option<&str>, change: impl FnOnce(&mut SystemOptions), mute: bool, expected: ClipSound) {
    let mut table = table(jar, change).await;
    table.handle.set_mute(mute);
    let (sound, files) = table.clip(Duration::from_secs(3)).await;
    assert_eq!((sound, files.len()), (expected, 1), "{jar:?}");
    let found = read(&files[0]);
    assert!((2.9..3.3).contains(&found.seconds), "{} s", found.seconds);
    let codecs: Vec<&str> = found.streams.iter().map(|(codec, _)| codec.as_str()).collect();
    let with_sound = expected == ClipSound::Recorded;
    assert_eq!(
        codecs,
        if with_sound {
            vec!["h264", "aac"]
        } else {
            vec!["h264"]
        }
    );
    // Its display moves sixty times a second; whoever encodes may be slower.
    assert!(
        (20..=200).contains(&found.streams[0].1),
        "{} pictures",
        found.streams[0].1
    );
    if let Some((_, packets)) = found.streams.get(1) {
        // 3 s of 1024 samples at 48 kHz are 140.6 packets; some may be on their way at either end.
        assert!((136..=143).contains(packets), "{packets} packets");
    }
}

#[tokio::test(start_paused = true)]
async fn another_program_reads_a_clip_whole() {
    if !has_ffprobe() {
        return skipped::skipped("ffprobe is missing");
    }
    check(Some("3.3.4"), |_| {}, false, ClipSound::Recorded).await;
    check(Some("4.1"), |_| {}, false, ClipSound::Recorded).await;
    check(
        Some("4.1"),
        |options| options.profile.phone.sdk = 30,
        false,
        ClipSound::Recorded,
    )
    .await;
    check(
        Some("4.1"),
        |options| options.profile.phone.sdk = 29,
        false,
        ClipSound::Without(NoSound::AndroidTooOld),
    )
    .await;
    check(Some("4.1"), |_| {}, true, ClipSound::Without(NoSound::Refused)).await;
    check(None, |_| {}, false, ClipSound::Without(NoSound::NeedsScrcpy)).await;
}

/// Turned while it is recorded: another file begins, of the other shape, with its own sound.
#[tokio::test(start_paused = true)]
async fn a_turned_screen_goes_on_in_another_file() {
    if !has_ffprobe() {
        return skipped::skipped("ffprobe is missing");
    }
    let mut table = table(Some("4.1"), |_| {}).await;
    table.begin().await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let turn = protocol::Hand::Key {
        key: protocol::Key::Rotate,
    };
    table.engine.hand(&table.phone, turn).await.unwrap();
    tokio::time::sleep(Duration::from_secs(2)).await;
    table.engine.stop_clip(&table.phone);
    let told = table.told().await;
    assert!(matches!(told, ClipState::Saved { failure: None, .. }), "{told:?}");
    let files = table.engine.clip_files(&table.phone);
    let [upright, lying] = [read(&files[0]), read(&files[1])];
    assert!(upright.sides.0 < upright.sides.1, "{:?}", upright.sides);
    assert_eq!(lying.sides, (upright.sides.1, upright.sides.0));
    for part in [upright, lying] {
        assert_eq!(part.streams[1].0, "aac");
        assert!((1.5..2.6).contains(&part.seconds), "{} s", part.seconds);
    }
}

/// Whatever ends it: what was recorded is kept, and can be read; what is not there is not waited for.
#[tokio::test(start_paused = true)]
async fn a_clip_ends_in_a_file_or_in_a_reason() {
    if !has_ffprobe() {
        return skipped::skipped("ffprobe is missing");
    }
    // The cable comes out.
    let mut cut = table(Some("4.1"), |_| {}).await;
    cut.begin().await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    cut.handle.unplug();
    match cut.told().await {
        ClipState::Saved {
            failure: Some(failure),
            ..
        } => assert_eq!(failure.code, FailureCode::PhoneGone),
        other => panic!("{other:?}"),
    }
    assert!(read(&cut.engine.clip_files(&cut.phone)[0]).seconds > 1.5);
    // The program is closed.
    let mut closed = table(Some("4.1"), |_| {}).await;
    closed.begin().await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    closed.engine.close().await;
    assert!(read(&closed.engine.clip_files(&closed.phone)[0]).seconds > 1.9);
    // Before the first picture.
    let mut early = table(Some("4.1"), |_| {}).await;
    early.record();
    assert_eq!(early.told().await, ClipState::Starting);
    let again = early.engine.record_clip(&early.phone, &early.videos());
    assert_eq!(again.unwrap_err().code, FailureCode::NotNow);
    early.engine.stop_clip(&early.phone);
    assert_eq!(early.told().await, ClipState::Stopped);
    // A phone that sends no video.
    let mut still = table(None, |_| {}).await;
    still.handle.set_fault(Fault::EncoderFails);
    still.record();
    assert_eq!(still.told().await, ClipState::Starting);
    match still.told().await {
        ClipState::Failed { failure } => assert_eq!(failure.code, FailureCode::NoVideo),
        other => panic!("{other:?}"),
    }
    // A place where nothing can be written.
    let nowhere = table(Some("4.1"), |_| {}).await;
    std::fs::write(nowhere.videos(), b"no folder").unwrap();
    let mut nowhere = nowhere;
    nowhere.record();
    assert_eq!(nowhere.told().await, ClipState::Starting);
    match nowhere.told().await {
        ClipState::Failed { failure } => assert_eq!(failure.code, FailureCode::FileUnwritable),
        other => panic!("{other:?}"),
    }
}

/// The phone plays a tone of 440 Hz: what is heard is one, as long as it lasts, whatever the phone.
#[tokio::test(start_paused = true)]
async fn a_phone_is_heard_as_it_sounds() {
    for (jar, sdk) in [("3.3.4", 30), ("4.1", 30), ("4.1", 34)] {
        let table = table(Some(jar), |options| options.profile.phone.sdk = sdk).await;
        assert_eq!(table.sound_servers(), 0, "nobody listens yet");
        let mut sound = table.hear().await.unwrap();
        assert_eq!((sound.rate(), sound.channels()), (48_000, 2));
        // Before Android 13 what is captured is not played beside.
        assert_eq!(sound.silences_phone(), sdk < 33);
        let begun = tokio::time::Instant::now();
        let mut left = Vec::new();
        while left.len() < 96_000 {
            let samples = tokio::time::timeout(BOUND, sound.next()).await.unwrap().unwrap();
            left.extend(
                samples
                    .chunks_exact(4)
                    .map(|moment| i16::from_le_bytes([moment[0], moment[1]])),
            );
        }
        assert!(
            (1.9..2.1).contains(&begun.elapsed().as_secs_f64()),
            "{:?}",
            begun.elapsed()
        );
        let second = &left[48_000..96_000];
        let crossings = second
            .windows(2)
            .filter(|pair| (pair[0] < 0) != (pair[1] < 0))
            .count();
        assert!((870..=890).contains(&crossings), "{crossings} crossings of 880");
        let loudest = second.iter().map(|sample| sample.unsigned_abs()).max().unwrap();
        assert!((3_000..6_000).contains(&loudest), "{loudest}");
    }
}

/// One server for a clip and for all who listen, and none when they have gone.
#[tokio::test(start_paused = true)]
async fn a_phone_is_listened_to_once_however_many_hear() {
    let mut table = table(Some("4.1"), |_| {}).await;
    let (mut one, mut other) = (table.hear().await.unwrap(), table.hear().await.unwrap());
    let (sound, _) = table.clip(Duration::from_secs(2)).await;
    assert_eq!((sound, table.sound_servers()), (ClipSound::Recorded, 1));
    drop(other);
    one.next().await.unwrap();
    drop(one);
    other = table.hear().await.unwrap();
    other.next().await.unwrap();
    assert_eq!(table.sound_servers(), 2);
    // Who comes back late hears what is newest: what waited for it is bounded.
    tokio::time::sleep(Duration::from_secs(60)).await;
    let begun = tokio::time::Instant::now();
    let mut at_once = 0;
    while begun.elapsed() < Duration::from_millis(20) {
        other.next().await.unwrap();
        at_once += 1;
    }
    assert!((200..=260).contains(&at_once), "{at_once} packets");
    table.handle.unplug();
    while other.next().await.is_some() {}
}

#[tokio::test(start_paused = true)]
async fn a_phone_that_is_not_heard_says_why() {
    let check = async |jar, sdk: u32, mute, expected| {
        let table = table(jar, |options| options.profile.phone.sdk = sdk).await;
        table.handle.set_mute(mute);
        assert_eq!(table.hear().await.err(), Some(expected), "{jar:?} {sdk}");
    };
    check(None, 34, false, NoSound::NeedsScrcpy).await;
    check(Some("4.1"), 29, false, NoSound::AndroidTooOld).await;
    check(Some("4.1"), 34, true, NoSound::Refused).await;
}
