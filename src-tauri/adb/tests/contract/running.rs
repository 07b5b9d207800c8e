//! Whole runs through the port: a model that says what the test wrote, and a phone that tells what came of it.

use crate::rig::{Rig, Setup, node, told, value};
use adb::Command;
use agent::ports::{
    Clock, Job, Journal, KeptScreen, Model, ModelCapabilities, Objection, Phone, Reply, Retrying, ScriptEnd,
    Scripts,
};
use agent::prompt::Prompt;
use agent::{Grip, Lease, Ports, Task};
use async_trait::async_trait;
use protocol::{
    Answer, Choice, Event, Failure, FailureCode, FrameId, LastTime, Millis, Outcome, PhoneId, RunId,
    Settings, Usage, What,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc;
use virtual_phone::{Fault, Received};

const NOTES: &str = "com.android.notes/.MainActivity";
const EDITOR: &str = "com.android.notes/.EditorActivity";
const SETTINGS: &str = "com.android.settings/.Settings";
const SOUND: &str = "com.android.settings/.Settings$SoundSettingsActivity";

/// Says one reply after another, the last of the list first; somebody gives a second opinion.
pub(crate) struct Says(Mutex<Vec<String>>, Arc<dyn agent::guard::Guard>);

impl Says {
    pub(crate) fn beside(replies: Vec<String>, guard: Arc<dyn agent::guard::Guard>) -> Self {
        Self(Mutex::new(replies), guard)
    }
}

#[async_trait]
impl Model for Says {
    fn name(&self) -> String {
        "scripted".into()
    }

    fn is_demo(&self) -> bool {
        false
    }

    fn capabilities(&self) -> ModelCapabilities {
        ModelCapabilities {
            picture: false,
            elements: true,
            marks: false,
            longest_side: 64,
            longest_beside: 64,
        }
    }

    fn guard(&self) -> Arc<dyn agent::guard::Guard> {
        Arc::clone(&self.1)
    }

    async fn think(&self, _: &Prompt, _: &Retrying<'_>) -> Result<Reply, Failure> {
        let text = self.0.lock().unwrap().pop().expect("a reply for every step");
        Ok(Reply {
            text,
            usage: Usage::default(),
        })
    }
}

pub(crate) struct Nothing;

#[async_trait]
impl Journal for Nothing {
    async fn spend(&self, _: protocol::Usage) -> Result<(), Failure> {
        Ok(())
    }

    async fn append(&self, _: &Event) -> Result<(), Failure> {
        Ok(())
    }

    async fn keep(&self, _: &RunId, _: KeptScreen<'_>) -> Result<FrameId, Failure> {
        Ok(FrameId("frame".into()))
    }

    async fn last_payment(&self, _: &PhoneId, _: &str) -> Result<Option<LastTime>, Failure> {
        Ok(None)
    }

    async fn spent_today(&self) -> Result<f64, Failure> {
        Ok(0.0)
    }
}

#[async_trait]
impl Scripts for Nothing {
    async fn check(&self, _script: &str, _programs: &[String]) -> Result<(), Objection> {
        Ok(())
    }

    async fn run(&self, _job: &Job, _grip: &Grip) -> Result<ScriptEnd, Failure> {
        Err(Failure {
            code: FailureCode::NotNow,
            values: BTreeMap::new(),
            detail: None,
        })
    }
}

impl Clock for Nothing {
    fn now(&self) -> Millis {
        1_000_000
    }
}

/// Runs the actions on a phone, a Yes to every question; what came of each, a line each, and the phone.
pub(crate) async fn run(setup: Setup, actions: &[Value]) -> (Rig, Vec<Outcome>) {
    // In virtual time nothing on an instant phone would be later than anything else, no picture newer.
    let rig = Rig::pipe(setup.slow());
    let outcomes = run_on(&rig, actions).await;
    (rig, outcomes)
}

/// The same on a phone that is there.
async fn run_on(rig: &Rig, actions: &[Value]) -> Vec<Outcome> {
    let mut replies = vec![json!({"type": "finish", "message": "Done."}).to_string()];
    replies.extend(actions.iter().rev().map(Value::to_string));
    let ports = Ports {
        phone: rig.phone.clone(),
        model: Arc::new(Says::beside(replies, Arc::new(crate::guard::Credulous))),
        journal: Arc::new(Nothing),
        scripts: Arc::new(Nothing),
        credentials: Arc::new(agent::ports::NoCredentials),
        clock: Arc::new(Nothing),
        recorder: None,
        replayer: None,
    };
    let task = Task {
        run: RunId("run".into()),
        phone: rig.phone.id(),
        phone_name: "Anna’s Pixel".into(),
        automation: None,
        earlier: None,
        goal: "Try it".into(),
        settings: Settings::default(),
    };
    let (sender, mut events) = mpsc::unbounded_channel();
    let tell = Arc::new(move |event: &Event| {
        let _ = sender.send(event.clone());
    });
    let (handle, work) = agent::start(task, ports, &Lease::new(), tell);
    tokio::spawn(work);
    let mut outcomes = Vec::new();
    while let Some(event) = events.recv().await {
        match event.what {
            What::Asked { ask, .. } => handle.answer(Answer {
                ask: ask.id,
                digest: ask.digest,
                choice: Choice::Approve,
                words: None,
                amount: None,
            }),
            What::Acted { outcome, .. } => outcomes.push(outcome),
            What::Refused { code, action, .. } => panic!("{action:?} was refused: {code}"),
            What::Unclear { message, .. } => panic!("{message}"),
            What::Paused { reason } => panic!("it waits: {reason:?}; so far {outcomes:?}"),
            _ => {}
        }
    }
    outcomes
}

fn codes(outcomes: &[Outcome]) -> Vec<String> {
    outcomes.iter().map(|outcome| outcome.code.to_string()).collect()
}

async fn setting(rig: &Rig, name: &str) -> String {
    let line = format!("settings get system {name}");
    let said = rig.phone.device().look(&line, Duration::from_secs(5)).await;
    said.unwrap().text().trim().to_owned()
}

/// A run that was killed in mid-swipe left its finger on the phone. The next one lifts it before it looks, also where nobody of
/// ours was away for long, and one that touches nothing. It costs one question, asked beside those a run begins with; a phone
/// without a finger on it is asked no more than that.
#[tokio::test(start_paused = true)]
async fn a_run_begins_by_lifting_what_an_earlier_one_left() {
    let rig = Rig::pipe(Setup::at(SETTINGS).slow());
    let asked = |rig: &Rig| {
        let commands = rig.handle.record().commands();
        commands
            .iter()
            .filter(|line| line.as_str() == "dumpsys input")
            .count()
    };
    let tap = json!({"type": "tap", "x": 5, "y": 6});
    assert_eq!(codes(&run_on(&rig, &[tap]).await), ["done"]);
    assert_eq!(
        (told(&rig.effects()).as_str(), asked(&rig)),
        ("down 5,6 up 5,6", 1)
    );
    // Half a swipe, as it goes to the phone, and nobody there to end it.
    for event in ["DOWN 180 600", "MOVE 180 500", "MOVE 180 400"] {
        let line = format!("input motionevent {event}");
        let sent = rig.phone.device().look(&line, Duration::from_secs(5)).await;
        assert_eq!(sent.unwrap().text(), "");
    }
    let before = rig.handle.record().len();
    assert_eq!(run_on(&rig, &[]).await, []);
    let new = rig.handle.record().since(before);
    let lifted = new
        .iter()
        .position(|entry| matches!(entry.what, Received::Finger { action: "cancel", .. }));
    let looked = new
        .iter()
        .position(|entry| matches!(entry.what, Received::Capture | Received::Hierarchy));
    assert!(lifted.unwrap() < looked.unwrap(), "{new:?}");
    assert_eq!(told(&rig.effects()), "down 5,6 up 5,6 down 180,600 ~ cancel 0,0");
    // The third finds nothing.
    assert_eq!(run_on(&rig, &[]).await, []);
    assert_eq!(
        (told(&rig.effects()[3..]).as_str(), asked(&rig)),
        ("~ cancel 0,0", 3)
    );
}

#[tokio::test(start_paused = true)]
async fn a_choice_is_made_in_the_list_it_opens() {
    let set = |value: &str| json!({"type": "set_value", "target": {"text": "Sort order"}, "value": value});
    let (rig, outcomes) = run(Setup::at(NOTES), &[set("title"), set("Title"), set("My order")]).await;
    assert_eq!(codes(&outcomes), ["done", "done", "already_so", "done", "done"]);
    let tree = rig.phone.read().await.unwrap();
    let spinner = tree.find("sort_spinner").unwrap();
    assert_eq!(
        value(node(&tree[spinner..], "text1"), "text").as_deref(),
        Some("My order")
    );
}

#[tokio::test(start_paused = true)]
async fn a_slider_and_a_switch_stand_where_they_were_wanted() {
    let set =
        |text: &str, value: &str| json!({"type": "set_value", "target": {"text": text}, "value": value});
    let actions = [
        set("Media volume", "60"),
        set("Vibrate for calls", "on"),
        set("Vibrate for calls", "on"),
        set("Touch sounds", "off"),
    ];
    let (rig, outcomes) = run(Setup::at(SOUND), &actions).await;
    assert!(outcomes.iter().all(|outcome| outcome.ok), "{outcomes:?}");
    assert_eq!(setting(&rig, "volume_music").await, "9", "60 % of 15");
    assert_eq!(setting(&rig, "vibrate_when_ringing").await, "1");
    assert_eq!(setting(&rig, "sound_effects_enabled").await, "0");
}

#[tokio::test(start_paused = true)]
async fn a_field_holds_the_new_text_alone() {
    let actions = [
        json!({"type": "type", "text": "first", "target": {"text": "Note"}}),
        json!({"type": "set_value", "target": {"text": "first"}, "value": "it's 100%s \"new\""}),
        json!({"type": "key_combination", "keys": ["Lcontrol", "A"]}),
        json!({"type": "keyevent", "keycode": "backspace"}),
        json!({"type": "type", "text": "last"}),
    ];
    for (count, text) in [(2, "it's 100%s \"new\""), (5, "last")] {
        let (rig, outcomes) = run(Setup::at(EDITOR), &actions[..count]).await;
        assert!(outcomes.iter().all(|outcome| outcome.ok), "{outcomes:?}");
        let tree = rig.phone.read().await.unwrap();
        assert_eq!(
            value(node(&tree, "focused=\"true\""), "text").as_deref(),
            Some(text)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_is_scrolled_to_its_end_and_read_whole() {
    let all = r"__CogName_All__";
    let actions = [
        json!({"type": "read_text", "box": [0, 60, 999, 999], "output": all, "autoScroll": true}),
        json!({"type": "scroll", "direction": "up", "amount": 40}),
        json!({"type": "scroll", "direction": "down", "amount": 40}),
    ];
    let (rig, outcomes) = run(Setup::at(SETTINGS), &actions).await;
    assert_eq!(codes(&outcomes), ["done", "end_of_list", "end_of_list"]);
    let text = outcomes[0].output.clone().unwrap();
    assert_eq!(outcomes[0].warnings, [], "{text}");
    let lines: Vec<&str> = text.lines().collect();
    for title in [
        "Network & internet",
        "Display",
        "Battery",
        "System",
        "About phone",
    ] {
        assert_eq!(
            lines.iter().filter(|line| line.starts_with(title)).count(),
            1,
            "{title} in {text}"
        );
    }
    assert!(outcomes[0].pages.unwrap() > 1);
    let moved: Vec<Option<bool>> = outcomes[1..].iter().map(|outcome| outcome.changed).collect();
    assert_eq!(moved, [Some(true), Some(true)]);
    // The last row stands whole on the screen, and nothing moves it further up.
    let tree = rig.phone.read().await.unwrap();
    let last = value(node(&tree, "text=\"About phone\""), "bounds").unwrap();
    rig.by_hand(Command::Swipe {
        from: (180, 600),
        to: (180, 300),
        ms: 600,
    })
    .await
    .unwrap();
    let after = rig.phone.read().await.unwrap();
    assert_eq!(value(node(&after, "text=\"About phone\""), "bounds"), Some(last));
}

#[tokio::test(start_paused = true)]
async fn fingers_keys_apps_and_links_do_what_they_say() {
    let actions = [
        json!({"type": "long_press", "target": {"text": "Packing list"}}),
        json!({"type": "keyevent", "keycode": "BACK"}),
        json!({"type": "double_tap", "x": 180, "y": 60}),
        json!({"type": "hover", "x": 180, "y": 60}),
        json!({"type": "launch_app", "app": "Greenleaf"}),
        json!({"type": "launch_app", "packageName": "com.greenleaf.app"}),
        json!({"type": "open_url", "url": "news.example/a b?c='d'"}),
    ];
    let (rig, outcomes) = run(Setup::at(NOTES), &actions).await;
    let expected = [
        "done",
        "done",
        "done",
        "no_touch_equivalent",
        "done",
        "app_not_installed",
        "done",
    ];
    assert_eq!(codes(&outcomes), expected);
    assert!(
        outcomes[2].gap_ms.is_some_and(|gap| gap < 300),
        "{:?}",
        outcomes[2]
    );
    let told_of_missing = outcomes[5].output.clone().unwrap();
    assert!(
        told_of_missing.contains("com.greenleaf.shop"),
        "{told_of_missing}"
    );
    let effects = told(&rig.effects());
    assert!(
        effects.contains("key 4 down 180,60 up 180,60 down 180,60 up 180,60"),
        "{effects}"
    );
    assert!(
        effects.contains("start com.greenleaf.shop/com.greenleaf.shop.MainActivity"),
        "{effects}"
    );
    assert!(
        effects.ends_with("start com.android.browser/com.android.browser.BrowserActivity"),
        "{effects}"
    );
}

#[tokio::test(start_paused = true)]
async fn commands_and_scripts_change_the_phone_and_say_what_they_said() {
    let actions = [
        json!({"type": "shell", "command": "settings put system screen_brightness 33"}),
        json!({"type": "shell", "command": "ls /nowhere"}),
        json!({"type": "run_script", "script": "for n in 41 42; do settings put system screen_brightness $n; done\necho ok; exit 3"}),
        json!({"type": "run_script", "script": "echo begun; sleep 100", "timeoutSec": 2}),
    ];
    let (rig, outcomes) = run(Setup::at(""), &actions).await;
    assert_eq!(
        codes(&outcomes),
        ["done", "command_failed", "script_failed", "timed_out"]
    );
    assert_eq!(outcomes[0].exit, Some(0));
    assert!(
        outcomes[1]
            .stderr
            .as_ref()
            .is_some_and(|text| text.contains("No such file")),
        "{:?}",
        outcomes[1]
    );
    assert_eq!(
        (outcomes[2].exit, outcomes[2].output.as_deref()),
        (Some(3), Some("ok"))
    );
    assert_eq!(
        (outcomes[3].exit, outcomes[3].output.as_deref()),
        (None, Some("begun"))
    );
    assert_eq!(setting(&rig, "screen_brightness").await, "42");
    let values: Vec<String> = rig
        .effects()
        .into_iter()
        .filter_map(|entry| match entry.what {
            Received::Setting { value, .. } => value,
            _ => None,
        })
        .collect();
    assert_eq!(values, ["33", "41", "42"]);
}

/// A phone whose `input` cannot hold two keys says so, and nothing is pressed.
#[tokio::test(start_paused = true)]
async fn what_a_phone_cannot_do_is_told() {
    let actions = [json!({"type": "key_combination", "keys": ["ctrl", "a"]})];
    let (rig, outcomes) = run(Setup::at(EDITOR).with(&[Fault::OldInput]), &actions).await;
    assert_eq!(codes(&outcomes), ["not_supported"]);
    assert_eq!(told(&rig.effects()), "");
}
