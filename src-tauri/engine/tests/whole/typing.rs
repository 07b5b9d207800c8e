//! A task that names what a phone's keyboard has not.

use crate::rig::{Rig, at};
use crate::skipped::skipped;
use engine::Keychain;
use protocol::{FailureCode, Op};

const NOTES: &str = "com.android.notes/.MainActivity";

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_typed_is_said_before_the_task_begins() {
    for (has_keyboard, goal, lacks) in [
        (false, "Write “Tea – and milk…” into a note", None),
        (false, "Write café and 牛奶 into a note", Some("é牛奶")),
        (true, "Write café and 牛奶 into a note", None),
    ] {
        let mut options = at(NOTES);
        options.adb_keyboard = has_keyboard;
        let rig = Rig::new(options, Keychain::absent()).await;
        if lacks.is_some() && rig.engine.mirror_server().await.found.is_some() {
            skipped("this computer has scrcpy's server, by which everything can be typed");
            continue;
        }
        let phones = std::slice::from_ref(&rig.phone);
        match (rig.engine.run(phones, goal, false).await, lacks) {
            (Err(failure), Some(lacks)) => {
                assert_eq!(failure.code, FailureCode::NeedsTyping);
                assert_eq!(failure.values["characters"], lacks);
                assert!(!failure.values["phone"].is_empty());
                assert!(rig.engine.live_run(&rig.phone).is_none(), "nothing was begun");
                // Wanted nevertheless, it begins.
                let begun = rig.engine.run(phones, goal, true).await.unwrap();
                rig.engine.steer(&begun[0], Op::Stop).await.unwrap();
            }
            (Ok(begun), None) => rig.engine.steer(&begun[0], Op::Stop).await.unwrap(),
            (other, lacks) => panic!("{goal}: {other:?}, {lacks:?}"),
        }
        rig.over().await;
    }
}
