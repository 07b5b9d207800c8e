//! The reader that stays: its trees are the plain dump's, new each time, and whatever becomes of it nothing is done twice and nothing
//! is left on the phone.

use crate::rig::{Rig, Setup, node, value};
use adb::{AdbPhone, Command};
use agent::lease::Lease;
use agent::ports::{Phone, PhoneError};
use protocol::{ActMethod, PhoneId};
use screen::Tree;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};
use virtual_phone::android::{FingerAction, Intent};
use virtual_phone::{Entry, Fault, Received};

pub(crate) const SETTINGS: &str = "com.android.settings/.Settings";
const EDITOR: &str = "com.android.notes/.EditorActivity";
const PAGES: [&str; 11] = [
    "",
    SETTINGS,
    EDITOR,
    "com.android.messaging/.ui.conversationlist.ConversationListActivity",
    "com.android.contacts/.activities.PeopleActivity",
    "com.android.browser/.BrowserActivity",
    "com.android.calendar/.AllInOneActivity",
    "com.android.store/.UpdatesActivity",
    "com.greenleaf.shop/.MainActivity",
    "com.northbank.mobile/.SignInActivity",
    "com.northbank.mobile/.ConfirmCodeActivity",
];

fn is_reader(words: &[String]) -> bool {
    words.first().is_some_and(|word| word == "app_process")
        && words.iter().any(|word| word == "pocketdeck.Reader")
}

fn is_dump(words: &[String]) -> bool {
    words.first().is_some_and(|word| word == "uiautomator")
}

fn started(entries: &[Entry], is: impl Fn(&[String]) -> bool) -> usize {
    let programs = entries.iter().filter_map(|entry| match &entry.what {
        Received::Program { words, .. } => Some(words),
        _ => None,
    });
    programs.filter(|words| is(words)).count()
}

/// Readers and plain dumps that were started.
pub(crate) fn counts(rig: &Rig) -> (usize, usize) {
    let entries = rig.handle.record().entries();
    (started(&entries, is_reader), started(&entries, is_dump))
}

pub(crate) fn runs(rig: &Rig) -> bool {
    let processes = rig.handle.processes();
    processes
        .iter()
        .any(|(_, words)| words.contains("pocketdeck.Reader"))
}

fn files(rig: &Rig) -> Vec<String> {
    let folders = ["/data/local/tmp", "/sdcard"];
    let all = folders.iter().flat_map(|folder| rig.handle.files(folder));
    all.map(|(name, _)| name)
        .filter(|name| name.contains("pocketdeck"))
        .collect()
}

/// A phone whose plain dump was found to take long.
pub(crate) async fn slow(page: &str, faults: &[Fault]) -> Rig {
    let rig = Rig::pipe(Setup::at(page).with(faults).with_reader());
    rig.phone.read().await.unwrap();
    rig
}

/// Another page in front.
fn show(rig: &Rig, component: &str) {
    let intent = Intent {
        component: Some(component.to_owned()),
        ..Intent::default()
    };
    rig.handle.with(|android| android.start(&intent)).unwrap();
}

/// A page of another app each time, and its package.
pub(crate) fn turn(rig: &Rig, time: usize) -> &'static str {
    let component = [SETTINGS, PAGES[4]][time % 2];
    show(rig, component);
    component.split('/').next().unwrap()
}

/// Whether a tree is of this app.
pub(crate) fn is_of(tree: &str, package: &str) -> bool {
    value(node(tree, "package="), "package").as_deref() == Some(package)
}

#[tokio::test(start_paused = true)]
async fn its_trees_are_the_plain_dumps() {
    for page in PAGES {
        let [by_reader, by_dump] = [vec![], vec![Fault::ReaderMissing]].map(|faults| async move {
            let rig = Rig::pipe(Setup::at(page).with(&faults).with_reader());
            rig.phone.read().await.unwrap();
            let xml = rig.phone.read().await.unwrap();
            (xml, counts(&rig))
        });
        let ((reader, by), (dump, plainly)) = tokio::join!(by_reader, by_dump);
        // The first of all is a plain dump, which tells that it takes long.
        assert_eq!((by, plainly), ((1, 1), (1, 2)), "{page}");
        let read = |xml: &str| Tree::read(xml, 360, 800, 500).unwrap();
        assert_eq!(read(&reader), read(&dump), "{page}");
        assert!(
            reader.contains("<window ") && !dump.contains("<window "),
            "{page}"
        );
    }
}

