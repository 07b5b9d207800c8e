//! Every time limit, in virtual time.

use super::*;

/// What the server does (twice: one more try is made), the reason, and the milliseconds of one try.
async fn check_limit(turn: impl Fn() -> Turn, expected: &str, ms: u128) {
    let bench = bench(vec![turn(), turn()]);
    let course = bench.think().await;
    let failure = course.result.unwrap_err();
    assert_eq!(reason(&failure), (FailureCode::ModelSlow, expected));
    assert_eq!(course.told, [(FailureCode::ModelSlow, 1_000)]);
    assert_eq!(course.ms, ms * 2 + 1_000);
}

#[tokio::test(start_paused = true)]
async fn every_time_limit_holds() {
    let seconds = Duration::from_secs;
    check_limit(|| Turn::Silent, "first", 60_000).await;
    check_limit(|| streams(&[Stalls]), "first", 60_000).await;
    check_limit(|| streams(&[Text(HEAD), Stalls]), "stall", 30_000).await;
    check_limit(
        || streams(&[Text(HEAD), After(seconds(31)), Text(STOP)]),
        "stall",
        30_000,
    )
    .await;
    // A server may say "still working" for a while, but not for ever.
    let working = [Text(": still working\n\n"), After(seconds(59))].repeat(9);
    check_limit(|| streams(&working), "whole", 180_000).await;
    let drip = [Text(HEAD), After(seconds(29))].repeat(9);
    check_limit(|| streams(&drip), "whole", 180_000).await;
    check_limit(|| Turn::Fails(Trouble::Slow(Phase::Connect)), "connect", 0).await;
}

#[tokio::test(start_paused = true)]
async fn slow_is_fine_within_the_limits() {
    let slow = streams(&[
        After(Duration::from_secs(59)),
        Text(": still working\n\n"),
        After(Duration::from_secs(59)),
        Text(HEAD),
        After(Duration::from_secs(29)),
        Text(STOP),
        Text(USAGE),
        Text(DONE),
    ]);
    let course = bench(vec![slow]).think().await;
    assert_eq!(course.result.unwrap().text, "ok");
    assert_eq!((course.told.len(), course.ms), (0, 147_000));
}

#[tokio::test(start_paused = true)]
async fn after_the_last_word_nothing_is_lost_and_little_is_waited_for() {
    for (pieces, ms, input_tokens) in [
        (vec![Text(HEAD), Text(STOP), Stalls], 2_000, 0),
        (vec![Text(HEAD), Text(STOP), Breaks], 0, 0),
        (
            vec![Text(HEAD), Text(STOP), Text(USAGE), Text(DONE), Stalls],
            100,
            2000,
        ),
        (
            vec![Text(HEAD), Text(STOP), Text(USAGE), Text(DONE), Breaks],
            0,
            2000,
        ),
        (vec![Text(HEAD), Text(STOP)], 0, 0),
        (vec![Text(HEAD), Text(DONE)], 0, 0),
    ] {
        let course = bench(vec![streams(&pieces)]).think().await;
        let reply = course.result.unwrap();
        assert_eq!(
            (reply.text.as_str(), reply.usage.input_tokens),
            ("ok", input_tokens)
        );
        assert_eq!(course.ms, ms);
    }
    // One that never stops talking.
    let chatter = [Text(": on and on\n\n"), After(Duration::from_secs(1))].repeat(400);
    let pieces = [vec![Text(HEAD), Text(STOP)], chatter].concat();
    let course = bench(vec![streams(&pieces)]).think().await;
    assert_eq!(course.result.unwrap().text, "ok");
    assert!(course.ms <= 181_000, "{}", course.ms);
}
