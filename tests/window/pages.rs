//! Every page in light and dark: pictured, measured against its design, searched by axe, stretched and squeezed.

use crate::app::{Opened, Plugged, open, pictures};
use crate::desktop::Theme;
use crate::model::{Answer, ScriptedServer};
use serde_json::{Value, json};
use std::path::PathBuf;
use virtual_phone::Fault;
use virtual_phone::system::SystemOptions;

fn top() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn likeness() -> Value {
    serde_json::from_slice(&std::fs::read(top().join("ui/likeness.json")).unwrap()).unwrap()
}

/// The file of a scene's picture.
fn file(scene: &str, theme: Theme) -> PathBuf {
    pictures().join(format!("{scene}{}.png", theme.suffix()))
}

/// The current page in light and dark: pictured, and searched by axe.
async fn look(app: &Opened, scene: &str) {
    app.driven
        .in_both_themes(async |theme| {
            app.driven.picture(&file(scene, theme)).await;
            search(app, scene, theme).await;
        })
        .await;
}

/// The same of a page that has a design: measured against it too.
async fn compare(app: &Opened, scene: &str) {
    app.driven
        .in_both_themes(async |theme| {
            app.driven.picture(&file(scene, theme)).await;
            measure(app, scene, theme).await;
            search(app, scene, theme).await;
        })
        .await;
}

/// Boxes within the tolerance of the picture, and every token the computed style of its part.
async fn measure(app: &Opened, scene: &str, theme: Theme) {
    let data = likeness();
    let wanted = data["scenes"]
        .as_array()
        .unwrap()
        .iter()
        .find(|s| s["name"] == scene)
        .expect("the scene is listed");
    let script = std::fs::read_to_string(top().join("tests/window/measure.js")).unwrap();
    let arguments = vec![
        wanted.clone(),
        data["tokens"].clone(),
        data["types"].clone(),
        json!(theme.name()),
    ];
    let found = app
        .driven
        .driver
        .execute(script, arguments)
        .await
        .unwrap()
        .json()
        .clone();
    let tolerance = data["tolerance"].as_f64().unwrap();
    let mut off = Vec::new();
    for part in found.as_array().unwrap() {
        let name = &part["selector"];
        if part["missing"] == json!(true) {
            off.push(format!("{name} is not there"));
            continue;
        }
        for (edge, by) in part["off"].as_object().unwrap() {
            if by.as_f64().unwrap().abs() > tolerance {
                off.push(format!("{name}: {edge} is off by {by}"));
            }
        }
        for wrong in part["wrong"].as_array().unwrap() {
            off.push(format!("{name}: {wrong}"));
        }
    }
    assert!(off.is_empty(), "{scene} in {theme:?}:\n{}", off.join("\n"));
}

/// axe finds nothing. What it says of a page in light holds in dark but for its colours: of those it judges there.
async fn search(app: &Opened, scene: &str, theme: Theme) {
    if app.driven.run("return window.axe === undefined").await == json!(true) {
        let axe = std::fs::read_to_string(top().join("ui/node_modules/axe-core/axe.min.js")).unwrap();
        app.driven.driver.execute(axe, vec![]).await.unwrap();
    }
    let rules = match theme {
        Theme::Light => json!({"resultTypes": ["violations"]}),
        // A rule that is off is on again when its whole group is asked for.
        Theme::Dark => json!({
            "resultTypes": ["violations"],
            "runOnly": ["cat.color"],
            "rules": {"color-contrast-enhanced": {"enabled": false}},
        }),
    };
    let run = "const [rules, done] = arguments; \
               axe.run(document, rules) \
                 .then(r => done(r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.target.join(' ')).join(', '))))\
                 .catch(e => done([String(e)]));";
    let found = app
        .driven
        .driver
        .execute_async(run, vec![rules])
        .await
        .unwrap()
        .json()
        .clone();
    assert_eq!(found, json!([]), "axe on {scene} in {theme:?}");
}

