//! Past tasks as a person finds them again: by a word of the answer, as a film, and erased for good; in both languages,
//! in light and dark.

use crate::app::{Opened, open, pictures};
use crate::desktop::{Theme, wait_until};
use crate::search;
use std::time::Duration;

const TASK: &str = "Turn on Battery Saver";

/// How far the large picture is off its frame, in pixels.
const LARGE_PICTURE_OFF: &str = "const frame = document.querySelector('[data-part=large-pictures] .picture').getBoundingClientRect(); \
    const shown = document.querySelector('[data-part=large-pictures] img').getBoundingClientRect(); \
    return ['left', 'top', 'width', 'height'].map(side => Math.round(shown[side] - frame[side]));";

/// The page as it is now, in light and dark.
async fn picture(app: &Opened, page: &str) {
    let file = |theme: Theme| pictures().join(format!("past-{page}-{}.png", theme.name()));
    app.driven.picture_in_both_themes(file).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn a_task_is_found_again_and_erased() {
    let app = open(Theme::Light, None).await;
    app.begin_with_the_demo_phone().await;
    app.run(TASK).await;
    app.phone_page("Anna’s Pixel").await;
    app.driven.see("[data-part=answer]").await;

    app.driven.click("[data-part=nav-history]").await;
    app.fill("[data-part=history-search]", "battery sav").await;
    app.driven.click("[data-part=past-run]").await;
    app.driven.see("[data-part=step-stage] img").await;
    picture(&app, "run").await;
    app.driven.click("[data-part=enlarge]").await;
    app.driven.see("[data-part=large-pictures] img").await;
    picture(&app, "large").await;
    // Whole, and nowhere else than in its frame.
    let off = app.driven.run(LARGE_PICTURE_OFF).await;
    assert_eq!(
        off,
        serde_json::json!([0, 0, 0, 0]),
        "left, top, width and height"
    );
    app.driven.click("[data-part=large-close]").await;

    // A choice of language holds at once, here and on every page.
    app.driven.click("[data-part=nav-settings]").await;
    app.driven.click("[data-part=tab-general]").await;
    app.driven.click("[data-part=language-zh]").await;
    app.driven.read("你的手机").await;
    picture(&app, "chinese").await;
    app.driven.click("[data-part=tab-privacy]").await;
    app.driven.see("[data-part=keep]").await;
    picture(&app, "privacy").await;

    app.driven.click("[data-part=nav-history]").await;
    app.driven.click("[data-part=past-run]").await;
    let held = || {
        let files = search::files(&app.data());
        files
            .iter()
            .filter_map(|file| std::fs::read(file).ok())
            .any(|bytes| bytes.windows(TASK.len()).any(|part| part == TASK.as_bytes()))
    };
    assert!(held(), "it was written down");
    app.driven.click("[data-part=run-erase]").await;
    app.driven.click("[data-part=confirm-yes]").await;
    app.driven.wait_gone("[data-part=past-run]").await;
    wait_until("it is in no file", Duration::from_secs(20), || !held());
    picture(&app, "erased").await;
    app.driven.quit().await;
}
