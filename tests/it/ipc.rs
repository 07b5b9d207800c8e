//! Each window may call what its capability lists, and nothing else: the real configuration on a mock of the system.

use crate::commands::COMMANDS;
use engine::{Engine, Keychain, Options};
use pocketdeck::drops::Drops;
use protocol::{Level, News, PhoneState, Settings, SettingsChange};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use tauri::ipc::{CallbackFn, InvokeBody};
use tauri::test::{INVOKE_KEY, MockRuntime, get_ipc_response, mock_builder};
use tauri::webview::InvokeRequest;
use tauri::{App, DragDropEvent, Manager, PhysicalPosition, WebviewUrl, WebviewWindow, WebviewWindowBuilder};

const FRAMEWORK: &[&str] = &[
    "plugin:event|listen",
    "plugin:event|emit",
    "plugin:window|title",
    "plugin:window|close",
    "plugin:webview|create_webview",
    "plugin:app|version",
    "plugin:path|resolve_directory",
    "plugin:dialog|save",
    "plugin:dialog|open",
    "plugin:fs|read_file",
    "plugin:opener|open_url",
    "plugin:opener|open_path",
    "plugin:notification|notify",
    "plugin:notification|show",
];

/// The notification plugin's own script asks this on every page that loads: refused, it is an error nobody caught.
const ASKED_BY_PLUGIN: &str = "plugin:notification|is_permission_granted";

fn app(folder: &std::path::Path) -> App<MockRuntime> {
    let folder = folder.to_path_buf();
    let options = move |_| {
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
    assert_eq!(crate::opening::told(&app), json!({"opening": "open"}));
    for label in ["approval", "phone-7a", "stranger"] {
        WebviewWindowBuilder::new(&app, label, WebviewUrl::App("index.html".into()))
            .build()
            .unwrap();
    }
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

/// Called without arguments a command that is allowed complains of them; one that is not is refused before it looks.
fn is_allowed(window: &WebviewWindow<MockRuntime>, command: &str) -> bool {
    match call(window, command, json!({})) {
        Ok(_) => true,
        Err(error) => !error.to_string().contains("not allowed"),
    }
}

/// Whether a capability's window is this one: its label, or the beginning of several.
fn is_named(window: &Value, label: &str) -> bool {
    let window = window.as_str().unwrap();
    window == label
        || window
            .strip_suffix('*')
            .is_some_and(|begin| label.starts_with(begin))
}

#[test]
fn each_window_may_call_what_it_was_given_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(folder.path());
    let config: Value = serde_json::from_str(include_str!("../../tauri.conf.json")).unwrap();
    let capabilities = config["app"]["security"]["capabilities"].as_array().unwrap();
    for label in ["main", "approval", "phone-7a", "stranger"] {
        let window = app.get_webview_window(label).unwrap();
        let given: BTreeSet<String> = capabilities
            .iter()
            .filter(|capability| {
                capability["windows"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .any(|window| is_named(window, label))
            })
            .flat_map(|capability| capability["permissions"].as_array().unwrap())
            .map(|permission| {
                permission
                    .as_str()
                    .unwrap()
                    .trim_start_matches("allow-")
                    .replace('-', "_")
            })
            .collect();
        for command in COMMANDS {
            assert_eq!(
                is_allowed(&window, command),
                given.contains(*command),
                "{command} in {label}"
            );
        }
        assert_eq!(
            is_allowed(&window, ASKED_BY_PLUGIN),
            label != "stranger",
            "in {label}"
        );
        for command in FRAMEWORK {
            assert!(!is_allowed(&window, command), "{command} in {label}");
        }
    }
}

#[test]
fn settings_go_in_and_a_key_never_comes_out() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(folder.path());
    let main = app.get_webview_window("main").unwrap();
    let provider = json!({"kind": "model", "maker": "custom", "baseUrl": "https://api.example.com/v1", "model": "some-model"});
    call(&main, "patch_settings", json!({"patch": {"provider": provider}})).unwrap();
    // No keychain answers here, and that is said before a key is typed.
    let none = call(&main, "key_status", json!({})).unwrap();
    assert_eq!(none["key"], "unreadable");
    assert_eq!(none["failure"]["code"], "keychain_missing");
    let saved = call(&main, "save_key", json!({"key": "sk-marker-0123456789-7Qx2"})).unwrap();
    assert_eq!(
        saved["key"], "this_run_only",
        "no keychain answers here, and that is said: {saved}"
    );
    assert_eq!(saved["endsIn"], "7Qx2");
    assert!(!saved.to_string().contains("marker"));
    let status = call(&main, "key_status", json!({})).unwrap();
    assert!(!status.to_string().contains("marker"), "{status}");
    assert_eq!(call(&main, "forget_key", json!({})).unwrap(), none);
}

/// Without a keychain a password is kept nowhere, and the page cannot list one that is not there.
#[test]
fn a_password_is_kept_in_the_keychain_or_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(folder.path());
    let main = app.get_webview_window("main").unwrap();
    let save = |name: &str, host: &str, value: &str| {
        let wish = json!({"at": "host", "host": host});
        let body = json!({"name": name, "kind": "password", "wish": wish, "value": value});
        call(&main, "save_credential", body).unwrap_err()["code"].clone()
    };
    assert_eq!(
        save("Northbank password", "northbank.example", "marker-9"),
        "keychain_missing"
    );
    for (name, host, value) in [
        ("", "northbank.example", "marker-9"),
        ("a}}b", "northbank.example", "marker-9"),
        ("Northbank", "http://northbank.example", "marker-9"),
        ("Northbank", "northbank", "marker-9"),
        ("Northbank", "northbank.example", ""),
        ("Northbank", "northbank.example", "two\nlines"),
    ] {
        assert_eq!(
            save(name, host, value),
            "bad_input",
            "{name:?} {host:?} {value:?}"
        );
    }
    let listed = json!([{"name": "x", "kind": "password", "place": {"at": "host", "host": "evil.example"}}]);
    call(&main, "patch_settings", json!({"patch": {"credentials": listed}})).unwrap();
    let settings = tauri::async_runtime::block_on(async { app.state::<engine::Engine>().settings() });
    assert!(settings.credentials.is_empty(), "{:?}", settings.credentials);
    call(&main, "forget_credential", json!({"name": "x"})).unwrap();
}

