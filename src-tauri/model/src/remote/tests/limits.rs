//! Every time limit, in virtual time.

use super::*;

/// What the server does (twice: one more try is made), the reason, the milliseconds of both tries, and what is left of the
/// first one when the person is told that it takes long, if that is.
async fn check_limit(turn: impl Fn() -> Turn, expected: &str, ms: [u128; 2], left: Option<u128>) {
    let bench = bench(vec![turn(), turn()]);
    let course = bench.think().await;
    let failure = course.result.unwrap_err();
    assert_eq!(reason(&failure), (FailureCode::ModelSlow, expected));
    let told = left.into_iter().chain([1_000]);
    let told: Vec<_> = told.map(|ms| (FailureCode::ModelSlow, ms)).collect();
    assert_eq!(course.told, told);
    assert_eq!(course.ms, ms[0] + 1_000 + ms[1]);
}

#[tokio::test(start_paused = true)]
async fn every_time_limit_holds() {
    let seconds = Duration::from_secs;
    // After ten seconds it is said, after 45 it is tried again; whoever thinks long gets twice as long then.
    let first = [45_000, 90_000];
    check_limit(|| Turn::Silent, "first", first, Some(35_000)).await;
    check_limit(|| streams(&[Stalls]), "first", first, Some(35_000)).await;
    let stall = [30_000, 30_000];
    check_limit(|| streams(&[Text(HEAD), Stalls]), "stall", stall, Some(20_000)).await;
    check_limit(
        || streams(&[Text(HEAD), After(seconds(31)), Text(STOP)]),
        "stall",
        stall,
        Some(20_000),
    )
    .await;
    // That a server says it is working is no word of an answer, however often it does, before the first and after.
    let working = [Text(": still working\n\n"), After(seconds(3))].repeat(99);
    check_limit(|| streams(&working), "first", first, Some(35_000)).await;
    let pings = [
        Text("event: ping\ndata: {\"type\":\"ping\"}\n\n"),
        After(seconds(3)),
    ]
    .repeat(99);
    check_limit(|| streams(&pings), "first", first, Some(35_000)).await;
    let begun = [vec![Text(HEAD)], working].concat();
    check_limit(|| streams(&begun), "stall", stall, Some(20_000)).await;
    // Nor are the blanks that some send before a document.
    let blanks = [Text("\n"), After(seconds(3))].repeat(99);
    check_limit(|| streams(&blanks), "first", first, Some(35_000)).await;
    let whole = [180_000, 180_000];
    let drip = [Text(HEAD), After(seconds(29))].repeat(9);
    check_limit(|| streams(&drip), "whole", whole, Some(20_000)).await;
    check_limit(
        || Turn::Fails(ModelError::Slow(Phase::Connect)),
        "connect",
        [0, 0],
        None,
    )
    .await;
}

/// The head of an answer may drip: its bytes are no words either.
#[tokio::test(start_paused = true)]
async fn a_slow_answer_is_told_of_and_still_taken() {
    let late = streams(&[
        After(Duration::from_secs(12)),
        Text(HEAD),
        Text(STOP),
        Text(USAGE),
        Text(DONE),
    ]);
    let course = bench(vec![late]).think().await;
    assert_eq!(course.result.unwrap().text, "ok");
    assert_eq!(
        (course.told, course.ms),
        (vec![(FailureCode::ModelSlow, 35_000)], 12_000)
    );
    // The last try: nothing follows it, so nothing is promised.
    let course = bench(vec![
        Turn::Silent,
        streams(&[After(Duration::from_secs(60)), Text(HEAD), Text(STOP), Text(DONE)]),
    ])
    .think()
    .await;
    assert_eq!(course.result.unwrap().text, "ok");
    let slow = FailureCode::ModelSlow;
    assert_eq!(
        (course.told, course.ms),
        (vec![(slow, 35_000), (slow, 1_000)], 106_000)
    );
}

#[tokio::test(start_paused = true)]
async fn slow_is_fine_within_the_limits() {
    let slow = streams(&[
        After(Duration::from_secs(22)),
        Text(": still working\n\n"),
        After(Duration::from_secs(22)),
        Text(HEAD),
        After(Duration::from_secs(29)),
        Text(STOP),
        Text(USAGE),
        Text(DONE),
    ]);
    let course = bench(vec![slow]).think().await;
    assert_eq!(course.result.unwrap().text, "ok");
    assert_eq!((course.told.len(), course.ms), (1, 73_000));
}

#[tokio::test(start_paused = true)]
async fn after_the_last_word_nothing_is_lost_and_little_is_waited_for() {
    for (pieces, ms, input_tokens) in [
        (vec![Text(HEAD), Text(STOP), Stalls], 2_000, None),
        (vec![Text(HEAD), Text(STOP), Breaks], 0, None),
        (
            vec![Text(HEAD), Text(STOP), Text(USAGE), Text(DONE), Stalls],
            100,
            Some(2000),
        ),
        (
            vec![Text(HEAD), Text(STOP), Text(USAGE), Text(DONE), Breaks],
            0,
            Some(2000),
        ),
        (vec![Text(HEAD), Text(STOP)], 0, None),
        (vec![Text(HEAD), Text(DONE)], 0, None),
    ] {
        let course = bench(vec![streams(&pieces)]).think().await;
        let reply = course.result.unwrap();
        // What the server did not come to say is estimated.
        let counted = (!reply.usage.is_estimate).then_some(reply.usage.input_tokens);
        assert_eq!((reply.text.as_str(), counted), ("ok", input_tokens));
        assert_eq!(course.ms, ms);
    }
    // One that never stops talking.
    let chatter = [Text(": on and on\n\n"), After(Duration::from_secs(1))].repeat(400);
    let pieces = [vec![Text(HEAD), Text(STOP)], chatter].concat();
    let course = bench(vec![streams(&pieces)]).think().await;
    assert_eq!(course.result.unwrap().text, "ok");
    assert!(course.ms <= 181_000, "{}", course.ms);
}
