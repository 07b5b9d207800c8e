//! scrcpy's session: typing of any text, double taps, secrets; and a phone on which it would not.

use crate::support::scrcpy::{Server, State};
use crate::support::{Fake, Reply};
use adb::AdbPhone;
use adb::scrcpy::Jar;
use agent::lease::Lease;
use agent::ports::{Command, Effect, Phone, PhoneTrouble};
use secrecy::SecretString;
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

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

    async fn does(&self, command: Command) -> Result<Effect, PhoneTrouble> {
        let done = self.phone.perform(&command, &self.lease.take()).await;
        assert!(self.lease.drained(Duration::ZERO).await, "no pass is kept");
        done
    }

    async fn types(&self, text: &str) -> Result<Effect, PhoneTrouble> {
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
                (done.rung, done.seen),
                (Some("scrcpy_clipboard"), Some(true)),
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

#[tokio::test(start_paused = true)]
async fn what_did_not_arrive_is_not_reported_as_typed() {
    let rig = Rig::new("3.3.3");
    rig.state().deaf = true;
    // No other way is left on this phone.
    rig.fake.answers("ime list", Reply::says("com.gboard/.Ime\n"));
    assert_eq!(rig.types("漢").await, Err(PhoneTrouble::CannotType));
    assert_eq!(rig.state().clipboard.as_deref(), Some("theirs"));
}

#[tokio::test(start_paused = true)]
async fn a_field_of_dots_tells_nothing_and_is_typed_into() {
    let rig = Rig::new("3.3.3");
    rig.state().password = true;
    let done = rig.types("漢").await.unwrap();
    assert_eq!((done.rung, done.seen), (Some("scrcpy_clipboard"), None));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_start_is_left_alone_for_a_minute() {
    let rig = Rig::new("3.3.3");
    rig.state().version = "2.7".to_owned();
    rig.fake.answers("ime list", Reply::says(""));
    for _ in 0..2 {
        assert_eq!(rig.types("漢").await, Err(PhoneTrouble::CannotType));
    }
    assert_eq!(rig.state().starts, 1);
    assert_eq!(
        rig.fake.commands_like("pkill -f scid=").len(),
        1,
        "nothing is left waiting there"
    );
    tokio::time::advance(Duration::from_secs(61)).await;
    rig.state().version = "3.3.3".to_owned();
    assert_eq!(rig.types("漢").await.unwrap().rung, Some("scrcpy_clipboard"));
}

#[tokio::test(start_paused = true)]
async fn the_clipboard_is_put_back_although_the_lease_is_lost() {
    let rig = Rig::new("3.3.3");
    rig.types("open").await.unwrap();
    let grip = rig.lease.take();
    let phone = Arc::clone(&rig.phone);
    let work = tokio::spawn(async move { phone.perform(&Command::Text("漢".to_owned()), &grip).await });
    crate::support::until(|| rig.state().clips.first().is_some_and(|clip| clip == "漢")).await;
    let lost = tokio::time::Instant::now();
    rig.lease.revoke();
    assert!(rig.lease.drained(Duration::from_secs(2)).await);
    assert!(lost.elapsed() < Duration::from_secs(2));
    assert_eq!(rig.state().clipboard.as_deref(), Some("theirs"));
    let _ = work.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn two_taps_go_through_the_session() {
    let rig = Rig::new("4.0");
    let mut raw: Vec<u8> = [20_u32, 40, 1, 0]
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    raw.extend([9, 9, 9, 255].repeat(800));
    rig.fake.answers("screencap", Reply::says(raw));
    rig.phone.see().await.unwrap();
    let done = rig.does(Command::DoubleTap { x: 7, y: 30 }).await.unwrap();
    assert_eq!(done.rung, Some("scrcpy"));
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

#[tokio::test(start_paused = true)]
async fn a_secret_goes_by_keys_alone() {
    let rig = Rig::new("3.3.3");
    let secret = |text: &str| {
        let (phone, grip, text) = (Arc::clone(&rig.phone), rig.lease.take(), SecretString::from(text));
        async move { phone.type_secret(&text, &grip).await }
    };
    let done = secret("pass wört\n").await.unwrap();
    assert_eq!((done.rung, done.seen), (Some("scrcpy_keys"), None));
    assert_eq!(rig.state().texts, ["pass wört"]);
    assert_eq!(rig.state().clips, [""; 0]);
    assert_eq!(secret("plain").await.unwrap().rung, Some("input_text"));
    for other in ["pass漢", "🙂"] {
        assert_eq!(secret(other).await, Err(PhoneTrouble::CannotType));
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
            rig.phone.clipboard(&rig.lease.take()).await.as_deref(),
            Ok("theirs")
        );
        assert_eq!(rig.state().clipboard.as_deref(), Some("theirs"));
        assert!(rig.lease.drained(Duration::ZERO).await);
        for empty in [None, Some(String::new())] {
            rig.state().clipboard = empty;
            let told = rig.phone.clipboard(&rig.lease.take()).await;
            assert!(matches!(told, Err(PhoneTrouble::NotSupported(_))), "{told:?}");
        }
    }
    let fake = Fake::new();
    let phone = fake.phone();
    phone.use_scrcpy(None);
    let told = phone.clipboard(&Lease::new().take()).await;
    assert!(matches!(told, Err(PhoneTrouble::NotSupported(_))), "{told:?}");
    assert_eq!(fake.commands_like("cmd clipboard"), [""; 0]);
}

/// The maker's own jar, where a test run is given one.
#[test]
fn the_makers_jar_is_known() {
    let Some(path) = std::env::var_os("POCKETDECK_TEST_SCRCPY") else {
        return;
    };
    let jar = Jar::read(path.as_ref()).unwrap();
    assert!(
        jar.version.starts_with("3.") || jar.version.starts_with("4."),
        "{jar:?}"
    );
}
