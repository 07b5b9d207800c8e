//! Streams as the makers' documentation shows them, and what becomes of them.

use super::{AnswerStream, Tokens};
use crate::error::{ModelError, said};
use crate::exchange::{Answer, Progress};
use proptest::prelude::*;
use protocol::WireShape;

/// Feeds all pieces and ends.
fn fold<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> (Result<String, ModelError>, Option<Tokens>) {
    let mut answer_stream = AnswerStream::new(WireShape::Chat, true);
    let fed = pieces.into_iter().try_for_each(|piece| answer_stream.feed(piece));
    let text = fed.and_then(|()| answer_stream.end());
    (text, answer_stream.tokens())
}

fn text(stream: &str) -> Result<String, ModelError> {
    fold([stream.as_bytes()]).0
}

/// One stream of `data:` events.
fn events(chunks: &[&str]) -> String {
    chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect()
}

const OPENAI: &[&str] = &[
    r#"{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}],"usage":null}"#,
    r#"{"choices":[{"index":0,"delta":{"content":"{\"thought\":\"tap é😀\","},"finish_reason":null}],"usage":null}"#,
    r#"{"choices":[{"index":0,"delta":{"content":"\"action\":{\"type\":\"wait\"}}"},"finish_reason":null}],"usage":null}"#,
    r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}"#,
    r#"{"choices":[],"usage":{"prompt_tokens":1200,"completion_tokens":34,"total_tokens":1234,"prompt_tokens_details":{"cached_tokens":1000}}}"#,
    "[DONE]",
];
const OPENAI_TEXT: &str = r#"{"thought":"tap é😀","action":{"type":"wait"}}"#;

#[test]
fn a_stream_becomes_its_text_and_its_tokens() {
    let (text, tokens) = fold([events(OPENAI).as_bytes()]);
    assert_eq!(text, Ok(OPENAI_TEXT.to_owned()));
    assert_eq!(
        tokens,
        Some(Tokens {
            input: 1200,
            cached: 1000,
            output: 34,
            ..Tokens::default()
        })
    );
}

/// What of a usage was read and written.
fn counted(usage: &str, expected: Option<(u64, u64)>) {
    let body = r#"{"choices":[{"message":{"content":"ok"},"finish_reason":"stop"}],"usage":USAGE}"#;
    let (_, tokens) = fold([body.replace("USAGE", usage).as_bytes()]);
    assert_eq!(tokens.map(|told| (told.input, told.output)), expected, "{usage}");
}