#[test]
fn what_makes_no_sense_is_a_failure_with_a_code() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(folder.path());
    let main = app.get_webview_window("main").unwrap();
    let approval = app.get_webview_window("approval").unwrap();
    for (window, command, body, code) in [
        (
            &main,
            "run",
            json!({"phones": [], "goal": "x", "anyway": false}),
            "not_now",
        ),
        (
            &main,
            "run",
            json!({"phones": ["nobody"], "goal": "x", "anyway": true}),
            "phone_gone",
        ),
        (
            &main,
            "steer",
            json!({"run": "nothing", "op": {"op": "pause"}}),
            "not_found",
        ),
        (
            &main,
            "hand",
            json!({"phone": "nobody", "hand": {"hand": "tap", "x": 0.5, "y": 0.5}}),
            "phone_gone",
        ),
        (
            &main,
            "picture",
            json!({"frame": "nothing/1", "longestSide": null, "crop": null}),
            "not_found",
        ),
        (&main, "review", json!({"ask": "nothing/1"}), "not_found"),
        (
            &approval,
            "answer",
            json!({"answer": {"ask": "a/1", "digest": "x", "choice": "deny"}}),
            "not_found",
        ),
        (
            &approval,
            "answer",
            json!({"answer": {"ask": "a/1", "digest": "x", "choice": "approve"}}),
            "not_now",
        ),
        (
            &approval,
            "supply",
            json!({"ask": "a/1", "digest": "x", "value": "000000"}),
            "not_now",
        ),
        (
            &approval,
            "answer",
            json!({"answer": {"ask": "a/1", "digest": "x", "choice": "approve_always"}}),
            "not_now",
        ),
        (
            &approval,
            "confirm",
            json!({"change": "settings/1", "yes": false}),
            "not_found",
        ),
        (
            &approval,
            "confirm",
            json!({"change": "settings/1", "yes": true}),
            "not_now",
        ),
        // A file's bytes come as they are, never as JSON.
        (&approval, "give", json!({}), "bad_input"),
    ] {
        let error = call(window, command, body).unwrap_err();
        assert_eq!(error["code"], code, "{command}: {error}");
    }
}

