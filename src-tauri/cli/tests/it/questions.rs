//! A payment, and who answers: nobody, No, Yes, something else. The phone's own orders say what came of it.

use crate::bench::Bench;
use crate::command::{Ended, Running, run};
use crate::events;
use crate::model::ScriptedModel;
use crate::terminal::Terminal;
use serde_json::{Value, json};

const PAY: &str =
    r#"{"thought": "Pay $23.40 now.", "action": {"type": "tap", "target": {"text": "Pay $23.40"}}}"#;
const DONE: &str = r#"{"type": "finish", "message": "That is all."}"#;

/// What the printed events say of the question.
fn outcome(ended: &Ended) -> Value {
    let events = ended
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let answered: Vec<Value> = events
        .filter(|event| event["what"] == json!("answered"))
        .map(|event| event["outcome"].clone())
        .collect();
    assert_eq!(answered.len(), 1, "{}", ended.story());
    answered[0].clone()
}

/// Starts the task and waits for its question.
fn ask(bench: &Bench, model: &ScriptedModel) -> (Running, Value) {
    let mut task = Running::start(bench.task("Pay for the groceries", model, &[]));
    let line = task.line("the question", |line| line.contains(r#""what":"asked""#));
    let event: Value = serde_json::from_str(&line).unwrap();
    (task, event["ask"].clone())
}

fn answer(ask: &Value, choice: &str) -> String {
    json!({"ask": ask["id"], "digest": ask["digest"], "choice": choice}).to_string()
}

#[test]
fn nobody_there_is_no() {
    let mut bench = Bench::at_checkout();
    let model = ScriptedModel::saying(&[PAY, DONE]);
    let ended = run(bench.task("Pay for the groceries", &model, &[]), b"");
    assert_eq!(ended.code, 3, "{}", ended.story());
    assert_eq!(
        ended.err,
        "Approve this payment? $23.40, Greenleaf. If you do nothing, nothing is paid.\n\
         Nobody answered in time. Counted as no.\n"
    );
    insta::assert_snapshot!(events::story(&ended.out));
    assert_eq!(bench.at("/greenleaf/orders"), json!([]));
    let told = model.requests().pop().unwrap().text().to_owned();
    assert!(told.contains("The person said no."), "{told}");
    bench.check_nothing_is_lost(&ended.out);

    // The same where the command line says who answers.
    for (who, more) in [("deny", &["--answer", "deny"]), ("allow", &["--answer", "allow"])] {
        let model = ScriptedModel::saying(&[PAY, DONE]);
        let ended = run(bench.task("Pay for the groceries", &model, more), b"");
        assert_eq!(
            (ended.code, outcome(&ended)),
            (0, json!("denied")),
            "{who}: {}",
            ended.story()
        );
        assert!(
            ended.err.ends_with("You said no to the payment.\n"),
            "{}",
            ended.story()
        );
    }
    assert_eq!(bench.at("/greenleaf/orders"), json!([]));
}

#[test]
fn an_answer_is_a_line_with_the_questions_digest() {
    let mut bench = Bench::at_checkout();

    // None of these is an answer to this question; the question stands until its own No.
    let model = ScriptedModel::saying(&[PAY, DONE]);
    let (mut task, open) = ask(&bench, &model);
    for line in ["y", "yes", "true", r#"{"choice": "approve"}"#] {
        task.write(line);
        task.says(r#"a line is an answer, {"ask": ID"#);
    }
    let mut other = open.clone();
    other["digest"] = json!("0".repeat(64));
    task.write(&answer(&other, "approve"));
    other["id"] = json!("another/1");
    task.write(&answer(&other, "approve"));
    task.says("This is not there any more.");
    assert_eq!(bench.at("/greenleaf/orders"), json!([]));
    task.write(&answer(&open, "deny"));
    let ended = task.ended();
    assert_eq!(
        (ended.code, outcome(&ended)),
        (0, json!("denied")),
        "{}",
        ended.story()
    );
    assert_eq!(bench.at("/greenleaf/orders"), json!([]));

    // An end of input while it is open is No too.
    let model = ScriptedModel::saying(&[PAY, DONE]);
    let (mut task, _) = ask(&bench, &model);
    task.close_input();
    let ended = task.ended();
    assert_eq!(
        (ended.code, outcome(&ended)),
        (3, json!("denied")),
        "{}",
        ended.story()
    );
    assert_eq!(bench.at("/greenleaf/orders"), json!([]));

    // Yes, twice: it is paid once.
    let model = ScriptedModel::saying(&[PAY, DONE]);
    let (mut task, open) = ask(&bench, &model);
    task.write(&answer(&open, "approve"));
    task.write(&answer(&open, "approve"));
    let ended = task.ended();
    assert_eq!(
        (ended.code, outcome(&ended)),
        (0, json!("allowed")),
        "{}",
        ended.story()
    );
    let orders = bench.at("/greenleaf/orders");
    assert_eq!(orders.as_array().unwrap().len(), 1, "{orders}");
    assert_eq!(orders[0]["amount"], json!(2340));
}

#[test]
fn at_a_terminal_a_letter_answers() {
    let mut bench = Bench::at_checkout();
    let question = "Approve this payment? $23.40, Greenleaf. If you do nothing, nothing is paid.";

    let model = ScriptedModel::saying(&[PAY, DONE]);
    let mut terminal = Terminal::open();
    let mut task = terminal.start(bench.task("Pay for the groceries", &model, &[]));
    // Before there is a question, a letter is none's answer.
    terminal.write("y");
    task.says("Nothing is waiting for you");
    task.says(question);
    task.says("(y/n)");
    terminal.write("n");
    let ended = task.ended();
    assert_eq!(
        (ended.code, outcome(&ended)),
        (0, json!("denied")),
        "{}",
        ended.story()
    );
    assert_eq!(bench.at("/greenleaf/orders"), json!([]));

    let model = ScriptedModel::saying(&[PAY, DONE]);
    let mut terminal = Terminal::open();
    let mut task = terminal.start(bench.task("Pay for the groceries", &model, &[]));
    task.says(question);
    task.says("(y/n)");
    terminal.write("maybe");
    task.says(r#"a line is an answer, {"ask": ID"#);
    terminal.write("y");
    let ended = task.ended();
    assert_eq!(
        (ended.code, outcome(&ended)),
        (0, json!("allowed")),
        "{}",
        ended.story()
    );
    assert_eq!(bench.at("/greenleaf/orders/0/amount"), json!(2340));
    assert_eq!(bench.at("/greenleaf/orders/1"), Value::Null);
}
