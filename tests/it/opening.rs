//! Data that cannot be opened: the window opens in any case, says why, and each remedy is tried. The real commands on a mock
//! of the system.

use agent::ports::Journal;
use engine::{Engine, EngineError, Keychain, Options};
use pocketdeck::opening::Server;
use protocol::{Event, FailureCode, What};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tauri::ipc::{CallbackFn, Channel, InvokeBody, InvokeResponseBody};
use tauri::test::{INVOKE_KEY, MockRuntime, get_ipc_response, mock_builder};
use tauri::webview::InvokeRequest;
use tauri::{App, Manager, WebviewWindow};

/// Nothing here takes so long.
const BOUND: Duration = Duration::from_secs(60);

/// What goes wrong before anything is opened, until it ends.
#[derive(Clone, Default)]
struct Trouble(Arc<Mutex<Option<FailureCode>>>);

impl Trouble {
    fn of(code: FailureCode) -> Self {
        Self(Arc::new(Mutex::new(Some(code))))
    }

    fn end(&self) {
        *self.0.lock().unwrap() = None;
    }
}

/// The app over a folder.
fn app(folder: &Path, trouble: &Trouble) -> App<MockRuntime> {
    let (folder, trouble) = (folder.to_path_buf(), trouble.clone());
    let options = move |server| {
        match *trouble.0.lock().unwrap() {
            // Only what the environment names is no server.
            Some(FailureCode::AdbAddress) if server == Server::Own => {}
            Some(FailureCode::AdbAddress) => {
                let address = "ADB_SERVER_SOCKET=somewhere".to_owned();
                return Err(EngineError::Environment(adb::AdbError::BadAddress(address)));
            }
            Some(code) => return Err(EngineError::Failure(code.into())),
            None => {}
        }
        Ok(Options {
            folder: folder.clone(),
            places: vec![],
            program: engine::ProgramChoice::default(),
            demo: true,
            keychain: Keychain::absent(),
            key: None,
            scheduler: None,
        })
    };
    let mut app = pocketdeck::builder(mock_builder(), options)
        .build(tauri::generate_context!())
        .unwrap();
    // The app sets itself up when its loop first turns.
    #[expect(deprecated, reason = "the mock's loop cannot be turned by hand otherwise")]
    app.run_iteration(|_, _| {});
    app
}

fn call(window: &WebviewWindow<MockRuntime>, command: &str, body: Value) -> Result<Value, Value> {
    let request = InvokeRequest {
        cmd: command.into(),
        callback: CallbackFn(0),
        error: CallbackFn(1),
        url: if cfg!(windows) {
            "http://tauri.localhost"
        } else {
            "tauri://localhost"
        }
        .parse()
        .unwrap(),
        body: InvokeBody::Json(body),
        headers: tauri::http::HeaderMap::new(),
        invoke_key: INVOKE_KEY.into(),
    };
    get_ipc_response(window, request).map(|body| body.deserialize::<Value>().unwrap_or(Value::Null))
}

/// How opening ended, as the page is told.
pub(crate) fn told(app: &App<MockRuntime>) -> Value {
    let heard = watch(app);
    loop {
        let now = heard.recv_timeout(BOUND).unwrap();
        if now["opening"] != "trying" {
            return now;
        }
    }
}

fn watch(app: &App<MockRuntime>) -> std::sync::mpsc::Receiver<Value> {
    let (sender, heard) = std::sync::mpsc::channel();
    let channel: Channel<protocol::Opening> = Channel::new(move |body| {
        let InvokeResponseBody::Json(text) = body else {
            panic!("raw")
        };
        let _ = sender.send(serde_json::from_str::<Value>(&text).unwrap());
        Ok(())
    });
    pocketdeck::opening::watch_opening(app.state(), channel);
    heard
}