fn settings(app: &App<MockRuntime>) -> Settings {
    app.state::<Engine>().settings()
}

/// What waits in the approval window, as its page is told.
fn waiting(app: &App<MockRuntime>) -> Vec<SettingsChange> {
    app.state::<Engine>().open_asks().borrow().changes.clone()
}

/// A program a script may start, where one is.
#[cfg(unix)]
fn program() -> Value {
    let found = ["/usr/bin/sha256sum", "/usr/bin/shasum", "/usr/bin/wc"];
    let found = found
        .into_iter()
        .find(|path| std::path::Path::new(path).is_file());
    json!(found.unwrap())
}

/// The main window's own command loosens nothing, whatever it is given; what it wanted waits in the approval window.
#[test]
fn the_main_window_can_lower_nothing_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(folder.path());
    let main = app.get_webview_window("main").unwrap();
    let off = |name: &str| {
        let mut switches = json!({"sending": true, "deleting": true, "installing": true, "shell": true});
        switches[name] = json!(false);
        json!({ "askBefore": switches })
    };
    let element =
        json!({"signer": "s", "page": "p", "resourceId": "", "role": "button", "label": "Send", "used": 1});
    let rule = json!({"kind": "send", "app": "a.b", "appLabel": "A", "since": 1, "element": element});
    let mut ways = vec![
        json!({"level": "hard_stops"}),
        off("sending"),
        off("deleting"),
        off("installing"),
        off("shell"),
        json!({"scripts": {"onThisComputer": true, "programs": []}}),
        json!({"adbProgram": "/tmp/adb"}),
        json!({"adbServers": ["192.0.2.7:5037"]}),
        json!({"rules": {"never": [], "ask": [], "allowed": [rule]}}),
    ];
    #[cfg(unix)]
    ways.push(json!({"scripts": {"onThisComputer": false, "programs": [program()]}}));
    for way in ways {
        let before = settings(&app);
        call(&main, "patch_settings", json!({ "patch": way })).unwrap();
        assert_eq!(settings(&app), before, "{way}");
        let open = waiting(&app);
        assert_eq!(open.len(), 1, "{way}: {open:?}");
        assert_eq!(open[0].loosens.len(), 1, "{way}: {open:?}");
        // Nor can it say Yes in the other window's place.
        let body = json!({"change": open[0].id, "yes": true});
        assert!(
            call(&main, "confirm", body)
                .unwrap_err()
                .to_string()
                .contains("not allowed")
        );
        assert_eq!(settings(&app), before, "{way}");
        tauri::async_runtime::block_on(app.state::<Engine>().confirm(&open[0].id, false)).unwrap();
        assert_eq!(settings(&app), before, "{way}: denied");
        assert_eq!(waiting(&app), []);
    }
    // What tightens holds at once, and so does what stands beside something that loosens.
    let both =
        json!({"level": "everything", "askBefore": off("sending")["askBefore"], "limits": {"steps": 9}});
    call(&main, "patch_settings", json!({ "patch": both })).unwrap();
    let now = settings(&app);
    assert_eq!((now.level, now.limits.steps), (Level::Everything, 9));
    assert!(now.ask_before.sending);
    assert_eq!(waiting(&app).len(), 1);
}

