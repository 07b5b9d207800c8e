//! The same ten steps in every wire shape, by calls of the tool and in words: what a server speaks is found by asking,
//! the phone ends up the same, and what is told was used is what the server bills.

use crate::bench::Bench;
use crate::command::run;
use crate::model::ScriptedModel;
use crate::shapes::{Count, Shape};
use crate::ten_steps::REPLIES;
use protocol::{Event, Price, What};
use serde_json::json;

const PRICE: Price = Price {
    input: 2.0,
    cached_input: Some(0.5),
    kept_input: None,
    output: 10.0,
    as_of: None,
    is_estimate: false,
};

fn check(shape: Shape, has_tools: bool) {
    let mut bench = Bench::new();
    let notes = bench.at("/notes").as_array().unwrap().len();
    let model = ScriptedModel::speaking(shape, has_tools, &REPLIES);
    bench.use_server(&model, PRICE);
    let goal = "Write a shopping note, then turn Battery Saver on";
    let ended = run(
        bench.deck(&["run", "--device", &bench.serial, "--goal", goal]),
        b"",
    );
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{}", ended.story());
    bench.check_nothing_is_lost(&ended.out);

    let state = bench.state();
    assert_eq!(state["settings"]["batterySaver"], json!(true));
    let written = state["notes"].as_array().unwrap();
    let note = json!({"title": "Shopping", "text": "Milk, bread & 6 eggs"});
    assert_eq!((written.len(), written.last()), (notes + 1, Some(&note)));

    let requests = model.requests();
    let asked_in_vain = requests.len() - REPLIES.len();
    // What was asked before the first step found out which shape is spoken here; whether there are tools, the first step does.
    assert_eq!(asked_in_vain, usize::from(!has_tools));
    for request in &requests[asked_in_vain..] {
        assert_eq!(Shape::offers_tool(&request.body), has_tools);
        assert!(Shape::text(&request.body).contains(goal));
        assert!(Shape::picture(&request.body).is_some());
    }

    let (mut told, mut dollars) = (Count::default(), 0.0);
    for line in ended.out.lines() {
        let event: Event = serde_json::from_str(line).unwrap();
        if let What::Decided { usage, .. } = event.what {
            told = told.and(Count {
                input: usage.input_tokens,
                cached: usage.cached_tokens,
                output: usage.output_tokens,
            });
            dollars += usage.dollars.unwrap();
        }
    }
    let billed = model.billed();
    assert_eq!(told, billed);
    let cost = billed.dollars(PRICE.input, 0.5, PRICE.output);
    assert!((dollars - cost).abs() < 1e-9, "{dollars}, {cost}");
    let spent = bench.in_store(async |store| store.spending_today().await.unwrap());
    assert_eq!(spent.tokens, billed.input + billed.output);
    assert!((spent.dollars - cost).abs() < 1e-9, "{}, {cost}", spent.dollars);
    println!(
        "{shape:?}, {}: {} requests, {} tokens read ({} kept), {} written, ${cost:.4}: as billed",
        if has_tools { "by tool" } else { "in words" },
        requests.len(),
        billed.input,
        billed.cached,
        billed.output,
    );
}

macro_rules! spoken {
    ($($name:ident: $shape:ident, $tools:literal;)*) => {
        $(#[test]
        fn $name() {
            check(Shape::$shape, $tools);
        })*
    };
}

spoken! {
    chat_by_tool: Chat, true;
    chat_in_words: Chat, false;
    a_compatible_server_by_tool: Compatible, true;
    a_compatible_server_in_words: Compatible, false;
    responses_by_tool: Responses, true;
    responses_in_words: Responses, false;
    messages_by_tool: Messages, true;
    messages_in_words: Messages, false;
    gemini_by_tool: Gemini, true;
    gemini_in_words: Gemini, false;
}
