//! The UI tree.

use crate::support::{Fake, Reply};
use agent::ports::{Phone, PhoneTrouble};
use std::sync::Mutex;
use std::time::Duration;

const TREE: &str =
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node /></hierarchy>";

#[tokio::test(start_paused = true)]
async fn a_tree_is_read_from_a_file_of_its_own() {
    let fake = Fake::new();
    fake.on(|line| {
        let file = line.strip_prefix("uiautomator dump ")?.split(';').next()?;
        assert_eq!(line, format!("uiautomator dump {file}; cat {file}; rm -f {file}"));
        Some(Reply::says(format!("UI hierchary dumped to: {file}\n{TREE}")).after(2200))
    });
    let phone = fake.phone();
    assert_eq!(phone.read().await.unwrap(), TREE);
    assert_eq!(phone.read().await.unwrap(), TREE);
    let lines = fake.commands();
    assert_ne!(lines[0], lines[1], "a name used once: nothing stale");
}

#[tokio::test(start_paused = true)]
async fn a_tree_that_fails_is_asked_for_once_more() {
    let fake = Fake::new();
    let null_root = include_str!("../data/ui_07_null_root.txt");
    fake.answers("uiautomator dump /data", Reply::fails(0, null_root).after(700))
        .answers(
            "uiautomator dump /sdcard/",
            Reply::says(format!("UI hierchary dumped to: /sdcard/x.xml\n{TREE}")),
        );
    assert_eq!(fake.phone().read().await.unwrap(), TREE);

    let never = Fake::new();
    never.answers("uiautomator", Reply::fails(0, null_root));
    let told = never.phone().read().await;
    assert_eq!(
        told,
        Err(PhoneTrouble::Tree("the window has no root now".to_owned()))
    );
    assert_eq!(never.commands_like("uiautomator").len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_tree_that_takes_too_long_is_ended_and_does_not_block_the_next() {
    let fake = Fake::new();
    let slow = Mutex::new(true);
    fake.on(move |line| {
        line.starts_with("uiautomator").then(|| {
            if std::mem::take(&mut *slow.lock().unwrap()) {
                Reply {
                    hangs: true,
                    ..Reply::default()
                }
            } else {
                Reply::says(TREE)
            }
        })
    });
    let phone = fake.phone();
    let before = fake.clock();
    let told = phone.read().await;
    assert_eq!(
        told,
        Err(PhoneTrouble::Tree("the screen does not come to rest".to_owned()))
    );
    assert!((fake.clock() - before).as_millis() < 8000);
    assert_eq!(
        fake.commands_like("kill -9").len(),
        1,
        "only one at a time can read a screen"
    );
    assert_eq!(phone.read().await.unwrap(), TREE);
}

/// Two at once: the second waits for the first, for a phone reads its screen once at a time.
#[tokio::test(start_paused = true)]
async fn trees_are_read_one_after_the_other() {
    let fake = Fake::new();
    fake.answers("uiautomator", Reply::says(TREE).after(2000));
    let phone = fake.phone();
    let before = fake.clock();
    let (one, two) = tokio::join!(phone.read(), phone.read());
    assert!(one.is_ok() && two.is_ok());
    assert!((fake.clock() - before).as_millis() >= 4000);
}

/// A reader that goes away ends its dump, for it would block the next one.
#[tokio::test(start_paused = true)]
async fn a_reader_that_goes_away_ends_its_dump() {
    let fake = Fake::new();
    fake.answers(
        "uiautomator",
        Reply {
            hangs: true,
            ..Reply::default()
        },
    );
    let phone = fake.phone();
    assert!(
        tokio::time::timeout(Duration::from_secs(1), phone.read())
            .await
            .is_err()
    );
    crate::support::until(|| !fake.commands_like("kill -9").is_empty()).await;
}
