//! Split screen: what is looked at and acted on is the half with the focus, and nothing lands in the other unnoticed.

use crate::rig::{Rig, Setup, told};
use crate::running::run;
use adb::Command;
use agent::ports::Phone;
use serde_json::{Value, json};
use virtual_phone::Fault;

const SETTINGS: &str = "com.android.settings/.Settings";

/// Settings above with the focus, the contacts below.
fn setup() -> Setup {
    Setup::at(SETTINGS).with(&[Fault::SplitScreen])
}

/// A look and a tree: the app, the package of every node, and what all of them lie in.
async fn seen(rig: &Rig) -> String {
    let sight = rig.phone.see().await.unwrap();
    let own = rig.handle.with(|android| android.picture());
    assert!(
        sight.frame.unwrap().rgba == own.rgba,
        "both halves are in the picture"
    );
    let tree = rig.phone.read().await.unwrap().xml;
    let of = format!("package=\"{}\"", sight.app);
    let nodes: Vec<&str> = tree.split("<node ").skip(1).collect();
    assert!(nodes.iter().all(|node| node.contains(&of)), "{tree}");
    let root = crate::rig::value(nodes[0], "bounds").unwrap();
    format!("{} {root} of {}x{}", sight.app, sight.width, sight.height)
}

#[tokio::test]
async fn a_look_tells_the_half_with_the_focus() {
    let (above, below) = ("com.android.settings", "com.android.contacts");
    for (sdk, rotation, halves) in [
        (28, 0, ["[0,0][360,406]", "[0,415][360,800]"]),
        (30, 0, ["[0,0][360,406]", "[0,415][360,800]"]),
        (34, 0, ["[0,0][360,406]", "[0,415][360,800]"]),
        (34, 1, ["[0,0][395,360]", "[404,0][800,360]"]),
    ] {
        let mut setup = setup();
        setup.options.profile.phone.sdk = sdk;
        setup.options.rotation = rotation;
        let rig = Rig::socket(setup).await;
        let size = if rotation == 0 { "360x800" } else { "800x360" };
        let first = format!("{above} {} of {size}", halves[0]);
        assert_eq!(seen(&rig).await, first, "{sdk}");
        let (x, y) = if rotation == 0 { (350, 790) } else { (790, 350) };
        rig.by_hand(Command::Tap { x, y }).await.unwrap();
        assert_eq!(
            seen(&rig).await,
            format!("{below} {} of {size}", halves[1]),
            "{sdk}"
        );
    }
}

/// Plays acts, a Yes to every question: how each came out, and which screen stands in front in the end.
async fn check(actions: &[Value], codes: &[&str], class: &str) -> Rig {
    let (rig, outcomes) = run(setup(), actions).await;
    let came: Vec<String> = outcomes.iter().map(|outcome| outcome.code.to_string()).collect();
    assert_eq!(came, codes, "{actions:?}");
    assert_eq!(rig.handle.state()["screen"]["class"], class, "{actions:?}");
    rig
}

#[tokio::test(start_paused = true)]
async fn an_act_lands_in_the_half_its_element_stands_in() {
    let tap = |text: &str| json!({"type": "tap", "target": {"text": text}});
    let (network, settings) = (
        "com.android.settings.Settings$NetworkDashboardActivity",
        "com.android.settings.Settings",
    );
    let rig = check(&[tap("Network & internet")], &["done"], network).await;
    // Above the bar between the halves.
    let touched = told(&rig.effects());
    let y = touched
        .split([',', ' '])
        .nth(2)
        .and_then(|y| y.parse::<i32>().ok());
    assert!(y.is_some_and(|y| y < 406), "{touched}");
    // The other half is acted on once it has the focus.
    check(
        &[
            json!({"type": "launch_app", "app": "Contacts"}),
            tap("Create contact"),
        ],
        &["done", "done"],
        "com.android.contacts.activities.ContactEditorActivity",
    )
    .await;
    // A list is scrolled in its half, whichever half that is.
    let rig = check(
        &[json!({"type": "scroll", "direction": "down", "amount": 1})],
        &["done"],
        settings,
    )
    .await;
    assert_eq!(rig.handle.state()["screen"]["package"], "com.android.settings");
}
