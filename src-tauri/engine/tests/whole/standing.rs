//! “Always allow this button here”: offered after two Yes, it holds in the next task, and is taken back in the settings.

use crate::rig::{Rig, Says, at, finish, on, say};
use engine::Keychain;
use protocol::{
    AnswerLifetime, AskKind, Choice, Level, Op, PauseReason, Rule, Rules, Settings, SettingsPatch, What,
};
use serde_json::json;
use std::sync::Arc;

const DISPLAY: &str = "com.android.settings/.Settings$DisplaySettingsActivity";

fn everything() -> SettingsPatch {
    SettingsPatch {
        level: Some(Level::Everything),
        ..SettingsPatch::default()
    }
}

/// One touch of a switch.
fn model(name: &'static str) -> Arc<Says> {
    Says::new(vec![on(name, json!({"type": "tap"})), finish()])
}

/// A phone on whose display settings the person said Yes to the same twice, asked about everything: to the switch as it is off,
/// and to the same as it is on. It is off.
async fn twice() -> Rig {
    let mut rig = Rig::new(at(DISPLAY), Keychain::absent()).await;
    rig.engine.patch_settings(everything()).await.unwrap();
    for _ in 0..4 {
        let run = rig.run(&model("Dark theme"), rig.engine.settings());
        let (asks, _) = rig.end(&run, Choice::Approve).await;
        let [ask] = asks.as_slice() else {
            panic!("{asks:#?}")
        };
        assert!(!ask.choices.contains(&Choice::ApproveAlways), "{:?}", ask.choices);
    }
    rig
}

/// How many questions one more touch of this switch makes, each answered so.
async fn asked(rig: &mut Rig, name: &'static str, choice: Choice) -> usize {
    let run = rig.run(&model(name), rig.engine.settings());
    rig.end(&run, choice).await.0.len()
}

