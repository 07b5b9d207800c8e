//! The UI tree.

use crate::support::{Fake, Reply};
use agent::ports::{Phone, PhoneError};
use std::sync::Mutex;
use std::time::Duration;

const TREE: &str =
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node /></hierarchy>";

/// What is swept before the first tree of a program.
const SWEEP: &str = "rm -f /data/local/tmp/pocketdeck-*.xml /data/local/tmp/pocketdeck-*.png /sdcard/pocketdeck-*.xml \
                     /data/local/tmp/pocketdeck-reader-*.dex $(find /data/local/tmp/pocketdeck-*.jar \
                     /data/local/tmp/pocketdeck-*.apk -ctime +1 2>/dev/null); ";
const STREAM: &str = "{ uiautomator dump /proc/self/fd/1; echo ended:$?; } | cat";

/// Whether a line reads a tree.
fn is_dump(line: &str) -> bool {
    line.contains("uiautomator dump ")
}

/// The lines that read a tree. Where that takes long a reader is tried for, which these phones know nothing of.
fn dump_lines(fake: &Fake) -> Vec<String> {
    fake.commands().into_iter().filter(|line| is_dump(line)).collect()
}

fn dumps(fake: &Fake) -> usize {
    dump_lines(fake).len()
}

#[tokio::test(start_paused = true)]
async fn a_tree_comes_through_the_stream() {
    let fake = Fake::new();
    let reply = Reply::says(format!(
        "{TREE}UI hierchary dumped to: /proc/self/fd/1\nended:0\n"
    ))
    .after(2200);
    fake.on(move |line| line.contains(STREAM).then(|| reply.clone()));
    let phone = fake.phone();
    assert_eq!(phone.read().await.unwrap().xml, TREE);
    assert_eq!(phone.read().await.unwrap().xml, TREE);
    assert_eq!(dump_lines(&fake), [format!("{SWEEP}{STREAM}"), STREAM.to_owned()]);
}

/// A phone that forbids that says nothing of it: its XML goes nowhere.
#[tokio::test(start_paused = true)]
async fn where_no_tree_comes_through_the_stream_a_file_of_its_own_brings_it() {
    let fake = Fake::new();
    fake.on(|line| {
        line.contains(STREAM)
            .then(|| Reply::says("UI hierchary dumped to: /proc/self/fd/1\nended:0\n"))
    });
    fake.on(|line| {
        let file = line
            .strip_prefix("umask 077; uiautomator dump ")?
            .split(';')
            .next()?;
        assert_eq!(
            line,
            format!("umask 077; uiautomator dump {file}; cat {file}; rm -f {file}")
        );
        assert!(file.starts_with("/data/local/tmp/"), "{file}");
        Some(Reply::says(format!("UI hierchary dumped to: {file}\n{TREE}")).after(2200))
    });
    let phone = fake.phone();
    assert_eq!(phone.read().await.unwrap().xml, TREE);
    assert_eq!(phone.read().await.unwrap().xml, TREE);
    let lines = dump_lines(&fake);
    assert_eq!(lines.len(), 3, "what a phone forbids is learned: {lines:?}");
    assert_ne!(lines[1], lines[2], "a name used once: nothing stale");
}

/// A hiccup is over before anybody hears of it; a phone that gives no tree at all is waited for once, and then no longer.
#[tokio::test(start_paused = true)]
async fn a_tree_that_fails_is_asked_for_again_for_a_while() {
    let null_root = include_str!("../data/ui_07_null_root.txt");
    let fake = Fake::new();
    let begun = tokio::time::Instant::now();
    fake.on(move |line| {
        let is_over = begun.elapsed() >= Duration::from_secs(2);
        is_dump(line).then(|| {
            if is_over {
                Reply::says(TREE)
            } else {
                Reply::fails(0, null_root)
            }
        })
    });
    assert_eq!(fake.phone().read().await.unwrap().xml, TREE);

    let never = Fake::new();
    never.on(move |line| is_dump(line).then(|| Reply::fails(0, null_root)));
    let phone = never.phone();
    let why = Err(PhoneError::Tree("the window has no root now".to_owned()));
    assert_eq!(phone.read().await, why);
    let (first, took) = (dumps(&never), never.clock());
    assert!(first > 2 && took <= Duration::from_secs(5), "{first} in {took:?}");
    assert_eq!(phone.read().await, why);
    assert_eq!(dumps(&never) - first, 2);
    assert!(never.clock() - took <= Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn a_tree_that_takes_too_long_is_ended_and_does_not_block_the_next() {
    let fake = Fake::new();
    let slow = Mutex::new(true);
    fake.on(move |line| {
        is_dump(line).then(|| {
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
        Err(PhoneError::Tree("the screen does not come to rest".to_owned()))
    );
    assert!((fake.clock() - before).as_millis() < 8000);
    assert_eq!(
        fake.commands_like("kill -9").len(),
        1,
        "only one at a time can read a screen"
    );
    assert_eq!(phone.read().await.unwrap().xml, TREE);
}

/// Two at once: the second waits for the first, for a phone reads its screen once at a time.
#[tokio::test(start_paused = true)]
async fn trees_are_read_one_after_the_other() {
    let fake = Fake::new();
    fake.on(|line| is_dump(line).then(|| Reply::says(TREE).after(2000)));
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
    fake.on(|line| {
        is_dump(line).then(|| Reply {
            hangs: true,
            ..Reply::default()
        })
    });
    let phone = fake.phone();
    assert!(
        tokio::time::timeout(Duration::from_secs(1), phone.read())
            .await
            .is_err()
    );
    crate::support::until(|| !fake.commands_like("kill -9").is_empty()).await;
}
