//! Data that cannot be opened: the window is there, says why, and begins anew when the person wants it.

use crate::app::{open_over, pictures};
use crate::desktop::Theme;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn a_damaged_file_is_said_and_set_aside() {
    for theme in [Theme::Light, Theme::Dark] {
        let app = open_over(theme, |data| {
            std::fs::create_dir_all(data).unwrap();
            std::fs::write(data.join("pocketdeck.db"), "Dear diary, ".repeat(1_000)).unwrap();
        })
        .await;
        app.driven.see("[data-part=opening]").await;
        app.driven.read("Your saved data can’t be opened").await;
        let picture = if theme == Theme::Dark {
            "opening-dark.png"
        } else {
            "opening.png"
        };
        app.desktop.screenshot(&pictures().join(picture));
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
}
