//! Text twice as large in the approval window: it grows, and both answers are in sight without scrolling.

use crate::app::{Opened, open, pictures};
use crate::desktop::Theme;
use serde_json::json;

/// The answers that are not wholly in sight; and what has to be scrolled to, as long as the screen has room for it.
const OUT_OF_SIGHT: &str = "const out = []; \
    for (const part of ['deny', 'approve', 'confirm']) { \
      const found = document.querySelector(`[data-part=${part}]`); if (!found) continue; \
      const at = found.getBoundingClientRect(); \
      const top = document.elementFromPoint(at.left + at.width / 2, at.top + at.height / 2); \
      if (at.top < 0 || at.left < 0 || at.bottom > innerHeight || at.right > innerWidth || !found.contains(top)) out.push(part); } \
    for (const one of document.querySelectorAll('[data-part=approval], [data-part=change], .body')) \
      if (one.scrollHeight > one.clientHeight + 1 && innerHeight + 100 < screen.availHeight) \
        out.push(`${one.scrollHeight - one.clientHeight} px to scroll`); \
    return out;";

async fn enlarge(app: &Opened, name: &str) {
    app.driven
        .run("document.documentElement.style.fontSize = '200%'")
        .await;
    let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
    loop {
        app.driven.frames(3).await;
        let out = app.driven.run(OUT_OF_SIGHT).await;
        if out == json!([]) {
            break;
        }
        let size = app.driven.run("return [innerWidth, innerHeight]").await;
        assert!(std::time::Instant::now() < until, "{name} at {size}: {out}");
    }
    let size = app.driven.run("return [innerWidth, innerHeight]").await;
    println!("{name} at 200 % text: {size}");
    let file = |theme: Theme| pictures().join(format!("{name}{}-200.png", theme.suffix()));
    app.driven.picture_in_both_themes(file).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn a_question_in_large_text_is_answered_without_scrolling() {
    let app = open(Theme::Light, None).await;
    app.begin_with_the_demo_phone().await;
    app.run("Order the weekly groceries and pay").await;
    app.approval().await;
    app.driven.read("Approve this payment?").await;
    app.driven.click("[data-part=full-screen]").await;
    app.driven.see("[data-part=full-screen-dialog] img").await;
    app.driven.dialog_fits("full-screen-dialog").await;
    let file = |theme: Theme| pictures().join(format!("approve-whole{}.png", theme.suffix()));
    app.driven.picture_in_both_themes(file).await;
    app.driven.click("[data-part=full-screen-dialog] .btn").await;
    app.driven.wait_gone("[data-part=full-screen-dialog][open]").await;
    enlarge(&app, "approve-payment").await;
    app.driven.press("Deny").await;
    app.driven.wait_window_gone("approval").await;

    app.phones_page().await;
    app.run("Sign in to Northbank").await;
    app.approval().await;
    app.driven.read("The code goes straight to the phone").await;
    enlarge(&app, "approve-2fa").await;
    app.driven.press("Deny").await;
    app.driven.wait_window_gone("approval").await;
    app.driven.quit().await;
}
