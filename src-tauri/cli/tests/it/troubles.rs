//! What goes wrong: each ends in a plain sentence and an exit code, and loses nothing that was recorded before.

use crate::bench::Bench;
use crate::command::{Ended, Running, run};
use crate::model::{Reply, ScriptedModel};
use rusqlite::Connection;
use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};

const HOME: &str = r#"{"type": "keyevent", "keycode": "HOME"}"#;
const DONE: &str = r#"{"type": "finish", "message": "Done."}"#;

/// The first line that was said, the exit code, and nothing lost.
#[track_caller]
fn check(bench: &Bench, ended: &Ended, sentence: &str, code: i32) {
    let said = ended.err.lines().next().unwrap_or_default();
    assert_eq!((said, ended.code), (sentence, code), "{}", ended.story());
    assert!(!ended.err.contains("panicked"), "{}", ended.err);
    bench.check_nothing_is_lost(&ended.out);
}

fn task(bench: &Bench, model: &ScriptedModel) -> Ended {
    run(bench.task("Go home", model, &[]), b"")
}

/// How many of the printed events were this.
fn count(ended: &Ended, what: &str) -> usize {
    ended.out.matches(&format!(r#""what":"{what}""#)).count()
}

#[test]
fn replies_nobody_can_read() {
    let mut bench = Bench::new();
    let unclear = "The AI’s instructions were unclear three times in a row.";
    for garbage in [
        "I am a teapot.",
        "{\"thought\": \"hm\"}",
        "{\"type\": \"tap\"}",
        "\u{0}\u{1}\u{feff}{{{{[[[",
        "{\"type\": \"tap\", \"x\": \"left\", \"y\": \"up\"}",
        "<tool_call></tool_call>",
    ] {
        let model = ScriptedModel::saying(&[HOME, garbage]);
        let ended = task(&bench, &model);
        check(&bench, &ended, unclear, 3);
        assert_eq!(
            (count(&ended, "unclear"), count(&ended, "acted")),
            (3, 1),
            "{}",
            ended.story()
        );
        // The model was shown what was wrong with it.
        let told = model.requests().pop().unwrap().text();
        assert!(told.contains("Your answer could not be read"), "{told}");
    }
    // One clear answer in between, and it goes on.
    let model = ScriptedModel::saying(&["Hm.", "Hm?", HOME, "Hm!", DONE]);
    let ended = task(&bench, &model);
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{}", ended.story());
    // No finger ever came down: a touch nobody could read is no touch at 0,0.
    let touched = bench
        .record()
        .iter()
        .any(|entry| entry["event"] == json!("finger"));
    assert!(!touched);
}

/// Those the server's own words decide, without another try.
#[test]
fn servers_that_say_no() {
    let bench = Bench::new();
    for (status, message, sentence, requests) in [
        (
            401,
            "Incorrect API key",
            "The key wasn’t accepted. Copy it again from your AI provider.",
            1,
        ),
        (
            404,
            "The model `scripted` does not exist",
            "Your AI provider doesn’t have this model. Check its name in Settings.",
            1,
        ),
        (
            402,
            "Insufficient credits",
            "Your AI provider says your credit has run out. Add credit there, then try again.",
            1,
        ),
    ] {
        let model = ScriptedModel::start(move |_, _| Reply::Status(status, message));
        let ended = task(&bench, &model);
        check(&bench, &ended, sentence, 1);
        assert_eq!(model.requests().len(), requests, "{status}");
        assert!(!ended.err.contains(crate::bench::KEY));
    }
}

/// Nothing is sent anywhere: the address, or the want of a key, is told before.
#[test]
fn servers_that_are_never_asked() {
    let bench = Bench::new();
    let run_at = |address: &str, key: bool| {
        let mut command = bench.deck(&["run", "--device", &bench.serial, "--goal", "Go home"]);
        command.args(["--provider", address, "--model", "scripted"]);
        if !key {
            command.env_remove("POCKETDECK_API_KEY");
        }
        run(command, b"")
    };
    for address in [
        "ftp://127.0.0.1/v1",
        "http://models.invalid/v1",
        "https://127.0.0.1:port/v1",
    ] {
        let ended = run_at(address, true);
        let said = ended.err.lines().next();
        let sentence = "This address doesn’t work. Check it in Settings.";
        assert_eq!(
            (said, ended.code, ended.out.as_str()),
            (Some(sentence), 1, ""),
            "{}",
            ended.story()
        );
    }
    // Without a session bus there is no keychain to ask.
    #[cfg(target_os = "linux")]
    {
        let ended = run_at("https://models.invalid/v1", false);
        check(
            &bench,
            &ended,
            "This computer has no safe place for passwords. On Linux, install GNOME Keyring or KWallet, then try again.",
            1,
        );
        assert!(
            ended
                .err
                .ends_with("(deck takes a key from POCKETDECK_API_KEY too)\n"),
            "{}",
            ended.story()
        );
    }
}

/// Tried again a few times, then told; after the first good answer nothing of it is lost.
#[test]
fn a_server_that_fails_again_and_again() {
    let mut bench = Bench::new();
    let model = ScriptedModel::start(|number, _| match number {
        0 => Reply::Says(HOME.to_owned()),
        _ => Reply::Status(500, "the test wants this"),
    });
    let ended = task(&bench, &model);
    check(&bench, &ended, "The AI provider is having problems.", 1);
    // The good answer, the first failure, four more tries.
    assert_eq!(model.requests().len(), 6);
    assert_eq!(
        (count(&ended, "retrying"), count(&ended, "acted")),
        (4, 1),
        "{}",
        ended.story()
    );
    assert_eq!(bench.at("/screen/package"), json!("com.android.launcher3"));
}

#[test]
fn an_answer_that_breaks_off_is_asked_for_again() {
    let bench = Bench::new();
    let model = ScriptedModel::start(|number, _| match number {
        0 => Reply::Cut,
        _ => Reply::Says(DONE.to_owned()),
    });
    let ended = task(&bench, &model);
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{}", ended.story());
    assert_eq!(
        (count(&ended, "retrying"), count(&ended, "acted")),
        (1, 0),
        "{}",
        ended.story()
    );
    bench.check_nothing_is_lost(&ended.out);
}

/// The phone dies with a finger on it.
#[test]
fn a_phone_that_goes_in_the_middle_of_a_step() {
    let mut bench = Bench::with(&[]);
    let model = ScriptedModel::saying(&[
        HOME,
        r#"{"type": "swipe", "x1": 172.5, "y1": 608, "x2": 172.5, "y2": 160, "durationMs": 9000}"#,
    ]);
    let mut running = Running::start(bench.task("Scroll slowly", &model, &[]));
    running.close_input();
    bench.finger_moves();
    bench.phone.signal(Signal::KILL);
    let ended = running.ended();
    check(
        &bench,
        &ended,
        "The phone is disconnected: it was unplugged or turned off, or the connection dropped.",
        1,
    );
    // The intent was written before, and nobody claims that it was done.
    let outcomes: Vec<Value> = ended
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|event| event["what"] == json!("acted"))
        .map(|event| event["outcome"]["ok"].clone())
        .collect();
    assert_eq!(count(&ended, "acting"), 2, "{}", ended.story());
    assert_eq!(outcomes, [json!(true), json!(false)], "{}", ended.story());
}

/// And between two steps, while the AI thinks.
#[test]
fn a_phone_that_goes_while_the_ai_thinks() {
    let bench = Bench::new();
    let phone = bench.phone.pid;
    let model = ScriptedModel::start(move |number, _| {
        if number == 1 {
            kill_process(phone, Signal::KILL).unwrap();
        }
        Reply::Says(HOME.to_owned())
    });
    let ended = task(&bench, &model);
    check(
        &bench,
        &ended,
        "The phone is disconnected: it was unplugged or turned off, or the connection dropped.",
        1,
    );
    assert!(count(&ended, "acted") >= 1, "{}", ended.story());
}

/// Its daemon dies in the middle of every picture.
#[test]
fn half_a_picture() {
    let mut bench = Bench::new();
    bench.phone.write("fault half_capture");
    bench.state();
    let model = ScriptedModel::saying(&[HOME, DONE]);
    let ended = task(&bench, &model);
    // With it goes the whole connection: adb lists the phone as offline.
    check(
        &bench,
        &ended,
        "The phone is disconnected: it was unplugged or turned off, or the connection dropped.",
        1,
    );
    // Half a picture was never shown to anybody.
    assert_eq!(model.requests().len(), 0);
}

/// A picture that is black is told as such, and the elements are used.
#[test]
fn a_black_picture_is_no_end() {
    let bench = Bench::with(&["--speed", "instant", "--fault", "black_capture"]);
    let model = ScriptedModel::saying(&[HOME, DONE]);
    let ended = task(&bench, &model);
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{}", ended.story());
    assert!(model.requests()[0].text().contains("The picture is black"));
}

/// Folders that cannot be used.
#[test]
fn a_data_folder_that_is_none() {
    let bench = Bench::new();
    let file = bench.data().join("a-file");
    std::fs::write(&file, "not a folder").unwrap();
    let damaged = tempfile::tempdir().unwrap();
    std::fs::write(
        damaged.path().join("pocketdeck.db"),
        "not a database, but long enough to look like one? no.",
    )
    .unwrap();
    let newer = tempfile::tempdir().unwrap();
    drop(store::Store::open(newer.path()).unwrap());
    let database = Connection::open(newer.path().join("pocketdeck.db")).unwrap();
    database.pragma_update(None, "user_version", 1_000).unwrap();
    drop(database);
    for (folder, sentence) in [
        (
            file.as_path(),
            "PocketDeck can’t use the folder with its saved data. Allow access, or check the disk, then try again.",
        ),
        (
            damaged.path(),
            "PocketDeck’s saved data is damaged, or the file belongs to another program. Restore a backup, or set the file aside and start fresh.",
        ),
        (
            newer.path(),
            "PocketDeck’s saved data is from a newer version. Update PocketDeck, or set the file aside and start fresh.",
        ),
    ] {
        let ended = bench.call(&[
            "--data",
            folder.to_str().unwrap(),
            "act",
            "--device",
            &bench.serial,
            HOME,
        ]);
        let said = ended.err.lines().next();
        assert_eq!((said, ended.code), (Some(sentence), 1), "{}", ended.story());
    }
    let kept = std::fs::read(damaged.path().join("pocketdeck.db")).unwrap();
    assert!(kept.starts_with(b"not a database"));
}

/// An environment that names a server by what is no address.
#[test]
fn an_adb_server_that_is_none() {
    let bench = Bench::new();
    for arguments in [
        vec!["devices"],
        vec!["doctor"],
        vec!["look", "--device", "x"],
        vec!["act", "--device", "x", HOME],
    ] {
        let mut command = bench.deck(&arguments);
        command.env("ADB_SERVER_SOCKET", "localabstract:somewhere");
        let ended = run(command, b"");
        let said = ended.err.lines().next();
        let sentence = "The system setting ADB_SERVER_SOCKET or ANDROID_ADB_SERVER_PORT isn’t a valid address. Correct or remove it, then open PocketDeck again.";
        assert_eq!((said, ended.code), (Some(sentence), 1), "{}", ended.story());
    }
}

/// One phone, one task.
#[test]
fn a_phone_that_is_in_use() {
    let bench = Bench::new();
    let model = ScriptedModel::start(|_, _| Reply::Silence);
    let first = Running::start(bench.task("Think for ever", &model, &[]));
    model.wait_for(1);
    let ended = bench.act(HOME);
    let said = ended.err.lines().next();
    assert_eq!(
        (said, ended.code),
        (
            Some("A task is using this phone. Stop it first, or wait until it’s done."),
            1
        ),
        "{}",
        ended.story()
    );
    first.signal(Signal::INT);
    assert_eq!(first.ended().code, 1);
    assert_eq!(bench.act(HOME).code, 0);
}

#[test]
fn a_task_without_words() {
    let bench = Bench::new();
    let ended = run(bench.task("  ", &ScriptedModel::saying(&[DONE]), &[]), b"");
    assert_eq!((ended.code, ended.out.as_str()), (2, ""), "{}", ended.story());
}
