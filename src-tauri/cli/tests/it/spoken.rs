//! The same ten steps in every wire shape, by calls of the tool and in words: what a server speaks is found by asking,
//! the phone ends up the same, and what is told was used is what the server bills.

use crate::bench::Bench;
use crate::command::run;
use crate::model::ScriptedModel;
use crate::shapes::{Count, Shape};
use crate::ten_steps::REPLIES;
use protocol::{Event, Price, Usage, What};
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

    let (mut steps, mut told) = (Vec::new(), Vec::new());
    for line in ended.out.lines() {
        let event: Event = serde_json::from_str(line).unwrap();
        match event.what {
            What::Decided { usage, .. } => {
                steps.push(usage);
                told.push(usage);
            }
            What::Acted { outcome, .. } => told.extend(outcome.usage),
            _ => {}
        }
    }
    let billed = model.billed();
    let count = |usage: &Usage| Count {
        input: usage.input_tokens,
        cached: usage.cached_tokens,
        output: usage.output_tokens,
    };
    let cost = |count: &Count| count.dollars(PRICE.input, 0.5, PRICE.output);
    // With the last step's comes what opinions cost that came late: nobody counts them here, they are estimated.
    for (step, bill) in steps.iter().zip(&billed).take(billed.len() - 1) {
        assert_eq!(count(step), *bill);
        let dollars = step.dollars.unwrap();
        assert!((dollars - cost(bill)).abs() < 1e-9, "{dollars}, {bill:?}");
    }
    assert_eq!(steps.len(), billed.len());
    let (last, bill) = (count(&steps[steps.len() - 1]), billed[billed.len() - 1]);
    assert!(
        last.input >= bill.input && last.output >= bill.output,
        "{last:?}, {bill:?}"
    );

    let spent = bench.in_store(async |store| store.spending_today().await.unwrap());
    let tokens: u64 = told
        .iter()
        .map(|usage| usage.input_tokens + usage.output_tokens)
        .sum();
    let dollars: f64 = told.iter().filter_map(|usage| usage.dollars).sum();
    assert_eq!(spent.tokens, tokens);
    let kept = spent.dollars + spent.estimated;
    assert!((kept - dollars).abs() < 1e-9, "{kept}, {dollars}");
    let billed = billed.into_iter().fold(Count::default(), Count::and);
    println!(
        "{shape:?}, {}: {} requests, {} tokens read ({} kept), {} written, ${cost:.4}: as billed",
        if has_tools { "by tool" } else { "in words" },
        requests.len(),
        billed.input,
        billed.cached,
        billed.output,
        cost = cost(&billed),
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
