//! A task of ten steps through every wire shape, set up and watched as a person does: tokens and money as the servers
//! bill them.

use crate::app::{Plugged, open, pictures};
use crate::desktop::Theme;
use crate::model::ScriptedServer;
use crate::shapes::{Count, Manner, Shape};
use serde_json::json;
use virtual_phone::system::SystemOptions;

/// Ten steps that can be taken again on the same phone.
fn replies(message: &str) -> Vec<String> {
    let apps = [
        "com.android.notes",
        "com.android.settings",
        "com.android.messaging",
        "com.greenleaf.shop",
    ];
    let open =
        |app: &str| json!({"thought": "An app.", "action": {"type": "launch_app", "packageName": app}});
    let home = json!({"thought": "And home.", "action": {"type": "keyevent", "keycode": "KEYCODE_HOME"}});
    let mut replies: Vec<String> = apps
        .iter()
        .flat_map(|app| [open(app), home.clone()])
        .map(|reply| reply.to_string())
        .collect();
    replies.push(open("com.android.calendar").to_string());
    replies.push(
        json!({"thought": "That is it.", "action": {"type": "finish", "message": message}}).to_string(),
    );
    replies
}

/// One task for each of these, one after the other in the same window: which shape the server speaks, and whether it calls tools.
async fn check(tasks: impl IntoIterator<Item = (Shape, bool)>) {
    let plugged = Plugged::new(SystemOptions::default()).await;
    let app = open(Theme::Light, Some(&plugged)).await;
    let mut all = Count::default();
    for (number, (shape, has_tools)) in tasks.into_iter().enumerate() {
        let message = format!(
            "Run {number} is over, {}.",
            if has_tools { "called" } else { "said" }
        );
        let server = ScriptedServer::speaking(Manner { shape, has_tools }, replies(&message)).await;
        app.use_server(&server.address, "sk-test").await;
        app.use_prices("20", "100").await;
        app.phones_page().await;
        app.run("Open some apps").await;
        app.phone_page("Anna’s Pixel").await;
        app.driven.read(&message).await;
        app.driven.click("[data-part=result-details] summary").await;
        let billed = server.billed();
        all = all.and(billed);
        // What the task itself cost, on its page; then the day's sum.
        let own = billed.dollars(20.0, 20.0, 100.0);
        app.driven.read(&format!("Cost {:.0} cents", own * 100.0)).await;
        let dollars = all.dollars(20.0, 20.0, 100.0);
        app.driven.read(&format!("${dollars:.2} of $")).await;
        println!("{shape:?}, tools {has_tools}: ${own:.2}, ${dollars:.2} so far");
    }
    app.driven.picture(&pictures().join("models-spent.png")).await;
    app.driven.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn ten_steps_through_every_shape_cost_what_the_servers_bill() {
    check(Shape::ALL.into_iter().zip([true, false].into_iter().cycle())).await;
}

mod long {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "ten tasks in the window: cargo xtask test ignored"]
    async fn every_shape_with_tools_and_without() {
        check(
            Shape::ALL
                .into_iter()
                .flat_map(|shape| [(shape, true), (shape, false)]),
        )
        .await;
    }
}
