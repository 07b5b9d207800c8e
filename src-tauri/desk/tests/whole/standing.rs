//! “Always for this app and kind of action”: given with one answer, it holds in the next task, and is taken back in the settings.

use crate::rig::{Rig, Says, at, finish, on, say};
use desk::Keychain;
use protocol::{AskKind, Choice, Level, Reach, Rule, Rules, Settings, SettingsPatch, What};
use serde_json::json;
use std::sync::Arc;

const DISPLAY: &str = "com.android.settings/.Settings$DisplaySettingsActivity";

fn everything() -> SettingsPatch {
    SettingsPatch {
        level: Some(Level::Everything),
        ..SettingsPatch::default()
    }
}

/// Two touches of the same app.
fn model() -> Arc<Says> {
    Says::new(vec![
        on("Dark theme", json!({"type": "tap"})),
        on("Auto-rotate screen", json!({"type": "tap"})),
        finish(),
    ])
}

#[tokio::test(flavor = "multi_thread")]
async fn always_holds_in_the_next_task_until_it_is_taken_back() {
    let mut rig = Rig::new(at(DISPLAY), Keychain::absent()).await;
    rig.desk.patch_settings(everything()).await.unwrap();

    let run = rig.run(&model(), rig.desk.settings());
    let (asks, events) = rig.end(&run, Choice::ApproveAlways).await;
    assert_eq!(asks.len(), 1, "asked once, for both touches: {asks:#?}");
    assert!(asks[0].choices.contains(&Choice::ApproveAlways));
    let told = |what: &What| {
        matches!(
            what,
            What::Allowed {
                reach: Reach::Always,
                ..
            }
        )
    };
    assert_eq!(events.iter().filter(|event| told(&event.what)).count(), 1);
    assert_eq!(rig.state("/settings/darkTheme"), json!(true));

    // It is written down with the settings, and read back by whoever opens them next.
    let kept = rig.desk.store().settings().await.unwrap();
    let [rule] = kept.rules.allowed.as_slice() else {
        panic!("{kept:?}");
    };
    assert_eq!(
        (rule.kind, rule.app.as_deref()),
        (AskKind::Act, Some("com.android.settings"))
    );
    assert_eq!(rule.phone.as_ref(), Some(&rig.phone));

    let run = rig.run(&model(), rig.desk.settings());
    let (asks, _) = rig.end(&run, Choice::Deny).await;
    assert!(asks.is_empty(), "{asks:#?}");
    assert_eq!(rig.state("/settings/darkTheme"), json!(false));

    // Another app has its own question.
    let elsewhere = Says::new(vec![
        say(json!({"type": "launch_app", "packageName": "com.android.notes"})),
        on("New note", json!({"type": "tap"})),
        finish(),
    ]);
    let run = rig.run(&elsewhere, rig.desk.settings());
    let (asks, _) = rig.end(&run, Choice::Deny).await;
    assert!(asks.iter().any(|ask| ask.app == "com.android.notes"), "{asks:#?}");

    rig.desk
        .patch_settings(SettingsPatch {
            rules: Some(Rules::default()),
            ..SettingsPatch::default()
        })
        .await
        .unwrap();
    let back = Says::new(vec![
        say(json!({"type": "launch_app", "packageName": "com.android.settings"})),
        finish(),
    ]);
    let run = rig.run(&back, rig.desk.settings());
    let (asks, _) = rig.end(&run, Choice::Approve).await;
    assert_eq!(asks.len(), 1);
    let again = Says::new(vec![
        on(
            "Display, Dark theme, brightness, rotation",
            json!({"type": "tap"}),
        ),
        finish(),
    ]);
    let run = rig.run(&again, rig.desk.settings());
    let (asks, _) = rig.end(&run, Choice::Deny).await;
    assert_eq!(asks.len(), 1, "asked again: {asks:#?}");
}

/// Taken back while a task runs, it holds no longer in that very task.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_taken_back_is_taken_back_at_once() {
    let mut rig = Rig::new(at(DISPLAY), Keychain::absent()).await;
    rig.desk.patch_settings(everything()).await.unwrap();
    let run = rig.run(&model(), rig.desk.settings());
    let mut asked = 0;
    loop {
        match rig.next(&run).await.what {
            What::Asked { ask, .. } if asked == 0 => {
                asked += 1;
                rig.answer(&ask, Choice::ApproveAlways).await;
            }
            What::Asked { ask, .. } => {
                asked += 1;
                rig.answer(&ask, Choice::Deny).await;
            }
            // Before its act is over, so before the next is judged.
            What::Acting { .. } if asked == 1 => {
                let mut settings = rig.desk.settings();
                while settings.rules.allowed.is_empty() {
                    tokio::task::yield_now().await;
                    settings = rig.desk.settings();
                }
                let patch = SettingsPatch {
                    rules: Some(Rules::default()),
                    ..SettingsPatch::default()
                };
                rig.desk.patch_settings(patch).await.unwrap();
            }
            What::Ended { .. } => break,
            _ => {}
        }
    }
    assert_eq!(asked, 2);
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
    let (asks, _) = rig.end(&run, Choice::Deny).await;
    let kinds: Vec<AskKind> = asks.iter().map(|ask| ask.kind).collect();
    assert_eq!(kinds, capabilities.map(|(_, kind)| kind));
}