/// The data of a program that was used: a run, and a script's folder.
fn used(folder: &Path) {
    tauri::async_runtime::block_on(async {
        let store = store::Store::open(folder).unwrap();
        let what = What::Started {
            goal: "Order the weekly groceries".to_owned(),
            model: "m".to_owned(),
            demo_ai: true,
            automation: None,
            goes_on: None,
        };
        let (run, phone) = ("0001-a".into(), "moto".into());
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
        let now = u64::try_from(now).unwrap();
        let event = Event {
            run,
            phone,
            seq: 1,
            // What ended long ago is not kept.
            at: now,
            what,
        };
        store.append(&event).await.unwrap();
    });
    let scripts = folder.join("scripts/0001-a-Ab3dE9");
    fs::create_dir_all(&scripts).unwrap();
    fs::write(scripts.join("script.sh"), "echo one").unwrap();
}

/// Opens it broken, checks what the page is told, mends it, presses `remedy`, and expects it open.
fn check(code: &str, remedies: &[&str], breaks: impl FnOnce(&Path), mends: impl FnOnce(&Path), remedy: &str) {
    let folder = tempfile::tempdir().unwrap();
    used(folder.path());
    breaks(folder.path());
    let app = app(folder.path(), &Trouble::default());
    let window = app.get_webview_window("main").expect("there is a window");
    let now = told(&app);
    assert_eq!(
        (&now["opening"], &now["failure"]["code"]),
        (&json!("failed"), &json!(code)),
        "{now}"
    );
    assert_eq!(now["remedies"], json!(remedies));
    assert_eq!(now["folder"], json!(folder.path().to_str().unwrap()));
    // Nothing can be asked for yet, and nobody falls over it.
    call(&window, "key_status", json!({})).unwrap_err();
    assert!(app.try_state::<Engine>().is_none());
    // What is not offered is not done.
    let other = if remedies.contains(&"fresh") {
        "own_server"
    } else {
        "fresh"
    };
    assert_eq!(
        call(&window, "remedy", json!({"which": other})).unwrap_err()["code"],
        "not_now"
    );

    if remedy != "fresh" {
        // Pressed too early, it says the same again.
        call(&window, "remedy", json!({"which": remedy})).unwrap();
        assert_eq!(told(&app)["failure"]["code"], json!(code));
    }
    mends(folder.path());
    call(&window, "remedy", json!({"which": remedy})).unwrap();
    assert_eq!(told(&app), json!({"opening": "open"}), "{code}");
    call(&window, "key_status", json!({})).unwrap();
    let engine = app.state::<Engine>();
    let runs = tauri::async_runtime::block_on(async { engine.store().runs(None, None, 10).await.unwrap() });
    assert_eq!(runs.len(), usize::from(remedy != "fresh"));
}

const FILE: &str = "pocketdeck.db";

#[test]
fn a_damaged_database_is_set_aside_and_nothing_of_it_is_lost() {
    check(
        "store_broken",
        &["again", "fresh", "folder"],
        |path| {
            let mut bytes = fs::read(path.join(FILE)).unwrap();
            bytes[4096..].fill(0xa5);
            fs::write(path.join(FILE), &bytes).unwrap();
        },
        |_| {},
        "fresh",
    );
}

/// What the system says while opening, whatever it is: here that its disk is full.
#[test]
fn a_full_disk_is_said_until_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    used(folder.path());
    let trouble = Trouble::of(FailureCode::DiskFull);
    let app = app(folder.path(), &trouble);
    let window = app.get_webview_window("main").unwrap();
    for _ in 0..2 {
        let now = told(&app);
        assert_eq!(now["failure"]["code"], json!("disk_full"), "{now}");
        call(&window, "remedy", json!({"which": "again"})).unwrap();
    }
    trouble.end();
    call(&window, "remedy", json!({"which": "again"})).unwrap();
    assert_eq!(told(&app), json!({"opening": "open"}));
}

