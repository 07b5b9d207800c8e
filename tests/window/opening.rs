//! Data that cannot be opened: the window is there, says why, and begins anew when the person wants it.

use crate::app::{Opened, open_over, pictures};
use crate::desktop::Theme;

/// A start over data that cannot be opened, up to the page that says so; and a picture of the whole display.
async fn cannot_be_opened(theme: Theme) -> Opened {
    let app = open_over(theme, |data| {
        std::fs::create_dir_all(data).unwrap();
        std::fs::write(data.join("pocketdeck.db"), "Dear diary, ".repeat(1_000)).unwrap();
    })
    .await;
    app.driven.see("[data-part=opening]").await;
    app.driven.read("Your saved data can’t be opened").await;
    let picture = format!("opening{}.png", theme.suffix());
    app.desktop.screenshot(&pictures().join(picture));
    app
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn a_damaged_file_is_said_and_set_aside() {
    let app = cannot_be_opened(Theme::Light).await;
    app.driven.press("Try again").await;
    app.driven.read("Your saved data can’t be opened").await;
    app.driven.press("Set the old file aside and start fresh").await;
    app.begin_with_the_demo_phone().await;
    let names = std::fs::read_dir(app.data()).unwrap();
    let aside = names
        .map(|entry| entry.unwrap().path())
        .find(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            name.starts_with("pocketdeck ") && name.ends_with(".db")
        })
        .expect("the old file is there");
    assert!(std::fs::read_to_string(aside).unwrap().starts_with("Dear diary"));
    app.driven.quit().await;
}

/// What is shown before there are settings follows the desktop alone.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn on_a_dark_desktop_it_is_said_in_dark() {
    let app = cannot_be_opened(Theme::Dark).await;
    app.driven.is_dark_as_its_desktop().await;
    app.driven.quit().await;
}