/// A screen that changes between any two of them.
#[tokio::test(start_paused = true)]
async fn one_reader_reads_every_tree_anew() {
    let rig = Rig::pipe(Setup::at(SETTINGS).with_reader());
    for time in 0..40 {
        let package = turn(&rig, time);
        let tree = rig.phone.read().await.unwrap().xml;
        assert!(is_of(&tree, package), "{time}: {tree}");
    }
    assert_eq!(counts(&rig), (1, 1));
    assert_eq!(files(&rig), [""; 0], "its own file is gone while it runs");
}

/// On a screen that never comes to rest the plain dump waits ten seconds for nothing: the reader reads it, the first time too.
#[tokio::test(start_paused = true)]
async fn a_screen_that_never_rests_is_read_from_the_first_time() {
    let rig = Rig::pipe(Setup::at(SETTINGS).with(&[Fault::TreeIdleError]).with_reader());
    for time in 0..3 {
        let package = turn(&rig, time);
        let tree = rig.phone.read().await.unwrap().xml;
        assert!(is_of(&tree, package), "{time}: {tree}");
    }
    assert_eq!(counts(&rig), (1, 1));
}

/// Its events say whether a tree is still what is there, at the cost of nothing else asked of the phone; another reader, and none,
/// says nothing.
#[tokio::test(start_paused = true)]
async fn its_events_tell_what_became_of_a_tree() {
    let rig = slow(SETTINGS, &[]).await;
    let mark = rig.phone.read().await.unwrap().mark.expect("by the reader");
    let asked = rig.handle.record().entries().len();
    for _ in 0..3 {
        sleep(Duration::from_secs(5)).await;
        assert_eq!(rig.phone.tree_holds(mark).await, Some(true));
    }
    assert_eq!(rig.handle.record().entries().len(), asked);
    show(&rig, PAGES[4]);
    assert_eq!(rig.phone.tree_holds(mark).await, Some(false));
    // What has gone again has been there.
    show(&rig, SETTINGS);
    assert_eq!(rig.phone.tree_holds(mark).await, Some(false));
    let mark = rig.phone.read().await.unwrap().mark.unwrap();
    assert_eq!(rig.phone.tree_holds(mark).await, Some(true));
    while runs(&rig) {
        kill(&rig, 100).await;
    }
    assert_eq!(rig.phone.tree_holds(mark).await, None);
    let other = rig.phone.read().await.unwrap().mark.unwrap();
    assert_eq!(rig.phone.tree_holds(mark).await, None, "another reader's");
    assert_eq!(rig.phone.tree_holds(other).await, Some(true));
    let plain = slow(SETTINGS, &[Fault::ReaderMissing]).await;
    assert_eq!(plain.phone.read().await.unwrap().mark, None);
}

/// After a touch the tree is read while the screen comes to rest; whatever changed since is read anew.
#[tokio::test(start_paused = true)]
async fn a_tree_is_read_while_the_screen_comes_to_rest() {
    let rig = slow(SETTINGS, &[]).await;
    rig.phone.read().await.unwrap();
    let trees = |from: usize| {
        let entries = rig.handle.record().entries();
        let read = |entry: &&Entry| matches!(entry.what, Received::Hierarchy);
        entries[from..].iter().filter(read).count()
    };
    for (page, changes, expected) in [(PAGES[3], false, 1), (PAGES[4], true, 2), (EDITOR, true, 2)] {
        show(&rig, SETTINGS);
        sleep(Duration::from_secs(1)).await;
        let from = rig.handle.record().entries().len();
        rig.by_hand(Command::Key("SHIFT_LEFT".to_owned())).await.unwrap();
        let package = match changes {
            true => page.split('/').next().unwrap(),
            false => "com.android.settings",
        };
        rig.phone.settle(Duration::from_secs(5)).await.unwrap();
        if changes {
            show(&rig, page);
        }
        let tree = rig.phone.read().await.unwrap();
        assert!(is_of(&tree, package), "{page}: {}", tree.xml);
        assert_eq!(trees(from), expected, "{page}");
    }
}

