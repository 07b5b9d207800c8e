//! What differs by shape and by model: tools, text, the other shape, a shorter history, and money.

use super::*;
use agent::history::History;
use agent::prompt::{HistoryLine, PromptParts, build};
use serde_json::{Value, json};

/// A good answer in each shape: a call of the tool, 2,000 tokens read (1,000 of them kept before), 100 written.
fn calls(shape: WireShape) -> Turn {
    streams(&[Text(match shape {
        WireShape::Chat => concat!(
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"phone\",\"arguments\":\"{\\\"type\\\":\\\"wait\\\"}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n",
            "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":2000,\"completion_tokens\":100,\"prompt_tokens_details\":{\"cached_tokens\":1000}}}\n\ndata: [DONE]\n\n",
        ),
        WireShape::Responses => concat!(
            "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[{\"type\":\"function_call\",\"call_id\":\"a\",\"name\":\"phone\",\"arguments\":\"{\\\"type\\\":\\\"wait\\\"}\"}],",
            "\"usage\":{\"input_tokens\":2000,\"output_tokens\":100,\"input_tokens_details\":{\"cached_tokens\":1000}}}}\n\n",
        ),
        WireShape::Messages => concat!(
            "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":1000,\"cache_read_input_tokens\":1000,\"output_tokens\":1}}}\n\n",
            "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"phone\",\"input\":{}}}\n\n",
            "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"type\\\":\\\"wait\\\"}\"}}\n\n",
            "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"output_tokens\":100}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
        ),
        WireShape::GenerateContent => concat!(
            "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"phone\",\"args\":{\"type\":\"wait\"}}}]},\"finishReason\":\"STOP\",\"index\":0}],",
            "\"usageMetadata\":{\"promptTokenCount\":2000,\"cachedContentTokenCount\":1000,\"candidatesTokenCount\":100}}\n\n",
        ),
        WireShape::Completions => concat!(
            "data: {\"choices\":[{\"index\":0,\"text\":\"{\\\"type\\\":\"}]}\n\n",
            "data: {\"choices\":[{\"index\":0,\"text\":\" \\\"wait\\\"}\",\"finish_reason\":\"stop\"}]}\n\n",
            "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":2000,\"completion_tokens\":100,\"prompt_tokens_details\":{\"cached_tokens\":1000}}}\n\ndata: [DONE]\n\n",
        ),
    })])
}

/// The same answer, broken off in its middle.
fn cut(shape: WireShape) -> Turn {
    streams(&[
        Text(match shape {
            WireShape::Chat => HEAD,
            WireShape::Responses => {
                "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"content_index\":0,\"delta\":\"half\"}\n\n"
            }
            WireShape::Messages => {
                "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"half\"}}\n\n"
            }
            WireShape::GenerateContent => {
                "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"half\"}]}}]}\n\n"
            }
            WireShape::Completions => "data: {\"choices\":[{\"text\":\"half\"}]}\n\n",
        }),
        Breaks,
    ])
}

/// Those that look at pictures and call tools.
const SHAPES: [WireShape; 4] = [
    WireShape::Chat,
    WireShape::Responses,
    WireShape::Messages,
    WireShape::GenerateContent,
];

fn chosen(shape: WireShape) -> ChosenModel {
    ChosenModel {
        model: "some-model".to_owned(),
        base_url: Some("https://api.example.org/v1".to_owned()),
        shape: Some(shape),
        price: Some(Price {
            input: 2.0,
            cached_input: Some(0.5),
            output: 10.0,
            ..Price::default()
        }),
        ..ChosenModel::default()
    }
}

fn frame() -> Frame {
    Frame {
        width: 32,
        height: 48,
        rgba: vec![200; 32 * 48 * 4].into(),
    }
}

#[tokio::test(start_paused = true)]
async fn each_shape_acts_by_tool_and_is_priced() {
    for shape in SHAPES {
        let bench = bench_of(chosen(shape), vec![calls(shape)]);
        let reply = bench
            .remote
            .think(&prompt(Some(frame())), &|_, _| {})
            .await
            .unwrap();
        let parsed = dialect::parse(&reply.text, None).unwrap();
        assert_eq!(parsed.dialect, dialect::Dialect::ToolCall, "{shape:?}");
        let usage = reply.usage;
        assert_eq!(
            (usage.input_tokens, usage.cached_tokens, usage.output_tokens),
            (2_000, 1_000, 100),
            "{shape:?}"
        );
        // 1,000 at 2, 1,000 at 0.5, 100 at 10 dollars a million.
        assert!(
            (usage.dollars.unwrap() - 0.0035).abs() < 1e-12,
            "{shape:?}: {usage:?}"
        );

        let mut body = bench.body(0);
        shorten(&mut body);
        let request = bench.seen.lock().unwrap()[0].clone();
        let sent = json!({
            "url": request.url.as_str(),
            "headers": request.headers.keys().map(ToString::to_string).collect::<Vec<_>>(),
            "body": body,
        });
        insta::assert_json_snapshot!(format!("{shape:?}").to_lowercase(), sent);
    }
}

