//! A payment, and who answers: nobody, No, Yes, something else. The phone's own orders say what came of it.

use crate::bench::{Bench, KEY, holds};
use crate::command::{Ended, Running, run};
use crate::events;
use crate::model::ScriptedModel;
use crate::terminal::Terminal;
use serde_json::{Value, json};

const PAY: &str =
    r#"{"thought": "Pay $23.40 now.", "action": {"type": "tap", "target": {"text": "Pay $23.40"}}}"#;
const DONE: &str = r#"{"type": "finish", "message": "That is all."}"#;

/// How the task ended, and what the printed events say of its one question.
#[track_caller]
fn check(ended: &Ended, code: i32, outcome: &str) {
    let events = ended
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let answered: Vec<Value> = events
        .filter(|event| event["what"] == json!("answered"))
        .map(|event| event["outcome"].clone())
        .collect();
    assert_eq!(
        (ended.code, answered),
        (code, vec![json!(outcome)]),
        "{}",
        ended.story()
    );
}

/// Does one thing on the phone, which goes well and says nothing.
#[track_caller]
fn act(bench: &Bench, action: &str) {
    let ended = bench.act(action);
    assert_eq!(
        (ended.code, ended.err.as_str()),
        (0, ""),
        "{action}: {}",
        ended.story()
    );
}

/// Starts the task and waits for its question.
fn ask(bench: &Bench, model: &ScriptedModel) -> (Running, Value) {
    asked(Running::start(bench.task("Pay for the groceries", model, &[])))
}

/// Waits for a task's question.
fn asked(mut task: Running) -> (Running, Value) {
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
         There’s no one to answer, so this counts as no.\n"
    );
    insta::assert_snapshot!(events::story(&ended.out));
    assert_eq!(bench.at("/greenleaf/orders"), json!([]));
    let told = model.requests().pop().unwrap().text();
    assert!(told.contains("The person said no."), "{told}");
    bench.check_nothing_is_lost(&ended.out);

    // The same where the command line says who answers.
    for (who, code, said) in [
        ("deny", 0, "You said no to the payment.\n"),
        // A payment is not what can be allowed beforehand.
        ("allow", 3, "There’s no one to answer, so this counts as no.\n"),
    ] {
        let model = ScriptedModel::saying(&[PAY, DONE]);
        let ended = run(
            bench.task("Pay for the groceries", &model, &["--answer", who]),
            b"",
        );
        check(&ended, code, "denied");
        assert!(ended.err.ends_with(said), "{}", ended.story());
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
    task.says("the digest is not the open question's");
    other["id"] = json!("another/1");
    task.write(&answer(&other, "approve"));
    task.says("This can’t be found. It may be over, or it was erased.");
    assert_eq!(bench.at("/greenleaf/orders"), json!([]));
    task.write(&answer(&open, "deny"));
    let ended = task.ended();
    check(&ended, 0, "denied");
    assert_eq!(bench.at("/greenleaf/orders"), json!([]));

    // An end of input while it is open is No too.
    let model = ScriptedModel::saying(&[PAY, DONE]);
    let (mut task, _) = ask(&bench, &model);
    task.close_input();
    let ended = task.ended();
    check(&ended, 3, "denied");
    assert_eq!(bench.at("/greenleaf/orders"), json!([]));

    // Yes, twice: it is paid once.
    let model = ScriptedModel::saying(&[PAY, DONE]);
    let (mut task, open) = ask(&bench, &model);
    task.write(&answer(&open, "approve"));
    task.write(&answer(&open, "approve"));
    let ended = task.ended();
    check(&ended, 0, "allowed");
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
    check(&ended, 0, "denied");
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
    check(&ended, 0, "allowed");
    assert_eq!(bench.at("/greenleaf/orders/0/amount"), json!(2340));
    assert_eq!(bench.at("/greenleaf/orders/1"), Value::Null);
}

