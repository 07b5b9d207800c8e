//! A first start, as a person has it: from nothing to a finished task, and how many presses and pastes that takes.

use crate::app::{Opened, Plugged, open, pictures};
use crate::desktop::Theme;
use crate::model::{Answer, ScriptedServer};
use serde_json::{Value, json};
use thirtyfour::prelude::*;
use virtual_phone::system::SystemOptions;

/// With a key of one's own, and on the demo phone.
const MOST_WITH_A_KEY: usize = 10;
const MOST_ON_THE_DEMO_PHONE: usize = 3;

/// Somebody at the window.
struct Person<'a> {
    app: &'a Opened,
    /// Each press and each paste.
    did: Vec<String>,
}

impl Person<'_> {
    async fn press(&mut self, css: &str) {
        self.app.driven.click(css).await;
        self.did.push(format!("press {css}"));
    }

    async fn press_words(&mut self, words: &str) {
        self.app.driven.press(words).await;
        self.did.push(format!("press {words}"));
    }

    /// Puts into a field what was copied elsewhere: the press into the field counts as well.
    async fn paste(&mut self, css: &str, text: &str) {
        self.copy(text).await;
        self.press(css).await;
        let field = self.app.driven.see(css).await;
        field.send_keys(Key::Control + "v").await.unwrap();
        self.did.push(format!("paste into {css}"));
    }

    /// As in the browser, where the maker shows a key: a field that is none of the window's.
    async fn copy(&self, text: &str) {
        let driven = &self.app.driven;
        driven
            .run("const field = document.createElement('textarea'); field.id = 'elsewhere'; document.body.append(field);")
            .await;
        let elsewhere = driven.see("#elsewhere").await;
        elsewhere.send_keys(text).await.unwrap();
        elsewhere.send_keys(Key::Control + "a").await.unwrap();
        elsewhere.send_keys(Key::Control + "c").await.unwrap();
        driven.run("document.querySelector('#elsewhere').remove();").await;
    }

    /// What it took, printed and held to its bound.
    fn took(self, what: &str, most: usize) {
        println!("{what}: {} presses and pastes of at most {most}", self.did.len());
        for one in &self.did {
            println!("  {one}");
        }
        assert!(self.did.len() <= most, "{what}: {:?}", self.did);
    }
}

/// A maker's server: it answers, points where it is asked to (in thousandths of the picture), and does the task.
fn maker(request: &Value) -> Answer {
    let asked = request.to_string();
    let reply = if asked.contains("red cross") {
        json!({"thought": "The cross.", "action": {"type": "tap", "x": 750, "y": 217}})
    } else if asked.contains("Turn on Battery Saver") {
        json!({"thought": "That is it.", "action": {"type": "finish", "message": "Battery Saver is on."}})
    } else {
        return Answer::Says("Ready".to_owned());
    };
    Answer::Says(reply.to_string())
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn a_first_task_with_a_key() {
    let server = ScriptedServer::listing(&["words-7b", "claude-sonnet-4-5"], maker).await;
    let plugged = Plugged::new(SystemOptions::default()).await;
    plugged.phone.unplug();
    let app = open(Theme::Light, Some(&plugged)).await;
    app.driven.see("[data-part=onboarding]").await;
    // The cable goes in, and everything up to the AI comes by itself.
    plugged.phone.replug();
    app.driven.read("Choose an AI").await;

    let mut person = Person {
        app: &app,
        did: Vec::new(),
    };
    person.press("[data-part=provider-others]").await;
    person.press("[data-part=provider-custom]").await;
    person
        .paste("[data-part=provider-address]", &server.address)
        .await;
    person.paste("[data-part=key-field]", "sk-first-start-7Qx2").await;
    app.driven.see("[data-part=onboarding-continue]:enabled").await;
    app.driven.picture(&pictures().join("first-start-ai.png")).await;
    person.press("[data-part=onboarding-continue]:enabled").await;
    person.press("[data-part=suggestion]").await;

    app.driven.see("[data-part=phone-header]").await;
    app.driven.see("[data-part=result].finished").await;
    app.driven.read("Battery Saver is on.").await;
    app.driven.picture(&pictures().join("first-start-done.png")).await;
    assert!(
        server
            .requests()
            .iter()
            .all(|request| request.contains("sk-first-start-7Qx2")),
        "the pasted key is the one that is used"
    );
    person.took("a first task with a key", MOST_WITH_A_KEY);
    app.driven.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn a_first_task_on_the_demo_phone() {
    let app = open(Theme::Light, None).await;
    let mut person = Person {
        app: &app,
        did: Vec::new(),
    };
    person.press("[data-part=add-demo]").await;
    person.press("[data-part=suggestion]").await;
    app.approval().await;
    person.press_words("Approve $23.40").await;
    app.driven.wait_window_gone("approval").await;
    app.driven.window("index").await;
    // It went to the phone's page by itself.
    app.driven.see("[data-part=phone-header]").await;
    app.driven.see("[data-part=result].finished").await;
    app.driven.picture(&pictures().join("first-start-demo.png")).await;
    person.took("a first task on the demo phone", MOST_ON_THE_DEMO_PHONE);
    app.driven.quit().await;
}
