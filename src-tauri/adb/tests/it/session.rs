//! scrcpy's session: typing of any text, double taps, secrets; and a phone on which it would not.

use crate::skipped::skipped;
use crate::support::scrcpy::{Server, State};
use crate::support::{Fake, Reply};
use adb::Command;
use adb::scrcpy::Jar;
use adb::{AdbPhone, Gesture};
use agent::lease::Lease;
use agent::ports::{Effect, Phone, PhoneError};
use protocol::ActMethod;
use secrecy::SecretString;
use std::sync::{Arc, MutexGuard};
use std::time::Duration;
use tokio::sync::mpsc;

struct Rig {
    fake: Fake,
    server: Server,
    phone: Arc<AdbPhone>,
    lease: Lease,
}

impl Rig {
    fn new(version: &str) -> Self {
        let fake = Fake::new();
        let server = Server::on(&fake);
        let phone = fake.phone();
        phone.use_scrcpy(Some(Jar::unchecked(version, b"PK a jar".repeat(20_000))));
        version.clone_into(&mut server.0.lock().unwrap().version);
        Self {
            fake,
            server,
            phone: Arc::new(phone),
            lease: Lease::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.server.0.lock().unwrap()
    }

    /// Its screen is seen: 20 × 40.
    async fn looks(&self) {
        let mut raw: Vec<u8> = [20_u32, 40, 1, 0]
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        raw.extend([9, 9, 9, 255].repeat(800));
        self.fake.answers("screencap", Reply::says(raw));
        self.phone.see().await.unwrap();
    }

    async fn does(&self, command: Command) -> Result<Effect, PhoneError> {
        let done = self.phone.by_hand(&command, &self.lease.take()).await;
        assert!(self.lease.drained(Duration::ZERO).await, "no pass is kept");
        done
    }

    async fn types(&self, text: &str) -> Result<Effect, PhoneError> {
        self.does(Command::Text(text.to_owned())).await
    }
}

/// What no key map has, and what a key map has beside it.
fn hard_texts() -> Vec<String> {
    let long: String = "汉字🙂 ".chars().cycle().take(10_000).collect();
    [
        "Aé漢🙂 %s \"'$",
        "first\nsecond 漢\n\nfourth",
        "%s %%s %s%s 漢",
        "\"quotes\" and 'quotes' – „Gänsefüßchen“",
        "$(reboot) `reboot` ${HOME} & | ; > < \\ 漢",
        "👩‍👩‍👧‍👦 🏳️‍🌈 🇨🇭",
        "日本語 한국어 中文",
        "שלום עולם, مرحبا بالعالم",
        "Привет Ελλάδα ไทย हिन्दी",
        "tab\there 漢",
    ]
    .map(str::to_owned)
    .into_iter()
    .chain([long])
    .collect()
}

#[tokio::test(start_paused = true)]
async fn any_text_arrives_by_the_clipboard_which_is_put_back() {
    for version in ["3.3.3", "4.1"] {
        for text in hard_texts() {
            let rig = Rig::new(version);
            let done = rig.types(&text).await.unwrap();
            let state = rig.state();
            assert_eq!(
                (done.via, done.seen),
                (Some(ActMethod::ScrcpyClipboard), Some(true)),
                "{text:.40}"
            );
            assert!(state.field == text, "{text:.40}");
            assert_eq!(state.clipboard.as_deref(), Some("theirs"));
            assert_eq!(state.pushed.len(), 160_000);
            assert_eq!(rig.fake.commands_like("input"), [""; 0]);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_newline_at_the_end_is_the_enter_key() {
    let rig = Rig::new("3.3.3");
    rig.types("漢\n").await.unwrap();
    let state = rig.state();
    assert_eq!(state.clips, ["漢", "theirs"]);
    assert_eq!(state.keys, [(0, 66), (1, 66)]);
}

#[tokio::test(start_paused = true)]
async fn one_session_is_kept_and_opened_again_when_it_died() {
    let rig = Rig::new("3.3.3");
    rig.types("漢").await.unwrap();
    rig.types("字").await.unwrap();
    let counts = || {
        let state = rig.state();
        (state.starts, state.connections)
    };
    assert_eq!(counts(), (1, 1));
    // It dies before the next text is sent: the field shows that nothing came, and a new session does it, once.
    let rig = Rig::new("3.3.3");
    rig.state().dies_after = Some(4);
    rig.types("漢").await.unwrap();
    rig.types("字").await.unwrap();
    let state = rig.state();
    assert_eq!((state.field.as_str(), state.starts), ("漢字", 2));
}

#[tokio::test(start_paused = true)]
async fn an_empty_clipboard_is_left_empty() {
    let rig = Rig::new("3.3.3");
    rig.state().clipboard = None;
    rig.types("漢").await.unwrap();
    assert_eq!(rig.state().clipboard.as_deref(), Some(""));
}

/// A busy app reads the clipboard a while after the key: until then it is not put back, and nothing else types the text again.
#[tokio::test(start_paused = true)]
async fn a_text_that_comes_late_is_waited_for_and_comes_once() {
    for late in [300, 500, 750] {
        let rig = Rig::new("3.3.3");
        rig.state().reads_after = Duration::from_millis(late);
        let done = rig.types("漢").await.unwrap();
        assert_eq!(
            (done.via, done.seen),
            (Some(ActMethod::ScrcpyClipboard), Some(true)),
            "{late} ms"
        );
        tokio::time::advance(Duration::from_secs(2)).await;
        let state = rig.state();
        assert_eq!(state.field, "漢", "{late} ms");
        assert_eq!(state.clipboard.as_deref(), Some("theirs"));
    }
}

#[tokio::test(start_paused = true)]
async fn what_did_not_arrive_is_not_reported_as_typed() {
    let rig = Rig::new("3.3.3");
    rig.state().deaf = true;
    // No other way is left on this phone.
    rig.fake.answers("ime list", Reply::says("com.gboard/.Ime\n"));
    assert_eq!(rig.types("漢").await, Err(PhoneError::CannotType));
    assert_eq!(rig.state().clipboard.as_deref(), Some("theirs"));
}

#[tokio::test(start_paused = true)]
async fn a_field_of_dots_tells_nothing_and_is_typed_into() {
    let rig = Rig::new("3.3.3");
    rig.state().password = true;
    let done = rig.types("漢").await.unwrap();
    assert_eq!((done.via, done.seen), (Some(ActMethod::ScrcpyClipboard), None));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_start_is_left_alone_for_a_minute() {
    let rig = Rig::new("3.3.3");
    rig.state().version = "2.7".to_owned();
    rig.fake.answers("ime list", Reply::says(""));
    for _ in 0..2 {
        assert_eq!(rig.types("漢").await, Err(PhoneError::CannotType));
    }
    assert_eq!(rig.state().starts, 1);
    assert_eq!(
        rig.fake.commands_like("rm -f /data/local/tmp/pocketdeck-").len(),
        1,
        "nothing is left waiting there"
    );
    tokio::time::advance(Duration::from_secs(61)).await;
    rig.state().version = "3.3.3".to_owned();
    assert_eq!(
        rig.types("漢").await.unwrap().via,
        Some(ActMethod::ScrcpyClipboard)
    );
}

#[tokio::test(start_paused = true)]
async fn the_clipboard_is_put_back_although_the_lease_is_lost() {
    let rig = Rig::new("3.3.3");
    rig.types("open").await.unwrap();
    let grip = rig.lease.take();
    let phone = Arc::clone(&rig.phone);
    let work = tokio::spawn(async move { phone.by_hand(&Command::Text("漢".to_owned()), &grip).await });
    crate::support::until(|| rig.state().clips.first().is_some_and(|clip| clip == "漢")).await;
    let lost = tokio::time::Instant::now();
    rig.lease.revoke();
    assert!(rig.lease.drained(Duration::from_secs(2)).await);
    assert!(lost.elapsed() < Duration::from_secs(2));
    assert_eq!(rig.state().clipboard.as_deref(), Some("theirs"));
    let _ = work.await.unwrap();
}

/// The phone's screen is known, 20 × 40, and the session open where it is to be.
async fn looked_at(ready: bool) -> Rig {
    let rig = Rig::new("4.0");
    rig.looks().await;
    if ready {
        assert_eq!(rig.phone.get_ready(&rig.lease.take()).await, Ok(true));
    }
    rig
}

#[tokio::test(start_paused = true)]
async fn a_gesture_is_played_by_a_session_that_is_open_and_by_no_other() {
    let tap = Gesture::Stroke {
        from: (7, 30),
        to: (7, 30),
        ms: 30,
    };
    let rig = looked_at(false).await;
    assert!(!rig.phone.is_ready());
    assert_eq!(rig.phone.play(tap, &rig.lease.take()).await, Ok(false));
    assert_eq!(rig.state().starts, 0);
    assert_eq!(told(&rig.state().touches), []);

    let rig = looked_at(true).await;
    assert!(rig.phone.is_ready());
    assert_eq!(rig.phone.play(tap, &rig.lease.take()).await, Ok(true));
    let touches = rig.state().touches.split_off(0);
    assert_eq!(told(&touches), [(0, 7, 30), (1, 7, 30)]);
    assert_eq!(touches[1].0 - touches[0].0, Duration::from_millis(30));
    assert_eq!(
        (touches[0].4, touches[0].5),
        (20, 40),
        "the screen as it is turned"
    );

    let drag = Gesture::Stroke {
        from: (0, 39),
        to: (19, 0),
        ms: 160,
    };
    rig.phone.play(drag, &rig.lease.take()).await.unwrap();
    let touches = rig.state().touches.split_off(0);
    assert_eq!(told(&touches)[0], (0, 0, 39));
    assert_eq!(told(&touches[touches.len() - 2..]), [(2, 19, 0), (1, 19, 0)]);
    assert_eq!(touches.len(), 12, "an event every 16 ms");
    assert!(
        touches
            .windows(2)
            .all(|two| two[1].2 >= two[0].2 && two[1].3 <= two[0].3),
        "on the way"
    );
    assert_eq!(rig.fake.commands_like("input"), [""; 0]);
    assert!(rig.lease.drained(Duration::ZERO).await, "no pass is kept");
}

#[tokio::test(start_paused = true)]
async fn two_fingers_pinch() {
    let rig = looked_at(true).await;
    let pinch = Gesture::Pinch {
        at: (10, 20),
        scale: 2.0,
        ms: 64,
    };
    assert_eq!(rig.phone.play(pinch, &rig.lease.take()).await, Ok(true));
    let (touches, fingers) = {
        let mut state = rig.state();
        (state.touches.split_off(0), state.fingers.split_off(0))
    };
    let actions: Vec<_> = fingers
        .iter()
        .zip(&touches)
        .map(|(finger, touch)| (*finger, touch.1))
        .collect();
    assert_eq!(
        actions[..4],
        [(0, 0), (1, 0), (0, 2), (1, 2)],
        "both are down before either moves"
    );
    assert_eq!(
        actions[actions.len() - 2..],
        [(1, 1), (0, 1)],
        "the last one down goes first"
    );
    assert_eq!(actions.len(), 2 + 2 * 4 + 2);
}

#[tokio::test(start_paused = true)]
async fn a_finger_is_followed_until_it_is_lifted() {
    let rig = looked_at(true).await;
    let (way, moves) = mpsc::unbounded_channel();
    let (phone, grip) = (Arc::clone(&rig.phone), rig.lease.take());
    let following = tokio::spawn(async move { phone.follow((1, 1), moves, &grip).await });
    crate::support::until(|| rig.state().touches.len() == 1).await;
    way.send((5, 5)).unwrap();
    crate::support::until(|| rig.state().touches.len() == 2).await;
    // What piles up counts once, where it ends.
    for at in [(6, 6), (7, 7), (8, 9)] {
        way.send(at).unwrap();
    }
    drop(way);
    assert_eq!(following.await.unwrap(), Ok(true));
    assert_eq!(
        told(&rig.state().touches),
        [(0, 1, 1), (2, 5, 5), (2, 8, 9), (1, 8, 9)]
    );
}

#[tokio::test(start_paused = true)]
async fn a_finger_is_lifted_when_the_lease_goes_or_nobody_moves_it_any_more() {
    for forgotten in [false, true] {
        let rig = looked_at(true).await;
        let (way, moves) = mpsc::unbounded_channel();
        let (phone, grip) = (Arc::clone(&rig.phone), rig.lease.take());
        let following = tokio::spawn(async move { phone.follow((1, 1), moves, &grip).await });
        crate::support::until(|| rig.state().touches.len() == 1).await;
        way.send((5, 5)).unwrap();
        crate::support::until(|| rig.state().touches.len() == 2).await;
        let since = tokio::time::Instant::now();
        if !forgotten {
            rig.lease.revoke();
        }
        let followed = following.await.unwrap();
        assert_eq!(told(&rig.state().touches).last(), Some(&(1, 5, 5)));
        if forgotten {
            assert_eq!(followed, Ok(true));
            // Counted from its last way, which was looked for now and then.
            let after = since.elapsed().as_secs_f64();
            assert!((9.9..=10.0).contains(&after), "{after}");
        } else {
            assert_eq!(followed, Err(PhoneError::LeaseLost));
            assert!(since.elapsed() < Duration::from_secs(1));
        }
        assert!(rig.lease.drained(Duration::ZERO).await, "no pass is kept");
    }
}

#[tokio::test(start_paused = true)]
async fn a_finger_that_loses_its_session_is_lifted_another_way() {
    let rig = looked_at(true).await;
    rig.state().dies_after = Some(2);
    let (way, moves) = mpsc::unbounded_channel();
    let (phone, grip) = (Arc::clone(&rig.phone), rig.lease.take());
    let following = tokio::spawn(async move { phone.follow((1, 1), moves, &grip).await });
    crate::support::until(|| rig.state().touches.len() == 1).await;
    for n in 2..200 {
        let _ = way.send((n, n));
        tokio::time::sleep(Duration::from_millis(16)).await;
    }
    drop(way);
    assert!(following.await.unwrap().is_err());
    assert_eq!(rig.fake.commands_like("input motionevent CANCEL").len(), 1);
}

fn told(touches: &[(tokio::time::Instant, u8, i32, i32, u16, u16)]) -> Vec<(u8, i32, i32)> {
    touches
        .iter()
        .map(|(_, action, x, y, ..)| (*action, *x, *y))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn two_taps_go_through_the_session() {
    let rig = Rig::new("4.0");
    rig.looks().await;
    let done = rig.does(Command::DoubleTap { x: 7, y: 30 }).await.unwrap();
    assert_eq!(done.via, Some(ActMethod::Scrcpy));
    let touches = rig.state().touches.split_off(0);
    let told: Vec<_> = touches
        .iter()
        .map(|(_, action, x, y, w, h)| (*action, *x, *y, *w, *h))
        .collect();
    assert_eq!(told, [0, 1, 0, 1].map(|action| (action, 7, 30, 20, 40)));
    let gap = touches[2].0 - touches[0].0;
    assert!(
        (Duration::from_millis(50)..=Duration::from_millis(150)).contains(&gap),
        "{gap:?}"
    );
    assert_eq!(done.gap_ms, u64::try_from(gap.as_millis()).ok(), "it is told");
    assert_eq!(rig.fake.commands_like("input"), [""; 0]);
}

/// A cover screen has a display of its own, which the session does not reach.
#[tokio::test(start_paused = true)]
async fn two_taps_on_a_cover_screen_go_there() {
    let rig = Rig::new("4.0");
    rig.fake.answers(
        "dumpsys display",
        Reply::says("DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=3, uniqueId='local:72', orientation=0}"),
    );
    let mut raw = b"[Warning] Multiple displays were found, but no display id was specified!\nSee \"dumpsys SurfaceFlinger \
                    --display-id\" for valid display IDs.\n"
        .to_vec();
    raw.extend([20_u32, 40, 1, 0].iter().flat_map(|word| word.to_le_bytes()));
    raw.extend([9, 9, 9, 255].repeat(800));
    rig.fake.answers("screencap", Reply::says(raw));
    rig.phone.see().await.unwrap();
    let twice = "input -d 3 tap 7 30; echo at:$EPOCHREALTIME; sleep 0.05; input -d 3 tap 7 30; echo at:$EPOCHREALTIME";
    rig.fake.answers(twice, Reply::says(""));
    rig.does(Command::DoubleTap { x: 7, y: 30 }).await.unwrap();
    assert_eq!(told(&rig.state().touches), []);
    assert_eq!(rig.fake.commands_like("input"), [twice]);
}

#[tokio::test(start_paused = true)]
async fn a_secret_goes_by_keys_alone() {
    let rig = Rig::new("3.3.3");
    let secret = |text: &str| {
        let (phone, grip, text) = (Arc::clone(&rig.phone), rig.lease.take(), SecretString::from(text));
        async move { phone.type_secret(&text, &crate::judged::secret(), &grip).await }
    };
    let done = secret("pass wört\n").await.unwrap();
    assert_eq!((done.via, done.seen), (Some(ActMethod::ScrcpyKeys), None));
    assert_eq!(rig.state().texts, ["pass wört"]);
    assert_eq!(rig.state().clips, [""; 0]);
    assert_eq!(secret("plain").await.unwrap().via, Some(ActMethod::InputText));
    for other in ["pass漢", "🙂"] {
        assert_eq!(secret(other).await, Err(PhoneError::CannotType));
    }
    assert_eq!(rig.state().clips, [""; 0]);
    assert_eq!(rig.fake.commands_like("am broadcast"), [""; 0]);
}

/// The clipboard is told by the session alone, and stays as it is; where it is silent, or there is no jar, nothing is.
#[tokio::test(start_paused = true)]
async fn the_clipboard_is_told_by_what_can() {
    for version in ["3.3.3", "4.1"] {
        let rig = Rig::new(version);
        assert_eq!(
            rig.phone
                .clipboard(&crate::judged::clipboard(), &rig.lease.take())
                .await
                .as_deref(),
            Ok("theirs")
        );
        assert_eq!(rig.state().clipboard.as_deref(), Some("theirs"));
        assert!(rig.lease.drained(Duration::ZERO).await);
        for empty in [None, Some(String::new())] {
            rig.state().clipboard = empty;
            let told = rig
                .phone
                .clipboard(&crate::judged::clipboard(), &rig.lease.take())
                .await;
            assert!(matches!(told, Err(PhoneError::NotSupported(_))), "{told:?}");
        }
    }
    let fake = Fake::new();
    let phone = fake.phone();
    phone.use_scrcpy(None);
    let told = phone
        .clipboard(&crate::judged::clipboard(), &Lease::new().take())
        .await;
    assert!(matches!(told, Err(PhoneError::NotSupported(_))), "{told:?}");
    assert_eq!(fake.commands_like("cmd clipboard"), [""; 0]);
}

/// The maker's own jar, where a test run is given one.
#[test]
fn the_makers_jar_is_known() {
    let Some(path) = std::env::var_os("POCKETDECK_SCRCPY_JAR") else {
        return skipped("POCKETDECK_SCRCPY_JAR names no scrcpy server");
    };
    let jar = Jar::read(path.as_ref()).unwrap();
    assert!(
        jar.version.starts_with("3.") || jar.version.starts_with("4."),
        "{jar:?}"
    );
}
