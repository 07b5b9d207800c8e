//! `cargo bench -p dialect`: microseconds a reply, a dialect a line: a reply as its models write them, the same when its
//! dialect must be found, the writing of it, a long thought before it. And how the time grows with a reply that is all
//! brackets, quotes, tags or comments: the ratio for twice the length is 2 where the work is linear.
//!
//! No framework: the shortest of several rounds, each long enough for the clock.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]
#![allow(clippy::disallowed_methods, reason = "a measurement")]

use dialect::{Dialect, Size, parse, write_reply};
use std::hint::black_box;
use std::time::{Duration, Instant};

const SCREEN: Size = Size {
    width: 1080,
    height: 2400,
};

/// A reply of every dialect, of the length its models write.
const REPLIES: [(Dialect, &str); 15] = [
    (
        Dialect::OpenPocket,
        r#"{"thought": "The settings list is open. Network is the first entry, so I open it to find the Wi-Fi switch.", "action": {"type": "tap", "x": 540, "y": 1200, "reason": "open Network"}, "raw": ""}"#,
    ),
    (
        Dialect::CogAgent,
        "Status: In the email interface [[0, 2, 998, 905]], with the categories on the left [[1, 216, 144, 570]].\n\
         Plan: 1. Mark all as read. 2. Go back.\n\
         Action: Click the \"Mark all as read\" button at the top of the page.\n\
         Grounded Operation: CLICK(box=[[219,186,311,207]], element_type='Clickable text', element_info='Mark all emails as read')\n\
         <<一般操作>>",
    ),
    (
        Dialect::OmniMcp,
        r#"{"reasoning": "Clicking the tracked login button (track_id 'btn_login_0').", "action": {"action_type": "click", "target": {"track_id": "btn_login_0", "text": "Login"}, "parameters": {}}, "is_goal_complete": false}"#,
    ),
    (
        Dialect::Hermes,
        r#"{"content": "The third entry.", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "computer_use", "arguments": "{\"action\": \"click\", \"element\": 3, \"capture_after\": true}"}}]}"#,
    ),
    (
        Dialect::AutoGlm,
        "<think>The settings list is open. Network is the first entry.</think><answer>do(action=\"Tap\", element=[499,182])</answer>",
    ),
    (
        Dialect::UiTars,
        "Thought: The settings list is open. Network is the first entry.\nAction: click(start_box='<|box_start|>(691,85)<|box_end|>')",
    ),
    (
        Dialect::Qwen,
        "Thought: The settings list is open.\n<tool_call>\n{\"name\": \"mobile_use\", \"arguments\": {\"action\": \"swipe\", \"coordinate\": [500, 800], \"coordinate2\": [500, 200]}}\n</tool_call>",
    ),
    (
        Dialect::AndroidWorld,
        "Reason: Network is the first entry.\nAction: {\"action_type\": \"click\", \"index\": 3}",
    ),
    (
        Dialect::ToolCall,
        r#"{"content": [{"type": "text", "text": "The first entry."}, {"type": "tool_use", "id": "1", "name": "phone", "input": {"type": "tap", "target": {"element": 3}}}]}"#,
    ),
    (
        Dialect::GuiPlus,
        r#"{"thought": "Network is the first entry.", "action": "CLICK", "parameters": {"x": 540, "y": 1200}}"#,
    ),
    (
        Dialect::Mobilerun,
        "### Thought ###\nThe first entry.\n\n### Action ###\n{\"action\": \"click\", \"index\": 3}\n\n### Description ###\nOpens it.",
    ),
    (
        Dialect::AppAgent,
        "Observation: The settings list.\nThought: Network is the first entry.\nAction: tap(5)\nSummary: Opened it.",
    ),
    (
        Dialect::UiVenus,
        "<think>Network is the first entry.</think>\n<action>Click(box=(499, 182))</action>\n<conclusion>I open Network.</conclusion>",
    ),
    (
        Dialect::StepGui,
        "<THINK> Network is the first entry. </THINK>\nexplain:open Network\taction:CLICK\tpoint:499,182\tsummary:The settings are open.",
    ),
    (
        Dialect::Verbs,
        "<think>Network is the first entry.</think> <tool_call>\n{\"name\": \"click\", \"arguments\": {\"points\": [[499, 182]]}}\n</tool_call>",
    ),
];

/// What makes careless readers begin again and again.
const NASTY: [&str; 10] = [
    "{",
    "[{\"a\":",
    "\"",
    "<think>",
    ",",
    "{\"a\":\"b\"c",
    "\"//",
    "CLICK(box=[[",
    "<invoke",
    "__CogName_",
];

/// Seconds one call takes: the shortest of seven rounds.
fn time(mut call: impl FnMut()) -> f64 {
    let mut calls = 1u32;
    // A round is at least ten milliseconds.
    while round(calls, &mut call) < Duration::from_millis(10) && calls < 1 << 20 {
        calls *= 2;
    }
    let rounds = (0..7).map(|_| round(calls, &mut call));
    rounds.min().unwrap_or_default().as_secs_f64() / f64::from(calls)
}

fn round(calls: u32, call: &mut impl FnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        call();
    }
    start.elapsed()
}

fn main() {
    println!(
        "{:14}{:>8}{:>10}{:>10}{:>10}{:>14}",
        "µs a reply", "bytes", "told", "found", "written", "+64 KB thought"
    );
    for (dialect, reply) in REPLIES {
        let Ok(parsed) = parse(reply, None) else {
            println!("{dialect:14} is not read");
            continue;
        };
        let thought = format!("<think>{}</think>\n{reply}", "It goes on, and on. ".repeat(3277));
        let told = time(|| drop(black_box(parse(black_box(reply), Some(dialect)))));
        let found = time(|| drop(black_box(parse(black_box(reply), None))));
        let written = time(|| {
            drop(black_box(write_reply(
                dialect,
                "Because.",
                &parsed.step.action,
                SCREEN,
            )))
        });
        let long = time(|| drop(black_box(parse(black_box(&thought), Some(dialect)))));
        let [told, found, written, long] = [told, found, written, long].map(|seconds| seconds * 1e6);
        println!(
            "{dialect:14}{:>8}{told:>10.1}{found:>10.1}{written:>10.1}{long:>14.1}",
            reply.len()
        );
    }
    println!("\n{:14}{:>10}{:>10}{:>8}", "ms, found", "500 KB", "1 MB", "ratio");
    for piece in NASTY {
        let [once, twice] = [500_000, 1_000_000].map(|length| {
            let reply = piece.repeat(length / piece.len());
            time(|| drop(black_box(parse(black_box(&reply), None)))) * 1e3
        });
        println!("{piece:<14}{once:>10.2}{twice:>10.2}{:>8.2}", twice / once);
    }
}
