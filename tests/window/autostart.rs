//! The start with the computer, as the system's own folder for it says.

use crate::app::{Opened, open_still};
use crate::desktop::wait_until;
use std::path::PathBuf;
use std::time::Duration;

const SOON: Duration = Duration::from_secs(30);

/// What starts with this desktop, by the folders a desktop looks into.
fn starting(app: &Opened) -> Vec<PathBuf> {
    let folders = ["home/.config/autostart", "home/config/autostart"];
    let files = folders
        .iter()
        .filter_map(|folder| std::fs::read_dir(app.desktop.path(folder)).ok());
    files.flatten().flatten().map(|file| file.path()).collect()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn the_start_with_the_computer_is_written_where_the_desktop_looks_and_taken_away() {
    let app = open_still(None).await;
    app.begin_with_the_demo_phone().await;
    app.driven.click("[data-part=nav-settings]").await;
    app.driven.click("[data-part=tab-general]").await;
    assert_eq!(starting(&app), Vec::<PathBuf>::new());
    app.driven.click("[data-part=start-with-computer]").await;
    wait_until("the entry", SOON, || starting(&app).len() == 1);
    let entry = std::fs::read_to_string(&starting(&app)[0]).unwrap();
    let starts = entry.lines().find(|line| line.starts_with("Exec=")).unwrap();
    assert!(
        starts.contains("pocketdeck") && starts.ends_with("--in-tray"),
        "{entry}"
    );
    app.driven.click("[data-part=start-with-computer]").await;
    wait_until("its end", SOON, || starting(&app).is_empty());
    app.driven.quit().await;
}
