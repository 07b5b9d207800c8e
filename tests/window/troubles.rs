//! When something goes wrong a person reads what happened and what to do, and nothing is lost.

use crate::app::{Plugged, open_still};
use crate::model::{Answer, ScriptedServer};
use virtual_phone::system::SystemOptions;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn a_cable_a_key_and_a_server_are_told_in_plain_words() {
    let plugged = Plugged::new(SystemOptions::default()).await;
    let app = open_still(Some(&plugged)).await;

    // The key is wrong: the task waits, and says what to do.
    let refusing = ScriptedServer::start(|_| Answer::Status(401)).await;
    app.use_server(&refusing.address, "sk-wrong").await;
    app.phones_page().await;
    app.run("Open the settings").await;
    app.phone_page("Anna’s Pixel").await;
    app.driven.read("The key wasn’t accepted").await;
    app.driven.press("Stop").await;
    app.driven.read("You stopped the task").await;

    // The phone goes away in the middle: the task waits for it and goes on.
    let thinking = ScriptedServer::start({
        let plugged = plugged.phone.clone();
        let mut turn = 0;
        move |_| {
            turn += 1;
            if turn == 1 {
                plugged.unplug();
                return Answer::Says(r#"{"action": {"type": "tap", "target": {"text": "Settings"}}}"#.into());
            }
            Answer::Says(r#"{"action": {"type": "finish", "message": "It is open."}}"#.into())
        }
    })
    .await;
    app.use_server(&thinking.address, "sk-right").await;
    app.phones_page().await;
    app.run("Open the settings").await;
    app.phone_page("Anna’s Pixel").await;
    app.driven.read("The phone is disconnected").await;
    plugged.phone.replug();
    app.driven.read("It is open.").await;

    // What the model says makes no sense: it is asked again, and then the task waits.
    let babbling =
        ScriptedServer::saying(&["I would rather tap something.", r#"{"type": "tap"}"#, "!!!!"]).await;
    app.use_server(&babbling.address, "sk-right").await;
    app.phones_page().await;
    app.run("Open the settings").await;
    app.phone_page("Anna’s Pixel").await;
    app.driven.read("The AI’s instruction was unclear").await;
    app.driven.see("[data-part=stop]").await;
    app.driven.press("Stop").await;
    app.driven.read("You stopped the task").await;
    app.driven.quit().await;
}
