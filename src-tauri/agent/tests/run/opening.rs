//! Opening apps and links, looking, and what is said of it.

use crate::support::{MemoryJournal, Turn, World, start, start_with};
use insta::assert_snapshot;
use protocol::{AskBefore, AskKind, Choice, Level, Settings, What};

const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;

fn open(url: &str) -> Turn {
    Turn::from(
        serde_json::json!({"type": "open_url", "url": url})
            .to_string()
            .as_str(),
    )
}

/// Nothing is asked that a switch can turn off.
fn quiet() -> Settings {
    Settings {
        level: Level::HardStops,
        ask_before: AskBefore {
            sending: false,
            deleting: false,
            installing: false,
            shell: false,
        },
        ..Settings::default()
    }
}

#[tokio::test(start_paused = true)]
async fn known_links_pass_and_any_other_asks_whatever_the_settings() {
    // With every switch off and at the lowest level.
    let passes = [
        "geo:48.1,11.6",
        "mailto:dana@greenleaf.example",
        "tel:5550142",
        "market://details?id=com.x",
    ];
    let mut turns: Vec<Turn> = passes.map(open).into();
    turns.push(DONE.into());
    let mut table = start_with(World::default(), turns, quiet(), MemoryJournal::default());
    table.end().await;
    assert_snapshot!("links", table.phone.record().join("\n"));

    for url in [
        // Nobody named these sites, and no page offers them.
        "news.example/a",
        "HTTPS://news.example",
        "example.com:8080",
        "intent://scan/#Intent;scheme=zxing;end",
        "javascript:alert(1)",
        "file:///sdcard/x.html",
        "content://sms/1",
        "data:text/html,<b>x</b>",
        "com.example.app://open",
    ] {
        let mut table = start_with(
            World::default(),
            [open(url), DONE.into()],
            quiet(),
            MemoryJournal::default(),
        );
        let ask = table.question().await;
        assert_eq!(ask.kind, AskKind::Act, "{url}");
        table.answer(&ask, Choice::Deny);
        table.end().await;
        assert_eq!(table.phone.record(), [""; 0], "{url}");
    }
    for (url, kind) in [
        ("tel:5550142", AskKind::Send),
        ("whatsapp://send?text=x", AskKind::Send),
        ("market://details?id=x", AskKind::Install),
    ] {
        let mut table = start(World::default(), [open(url), DONE.into()]);
        let ask = table.question().await;
        assert_eq!(ask.kind, kind, "{url}");
        table.answer(&ask, Choice::Deny);
        table.end().await;
    }
}

#[tokio::test(start_paused = true)]
async fn apps_are_opened_by_package_or_name_and_missing_ones_are_told() {
    let mut table = start(
        World::on("home"),
        [
            r#"{"type": "launch_app", "app": "greenleaf"}"#.into(),
            r#"{"type": "launch_app", "packageName": "com.northbank.mobile"}"#.into(),
            r#"{"type": "launch_app", "app": "North Bank"}"#.into(),
            r#"{"type": "focus_app", "app": "Greenleaf"}"#.into(),
            r#"{"type": "focus_app", "app": "Greenleaf", "raiseWindow": true}"#.into(),
            r#"{"type": "launch_app", "packageName": "com.northbank.app"}"#.into(),
            r#"{"type": "list_apps"}"#.into(),
            DONE.into(),
        ],
    );
    table.end().await;
    assert_snapshot!("app_outcomes", table.outcomes());
    let told = table.model.shown()[3].user();
    assert!(told.contains("the nearest are"), "{told}");
}

