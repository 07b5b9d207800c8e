//! What is sent, and what is made of a good answer.

use super::*;

#[tokio::test(start_paused = true)]
async fn a_good_answer_is_priced() {
    let course = bench(vec![good()]).think().await;
    let reply = course.result.unwrap();
    assert_eq!(reply.text, "ok");
    assert_eq!((reply.usage.input_tokens, reply.usage.output_tokens), (2000, 100));
    let dollars = reply.usage.dollars.unwrap();
    assert!((dollars - 0.0035).abs() < 1e-12, "{dollars}");
    assert_eq!((course.told.len(), course.ms), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn what_is_not_known_is_not_invented() {
    let mut unpriced = bench(vec![good()]);
    unpriced.remote.price = None;
    assert_eq!(unpriced.think().await.result.unwrap().usage.dollars, None);
    let nonsense = Price {
        output: f64::NAN,
        ..Price::default()
    };
    assert_eq!(price::sound(&nonsense), None);
}

/// A server that counts nothing must not make the limit of a day endless.
#[tokio::test(start_paused = true)]
async fn what_is_not_counted_is_estimated_and_says_so() {
    let course = bench(vec![streams(&[Text(HEAD), Text(STOP), Text(DONE)])])
        .think()
        .await;
    let usage = course.result.unwrap().usage;
    assert!(usage.is_estimate);
    assert!(usage.input_tokens > 0 && usage.output_tokens > 0, "{usage:?}");
    assert!(usage.dollars.is_some_and(|dollars| dollars > 0.0), "{usage:?}");
}

/// A word, then a tap on a cross, which is shown as every screen is.
#[tokio::test(start_paused = true)]
async fn the_test_of_the_connection_is_two_small_requests() {
    const TAP: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"{\\\"type\\\": \\\"tap\\\", \\\"x\\\": 432, \\\"y\\\": 277}\"}}]}\n\n";
    let slow = streams(&[
        After(Duration::from_millis(1500)),
        Text(HEAD),
        Text(STOP),
        Text(DONE),
    ]);
    let empty = || streams(&[Text(STOP), Text(DONE)]);
    let bench = bench(vec![
        slow,
        streams(&[Text(TAP), Text(STOP), Text(DONE)]),
        empty(),
        empty(),
        refuses(401, r#"{"error":{"message":"no"}}"#),
        good(),
        refuses(
            404,
            r#"{"error":{"message":"no endpoints found that support image input"}}"#,
        ),
        refuses(500, "{}"),
    ]);
    let tried = |ms, aim| Ok(Tried { ms, aim });
    assert_eq!(bench.remote.try_it().await, tried(1500, PointingTest::Hit));
    // An empty answer shows that the connection works.
    assert_eq!(bench.remote.try_it().await, tried(0, PointingTest::NoPoint));
    let mut codes = Vec::new();
    for _ in 0..3 {
        codes.push(bench.remote.try_it().await.unwrap_err().code);
    }
    assert_eq!(
        codes,
        [
            FailureCode::ModelKey,
            FailureCode::ModelPicture,
            FailureCode::ModelServer
        ],
        "told at once, without another try"
    );
    let content = bench.body(1)["messages"][1]["content"].to_string();
    assert!(
        content.contains("red cross") && content.contains("data:image/"),
        "{content}"
    );
    let sent = |n: usize| bench.seen.lock().unwrap()[n].body.as_ref().unwrap().len();
    assert!(sent(0) < 500, "{}", sent(0));
    assert!(sent(1) < 30_000, "{}", sent(1));
}

#[tokio::test(start_paused = true)]
async fn a_broken_picture_is_a_fault_of_ours() {
    let broken = Frame {
        width: 10,
        height: 10,
        rgba: vec![0; 3].into(),
    };
    let bench = bench(Vec::new());
    let failure = bench
        .remote
        .think(&prompt(Some(broken)), &|_, _| {})
        .await
        .unwrap_err();
    assert_eq!(failure.code, FailureCode::Internal);
}

#[tokio::test(start_paused = true)]
async fn the_request_is_what_openai_documents() {
    let bench = bench(vec![good()]);
    let picture = Frame {
        width: 32,
        height: 48,
        rgba: vec![200; 32 * 48 * 4].into(),
    };
    bench
        .remote
        .think(&prompt(Some(picture)), &|_, _| {})
        .await
        .unwrap();
    let mut body = bench.body(0);
    let url = &mut body["messages"][1]["content"][1]["image_url"]["url"];
    let data = url
        .as_str()
        .unwrap()
        .strip_prefix("data:image/png;base64,")
        .unwrap();
    let png = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, data).unwrap();
    let sent = screen::picture::decode_png(&png).unwrap();
    assert_eq!((sent.width, sent.height), (32, 48));
    *url = "[a PNG]".into();
    let system = body["messages"][0]["content"].as_str().unwrap().to_owned();
    let (said, how) = system.split_once("\n\n").unwrap();
    assert_eq!(how, agent::prompt::IN_TEXT);
    body["messages"][0]["content"] = said.into();
    insta::assert_json_snapshot!(body, @r#"
    {
      "model": "some-model",
      "messages": [
        {
          "role": "system",
          "content": "You operate a phone."
        },
        {
          "role": "user",
          "content": [
            {
              "type": "text",
              "text": "Task: open Settings\n"
            },
            {
              "type": "image_url",
              "image_url": {
                "url": "[a PNG]"
              }
            },
            {
              "type": "text",
              "text": "The screen now: app unknown"
            }
          ]
        }
      ],
      "stream": true,
      "stream_options": {
        "include_usage": true
      },
      "max_tokens": 8192,
      "temperature": 0
    }
    "#);
    let post = bench.seen.lock().unwrap()[0].clone();
    insta::assert_debug_snapshot!((post.url.as_str(), post.headers), @r#"
    (
        "https://api.example.org/v1/chat/completions",
        {
            "authorization": Sensitive,
            "content-type": "application/json",
            "accept": "text/event-stream, application/json",
        },
    )
    "#);
}
