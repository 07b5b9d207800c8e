//! Streams of every shape, as the makers' documentation shows them: whole, cut at every byte, in pieces of any size,
//! interleaved, and with complaints in the middle.

use super::{AnswerStream, Tokens};
use crate::error::ModelError;
use crate::exchange::Answer;
use proptest::prelude::*;
use protocol::WireShape::{self, Chat, GenerateContent, Messages, Responses};

/// One documented stream and what it says.
struct Sample {
    name: &'static str,
    shape: WireShape,
    stream: &'static str,
    text: &'static str,
    tokens: Tokens,
}

const ARGUMENTS: &str = r#"{\"thought\":\"open é😀\",\"type\":\"tap\",\"target\":{\"element\":3}}"#;

fn counted(input: u64, cached: u64, kept: u64, output: u64) -> Tokens {
    Tokens {
        input,
        cached,
        kept,
        output,
        dollars: None,
    }
}

fn samples() -> Vec<Sample> {
    vec![
        // https://platform.openai.com/docs/api-reference/chat-streaming
        Sample {
            name: "chat, text",
            shape: Chat,
            stream: include_str!("streams/chat_text.sse"),
            text: "Hello, phone.",
            tokens: counted(1_200, 1_024, 0, 9),
        },
        Sample {
            name: "chat, tool",
            shape: Chat,
            stream: include_str!("streams/chat_tool.sse"),
            text: r#"{"tool_calls":[{"id":"call_1","type":"function","function":{"name":"phone","arguments":"ARGUMENTS"}}]}"#,
            tokens: counted(1_500, 0, 0, 40),
        },
        // https://platform.openai.com/docs/api-reference/responses-streaming
        Sample {
            name: "responses, text",
            shape: Responses,
            stream: include_str!("streams/responses_text.sse"),
            text: "Hello, phone.",
            tokens: counted(1_200, 1_024, 0, 9),
        },
        Sample {
            name: "responses, tool",
            shape: Responses,
            stream: include_str!("streams/responses_tool.sse"),
            text: r#"{"tool_calls":[{"id":"call_1","type":"function","function":{"name":"phone","arguments":"ARGUMENTS"}}]}"#,
            tokens: counted(1_500, 0, 0, 40),
        },
        // https://docs.anthropic.com/en/docs/build-with-claude/streaming
        Sample {
            name: "messages, text",
            shape: Messages,
            stream: include_str!("streams/messages_text.sse"),
            text: "Hello, phone.",
            tokens: counted(1_200, 1_024, 100, 9),
        },
        Sample {
            name: "messages, tool",
            shape: Messages,
            stream: include_str!("streams/messages_tool.sse"),
            text: "I open it.\n{\"tool_calls\":[{\"id\":\"toolu_1\",\"type\":\"function\",\"function\":{\"name\":\"phone\",\"arguments\":\"ARGUMENTS\"}}]}",
            tokens: counted(1_500, 0, 0, 40),
        },
        // https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
        Sample {
            name: "gemini, text",
            shape: GenerateContent,
            stream: include_str!("streams/gemini_text.sse"),
            text: "Hello, phone.",
            tokens: counted(1_200, 1_024, 0, 9),
        },
        Sample {
            name: "gemini, tool",
            shape: GenerateContent,
            stream: include_str!("streams/gemini_tool.sse"),
            text: r#"{"tool_calls":[{"id":"","type":"function","function":{"name":"phone","arguments":"ARGUMENTS"}}]}"#,
            tokens: counted(1_500, 0, 0, 40),
        },
    ]
}

impl Sample {
    fn text(&self) -> String {
        self.text.replace("ARGUMENTS", ARGUMENTS)
    }
}

fn fold<'a>(
    shape: WireShape,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> (Result<String, ModelError>, Option<Tokens>) {
    let mut answer_stream = AnswerStream::new(shape, true);
    let fed = pieces.into_iter().try_for_each(|piece| answer_stream.feed(piece));
    let text = fed.and_then(|()| answer_stream.end());
    (text, answer_stream.tokens())
}

#[test]
fn every_stream_becomes_its_text_and_its_tokens() {
    for sample in samples() {
        let (text, tokens) = fold(sample.shape, [sample.stream.as_bytes()]);
        assert_eq!(text, Ok(sample.text()), "{}", sample.name);
        assert_eq!(tokens, Some(sample.tokens), "{}", sample.name);
        let windows = sample.stream.replace('\n', "\r\n");
        assert_eq!(
            fold(sample.shape, [windows.as_bytes()]).0,
            Ok(sample.text()),
            "{}",
            sample.name
        );
    }
}

