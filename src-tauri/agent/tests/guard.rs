//! The second opinion of a run, in virtual time: in time, late, lying, nonsense, nobody there.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use agent::guard::{Guard, GuardCounts, NoGuard, Opinions};
use agent::ports::Reply;
use async_trait::async_trait;
use judge::guard::{Page, Question, Say};
use protocol::{
    AskKind, Bounds, CaptureResult, Element, ElementState, Failure, FailureCode, Frame, PhoneId, Role,
    Screen, Totals, Usage,
};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// What comes of one request, after so many seconds.
#[derive(Clone, Copy)]
enum Turn {
    Says(u64, &'static str),
    Fails(u64),
    Never,
}
use Turn::{Fails, Never, Says};

struct Scripted(Mutex<VecDeque<Turn>>);

#[async_trait]
impl Guard for Scripted {
    fn has_eyes(&self) -> bool {
        true
    }

    async fn opinion(&self, question: &Question, picture: Option<&Frame>) -> Result<Reply, Failure> {
        assert_eq!(question.has_picture(), picture.is_some());
        assert!(
            picture.is_none_or(|picture| picture.height <= 768),
            "small enough"
        );
        let turn = self
            .0
            .lock()
            .unwrap()
            .pop_front()
            .expect("nobody was to be asked");
        match turn {
            Says(seconds, text) => {
                sleep(Duration::from_secs(seconds)).await;
                Ok(Reply {
                    text: text.to_owned(),
                    usage: Usage {
                        input_tokens: 400,
                        output_tokens: 20,
                        dollars: Some(0.25),
                        ..Usage::default()
                    },
                })
            }
            Fails(seconds) => {
                sleep(Duration::from_secs(seconds)).await;
                Err(FailureCode::ModelOffline.into())
            }
            Never => std::future::pending().await,
        }
    }
}

/// What the run does.
#[derive(Clone, Copy)]
enum Step {
    /// A page with one button of this label is seen.
    Sees(&'static str),
    /// What has no words is drawn otherwise from now on: with a dark half.
    Drawn,
    /// The acting model thinks for so many seconds.
    Thinks(u64),
    /// The judge needs the opinion on that page, and this is what it says of the button, after so many seconds.
    Needs(&'static str, Option<Say>, u64),
}
use Step::{Drawn, Needs, Sees, Thinks};

const SEND: Option<Say> = Some(Say::Commits(AskKind::Send));
const MOVES: Option<Say> = Some(Say::Moves);

fn question(label: &str) -> Question {
    let button = Element {
        index: 7,
        track_id: "7".to_owned(),
        role: Role::Button,
        label: label.to_owned(),
        description: None,
        value: None,
        states: vec![ElementState::Clickable],
        bounds: Bounds {
            left: 400,
            top: 1100,
            right: 680,
            bottom: 1300,
        },
        resource_id: String::new(),
        package: String::new(),
    };
    let screen = Screen {
        phone: PhoneId("phone".to_owned()),
        current_app: "org.example.mail".to_owned(),
        window: None,
        width: 1080,
        height: 2400,
        captured_at: 0,
        capture: CaptureResult::Ok,
        frame: None,
        elements: vec![button],
        tree_read: true,
        tree_bounds: None,
        totals: Totals::default(),
        keyboard_shown: false,
    };
    let page = Page {
        screen: &screen,
        task: "write to Mum",
        app: "Mail",
        site: None,
        version: "1",
        signers: &[],
        eyes: true,
    };
    Question::of(&page).unwrap()
}

/// The run's steps against what the guard does with each request, and what was counted in the end.
async fn check(turns: &[Turn], steps: &[Step], expected: GuardCounts) {
    let guard = Scripted(Mutex::new(turns.iter().copied().collect()));
    let mut opinions = Opinions::new(Arc::new(guard));
    let mut picture = Frame {
        width: 108,
        height: 1600,
        rgba: vec![200; 108 * 1600 * 4].into(),
    };
    for (n, step) in steps.iter().enumerate() {
        match *step {
            Sees(label) => opinions.begin(&question(label), Some(&picture)),
            Drawn => {
                let mut rgba = picture.rgba.to_vec();
                rgba[..108 * 800 * 4].fill(60);
                picture.rgba = rgba.into();
            }
            Thinks(seconds) => {
                let thinking = sleep(Duration::from_secs(seconds));
                tokio::pin!(thinking);
                loop {
                    tokio::select! {
                        () = &mut thinking => break,
                        () = opinions.progress() => {}
                    }
                }
            }
            Needs(label, say, seconds) => {
                let start = Instant::now();
                let opinion = opinions.opinion(&question(label), Some(&picture)).await;
                let said = opinion.map(|opinion| opinion.says(7));
                assert_eq!((said, start.elapsed().as_secs()), (say, seconds), "step {n}");
            }
        }
    }
    assert_eq!(opinions.counts(), expected);
    let answers = usize::try_from(expected.answered + expected.unread).unwrap();
    assert_eq!(opinions.spent().len(), answers, "what was answered is paid");
    assert!(opinions.spent().is_empty(), "and once");
}

fn counts(asked: u32, answered: u32) -> GuardCounts {
    GuardCounts {
        asked,
        answered,
        tokens: u64::from(answered) * 420,
        ..GuardCounts::default()
    }
}

#[tokio::test(start_paused = true)]
async fn it_comes_while_the_model_thinks() {
    let steps = [Sees("Send"), Thinks(5), Needs("Send", SEND, 0)];
    check(&[Says(3, "1 commits send")], &steps, counts(1, 1)).await;
    let steps = [Sees("Send"), Thinks(1), Needs("Send", SEND, 2)];
    check(&[Says(3, "1 commits send")], &steps, counts(1, 1)).await;
}

#[tokio::test(start_paused = true)]
async fn a_page_is_asked_about_once() {
    let steps = [
        Sees("3 new"),
        Thinks(2),
        Sees("4 new"),
        Needs("4 new", MOVES, 0),
        Sees("Send"),
        Thinks(2),
        Sees("5 new"),
        Needs("5 new", MOVES, 0),
        Needs("Send", SEND, 0),
    ];
    check(
        &[Says(1, "1 moves"), Says(1, "1 commits send")],
        &steps,
        counts(2, 2),
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn another_page_gives_the_question_up() {
    let steps = [
        Sees("One"),
        Thinks(1),
        Sees("Two"),
        Thinks(9),
        Needs("One", None, 0),
        Needs("Two", MOVES, 0),
    ];
    check(
        &[Says(3, "1 commits pay"), Says(3, "1 moves")],
        &steps,
        counts(2, 1),
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn whoever_is_slow_is_waited_for_once_a_page() {
    let late = |late, asked| GuardCounts {
        late,
        ..counts(asked, 0)
    };
    let steps = [
        Sees("A"),
        Thinks(30),
        Needs("A", None, 8),
        Sees("A"),
        Needs("A", None, 0),
    ];
    check(&[Never], &steps, late(1, 1)).await;
    // It comes late, and is taken then.
    let steps = [Sees("A"), Needs("A", None, 8), Thinks(3), Needs("A", MOVES, 0)];
    check(
        &[Says(10, "1 moves")],
        &steps,
        GuardCounts {
            late: 1,
            ..counts(1, 1)
        },
    )
    .await;
    // After three in vain nobody waits, until an answer comes.
    let steps = [
        Sees("A"),
        Needs("A", None, 8),
        Sees("B"),
        Needs("B", None, 8),
        Sees("C"),
        Needs("C", None, 8),
        Sees("D"),
        Needs("D", None, 0),
        Sees("E"),
        Thinks(2),
        Needs("E", MOVES, 0),
        Sees("F"),
        Needs("F", SEND, 2),
    ];
    let turns = [
        Never,
        Never,
        Never,
        Never,
        Says(1, "1 moves"),
        Says(2, "1 commits send"),
    ];
    check(
        &turns,
        &steps,
        GuardCounts {
            late: 3,
            ..counts(6, 2)
        },
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn no_answer_and_nonsense_are_no_opinion() {
    let steps = [Sees("A"), Needs("A", None, 1), Sees("A"), Needs("A", None, 0)];
    check(
        &[Fails(1)],
        &steps,
        GuardCounts {
            failed: 1,
            ..counts(1, 0)
        },
    )
    .await;
    for nonsense in [
        "",
        "It moves.",
        "I'd rather not say",
        "2 moves",
        "{\"action\":\"tap\"}",
    ] {
        let unread = GuardCounts {
            unread: 1,
            tokens: 420,
            ..counts(1, 0)
        };
        check(&[Says(1, nonsense)], &steps, unread).await;
    }
    // What nobody began is not waited for.
    check(&[], &[Needs("A", None, 0)], counts(0, 0)).await;
    // A page that comes back is asked about again.
    let steps = [
        Sees("A"),
        Thinks(2),
        Sees("B"),
        Thinks(2),
        Sees("A"),
        Needs("A", MOVES, 1),
    ];
    let turns = [Fails(1), Says(1, "1 moves"), Says(1, "1 moves")];
    check(
        &turns,
        &steps,
        GuardCounts {
            failed: 1,
            ..counts(3, 2)
        },
    )
    .await;
}

/// It says that everything moves: the opinion is told as it is, and the rules decide what it may clear.
#[tokio::test(start_paused = true)]
async fn a_lie_is_an_opinion() {
    check(
        &[Says(1, "1 moves")],
        &[Sees("Pay $5"), Needs("Pay $5", MOVES, 1)],
        counts(1, 1),
    )
    .await;
    let steps = [Sees("A"), Needs("A", Some(Say::Unclear), 1)];
    check(&[Says(1, "1 moves\nspeaks-to-assistant")], &steps, counts(1, 1)).await;
    check(&[Says(1, "1 moves\n1 commits pay")], &steps, counts(1, 1)).await;
}

#[tokio::test(start_paused = true)]
async fn something_without_words_is_shown() {
    let steps = [Sees(""), Needs("", MOVES, 1)];
    check(&[Says(1, "1 moves")], &steps, counts(1, 1)).await;
}

/// Of a pencil that became a tick nothing is known; of a button with words its place was never looked at.
#[tokio::test(start_paused = true)]
async fn something_drawn_otherwise_is_something_else() {
    let says = [Says(1, "1 moves"), Says(1, "1 commits send")];
    let steps = [Sees(""), Needs("", MOVES, 1), Drawn, Needs("", None, 0)];
    check(&says[..1], &steps, counts(1, 1)).await;
    let steps = [Sees(""), Needs("", MOVES, 1), Drawn, Sees(""), Needs("", SEND, 1)];
    check(&says, &steps, counts(2, 2)).await;
    let steps = [
        Sees("A"),
        Needs("A", MOVES, 1),
        Drawn,
        Sees("A"),
        Needs("A", MOVES, 0),
    ];
    check(&says[..1], &steps, counts(1, 1)).await;
}

#[tokio::test(start_paused = true)]
async fn without_a_guard_nothing_is_known() {
    let mut opinions = Opinions::new(Arc::new(NoGuard));
    opinions.begin(&question("A"), None);
    assert_eq!(opinions.opinion(&question("A"), None).await, None);
}

/// The memory is bounded: the oldest of 257 pages is asked about again.
#[tokio::test(start_paused = true)]
async fn so_many_pages_are_remembered() {
    let mut opinions = Opinions::new(Arc::new(Scripted(Mutex::new([Says(0, "1 moves"); 258].into()))));
    // Digits are left out of a page's key.
    let name = |n: u32| format!("page {}", "x".repeat(usize::try_from(n).unwrap() + 1));
    for n in 0..257 {
        opinions.begin(&question(&name(n)), None);
        opinions.progress().await;
    }
    opinions.begin(&question(&name(1)), None);
    assert_eq!(opinions.counts().asked, 257);
    opinions.begin(&question(&name(0)), None);
    assert_eq!(opinions.counts().asked, 258);
}
