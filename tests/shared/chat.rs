//! HTTP and OpenAI's chat completions on the wire, for the servers of the tests: one request read, one answer written.

use crate::shapes::{Count, Manner};
use serde_json::json;
use tokio::io::{AsyncRead, AsyncReadExt};

/// One request: its head with the empty line, and its body. `None` when the connection ended.
pub(crate) async fn read_request<S: AsyncRead + Unpin>(stream: &mut S) -> Option<(String, String)> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let length: usize = head
        .lines()
        .find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length")
                .then(|| value.trim().parse().unwrap())
        })
        .unwrap_or(0);
    while bytes.len() < end + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    let body = String::from_utf8_lossy(&bytes[end..end + length]).into_owned();
    Some((head, body))
}

/// One streamed answer: two pieces, the end, what it cost.
pub(crate) fn streamed(text: &str) -> String {
    let middle = text
        .char_indices()
        .nth(text.chars().count() / 2)
        .map_or(0, |(at, _)| at);
    let mut events = String::new();
    for piece in [&text[..middle], &text[middle..]] {
        let chunk = json!({"choices": [{"index": 0, "delta": {"content": piece}}]});
        events.push_str(&format!("data: {chunk}\n\n"));
    }
    let last = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
                      "usage": {"prompt_tokens": 1200, "completion_tokens": 40}});
    events.push_str(&format!("data: {last}\n\ndata: [DONE]\n\n"));
    answer("text/event-stream", &events)
}

/// What a server says where a request is not for a step: to one for a second opinion the most credulous one, everything only
/// moves, and what is asked about all the same is the core's; to one about the task, that it names no deed.
pub(crate) fn aside(head: &str, body: &str, manner: Option<Manner>) -> Option<String> {
    let says = if body.contains("You judge the buttons of one Android page") {
        (1..=40).map(|n| format!("{n} moves\n")).collect()
    } else if body.contains("You read a task that a person wrote for their phone") {
        r#"{"deeds": []}"#.to_owned()
    } else {
        return None;
    };
    let request = serde_json::from_str(body).unwrap_or_default();
    let Some(manner) = manner else {
        return Some(streamed(&says));
    };
    if let Some((status, message)) = manner.refusal(head, &request) {
        return Some(refused(status, message));
    }
    let (kind, body) = manner.shape.answer(&says, false, Count::default());
    Some(answer(kind, &body))
}

/// A refusal with a status and a message. The client may try again as soon as it likes.
pub(crate) fn refused(status: u16, message: &str) -> String {
    let body = json!({"error": {"message": message}}).to_string();
    whole(status, "Trouble", "application/json\r\nretry-after: 0", &body)
}

/// A good answer of some type.
pub(crate) fn answer(kind: &str, body: &str) -> String {
    whole(200, "OK", kind, body)
}

fn whole(status: u16, phrase: &str, kind: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status} {phrase}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}