/// Nothing sticks out sideways: at the least size, and with text twice as large.
async fn squeeze(app: &Opened, scene: &str) {
    let overflow = "const out = []; const w = document.documentElement.clientWidth; \
        if (document.documentElement.scrollWidth > w + 1) out.push('the page is ' + document.documentElement.scrollWidth + ' wide'); \
        for (const e of document.querySelectorAll('button, h1, h2, p, label, input, textarea')) { \
          const b = e.getBoundingClientRect(); const s = getComputedStyle(e); \
          if (b.width === 0 || s.visibility === 'hidden' || s.position === 'fixed') continue; \
          if (e.closest('[aria-hidden=true], dialog:not([open]), [popover]:not(:popover-open), [data-part=spoken], .visually-hidden, .sr-only')) continue; \
          if (b.right > w + 1 || b.left < -1) out.push(e.tagName + ' ' + (e.textContent || '').trim().slice(0, 40)); } \
        return out;";
    let before = inner(app).await;
    resize(app, [960, 640]).await;
    assert_eq!(app.driven.run(overflow).await, json!([]), "{scene} at 960 × 640");
    resize(app, before).await;
    app.driven
        .run("document.documentElement.style.fontSize = '200%'")
        .await;
    assert_eq!(app.driven.run(overflow).await, json!([]), "{scene} at 200 % text");
    app.driven
        .run("document.documentElement.style.fontSize = ''")
        .await;
}

/// The page's own width and height.
async fn inner(app: &Opened) -> [u32; 2] {
    let size = app.driven.run("return [innerWidth, innerHeight]").await;
    [0, 1].map(|at| u32::try_from(size[at].as_u64().unwrap()).unwrap())
}

/// Makes the page so large, and waits until it is: the window manager takes its time.
async fn resize(app: &Opened, [width, height]: [u32; 2]) {
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(10);
    let mut asked = [width, height];
    loop {
        app.driven
            .driver
            .set_window_rect(0, 0, asked[0], asked[1])
            .await
            .unwrap();
        app.driven.frames(3).await;
        let is = inner(app).await;
        if is == [width, height] {
            return;
        }
        assert!(
            std::time::Instant::now() < deadline,
            "the page is {is:?} after {asked:?} was asked for, not {width} × {height}"
        );
        // A window may count its frame.
        asked = [
            width + asked[0].saturating_sub(is[0]).min(60),
            height + asked[1].saturating_sub(is[1]).min(60),
        ];
    }
}

async fn press(app: &Opened, css: &str) {
    app.driven.click(css).await;
}

const CHECKED: &str =
    "return [...document.querySelectorAll('[data-part=check-line]')].map(e => e.dataset.check)";
const EVERY_CHECK: [&str; 12] = [
    "latency",
    "android",
    "storage",
    "battery",
    "animations",
    "clock",
    "lock",
    "keyboard",
    "input",
    "capture",
    "tree",
    "typing",
];

/// Opens the sheet that checks the phone, from the menu of its page, and waits until it has come to its end.
async fn check_phone(app: &Opened) {
    press(app, "[data-part=phone-more]").await;
    press(app, "[data-part=check-phone]").await;
    app.driven.see("[data-part=check-again]:enabled").await;
}

/// Ticks or unticks the phone whose tile holds this name.
async fn tick(app: &Opened, name: &str, ticked: bool) {
    let xpath = format!("//*[@data-part='tile'][contains(., \"{name}\")]//*[@data-part='tick']");
    let driver = &app.driven.driver;
    let tick = driver.find(thirtyfour::By::XPath(xpath)).await.unwrap();
    let is = tick.attr("aria-checked").await.unwrap().as_deref() == Some("true");
    if is != ticked {
        driver
            .execute("arguments[0].click()", vec![tick.to_json().unwrap()])
            .await
            .unwrap();
    }
}