/// What a switch in the settings can turn off may be allowed beforehand; the phone's outbox says what was sent.
#[test]
fn a_message_goes_out_as_the_command_line_says() {
    let mut bench = Bench::new();
    for action in [
        r#"{"type": "launch_app", "packageName": "com.android.messaging"}"#,
        r#"{"type": "tap", "target": {"text": "Dana Whitlock"}}"#,
        r#"{"type": "tap", "target": {"text": "Text message"}}"#,
        r#"{"type": "type", "text": "Running late"}"#,
    ] {
        act(&bench, action);
    }
    let send = r#"{"type": "tap", "target": {"text": "Send SMS"}}"#;
    let sent = json!([{"to": "Dana Whitlock", "text": "Running late"}]);
    for (who, said, expected) in [
        ("deny", "You said no to sending it.\n", json!([])),
        ("allow", "You approved sending it.\n", sent),
    ] {
        let model = ScriptedModel::saying(&[send, DONE]);
        let ended = run(bench.task("Tell Dana", &model, &["--answer", who]), b"");
        assert_eq!(ended.code, 0, "{}", ended.story());
        assert!(ended.err.ends_with(said), "{}", ended.story());
        assert_eq!(bench.at("/messages/sent"), expected);
    }
}

/// A code goes from standard input to the phone and nowhere else.
#[test]
fn a_code_reaches_the_phone_and_nothing_else() {
    let mut bench = Bench::new();
    act(
        &bench,
        r#"{"type": "launch_app", "packageName": "com.northbank.mobile"}"#,
    );
    let model = ScriptedModel::saying(&[
        r#"{"type": "tap", "target": {"text": "Sign in"}}"#,
        r#"{"type": "wait", "durationMs": 10}"#,
        r#"{"type": "request_human_auth", "capability": "2fa", "instruction": "The code, please."}"#,
        r#"{"type": "tap", "target": {"text": "Confirm"}}"#,
        DONE,
    ]);
    let mut task = bench.task("Pay for the groceries", &model, &[]);
    task.env("POCKETDECK_LOG", "trace");
    // The bank has the password; signing in with it is asked about all the same.
    let (mut task, open) = asked(Running::start(task));
    assert_eq!(open["kind"], json!("oauth"));
    task.write(&answer(&open, "approve"));
    let (mut task, open) = asked(task);
    let code = bench.code();
    assert_eq!(open["kind"], json!("code"));
    task.write(
        &json!({"ask": open["id"], "digest": open["digest"], "choice": "supply", "value": code}).to_string(),
    );
    let ended = task.ended();
    assert_eq!(ended.code, 0, "{}", ended.story());
    assert_eq!(
        bench.at("/northbank/signedIn"),
        json!(true),
        "{}",
        events::story(&ended.out)
    );
    assert!(
        ended.err.contains("TRACE") || ended.err.contains("DEBUG"),
        "the log was told: {}",
        ended.err
    );
    // The code, and the key every request was made with: in no form, in nothing that was told, sent or kept.
    let forms: Vec<Vec<u8>> = [code.as_str(), KEY].into_iter().flat_map(written).collect();
    for form in &forms {
        for text in [&ended.out, &ended.err] {
            assert!(
                !holds(text.as_bytes(), form),
                "{:?} in {text}",
                String::from_utf8_lossy(form)
            );
        }
        for request in model.requests() {
            assert!(!holds(request.body.to_string().as_bytes(), form));
        }
    }
    let forms: Vec<&[u8]> = forms.iter().map(Vec::as_slice).collect();
    bench.check_no_file_holds(&forms);
    bench.check_nothing_is_lost(&ended.out);
}

/// A text as it may be written: plain, base64 wherever it begins, both kinds of UTF-16, JSON's own escapes.
fn written(text: &str) -> Vec<Vec<u8>> {
    use base64::Engine as _;
    use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
    let mut forms = vec![text.as_bytes().to_vec()];
    for before in 0..3 {
        let mut bytes = vec![0; before];
        bytes.extend(text.as_bytes());
        // What its neighbours have a part in is cut away.
        let whole = &bytes[..bytes.len() / 3 * 3];
        for form in [STANDARD_NO_PAD.encode(whole), URL_SAFE_NO_PAD.encode(whole)] {
            forms.push(form.as_bytes()[before.div_ceil(3) * 4..].to_vec());
        }
    }
    forms.push(text.encode_utf16().flat_map(u16::to_le_bytes).collect());
    forms.push(text.encode_utf16().flat_map(u16::to_be_bytes).collect());
    forms.push(
        text.encode_utf16()
            .map(|unit| format!("\\u{unit:04x}"))
            .collect::<String>()
            .into_bytes(),
    );
    forms.retain(|form| form.len() >= 4);
    forms
}