/// What is wrong with it; how many readers and plain dumps four reads cost after the first; and whether a reader runs after that.
#[tokio::test(start_paused = true)]
async fn whatever_is_wrong_with_it_the_tree_comes() {
    for (fault, expected) in [
        (Fault::ReaderMissing, (1, 4, false)),
        (Fault::ReaderForbidden, (1, 4, false)),
        // It is not asked again for half a minute.
        (Fault::ReaderTaken, (1, 4, false)),
        // Three times, then never again.
        (Fault::ReaderDies(0), (3, 4, false)),
        // In each third answer: each reader reads one tree, and is killed in the wait before the next.
        (Fault::ReaderDies(2), (4, 0, true)),
        // The first tree is new.
        (Fault::ReaderStale, (1, 3, false)),
        (Fault::ReaderSlow, (3, 4, false)),
        (Fault::ReaderCut, (3, 4, false)),
        (Fault::NoShellV2, (0, 4, false)),
        (Fault::CrLf, (1, 0, true)),
    ] {
        let rig = slow(SETTINGS, &[fault]).await;
        for time in 0..4 {
            let package = turn(&rig, time);
            let tree = rig.phone.read().await.unwrap().xml;
            assert!(is_of(&tree, package), "{fault} {time}: {tree}");
        }
        let (readers, dumps) = counts(&rig);
        assert_eq!((readers, dumps - 1, runs(&rig)), expected, "{fault}");
        // Where nobody wants it any more its file is swept, a moment later.
        sleep(Duration::from_secs(3)).await;
        assert_eq!(files(&rig), [""; 0], "{fault}");
    }
}

/// A system that restarts, or a program that has the screen for a while: tried again half a minute later.
#[tokio::test(start_paused = true)]
async fn who_was_in_its_way_for_a_while_is_not_for_good() {
    let rig = slow(SETTINGS, &[Fault::ReaderTaken]).await;
    rig.phone.read().await.unwrap();
    assert_eq!(counts(&rig), (1, 2));
    rig.handle.clear_fault(Fault::ReaderTaken);
    rig.phone.read().await.unwrap();
    assert_eq!(counts(&rig), (1, 3));
    sleep(Duration::from_secs(31)).await;
    rig.phone.read().await.unwrap();
    assert_eq!(counts(&rig), (2, 3));
}

/// Somebody else's dump fails while it is there, and hurts nothing; when it was not asked for half a minute it is gone, and theirs works.
#[tokio::test(start_paused = true)]
async fn it_makes_room_when_nobody_asks_it() {
    let rig = slow(SETTINGS, &[]).await;
    rig.phone.read().await.unwrap();
    let dump = async || {
        let line = "uiautomator dump /dev/null";
        rig.phone
            .device()
            .look(line, Duration::from_secs(30))
            .await
            .unwrap()
            .all()
    };
    let theirs = dump().await;
    assert!(theirs.contains("already registered"), "{theirs}");
    for time in 0..4 {
        let package = turn(&rig, time);
        assert!(is_of(&rig.phone.read().await.unwrap(), package));
    }
    sleep(Duration::from_secs(33)).await;
    assert!(!runs(&rig));
    let theirs = dump().await;
    assert!(theirs.contains("UI hierchary dumped to"), "{theirs}");
    rig.phone.read().await.unwrap();
    assert_eq!(counts(&rig), (2, 3), "going for want of work is no failure");
}

/// The person's own finger, on a field.
fn touch(rig: &Rig, (x, y): (i32, i32)) {
    #[allow(clippy::cast_precision_loss, reason = "a place on a small screen")]
    let (x, y) = (x as f32, y as f32);
    for action in [FingerAction::Down, FingerAction::Up] {
        rig.handle.with(|android| android.finger(action, x, y));
    }
}