/// Whoever waits for ten minutes must know that they are not over.
#[tokio::test(start_paused = true)]
async fn what_takes_less_time_than_it_was_asked_to_is_said() {
    for (reply, told) in [
        (
            r#"{"type": "wait", "durationMs": 600000}"#,
            Some("it took 60 seconds, the most there is"),
        ),
        (r#"{"type": "wait", "durationMs": 60000}"#, None),
        (
            r#"{"type": "swipe", "x1": 135, "y1": 550, "x2": 135, "y2": 250, "durationMs": 20000}"#,
            Some("it took 10 seconds, the most there is"),
        ),
        (
            r#"{"type": "swipe", "x1": 135, "y1": 550, "x2": 135, "y2": 250, "durationMs": 500}"#,
            None,
        ),
    ] {
        let mut table = start(World::on("list"), [reply.into(), DONE.into()]);
        table.approve_all().await;
        let heard = table.model.shown()[1].user();
        assert_eq!(told.filter(|told| heard.contains(told)), told, "{reply}: {heard}");
        assert_eq!(
            heard.contains("the most there is"),
            told.is_some(),
            "{reply}: {heard}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_finger_cannot_do_is_said() {
    let mut table = start(
        World::default(),
        [
            r#"{"type": "hover", "x": 10, "y": 10}"#.into(),
            r#"{"type": "double_tap", "x": 130, "y": 50}"#.into(),
            r#"{"type": "double_tap", "x": 130, "y": 51, "modifiers": ["ctrl"]}"#.into(),
            DONE.into(),
        ],
    );
    table.phone.double_taps_slowly(420);
    table.approve_all().await;
    assert_snapshot!("finger_outcomes", table.outcomes());
    let told = table.model.shown()[3].user();
    for words in ["no pointer", "420 ms apart", "no modifier keys"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

/// A key that confirms is judged as that key, whatever it is called.
#[tokio::test(start_paused = true)]
async fn keys_are_judged_by_what_they_do() {
    for keycode in ["Return", "KEYCODE_RETURN", "kp enter", "Spacebar", "ENTER", "66"] {
        let press = serde_json::json!({"type": "keyevent", "keycode": keycode}).to_string();
        let mut table = start(World::on("checkout"), [press.as_str().into(), DONE.into()]);
        let ask = table.question().await;
        assert_eq!(ask.kind, AskKind::Payment, "{keycode}");
        table.answer(&ask, Choice::Deny);
        table.end().await;
        assert_eq!(table.phone.record(), [""; 0]);
    }
}

/// A capture decides what of the next look is shown, once.
#[tokio::test(start_paused = true)]
async fn a_capture_shows_what_was_asked_for() {
    let mut table = start(
        World::on("list"),
        [
            r#"{"type": "capture", "mode": "ax", "maxElements": 3}"#.into(),
            r#"{"type": "capture", "mode": "vision"}"#.into(),
            r#"{"type": "capture"}"#.into(),
            r#"{"type": "wait", "captureAfter": true}"#.into(),
            r#"{"type": "tap", "target": {"element": 999}, "captureAfter": true}"#.into(),
            DONE.into(),
        ],
    );
    table.end().await;
    let shown = table.model.shown();
    let (plain, marked) = (shown[0].picture.as_ref().unwrap(), |n: usize| {
        shown[n].picture.as_ref()
    });
    assert!(marked(1).is_none(), "ax: no picture");
    let total = shown[1].facts.screen.elements.len();
    assert!(shown[1].user().contains(&format!(
        "total_elements {total}, truncated_elements {}",
        total - 3
    )));
    let id = format!("[1] @{} ", shown[1].facts.screen.elements[0].track_id);
    assert!(
        shown[1].user().contains(&id),
        "whoever asks is told what to name it by later"
    );
    assert!(!shown[0].user().contains(&id));
    assert_eq!(marked(2), Some(plain), "vision: the picture alone");
    assert!(!shown[2].user().contains("Row 1") && !shown[2].user().contains("total_elements"));
    for n in [3, 4] {
        assert_ne!(marked(n), Some(plain), "som: numbers on it");
        assert!(shown[n].user().contains("numbers drawn on the picture"));
    }
    assert!(marked(5).is_none(), "what failed shows nothing more");
    assert!(shown[5].now.contains("did not change since the last step"));
}

#[tokio::test(start_paused = true)]
async fn a_variable_is_kept_and_its_step_says_so() {
    let ask = r#"{"type": "ask_model", "prompt": "6 × 7?", "output": "__CogName_N__"}"#;
    let write = r#"{"type": "type", "text": "It is __CogName_N__."}"#;
    let mut table = start(
        World::on("chat"),
        [ask.into(), "42".into(), write.into(), DONE.into()],
    );
    table.end().await;
    assert_eq!(table.phone.world().draft, "It is 42.");
    let kept = table.events.iter().any(|event| {
        matches!(&event.what, What::Acted { outcome, .. }
            if outcome.kept.as_deref() == Some("__CogName_N__") && outcome.output.as_deref() == Some("42"))
    });
    assert!(kept, "{}", table.outcomes());
}
