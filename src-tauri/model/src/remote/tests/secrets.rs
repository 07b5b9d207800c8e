//! The key: where it comes from, where it goes, and where it never is.

use super::*;

#[tokio::test(start_paused = true)]
async fn keys_are_asked_for_only_where_they_are_needed() {
    let mut without = bench(vec![good()]);
    without.remote.keys = Arc::new(NoKey);
    assert_eq!(
        without.think().await.result.unwrap_err().code,
        FailureCode::ModelKeyMissing
    );
    without.remote.keys = Arc::new(FixedKey("  \n".into()));
    assert_eq!(
        without.think().await.result.unwrap_err().code,
        FailureCode::ModelKeyMissing
    );
    without.remote.keys = Arc::new(FixedKey("two\nlines".into()));
    let failure = without.think().await.result.unwrap_err();
    assert_eq!(reason(&failure), (FailureCode::ModelKey, "characters"));
    assert_eq!(without.requests(), 0);

    without.remote.keys = Arc::new(NoKey);
    without.remote.address = Address::read("http://localhost:11434/v1", PlainHttp::Refused).unwrap();
    assert_eq!(without.think().await.result.unwrap().text, "ok");
    assert!(
        without.seen.lock().unwrap()[0]
            .headers
            .get(AUTHORIZATION)
            .is_none()
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_here_that_wants_a_key_says_so() {
    let mut bench = bench(vec![refuses(401, r#"{"error":"Unauthorized"}"#)]);
    bench.remote.keys = Arc::new(NoKey);
    bench.remote.address = Address::read("http://localhost:8000/v1", PlainHttp::Refused).unwrap();
    assert_eq!(
        bench.think().await.result.unwrap_err().code,
        FailureCode::ModelKeyMissing
    );
}

#[tokio::test(start_paused = true)]
async fn what_the_keychain_says_is_passed_on() {
    struct Says(FailureCode);
    #[async_trait]
    impl Keys for Says {
        async fn key(&self) -> Result<Option<SecretString>, Failure> {
            Err(Failure {
                code: self.0,
                values: std::collections::BTreeMap::new(),
                detail: None,
            })
        }
    }
    let mut bench = bench(vec![good()]);
    for code in [FailureCode::KeychainRefused, FailureCode::KeychainMissing] {
        bench.remote.keys = Arc::new(Says(code));
        assert_eq!(bench.think().await.result.unwrap_err().code, code);
    }
    assert_eq!(bench.requests(), 0);

    // On this computer a key may not be needed: where there is no keychain it is tried without, where one is locked not.
    bench.remote.address = Address::read("http://localhost:11434/v1", PlainHttp::Refused).unwrap();
    bench.remote.keys = Arc::new(Says(FailureCode::KeychainRefused));
    assert_eq!(
        bench.think().await.result.unwrap_err().code,
        FailureCode::KeychainRefused
    );
    bench.remote.keys = Arc::new(Says(FailureCode::KeychainMissing));
    assert_eq!(bench.think().await.result.unwrap().text, "ok");
}

#[tokio::test(start_paused = true)]
async fn azure_gets_the_key_its_own_way() {
    let mut bench = bench(vec![good()]);
    bench.remote.address =
        Address::read("https://shop.openai.azure.com/openai/v1", PlainHttp::Refused).unwrap();
    bench.think().await.result.unwrap();
    let headers = bench.seen.lock().unwrap()[0].headers.clone();
    assert!(headers.get(AUTHORIZATION).is_none());
    assert!(headers["api-key"].is_sensitive());
}

#[tokio::test(start_paused = true)]
async fn the_key_is_in_one_header_and_nowhere_else() {
    let echo = r#"{"error":{"message":"Incorrect API key provided: MARKER-key-1234567890 (MARKER-k*******7890). Tell nobody 'MARKER-key-1234567890'."}}"#;
    let bench = bench(vec![refuses(401, echo)]);
    let failure = bench.think().await.result.unwrap_err();
    let post = bench.seen.lock().unwrap()[0].clone();
    assert_eq!(post.headers[AUTHORIZATION], "Bearer MARKER-key-1234567890");
    for shown in [
        format!("{failure:?}"),
        serde_json::to_string(&failure).unwrap(),
        format!("{post:?}"),
        format!("{:?}", bench.remote),
        String::from_utf8(post.body.unwrap().to_vec()).unwrap(),
    ] {
        assert!(!shown.contains("MARKER"), "{shown}");
        assert!(!shown.contains("7890"), "{shown}");
    }
    assert!(
        failure
            .detail
            .unwrap()
            .starts_with("Incorrect API key provided: [key]")
    );
}

/// What an AI answers is shown, kept, and sent again with the next step.
#[tokio::test(start_paused = true)]
async fn a_key_that_a_server_says_back_is_no_answer() {
    const ECHO: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"I have MARKER-key-12\"}}]}\n\n";
    const REST: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"34567890 of you\"}}]}\n\n";
    let bench = bench(vec![streams(&[Text(ECHO), Text(REST), Text(STOP), Text(DONE)])]);
    let reply = bench.think().await.result.unwrap();
    assert_eq!(reply.text, "I have [key] of you");
}

#[tokio::test(start_paused = true)]
async fn details_are_bounded_and_hold_no_picture() {
    let body: &'static str = Box::leak(
        format!(
            r#"{{"error":{{"message":"cannot read data:image/jpeg;base64,{} at all{}"}}}}"#,
            "QUJD".repeat(5_000),
            " word".repeat(5_000)
        )
        .into_boxed_str(),
    );
    let failure = bench(vec![refuses(418, body)]).think().await.result.unwrap_err();
    let detail = failure.detail.unwrap();
    assert!(detail.starts_with("cannot read […]"), "{detail}");
    assert!(detail.chars().count() <= 600);
}
