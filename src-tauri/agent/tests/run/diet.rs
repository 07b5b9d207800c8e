//! What is sent stays small: nothing twice, pictures no larger than they need to be, and the beginning of each prompt as
//! it was.

use crate::support::{Turn, World, start};
use protocol::Op;

const WAIT: &str = r#"{"type": "wait"}"#;
const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;

/// A screen that did not change is told by its elements alone, once; a model that is stuck has to see it again.
#[tokio::test(start_paused = true)]
async fn an_unchanged_screen_is_not_sent_twice() {
    let tap = r#"{"type": "tap", "target": {"text": "Checkout"}}"#;
    let mut table = start(
        World {
            banner: true,
            ..World::default()
        },
        [WAIT.into(), WAIT.into(), tap.into(), WAIT.into(), DONE.into()],
    );
    table.end().await;
    let shown = table.model.shown();
    let pictures: Vec<bool> = shown.iter().map(|prompt| prompt.picture.is_some()).collect();
    assert_eq!(pictures, [true, false, true, true, false]);
    for (prompt, picture) in shown.iter().zip(pictures) {
        assert_eq!(
            prompt.now.contains("is left out this time"),
            !picture,
            "{}",
            prompt.now
        );
        assert!(prompt.now.contains("] button"), "the elements are told each time");
        assert_eq!(prompt.size, (180, 400), "points count as before");
    }
}

/// Where nothing but the picture tells what is there, it is sent each time, and as large as may be.
#[tokio::test(start_paused = true)]
async fn a_model_that_goes_by_pictures_is_sent_each() {
    let mut table = start(World::default(), [WAIT.into(), WAIT.into(), DONE.into()]);
    table.model.goes_by_pictures();
    table.model.wants_beside(200);
    table.end().await;
    for prompt in table.model.shown() {
        let picture = prompt.picture.unwrap();
        assert_eq!((picture.width, picture.height), (180, 400));
    }
}

/// Beside the list a small picture will do; a screen of which the list says little, and a capture, are shown whole.
#[tokio::test(start_paused = true)]
async fn a_picture_is_as_large_as_it_has_to_be() {
    let capture = r#"{"type": "capture", "mode": "vision"}"#;
    for (page, replies, expected) in [
        ("checkout", vec![DONE], vec![200]),
        ("home", vec![DONE], vec![400]),
        ("checkout", vec![capture, DONE], vec![200, 400]),
    ] {
        let mut table = start(World::on(page), replies.into_iter().map(Turn::from));
        table.model.wants_beside(200);
        table.end().await;
        let shown = table.model.shown();
        let heights: Vec<u32> = shown
            .iter()
            .map(|prompt| prompt.picture.as_ref().unwrap().height)
            .collect();
        assert_eq!(heights, expected, "{page}");
    }
}

/// How many elements a capture is to list counts where no picture goes: the numbers on a picture are of everything.
#[tokio::test(start_paused = true)]
async fn a_cap_holds_for_a_list_alone() {
    let captured = async |mode: &str, most: u32| {
        let capture = format!(r#"{{"type": "capture", "mode": "{mode}", "maxElements": {most}}}"#);
        let mut table = start(World::on("checkout"), [capture.as_str().into(), DONE.into()]);
        table.end().await;
        table.model.shown().remove(1)
    };
    let (few, all) = (captured("som", 1).await, captured("som", 1000).await);
    assert!(few.picture.is_some());
    assert!(few.picture == all.picture, "the same marks");
    assert!(few.now.contains("truncated_elements 0"), "{}", few.now);
    let (few, all) = (captured("ax", 1).await, captured("ax", 1000).await);
    assert!(few.now.contains("truncated_elements 3"), "{}", few.now);
    assert!(all.now.contains("truncated_elements 0"), "{}", all.now);
}

/// Each prompt begins with all of the one before but its screen, whatever happens in between.
#[tokio::test(start_paused = true)]
async fn the_beginning_of_a_prompt_stays_as_it_was() {
    let read = r#"{"type": "read_text", "box": [0, 160, 999, 850], "output": "__CogName_Orders__", "autoScroll": true}"#;
    let mut table = start(
        World::on("list"),
        [
            WAIT.into(),
            r#"{"type": "list_apps"}"#.into(),
            "what?".into(),
            read.into(),
            Turn::After(std::time::Duration::from_secs(5), WAIT.to_owned()),
            WAIT.into(),
            r#"{"type": "tap", "target": {"element": 999}}"#.into(),
            WAIT.into(),
            DONE.into(),
        ],
    );
    for _ in 0..5 {
        table
            .until("thinking", |what| matches!(what, protocol::What::Thinking { .. }))
            .await;
    }
    table.model.push(DONE);
    table
        .handle
        .steer(Op::Say {
            text: "Only look.".into(),
        })
        .await;
    while table.next().await.is_some() {}
    let shown = table.model.shown();
    assert!(shown.len() >= 9, "{}", shown.len());
    for pair in shown.windows(2) {
        assert_eq!(pair[0].system, pair[1].system);
        let (before, after) = (&pair[0].past, &pair[1].past);
        assert_eq!(&after[..before.len()], before);
    }
    let past = shown.last().unwrap().past.concat();
    for words in [
        "The person added: Only look.",
        "com.greenleaf.shop: ",
        "could not be read",
        "kept as",
    ] {
        assert_eq!(past.matches(words).count(), 1, "{words}:\n{past}");
    }
    // Of all that was seen before there is a line, and no list and no picture.
    assert!(!past.contains("[1]"), "{past}");
}

/// After many steps the oldest lines go in tens: most steps keep the beginning, and it never grows beyond twenty.
#[tokio::test(start_paused = true)]
async fn a_long_run_keeps_its_beginning_for_ten_steps_at_a_time() {
    let waits = (0..45).map(|_| WAIT.into()).chain([DONE.into()]);
    let mut table = start(World::default(), waits);
    table.end().await;
    let shown = table.model.shown();
    let kept = shown
        .windows(2)
        .filter(|pair| pair[1].past.starts_with(&pair[0].past))
        .count();
    assert_eq!(shown.len() - 1 - kept, 3, "after 20, 30 and 40 lines");
    let lines = |past: &[String]| past.iter().filter(|piece| piece.contains("wait")).count();
    assert!(shown.iter().all(|prompt| lines(&prompt.past) <= 20));
    assert!(shown.iter().skip(20).all(|prompt| lines(&prompt.past) > 10));
}