/// A program that is killed while a question stands open: the next one finds it withdrawn, and nothing was done.
#[test]
fn killed_while_asking_withdraws_the_question() {
    let mut bench = Bench::at_checkout();
    let model = ScriptedModel::saying(&[PAY]);
    let (task, open) = ask(&bench, &model);
    task.signal(rustix::process::Signal::KILL);
    task.ended();
    let (latest, events) = bench.stored();
    assert!(
        matches!(
            latest.end.and_then(|end| end.ending),
            Some(protocol::Ending::Interrupted {
                unknown_effect: false
            })
        ),
        "nothing was done"
    );
    let ends: Vec<_> = events
        .iter()
        .filter_map(|event| match &event.what {
            protocol::What::Answered { ask, outcome } => Some((json!(ask), outcome.clone())),
            _ => None,
        })
        .collect();
    assert_eq!(ends, [(open["id"].clone(), protocol::AskOutcome::Withdrawn)]);
    assert_eq!(bench.at("/greenleaf/orders"), json!([]));
}

/// Android's own dialog: its own button is pressed for the person, and the phone's settings say which.
#[test]
fn a_permission_is_given_or_refused_by_androids_own_button() {
    for (choice, button, expected) in [
        ("approve", "Only this time", "once"),
        ("deny", "Don’t allow", "denied"),
    ] {
        let mut bench = Bench::new();
        act(&bench, r#"{"type": "launch_app", "app": "Maps"}"#);
        let model = ScriptedModel::saying(&[
            r#"{"type": "request_human_auth", "capability": "permission", "instruction": "Maps wants the location."}"#,
            DONE,
        ]);
        let (mut task, open) = ask(&bench, &model);
        assert_eq!(open["kind"], json!("permission"));
        assert_eq!(open["evidence"]["label"], json!("Only this time"));
        assert_eq!(open["evidence"]["allows"], json!("once"));
        assert_eq!(
            open["evidence"]["hint"],
            json!("Allow Maps to access this device’s location?")
        );
        task.write(&answer(&open, choice));
        let ended = task.ended();
        assert_eq!(ended.code, 0, "{}", ended.story());
        let permissions = bench.at("/permissions");
        let given: Vec<&Value> = permissions.as_object().unwrap().values().collect();
        assert_eq!(given, [&json!(expected)], "{permissions}");
        let told = model.requests().pop().unwrap().text().to_owned();
        assert!(told.contains(&format!("{button:?}").replace('"', "")), "{told}");
    }
}

/// A picture of this computer is put into the phone's gallery; the model learns where, and nothing of what is in it.
#[test]
fn a_picked_picture_is_put_on_the_phone() {
    let bench = Bench::new();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("letter.png");
    std::fs::write(&file, b"marker-in-the-picture").unwrap();
    let model = ScriptedModel::saying(&[
        r#"{"type": "request_human_auth", "capability": "camera", "instruction": "A picture of the letter."}"#,
        r#"{"type": "shell", "command": "cat /sdcard/Pictures/PocketDeck/letter.png"}"#,
        DONE,
    ]);
    let (mut task, open) = ask(&bench, &model);
    assert!(
        open["choices"].as_array().unwrap().contains(&json!("give")),
        "{open}"
    );
    let line = json!({"ask": open["id"], "digest": open["digest"], "choice": "give", "file": file});
    task.write(&line.to_string());
    let next = task.line("the next question", |line| line.contains(r#""what":"asked""#));
    let next: Value = serde_json::from_str(&next).unwrap();
    let told = model.requests().pop().unwrap().text().to_owned();
    assert!(told.contains("/sdcard/Pictures/PocketDeck/letter.png"), "{told}");
    assert!(!told.contains("marker-in-the-picture"), "{told}");
    task.write(&answer(&next["ask"], "approve"));
    let ended = task.ended();
    // It is there, whole: the command that the person allowed next reads it.
    assert!(ended.out.contains("marker-in-the-picture"), "{}", ended.story());
    bench.check_nothing_is_lost(&ended.out);
}