#[test]
fn cut_at_any_byte_it_is_whole_or_an_error() {
    for sample in samples() {
        let bytes = sample.stream.as_bytes();
        let mut whole = 0;
        for end in 0..=bytes.len() {
            match fold(sample.shape, [&bytes[..end]]).0 {
                Ok(text) => {
                    assert_eq!(text, sample.text(), "{} cut at {end}", sample.name);
                    whole += 1;
                }
                Err(trouble) => {
                    assert!(
                        matches!(trouble, ModelError::Cut(_)),
                        "{} cut at {end}: {trouble}",
                        sample.name
                    );
                }
            }
        }
        assert!(
            (1..bytes.len() / 2).contains(&whole),
            "{}: {whole} of {}",
            sample.name,
            bytes.len()
        );
    }
}

#[test]
fn the_calls_that_came_are_the_action_the_dialects_read() {
    for sample in samples().iter().filter(|sample| sample.name.ends_with("tool")) {
        let text = fold(sample.shape, [sample.stream.as_bytes()]).0.unwrap();
        let parsed = dialect::parse(&text, None).unwrap();
        assert_eq!(parsed.dialect, dialect::Dialect::ToolCall, "{}", sample.name);
        assert_eq!(parsed.step.thought, "open é😀");
        let action = serde_json::to_value(&parsed.step.action).unwrap();
        assert_eq!(action["type"], "tap");
        assert_eq!(action["target"]["element"], 3);
    }
}

/// A maker's own checks set the mark that a model sets itself, wherever they stand.
#[test]
fn what_a_maker_flags_is_marked() {
    let decided =
        r#""args": {"safety_decision": {"decision": "require_confirmation", "explanation": "It pays."}, "#;
    let pending =
        r#""type":"function_call","pending_safety_checks":[{"id":"c","code":"malicious_instructions"}]"#;
    let samples = samples();
    let check = |name: &str, plain: &str, flagged: &str| {
        let sample = samples.iter().find(|sample| sample.name == name).unwrap();
        let marks = |stream: &str| {
            let text = fold(sample.shape, [stream.as_bytes()]).0.unwrap();
            let parsed = dialect::parse(&text, None).unwrap();
            (parsed.sensitivity, parsed.step.action)
        };
        assert!(sample.stream.contains(plain), "{name}");
        let (before, action) = marks(sample.stream);
        assert_eq!(before, None, "{name}");
        let after = marks(&sample.stream.replace(plain, flagged));
        assert_eq!(after, (Some(protocol::Sensitivity::Sensitive), action), "{name}");
    };
    check("gemini, tool", r#""args":{"#, decided);
    check("responses, tool", r#""type":"function_call""#, pending);
}

proptest! {
    #[test]
    fn pieces_may_break_anywhere(which in 0_usize..8, cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..40)) {
        let sample = &samples()[which];
        let bytes = sample.stream.as_bytes();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let pieces: Vec<&[u8]> = cuts.windows(2).map(|w| &bytes[w[0]..w[1]]).collect();
        prop_assert_eq!(fold(sample.shape, pieces).0, Ok(sample.text()));
    }

    /// Bytes changed anywhere: a text or an error, never a panic, and never finished by itself.
    #[test]
    fn damage_is_survived(which in 0_usize..8, at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let sample = &samples()[which];
        let mut bytes = sample.stream.as_bytes().to_vec();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = fold(sample.shape, [&bytes[..]]);
    }
}

#[test]
fn interleaved_parts_come_apart() {
    let messages = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\n\
        data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n\
        data: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"phone\",\"input\":{}}}\n\n\
        event: ping\ndata: {\"type\":\"ping\"}\n\n\
        data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"type\\\":\"}}\n\n\
        data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Wa\"}}\n\n\
        data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"\\\"wait\\\"}\"}}\n\n\
        data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"iting.\"}}\n\n\
        data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"output_tokens\":5}}\n\n\
        data: {\"type\":\"message_stop\"}\n\n";
    let (text, _) = fold(Messages, [messages.as_bytes()]);
    assert_eq!(
        text.unwrap(),
        "Waiting.\n{\"tool_calls\":[{\"id\":\"t\",\"type\":\"function\",\"function\":{\"name\":\"phone\",\"arguments\":\"{\\\"type\\\":\\\"wait\\\"}\"}}]}"
    );

    let chat = [
        r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"phone","arguments":"{\"type\""}}]}}]}"#,
        r#"{"choices":[{"index":1,"delta":{"content":"another choice"}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"phone","arguments":"{}"}}]}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":":\"wait\"}"}}]}}]}"#,
        r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#,
        "[DONE]",
    ];
    let chat: String = chat.iter().map(|data| format!("data: {data}\n\n")).collect();
    let text = fold(Chat, [chat.as_bytes()]).0.unwrap();
    let calls: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        calls["tool_calls"][0]["function"]["arguments"],
        r#"{"type":"wait"}"#
    );
    assert_eq!(calls["tool_calls"][1]["id"], "b");
}

