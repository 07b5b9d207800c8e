//! Another try: when, how often, and what is learned on the way.

use super::*;

#[tokio::test(start_paused = true)]
async fn the_server_is_left_alone_for_as_long_as_it_asks() {
    let bench = bench(vec![busy("7"), busy("30"), good()]);
    let course = bench.think().await;
    assert_eq!(course.result.unwrap().text, "ok");
    assert_eq!(
        course.told,
        [(FailureCode::ModelBusy, 7_000), (FailureCode::ModelBusy, 30_000)]
    );
    assert_eq!(course.ms, 37_000);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_asks_for_an_hour_is_not_waited_for() {
    let course = bench(vec![busy("3600")]).think().await;
    let failure = course.result.unwrap_err();
    assert_eq!(
        failure.code,
        FailureCode::ModelLater,
        "a moment is not what it takes"
    );
    assert_eq!(failure.values["seconds"], "3600");
    assert_eq!((course.told.len(), course.ms), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn tries_end() {
    let down = || refuses(500, r#"{"error":{"message":"oh no"}}"#);
    let bench = bench((0..9).map(|_| down()).collect());
    let course = bench.think().await;
    let failure = course.result.unwrap_err();
    assert_eq!(reason(&failure), (FailureCode::ModelServer, "trouble"));
    assert_eq!(failure.values["status"], "500");
    assert_eq!(failure.values["host"], "api.example.org");
    assert_eq!(failure.values["model"], "some-model");
    assert_eq!(failure.detail.as_deref(), Some("oh no"));
    assert_eq!(bench.requests(), 5);
    let waits: Vec<u128> = course.told.iter().map(|(_, ms)| *ms).collect();
    assert_eq!(waits, [1_000, 2_000, 4_000, 8_000]);
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_broke_is_asked_for_again_as_a_whole() {
    let broken = streams(&[
        Text("data: {\"choices\":[{\"delta\":{\"content\":\"NOT THIS\"}}]}\n\n"),
        Breaks,
    ]);
    let course = bench(vec![broken, streams(&[Text(HEAD)]), good()]).think().await;
    assert_eq!(course.result.unwrap().text, "ok");
    assert_eq!(
        course.told,
        [(FailureCode::ModelCut, 1_000), (FailureCode::ModelCut, 2_000)]
    );
}

#[tokio::test(start_paused = true)]
async fn tokens_of_a_failed_try_were_paid_for_too() {
    let empty = streams(&[Text(STOP), Text(USAGE), Text(DONE)]);
    let reply = bench(vec![empty, good()]).think().await.result.unwrap();
    assert_eq!((reply.usage.input_tokens, reply.usage.output_tokens), (4000, 200));
}

/// Without an answer they are kept for whoever counts, once; so is about as much as was sent where nobody waited for it.
#[tokio::test(start_paused = true)]
async fn what_brought_no_answer_was_paid_for_too() {
    let cut = "data: {\"choices\":[{\"delta\":{\"content\":\"{\"},\"finish_reason\":\"length\"}]}\n\n";
    let bench = bench(vec![
        streams(&[Text(cut), Text(USAGE), Text(DONE)]),
        Turn::Silent,
        good(),
    ]);
    let failure = bench.think().await.result.unwrap_err();
    assert_eq!(failure.code, FailureCode::ModelLong);
    assert_eq!(counted(&bench), [(2000, 100, false)]);
    assert_eq!(counted(&bench), []);
    let given_up = tokio::time::timeout(Duration::from_secs(1), bench.think()).await;
    assert!(given_up.is_err());
    let estimate = counted(&bench);
    assert!(
        matches!(estimate[..], [(sent, _, true)] if sent > 0),
        "{estimate:?}"
    );
    bench.think().await.result.unwrap();
    assert_eq!(counted(&bench), []);
}

/// Tokens read and written without an answer, and whether that is a guess, since this was asked last.
fn counted(bench: &Bench) -> Vec<(u64, u64, bool)> {
    let unanswered = bench.remote.take_unanswered();
    let tokens = unanswered
        .iter()
        .map(|usage| (usage.input_tokens, usage.output_tokens, usage.is_estimate));
    tokens.collect()
}

/// What timed out or broke off was read, and is billed; what never arrived is not.
#[tokio::test(start_paused = true)]
async fn a_try_that_was_read_is_counted_though_nobody_could_say_how_much() {
    let offline = ModelError::Offline {
        why: ConnectionFailure::Lost,
        text: String::new(),
    };
    for (lost, guesses) in [
        (Turn::Silent, 1),
        (streams(&[Stalls]), 1),
        (streams(&[Text(HEAD), Stalls]), 1),
        (streams(&[Text(HEAD), Breaks]), 1),
        (Turn::Fails(ModelError::Slow(Phase::Connect)), 0),
        (Turn::Fails(offline), 0),
        (busy("1"), 0),
    ] {
        let bench = bench(vec![lost, good()]);
        let usage = bench.think().await.result.unwrap().usage;
        assert_eq!((usage.input_tokens, usage.is_estimate), (2000, false));
        let counted = counted(&bench);
        assert_eq!(counted.len(), guesses, "{counted:?}");
        assert!(counted.iter().all(|(sent, _, is_guess)| *sent > 0 && *is_guess));
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_not_counted_is_estimated_whatever_was_counted_before_it() {
    let empty = streams(&[Text(STOP), Text(USAGE), Text(DONE)]);
    let silent = streams(&[Text(HEAD), Text(STOP), Text(DONE)]);
    let bench = bench(vec![empty, silent]);
    let usage = bench.think().await.result.unwrap().usage;
    assert!(
        usage.is_estimate && (1..2000).contains(&usage.input_tokens),
        "{usage:?}"
    );
    assert_eq!(counted(&bench), [(2000, 100, false)]);
}

#[tokio::test(start_paused = true)]
async fn no_network_is_waited_for_a_little() {
    let offline = || {
        Turn::Fails(ModelError::Offline {
            why: ConnectionFailure::Name,
            text: "dns error".to_owned(),
        })
    };
    let course = bench(vec![offline(), offline(), good()]).think().await;
    assert_eq!(course.result.unwrap().text, "ok");
    assert_eq!(
        course.told,
        [
            (FailureCode::ModelOffline, 1_000),
            (FailureCode::ModelOffline, 2_000)
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn what_a_server_does_not_take_is_learned_once() {
    let bench = bench(vec![
        refuses(
            400,
            r#"{"error":{"message":"Unrecognized request argument supplied: stream_options"}}"#,
        ),
        refuses(
            422,
            r#"{"detail":[{"loc":["body","max_tokens"],"msg":"Extra inputs are not permitted"}]}"#,
        ),
        refuses(
            400,
            r#"{"error":{"message":"Unsupported value","param":"temperature"}}"#,
        ),
        good(),
        good(),
    ]);
    let course = bench.think().await;
    assert_eq!(course.result.unwrap().text, "ok");
    assert_eq!(
        (course.told.len(), course.ms),
        (0, 0),
        "learning is no trouble and takes no wait"
    );
    bench.think().await.result.unwrap();
    assert_eq!(bench.requests(), 5, "the second time nothing is asked in vain");
    let body = bench.body(4);
    let fields: Vec<&String> = body.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["model", "messages", "stream", "max_completion_tokens"]);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_of_something_else_is_told_at_once() {
    let bench = bench(vec![refuses(
        400,
        r#"{"error":{"message":"messages: role must alternate"}}"#,
    )]);
    let failure = bench.think().await.result.unwrap_err();
    assert_eq!(reason(&failure), (FailureCode::ModelServer, "refused"));
    assert_eq!(bench.requests(), 1);
}