#[test]
fn what_is_set_aside_lies_beside_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    used(folder.path());
    fs::write(folder.path().join(FILE), "Dear diary, ".repeat(1_000)).unwrap();
    let app = app(folder.path(), &Trouble::default());
    let window = app.get_webview_window("main").unwrap();
    assert_eq!(told(&app)["opening"], json!("failed"));
    call(&window, "remedy", json!({"which": "fresh"})).unwrap();
    assert_eq!(told(&app), json!({"opening": "open"}));
    let names: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let aside = names
        .iter()
        .find(|name| name.starts_with("pocketdeck ") && name.ends_with(".db"));
    let aside = aside.unwrap_or_else(|| panic!("{names:?}"));
    let text = fs::read_to_string(folder.path().join(aside)).unwrap();
    assert!(text.starts_with("Dear diary"));
    let scripts = format!("{} scripts", aside.trim_end_matches(".db"));
    let script = folder.path().join(scripts).join("0001-a-Ab3dE9/script.sh");
    assert_eq!(fs::read_to_string(script).unwrap(), "echo one");
}

#[test]
fn a_newer_database_waits_for_a_newer_program() {
    let version = |path: &Path, version: u32| {
        let connection = rusqlite::Connection::open(path.join(FILE)).unwrap();
        connection.pragma_update(None, "user_version", version).unwrap();
    };
    check(
        "store_newer",
        &["again", "fresh", "folder"],
        |path| version(path, 1_000),
        |path| version(path, 6),
        "again",
    );
}

#[test]
fn a_folder_that_takes_nothing_is_said() {
    let owners = |path: &Path| path.join("owners");
    check(
        "store_folder",
        &["again", "folder"],
        // Whoever may do everything may also write into a folder that is read-only: a file in its place stops anybody.
        |path| {
            fs::remove_dir_all(owners(path)).unwrap();
            fs::write(owners(path), "").unwrap();
        },
        |path| fs::remove_file(owners(path)).unwrap(),
        "again",
    );
}

/// A lock is waited for, whoever presses what.
#[test]
fn a_database_that_another_program_holds_is_opened_once_it_lets_go() {
    let folder = tempfile::tempdir().unwrap();
    used(folder.path());
    let other = rusqlite::Connection::open(folder.path().join(FILE)).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let app = app(folder.path(), &Trouble::default());
    assert!(app.get_webview_window("main").is_some());
    let now = told(&app);
    assert_eq!(now["failure"]["code"], json!("journal_locked"), "{now}");
    assert_eq!(now["remedies"], json!(["again"]));
    other.execute_batch("ROLLBACK").unwrap();
    // Nobody presses anything.
    let heard = watch(&app);
    while heard.recv_timeout(BOUND).expect("it is tried again by itself") != json!({"opening": "open"}) {}
}

#[test]
fn an_environment_that_names_no_server_is_said_and_gone_round() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(folder.path(), &Trouble::of(FailureCode::AdbAddress));
    let window = app.get_webview_window("main").unwrap();
    let now = told(&app);
    assert_eq!(now["failure"]["code"], json!("adb_address"), "{now}");
    assert_eq!(
        (&now["remedies"], &now["folder"]),
        (&json!(["own_server"]), &json!(""))
    );
    call(&window, "remedy", json!({"which": "own_server"})).unwrap();
    assert_eq!(told(&app), json!({"opening": "open"}));
    call(&window, "key_status", json!({})).unwrap();
}

/// One line of an ended run that nobody can read: nothing is amiss, and the page is told of it in its place.
#[test]
fn one_unreadable_line_keeps_nothing_shut() {
    let folder = tempfile::tempdir().unwrap();
    used(folder.path());
    let raw = rusqlite::Connection::open(folder.path().join(FILE)).unwrap();
    raw.execute(
        r#"INSERT INTO events VALUES ('0001-a', 2, 2, 'dreaming', '{"what": "dreaming"}')"#,
        (),
    )
    .unwrap();
    drop(raw);
    let app = app(folder.path(), &Trouble::default());
    assert_eq!(told(&app), json!({"opening": "open"}));
    let mut news = app.state::<Engine>().listen();
    let mut told = Vec::new();
    while let Ok(one) = news.try_recv() {
        if let protocol::News::Run { event } = one {
            told.push(event.what);
        }
    }
    let was = "dreaming".to_owned();
    assert!(told.contains(&What::Unreadable { was }), "{told:?}");
}