/// Numbers that look random, the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// Kills the reader in so many milliseconds.
pub(crate) async fn kill(rig: &Rig, after: u64) {
    sleep(Duration::from_millis(after)).await;
    let line = "pkill -9 -f pocketdeck.Reade[r]";
    let _ = rig.phone.device().look(line, Duration::from_secs(5)).await;
}

/// Another program, which knows nothing of what befell the last one's readers.
async fn another(rig: &Rig) -> Arc<AdbPhone> {
    while runs(rig) {
        sleep(Duration::from_millis(100)).await;
    }
    let phone = Arc::new(AdbPhone::new(PhoneId::from("another"), rig.phone.device()));
    phone.use_scrcpy(None);
    phone.read().await.unwrap();
    phone
}

/// A thousand times: what is read is of now, what is typed stands there once or not at all, and which of them is told.
#[tokio::test(start_paused = true)]
async fn killed_at_any_moment_nothing_is_stale_and_nothing_twice() {
    let rig = Rig::pipe(Setup::at(EDITOR).with_reader());
    let field = rig.find("text=\"Note\"").await;
    let mut numbers = Numbers(20);
    let mut phone = another(&rig).await;
    let (mut trees, mut texts, mut unsure) = (0, 0, 0);
    let times = crate::long::times(250) as usize;
    for time in 0..times {
        if time % 6 == 5 {
            drop(phone);
            phone = another(&rig).await;
        }
        let after = numbers.below(2000);
        if time % 3 == 0 {
            let (typed, before) = (letter(time), rig.handle.record().entries().len());
            let command = Command::Text(typed.to_string());
            touch(&rig, field);
            let lease = Lease::new();
            let grip = lease.take();
            let (done, ()) = tokio::join!(phone.by_hand(&command, &grip), kill(&rig, after));
            let entries = rig.handle.record().entries();
            let count = entries[before..]
                .iter()
                .filter(|entry| entry.what == Received::Text { character: typed })
                .count();
            match done {
                Ok(effect) => {
                    assert_eq!((effect.via, count), (Some(ActMethod::Reader), 1), "{time}");
                    texts += 1;
                }
                Err(PhoneError::CannotType) => assert_eq!(count, 0, "{time}"),
                Err(PhoneError::Slow(_)) => {
                    assert!(count <= 1, "{time}: {count}");
                    unsure += 1;
                }
                Err(other) => panic!("{time}: {other:?}"),
            }
        } else {
            let package = if time % 2 == 0 {
                "com.android.notes"
            } else {
                "com.android.contacts"
            };
            show(&rig, if time % 2 == 0 { EDITOR } else { PAGES[4] });
            let (tree, ()) = tokio::join!(phone.read(), kill(&rig, after));
            assert!(is_of(&tree.unwrap(), package), "{time}");
            trees += 1;
            show(&rig, EDITOR);
        }
    }
    println!("{trees} trees, {texts} texts, {unsure} not known to have come");
    assert!(texts > times / 10 && trees > times * 6 / 10);
    drop(phone);
    sleep(Duration::from_secs(5)).await;
    assert_eq!(files(&rig), [""; 0]);
}

/// One that the key map lacks, another each time.
fn letter(time: usize) -> char {
    let nth = u32::try_from(time % 20_000).unwrap();
    char::from_u32(0x4e00 + nth).unwrap()
}

/// Whoever gives up at any moment of a start leaves neither a file nor a process.
#[tokio::test(start_paused = true)]
async fn given_up_at_any_moment_nothing_stays() {
    for millis in (0..1200).step_by(40) {
        let rig = slow(SETTINGS, &[]).await;
        let _ = tokio::time::timeout(Duration::from_millis(millis), rig.phone.read()).await;
        sleep(Duration::from_secs(35)).await;
        let left = rig.handle.files("/data/local/tmp");
        assert!(
            left.iter().all(|(name, _)| !name.contains("pocketdeck")),
            "{millis}: {left:?}"
        );
        let processes = rig.handle.processes();
        assert!(
            processes.iter().all(|(_, words)| !words.contains("Reader")),
            "{millis}: {processes:?}"
        );
    }
}

