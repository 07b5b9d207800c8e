//! By what happens on a phone.

use super::{BOUND, SECOND, Table, all_over, is_over, plan, ready, table, word};
use protocol::{AutomationId, AutomationPlan, FailureCode, StartedBy, Trigger};

impl Table {
    /// What begins when the phone comes.
    async fn comes(&self) -> AutomationId {
        let comes = AutomationPlan {
            trigger: Some(Trigger::Connected),
            ..plan("Comes", &self.phone)
        };
        self.save(comes).await
    }

    /// The phone goes, is missed, and stays away for so long.
    async fn away(&self, id: &AutomationId, by: u64) {
        self.handle.unplug();
        let mut listing = self.engine.listing();
        let gone = listing.wait_for(|listing| listing.phones.is_empty());
        drop(tokio::time::timeout(BOUND, gone).await.unwrap().unwrap());
        self.look(id).await.unwrap();
        self.advance(by);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_that_comes_begins_what_waits_for_it() {
    let mut table = table().await;
    let id = table.comes().await;
    // Nobody looked for a while, and then it was away for a moment: it did not come.
    table.advance(50 * SECOND);
    table.away(&id, SECOND).await;
    table.handle.replug();
    ready(&table.engine).await;
    table.look(&id).await.unwrap();
    assert_eq!(table.engine.automation_occurrences(&id).await.unwrap(), []);
    table.away(&id, 20 * SECOND).await;
    table.handle.replug();
    let times = table.until(&id, all_over(1)).await;
    assert_eq!(
        (times[0].by, word(&times[0]).as_str()),
        (StartedBy::Trigger, "Finished")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_could_not_be_written_when_it_happened_is_begun_once_when_it_can_be() {
    let mut table = table().await;
    let id = table.comes().await;
    table.away(&id, 20 * SECOND).await;
    let database = rusqlite::Connection::open(table.folder.path().join("pocketdeck.db")).unwrap();
    database.execute_batch("BEGIN EXCLUSIVE").unwrap();
    table.handle.replug();
    ready(&table.engine).await;
    let failure = table.look(&id).await.unwrap_err();
    assert_eq!(failure.code, FailureCode::JournalLocked);
    drop(database);
    table.advance(5 * SECOND);
    let [one] = table.until(&id, all_over(1)).await.try_into().unwrap();
    assert_eq!((one.by, word(&one).as_str()), (StartedBy::Trigger, "Finished"));
    table.advance(60 * SECOND);
    table.look(&id).await.unwrap();
    assert_eq!(table.engine.automation_occurrences(&id).await.unwrap(), [one]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notification_with_its_words_begins_it() {
    let table = table().await;
    let notified = |name: &str, words: &str| AutomationPlan {
        trigger: Some(Trigger::Notification {
            app: "com.android.messaging".to_owned(),
            label: "Messages".to_owned(),
            words: words.to_owned(),
        }),
        ..plan(name, &table.phone)
    };
    let id = table.save(notified("Parcel", "PARCEL")).await;
    let other = table.save(notified("Other", "invoice")).await;
    let handle = table.handle.clone();
    let asked = || {
        let commands = handle.record().commands();
        commands
            .iter()
            .filter(|line| line.contains("dumpsys notification"))
            .count()
    };
    // What is there the first time it is looked is not new.
    let looks = async |table: &Table, count: usize| {
        while asked() < count {
            table.advance(15 * SECOND);
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(BOUND, looks(&table, 2)).await.unwrap();
    table
        .handle
        .with(|phone| phone.receive_text("Dana", "Your parcel arrived"));
    let times = async {
        loop {
            table.advance(15 * SECOND);
            let times = table.engine.automation_occurrences(&id).await.unwrap();
            if times.iter().any(is_over) {
                return times;
            }
        }
    };
    let times = tokio::time::timeout(BOUND, times).await.unwrap();
    assert_eq!((times.len(), times[0].by), (1, StartedBy::Trigger));
    assert_eq!(word(&times[0]), "Finished");
    assert_eq!(table.engine.automation_occurrences(&other).await.unwrap(), []);
}