/// How each maker says, inside an answer, that it will not or cannot go on.
#[test]
fn complaints_in_the_middle_are_heard() {
    let check = |shape, data: &str, expected: &str| {
        let stream = format!("data: {data}\n\n");
        let trouble = fold(shape, [stream.as_bytes()]).0.unwrap_err();
        let debug = format!("{trouble:?}");
        assert!(debug.starts_with(expected), "{data}: {debug}");
        let whole = fold(shape, [data.as_bytes()]).0.unwrap_err();
        let debug = format!("{whole:?}");
        assert!(debug.starts_with(expected), "whole: {data}: {debug}");
    };
    check(
        Messages,
        r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
        "Server",
    );
    check(
        Messages,
        r#"{"type":"error","error":{"type":"rate_limit_error","message":"Slow down"}}"#,
        "Busy",
    );
    check(
        GenerateContent,
        r#"{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}"#,
        "Server",
    );
    check(
        GenerateContent,
        r#"{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":9}}"#,
        "Filtered",
    );
    check(
        Chat,
        r#"{"error":{"message":"The server had an error","type":"server_error"}}"#,
        "Server",
    );
    let responses =
        |kind: &str, response: &str| format!("data: {{\"type\":\"{kind}\",\"response\":{response}}}\n\n");
    for (stream, expected) in [
        (
            responses("response.failed", r#"{"status":"failed","error":{"code":"server_error","message":"oh"},"output":[]}"#),
            "Server",
        ),
        (
            responses("response.failed", r#"{"status":"failed","error":{"code":"rate_limit_exceeded","message":"oh"},"output":[]}"#),
            "Busy",
        ),
        (
            responses("response.incomplete", r#"{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]}"#),
            "Length",
        ),
        (
            responses("response.incomplete", r#"{"status":"incomplete","incomplete_details":{"reason":"content_filter"},"output":[]}"#),
            "Filtered",
        ),
        (
            "data: {\"type\":\"error\",\"code\":\"server_error\",\"message\":\"oh\",\"param\":null}\n\n".to_owned(),
            "Server",
        ),
        (
            "data: {\"type\":\"response.refusal.delta\",\"output_index\":0,\"content_index\":0,\"delta\":\"I cannot\"}\n\n".to_owned()
                + &responses("response.completed", r#"{"status":"completed","output":[]}"#),
            "Declined",
        ),
        (responses("response.completed", r#"{"status":"completed","output":[]}"#), "Empty"),
    ] {
        let trouble = fold(Responses, [stream.as_bytes()]).0.unwrap_err();
        assert!(format!("{trouble:?}").starts_with(expected), "{stream}: {trouble:?}");
    }
}

/// Every way an answer can end that is not a good one.
#[test]
fn an_end_that_is_no_answer_is_never_one() {
    let messages = |reason: &str| {
        format!(
            r#"{{"type":"message","content":[{{"type":"text","text":"half"}}],"stop_reason":"{reason}","usage":{{"input_tokens":1,"output_tokens":1}}}}"#
        )
    };
    let gemini = |reason: &str| {
        format!(
            r#"{{"candidates":[{{"content":{{"parts":[{{"text":"half"}}]}},"finishReason":"{reason}"}}]}}"#
        )
    };
    for (shape, document, expected) in [
        (Messages, messages("end_turn"), "ok"),
        (Messages, messages("stop_sequence"), "ok"),
        (Messages, messages("max_tokens"), "Length"),
        (Messages, messages("refusal"), "Declined"),
        (Messages, messages("model_context_window_exceeded"), "Context"),
        (GenerateContent, gemini("STOP"), "ok"),
        (GenerateContent, gemini("MAX_TOKENS"), "Length"),
        (GenerateContent, gemini("SAFETY"), "Filtered"),
        (GenerateContent, gemini("RECITATION"), "Filtered"),
        (GenerateContent, gemini("BLOCKLIST"), "Filtered"),
        (GenerateContent, gemini("SPII"), "Filtered"),
        (GenerateContent, gemini("MALFORMED_FUNCTION_CALL"), "Garbled"),
        (
            GenerateContent,
            r#"{"candidates":[{"finishReason":"STOP"}]}"#.to_owned(),
            "Empty",
        ),
        (
            GenerateContent,
            r#"{"candidates":[{"finishReason":"OTHER"}]}"#.to_owned(),
            "Empty",
        ),
        (GenerateContent, "[]".to_owned(), "Empty"),
        (
            Messages,
            r#"{"type":"message","content":[],"stop_reason":"end_turn"}"#.to_owned(),
            "Empty",
        ),
        (Messages, "{}".to_owned(), "Server"),
        (Responses, "{}".to_owned(), "Server"),
        (GenerateContent, "{}".to_owned(), "Server"),
        (Messages, "<html>login</html>".to_owned(), "Page"),
    ] {
        let said = match fold(shape, [document.as_bytes()]).0 {
            Ok(text) if text == "half" => "ok".to_owned(),
            Ok(text) => text,
            Err(trouble) => format!("{trouble:?}"),
        };
        assert!(said.starts_with(expected), "{shape:?} {document}: {said}");
    }
}