/// The approval window confirms what it shows, once it was in sight and the person moved in it, and nothing twice.
#[test]
fn the_approval_window_alone_lets_a_setting_be_loosened() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(folder.path());
    let main = app.get_webview_window("main").unwrap();
    let approval = app.get_webview_window("approval").unwrap();
    call(&main, "patch_settings", json!({"patch": {"level": "hard_stops"}})).unwrap();
    let id = waiting(&app)[0].id.clone();
    let yes = || call(&approval, "confirm", json!({"change": id, "yes": true}));
    assert_eq!(yes().unwrap_err()["code"], "not_now", "it was not in sight yet");
    call(&approval, "watch_asks", json!({"channel": "__CHANNEL__:3"})).unwrap();
    // The page is told, and only then is the question in sight.
    let shown = std::time::Instant::now();
    let mut confirmed = false;
    while !confirmed && shown.elapsed() < std::time::Duration::from_secs(20) {
        call(&approval, "noticed", json!({ "ask": id })).unwrap();
        confirmed = yes().is_ok();
    }
    assert!(confirmed);
    assert!(shown.elapsed() >= std::time::Duration::from_millis(800));
    assert_eq!(settings(&app).level, Level::HardStops);
    assert_eq!(
        yes().unwrap_err()["code"],
        "not_now",
        "nothing is in sight any more"
    );
    // Denied, nothing changes; and No needs no waiting.
    call(
        &main,
        "patch_settings",
        json!({"patch": {"adbProgram": "/tmp/adb"}}),
    )
    .unwrap();
    let id = waiting(&app)[0].id.clone();
    call(&approval, "confirm", json!({"change": id, "yes": false})).unwrap();
    assert_eq!(settings(&app).adb_program, "");
}

/// The first phone that is ready to be touched.
fn ready_phone(app: &App<MockRuntime>) -> String {
    let mut news = app.state::<Engine>().listen();
    tauri::async_runtime::block_on(async {
        loop {
            if let News::Phones { phones, .. } = news.recv().await.expect("the engine tells of phones")
                && let Some(phone) = phones.iter().find(|phone| phone.state == PhoneState::Device)
            {
                return json!(phone.id).as_str().unwrap().to_owned();
            }
        }
    })
}

#[test]
fn files_that_are_dropped_go_to_the_phone_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(folder.path());
    let main = app.get_webview_window("main").unwrap();
    call(&main, "patch_settings", json!({"patch": {"demoPhones": 1}})).unwrap();
    let phone = ready_phone(&app);
    let drops = app.state::<Drops>();
    let window = main.as_ref().window();
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let photo = put("a photo.jpg", &[7; 300_000]);
    let keyboard = put("Keyboard.apk", b"PK\x03\x04 adbkeyboard");
    let other = put("Other.apk", b"PK\x03\x04 something else");
    let drop = |paths: Vec<PathBuf>| {
        let position = PhysicalPosition::new(5.0, 5.0);
        drops.tell(&window, &DragDropEvent::Drop { paths, position });
    };
    let send = |drop: u32, file: usize, install: bool| {
        let body = json!({
            "phone": phone, "drop": drop, "file": file, "install": install, "channel": "__CHANNEL__:7",
        });
        call(&main, "send_file", body)
    };
    drop(vec![photo.clone(), keyboard, other]);
    // Its name there; one of that name is left as it is.
    assert_eq!(send(1, 0, false).unwrap(), "a photo.jpg");
    assert_eq!(send(1, 0, false).unwrap(), "a photo 2.jpg");
    assert_eq!(send(1, 1, true).unwrap(), Value::Null);
    assert_eq!(send(1, 2, true).unwrap_err()["code"], "app_blocked");
    assert_eq!(send(1, 0, true).unwrap_err()["code"], "app_broken");
    // Only what was dropped can be named, and only while it is there.
    assert_eq!(send(1, 3, false).unwrap_err()["code"], "not_found");
    assert_eq!(send(2, 0, false).unwrap_err()["code"], "not_found");
    // Another drop leaves what the page has not sent yet.
    let note = put("note.txt", b"later");
    drop(vec![note]);
    assert_eq!(send(2, 0, false).unwrap(), "note.txt");
    assert_eq!(send(1, 0, false).unwrap(), "a photo 3.jpg");
    std::fs::remove_file(photo).unwrap();
    assert_eq!(send(1, 0, false).unwrap_err()["code"], "file_unreadable");
}
