//! The second opinion: one more try at most, and soon; the person's own model where there is no small one.

use super::*;
use crate::guard::GuardModel;
use agent::guard::Guard;
use protocol::{Bounds, Element, ElementState, Role};

fn question() -> judge::guard::Question {
    let button = Element {
        index: 1,
        track_id: "1".to_owned(),
        role: Role::Button,
        label: "More".to_owned(),
        description: None,
        value: None,
        states: vec![ElementState::Clickable],
        bounds: Bounds::default(),
        resource_id: String::new(),
        package: String::new(),
    };
    let screen = Screen {
        elements: vec![button],
        tree_read: true,
        tree_bounds: None,
        ..screen()
    };
    let page = judge::guard::Page {
        screen: &screen,
        task: "",
        app: "",
        site: None,
        version: "",
        signers: &[],
        eyes: false,
    };
    judge::guard::Question::of(&page).unwrap()
}

/// What comes of two questions, each with how many milliseconds it took, and which models were asked.
async fn check(
    small: Option<Vec<Turn>>,
    own: Vec<Turn>,
) -> (Vec<(Result<String, FailureCode>, u128)>, Vec<String>) {
    let (small, own) = (small.map(bench), bench(own));
    let seen = [
        small.as_ref().map(|bench| Arc::clone(&bench.seen)),
        Some(Arc::clone(&own.seen)),
    ];
    let second = GuardModel::of(small.map(|bench| bench.remote), own.remote);
    let mut came = Vec::new();
    for _ in 0..2 {
        let start = Instant::now();
        let reply = second.opinion(&question(), None).await;
        let told = reply.map(|reply| reply.text).map_err(|failure| failure.code);
        came.push((told, start.elapsed().as_millis()));
    }
    let asked = seen.map(|seen| seen.map_or(0, |seen| seen.lock().unwrap().len()));
    (
        came,
        vec![format!("small {}", asked[0]), format!("own {}", asked[1])],
    )
}

#[tokio::test(start_paused = true)]
async fn one_more_try_and_soon() {
    let ok = |ms| (Ok("ok".to_owned()), ms);
    let failed = |code, ms| (Err(code), ms);
    let busy = |seconds| super::busy(seconds);
    let (came, _) = check(None, vec![busy("1"), good(), busy("1"), busy("1")]).await;
    assert_eq!(came, [ok(1_000), failed(FailureCode::ModelBusy, 1_000)]);
    let (came, _) = check(None, vec![busy("9"), refuses(401, "{}")]).await;
    assert_eq!(
        came,
        [
            failed(FailureCode::ModelBusy, 0),
            failed(FailureCode::ModelKey, 0)
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn the_own_model_is_asked_where_there_is_no_small_one() {
    let missing = r#"{"error":{"message":"The model does not exist","code":"model_not_found"}}"#;
    let ok = || (Ok("ok".to_owned()), 0);
    let asked = check(Some(vec![refuses(404, missing)]), vec![good(), good()]).await;
    assert_eq!(
        asked,
        (vec![ok(), ok()], vec!["small 1".to_owned(), "own 2".to_owned()])
    );
    let asked = check(Some(vec![good(), good()]), vec![]).await;
    assert_eq!(
        asked,
        (vec![ok(), ok()], vec!["small 2".to_owned(), "own 0".to_owned()])
    );
}