#[test]
fn what_is_thought_is_counted_as_written() {
    // In what is written already: OpenAI, DeepSeek.
    counted(
        r#"{"prompt_tokens":75,"completion_tokens":1186,"total_tokens":1261,"completion_tokens_details":{"reasoning_tokens":1024}}"#,
        Some((75, 1186)),
    );
    // Beside it: xAI.
    counted(
        r#"{"prompt_tokens":10120,"completion_tokens":1499,"total_tokens":14428,"completion_tokens_details":{"reasoning_tokens":2809}}"#,
        Some((10_120, 4_308)),
    );
    // In the whole alone: Google, under OpenAI's names.
    counted(
        r#"{"prompt_tokens":9,"completion_tokens":10,"total_tokens":119}"#,
        Some((9, 110)),
    );
    // A whole that cannot be, or that nothing can be taken from, says nothing.
    counted(
        r#"{"prompt_tokens":9,"completion_tokens":10,"total_tokens":0}"#,
        Some((9, 10)),
    );
    counted(r#"{"completion_tokens":10,"total_tokens":119}"#, Some((0, 10)));
    counted(r#"{"prompt_tokens":9,"completion_tokens":10}"#, Some((9, 10)));
    counted(r#"{"total_tokens":19}"#, None);
}

#[test]
fn cut_at_any_byte_it_is_whole_or_an_error() {
    let stream = events(OPENAI);
    let mut whole = 0;
    for end in 0..=stream.len() {
        match fold([&stream.as_bytes()[..end]]).0 {
            Ok(text) => {
                assert_eq!(text, OPENAI_TEXT, "cut at {end}");
                whole += 1;
            }
            Err(trouble) => assert!(matches!(trouble, ModelError::Cut(_)), "cut at {end}: {trouble}"),
        }
    }
    // From the finish reason on nothing of the answer can be lost.
    let finish = stream.find("\"stop\"").unwrap();
    assert!(whole > 0 && whole <= stream.len() - finish);
}

proptest! {
    #[test]
    fn pieces_may_break_anywhere(cuts in prop::collection::vec(0_usize..1_200, 0..30)) {
        let stream = events(OPENAI);
        let bytes = stream.as_bytes();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let pieces: Vec<&[u8]> = cuts.windows(2).map(|w| &bytes[w[0]..w[1]]).collect();
        prop_assert_eq!(fold(pieces).0, Ok(OPENAI_TEXT.to_owned()));
    }

    #[test]
    fn whatever_comes_it_ends_in_a_text_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = fold([&bytes[..]]);
    }

    #[test]
    fn whatever_json_comes_it_ends_in_a_text_or_an_error(
        chunk in r#"\{"(choices|error|usage|detail)":(\[|\{|"x"|null|1|\[\{"(delta|message|index)":(\{|\[|1|"y"))[\]\}\{,:"a-z0-9]{0,30}"#,
    ) {
        let _ = text(&events(&[&chunk]));
    }
}

#[test]
fn thoughts_are_not_the_answer() {
    for name in ["reasoning_content", "reasoning"] {
        let thought = format!(r#"{{"choices":[{{"delta":{{"{name}":"tap the corner","content":null}}}}]}}"#);
        let mut answer_stream = AnswerStream::new(WireShape::Chat, false);
        answer_stream.feed(events(&[&thought]).as_bytes()).unwrap();
        assert_eq!(
            answer_stream.progress(),
            Progress::Begun,
            "a thought shows that it works"
        );
        let rest = [
            r#"{"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}"#,
            "[DONE]",
        ];
        answer_stream.feed(events(&rest).as_bytes()).unwrap();
        assert_eq!(answer_stream.end(), Ok("ok".to_owned()));
    }
    let only = r#"{"choices":[{"delta":{"reasoning_content":"hm"},"finish_reason":"stop"}]}"#;
    assert_eq!(text(&events(&[only, "[DONE]"])), Err(ModelError::Empty));
}

#[test]
fn content_in_parts_counts_its_text_parts() {
    let parts = r#"{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"no"}]},{"type":"text","text":"a"},{"text":"b"}]},"finish_reason":"stop"}]}"#;
    assert_eq!(text(&events(&[parts])), Ok("ab".to_owned()));
}

#[test]
fn comments_and_odd_frames_do_not_matter() {
    let stream = ": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\r\n\r\nevent: message\ndata:{\"choices\":[{\"delta\":{\"content\":\"ok\"}}]}\n\ndata:\n\ndata: [DONE]";
    assert_eq!(text(stream), Ok("ok".to_owned()));
}

#[test]
fn a_server_that_says_it_all_again_is_heard_once() {
    let stream = events(&[
        r#"{"choices":[{"delta":{"content":"ok"}}]}"#,
        r#"{"choices":[{"message":{"content":"ok"},"finish_reason":"stop"}]}"#,
    ]);
    assert_eq!(text(&stream), Ok("ok".to_owned()));
}

#[test]
fn a_server_that_does_not_stream_is_understood() {
    let body = r#"
        {"id":"1","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":1}}"#;
    let (whole, tokens) = fold([body.as_bytes()]);
    assert_eq!(whole, Ok("ok".to_owned()));
    assert_eq!(
        tokens,
        Some(Tokens {
            input: 5,
            output: 1,
            ..Tokens::default()
        })
    );
    for end in 0..body.len() {
        let cut = text(&body[..end]);
        assert!(matches!(cut, Err(ModelError::Cut(_))), "cut at {end}: {cut:?}");
    }
}

#[test]
fn tool_calls_are_passed_on_as_text() {
    let stream = events(&[
        r#"{"choices":[{"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"tap","arguments":""}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"x\":1,"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"y\":2}"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"call_2","function":{"name":"wait","arguments":{"ms":1}}}]}}]}"#,
        r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
        "[DONE]",
    ]);
    insta::assert_snapshot!(text(&stream).unwrap(), @r#"{"tool_calls":[{"id":"call_1","type":"function","function":{"name":"tap","arguments":"{\"x\":1,\"y\":2}"}},{"id":"call_2","type":"function","function":{"name":"wait","arguments":"{\"ms\":1}"}}]}"#);

    let whole = r#"{"choices":[{"message":{"content":"I tap.","function_call":{"name":"tap","arguments":"{}"}},"finish_reason":"function_call"}]}"#;
    insta::assert_snapshot!(text(whole).unwrap(), @r#"
    I tap.
    {"tool_calls":[{"id":"","type":"function","function":{"name":"tap","arguments":"{}"}}]}
    "#);

    let endless = r#"{"choices":[{"delta":{"tool_calls":[{"index":99999999,"function":{"name":"x"}}]},"finish_reason":"stop"}]}"#;
    assert_eq!(text(&events(&[endless])), Err(ModelError::Empty));
}

#[test]
fn what_is_no_whole_answer_is_never_one() {
    let with = |finish: &str| {
        text(&events(&[
            r#"{"choices":[{"delta":{"content":"half an"}}]}"#,
            &format!(r#"{{"choices":[{{"delta":{{}},"finish_reason":"{finish}"}}]}}"#),
            "[DONE]",
        ]))
    };
    assert_eq!(with("stop"), Ok("half an".to_owned()));
    assert_eq!(with("length"), Err(ModelError::Length));
    assert_eq!(with("content_filter"), Err(ModelError::Filtered(said(""))));
    assert!(matches!(with("error"), Err(ModelError::Server { .. })));
    assert!(matches!(
        with("insufficient_system_resource"),
        Err(ModelError::Server { .. })
    ));

    for empty in ["", "  \\n\\t "] {
        let chunk = format!(r#"{{"choices":[{{"delta":{{"content":"{empty}"}},"finish_reason":"stop"}}]}}"#);
        assert_eq!(text(&events(&[&chunk, "[DONE]"])), Err(ModelError::Empty));
    }
    assert_eq!(text(&events(&["[DONE]"])), Err(ModelError::Empty));
    assert_eq!(text(r#"{"choices":[]}"#), Err(ModelError::Empty));
    assert!(matches!(text(""), Err(ModelError::Cut(_))));
    assert!(matches!(text(" \n"), Err(ModelError::Cut(_))));
    assert!(matches!(text(": hello\n\n"), Err(ModelError::Cut(_))));
}

#[test]
fn a_refusal_is_told_apart() {
    let stream = events(&[
        r#"{"choices":[{"delta":{"refusal":"I cannot "}}]}"#,
        r#"{"choices":[{"delta":{"refusal":"do that."},"finish_reason":"stop"}]}"#,
    ]);
    assert_eq!(
        text(&stream),
        Err(ModelError::Declined(said("I cannot do that.")))
    );
}

#[test]
fn complaints_in_place_of_an_answer_are_heard() {
    let middle = |event: &str| {
        text(&format!(
            "data: {{\"choices\":[{{\"delta\":{{\"content\":\"ha\"}}}}]}}\n\n{event}\n\n"
        ))
    };
    for (event, expected) in [
        (
            r#"data: {"error":{"code":502,"message":"Provider gone"},"choices":[{"finish_reason":"error"}]}"#,
            "Server",
        ),
        (
            r#"data: {"error":{"message":"out of memory","type":"api_error"}}"#,
            "Server",
        ),
        (r#"data: {"error":"slow down","code":429}"#, "Busy"),
        ("event: error\ndata: {\"message\":\"gone\"}", "Server"),
        ("event: error\ndata: gone", "Server"),
        ("data: <gone>", "Garbled"),
    ] {
        let trouble = middle(event).unwrap_err();
        assert!(
            format!("{trouble:?}").starts_with(expected),
            "{event}: {trouble:?}"
        );
    }
    let instead = text(r#"{"error":{"message":"No credit","code":402}}"#);
    assert!(matches!(instead, Err(ModelError::Quota(_))), "{instead:?}");
    let page = text("<!doctype html><title>Sign in</title>");
    assert_eq!(page, Err(ModelError::Page(said("Sign in"))));
    let other = text(r#"{"message":"hello"}"#);
    assert!(matches!(other, Err(ModelError::Server { .. })), "{other:?}");
}

#[test]
fn nothing_grows_without_end() {
    let chunk = format!(
        "data: {{\"choices\":[{{\"delta\":{{\"content\":\"{}\"}}}}]}}\n\n",
        "!".repeat(4096)
    );
    let mut answer_stream = AnswerStream::new(WireShape::Chat, false);
    let fed = (0..1000).try_for_each(|_| answer_stream.feed(chunk.as_bytes()));
    assert_eq!(fed, Err(ModelError::Length));
    let mut answer_stream = AnswerStream::new(WireShape::Chat, false);
    let fed = (0..100).try_for_each(|_| answer_stream.feed(&vec![b'{'; 1 << 20]));
    assert_eq!(fed, Err(ModelError::Length));
    // Ten megabytes in one document.
    let long = "!".repeat(10 << 20);
    let whole = format!(r#"{{"choices":[{{"message":{{"content":"{long}"}},"finish_reason":"stop"}}]}}"#);
    assert_eq!(text(&whole), Err(ModelError::Length));
}

/// vLLM with a parser of thoughts: all that a model says may stand in its thought, its call included.
#[test]
fn a_whole_call_at_the_end_of_a_thought_is_the_answer_where_nothing_else_is() {
    const CALL: &str = r#"<tool_call>\n{\"name\": \"mobile_use\", \"arguments\": {\"action\": \"wait\", \"time\": 1}}\n</tool_call>"#;
    let stream = |name: &str, thought: &str, content: &str| {
        let half = thought.len() / 2;
        let half = (half..)
            .find(|at| thought.is_char_boundary(*at) && !thought[..*at].ends_with('\\'))
            .unwrap();
        text(&events(&[
            &format!(
                r#"{{"choices":[{{"delta":{{"{name}":"{}","content":null}}}}]}}"#,
                &thought[..half]
            ),
            &format!(
                r#"{{"choices":[{{"delta":{{"{name}":"{}"}}}}]}}"#,
                &thought[half..]
            ),
            &format!(r#"{{"choices":[{{"delta":{{"content":{content}}},"finish_reason":"stop"}}]}}"#),
            "[DONE]",
        ]))
    };
    for name in ["reasoning_content", "reasoning"] {
        for thought in [
            format!("It loads.\\n{CALL}"),
            format!("<think>It loads.</think> {CALL}\\n"),
        ] {
            let answer = stream(name, &thought, "null").unwrap();
            let parsed = dialect::parse(&answer, None).unwrap();
            assert_eq!(parsed.step.thought, "It loads.", "{answer}");
            assert!(
                matches!(parsed.step.action.act, protocol::Act::Wait { .. }),
                "{answer}"
            );
        }
        // Words of its own go before it; a draft in its middle, or half a call, is none.
        assert_eq!(stream(name, CALL, r#""ok""#), Ok("ok".to_owned()));
        for none in [
            format!("{CALL} would do. No."),
            CALL.replace("</tool_call>", ""),
            "<tool_call>nothing</tool_call>".to_owned(),
            "hm".to_owned(),
        ] {
            assert_eq!(stream(name, &none, "null"), Err(ModelError::Empty), "{none}");
        }
    }
    let whole = format!(
        r#"{{"choices":[{{"message":{{"reasoning_content":"{CALL}","content":null}},"finish_reason":"stop"}}]}}"#
    );
    assert!(dialect::parse(&text(&whole).unwrap(), None).is_ok());
}