/// An AI that opens a conversation, writes a message, and thinks from then on.
async fn writes_and_thinks() -> ScriptedServer {
    let mut turn = 0;
    ScriptedServer::start(move |_| {
        turn += 1;
        match turn {
            1 => Answer::Says(
                r#"{"thought": "Messages is where this is done.", "action": {"type": "launch_app", "packageName": "com.android.messaging"}}"#.into(),
            ),
            2 => Answer::Says(
                r#"{"thought": "Dana’s conversation is in the list, so I open it.", "action": {"type": "tap", "target": {"text": "Dana Whitlock"}}}"#.into(),
            ),
            3 => Answer::Says(
                r#"{"thought": "I write what was asked for, in your words.", "action": {"type": "type", "text": "Running about 10 minutes late, sorry! Want me to bring you a coffee?", "target": {"text": "Text message"}}}"#.into(),
            ),
            _ => Answer::Silence,
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn every_page_in_light_and_dark() {
    let app = open(Theme::Light, None).await;

    // A first start without a phone begins with the way to one.
    app.driven.click("[data-part=onboarding-back]").await;
    app.driven.see("[data-part=empty-demo]").await;
    compare(&app, "empty").await;
    squeeze(&app, "empty").await;

    // Five demo phones; a payment is asked on the second.
    app.try_demo_phone().await;
    for number in 2..=5 {
        press(&app, "[data-part=connect]").await;
        press(&app, "[data-part=add-demo]").await;
        crate::desktop::wait_until("the demo phone", std::time::Duration::from_secs(30), || {
            app.demo_state()
                .as_array()
                .is_some_and(|phones| phones.len() == number)
        });
        // A phone that appears moves the button that is pressed next.
        app.driven
            .see(&format!("[data-part=grid] > :nth-child({number})"))
            .await;
    }
    app.phone_page("Shop phone").await;
    app.give_task("Order the weekly groceries and pay").await;
    app.approval().await;
    app.driven.read("Approve this payment?").await;
    compare(&app, "approve-payment").await;

    app.phones_page().await;
    for name in ["Mum’s Galaxy", "Spare Moto"] {
        tick(&app, name, true).await;
    }
    tick(&app, "Anna", false).await;
    let composer = app.driven.see("[data-part=composer-text]").await;
    composer
        .send_keys("Install the waiting app updates, then turn on Battery Saver")
        .await
        .unwrap();
    app.driven.read("Run on 2 phones").await;
    app.driven.wait_gone("[data-part=tile] [data-part=veil]").await;
    compare(&app, "phones").await;
    squeeze(&app, "phones").await;

    // A run that is thinking.
    let server = writes_and_thinks().await;
    app.use_server(&server.address, "sk-likeness-0000-7Qx2").await;
    look(&app, "settings").await;
    squeeze(&app, "settings").await;
    app.phone_page("Mum’s Galaxy").await;
    look(&app, "phone-nothing-running").await;
    check_phone(&app).await;
    assert_eq!(app.driven.run(CHECKED).await, json!(EVERY_CHECK));
    for works in ["lock", "input", "capture", "tree"] {
        app.driven
            .see(&format!("[data-check={works}][data-verdict=fine]"))
            .await;
    }
    look(&app, "phone-check").await;
    squeeze(&app, "phone-check").await;
    press(&app, "[data-part=check-again]").await;
    press(&app, "[data-part=check-close]").await;
    app.driven.wait_gone("[data-part=check]").await;
    app.give_task("Text Dana that I’m running 10 minutes late and offer to bring her a coffee")
        .await;
    app.driven.read("Wrote").await;
    app.driven.see("[data-part=pause]").await;
    // A run has the phone: that is said, and nothing is looked at.
    check_phone(&app).await;
    app.driven.read("A task is using this phone").await;
    assert_eq!(app.driven.run(CHECKED).await, json!([]));
    press(&app, "[data-part=check-close]").await;
    app.driven.wait_gone("[data-part=check]").await;
    compare(&app, "phone").await;
    squeeze(&app, "phone").await;

    // The code, after the payment is out of the way.
    app.driven.window("approval").await;
    app.approval().await;
    app.driven.press("Deny").await;
    app.driven.wait_window_gone("approval").await;
    app.driven.window("index").await;
    press(&app, "[data-part=nav-settings]").await;
    press(&app, "[data-part=provider-demo]").await;
    app.phone_page("Anna’s Pixel").await;
    app.give_task("Sign in to Northbank").await;
    app.approval().await;
    app.driven.read("The code goes straight to the phone").await;
    compare(&app, "approve-2fa").await;
    app.driven.press("Deny").await;
    app.driven.quit().await;
}

/// The way to a phone: at the cable and not allowed yet, and without a cable.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn the_way_to_a_phone_in_light_and_dark() {
    let plugged = Plugged::new(SystemOptions::default()).await;
    plugged.phone.set_fault(Fault::Unauthorized);
    let app = open(Theme::Light, Some(&plugged)).await;
    app.driven.run("location.hash = '#/connect/cable'").await;
    app.driven.see("[data-part=line-allow][aria-current=step]").await;
    compare(&app, "onboarding").await;
    squeeze(&app, "onboarding").await;

    press(&app, "[data-part=use-wifi]").await;
    app.driven.see("[data-part=qr] img").await;
    compare(&app, "onboarding-wifi").await;
    press(&app, "[data-part=lost]").await;
    app.driven.dialog_fits("lost-dialog").await;
    app.driven
        .picture_in_both_themes(|theme| file("onboarding-lost", theme))
        .await;
    press(&app, "[data-part=lost-dialog] .btn").await;
    app.driven.wait_gone("[data-part=lost-dialog][open]").await;
    squeeze(&app, "onboarding-wifi").await;

    // Allowed on the phone, it goes on by itself.
    press(&app, "[data-part=onboarding-back]").await;
    plugged.phone.clear_fault(Fault::Unauthorized);
    app.driven.read("Choose an AI").await;
    app.driven.quit().await;
}