/// What older programs left is swept by the first read, and its own file is nobody's else.
#[tokio::test(start_paused = true)]
async fn its_file_is_nobody_elses_and_what_was_left_is_swept() {
    let rig = Rig::pipe(Setup::at(SETTINGS).with_reader());
    let old = "echo x > /data/local/tmp/pocketdeck-reader-0-0.dex";
    rig.phone
        .device()
        .look(old, Duration::from_secs(5))
        .await
        .unwrap();
    assert_eq!(files(&rig).len(), 1);
    rig.phone.read().await.unwrap();
    assert_eq!(files(&rig), [""; 0]);
    let phone = Arc::clone(&rig.phone);
    let reading = tokio::spawn(async move { phone.read().await });
    rig.until(|entries| started(entries, is_reader) > 0).await;
    let there: Vec<(String, u32)> = rig.handle.files("/data/local/tmp");
    let ours: Vec<u32> = there
        .iter()
        .filter(|(name, _)| name.contains("pocketdeck"))
        .map(|(_, mode)| *mode)
        .collect();
    assert_eq!(ours, [0o400], "{there:?}");
    reading.await.unwrap().unwrap();
    assert_eq!(files(&rig), [""; 0]);
}

/// Any text, where a field has the focus; nothing at all where it is a password's, there is none, or the lease is gone.
#[tokio::test(start_paused = true)]
async fn text_goes_where_a_field_takes_it_and_only_under_the_lease() {
    for text in ["漢字", "שלום עולם", "first\nsecond 漢\n\nfourth", "👩‍👩‍👧‍👦 🇨🇭 %s \"'$"]
    {
        let rig = slow(EDITOR, &[]).await;
        rig.tap("text=\"Note\"").await;
        let effect = rig.by_hand(Command::Text(text.to_owned())).await.unwrap();
        assert_eq!(
            (effect.via, effect.seen),
            (Some(ActMethod::Reader), Some(true)),
            "{text}"
        );
        let tree = rig.phone.read().await.unwrap().xml;
        // What stands in front of the first node names windows.
        let nodes = tree.split_once("<node ").unwrap().1;
        assert_eq!(
            value(node(nodes, "focused=\"true\""), "text").as_deref(),
            Some(text)
        );
    }
    let rig = slow("com.northbank.mobile/.SignInActivity", &[]).await;
    rig.phone.use_scrcpy(None);
    rig.tap("password=\"true\"").await;
    let before = rig.handle.state();
    assert_eq!(
        rig.by_hand(Command::Text("漢".to_owned())).await.unwrap_err(),
        PhoneError::CannotType
    );
    assert_eq!(rig.handle.state(), before);
    let rig = slow(EDITOR, &[]).await;
    rig.tap("text=\"Note\"").await;
    let grip = rig.lease.take();
    rig.lease.revoke();
    let typed = rig.phone.by_hand(&Command::Text("漢".to_owned()), &grip).await;
    assert_eq!(typed.unwrap_err(), PhoneError::LeaseLost);
    let entries = rig.handle.record().entries();
    assert!(
        !entries
            .iter()
            .any(|entry| matches!(entry.what, Received::Text { .. }))
    );
}

/// What a tree costs on a phone whose plain dump takes two seconds.
#[tokio::test(start_paused = true)]
async fn what_a_tree_costs() {
    let cost = async |faults: &[Fault]| {
        let rig = slow(SETTINGS, faults).await;
        let mut costs = Vec::new();
        for time in 0..6 {
            turn(&rig, time);
            sleep(Duration::from_millis(400)).await;
            let began = Instant::now();
            rig.phone.read().await.unwrap();
            costs.push(began.elapsed().as_millis());
        }
        (costs[0], costs[1..].iter().sum::<u128>() / 5)
    };
    let (reader, dump) = (cost(&[]).await, cost(&[Fault::ReaderMissing]).await);
    println!(
        "the first tree: by the reader {} ms, plain dump {} ms",
        reader.0, dump.0
    );
    println!(
        "each further one: by the reader {} ms, plain dump {} ms",
        reader.1, dump.1
    );
    assert!(reader.0 < dump.0 && reader.1 * 10 < dump.1);
}
