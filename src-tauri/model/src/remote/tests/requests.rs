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
    let mut uncounted = bench(vec![streams(&[Text(HEAD), Text(STOP), Text(DONE)])]);
    assert_eq!(uncounted.think().await.result.unwrap().usage, Usage::default());
    uncounted = bench(vec![good()]);
    uncounted.remote.price = None;
    assert_eq!(uncounted.think().await.result.unwrap().usage.dollars, None);
    let nonsense = Price {
        output: f64::NAN,
        ..Price::default()
    };
    assert_eq!(price::sound(&nonsense), None);
}

#[tokio::test(start_paused = true)]
async fn the_test_of_the_connection_is_one_small_request() {
    let slow = streams(&[
        After(Duration::from_millis(1500)),
        Text(HEAD),
        Text(STOP),
        Text(DONE),
    ]);
    let bench = bench(vec![
        slow,
        streams(&[Text(STOP), Text(DONE)]),
        refuses(401, r#"{"error":{"message":"no"}}"#),
        refuses(
            404,
            r#"{"error":{"message":"no endpoints found that support image input"}}"#,
        ),
        refuses(500, "{}"),
    ]);
    assert_eq!(bench.remote.try_it().await, Ok(Duration::from_millis(1500)));
    assert!(
        bench.remote.try_it().await.is_ok(),
        "an empty answer shows that the connection works"
    );
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
    assert!(
        bench.body(0)["messages"][1]["content"][1]["image_url"]["url"]
            .as_str()
            .unwrap()
            .starts_with("data:image/jpeg;base64,")
    );
    assert!(bench.seen.lock().unwrap()[0].body.as_ref().unwrap().len() < 2_500);
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
        .strip_prefix("data:image/jpeg;base64,")
        .unwrap();
    let jpeg = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, data).unwrap();
    let sent = screen::picture::decode_jpeg(&jpeg).unwrap();
    assert_eq!((sent.width, sent.height), (32, 48));
    *url = "[a JPEG]".into();
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
              "text": "Task: open Settings"
            },
            {
              "type": "image_url",
              "image_url": {
                "url": "[a JPEG]"
              }
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