/// The settings are so, soon: what a run tells is written down beside it.
async fn kept(rig: &Rig, wish: impl Fn(&[Rule]) -> bool) -> Vec<Rule> {
    let bound = std::time::Instant::now() + std::time::Duration::from_secs(60);
    loop {
        let rules = rig.engine.store().settings().await.unwrap().rules.allowed;
        if wish(&rules) {
            return rules;
        }
        assert!(std::time::Instant::now() < bound, "{rules:#?}");
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn always_holds_for_one_thing_in_the_next_tasks_until_it_is_taken_back() {
    let mut rig = twice().await;
    let run = rig.run(&model("Dark theme"), rig.engine.settings());
    let (asks, events) = rig.end(&run, Choice::ApproveAlways).await;
    let [ask] = asks.as_slice() else {
        panic!("{asks:#?}")
    };
    assert!(ask.choices.contains(&Choice::ApproveAlways), "{:?}", ask.choices);
    let told = |what: &What| {
        matches!(
            what,
            What::Allowed {
                reach: AnswerLifetime::Always,
                ..
            }
        )
    };
    assert_eq!(events.iter().filter(|event| told(&event.what)).count(), 1);

    // It is written down with the settings, for this one thing.
    let rules = kept(&rig, |rules| !rules.is_empty()).await;
    let [rule] = rules.as_slice() else {
        panic!("{rules:?}")
    };
    assert_eq!(
        (rule.kind, rule.app.as_deref(), rule.phone.as_ref()),
        (AskKind::Act, Some("com.android.settings"), Some(&rig.phone))
    );
    let element = rule.element.clone().unwrap();
    assert!(element.label.starts_with("Dark theme"), "{element:?}");

    // Switching it off is another thing.
    assert_eq!(asked(&mut rig, "Dark theme", Choice::Approve).await, 1);
    assert_eq!(rig.state("/settings/darkTheme"), json!(false));

    // The next task that switches it on is not asked, and when that was is written down too.
    assert_eq!(asked(&mut rig, "Dark theme", Choice::Deny).await, 0);
    assert_eq!(rig.state("/settings/darkTheme"), json!(true));
    let used = |rules: &[Rule]| {
        rules
            .iter()
            .filter_map(|rule| rule.element.as_ref())
            .any(|one| one.used > element.used)
    };
    let rules = kept(&rig, used).await;
    assert_eq!(rules.len(), 1, "{rules:?}");
    assert_eq!(rules[0].since, rule.since);

    // Another switch of the same page has its own question.
    assert_eq!(asked(&mut rig, "Auto-rotate screen", Choice::Deny).await, 1);

    let mut settings = rig.engine.settings();
    settings.rules.allowed.clear();
    let patch = SettingsPatch {
        rules: Some(settings.rules),
        ..SettingsPatch::default()
    };
    rig.engine.change_settings(patch).await.unwrap();
    assert_eq!(
        rig.engine.settings().rules,
        Rules::default(),
        "taken back at once, and nobody is asked"
    );
    assert_eq!(asked(&mut rig, "Dark theme", Choice::Approve).await, 1);
    assert_eq!(rig.state("/settings/darkTheme"), json!(false));
    assert_eq!(asked(&mut rig, "Dark theme", Choice::Deny).await, 1);
}

/// Taken back while a task runs, it holds no longer in that very task.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_taken_back_is_taken_back_at_once() {
    let mut rig = twice().await;
    let touch = || on("Dark theme", json!({"type": "tap"}));
    let touches = Says::new(vec![touch(), touch(), touch(), finish()]);
    let run = rig.run(&touches, rig.engine.settings());
    let mut asked = 0;
    loop {
        match rig.next(&run).await.what {
            What::Asked { ask, .. } if asked == 0 => {
                asked += 1;
                rig.answer(&ask, Choice::ApproveAlways).await;
            }
            What::Asked { ask, .. } => {
                asked += 1;
                rig.answer(&ask, Choice::Approve).await;
            }
            // Before its act is over, so before the next is judged.
            What::Acting { .. } if asked == 1 => {
                let mut settings = rig.engine.settings();
                while settings.rules.allowed.is_empty() {
                    tokio::task::yield_now().await;
                    settings = rig.engine.settings();
                }
                let patch = SettingsPatch {
                    rules: Some(Rules::default()),
                    ..SettingsPatch::default()
                };
                rig.engine.patch_settings(patch).await.unwrap();
            }
            What::Ended { .. } => break,
            _ => {}
        }
    }
    assert_eq!(asked, 3, "on, off, and on again");
}

/// The model that asks for a person gets one, whatever was allowed for good: nothing loosens that.
#[tokio::test(flavor = "multi_thread")]
async fn a_person_who_is_asked_for_is_asked_whatever_was_allowed() {
    let mut rig = Rig::new(at(DISPLAY), Keychain::absent()).await;
    let capabilities = [
        ("camera", AskKind::Camera),
        ("location", AskKind::Location),
        ("contacts", AskKind::Contacts),
        ("calendar", AskKind::Calendar),
        ("files", AskKind::Files),
        ("notification", AskKind::Notification),
        ("oauth", AskKind::Oauth),
        ("biometric", AskKind::Biometric),
        ("payment", AskKind::Payment),
        ("unknown", AskKind::Unknown),
    ];
    let allowed = capabilities
        .iter()
        .chain([&("act", AskKind::Act)])
        .map(|(_, kind)| Rule {
            kind: *kind,
            app: Some("com.android.settings".into()),
            app_label: "Settings".into(),
            phone: Some(rig.phone.clone()),
            since: 1,
            element: None,
        });
    let settings = Settings {
        level: Level::HardStops,
        rules: Rules {
            allowed: allowed.collect(),
            ..Rules::default()
        },
        ..Settings::default()
    };
    let asking = |(capability, _): &(&str, AskKind)| {
        say(
            json!({"type": "request_human_auth", "capability": capability, "instruction": "The user agreed already."}),
        )
    };
    let model = Says::new(capabilities.iter().map(asking).collect());
    let run = rig.run(&model, settings);
    let mut kinds = Vec::new();
    loop {
        match rig.next(&run).await.what {
            What::Asked { ask, .. } => {
                kinds.push(ask.kind);
                rig.answer(&ask, Choice::Deny).await;
            }
            // Three times No, or ten questions: it asks whether to go on.
            What::Paused { reason } => {
                let told = matches!(reason, PauseReason::Denied | PauseReason::ManyQuestions);
                assert!(told, "{reason:?}");
                rig.engine.steer(&run, Op::Resume).await.unwrap();
            }
            What::Ended { .. } => break,
            _ => {}
        }
    }
    assert_eq!(kinds, capabilities.map(|(_, kind)| kind));
}
