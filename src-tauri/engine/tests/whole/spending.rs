//! What was spent today, over midnight.

use crate::automations::{BEGIN, Clock, open_engine};
use agent::ports::Journal;
use protocol::{Event, News, PhoneId, RunId, SpendingState, UnclearCode, Usage, What};
use std::sync::Arc;
use std::time::Duration;
use store::Store;
use tokio::sync::mpsc::UnboundedReceiver;

const BOUND: Duration = Duration::from_secs(60);
const HOUR: u64 = 60 * 60 * 1_000;

/// A run that took so much, written down at `BEGIN`.
async fn spend(store: &Store, dollars: f64) {
    let started = What::Started {
        goal: "Order the groceries".to_owned(),
        model: "m".to_owned(),
        demo_ai: false,
        automation: None,
        goes_on: None,
    };
    let unclear = What::Unclear {
        step: 1,
        code: UnclearCode::Empty,
        message: String::new(),
        raw: None,
        usage: Usage {
            input_tokens: 1_000,
            output_tokens: 10,
            dollars: Some(dollars),
            ..Usage::default()
        },
    };
    for (seq, what) in (1..).zip([started, unclear]) {
        let event = Event {
            run: RunId::from("r1"),
            phone: PhoneId::from("moto"),
            seq,
            at: BEGIN,
            what,
        };
        store.append(&event).await.unwrap();
    }
}

/// What is told of today's spending once it is so much.
async fn told(news: &mut UnboundedReceiver<News>, dollars: f64) -> SpendingState {
    let told = async {
        loop {
            if let News::Spent {
                dollars: Some(spent),
                state,
                ..
            } = news.recv().await.unwrap()
                && (spent - dollars).abs() < 1e-9
            {
                return state;
            }
        }
    };
    tokio::time::timeout(BOUND, told).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_that_was_reached_yesterday_is_not_today() {
    let folder = tempfile::tempdir().unwrap();
    spend(&Store::open(folder.path()).unwrap(), 6.0).await;
    let clock = Clock::at(BEGIN);
    let engine = open_engine(&folder, Vec::new(), false, &clock).await;
    let mut news = engine.listen();
    assert_eq!(told(&mut news, 6.0).await, SpendingState::Reached);
    clock.advance(24 * HOUR);
    assert_eq!(told(&mut news, 0.0).await, SpendingState::Fine);
    // With the engine, nobody looks at the clock any more.
    drop(engine);
    let ended = async {
        while Arc::strong_count(&clock) > 1 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(BOUND, ended).await.unwrap();
}