/// The tool's fields and the picture's bytes: shown elsewhere.
fn shorten(json: &mut Value) {
    match json {
        Value::Object(fields) => {
            for (name, value) in fields {
                if ["parameters", "input_schema"].contains(&name.as_str()) {
                    assert_eq!(value["required"], json!(["thought", "type"]));
                    *value = "[the tool's fields]".into();
                } else {
                    shorten(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(shorten),
        Value::String(text) if text.len() > 300 => *text = "[a picture]".to_owned(),
        _ => {}
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_without_tools_is_written_to_and_that_is_remembered() {
    let tool = |bench: &Bench, n: usize| {
        let body = bench.body(n);
        (body["tools"].is_array(), body["tool_choice"].clone())
    };
    let bench = bench_of(
        chosen(WireShape::Chat),
        vec![
            refuses(
                400,
                r#"{"error":{"message":"tool_choice 'specified' is incompatible with thinking enabled"}}"#,
            ),
            refuses(
                400,
                r#"{"error":{"message":"registry.ollama.ai/library/x does not support tools"}}"#,
            ),
            good(),
            good(),
        ],
    );
    let course = bench.think().await;
    assert_eq!(course.result.unwrap().text, "ok");
    assert_eq!((course.told.len(), course.ms), (0, 0), "no trouble, no wait");
    assert!(bench.think().await.result.is_ok());
    assert_eq!(bench.requests(), 4, "the second time nothing is asked in vain");
    assert!(tool(&bench, 0).1.is_object());
    assert_eq!(tool(&bench, 1), (true, json!("auto")));
    assert_eq!(tool(&bench, 2), (false, Value::Null));
    assert_eq!(tool(&bench, 3), (false, Value::Null));
    let system = bench.body(3)["messages"][0]["content"].clone();
    assert_eq!(
        system,
        format!("You operate a phone.\n\n{}", agent::prompt::IN_TEXT),
        "a JSON object is asked for"
    );

    // OpenRouter has its own words, and another status, for the same.
    let bench = bench_of(
        chosen(WireShape::Chat),
        vec![
            refuses(
                404,
                r#"{"error":{"message":"No endpoints found that support tool use","code":404}}"#,
            ),
            good(),
        ],
    );
    assert!(bench.think().await.result.is_ok());
    assert_eq!(tool(&bench, 1), (false, Value::Null));
}

#[tokio::test(start_paused = true)]
async fn between_chat_and_responses_the_one_that_is_there_is_found_and_remembered() {
    let paths = |bench: &Bench| -> Vec<String> {
        let seen = bench.seen.lock().unwrap();
        seen.iter()
            .map(|request| request.url.path().trim_start_matches("/v1").to_owned())
            .collect()
    };
    let only_responses = r#"{"error":{"message":"This model is only supported in v1/responses and not in v1/chat/completions.","type":"invalid_request_error","param":"model","code":null}}"#;
    let bench = bench_of(
        chosen(WireShape::Chat),
        vec![
            refuses(404, only_responses),
            calls(WireShape::Responses),
            calls(WireShape::Responses),
        ],
    );
    assert!(bench.think().await.result.is_ok());
    assert!(bench.think().await.result.is_ok());
    assert_eq!(paths(&bench), ["/chat/completions", "/responses", "/responses"]);

    let bench = bench_of(
        chosen(WireShape::Responses),
        vec![
            refuses(404, "404 page not found"),
            calls(WireShape::Chat),
            calls(WireShape::Chat),
        ],
    );
    assert!(bench.think().await.result.is_ok());
    assert!(bench.think().await.result.is_ok());
    assert_eq!(
        paths(&bench),
        ["/responses", "/chat/completions", "/chat/completions"]
    );

    // Neither: what the first said, and the first is asked again the next time.
    let bench = bench_of(
        chosen(WireShape::Chat),
        vec![
            refuses(404, "404 page not found"),
            refuses(404, "nothing here either"),
            calls(WireShape::Chat),
        ],
    );
    let failure = bench.think().await.result.unwrap_err();
    assert_eq!(reason(&failure), (FailureCode::ModelAddress, "path"));
    assert_eq!(failure.detail.as_deref(), Some("404 page not found"));
    assert!(bench.think().await.result.is_ok());
    assert_eq!(
        paths(&bench),
        ["/chat/completions", "/responses", "/chat/completions"]
    );
}

#[tokio::test(start_paused = true)]
async fn too_long_a_history_is_shortened_and_tried_again() {
    let mut history = History::default();
    for step in 1..=12 {
        history.push(step, r#"{"type":"wait"}"#, format!("done number {step}"));
    }
    let capabilities = ModelCapabilities {
        picture: false,
        elements: false,
        marks: false,
        longest_side: 1280,
        longest_beside: 768,
    };
    let prompt = build(&PromptParts {
        goal: "Open Settings",
        said: &[],
        step: (13, 50),
        history: &history,
        screen: &screen(),
        picture: None,
        is_same: false,
        apps: None,
        show: None,
        capabilities,
        scripts_here: None,
        notes: &[],
        saved: &[],
        pointing: agent::pointing::Pointing::SCREEN,
    });
    let too_long = || {
        refuses(
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
        )
    };
    let lines = |bench: &Bench, n: usize| {
        let body = bench.body(n).to_string();
        (1..=12)
            .filter(|step| body.contains(&format!("done number {step}\\n")))
            .collect::<Vec<u32>>()
    };
    let bench = bench_of(
        chosen(WireShape::Messages),
        vec![too_long(), too_long(), calls(WireShape::Messages)],
    );
    bench.remote.think(&prompt, &|_, _| {}).await.unwrap();
    assert_eq!(lines(&bench, 0), (1..=12).collect::<Vec<_>>());
    assert_eq!(lines(&bench, 1), (7..=12).collect::<Vec<_>>());
    assert_eq!(lines(&bench, 2), (10..=12).collect::<Vec<_>>());

    // It does not go on for ever, and ends in one sentence.
    let bench = bench_of(chosen(WireShape::Messages), (0..9).map(|_| too_long()).collect());
    let failure = bench.remote.think(&prompt, &|_, _| {}).await.unwrap_err();
    assert_eq!(failure.code, FailureCode::ModelContext);
    assert_eq!(bench.requests(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_trained_model_is_asked_in_its_words_and_a_question_beside_the_task_is_not() {
    let mut model = chosen(WireShape::Chat);
    model.model = "autoglm-phone-9b".to_owned();
    let bench = bench_of(model, vec![good(), good()]);
    let mut step = prompt(None);
    step.facts.goal = "Open Settings".to_owned();
    step.facts.history.push(HistoryLine {
        step: 1,
        action: r#"{"type":"keyevent","keycode":"KEYCODE_HOME"}"#.to_owned(),
        result: "done".to_owned(),
        ..HistoryLine::default()
    });
    bench.remote.think(&step, &|_, _| {}).await.unwrap();
    let body = bench.body(0);
    assert!(body["tools"].is_null());
    assert!(
        body["messages"][0]["content"]
            .as_str()
            .unwrap()
            .contains("do(action=\"Launch\"")
    );
    let user = body["messages"][1]["content"].as_str().unwrap();
    assert!(user.contains("1. do(action=\"Home\") → done"), "{user}");

    let mut aside = prompt(None);
    aside.facts.screen.width = 0;
    bench.remote.think(&aside, &|_, _| {}).await.unwrap();
    assert_eq!(bench.body(1)["messages"][0]["content"], "You operate a phone.");
    assert_eq!(
        bench.body(1)["messages"][1]["content"],
        "Task: open Settings\nThe screen now: app unknown"
    );
}

#[tokio::test(start_paused = true)]
async fn what_is_known_of_a_model_is_not_learned_by_refusals() {
    let mut gpt = chosen(WireShape::Responses);
    gpt.model = "gpt-5.2".to_owned();
    let bench = bench_of(gpt, vec![calls(WireShape::Responses)]);
    bench.think().await.result.unwrap();
    let body = bench.body(0);
    assert!(body["temperature"].is_null() && body["store"] == json!(false));
    assert_eq!(body["reasoning"]["effort"], "low");
}

#[tokio::test(start_paused = true)]
async fn a_model_on_this_computer_costs_nothing_and_says_so() {
    let here = ChosenModel {
        maker: Maker::Ollama,
        model: "some-model".to_owned(),
        ..ChosenModel::default()
    };
    let mut bench = bench_of(here, vec![calls(WireShape::Chat)]);
    bench.remote.keys = Arc::new(NoKey);
    let usage = bench.think().await.result.unwrap().usage;
    assert_eq!((usage.input_tokens, usage.dollars), (2_000, Some(0.0)));
    assert_eq!(
        bench.seen.lock().unwrap()[0].url.as_str(),
        "http://127.0.0.1:11434/v1/chat/completions"
    );
}

fn empty(shape: WireShape) -> Turn {
    match shape {
        WireShape::Chat => streams(&[Text(STOP), Text(DONE)]),
        WireShape::Responses => refuses(200, r#"{"status":"completed","output":[]}"#),
        WireShape::Messages => refuses(200, r#"{"content":[],"stop_reason":"end_turn"}"#),
        WireShape::GenerateContent => refuses(200, r#"{"candidates":[{"finishReason":"STOP"}]}"#),
        WireShape::Completions => refuses(200, r#"{"choices":[{"text":"","finish_reason":"stop"}]}"#),
    }
}

/// Every fault at every one of ten steps, in every shape: recovered from, or one failure and the next try goes on.
#[tokio::test(start_paused = true)]
async fn every_fault_at_every_step_ends_in_recovery_or_one_failure() {
    type Fault = (&'static str, fn(WireShape) -> Vec<Turn>, Option<FailureCode>);
    let faults: [Fault; 10] = [
        ("429", |_| vec![busy("3")], None),
        (
            "429 for an hour",
            |_| vec![busy("3600")],
            Some(FailureCode::ModelLater),
        ),
        (
            "500",
            |_| vec![refuses(500, r#"{"error":{"message":"oh"}}"#)],
            None,
        ),
        (
            "500 for good",
            |_| {
                (0..5)
                    .map(|_| refuses(500, r#"{"error":{"message":"oh"}}"#))
                    .collect()
            },
            Some(FailureCode::ModelServer),
        ),
        ("a stall", |_| vec![streams(&[Text(": hm\n\n"), Stalls])], None),
        ("a cut stream", |shape| vec![cut(shape)], None),
        (
            "a refused picture",
            |_| {
                vec![refuses(
                    400,
                    r#"{"error":{"message":"This model does not support image input"}}"#,
                )]
            },
            Some(FailureCode::ModelPicture),
        ),
        (
            "an empty answer",
            |shape| vec![empty(shape), empty(shape)],
            Some(FailureCode::ModelEmpty),
        ),
        (
            "a wrong key",
            |_| vec![refuses(401, r#"{"error":{"message":"Incorrect API key"}}"#)],
            Some(FailureCode::ModelKey),
        ),
        (
            "a filter",
            |_| {
                vec![refuses(
                    400,
                    r#"{"error":{"message":"no","code":"content_filter"}}"#,
                )]
            },
            Some(FailureCode::ModelDeclined),
        ),
    ];
    let mut tried = 0;
    for shape in SHAPES {
        for (name, turns, expected) in &faults {
            for at in 0..10 {
                let mut script = Vec::new();
                let mut requests = 0;
                for step in 0..10 {
                    if step == at {
                        let turns = turns(shape);
                        requests += turns.len();
                        script.extend(turns);
                        if expected.is_some() {
                            continue;
                        }
                    }
                    script.push(calls(shape));
                    requests += 1;
                }
                let bench = bench_of(chosen(shape), script);
                for step in 0..10 {
                    let result = bench.remote.think(&prompt(Some(frame())), &|_, _| {}).await;
                    let place = format!("{shape:?}, {name} at step {at}, step {step}");
                    match (result, expected) {
                        (Ok(reply), _) => {
                            assert!(step != at || expected.is_none(), "{place}");
                            assert!(dialect::parse(&reply.text, None).is_ok(), "{place}");
                        }
                        (Err(failure), Some(code)) => {
                            assert_eq!((step, failure.code), (at, *code), "{place}");
                        }
                        (Err(failure), None) => panic!("{place}: {failure:?}"),
                    }
                }
                assert_eq!(
                    bench.requests(),
                    requests,
                    "nothing is asked twice: {shape:?}, {name}"
                );
                tried += 1;
            }
        }
    }
    println!("{tried} runs of ten steps with one fault each");
}
